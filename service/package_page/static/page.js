// The page of a package: an overview of its games, and every position of those whose rules are here, read from the
// blocks beside this file. An address names what is shown: #game=NAME&at=POSITION&moves=MOVE,MOVE

import { anythingKnown, bestLine, isWrong, lookup } from "./page-answers.js";
import { drawBoard } from "./page-boards.js";
import { html } from "./page-elements.js";
import { openPackage } from "./page-package.js";
import { moveName, openRules, played } from "./page-rules.js";
import { bestMoves, claimWords, grouped, kindOf, plies, plural, targetsOf, valueText, verdict } from "./page-words.js";

const BASE = new URL(".", location.href);
const overview = document.getElementById("overview"), shown = document.getElementById("shown"), said = document.getElementById("said");
let opened = null, turn = 0;

/** The package, which is opened once; after a failure it is tried again. */
function thePackage() {
  opened ??= openPackage(BASE).then(
    (pack) => {
      pack.files.onWait = waits;
      return pack;
    },
    (error) => {
      opened = null;
      throw error;
    },
  );
  return opened;
}

/** Says that the server is busy; what is shown next takes the place of it. */
function waits(seconds) {
  said.textContent = `The server of this package is busy: it is asked again in ${plural(seconds, "second")}.`;
  shown.prepend(html("p", { class: "note" }, said.textContent));
}

/** An address of this page. */
function address({ game, at = "", moves = [] }) {
  const parts = [["game", game], ["at", at], ["moves", moves.join(",")]].filter(([, value]) => value);
  return `#${new URLSearchParams(parts)}`;
}

function placeOf(hash) {
  const parameters = new URLSearchParams(hash.slice(1));
  const moves = (parameters.get("moves") ?? "").split(/[\s,]+/).filter(Boolean);
  return { game: parameters.get("game") ?? "", at: parameters.get("at") ?? "", moves };
}

async function show() {
  const mine = (turn += 1), place = placeOf(location.hash);
  overview.hidden = Boolean(place.game);
  if (!place.game) {
    shown.replaceChildren();
    document.title = overview.querySelector("h1").textContent;
    return;
  }
  shown.setAttribute("aria-busy", "true");
  try {
    const pack = await thePackage(), view = await viewOf(pack, place);
    if (mine !== turn) return;
    const onBoard = document.activeElement?.closest?.("svg.board") !== null && shown.contains(document.activeElement);
    shown.replaceChildren(...view.parts);
    document.title = `${place.game} · ${overview.querySelector("h1").textContent}`;
    said.textContent = view.spoken;
    if (onBoard) shown.querySelector("svg.board a")?.focus({ preventScroll: true });
    else if (mine > 1) shown.querySelector("h1").focus({ preventScroll: true });
  } catch (error) {
    if (mine === turn) shown.replaceChildren(heading(place.game), complaint(error), backTo(place));
  } finally {
    if (mine === turn) shown.removeAttribute("aria-busy");
  }
}

const heading = (text) => html("h1", { tabindex: -1 }, text);
const complaint = (error) => html("p", { class: "error", role: "alert" }, error.message);

function backTo(place) {
  const start = place.at || place.moves.length ? html("a", { class: "button", href: address({ game: place.game }) }, `The start of ${place.game}`) : null;
  return html("p", { class: "row" }, start, html("a", { class: "button", href: "#" }, "All games"));
}

/** What is shown at an address: the parts of the page, and what is said of them aloud. */
async function viewOf(pack, place) {
  const solution = pack.solutions.get(place.game);
  if (!solution) throw new Error(`This package has no game ${place.game.slice(0, 60)}.`);
  const game = openRules(solution.game, solution.rules_version);
  if (!game) return withoutRules(pack, solution);
  const start = place.at || solution.root || "";
  let position = start ? game.parse(start) : game.initial(), last = null;
  for (const text of place.moves) ({ position, text: last } = played(game, position, text));
  const answer = await lookup(pack, game, position), link = (move) => address({ ...place, moves: [...place.moves, moveName(game, move.text)] });
  if (isWrong(answer)) return wrongHere(pack, solution, game, place, answer);
  const { kind, text: words } = verdict(game, answer), text = answer.table ? `${words} By table: not checked here.` : words;
  const board = drawBoard({
    game: game.name, family: game.family, position: game.text(position), side: game.side(position), sides: game.sides, last,
    targets: targetsOf(game, answer, link),
  });
  const boardSide = html("div", { class: "board-side" }, html("div", { class: "board-frame" }, board), steps(place), html("p", { class: "position-text" }, html("code", null, game.text(position))));
  const parts = [
    heading(game.name),
    html("div", { class: "position" },
      html("div", { class: "said" }, html("p", { class: `verdict ${kind}`, id: "value" }, text)),
      boardSide,
      html("div", { class: "facts-side" }, movesTable(game, answer, link), answer.terminal ? null : html("p", { class: "note package" }, THE_WORD))),
    evidence(pack, game, answer),
    lineSection(pack, game, answer, link, place),
    goTo(game, place),
    aboutSolution(pack, solution),
  ];
  return { parts: parts.filter(Boolean), spoken: `${board.querySelector("title").textContent}; ${text}` };
}

