// Tells a player when their turn comes, and shows what has moved in the order.
//
// Who the player is stays in this browser: nothing of it is asked of the server.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const bar = document.getElementById("you");
  const panel = document.getElementById("choices");
  const menu = document.getElementById("heroes");
  const words = bar.dataset;
  const [left, right] = bar.children;
  const [asking, away] = [left.textContent, right.textContent];
  const phone = !document.documentElement.className; // neither a television nor an overlay
  const board = () => document.getElementById("board"); // null once the link has been closed
  const running = () => board()?.matches(".running");
  const wants = (name) => panel.querySelector(`[name=${name}]`).checked;
  const make = (tag, values) => Object.assign(document.createElement(tag), values);

  // Who the player is, in each campaign

  let heroes = {}; // names by campaign; "" for somebody who only watches
  try {
    heroes = JSON.parse(localStorage.getItem("qv-hero")) ?? {};
  } catch {
    // it holds until the page is left
  }
  const campaign = () => board().querySelector("h1").textContent;
  const hero = () => heroes[campaign()];
  const named = (place) => Array.from(place.querySelectorAll("[data-hero]"), (one) => one.dataset.hero);

  function choose(name) {
    heroes[campaign()] = name;
    try {
      localStorage.setItem("qv-hero", JSON.stringify(heroes));
    } catch {
      // as above
    }
    called = null;
    tell();
  }

  /** Offer those who are on the board, and the one chosen before. */
  function offer() {
    const names = [...new Set([...named(board()), hero() || ""])].filter(Boolean).sort();
    menu.hidden = !names.length;
    const offered = [...names, ""];
    if (menu.dataset.offered !== offered.join("\n")) {
      for (const label of menu.querySelectorAll("label")) label.remove();
      for (const name of offered) menu.append(option(name));
      menu.dataset.offered = offered.join("\n");
    }
    for (const input of menu.querySelectorAll("input")) input.checked = input.value === hero();
    return names.length > 0;
  }

  function option(name) {
    const label = make("label");
    const input = make("input", { type: "radio", name: "hero", value: name });
    input.addEventListener("change", () => choose(name));
    label.append(input, make("span", { textContent: name || menu.dataset.nobody }));
    return label;
  }

  // How many turns it takes

  function tell() {
    const anybody = offer();
    const places = [...board().querySelectorAll(".now, .slot")];
    const unseen = places[0]?.matches(".slot") ? 1 : 0; // players do not see who acts
    const mine = hero() ? places.findIndex((place) => named(place).includes(hero())) : -1;
    const turns = mine + unseen;
    const state = mine < 0 ? "" : ["on", "next", "soon"][turns] ?? "later";
    const said = !state ? "" : turns === 0 && surprised() ? words.lost : words[state] ?? words.in.replace("{n}", turns);
    mark(places[mine], turns, said);
    show(state, said, anybody);
    call(state, state === "later" ? "" : said);
  }

  /** Whether the player's hero, whose turn it is, loses it. */
  function surprised() {
    const now = [...board().querySelectorAll(".now [data-hero]")];
    return now.some((one) => one.dataset.hero === hero() && one.querySelector(".surprised"));
  }

  /** Mark the place on the board: in front of its name instead of "next", or else behind it. */
  function mark(place, turns, said) {
    for (const old of board().querySelectorAll(".mark")) old.remove();
    board().querySelector(".mine")?.classList.remove("mine");
    if (!place) return;
    place.classList.add("mine");
    const when = place.querySelector(".when");
    const behind = turns === 2 ? words.mineIn.replace("{n}", turns) : words.mine;
    const text = make("span", { className: "mark", textContent: when ? said : behind });
    if (when) when.before(text);
    else place.querySelector(".title").append(" ", text);
  }

  /** The link has been closed: nothing stays of what it showed. */
  function forget() {
    bar.classList.remove("shown");
    menu.hidden = true;
    document.title = "Qui-Vive";
    for (const id of ["called", "spoken"]) document.getElementById(id).textContent = "";
  }

  function show(state, said, anybody) {
    const asks = hero() === undefined;
    bar.classList.toggle("shown", asks ? anybody : hero() !== "");
    bar.dataset.state = state;
    left.textContent = asks ? asking : hero();
    right.textContent = asks ? "" : said || (running() ? absent() : "");
  }

  /** Where a hero is who has no turn to come. */
  function absent() {
    const among = (list) =>
      [...board().querySelectorAll(`${list} .name`)].some((name) => name.textContent.split(" + ").includes(hero()));
    return among(".waits") ? words.waits : among(".gone") ? words.gone : away;
  }

  let called = null; // the turn that was called last; null before the first look

  /** Say it in the title while it holds, and once aloud and in the ways the player wants. */
  function call(state, said) {
    const title = board().dataset.title;
    document.title = said ? `${said} · ${title}` : title;
    const aloud = document.getElementById("called");
    if (aloud.textContent !== said) aloud.textContent = said;
    const turn = said && `${state} ${board().querySelector(".round").textContent}`;
    const times = { next: 1, on: 2 }[state];
    if (times && called !== null && turn !== called) {
      ring(times);
      shake(times);
    }
    called = turn;
  }

  // On the phone itself

  let audio = null; // browsers let a page sound only once it has been touched

  function ready() {
    if (!wants("sound")) return;
    audio ??= new AudioContext();
    audio.resume();
  }

  function ring(times) {
    if (!audio || !wants("sound")) return;
    for (let n = 0; n < times; n++) tone(audio.currentTime + n * 0.22, 620 + 210 * n);
  }

  function shake(times) {
    const touched = navigator.userActivation?.hasBeenActive;
    if (touched && wants("vibration")) navigator.vibrate?.(Array(2 * times - 1).fill(200));
  }

  function tone(at, frequency) {
    const voice = new OscillatorNode(audio, { type: "triangle", frequency });
    const volume = new GainNode(audio);
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
    voice.connect(volume).connect(audio.destination);
    voice.start(at);
    voice.stop(at + 0.4);
  }

  let awake = null; // the promise of a lock that keeps the screen on

  function stayAwake() {
    if (wants("awake") && !document.hidden && running()) {
      awake ??= navigator.wakeLock?.request("screen").catch(() => {
        awake = null; // it is tried again with the next board
      });
    } else {
      awake?.then((lock) => lock?.release());
      awake = null;
    }
  }

  // What has moved

  let places = new Map(); // where each row of the order was, by its title
  let acting = ""; // whose turn it was

  function rows() {
    const found = new Map();
    for (const row of board()?.querySelectorAll(".now, .slot") ?? []) {
      const title = (row.querySelector(".name") ?? row.querySelector(".title")).firstChild.data;
      found.set(found.has(title) ? `${title} again` : title, row);
    }
    return found;
  }

  function measure() {
    const place = ([title, row]) => [title, [row.offsetLeft, row.offsetTop]];
    places = new Map(Array.from(rows(), place));
  }

  /** Let each row that has moved glide from where it was; from far away it comes to light. */
  function glide() {
    const [old, acted] = [places, acting];
    measure();
    acting = board()?.querySelector(".now .name")?.textContent;
    if (!wants("motion") || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [title, row] of rows()) {
      const [was, is] = [old.get(title), places.get(title)];
      if (!was || `${was}` === `${is}`) continue;
      const near = title !== acted && was[0] === is[0];
      const from = near ? { transform: `translateY(${was[1] - is[1]}px)` } : { opacity: 0 };
      row.animate([from, {}], { duration: 150, easing: "ease-out" });
    }
  }

  function shown() {
    stayAwake();
    if (!board()) forget();
    else if (phone) tell();
    glide();
  }

  document.addEventListener("board-shown", shown);
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("pointerdown", ready);
  panel.addEventListener("change", ({ target }) => {
    ready();
    if (target.name === "sound") ring(1); // a taste of it
    if (target.name === "vibration") shake(1);
    stayAwake();
  });
  new ResizeObserver(measure).observe(live); // also by the size of the text
  document.addEventListener("DOMContentLoaded", () => { // the choices kept are in force by now
    for (const [name, can] of [["vibration", navigator.vibrate], ["awake", navigator.wakeLock]])
      panel.querySelector(`[name=${name}]`).parentElement.hidden = !can;
    document.getElementById("asleep").hidden = Boolean(navigator.wakeLock);
    shown();
  });
})();
