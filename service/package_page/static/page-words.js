// Values, moves and claims in words and signs, as the page of a server says them (service/pictures, service/words).

import { anythingKnown, exact, oriented } from "./page-answers.js";

const WORDS = { 1: "win", 0: "draw", "-1": "loss" }, SIGNS = { 1: "W", 0: "D", "-1": "L" };

const signed = (number) => (number > 0 ? `+${number}` : String(number));
/** A count with commas. (The first call of `toLocaleString` takes a browser tens of milliseconds.) */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
export const plural = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;
export const plies = (rank) => (rank === null ? "" : rank === 1 ? "1 ply" : `${rank} plies`);

/** A value in words where the game has only three of them, otherwise as a number. */
export function valueText(game, value) {
  const one = (number) => (game.highest === 1 ? WORDS[number] : signed(number));
  if (exact(value)) return one(value.lower);
  if (value.lowerKnown && value.upperKnown) return `${one(value.lower)} to ${one(value.upper)}`;
  return value.lowerKnown ? `at least ${one(value.lower)}` : value.upperKnown ? `at most ${one(value.upper)}` : "unknown";
}

/** The class that colours a value: of the game as a whole for the side that is so far ahead. */
export function kindOf(value, score) {
  const lowest = value.lower + score, highest = value.upper + score;
  if (lowest > 0) return "win";
  if (highest < 0) return "loss";
  return lowest === 0 && highest === 0 ? "draw" : "open";
}

/** A value in one to five characters. */
function signOf(game, { value, rank, rated }) {
  const one = (number) => (game.highest === 1 ? SIGNS[number] : signed(number));
  if (exact(value)) return `${one(value.lower)}${game.highest === 1 && value.lower && rated && rank ? rank : ""}`;
  return value.lowerKnown ? `≥${one(value.lower)}` : value.upperKnown ? `≤${one(value.upper)}` : "?";
}

/** How good a move is among those of the same outcome: 0 for the best ones, 2 for the worst. */
function gradeOf(moves, move) {
  const good = ({ value, rank }) => 1000 * value.lower - Math.sign(value.lower) * (rank ?? 0);
  const alike = moves.filter((other) => other.rated && Math.sign(other.value.lower) === Math.sign(move.value.lower)).map(good);
  const most = Math.max(...alike), span = most - Math.min(...alike);
  return move.rated && span ? Math.min(2, Math.floor((3 * (most - good(move))) / span)) : 0;
}

/** The moves that are worth what the position is worth, those that win soonest or hold out longest only. */
export function bestMoves({ value, moves, best }) {
  if (!exact(value)) return [];
  const found = moves.filter((move) => move.rated && move.value.lower === value.lower);
  if (!found.length) return best ? [best] : [];
  const ranks = found.map(({ rank }) => rank).filter((rank) => rank !== null);
  if (!ranks.length || value.lower === 0) return found;
  const wanted = value.lower > 0 ? Math.min(...ranks) : Math.max(...ranks);
  return found.filter(({ rank }) => rank === wanted);
}

/** The moves as targets of the board. */
export function targetsOf(game, answer, link) {
  const best = new Set(bestMoves(answer).filter(({ rated }) => rated)), score = game.score(answer.position);
  return answer.moves.map((move) => {
    const within = move.rated && move.value.lower && move.rank ? ` within ${plies(move.rank)}` : "";
    const words = anythingKnown(move.value) ? `${valueText(game, move.value)}${within}` : "not known";
    return {
      move: move.text,
      number: move.number,
      kind: kindOf(move.value, score),
      grade: gradeOf(answer.moves, move),
      best: best.has(move),
      sign: signOf(game, move),
      label: `${move.text}: ${words}${best.has(move) ? ", best" : ""}`,
      href: link(move),
    };
  });
}

