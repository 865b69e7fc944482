// Keeps an open page up to date and says whether it is.
//
// #live names the stream: the players' page receives its new #board from it, the GM's page a
// number, for which it fetches its own board. EventSource alone is not trusted: it stops for good
// when it is refused, and does not notice a line that has fallen silent.
(() => {
  "use strict";
  const live = document.getElementById("live");
  if (!live) return;
  const dot = document.getElementById("connection");
  const board = () => document.getElementById("board");
  const SECOND = 1000; // all times are in milliseconds
  let source = null; // the open stream
  let since = 0; // when it began to connect
  let broken = 0; // when the line broke, however often it was tried since; 0: it is whole
  let stale = 0; // since when the server cannot read what is shown here; 0: it can
  let heard = Date.now(); // when the last event or answer came; the page itself is one
  let failures = 0; // refusals in a row
  let retry = 0; // timers, 0 while they do not run
  let poll = 0;
  let hide = 0;
  let polled = false; // the last poll was answered
  let gone = false; // the link is no longer good

  // The stream

  async function open() {
    close();
    const mine = (begun = attempt += 1);
    const line = await take();
    if (mine !== attempt) return line?.();
    if (!line) return wait();
    release = line;
    since = Date.now();
    broken ||= since;
    source = new EventSource(live.dataset.stream);
    source.onopen = () => hear();
    source.onerror = () => (source.readyState === EventSource.CLOSED ? refused() : lost());
    source.addEventListener("hb", () => hear());
    source.addEventListener("stale", () => hear(stale || Date.now()));
    source.addEventListener("gone", end);
    source.addEventListener("board", (event) => {
      hear();
      put(event.data);
    });
    source.addEventListener("version", (event) => {
      hear();
      wanted = Math.max(wanted, Number(event.data));
      soon();
    });
    show();
  }

  function close() {
    attempt += 1;
    source?.close();
    source = null;
    release?.();
    release = null;
    clearTimeout(retry);
  }

  // A browser has six lines to one server: its pages hold four of them at most, the others poll

  let attempt = 0; // to open; one that was overtaken gives up
  let begun = -1; // the last attempt that asked for a line
  let release = null; // gives this page's line free

  /** A function that gives the line free, or null when none is left. */
  async function take() {
    if (!navigator.locks) return () => {}; // on plain addresses pages do not know of each other
    for (const name of ["line 1", "line 2", "line 3", "line 4"]) {
      const free = await new Promise((answer) => {
        navigator.locks.request(name, { ifAvailable: true }, (lock) =>
          lock ? new Promise((done) => answer(done)) : answer(null),
        );
      });
      if (free) return free;
    }
    return null;
  }

  function wait() {
    retry = setTimeout(open, 10 * SECOND * (0.8 + 0.4 * Math.random()));
    if (!poll) ask();
    show();
  }

  function hear(old = 0) {
    heard = Date.now();
    stale = old;
    broken = 0;
    failures = 0;
    clearTimeout(poll);
    poll = 0;
    show();
  }

  function lost() { // the browser connects again by itself
    since = Date.now();
    broken ||= since;
    show();
  }

  function refused() {
    close();
    failures += 1;
    retry = setTimeout(open, Math.min(30, 2 ** (failures - 1)) * SECOND * (0.5 + Math.random()));
    if (!poll) ask();
    show();
  }

  function watch() {
    if (document.hidden || gone || !source) return;
    const silence = Date.now() - (source.readyState === EventSource.OPEN ? heard : since);
    const limit = source.readyState === EventSource.OPEN ? 40 : 10;
    if (silence > limit * SECOND) open();
    show();
  }

  function resume() {
    clearTimeout(hide);
    if (document.hidden) hide = setTimeout(sleep, 60 * SECOND);
    if (document.hidden || gone) return;
    const old = Date.now() - heard > 20 * SECOND;
    if (old) broken ||= heard;
    const idle = !source && !poll && begun !== attempt; // two would take each other's line
    if (idle || old) open();
    if (old) show(); // at once: it may take a moment until it has a line
  }

  function sleep() {
    close();
    clearTimeout(poll);
    poll = 0;
  }

  /** The link is closed: nothing that it showed stays here. */
  function end() {
    gone = true;
    sleep();
    board()?.remove();
    tell();
    show();
  }

  // Without a stream

  let asked = 0; // polls
  let told = 0; // the latest of them that was answered

  async function ask() {
    poll = setTimeout(ask, 5 * SECOND * (0.8 + 0.4 * Math.random()));
    show();
    if (!live.dataset.poll) return refresh();
    const mine = (asked += 1);
    const answer = await fetch(live.dataset.poll, { cache: "no-store" }).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => null) : null;
    if (!poll || mine < told) return; // a stream or a later answer knows better
    told = mine;
    if (answer?.status === 404) return end();
    if (html !== null) put(html);
    answered(html !== null);
  }

  function answered(good) {
    polled = good;
    if (good) [heard, stale] = [Date.now(), 0];
    show();
  }

  // The players' board: player_board.js puts it in its place

  function put(html) {
    document.dispatchEvent(new CustomEvent("board-came", { detail: html }));
  }

  document.addEventListener("board-put", () => {
    retitle();
    tell();
  });

  function tell() { // for other scripts, once the title is right
    document.dispatchEvent(new CustomEvent("board-shown"));
  }

  // The GM's board

  let wanted = 0; // the newest version heard of
  let due = 0; // timer of the next fetch
  let fetching = false;
  const sending = new Set(); // this tab's own requests, whose answers bring a board

  function soon(wait = 50) {
    clearTimeout(due);
    if (Number(board()?.dataset.version) < wanted && !sending.size) due = setTimeout(refresh, wait);
  }

  async function refresh() {
    if (fetching || sending.size) return;
    fetching = true;
    const newest = wanted;
    const url = new URL(live.dataset.refresh, location.href);
    const selected = board()?.dataset.selected;
    if (selected) url.searchParams.set("selected", selected);
    const options = { source: live, target: "#board", swap: "outerMorph" };
    await htmx.ajax("GET", url.pathname + url.search, options).catch(() => {});
    fetching = false;
    soon(wanted > newest ? 50 : 2 * SECOND); // there was no answer, perhaps
  }

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.request.method !== "GET") sending.add(ctx);
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (sending.delete(ctx)) soon();
    if (ctx.sourceElement === live) answered(ctx.response?.status < 400);
  });
  document.addEventListener("board-missed", ({ detail }) => {
    wanted = Math.max(wanted, detail);
    soon();
  });
  document.addEventListener("htmx:after:swap", retitle);

  // What it says

  function retitle() {
    const title = board()?.dataset.title || document.title;
    document.title = title;
    const spoken = document.getElementById("spoken"); // outside the board, which is replaced
    const news = board()?.dataset.spoken ?? title;
    if (spoken && spoken.textContent !== news) spoken.textContent = news;
  }

  const clock = (time) =>
    new Date(time).toLocaleTimeString(document.documentElement.lang || [], { timeStyle: "short" });

  function show() {
    if (!dot) return;
    const now = Date.now();
    const old = now - heard > 20 * SECOND;
    const steady = source ? source.readyState === EventSource.OPEN : poll && polled && !old;
    const away = old ? "since" : "reconnecting";
    const fresh = stale ? "stale" : "live";
    const state = gone ? "gone" : steady ? fresh : away;
    // A stream that has grown old is opened again within seconds: nothing to speak of.
    const fine = !dot.dataset.state || dot.dataset.state === "live";
    if (state === away && fine && now - broken < 3 * SECOND) return;
    const text = dot.dataset[state].replace("{time}", () => clock(stale || heard));
    dot.dataset.state = state;
    if (dot.textContent !== text) dot.textContent = text;
  }

  for (const name of ["pageshow", "online"]) addEventListener(name, resume);
  addEventListener("pagehide", sleep);
  document.addEventListener("visibilitychange", resume);
  setInterval(watch, SECOND);
  if (!document.hidden) open();
})();
