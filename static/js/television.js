// Nobody scrolls on a television: rows are as large as there is room for all of them.
//
// Without this script their number alone decides.
(() => {
  "use strict";
  const page = document.documentElement;
  if (!page.matches(".tv")) return;
  const FEW = 9; // rows beside the turn that is on, in the style sheet, too

  function fit() {
    const order = document.querySelector("#board .order");
    delete page.dataset.dense;
    if (!order || (order.children.length <= FEW && fits(order))) return;
    for (const dense of ["roomy", "tight", "three"]) {
      page.dataset.dense = dense;
      if (fits(order)) return;
    }
  }

  const fits = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
    scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth + 1;

  document.addEventListener("board-shown", fit);
  addEventListener("resize", fit);
  fit();
})();
