// The server leaves out what the page shows already: it is told which parts that are, and sends an
// empty element in the place of each that has not changed. The morph then passes over those here.
(() => {
  "use strict";
  const { $ } = window.quiVive;
  const parts = () => [...document.querySelectorAll('#board [data-part]:not([data-part=""])')];
  let whole = false; // the next board must leave out nothing

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.request.method === "GET" && ctx.sourceElement.id !== "live") return;
    if (!whole) ctx.request.headers["Board-Parts"] = parts().map((part) => part.dataset.part).join(" ");
    whole = false;
  });

  document.addEventListener("htmx:before:swap", (event) => {
    const fragment = event.detail.tasks.find((task) => task.type === "main")?.fragment;
    const board = fragment?.querySelector("#board");
    if (!board || event.defaultPrevented) return;
    const stubs = [...board.querySelectorAll("[data-same]")];
    const fits = ({ id, dataset }) => $(id)?.dataset.part === dataset.same;
    if (stubs.every(fits)) for (const stub of stubs) keep($(stub.id), stub, board.dataset.version);
    else {
      event.preventDefault(); // another board came between
      whole = true;
      $("notice").textContent = board.querySelector("#notice").textContent;
      document.dispatchEvent(new CustomEvent("board-missed", { detail: Number(board.dataset.version) }));
    }
  });

  /** Let a part stand as it is; its forms are of the new board. */
  function keep(part, stub, version) {
    // The morph knows an element by the ids in it, and would find none in the stub.
    if (part.querySelector("[id]")) stub.replaceWith(part.cloneNode(true));
    part.dataset.same = "";
    for (const field of part.querySelectorAll("input[type=hidden]")) {
      if (field.name === "seen") field.value = version;
      if (field.name === "key") field.value = freshKey();
    }
    for (const refusal of part.querySelectorAll(".refusal")) refusal.replaceChildren();
  }

  /** A UUID; crypto.randomUUID is not there on a plain address. */
  const freshKey = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  document.addEventListener("htmx:finally:swap", () => {
    for (const part of document.querySelectorAll("#board [data-same]")) delete part.dataset.same;
  });
})();