function named(moves) {
  const names = moves.map(({ text }) => text);
  if (names.length > 4) names.splice(3, names.length, `${names.length - 3} others`);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const bestAre = (best) => (best.length ? `; best ${best.length === 1 ? "is" : "are"} ${named(best)}` : "");

/** What a position is worth, in a sentence, with the class that colours it. */
export function verdict(game, answer) {
  const { position, value, terminal, rank } = answer, side = game.side(position), score = game.score(position);
  const [me, other] = [game.sides[side], game.sides[1 - side]], best = bestMoves(answer);
  const kind = terminal || anythingKnown(value) ? kindOf(value, score) : "open";
  const say = (text) => ({ kind, text });
  if (terminal && game.highest === 1) return say(value.lower ? `The game is over: ${other} has won.` : "The game is over: a draw.");
  if (!anythingKnown(value)) return say(`Not in this package: who wins, with ${me} to move, is not known.`);
  if (game.highest > 1) return say(numbered(game, answer, me, score, best));
  if (!exact(value)) {
    if (value.lowerKnown) return say(`${me} has at least a draw; whether it wins is not known.`);
    return say(`${me} cannot win; whether it can draw is not known.`);
  }
  if (value.lower === 0) {
    const every = best.length === answer.moves.length && best.length > 1;
    return say(`A draw with best play${every ? "; every move keeps it" : bestAre(best)}.`);
  }
  const won = value.lower > 0;
  const turns = rank ? Math.floor((won && game.winsByOwnMove && rank % 2 === 0 ? rank : rank + 1) / 2) : 0;
  const within = turns ? ` within ${plural(turns, "move")}` : "";
  if (won && rank === 1) return say(`${me} wins with the next move${bestAre(best)}.`);
  if (won) return say(`${me} wins${within}, whatever ${other} does${bestAre(best)}.`);
  const longest = best.length && best[0].rank !== null ? `; ${named(best)} ${best.length === 1 ? "holds" : "hold"} out longest` : "";
  return say(`${me} loses, whatever it plays: ${other} wins${within}${longest}.`);
}

/** The sentence in a game of more values than three. */
function numbered(game, { value, terminal }, me, score, best) {
  const lowest = value.lower + score, highest = value.upper + score, from = valueText(game, value);
  const margin = game.family === "awari" && (lowest > 0 || highest < 0);
  const by = margin ? ` by ${Math.abs(lowest > 0 ? lowest : highest)}${exact(value) ? "" : " or more"}` : "";
  const result = lowest > 0 ? "wins" : highest < 0 ? "loses" : lowest === 0 && highest === 0 ? "has a draw" : "";
  if (terminal) return `The game is over: ${me} ${{ wins: "has won", loses: "has lost" }[result] ?? result}${by}.`;
  if (!result) return `${me} gets ${from} from here; who wins is not known${bestAre(best)}.`;
  const parts = score ? ` (${signed(score)} so far, ${from} from here)` : margin ? "" : ` (value ${from})`;
  return `${me} ${result}${by} with best play${parts}${bestAre(best)}.`;
}

/** What a claim says, and what it rests on. */
export function claimWords(game, answer, claim) {
  const bound = game.highest === 1 ? WORDS[claim.bound] : signed(claim.bound);
  const move = claim.witness === null ? null : answer.table ? claim.witness : oriented(game, answer.position, answer.key, claim.witness);
  const by = move === null ? "" : `the move ${game.moveText(answer.position, move)}`;
  const trees = claim.threats ? plural(claim.threats.trees.size, "threat tree") : "";
  const replies = claim.threats?.named.length ? `, and ${plural(claim.threats.named.length, "reply").replace("replys", "replies")} with records` : "";
  const rests = {
    children: by ? "" : "every move",
    table: `the table ${claim.table}`,
    line: claim.side === "lower" ? `a forcing line of ${plural(claim.lines?.[0]?.length ?? 0, "move")}` : `${plural(claim.lines?.length ?? 0, "forcing line")} and the other moves`,
    search: `a small search of at most ${plural(claim.nodes ?? 0, "position")}`,
    search_to_limits: `a small search to limits of at most ${plural(claim.nodes ?? 0, "position")}`,
    threats: `${trees}${replies}`,
    strategy: "a strategy",
    pairing: `a pairing of ${plural(2 * (claim.pairs?.length ?? 0), "square")}`,
  }[claim.evidence];
  return {
    says: `${claim.side === "lower" ? "at least" : "at most"} ${bound}`,
    rank: claim.evidence === "table" && !claim.rank ? "" : `${claim.rank}`,
    rests: [rests, by].filter(Boolean).join("; "),
  };
}
