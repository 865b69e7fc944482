// Selecting rows of the order: one, several, a range, or all of a group.
//
// The strip with its verbs lies under a selected row and acts on all of them. Without this script
// each row's link selects that row. A second turn's row is selected alone: the strip acts on its
// creature, and moves or removes that place; among several it stands for its creature's own row.
// The other scripts of the board use what is returned here.
window.quiVive = (() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const rows = () => [...document.querySelectorAll("#order .row")];
  const numberOf = (row) => row.dataset.number; // of its creature
  const creatures = (numbers) => numbers.map((number) => `c${number}`);
  const isSecond = (row) => row.classList.contains("second");
  const given = () => creatures($("selected").value.split(",").filter(Boolean));

  let chosen = given(); // ids of rows, in the order of the page
  let numbers = []; // of the creatures chosen
  let names = "";
  let cursor = chosen.at(-1) ?? ""; // where keys go on from
  let from = cursor; // where a range begins
  let under = cursor; // the row above the strip
  let several = false; // taps and keys add and take away, instead of choosing another

  /** Nobody: the strip goes. Keys go on from where they were. */
  function clear() {
    chosen = [];
    several = false;
    show();
    $("picked").textContent = "";
  }

  function choose(ids, at = ids.at(-1)) {
    const own = ids.length > 1 ? creatures(ids.map((id) => numberOf($(id)))) : ids;
    chosen = inOrder(own);
    if (!chosen.length) return;
    cursor = at;
    $("strip-refusal").textContent = "";
    show();
    say();
    bringIntoView($(cursor));
  }

  function inOrder(ids) {
    const wanted = new Set(ids);
    return rows().map((row) => row.id).filter((id) => wanted.has(id));
  }

  function chooseRow(row) {
    if (row?.classList.contains("folded")) chooseGroup(row, false);
    else if (row) choose([(from = row.id)]);
  }

  function toggle(row) {
    const id = (from = row.id);
    const others = chosen.filter((other) => other !== id);
    if (!chosen.includes(id)) choose([...chosen, id], id);
    else if (others.length) choose(others, id);
    else moveTo(row);
  }

  function chooseRange(row) {
    const all = rows();
    const ends = [all.indexOf($(from)), all.indexOf(row)].sort((a, b) => a - b);
    const range = all.slice(ends[0], ends[1] + 1);
    const own = range.filter((one) => range.length === 1 || !isSecond(one));
    if (own.length) choose(own.map((one) => one.id), row.id);
  }

  function chooseGroup(row, adding) {
    const group = rows().filter((other) => other.dataset.slot === row.dataset.slot).map((one) => one.id);
    from = group[0];
    choose(adding ? [...chosen, ...group] : group, group[0]);
  }

  /** A group has been folded: what was chosen of it is now all of it. */
  function regroup(slot) {
    const lead = document.querySelector(`#order .folded[data-slot="${slot}"]`);
    const own = lead && rows().filter((row) => row.dataset.slot === slot).map((row) => row.id);
    if (own && chosen.some((id) => own.includes(id))) chooseGroup(lead, chosen.length > own.length);
  }

  function beSeveral(on) {
    several = on;
    if (!on && chosen.length > 1) choose([(from = chosen.includes(cursor) ? cursor : under)]);
    else show();
  }

  /** The row that keys act on when nothing is selected. */
  function current() {
    return $(cursor) || $(chosen[0]) || document.querySelector(".row.acting") || rows()[0];
  }

  function ensure() {
    if (!chosen.length) chooseRow(current());
    return chosen.length > 0;
  }

  function step(by) {
    const all = rows().filter((row) => !row.hidden);
    const index = chosen.length ? all.indexOf($(cursor)) : -1;
    const row = index < 0 ? current() : all[Math.min(all.length - 1, Math.max(0, index + by))];
    if (several && row) moveTo(row);
    else chooseRow(row);
  }

  function moveTo(row) {
    cursor = row.id;
    show();
    say();
    bringIntoView(row);
  }

  function bringIntoView(row) {
    const { top, bottom } = row.getBoundingClientRect();
    const end = Math.min(innerHeight - 160, sheetTop());
    if (bottom > end || top < 0) scrollBy(0, (top + bottom - end) / 2);
  }

  /** Where the turn begins to cover the rows, on a narrow page. */
  function sheetTop() {
    const turn = $("turn");
    const covers = turn && getComputedStyle(turn).position === "fixed";
    return covers ? turn.getBoundingClientRect().top : innerHeight;
  }

  // What it looks like

  function show() {
    const board = $("board");
    for (const row of rows()) {
      row.classList.toggle("selected", chosen.includes(row.id));
      row.classList.toggle("cursor", several && row.id === cursor);
    }
    numbers = chosen.map((id) => numberOf($(id)));
    board.dataset.selected = $("selected").value = numbers.join();
    for (const form of document.querySelectorAll("#strip-form, #effects, #label"))
      for (const name of ["target", "selected"]) form.elements[name].value = numbers.join();
    names = chosen.map((id) => $(id).querySelector(".name").textContent).join(", ");
    $("strip").hidden = !chosen.length;
    if (!chosen.length) return;
    $("strip-second").value = isSecond($(chosen[0])) ? "1" : "";
    if (!chosen.includes(under)) under = chosen.at(-1);
    placeStrip();
    fit($("strip"));
    document.dispatchEvent(new Event("chosen"));
  }

  function placeStrip() {
    const [strip, row] = [$("strip"), $(under)];
    if (row.nextElementSibling === strip) return;
    const focused = strip.contains(document.activeElement) && document.activeElement;
    row.after(strip);
    if (focused) focused.focus({ preventScroll: true });
  }

  /** Show the verbs that fit those who are selected. */
  function fit(strip) {
    const are = new Set(chosen.flatMap((id) => $(id).dataset.is.split(" ")));
    are.add(chosen.length === 1 ? "one" : "many");
    for (const fits of grouping()) are.add(fits);
    for (const part of strip.querySelectorAll("[data-when]"))
      part.hidden = !are.has(part.dataset.when);
    for (const link of strip.querySelectorAll("[data-href]"))
      link.href = link.dataset.href.replace("/0/", `/${numbers[0]}/`);
    $("count").textContent = counted();
    const place = $(chosen[0]).dataset.slot;
    const first = document.querySelector(`#order .row[data-slot="${place}"] .total`);
    if ($("why")) $("why").textContent = first?.title ?? "";
    $("several").setAttribute("aria-pressed", several);
  }

  /** What the rules allow with the groups of those selected: some of one split, several merge. */
  function grouping() {
    const own = chosen.map($);
    const [slots, sides] = ["slot", "side"].map((name) => new Set(own.map((row) => row.dataset[name])));
    const whole = rows().filter((row) => row.dataset.slot === own[0].dataset.slot);
    if (slots.size === 1) return own.length < whole.length ? ["splits"] : [];
    return sides.size === 1 && own.every((row) => !row.matches("[data-is~=twice], [data-is~=second], [data-is~=lair]")) ? ["merges"] : [];
  }

  const counted = () => $("count").dataset.text.replace("{number}", chosen.length);

  function say() {
    $("picked").textContent = chosen.length > 1 ? counted() : ($(chosen[0]).dataset.said ?? names);
  }

  // By mouse and finger: a second press on the same, or one where nothing is, closes the strip

  let wasTyping = false; // in the field of hit points, before the press

  /** Whether this press is on those who are selected, and on nobody else. */
  function isAgain(row, event) {
    if (event.shiftKey || event.ctrlKey || event.metaKey || several || event.target.closest("button")) return false;
    const same = (one) => one.dataset.slot === row.dataset.slot;
    const pressed = row.classList.contains("folded") ? rows().filter(same) : [row];
    return pressed.map((one) => one.id).join() === chosen.join();
  }

  const IN_USE = "a, button, input, select, textarea, label, summary, dialog, [popover], #order, .panel, .bar, .top";

  document.addEventListener("click", ({ target }) => {
    if (chosen.length && !several && target.isConnected && !target.closest(IN_USE) && !$("amount")?.value) clear();
  });

  document.addEventListener(
    "click",
    (event) => {
      const row = event.target.closest("#order .row");
      if (!row) return;
      event.preventDefault();
      event.stopPropagation();
      const adding = event.ctrlKey || event.metaKey || several;
      const onHp = event.target.closest(".hp");
      if (isAgain(row, event)) {
        if (event.detail > 1) return; // a double click
        if (!onHp) clear();
        else if (wasTyping) $("amount").blur();
        else $("amount")?.focus();
        return;
      }
      if (event.target.closest("[data-all]")) chooseGroup(row, adding);
      else if (event.shiftKey && $(from)) chooseRange(row);
      else if (adding) toggle(row);
      else {
        chooseRow(row);
        if (onHp) $("amount")?.focus();
      }
    },
    true,
  );

  document.addEventListener("mousedown", (event) => {
    wasTyping = document.activeElement.id === "amount";
    // a range of rows, not of letters
    if (event.shiftKey && event.target.closest("#order .row")) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("#several")) beSeveral(!several);
    // nothing is selected after it, so that a key pressed twice removes nobody
    const isRemoved = event.target.closest("#remove-second") && !$("amount").value;
    if (isRemoved) $("selected").value = $("strip-form").elements.selected.value = "";
  });

  // What is selected stays selected when the board changes, and what is typed goes to it

  let focused = null;

  document.addEventListener("htmx:before:swap", () => {
    focused = document.activeElement;
  });
  document.addEventListener("htmx:before:settle", () => {
    const kept = chosen.filter($);
    if (chosen.length && !kept.length && !given().length) dropTyped();
    chosen = inOrder(kept.length ? kept : given());
    show();
    if (focused?.isConnected) refocus();
  });

  /** Nobody is left whom it was meant for. */
  function dropTyped() {
    const amount = $("amount");
    if (!amount?.value) return;
    amount.value = "";
    $("notice").textContent = $("live").dataset.dropped.replace("{who}", names);
  }

  /** Focus where it was; on the opposite verb where a verb has changed into it. */
  function refocus() {
    const verb = focused.closest("#strip [data-twin]");
    const now = verb?.hidden ? $(verb.dataset.twin) : focused;
    if (now !== document.activeElement) now.focus({ preventScroll: true });
  }

  if (chosen.length) show();
  return {
    $, rows, isSecond, bringIntoView, show, clear, choose, chooseRow, toggle, regroup, beSeveral, current, ensure,
    step,
    get chosen() { return chosen; },
    get cursor() { return current(); },
    get several() { return several; },
  };
})();
