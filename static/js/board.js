// What the GM's board does around its requests: one effect per click, nothing typed is lost,
// an older answer never overwrites a newer one, and rows glide to their new places.
//
// Every action is a form that works without these scripts; here they are only reached faster.
(() => {
  "use strict";
  const { $, rows, bringIntoView } = window.quiVive;

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

  const HIT_POINTS = /\/(damage|heal|give-temporary|change-maximum|revive|stabilise)\/$/;
  let sending = 0; // requests that change the fight
  const waiting = []; // what is pressed meanwhile is meant for the board that the answer brings
  let named = ""; // what is being added; whatever is typed meanwhile stays

  function afterAnswer(action) {
    if (sending) waiting.push(action);
    else action();
  }

  function goOn() {
    while (waiting.length && !sending) waiting.shift()();
  }

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id !== "live") ctx.sourceElement.querySelector?.(".refusal")?.replaceChildren();
    if (ctx.request.method !== "GET") {
      sending += 1;
      $("unsaved-why").replaceChildren();
    }
    if (ctx.sourceElement.id === "add") named = $("add-text").value;
  });

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (!HIT_POINTS.test(ctx.request.action)) return;
    ctx.amount = $("amount").value; // put back if it is refused
    $("amount").value = "";
    $("amount").blur(); // so that the next key is a key again
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const status = ctx.response?.status ?? 0;
    const answered = [200, 409, 422].includes(status);
    if (ctx.request.method !== "GET") $("unsaved").hidden = answered;
    else if (ctx.sourceElement.id === "live" && answered) $("unsaved").hidden = true;
    if (status !== 200 && HIT_POINTS.test(ctx.request.action) && $("amount")?.value === "") {
      $("amount").value = ctx.amount;
      $("amount").focus();
    }
    if (ctx.sourceElement.id === "add-text" && !ctx.sourceElement.value) closeList(); // too late
    if (ctx.request.method === "GET") return;
    sending -= 1;
    if (status !== 200) waiting.length = 0;
    if (status === 422) ctx.sourceElement.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
    setTimeout(goOn);
    if (status !== 200) return;
    // A button that was pressed by mouse is done with: a space would press it again
    if (document.activeElement.matches("button:not(:focus-visible)")) document.activeElement.blur();
    if (/^passive-form-/.test(ctx.sourceElement.id)) document.querySelector(".matrix .asked")?.focus();
    if (ctx.sourceElement.id === "add") {
      if ($("add-text").value === named) $("add-text").value = "";
      $("add-arrives").value = ""; // a round is meant for those just added
      if ($("suggestions").contains(document.activeElement)) $("add-text").focus(); // for the next
      closeList();
    }
  });

  // A reason stands there until what it is about is typed anew

  document.addEventListener("input", ({ target }) => {
    for (const refusal of target.form?.querySelectorAll(".refusal") ?? []) refusal.replaceChildren();
  });

  // A board that is older than the one shown, or that a step on its way will replace, is dropped

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    const version = /^\s*<div id="board"[^>]* data-version="(\d+)"/.exec(ctx.text ?? "")?.[1];
    if (!version) return;
    const late = ctx.sourceElement.id === "live" && sending;
    if (late || Number(version) < Number($("board").dataset.version)) event.preventDefault();
  });

  // On a narrow page the turn and the log are folded until they are asked for

  const foldable = () => [...document.querySelectorAll("[data-fold]")];
  let there = []; // before the swap

  function fold() {
    if (!matchMedia("(max-width: 56rem)").matches) return;
    for (const part of foldable()) if (!there.includes(part.id)) part.open = false;
  }

  fold();
  document.addEventListener("htmx:before:swap", () => {
    there = foldable().map((part) => part.id);
  });
  document.addEventListener("htmx:before:settle", fold);

  // A new turn opens at its top, with its row in view. Whoever scrolls during a turn is left alone,
  // also when the next one is begun in another window.

  const acting = () => $("board").matches(".running") && document.querySelector(".row.acting");
  const turn = () => acting() && `${$("board").dataset.round} ${acting().id}`;
  let shown = turn();
  let put = 0; // where the page was left for this turn
  let elsewhere = false; // the answer on its way is to another window's step
  if (shown && !$("selected").value) inView();

  document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
    elsewhere = ctx.sourceElement.id === "live";
  });
  document.addEventListener("htmx:before:settle", () => {
    const now = turn();
    if (now && now !== shown) {
      for (const part of [$("turn"), $("dues")]) part?.scrollTo(0, 0);
      if (!elsewhere || scrollY === put) inView();
    }
    shown = now;
  });

  function inView() {
    bringIntoView(acting());
    put = scrollY;
  }

  // Rows whose order changes glide to their new places

  const seats = () => new Map(rows().map((row) => [row.id, row.getBoundingClientRect().top]));
  let places = new Map(); // from a row's id to its top before the swap, in order

  function glide(places) {
    const stayed = rows().filter((row) => places.has(row.id));
    const before = [...places.keys()].filter((id) => $(id));
    if (matchMedia("(prefers-reduced-motion)").matches) return;
    if (stayed.every((row, index) => row.id === before[index])) return;
    for (const row of stayed) {
      const by = places.get(row.id) - row.getBoundingClientRect().top;
      if (by) row.animate([{ translate: `0 ${by}px` }, { translate: "0 0" }], { duration: 150, easing: "ease-out" });
    }
  }

  document.addEventListener("htmx:before:swap", () => {
    places = seats();
  });
  document.addEventListener("htmx:before:settle", () => glide(places));

  // The list under the add field lies over the board: away with it when it is no longer asked for

  const closeList = () => $("suggestions")?.replaceChildren();

  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#add")) closeList();
  });

  // What lies over the board goes by Escape, by a press elsewhere, or by its own button

  /** Closes all but what this is in; whether anything was open. */
  function closeMenus(target) {
    const open = [...document.querySelectorAll("#share[open], #add-more[open], #place[open]")];
    const others = open.filter((menu) => !target || !menu.contains(target));
    for (const menu of others) menu.open = false;
    return others.length > 0;
  }

  document.addEventListener("click", ({ target, isTrusted }) => {
    if (isTrusted) closeMenus(target.closest("[data-close]") ? null : target); // not a key's press
    if (target.closest("#notice")) $("notice").replaceChildren();
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

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.closest("#add")) closeList();
  });

  Object.assign(window.quiVive, { afterAnswer, closeMenus, seats, glide });
})();
