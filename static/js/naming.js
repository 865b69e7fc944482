// What players call those who are selected: the field shows the name of the one, is ready to type in
// when it is opened, and closes when it is done.
(() => {
  "use strict";
  const board = window.quiVive;
  const { $ } = board;
  let named = ""; // whose name stands in the field

  document.addEventListener("chosen", () => {
    const field = $("label-text");
    if (!field || $("selected").value === named) return;
    named = $("selected").value;
    field.value = $(board.chosen[0]).dataset.label ?? "";
  });

  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target.id === "naming" && target.open) $("label-text").select();
    },
    true,
  );

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.response?.status !== 200 || !/\/set-label\/$/.test(ctx.request.action)) return;
    $("naming")?.removeAttribute("open");
    document.activeElement.blur(); // keys are keys again
  });
})();
