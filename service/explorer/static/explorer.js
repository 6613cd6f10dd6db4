// Makes the page quicker and adds what needs a script. Every page is made by the server and works without this.

import { aims, choose, chosenSteps, clickStep, endsDrag, oneStop, reachable } from "./board.js";
import { follow, leave, shortest, start } from "./jobs.js";
import { ask, call, keepToken, page, token } from "./server.js";

const said = document.getElementById("said");
const main = () => document.querySelector("main");
const PAGES = /^\/($|store$|jobs|words$|games\/)/;

function say(text) {
  said.textContent = text;
}

/** Tells of an error in a place of the page. */
function complain(place, error) {
  const shown = document.createElement("p");
  shown.className = "error";
  shown.setAttribute("role", "alert");
  shown.textContent = error.message ?? String(error);
  place.replaceChildren(shown);
}

let visits = 0;

/** Shows another page in place of this one; of several the last one that was asked for. */
async function visit(url, { push = true, replace = false, keep = null } = {}) {
  const turn = (visits += 1);
  if (!keep) leave();
  main().setAttribute("aria-busy", "true");
  say("loading");
  try {
    const found = await page(url);
    if (turn === visits) show(found, { push, replace, keep });
  } catch (error) {
    if (turn !== visits) return;
    main().removeAttribute("aria-busy");
    complain(place(), new Error(`The server does not answer: ${error.message}`));
  }
}

/** Searches with ten times as many nodes each time, until the value is known or the budget is used up. */
async function search(target) {
  const turn = (visits += 1), most = Number(target.searchParams.get("search"));
  leave();
  try {
    for (let nodes = Math.min(1000, most); ; nodes = Math.min(10 * nodes, most)) {
      const text = `searching with ${nodes.toLocaleString("en")} nodes …`;
      place().textContent = text;
      say(text);
      target.searchParams.set("search", nodes);
      const found = await page(target.href);
      if (turn !== visits) return;
      const open = found.document.querySelector("#position dl")?.textContent.includes("ended by its limit of nodes");
      if (!open || nodes >= most) return show(found, { push: true, keep: null });
    }
  } catch (error) {
    if (turn === visits) complain(place(), error);
  }
}