const THE_WORD = "The values of moves are what the package says: each is checked here when its position is shown.";

/** The view of a position whose claims do not all hold: which they are, and nothing else of what the package says. */
function wrongHere(pack, solution, game, place, answer) {
  const spoken = "The package is wrong here, and what it says of this position is not shown.";
  const parts = [heading(game.name), complaint({ message: spoken }), steps(place), evidence(pack, game, answer), goTo(game, place)];
  return { parts: [...parts, aboutSolution(pack, solution)], spoken };
}

/** One move back, and to the start. */
function steps(place) {
  const back = place.moves.length > 0;
  const button = (sign, name, to) => (back ? html("a", { href: address(to), "aria-label": name, title: name }, sign) : html("span", { class: "off", "aria-hidden": "true" }, sign));
  const count = back ? html("span", { class: "count-of-moves" }, plural(place.moves.length, "move")) : null;
  return html("div", { class: "steps" },
    button("|◀", "to the start", { ...place, moves: [] }),
    button("◀", "one move back", { ...place, moves: place.moves.slice(0, -1) }),
    count);
}

/** The moves with their values, best first; those that lead to the same position up to symmetry are one row. */
function movesTable(game, answer, link) {
  if (!answer.moves.length) return null;
  const best = new Set(bestMoves(answer)), score = game.score(answer.position);
  const of = (move) => html("a", { class: "move", href: link(move) }, move.text);
  const known = answer.moves.filter(({ value }) => anythingKnown(value)), unknown = answer.moves.filter(({ value }) => !anythingKnown(value));
  const mirrors = ([, ...others]) => others.length === 0 ? null : html("details", { class: "mirrors" },
    html("summary", null, others.length === 1 ? "+ mirror image" : `+ ${others.length} mirror images`),
    others.flatMap((move) => [" ", of(move)]));
  const rows = alike(known).map((moves) => {
    const [move] = moves, chip = html("span", { class: `value ${kindOf(move.value, score)}` }, valueText(game, move.value));
    const within = move.terminal ? "the game is over" : move.rated ? plies(move.rank) : "";
    return html("tr", null,
      html("th", { scope: "row" }, of(move), mirrors(moves)),
      html("td", null, chip, best.has(move) ? " " : null, best.has(move) ? html("span", { class: "best" }, "best") : null),
      html("td", null, within));
  });
  const heads = ["move", "value", "decided within"].map((name) => html("th", { scope: "col" }, name));
  const table = rows.length === 0 ? null : html("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "moves" },
    html("table", { class: "moves" },
      html("caption", null, `${plural(answer.moves.length, "legal move")}${rows.length > 1 ? ", best first" : ""}`),
      html("thead", null, html("tr", null, heads)),
      html("tbody", null, rows)));
  const others = unknown.length === 0 ? null : html("details", { class: "unknown-moves" },
    html("summary", null, `${plural(unknown.length, "move")} not in this package`),
    html("ul", { class: "open-moves" }, alike(unknown).map((moves) => html("li", null, of(moves[0]), mirrors(moves)))));
  return [table, others];
}

/** Moves in groups that lead to the same position up to symmetry. */
function alike(moves) {
  const groups = new Map();
  for (const move of moves) {
    const name = `${move.key} ${move.value.lower} ${move.value.upper} ${move.rank}`;
    groups.set(name, [...(groups.get(name) ?? []), move]);
  }
  return [...groups.values()];
}

/** The claims of the position, each checked here by the rules. */
function evidence(pack, game, answer) {
  if (!answer.claims.length) return null;
  const found = answer.checks;
  const signs = { holds: "holds", broken: "does NOT hold", unchecked: "not checked" };
  const rows = answer.claims.map((claim, number) => {
    const words = claimWords(game, answer, claim), { state, rule } = found[number];
    const kind = { holds: "passed", broken: "error" }[state] ?? "note";
    return html("tr", null,
      html("th", { scope: "row" }, words.says),
      html("td", null, words.rank),
      html("td", null, words.rests),
      html("td", null, html("span", { class: kind }, `${signs[state]}${rule ? `: ${rule}` : ""}`)),
      html("td", null, claim.source ? (pack.manifest.sources[claim.source - 1]?.text ?? "") : ""));
  });
  const heads = ["claim", "rank", "rests on", "checked here", "from"].map((name) => html("th", { scope: "col" }, name));
  const wrong = found.filter(({ state }) => state === "broken").length, open = found.filter(({ state }) => state === "unchecked").length;
  const verdictOfCheck = wrong ? `${plural(wrong, "claim")} of this position ${wrong === 1 ? "does" : "do"} not hold: the package is wrong here.`
    : open ? "What rests on a table is not checked here: proofbase check-package verifies all of it."
    : "Each claim was checked in this browser, by the rules of the game and the claims of the positions after its moves.";
  return html("section", { id: "evidence" },
    html("h2", null, "Why"),
    html("p", { class: wrong ? "error" : "note", role: wrong ? "alert" : null, id: "checked" }, verdictOfCheck),
    html("div", { class: "scroll" }, html("table", { class: "claims" }, html("thead", null, html("tr", null, heads)), html("tbody", null, rows))));
}

