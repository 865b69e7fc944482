// What belongs to a hit: its type, who made the save, and what the fold holds.
//
// It is shown by the style sheet while the field of hit points, or something in it, has the focus.
(() => {
  "use strict";
  const { $ } = window.quiVive;
  const board = window.quiVive;
  const HIT_POINTS = /\/(damage|heal|give-temporary|change-maximum|revive|stabilise)\/$/;
  const ofStrip = ({ sourceElement, request }) =>
    sourceElement.closest("#strip") && HIT_POINTS.test(request.action);

  // A tap on a chip leaves the field what it is: Enter still sends, and a phone keeps its keyboard

  document.addEventListener("mousedown", (event) => {
    const chip = event.target.closest("#blow label, #blow summary");
    if (chip && document.activeElement === $("amount") && !event.target.matches("select, .choices input:not([type=checkbox])"))
      event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const label = event.target.closest("#blow label");
    if (!label?.control || event.target === label.control || document.activeElement !== $("amount")) return;
    event.preventDefault(); // it would give its box the focus, and find it gone
    if (label.control.type === "checkbox") label.control.click();
    else label.control.focus();
  });

  document.addEventListener("keydown", (event) => {
    const inside = event.target.closest?.("#blow");
    if (event.key === "Escape" && inside) $("amount").focus();
  });

  // Whoever is selected may have made the save; the one whose turn it is may have hit its enemies

  document.addEventListener("chosen", () => {
    const saved = $("saved");
    if (!saved) return;
    const own = board.chosen.map((id) => $(id));
    credit(own);
    const marks = own.map((row) => $(`saved-${row.dataset.number}`) ?? mark(row));
    const before = [...saved.querySelectorAll("label")];
    if (marks.length === before.length && marks.every((one, index) => one === before[index])) return;
    for (const one of before) if (!marks.includes(one)) one.remove();
    saved.append(...marks);
  });

  function credit(own) {
    const first = $("dealt-by")?.options[0];
    if (!first) return;
    const [acting, another] = document.querySelectorAll(".acting:not(.gone, [data-is~=lair])");
    const hits = acting && !another && own.some((row) => row.dataset.side !== acting.dataset.side);
    first.value = hits ? `acting-${acting.dataset.number}` : "";
    first.text = hits ? acting.querySelector(".name").textContent : "–";
  }

  function mark(row) {
    const [label, box] = [document.createElement("label"), document.createElement("input")];
    Object.assign(label, { className: "pill", id: `saved-${row.dataset.number}` });
    Object.assign(box, { type: "checkbox", name: "saved", value: row.dataset.number });
    label.append(box, ` ${row.querySelector(".name").textContent}`);
    return label;
  }

  // What was chosen was meant for the hit that is on its way, and comes back if it is refused

  const controls = () => [...document.querySelectorAll("#blow :is(input, select)")];

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (!ofStrip(ctx)) return;
    if (document.activeElement.closest("#blow")) document.activeElement.blur(); // keys are keys again
    ctx.chosen = controls().map((one) => [one, one.checked, one.value]);
    for (const one of controls()) {
      one.checked = one.id === "type-none";
      if (one.matches("select")) one.selectedIndex = 0;
      else if (one.matches("[inputmode]")) one.value = "";
    }
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (!ofStrip(ctx) || ctx.response?.status === 200) return;
    for (const [one, checked, value] of ctx.chosen) {
      Object.assign(one, { checked, value });
      if (one.selectedIndex < 0) one.selectedIndex = 0; // it is another's turn
    }
  });

  // Where there is more room, it lies over the rows above its own; what does not fit is scrolled

  const MARGIN = 8; // pixels

  function place() {
    const blow = $("blow");
    if (!blow) return;
    blow.classList.remove("over");
    blow.style.maxHeight = "";
    const { top, height } = blow.getBoundingClientRect();
    const above = $("strip").previousElementSibling?.getBoundingClientRect().top ?? 0;
    const below = floor() - top;
    const over = height > below && above > below;
    const room = (over ? above : below) - MARGIN;
    blow.classList.toggle("over", over);
    if (height > room) blow.style.maxHeight = `${room}px`;
  }

  /** Where the bar begins, or the sheet of the turn over it. */
  function floor() {
    const over = [document.querySelector(".bar"), $("turn")].filter(
      (part) => part && ["sticky", "fixed"].includes(getComputedStyle(part).position),
    );
    return Math.min(innerHeight, ...over.map((part) => part.getBoundingClientRect().top));
  }

  document.addEventListener("focusin", ({ target }) => target.id === "amount" && place());
  document.addEventListener("toggle", ({ target }) => target.id === "other" && place(), true);
  if (board.chosen.length) document.dispatchEvent(new Event("chosen"));
})();
