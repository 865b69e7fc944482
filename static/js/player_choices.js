// What a player has chosen for this page: kept by this browser alone, and in force before anything
// is painted, which is why this script stands in the head and is small.
(() => {
  "use strict";
  const page = document.documentElement;
  const LOOKS = ["size", "theme"]; // each an attribute of the page, for its style sheet

  function kept(name) {
    try {
      return localStorage.getItem(`qv-${name}`) ?? "";
    } catch {
      return ""; // this browser keeps nothing
    }
  }

  function keep(name, value) {
    try {
      if (value) localStorage.setItem(`qv-${name}`, value);
      else localStorage.removeItem(`qv-${name}`);
    } catch {
      // then it holds until the page is left
    }
  }

  function look(name, value) {
    if (value) page.dataset[name] = value;
    else delete page.dataset[name];
  }

  for (const name of LOOKS) look(name, kept(name));

  const asked = new URLSearchParams(location.search);
  const language = kept("lang");
  if (language && language !== page.lang && !asked.has("lang")) {
    asked.set("lang", language);
    location.replace(`?${asked}`);
  }

  // The panel

  /** What the input stands for: the default is "", so that nothing is kept of it. */
  const value = ({ type, checked, defaultChecked, value: own }) =>
    type === "radio" ? own : checked === defaultChecked ? "" : checked ? "on" : "off";

  function show(input) {
    const choice = kept(input.name);
    if (input.type === "radio") input.checked = choice === input.value;
    else if (choice) input.checked = choice === "on";
  }

  document.addEventListener("DOMContentLoaded", () => {
    const panel = document.getElementById("choices");
    for (const input of panel.querySelectorAll("input")) show(input);
    panel.addEventListener("change", ({ target }) => {
      if (target.name === "hero") return; // is kept for each campaign
      keep(target.name, value(target));
      if (LOOKS.includes(target.name)) look(target.name, value(target));
    });
    for (const link of document.querySelectorAll("header [hreflang]"))
      link.addEventListener("click", () => keep("lang", link.lang));
    document.getElementById("settings").hidden = false;
  });
})();
