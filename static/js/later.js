// What many visits never need is fetched as it is about to be used: what drags, once the order is
// approached, and it is larger than all others; what the players' panel needs, once that is; the
// looks and hands of a fight that has not begun, while it is one; what helps where the line breaks,
// once the page stands.
(() => {
  "use strict";
  const fetched = new Set();

  function scripts(name) {
    if (fetched.has(name)) return;
    fetched.add(name);
    for (const src of document.getElementById("live").dataset[name].split(" "))
      document.head.append(Object.assign(document.createElement("script"), { src, async: false })); // in order
  }

  function styles(name) {
    for (const sheet of document.querySelectorAll(`link[data-part-of="${name}"]`)) sheet.disabled = false;
  }

  function open() {
    styles("opening");
    scripts("opening");
  }

  function share() {
    styles("share");
    scripts("copier");
  }

  function approach({ target }) {
    if (target.closest?.("#order")) scripts("drag");
    if (target.closest?.("#share")) share();
  }

  document.addEventListener("pointerover", approach);
  document.addEventListener("focusin", approach);
  document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
    if (/<div id="board" class="board (preparing|rolling)"/.test(ctx.text ?? "")) open();
  });
  addEventListener("load", () => scripts("lost"));
  if (document.querySelector(".preparing, .rolling")) open();
  if (document.getElementById("share").open) share();
})();