/** Best play from here, read when it is asked for. */
function lineSection(pack, game, answer, link, place) {
  if (answer.terminal || !answer.best) return null;
  const list = html("ol", { class: "played" }), end = html("p", { class: "note", role: "status" });
  const button = html("button", { type: "button", id: "best-play" }, "Show best play");
  button.addEventListener("click", async () => {
    button.disabled = true;
    const moves = [...place.moves];
    try {
      for await (const step of bestLine(pack, game, answer.position)) {
        if (!button.isConnected) return;
        if (step.reason) end.textContent = `The line stops: ${step.reason}.`;
        else {
          moves.push(moveName(game, step.text));
          list.append(html("li", null, html("a", { class: "move", href: address({ ...place, moves }) }, step.text)));
        }
      }
    } catch (error) {
      end.replaceWith(complaint(error));
    }
  });
  return html("section", { id: "line" }, html("h2", null, "Best play"), html("p", { class: "row" }, button), list, end);
}

/** A field for a position or for moves from the start. */
function goTo(game, place) {
  const field = html("input", { name: "text", autocomplete: "off", spellcheck: "false", id: "text" });
  const form = html("form", { class: "row", id: "go-to" }, html("label", null, html("span", null, "A position, or moves from the start"), field), html("button", null, "Go"));
  const wrong = html("div");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim(), moves = text.replace(/^moves:/, "").split(/[\s,]+/).filter(Boolean);
    try {
      let to = { game: game.name, at: text };
      if (isPosition(game, text)) game.parse(text);
      else {
        to = { game: game.name, at: place.at, moves: [] };
        let position = place.at ? game.parse(place.at) : game.initial();
        for (const move of moves) {
          const next = played(game, position, move);
          to.moves.push(move);
          position = next.position;
        }
      }
      wrong.replaceChildren();
      location.hash = address(to);
    } catch (error) {
      wrong.replaceChildren(complaint(error));
    }
  });
  return html("section", null, html("h2", null, "Another position"), form, wrong);
}

const isPosition = (game, text) => text.includes("/");

function aboutSolution(pack, solution) {
  const { title, authors, licence } = pack.manifest, facts = [];
  const fact = (name, ...content) => facts.push(html("dt", null, name), html("dd", null, ...content));
  if (solution.records.count) fact("records", `${grouped(solution.records.count)}, fingerprint `, html("code", null, solution.records.fingerprint));
  if (solution.tables.length) {
    const entries = solution.tables.reduce((sum, table) => sum + table.entries, 0);
    fact("tables", `${grouped(solution.tables.length)} with ${grouped(entries)} entries, not checked here`);
  }
  if (solution.certificate) fact("certificate", html("a", { href: solution.certificate }, solution.certificate));
  for (const { when, by, program, records, failed } of solution.checks) {
    const result = failed ? plural(failed, "finding") : "nothing wrong found";
    if (!when || !program) continue;
    fact("the package says", `checked ${String(when).slice(0, 10)}${by ? ` by ${by}` : ""} with ${program}, ${plural(records ?? 0, "record")}: ${result}`);
  }
  fact("from", `${title}, by ${authors.join(", ")}. Licence ${licence}. `, html("a", { href: "CITATION.cff" }, "How to cite it"), ", ", html("a", { href: "manifest.json" }, "what it holds"), ".");
  return html("section", { id: "about" }, html("h2", null, "This solution"), html("dl", { class: "facts" }, facts));
}

function withoutRules(pack, solution) {
  const where = `${BASE.origin}${BASE.pathname.replace(/\/$/, "")}`;
  const note = html("p", { class: "lead" }, "This page has no rules of this game. The program shows and checks its positions from here:");
  const commands = html("pre", null, `proofbase lookup ${solution.game} --store ${where}\nproofbase serve --store ${where}`);
  const parts = [heading(solution.game), note, commands, aboutSolution(pack, solution), backTo({ game: "", at: "", moves: [] })];
  return { parts: parts.filter(Boolean), spoken: note.textContent };
}

addEventListener("hashchange", show);
document.getElementById("no-page").remove();
show();
