// The heroes' table saves itself: each row as soon as a cell of it has changed. Another button of the
// page waits until that is done, and is not followed where something could not be saved.
(() => {
  "use strict";
  const form = document.getElementById("heroes-table");
  if (!form) return;
  const said = form.querySelector("[role=status]");
  form.querySelector(".save").hidden = true;
  let saving = Promise.resolve(true); // whether all that was typed is saved
  let waits = false; // a cell has been typed into, and its row is not sent yet

  async function save(row) {
    waits = false;
    const body = new FormData();
    body.set("prefix", row.dataset.prefix);
    body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    for (const field of row.querySelectorAll("input")) body.set(field.name, field.value);
    said.textContent = "";
    try {
      const answer = await fetch(row.dataset.saves, { method: "POST", body, keepalive: true });
      if (answer.redirected || ![200, 422].includes(answer.status)) throw new Error(answer.statusText);
      const { refused, shown } = await answer.json();
      tell(row, refused, shown);
      if (!Object.keys(refused).length) said.textContent = form.dataset.saved;
      return !Object.keys(refused).length;
    } catch {
      said.textContent = form.dataset.unsaved;
      return false;
    }
  }

  function tell(row, refused, shown) {
    for (const field of row.querySelectorAll("input:not([type=hidden])")) {
      const name = field.name.slice(row.dataset.prefix.length + 1);
      field.parentElement.querySelector(".refusal")?.remove();
      if (shown[name] !== undefined) field.placeholder = shown[name];
      if (!refused[name]) continue;
      const why = document.createElement("p");
      why.className = "refusal";
      why.setAttribute("role", "alert");
      why.textContent = refused[name];
      field.after(why);
    }
  }

  function queue(row) {
    saving = saving.then(() => save(row));
    return saving;
  }

  form.addEventListener("input", () => { waits = true; });
  form.addEventListener("change", ({ target }) => queue(target.closest("tr")));
  form.addEventListener("submit", (event) => { // Enter in a cell
    if (event.submitter && !event.submitter.matches(".save")) return;
    event.preventDefault();
    const row = document.activeElement?.closest("tr");
    if (row && waits) queue(row);
  });
  document.addEventListener("submit", (event) => {
    if (event.target === form || event.target.dataset.goes) return;
    event.preventDefault();
    saving.then((done) => {
      const wrong = form.querySelector("td:has(.refusal) input"); // of this row or an earlier one
      if (!done || wrong) {
        wrong?.focus();
        return;
      }
      event.target.dataset.goes = "1";
      setTimeout(() => event.target.requestSubmit(event.submitter)); // not within its own event
    });
  });
})();
