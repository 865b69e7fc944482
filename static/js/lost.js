// A press whose answer is lost is sent again with its key, which counts once; and as long as nobody
// knows whether it has arrived, its form keeps that key.
(() => {
  "use strict";
  const { $ } = window.quiVive;
  const WAITS = [0.5, 1.5, 4, 8]; // seconds between one try and the next
  const lost = new Map(); // from the key of a press without an answer to its form, and all that was sent
  const said = $("unsaved").lastElementChild;
  const inVain = said.textContent;

  function say(text) { // an alert is read aloud whenever it is written, also when it is the same
    if (said.textContent !== text) said.textContent = text;
  }

  async function patient(address, request) {
    for (const seconds of WAITS) {
      const answer = await fetch(address, request).catch(() => null);
      if (answer && ![502, 503, 504].includes(answer.status)) return answer;
      if (request.signal.aborted) break;
      say($("unsaved").dataset.waiting);
      $("unsaved").hidden = false;
      await new Promise((done) => setTimeout(done, seconds * 1000 * (0.8 + 0.4 * Math.random())));
    }
    return fetch(address, request);
  }

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (ctx.request.method !== "GET") ctx.fetch = patient;
    else if (ctx.sourceElement.id === "live" && lost.size)
      ctx.request.headers["Board-Unanswered"] = [...lost.keys()].join(" ");
  });

  // What waited for the answer to another press from its form takes that one's place if it is lost
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!lost.has(ctx.after)) return;
    ctx.sent = ctx.after;
    ctx.request.body.set("key", ctx.sent);
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (!ctx.sent) return;
    say(inVain);
    if (ctx.response && ctx.response.status < 500) return lost.delete(ctx.sent);
    const form = ctx.sourceElement.closest("form")?.id;
    lost.set(ctx.sent, { form, sent: [...(lost.get(ctx.sent)?.sent ?? []), ctx.request.body] });
  });

  document.addEventListener("htmx:finally:swap", () => {
    const arrived = $("board").dataset.arrived?.split(" ") ?? [];
    for (const [key, { form: id, sent: [sent, another] }] of lost) {
      const form = id ? $(id) : document.querySelector(`#board [name=at][value="${CSS.escape(sent.get("at"))}"]`)?.form;
      if (!arrived.includes(key)) {
        if (form) form.elements.key.value = key;
        continue;
      }
      lost.delete(key);
      $("unsaved").hidden = true;
      if (another) continue; // nobody knows which of them has: what was typed last stays
      for (const field of form?.querySelectorAll("input:not([type])") ?? []) empty(field, sent);
      if (form?.id === "strip-form") empty($("amount"), sent);
    }
  });

  function empty(field, sent) {
    if (field.value === sent.get(field.name)) field.value = "";
  }
})();