/** Puts a page that was read in place of this one. */
function show({ url, document: next }, { push, replace, keep }) {
  const focused = document.activeElement?.closest("svg.board") ? "board" : document.activeElement?.id;
  const heading = document.querySelector("h1")?.textContent;
  if (push) history[replace ? "replaceState" : "pushState"]({}, "", url);
  document.title = next.title;
  main().replaceWith(document.adoptNode(next.querySelector("main")));
  for (const link of document.querySelectorAll("nav a")) {
    const entry = [...next.querySelectorAll("nav a")].find((other) => other.getAttribute("href") === link.getAttribute("href"));
    if (entry?.hasAttribute("aria-current")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (keep) place().replaceChildren(...keep);
  enhance();
  const same = document.querySelector("h1")?.textContent === heading;
  const back = focused === "board" ? main().querySelector('svg.board a[tabindex="0"]') : focused && document.getElementById(focused);
  if (same && back) back.focus({ preventScroll: true });
  else if (!keep) document.querySelector("h1")?.focus({ preventScroll: !push });
  if (!same && push) scrollTo(0, 0);
  say(spoken());
}

/** Rates the moves of a solved position that are not known, by short searches, behind what is shown already. */
async function rate() {
  const shown = document.querySelector("#position[data-rate=yes]"), turn = visits;
  if (!shown) return;
  const target = new URL(document.getElementById("rate").href);
  const next = (await page(target.href)).document.querySelector("#position");
  const board = shown.querySelector("svg.board");
  if (turn !== visits || !next || !shown.isConnected || chosenSteps(board)) return;
  const before = document.activeElement?.dataset?.move;
  for (const kept of ["#ask", "#share"]) {
    const own = shown.querySelector(kept);  // somebody may be filling it in
    if (own) next.querySelector(kept)?.replaceWith(document.adoptNode(own));
  }
  for (const part of ["svg.board", "#value", ".facts-side"]) {
    shown.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
  }
  prepare();
  if (before) document.querySelector(`svg.board a[data-move="${CSS.escape(before)}"]`)?.focus({ preventScroll: true });
}

/** What a page says of itself when it has come. */
function spoken() {
  const alert = main().querySelector("[role=alert]");
  const title = main().querySelector("svg.board title")?.textContent ?? document.querySelector("h1")?.textContent;
  const value = main().querySelector("#value")?.textContent;
  return alert ? alert.textContent : value ? `${title}; ${value}` : title;
}

/** Where jobs are shown: made at the end of a page that has no such place. */
function place() {
  let live = document.getElementById("live");
  if (!live) {
    live = document.createElement("div");
    live.id = "live";
    main().append(live);
  }
  return live;
}

/** Follows a job, then shows what the page says of the position now. */
async function watch(id, { reload }) {
  const live = place();
  try {
    if (await follow(id, live)) {
      say("the job is finished");
      if (reload) await visit(location.href, { push: false, keep: [...live.childNodes] });
    }
  } catch (error) {
    complain(live, error);
  }
}

/** The shortest win, question by question; then the page with what it is now. */
async function askShortest(form, about) {
  const live = place();
  try {
    if (await shortest(form, about, live)) await visit(location.href, { push: false, keep: [...live.childNodes] });
  } catch (error) {
    complain(live, error);
  }
}

/** What a script adds to parts of a page that have come. */
function prepare() {
  for (const entry of document.querySelectorAll(".scripted")) entry.hidden = false;
  for (const entry of document.querySelectorAll(".unscripted")) entry.hidden = true;
  for (const board of document.querySelectorAll("svg.board")) oneStop(board);
}

function enhance() {
  prepare();
  rate().catch(() => {});
  const slider = document.getElementById("slider");
  slider?.addEventListener("input", () => {
    const target = new URL(slider.form.getAttribute("action"), location.href);
    for (const [name, value] of new FormData(slider.form)) target.searchParams.set(name, value);
    visit(target.href, { replace: true });
  });
  const about = document.querySelector("#position #live > .job");
  if (about?.dataset.resting === "no") watch(about.dataset.id, { reload: true });
  const job = document.querySelector("main > .job");
  if (job?.dataset.resting === "no") {
    job.remove();
    watch(job.dataset.id, { reload: false });
  }
}

/** The move of the board that lies next in the direction of an arrow key. */
function neighbour(board, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const middle = (target) => {
    const area = target.querySelector(".area").getBoundingClientRect();
    return [area.x + area.width / 2, area.y + area.height / 2];
  };
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const target of reachable(board)) {
    const [tx, ty] = middle(target);
    const along = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (along > 1 && along + 3 * aside < least) [best, least] = [target, along + 3 * aside];
  }
  return best;
}

/** Puts the tree below a node of a proof in the place of its link. */
async function open(link) {
  const { document: next } = await page(link.href);
  const tree = next.querySelector("#tree ul.proof");
  const details = document.createElement("details"), summary = document.createElement("summary");
  summary.textContent = "below";
  details.open = true;
  details.append(summary, document.adoptNode(tree ?? next.querySelector("#tree")));
  link.replaceWith(details);
  summary.focus();
}

async function download(link) {
  const response = await ask(link.href);
  if (!response.ok) return complain(place(), await response.json());
  const file = document.createElement("a");
  file.href = URL.createObjectURL(await response.blob());
  file.download = link.download;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 1000);
}

/** Copies the text of an element, or without one the address of the page. */
async function copy(button) {
  const text = button.dataset.copy ? document.getElementById(button.dataset.copy).textContent : location.href;
  try {
    await navigator.clipboard.writeText(text);
    say("copied");
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  } catch (error) {
    complain(place(), error);
  }
}

let playing = null;

/** Steps through the line, a move a second, until its end or until somebody does something else. */
function playLine() {
  if (playing) {
    clearInterval(playing);
    playing = null;
    return;
  }
  playing = setInterval(() => {
    const next = document.querySelector("#line-player #step-forward");
    if (next) return visit(next.href, { replace: true });
    clearInterval(playing);
    playing = null;
  }, 1000);
}

