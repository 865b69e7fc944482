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
    const ours = event.detail.ctx.sourceElement.id !== "live";
    if (!ours) for (const refusal of document.querySelectorAll("#board .refusal:not(:empty)")) carry(refusal, board);
    if (stubs.every(fits)) for (const stub of stubs) keep($(stub.id), stub, board.dataset.version, ours);
    else {
      event.preventDefault(); // another board came between
      whole = true;
      $("notice").textContent = board.querySelector("#notice").textContent;
      document.dispatchEvent(new CustomEvent("board-missed", { detail: Number(board.dataset.version) }));
    }
  });

  /** What was refused here still is when another tab's step brings the form anew. */
  function carry(refusal, board) {
    const form = refusal.closest("form[id]");
    const there = form && board.querySelector(`#${form.id} .refusal`);
    if (there && !there.hasChildNodes()) there.append(...refusal.cloneNode(true).childNodes);
  }

  /** Let a part stand as it is; its forms are of the new board, and what was refused is done with. */
  function keep(part, stub, version, ours) {
    part.dataset.same = "";
    for (const field of part.querySelectorAll("input[type=hidden]")) {
      if (field.name === "seen") field.value = version;
      if (field.name === "key") field.value = freshKey();
    }
    if (ours) for (const refusal of part.querySelectorAll(".refusal")) refusal.replaceChildren();
    // The morph knows an element by the ids in it, and would find none in the stub.
    if (part.querySelector("[id]")) stub.replaceWith(part.cloneNode(true));
  }

  /** A UUID; crypto.randomUUID is not there on a plain address. */
  const freshKey = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  // What is sent from the same form before the answer is another wish, unless it is the very same

  const underWay = new Map(); // from the key of a request to what else it says

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    const { body, action } = ctx.request;
    const key = body?.get?.("key");
    if (!key) return;
    const said = JSON.stringify([action, ...body].filter(([name]) => name !== "key"));
    if (underWay.has(key) && underWay.get(key) !== said) {
      ctx.after = key;
      body.set("key", freshKey());
    }
    underWay.set(body.get("key"), said);
    ctx.sent = body.get("key");
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => underWay.delete(ctx.sent));

  document.addEventListener("htmx:finally:swap", () => {
    for (const part of document.querySelectorAll("#board [data-same]")) delete part.dataset.same;
  });
})();
