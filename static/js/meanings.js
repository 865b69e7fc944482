// What a condition means: shown while the mouse is over its mark, and by a tap or Enter until the
// next one elsewhere. Without this script the buttons show it all the same, in the middle.
(() => {
  "use strict";
  if (!HTMLElement.prototype.showPopover) return;
  const MARK = "[popovertarget^='m-']"; // buttons open other things as well
  const live = document.getElementById("live");
  let mark = null; // whose meaning is shown
  let kept = false; // by a tap or a key, not by the mouse alone

  const meaningOf = (button) => document.getElementById(button.getAttribute("popovertarget"));

  function show(button, keep) {
    const meaning = meaningOf(button);
    if (!meaning) return;
    hide();
    [mark, kept] = [button, keep];
    meaning.querySelector(".finer").textContent = button.dataset.finer ?? "";
    meaning.showPopover();
    place(meaning);
  }

  function hide() {
    const meaning = mark && meaningOf(mark);
    mark = null;
    if (meaning?.matches(":popover-open")) meaning.hidePopover();
  }

  /** Under its mark, or over it where there is no room. */
  function place(meaning) {
    if (!document.body.matches(".boarding")) return; // the players' stands at the foot
    const at = mark.getBoundingClientRect();
    const { width, height } = meaning.getBoundingClientRect();
    const above = at.bottom + height > innerHeight - 80 && at.top > height;
    meaning.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    meaning.style.top = `${above ? at.top - height : at.bottom}px`;
  }

  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest(MARK);
      if (!button) return;
      event.preventDefault();
      show(button, true);
    },
    true,
  );

  document.addEventListener("pointerover", (event) => {
    const button = event.pointerType === "mouse" && event.target.closest(MARK);
    if (button && button !== mark) show(button, false);
  });
  document.addEventListener("pointerout", (event) => {
    if (!mark || kept || event.pointerType !== "mouse") return;
    const to = event.relatedTarget;
    if (!to || !(mark.contains(to) || meaningOf(mark)?.contains(to))) hide();
  });

  document.addEventListener("toggle", (event) => {
    // closed by Escape or by a press elsewhere
    if (event.newState === "closed" && mark && event.target === meaningOf(mark)) mark = null;
  }, true);

  // A new board keeps what is read open, if it is still there

  function follow() {
    if (!mark) return;
    const target = mark.getAttribute("popovertarget");
    const row = mark.closest("[id]")?.id;
    const again = mark.isConnected ? mark : document.querySelector(`${row && row !== "board" ? `#${row} ` : ""}[popovertarget="${target}"]`);
    if (again && meaningOf(again)) show(again, kept);
    else hide();
  }

  document.addEventListener("htmx:after:swap", follow);
  if (live && !document.body.matches(".boarding")) new MutationObserver(follow).observe(live, { childList: true });
})();
