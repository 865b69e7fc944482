// Typing the totals that were called out: each is one of its own, and Enter goes to the next.
(() => {
  "use strict";
  const TOTAL = "#initiative input[name^=total_]";
  /** The first total still to be told after this field, or before it. */
  const next = (field) => {
    const fields = [...document.querySelectorAll(TOTAL)];
    const at = fields.indexOf(field) + 1;
    return [...fields.slice(at), ...fields.slice(0, at)].find((one) => one.matches(".asked") && !one.value.trim());
  };

  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || event.isComposing || !target.matches(TOTAL) || !target.value.trim()) return;
    const field = next(target);
    if (!field || field === target) return; // all are told: Enter sends them
    event.preventDefault();
    field.focus();
  });

  // What is typed into a field that is gone to by keys, or was just sent, takes the place of what it holds

  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(TOTAL)) target.select();
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.response?.status !== 200 || ctx.request.method === "GET") return;
    const here = document.activeElement;
    const inOpening = here.closest(".opening") || here === document.body;
    if (ctx.sourceElement.id === "initiative" && inOpening) {
      const field = next(null);
      if (field) field.focus();
      else here.blur(); // keys are keys again
    } else if (here.matches(".opening input[inputmode=numeric]")) here.select();
  });
})();
