// Moving places in the order: dragged by the handle of their first row, or by a key.
//
// A place moves with all its rows. The move is seen at once and sent as a form; the board that
// answers shows it again, and where it is refused or not answered the rows go back. The library
// that drags is fetched when the page has nothing else to do, or when a handle is approached.
(() => {
  "use strict";
  const { $, rows, isSecond, seats, glide } = window.quiVive;
  const board = window.quiVive;
  const live = $("live");
  const slotOf = (row) => row.dataset.slot;
  const membersOf = (slot) => rows().filter((row) => slotOf(row) === slot);
  const leads = () => rows().filter((row) => !row.classList.contains("follows"));

  // Sending

  let undone = null; // ids of the rows as they were, until the move is answered

  function send(row, fields) {
    const form = $("reorder");
    if (!form) return;
    form.elements.target.value = row.dataset.number;
    form.elements.second.value = isSecond(row) ? "1" : "";
    for (const name of ["before", "move"]) {
      form.elements[name].disabled = !(name in fields);
      form.elements[name].value = fields[name] ?? "";
    }
    form.requestSubmit();
  }

  /** Move the place of a row one "up" or "down". */
  board.move = (row, way) => slotOf(row) && send(row, { move: way });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id !== "reorder" || !undone) return;
    const before = undone;
    undone = null;
    if (![200, 409].includes(ctx.response?.status)) arrange(before);
  });

  /** Put the rows into this order again, the strip under its own. */
  function arrange(ids) {
    const [list, places] = [$("order"), seats()];
    for (const id of ids) if ($(id)) list.append($(id));
    board.show();
    glide(places);
  }

  // Dragging

  let dragged = null; // the first row of the place that is being dragged
  let next = null; // the first row behind it, as last seen

  const behind = (row) => leads()[leads().indexOf(row) + 1] ?? null;

  function start({ item }) {
    dragged = item;
    undone = rows().map((row) => row.id);
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

  function drop() {
    const [row, before] = [dragged, undone];
    dragged = null;
    for (const part of document.querySelectorAll(".carried")) part.classList.remove("carried");
    row.after(...membersOf(slotOf(row)).filter((member) => member !== row));
    board.show();
    if (rows().every((one, index) => one.id === before[index])) undone = null;
    else send(row, { before: behind(row) ? slotOf(behind(row)) : "" });
  }

  // A board that arrives meanwhile is shown, and the dragged row stays where it is held

  document.addEventListener("htmx:before:swap", () => {
    next = dragged && behind(dragged);
  });
  document.addEventListener("htmx:before:settle", () => {
    if (!dragged) return prepare();
    if (!dragged.isConnected) return void (dragged = undone = null);
    undone = rows().map((row) => row.id);
    if (next?.isConnected) next.before(dragged);
    else $("order").append(dragged);
    carry();
  });

  // The library

  let sortable = null;
  let asked = false;

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

  function fetchLibrary() {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = live.dataset.sortable;
    script.onload = prepare;
    document.head.append(script);
  }

  document.addEventListener("pointerover", ({ target }) => target.closest?.(".grip") && fetchLibrary());
  const whenIdle = window.requestIdleCallback ?? ((act) => setTimeout(act, 1_000));
  addEventListener("load", () => whenIdle(fetchLibrary));
})();
