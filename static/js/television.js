// Nobody scrolls on a television: rows are as large as there is room for all of them.
//
// Without this script their number alone decides.
(() => {
  "use strict";
  const page = document.documentElement;
  if (!page.matches(".tv")) return;
  const FEW = 9; // rows beside the turn that is on, in the style sheet, too
  const LAYOUTS = ["", "roomy", "tight", "three"]; // "": as their number says
  let layout = 0; // the last one: as long as there are not fewer places, it does not change to and fro
  let places = 0;

  function fit() {
    const order = document.querySelector("#board .order");
    if (!order) return;
    if (order.children.length < places) layout = 0;
    places = order.children.length;
    page.removeAttribute("data-full");
    while (!shows(order) && layout < LAYOUTS.length - 1) layout += 1;
    page.toggleAttribute("data-full", !shows(order)); // then who is out is left out
    const { bottom, right } = order.getBoundingClientRect();
    const isBeyond = (slot) => {
      const its = slot.getBoundingClientRect();
      return its.bottom > bottom + 1 || its.right > right + 1;
    };
    const beyond = [...order.querySelectorAll(".slot")].filter(isBeyond).length;
    if (beyond) order.dataset.beyond = `+${beyond}`;
    else delete order.dataset.beyond;
  }

  /** Whether all places have room in the layout. */
  function shows(order) {
    page.dataset.dense = LAYOUTS[layout];
    if (!layout) delete page.dataset.dense;
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = order;
    const alone = layout > 0 || order.children.length <= FEW;
    return alone && scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth + 1;
  }

  document.addEventListener("board-shown", fit, true); // before rows begin to glide
  addEventListener("resize", () => {
    layout = 0;
    fit();
  });
  fit();
})();
