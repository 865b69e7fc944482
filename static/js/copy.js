// Copies by one click: the log as text or as Markdown, and the address of a players' link.
//
// A browser hands the clipboard over only within the click, so a text that has to be fetched
// (`data-copy`) is so as soon as its button is about to be pressed; others are written there
// (`data-copied`). Over plain HTTP from elsewhere there is no clipboard interface: then the text is
// selected and copied as by hand; and if that is refused, it stays selected.
(() => {
  "use strict";
  const fetched = new Map(); // address: text, as it was when a button was last approached

  function approach(event) {
    const button = event.target.closest("[data-copy]");
    if (button) read(button.dataset.copy).catch(() => {});
  }

  async function read(address) {
    const answer = await fetch(address, { headers: { Accept: "text/*" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    const text = await answer.text();
    fetched.set(address, text);
    return text;
  }

  async function copy(text, box) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByHand(text, box);
    }
  }

  function copyByHand(text, box) {
    box.querySelector("textarea")?.remove();
    const field = document.createElement("textarea");
    field.readOnly = true;
    field.value = text;
    field.setAttribute("aria-label", box.dataset.label);
    box.append(field);
    field.select();
    const done = document.execCommand("copy");
    if (done) field.remove();
    return done;
  }

  async function press(button, box) {
    const { copy: address, copied: written } = button.dataset;
    const said = box.querySelector("[role=status]");
    said.textContent = "";
    try {
      const text = written ?? fetched.get(address) ?? (await read(address));
      const done = await copy(text, box);
      said.textContent = done ? box.dataset.done : box.dataset.selected;
      if (done) button.focus();
    } catch {
      said.textContent = box.dataset.failed;
    }
  }

  function show() {
    for (const button of document.querySelectorAll(".copying button")) button.hidden = false;
  }

  for (const type of ["pointerover", "pointerdown", "focusin"]) {
    document.addEventListener(type, approach);
  }
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-copy], [data-copied]");
    if (button) press(button, button.closest(".copying"));
  });
  document.addEventListener("htmx:after:swap", show); // some come later
  show();
})();
