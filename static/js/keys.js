// Single keys, outside fields, and the dialog that lists them, changes them and turns them off.
//
// Each action's usual key is written in the dialog; what is changed there is kept in this browser.
(() => {
  "use strict";
  const { $, chooseRow, toggle, beSeveral, ensure, step, afterAnswer, closeMenus } = window.quiVive;
  const board = window.quiVive;
  const dialog = $("keys");
  const keyButtons = [...dialog.querySelectorAll("[data-action]")];

  // What a key does

  const first = (selector) => [...document.querySelectorAll(selector)].find((part) => !part.hidden);
  const press = (selector) => first(`${selector}:not(:disabled)`)?.click();
  const onSelected = (selector) => () => ensure() && press(selector);
  const move = (way) => () => ensure() && board.move(board.cursor, way);

  let entering = ""; // the id of the button that Enter presses in the field, "" for the usual one

  function write(start, button = "") {
    if (!ensure() || !$("amount")) return;
    entering = button;
    $("amount").value = start;
    $("amount").focus();
    showEntering();
  }

  function showEntering() {
    for (const button of document.querySelectorAll("#strip .points button"))
      button.classList.toggle("on", entering !== "" && button.id === entering);
  }

  function rollDice() {
    if (!$("dice-text")) return;
    $("turn").open = true;
    $("dice-text").focus();
    $("dice-text").select(); // what was rolled last is rolled again by Enter, or written over
  }

  function goToDue() {
    const answer = first("#dues .answers button:not([tabindex], :disabled)");
    if (!answer) return;
    $("turn").open = true;
    answer.focus();
  }

  // Where the last that was due is settled by keys, they go on with the turn

  let settling = ""; // "keys" or "tap"

  document.addEventListener("htmx:before:swap", () => {
    const { activeElement } = document;
    if (activeElement.closest(".due")) settling = activeElement.matches(":focus-visible") ? "keys" : "tap";
    else settling = "";
  });
  document.addEventListener("htmx:before:settle", () => {
    if (!settling || document.activeElement.closest(".due")) return;
    if (settling === "tap") document.activeElement.blur(); // not on what has taken its place
    else first("#dues .due .answers button:not([tabindex]), #next button")?.focus();
  });

  // Dice are on their way: keys are keys again; if they are refused, they can be put right at once
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id === "dice") $("dice-text").blur();
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id !== "dice" || ctx.response?.status !== 422) return;
    $("dice-text")?.focus();
    $("fallen")?.replaceChildren(); // it was of other dice
  });

  function openConditions() {
    const menu = ensure() && $("conditions");
    if (!menu) return;
    if (menu.matches("details")) menu.open = true;
    else menu.showPopover?.();
    const controls = menu.querySelectorAll("a[href], button:not(.hush), select, input:not([type=hidden])");
    [...controls].find((control) => control.checkVisibility?.() ?? true)?.focus();
  }

  // What was chosen there is done: keys are keys again, and the rows are back in view
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.response?.status === 200 && /\/(add|remove)-effect\/$/.test(ctx.request.action))
      $("conditions")?.removeAttribute("open");
  });

  const ACTIONS = {
    next: () => press("#next button"),
    previous: () => press("#previous button"),
    below: () => step(1),
    above: () => step(-1),
    "move-down": move("down"),
    "move-up": move("up"),
    select: () => keepAndAdd(),
    damage: () => write(""),
    heal: () => write("+"),
    temporary: () => write("", "temporary"),
    conditions: openConditions,
    dice: rollDice,
    due: goToDue,
    hide: onSelected("#hide, #show"),
    reaction: onSelected("#spend-reaction, #return-reaction"),
    edit: onSelected("#edit"),
    undo: () => press("#undo button"),
    redo: () => press("#redo button"),
    add: () => $("add-text")?.focus(),
    remove: () => board.chosen.length && press("#remove, #remove-second"),
    help: () => dialog.showModal(),
  };
  const SENDS = ["next", "previous", "move-down", "move-up", "hide", "reaction", "undo", "redo", "remove"];
  const REPEATS = ["below", "above"]; // while they are held down

  /** The first press keeps the row and lets others be added; further ones add and take away. */
  function keepAndAdd() {
    if (!board.chosen.length) chooseRow(board.current());
    else if (board.several || board.chosen.length > 1) toggle(board.cursor);
    beSeveral(true);
  }

  // Which key was pressed

  const letters = {}; // what the keys of this keyboard type, as far as has been seen

  /** "n", "alt+n", "shift+u", "delete": letters by what they type, also where alt types others. */
  function chord(event) {
    let key = event.key.toLowerCase();
    const isLatin = /^[a-z]$/.test(key);
    if (/^(alt|altgraph|shift|control|meta|capslock)$/.test(key)) return "";
    if (isLatin && !event.altKey) letters[event.code] = key;
    if (event.altKey && !isLatin && /^Key[A-Z]$/.test(event.code))
      key = letters[event.code] ?? event.code.at(-1).toLowerCase();
    if (/^(dead|unidentified|process)$/.test(key)) return "";
    const shift = event.shiftKey && /^(\p{L}| |..+)$/u.test(key) ? "shift+" : "";
    return (event.altKey ? "alt+" : "") + shift + (key === " " ? "space" : key);
  }

  const TYPING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
  const MENUS = "[popover], [role=menu], [role=listbox], #conditions[open], #blow";

  function isBusy(event) {
    const { target } = event;
    if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey) return true;
    if (document.querySelector("dialog[open]") || target.closest(`${TYPING}, ${MENUS}`)) return true;
    return event.key === " " && target.closest("button, summary, input");
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return leave(event);
    if (event.key === "Enter" && entering && event.target.id === "amount" && !event.isComposing) {
      event.preventDefault();
      return $(entering)?.click();
    }
    if (isBusy(event)) return;
    const pressed = chord(event);
    const action = pressed && actionOf(pressed);
    if (!action || (!single && !pressed.startsWith("alt+"))) return;
    event.preventDefault();
    if (event.repeat && !REPEATS.includes(action)) return;
    if (SENDS.includes(action)) afterAnswer(ACTIONS[action]);
    else ACTIONS[action]();
  });

  function leave({ target, isComposing }) {
    if (isComposing || dialog.open) return;
    const menu = target.closest("#conditions[open]");
    if (target.matches("#amount, #add-text, #dice-text")) target.blur();
    else if (menu) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    } else if (closeMenus() || target.matches("input, select, textarea")) target.blur();
    else if (board.several || board.chosen.length > 1) beSeveral(false);
    else if (board.chosen.length) board.clear();
  }

  document.addEventListener("focusout", ({ target }) => {
    if (target.id !== "amount" || !target.isConnected) return;
    entering = "";
    showEntering();
  });

  // Which key is whose

  const STORE = "qui-vive-keys";
  let keys = new Map(); // from action to key
  let single = true; // keys without alt

  const actionOf = (pressed) => [...keys].find(([, key]) => key === pressed)?.[0];
  const usual = () => keyButtons.map((button) => [button.dataset.action, button.dataset.key]);

  function load() {
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(STORE)) ?? {};
    } catch {
      // storage may be forbidden, or hold what is not ours: the usual keys then
    }
    keys = new Map(usual());
    for (const [action, key] of Object.entries(kept.keys ?? {}))
      if (keys.has(action) && typeof key === "string") keys.set(action, key);
    single = kept.single !== false;
    showKeys();
  }

  function save() {
    const own = usual().filter(([action, key]) => keys.get(action) !== key);
    const kept = { single, keys: Object.fromEntries(own.map(([action]) => [action, keys.get(action)])) };
    try {
      localStorage.setItem(STORE, JSON.stringify(kept));
    } catch {
      // it holds until the page is left
    }
    showKeys();
  }

  function showKeys() {
    for (const button of keyButtons)
      button.firstElementChild.textContent = shown(keys.get(button.dataset.action));
    $("single-keys").checked = single;
    showOnButtons();
  }

  /** On the board, wherever a usual key is written. */
  function showOnButtons() {
    const owners = new Map(usual().map(([action, key]) => [key, action]));
    for (const place of document.querySelectorAll("#board kbd, #keys-button kbd")) {
      place.dataset.key ??= place.textContent;
      const key = keys.get(owners.get(place.dataset.key));
      if (!key) continue;
      if (place.textContent !== shown(key)) place.textContent = shown(key);
      place.hidden = !single && !key.startsWith("alt+");
    }
  }

  /** A key as its keyboard calls it: "shift+u" is "maj+u" in French. */
  function shown(key) {
    const parts = key === "+" || key.endsWith("++") ? [...key.slice(0, -2).split("+"), "+"] : key.split("+");
    return parts.filter(Boolean).map((part) => dialog.dataset[part] ?? part).join("+");
  }

  document.addEventListener("htmx:before:settle", () => {
    showOnButtons();
    showEntering();
  });
  addEventListener("storage", (event) => event.key === STORE && load());

  // The dialog

  let listening = null; // the button whose new key is awaited

  function listen(button) {
    listening?.setAttribute("aria-pressed", "false");
    button?.setAttribute("aria-pressed", "true");
    listening = button;
    tell(button ? "press" : "");
  }

  function tell(what, values = {}) {
    const text = what ? dialog.dataset[what] : "";
    $("keys-said").textContent = text.replace(/{(\w+)}/g, (_, name) => values[name]);
  }

  function take(pressed) {
    const button = listening;
    const taken = keyButtons.find((other) => other !== button && keys.get(other.dataset.action) === pressed);
    listen(null);
    if (taken) return tell("taken", { key: shown(pressed), action: $(`${taken.id}-does`).textContent });
    keys.set(button.dataset.action, pressed);
    save();
    tell("changed", { key: shown(pressed), action: $(`${button.id}-does`).textContent });
  }

  dialog.addEventListener("keydown", (event) => {
    if (!listening || event.ctrlKey || event.metaKey || event.key === "Tab") return;
    event.preventDefault(); // Escape closes nothing but the question
    event.stopPropagation();
    if (event.repeat) return;
    const pressed = chord(event);
    if (pressed === "escape") listen(null);
    else if (pressed === "enter") tell("unfit");
    else if (pressed) take(pressed);
  });
  dialog.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-action]");
    if (button) listen(button === listening ? null : button);
  });
  dialog.addEventListener("close", () => listen(null));
  dialog.addEventListener("focusout", () => listening && !dialog.contains(document.activeElement) && listen(null));
  $("single-keys").addEventListener("change", ({ target }) => {
    single = target.checked;
    save();
  });
  $("usual-keys").addEventListener("click", () => {
    single = true;
    keys = new Map(usual());
    save();
    tell("reset");
  });

  load();
  $("keys-button").hidden = false;
  $("keys-button").addEventListener("click", () => dialog.showModal());
})();
