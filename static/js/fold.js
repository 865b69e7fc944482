// Groups of the order, folded to one row or open; what was folded stays so in this tab.
(() => {
  "use strict";
  const { rows } = window.quiVive;
  const kept = `folded ${location.pathname}`;
  const folded = new Set(read());

  function read() {
    try {
      return JSON.parse(sessionStorage.getItem(kept)) ?? [];
    } catch {
      return [];
    }
  }

  function keep() {
    try {
      sessionStorage.setItem(kept, JSON.stringify([...folded]));
    } catch {
      // this tab forgets
    }
  }

  function show() {
    for (const row of document.querySelectorAll("#order .row")) {
      const closed = folded.has(row.dataset.slot);
      row.classList.toggle("folded", closed && row.matches(":has([data-fold-group])"));
      row.hidden = closed && row.classList.contains("follows");
      row.querySelector("[data-fold-group]")?.setAttribute("aria-expanded", !closed);
    }
  }

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("[data-fold-group]");
      if (!button) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const slot = button.closest(".row").dataset.slot;
      if (!folded.delete(slot)) folded.add(slot);
      keep();
      show();
      window.quiVive.regroup(slot);
    },
    true,
  );

  document.addEventListener("htmx:before:settle", show);
  if (rows().length) show();
})();
