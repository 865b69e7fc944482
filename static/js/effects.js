// The panel of conditions says in words how the next one will end, as it is chosen.
(() => {
  "use strict";
  const { $ } = window.quiVive;
  const board = window.quiVive;

  const nameOf = (row) => $(row)?.querySelector(".name").textContent;
  const filled = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

  function say() {
    const form = $("effects");
    if (!form) return;
    const { elements } = form;
    const says = $("says");
    const nobody = $("lasts").dataset.nobody;
    const source = elements.source.value === "acting" ? acting() : nameOf(`c${elements.source.value}`);
    const bearer = board.chosen.length > 1 ? $("lasts").dataset.each : nameOf(board.chosen[0]);
    const [lasts, preset] = elements.lasts.value.split(":");
    const n = Number(preset || elements.n.value.trim() || 1);
    const parts = [end(lasts, n)];
    if (elements.hangs.checked) parts.push(source ? filled(says.dataset.hangs, { who: source }) : nobody);
    if (elements.save.value) {
      const ability = elements.save.selectedOptions[0].textContent;
      parts.push(filled(says.dataset.save, { ability, dc: elements.dc.value || "?" }));
    }
    const text = parts.join(" · ");
    if (says.textContent !== text) says.textContent = text;

    function end(lasts, n) {
      if (lasts === "never") return says.dataset.never;
      if (!Number.isInteger(n) || n < 1) return "–";
      if (lasts === "rounds") return filled(says.dataset.rounds, { who: acting() ?? bearer, round: Math.max(1, $("board").dataset.round) + n });
      const [, edge, whose] = lasts.split("-");
      const who = whose === "source" ? source : bearer;
      return who ? filled(says.dataset[n > 1 ? `${edge}s` : edge], { who, n }) : nobody;
    }
  }

  const acting = () => document.querySelector("#order .row.acting .name")?.textContent;

  document.addEventListener("input", (event) => event.target.closest("#effects") && say());
  document.addEventListener("chosen", say);

  // Most last for 1 minute: one press opens the panel with that chosen, a second closes it
  document.addEventListener("click", ({ target }) => {
    if (!target.closest("#minute")) return;
    const minute = document.querySelector("#lasts [value='rounds:10']");
    $("conditions").open = !($("conditions").open && minute.checked);
    minute.checked = true;
    say();
  });

  // Enter puts own words on; elsewhere it would, too, though what is put on is still to be chosen
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("#effects input:not(#effect-text)"))
      event.preventDefault();
  });

  // What was chosen was meant for what has been put on now
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.response?.status !== 200 || !/\/add-effect\/$/.test(ctx.request.action)) return;
    $("effects")?.reset();
    say();
  });

  say();
})();
