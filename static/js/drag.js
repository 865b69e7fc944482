// Dragging places of the order by the handle of their first row; move.js fetches this and sends.
(() => {
  "use strict";
  const { $, rows } = window.quiVive;
  const board = window.quiVive;
  const slotOf = (row) => row.dataset.slot;
  const membersOf = (slot) => rows().filter((row) => slotOf(row) === slot);
  const leads = () => rows().filter((row) => !row.classList.contains("follows"));
  const ids = () => rows().map((row) => row.id);

  let dragged = null; // the first row of the place that is being dragged
  let before = []; // ids of the rows as they were
  let next = null; // the first row behind the dragged one, as last seen

  const behind = (row) => leads()[leads().indexOf(row) + 1] ?? null;

  function start({ item }) {
    dragged = item;
    before = ids();
    carry();
  }

  /** Until it is dropped a place is its first row; the strip under it waits. */
  function carry() {
    for (const row of membersOf(slotOf(dragged))) row.classList.toggle("carried", row !== dragged);
    const above = $("strip").previousElementSibling;
    $("strip").classList.toggle("carried", !!above && slotOf(above) === slotOf(dragged));
  }

  /** Places are not dropped into the middle of a group. */
  function mayMove({ related, willInsertAfter }) {
    if (related === dragged || slotOf(related) === slotOf(dragged)) return false;
    const members = membersOf(slotOf(related));
    if (willInsertAfter) return related === members.at(-1) ? 1 : false;
    return related === members[0] ? -1 : false;
  }

  function letGo() {
    dragged = null;
    for (const part of document.querySelectorAll(".carried")) part.classList.remove("carried");
  }

  function drop() {
    const row = dragged;
    letGo();
    row.after(...membersOf(slotOf(row)).filter((member) => member !== row));
    board.show();
    if (ids().some((id, index) => id !== before[index]))
      board.moveBefore(row, behind(row) ? slotOf(behind(row)) : "", before);
  }

  // A board that arrives meanwhile is shown, and the dragged row stays where it is held

  document.addEventListener("htmx:before:swap", () => {
    next = dragged && behind(dragged);
  });
  document.addEventListener("htmx:before:settle", () => {
    if (!dragged) return prepare();
    if (!dragged.isConnected) {
      letGo();
      sortable.destroy(); // it would look for the row when the finger lets go
      sortable = null;
      document.querySelector(".afloat")?.remove();
      return prepare();
    }
    before = ids();
    if (next?.isConnected) next.before(dragged);
    else $("order").append(dragged);
    carry();
  });

  let sortable = null;

  function prepare() {
    const list = $("order");
    if (!window.Sortable || sortable?.el === list) return;
    sortable?.destroy();
    sortable = list && new window.Sortable(list, {
      handle: ".grip",
      draggable: ".row",
      forceFallback: true, // the same with a mouse as with a finger
      fallbackOnBody: true,
      fallbackTolerance: 4, // pixels
      fallbackClass: "afloat",
      ghostClass: "dragged",
      animation: matchMedia("(prefers-reduced-motion)").matches ? 0 : 150, // ms
      onStart: start,
      onMove: mayMove,
      onEnd: () => dragged && drop(),
    });
  }

  prepare();
  board.pressAgain();
})();
