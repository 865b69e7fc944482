// Counts down the time of a turn, where the table plays with a timer.
//
// The board says when it ends (data-until, in ms since 1970). The server's own time when the page
// was made (#live's data-now) sets a clock right that is wrong.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const made = Number(live?.dataset.now ?? 0);
  const [page] = performance.getEntriesByType("navigation");
  const ahead = made ? made - performance.timeOrigin - (page?.responseStart ?? performance.now()) : 0;

  function show() {
    for (const place of document.querySelectorAll("[data-until]")) {
      const left = Math.ceil((Number(place.dataset.until) - Date.now() - ahead) / 1000);
      const text = left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : place.dataset.over;
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("over", left <= 0);
    }
  }

  if (!live) return;
  new MutationObserver(show).observe(live, { childList: true, subtree: true });
  setInterval(show, 250);
  show();
})();
