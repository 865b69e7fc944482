// Copies the log as text or as Markdown, by one click.
//
// A browser hands the clipboard over only within the click, so the text is fetched as soon as a
// button is about to be pressed. Over plain HTTP from elsewhere there is no clipboard interface:
// then the text is selected and copied as by hand; and if that is refused, it stays selected.
(() => {
  "use strict";
  const box = document.getElementById("copy");
  if (!box) return;
  const buttons = box.querySelectorAll("[data-copy]");
  const said = box.querySelector("[role=status]");
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

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByHand(text);
    }
  }

  function copyByHand(text) {
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

  async function press(button) {
    const address = button.dataset.copy;
    said.textContent = "";
    try {
      const done = await copy(fetched.get(address) ?? (await read(address)));
      said.textContent = done ? box.dataset.done : box.dataset.selected;
      if (done) button.focus();
    } catch {
      said.textContent = box.dataset.failed;
    }
  }

  for (const type of ["pointerenter", "pointerdown", "focusin"]) {
    box.addEventListener(type, approach, true);
  }
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => press(button));
  }
})();