function withToken() {
  const holder = document.getElementById("token-place");
  const details = document.createElement("details");
  details.id = "token";
  details.innerHTML =
    '<summary>Token</summary><form><label><span>Token of this server</span><input name="token" type="password" autocomplete="off"></label>' +
    '<button>Use</button> <button type="button">Forget</button></form>';
  const form = details.querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    keepToken(new FormData(form).get("token").trim());
    form.reset();
    details.open = false;
    visit(location.href, { push: false });
  });
  form.querySelector('[type="button"]').addEventListener("click", () => {
    keepToken("");
    details.open = false;
    visit(location.href, { push: false });
  });
  holder.replaceChildren(details);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const button = event.target.closest("button[data-job]");
  if (button) {
    const { id } = button.closest(".job").dataset;
    button.disabled = true;
    call(`Jobs/${button.dataset.job}`, { id })
      .then(() => {
        if (button.dataset.job === "Resume") watch(id, { reload: false });
        else if (!document.querySelector("#live .job")) visit(location.href, { push: false });
      })
      .catch((error) => complain(place(), error));
    return;
  }
  const copied = event.target.closest("button[data-copy]");
  if (copied) return void copy(copied);
  if (event.target.closest("#play-line")) return void playLine();
  if (endsDrag() && event.target.closest("svg.board")) return void event.preventDefault();
  const link = event.target.closest("a[href]");
  const board = event.target.closest("svg.board");
  if (board && !link && chosenSteps(board)) choose(board, "");
  if (!link) return;
  if (board) {
    const byKey = event.detail === 0;
    if (link.matches(".step")) {
      event.preventDefault();
      return clickStep(link, { focus: byKey });
    }
    if (aims(link, event.pointerType === "touch")) {
      event.preventDefault();
      return say(`${link.getAttribute("aria-label")}; tap again to play`);
    }
  }
  const target = new URL(link.getAttribute("href"), location.href);
  if (target.origin !== location.origin) return;
  if (link.matches(".further")) {
    event.preventDefault();
    open(link).catch((error) => complain(place(), error));
  } else if (link.id === "certificate" && token()) {
    event.preventDefault();
    download(link).catch((error) => complain(place(), error));
  } else if (PAGES.test(target.pathname) && !target.pathname.endsWith("/file") && !(target.hash && target.pathname === location.pathname)) {
    event.preventDefault();
    visit(target.href);
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.start) {
    const about = form.dataset.game ? form : document.getElementById("position");
    if (new FormData(form).get("question") === "shortest") return void askShortest(form, about);
    start(form, about)
      .then((id) => watch(id, { reload: form.dataset.start !== "verify" }))
      .catch((error) => complain(place(), error));
    return;
  }
  const target = new URL(form.getAttribute("action") ?? location.pathname, location.href);
  for (const [name, value] of new FormData(form, event.submitter)) if (value !== "") target.searchParams.set(name, value);
  if (form.id === "search") search(target);
  else visit(target.href);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const board of document.querySelectorAll("svg.board")) {
      if (chosenSteps(board)) choose(board, "", { focus: board.contains(document.activeElement) });
    }
    return;
  }
  if (!event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
  const focused = document.activeElement;
  const board = focused?.closest("svg.board");
  if (board && focused.matches("a.target, a.step")) {
    const next = neighbour(board, focused, event.key);
    event.preventDefault();
    if (!next) return;
    focused.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  } else if (!focused?.closest("input, textarea, select, .scroll, pre")) {
    const step = { ArrowLeft: "step-back", ArrowRight: "step-forward" }[event.key];
    const link = step && document.getElementById(step);
    if (link) {
      event.preventDefault();
      visit(link.href);
    }
  }
});

addEventListener("popstate", () => visit(location.href, { push: false }));
withToken();
enhance();
if (token() && document.querySelector('main[data-status="401"]')) visit(location.href, { push: false });
