// Puts a new board in the place of the old one: what is open, where the reader is, and the focus stay.
(() => {
  "use strict";
  let shown = ""; // the last one

  document.addEventListener("board-came", ({ detail: html }) => {
    const old = document.getElementById("board");
    const template = document.createElement("template");
    template.innerHTML = html;
    const fresh = template.content.firstElementChild;
    if (html === shown || !old || fresh?.id !== "board") return;
    shown = html;
    const focused = old.contains(document.activeElement) && document.activeElement;
    const [left, top] = [scrollX, scrollY];
    for (const details of old.querySelectorAll("details[id][open]"))
      template.content.getElementById(details.id)?.setAttribute("open", "");
    old.replaceWith(fresh);
    if (focused) inPlaceOf(focused, fresh)?.focus({ preventScroll: true });
    scrollTo(left, top);
    document.dispatchEvent(new CustomEvent("board-put"));
  });

  /** The same element of a new board: by its id, or as what opens the same beside the same name. */
  function inPlaceOf(part, fresh) {
    if (part.id) return document.getElementById(part.id);
    const [opens, name] = [part.getAttribute("popovertarget"), nameBeside(part)];
    const alike = [...fresh.querySelectorAll(`[popovertarget="${opens}"]`)];
    return alike.find((one) => nameBeside(one) === name);
  }

  function nameBeside(part) {
    const place = part.closest(".now, .slot");
    return (place?.querySelector(".name") ?? place?.querySelector(".title"))?.firstChild.textContent;
  }
})();
