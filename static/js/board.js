// The GM's board under the fingers: selecting rows, single keys, and one effect per click.
//
// Every action is a form that works without this script; here they are only reached faster.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const rows = () => [...document.querySelectorAll("#order .row")];

  // Selecting

  let chosen = $("selected").value; // the number of the row selected last

  function select(row) {
    if (!row) return;
    const strip = $("strip");
    if ($("selected").value !== row.dataset.number) $("amount")?.setCustomValidity("");
    for (const other of document.querySelectorAll(".row.selected")) other.classList.remove("selected");
    row.classList.add("selected");
    row.after(strip);
    chosen = $("board").dataset.selected = $("selected").value = row.dataset.number;
    for (const name of ["target", "selected"]) $("strip-form").elements[name].value = row.dataset.number;
    const is = row.dataset.is.split(" ");
    for (const part of strip.querySelectorAll("[data-when]")) part.hidden = !is.includes(part.dataset.when);
    const edit = $("edit");
    if (edit) edit.href = edit.dataset.href.replace("/0/", `/${row.dataset.number}/`);
    strip.querySelector(".refusal").textContent = "";
    if (row.getBoundingClientRect().bottom > innerHeight - 160 || row.getBoundingClientRect().top < 0)
      row.scrollIntoView({ block: "center" });
  }

  function selected() {
    return document.querySelector(".row.selected") || document.querySelector(".row.acting") || rows()[0];
  }

  function step(by) {
    const all = rows();
    const index = all.indexOf(document.querySelector(".row.selected"));
    select(index < 0 ? selected() : all[Math.min(all.length - 1, Math.max(0, index + by))]);
  }

  function write(start) {
    select(selected());
    const amount = $("amount");
    if (!amount) return;
    amount.value = start;
    amount.focus();
  }

  document.addEventListener(
    "click",
    (event) => {
      const row = event.target.closest("#order .row");
      if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      select(row);
      if (event.target.closest(".hp")) $("amount")?.focus();
    },
    true,
  );

  // Keys, outside fields

  const press = (id) => $(id)?.querySelector("button:not(:disabled, [hidden])")?.click();
  const KEYS = {
    n: () => press("next"),
    "alt+n": () => press("previous"),
    j: () => step(1),
    k: () => step(-1),
    t: () => write(""),
    l: () => write("+"),
    h: () => {
      select(selected());
      document.querySelector("#hide:not([hidden]), #show:not([hidden])")?.click();
    },
    u: () => press("undo"),
    "shift+u": () => press("redo"),
    "/": () => $("add-text")?.focus(),
    "?": () => $("keys").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.matches("#amount, #add-text")) event.target.blur();
    if (event.key === "Escape" && event.target.closest("#add")) closeList();
    if (event.ctrlKey || event.metaKey || $("keys").open) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]")) return;
    const letter = /^Key[A-Z]$/.test(event.code) && event.altKey ? event.code.at(-1) : event.key;
    const shift = event.shiftKey && /^[a-z]$/i.test(letter) ? "shift+" : "";
    const action = KEYS[(event.altKey ? "alt+" : "") + shift + letter.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    if (event.repeat && letter !== "j" && letter !== "k") return;
    if (sending && SENT.includes(action)) waiting.push(action);
    else action();
  });

  // What is pressed while an answer is awaited is meant for the board that it brings
  const SENT = ["n", "alt+n", "h", "u", "shift+u"].map((key) => KEYS[key]);
  const waiting = [];
  let sending = 0; // requests that change the fight

  function goOn() {
    while (waiting.length && !sending) waiting.shift()();
  }

  $("keys-button").hidden = false;
  $("keys-button").addEventListener("click", () => $("keys").showModal());

  // The second click of a double click is not a second wish

  let last = { button: null, at: 0 };
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      if (!button?.form || event.detail === 0) return;
      const form = button.form;
      if (event.detail > 1 && last.form === form && event.timeStamp - last.at < 400) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      last = { form, at: event.timeStamp };
    },
    true,
  );

  // After an answer

  const HIT_POINTS = /\/(damage|heal|give-temporary)\/$/;
  let sent = ""; // the amount on its way, put back if it is refused
  let named = ""; // what is being added; whatever is typed meanwhile stays

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    ctx.sourceElement.querySelector?.(".refusal")?.replaceChildren();
    if (ctx.request.method !== "GET") sending += 1;
    if (ctx.sourceElement.id === "add") named = $("add-text").value;
    if (!HIT_POINTS.test(ctx.request.action)) return;
    sent = $("amount").value;
    $("amount").value = "";
    $("amount").blur(); // so that the next key is a key again
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const status = ctx.response?.status ?? 0;
    const answered = [200, 409, 422].includes(status);
    if (ctx.request.method !== "GET") $("unsaved").hidden = answered;
    else if (ctx.sourceElement.id === "live" && answered) $("unsaved").hidden = true;
    if (status !== 200 && HIT_POINTS.test(ctx.request.action) && $("amount")?.value === "") {
      $("amount").value = sent;
      $("amount").focus();
    }
    if (ctx.sourceElement.id === "add-text" && !ctx.sourceElement.value) closeList(); // too late
    if (ctx.request.method === "GET") return;
    sending -= 1;
    if (status !== 200) waiting.length = 0;
    if (status === 422) ctx.sourceElement.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
    setTimeout(goOn);
    if (status !== 200) return;
    if (/^passive-form-/.test(ctx.sourceElement.id)) document.querySelector(".matrix .asked")?.focus();
    if (ctx.sourceElement.id === "add") {
      if ($("add-text").value === named) $("add-text").value = "";
      closeList();
    }
  });

  // On a narrow page the turn and the log are folded until they are asked for

  if (matchMedia("(max-width: 56rem)").matches)
    for (const part of document.querySelectorAll("[data-fold]")) part.open = false;

  // Rows whose order changes glide to their new places

  let places = new Map(); // from a row's id to its top before the swap, in order

  document.addEventListener("htmx:before:swap", () => {
    places = new Map(rows().map((row) => [row.id, row.getBoundingClientRect().top]));
  });
  document.addEventListener("htmx:before:settle", () => {
    const stayed = rows().filter((row) => places.has(row.id));
    const before = [...places.keys()].filter((id) => $(id));
    if (matchMedia("(prefers-reduced-motion)").matches) return;
    if (stayed.every((row, index) => row.id === before[index])) return;
    for (const row of stayed) {
      const by = places.get(row.id) - row.getBoundingClientRect().top;
      if (by) row.animate([{ translate: `0 ${by}px` }, { translate: "0 0" }], { duration: 150, easing: "ease-out" });
    }
  });

  // A row selected while an answer was awaited stays selected, and what is typed goes to it

  let focused = null;

  document.addEventListener("htmx:before:swap", () => {
    focused = document.activeElement;
  });
  document.addEventListener("htmx:before:settle", () => {
    const row = $(`c${chosen}`);
    if (!row) chosen = $("selected").value;
    else if ($("selected").value !== chosen) {
      select(row);
      if (focused?.isConnected) focused.focus({ preventScroll: true });
    }
  });

  // The list under the add field lies over the board: away with it when it is no longer asked for

  const closeList = () => $("suggestions")?.replaceChildren();

  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#add")) closeList();
  });

  // From the add field into the list under it, and back

  document.addEventListener("keydown", (event) => {
    const list = [...document.querySelectorAll("#suggestions button")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const index = list.indexOf(document.activeElement);
    if (!by || !list.length || (index < 0 && document.activeElement !== $("add-text"))) return;
    event.preventDefault();
    (list[index + by] ?? $("add-text")).focus();
  });
})();
