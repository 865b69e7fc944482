// Moving places in the order: by a key, or by the handle of their first row.
//
// A place moves with all its rows. What is dragged is seen at once and sent as a form; the board
// that answers shows it again, and where it is refused or not answered the rows go back.
(() => {
  "use strict";
  const { $, rows, isSecond, seats, glide } = window.quiVive;
  const board = window.quiVive;

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
  board.move = (row, way) => row.dataset.slot && send(row, { move: way });

  /** Send what has been dragged: before which place, "" for the last; the ids as they were. */
  board.moveBefore = (row, slot, ids) => {
    undone = ids;
    send(row, { before: slot });
  };

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

  // A press on a handle before what drags has been fetched is made again for it

  let pressed = null; // it has not ended yet

  board.pressAgain = () => pressed?.target.dispatchEvent(new PointerEvent(pressed.type, pressed));

  document.addEventListener("pointerdown", (event) => {
    pressed = event.target.closest(".grip") && event;
  });
  for (const type of ["pointerup", "pointercancel"])
    document.addEventListener(type, () => (pressed = null));
})();
