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

  // Opened here and now, by click or key: when "toggle" comes, what was typed may have been taken for
  // a key.
  document.addEventListener("click", (event) => {
    const summary = event.target.closest("#naming:not([open]) > summary");
    if (!summary) return;
    event.preventDefault();
    summary.parentElement.open = true;
    $("label-text").select();
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.response?.status !== 200 || !/\/set-label\/$/.test(ctx.request.action)) return;
    $("naming")?.removeAttribute("open");
    document.activeElement.blur(); // keys are keys again
  });
})();
