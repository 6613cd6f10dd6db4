// The local check of a record (docs/fact-model.md) by the rules of the game, with the records of its children.

import { byPairing } from "./page-pairings.js";
import { byStrategy } from "./page-strategies.js";
import { byThreats } from "./page-threats.js";

/** What the check of a position's claims may ask for, from its moves: `position`, `key` and `end` of each child.
 * @returns keys of children where the game goes on, and entries of tables by key
 */
export function near(game, position, children) {
  const going = children.filter(({ end }) => end === null);
  const asked = [{ position, key: game.key(position) }, ...going];
  const entries = asked.map((at) => [at.key, game.tableEntry(at.position)]).filter(([, entry]) => entry);
  return { keys: [...new Set(going.map(({ key }) => key))], entries: new Map(entries) };
}

/** Checks each claim of a record.
 * @param game the rules
 * @param key of the record
 * @param claims of the record
 * @param known what is known near it: `claims`, and `values` by tables, both by key
 * @returns for each claim `{ state: "holds" | "broken" | "unchecked", rule }`
 */
export function checkRecord(game, key, claims, known) {
  try {
    const position = game.position(key);
    if (game.terminal(position) !== null) return claims.map(() => broken("record: the game is over here"));
    return claims.map((claim) => checkClaim(game, position, claim, known));
  } catch (error) {
    return claims.map(() => broken(`record: ${error.message}`));
  }
}

const HOLDS = { state: "holds", rule: "" };
const broken = (rule) => ({ state: "broken", rule });
const unchecked = (rule) => ({ state: "unchecked", rule });
/** The best of the moves everywhere may still be false: a win that only goes round in circles. */
const BY_TABLE = unchecked("by table: not checked here");

function checkClaim(game, position, claim, known) {
  const rho = game.repetition(position), lower = claim.side === "lower";
  const safety = rho !== null && (lower ? claim.bound <= rho : claim.bound >= rho);
  if (safety && claim.rank) return broken(`safety: a bound that repetition (worth ${rho}) gives by itself has rank 0`);
  let moves = game.moves(position).filter((move) => !lower || move === claim.witness);
  if (!moves.length) return broken("witness: no legal move");
  if (claim.evidence.startsWith("search")) {
    return smallSearch(game, position, claim) ? HOLDS : broken(`search: ${claim.nodes} nodes to a depth of ${claim.rank} do not settle the bound`);
  }
  if (claim.evidence === "table") return byTable(game, position, claim, known);
  if (claim.evidence === "line" && lower) {
    const [line] = claim.lines;
    const reached = line[0] === claim.witness && line.length === claim.rank && plays(game, position, claim.bound, line);
    return reached ? HOLDS : broken("line: it does not reach the bound against every reply");
  }
  if (claim.evidence === "pairing") {
    const wrong = byPairing(game, position, claim);
    return wrong ? broken(wrong) : HOLDS;
  }
  const rested = claim.threats ?? claim.strategy;
  if (rested) {
    const wrong = (claim.threats ? byThreats : byStrategy)(game, position, claim);
    if (wrong) return broken(wrong);
    if (lower) return HOLDS;
    moves = moves.filter((move) => rested.named.includes(move));
  }
  let rests = false;
  for (const move of moves) {
    const child = game.play(position, move), limit = game.reward(position, move) - claim.bound, value = game.terminal(child);
    if (value === null && claim.lines?.some((line) => line.length < claim.rank && plays(game, child, limit, line))) continue;
    const bounds = value !== null ? [[value, 0]] : boundsOf(game, child, lower, known);
    const enough = ([bound, rank]) => (lower ? bound <= limit : bound >= limit) && (safety || rank < claim.rank);
    if (bounds.some(enough)) continue;
    const entry = value === null ? known.values.get(game.key(child)) : undefined;
    if (entry !== undefined && enough([entry, 0])) rests = true;
    else {
      const needed = `${lower ? "at most" : "at least"} ${limit}${safety ? "" : ` with a rank below ${claim.rank}`}`;
      return broken(`child: after ${game.moveText(position, move)} nothing says ${needed}`);
    }
  }
  return rests ? BY_TABLE : HOLDS;
}

/** Bounds of a child with their ranks: upper ones for a lower claim, lower ones for an upper claim. */
function boundsOf(game, child, lower, known) {
  const key = game.key(child), limit = lower ? game.limit(child) : -game.limit(child);
  const claims = known.claims.get(key) ?? [];
  const said = claims.filter(({ side }) => (side === "upper") === lower).map(({ bound, rank }) => [bound, rank]);
  return [[limit, 0], ...said];
}

function byTable(game, position, claim, known) {
  const entry = game.tableEntry(position), value = known.values.get(game.key(position));
  if (!entry || entry[0] !== claim.table) return broken(`evidence: the position is not in table ${claim.table}`);
  if (value === undefined) return unchecked(`the package has no table ${claim.table}`);
  const lower = claim.side === "lower";
  if ((lower ? value < claim.bound : value > claim.bound) || claim.rank) return broken(`table: the value there is ${value}`);
  const worths = game.moves(position).map((move) => {
    const child = game.play(position, move), after = game.terminal(child) ?? known.values.get(game.key(child));
    return after === undefined ? null : [move, game.reward(position, move) - after];
  });
  if (worths.includes(null)) return unchecked("the package lacks the table of a position after a move");
  const most = Math.max(...worths.map(([, worth]) => worth));
  if (most !== value) return broken(`table: the value there is ${value}, and the best move is worth ${most}`);
  const reached = !lower || worths.some(([move, worth]) => move === claim.witness && worth >= claim.bound);
  return reached ? BY_TABLE : broken("table: the move leads to less");
}

/** Plays a line (own move, reply, ...): other replies must lose at once, or lose to one move that ends the game. */
function plays(game, position, bound, line) {
  let limit = bound;
  for (const [index, move] of line.entries()) {
    const moves = game.moves(position);
    if (!moves.includes(move)) return false;
    for (const other of index % 2 ? moves : []) {
      if (other === move) continue;
      const child = game.play(position, other), needed = game.reward(position, other) - limit, value = game.terminal(child);
      if (value !== null ? value < needed : !ends(game, child, needed)) return false;
    }
    limit = game.reward(position, move) - limit;
    position = game.play(position, move);
    const value = game.terminal(position);
    if (value !== null) return index % 2 === 0 && index === line.length - 1 && value <= limit;
  }
  return false;
}

/** Whether one move ends the game with at least this. */
function ends(game, position, least) {
  return game.moves(position).some((move) => {
    const value = game.terminal(game.play(position, move));
    return value !== null && game.reward(position, move) - value >= least;
  });
}

/** Runs the search that a claim names: depth first, at most rank plies deep, at most so many positions. One to limits
 * tries moves that end the game first, and settles a position by the limit of its value where that tells.
 */
function smallSearch(game, position, claim) {
  let left = claim.nodes, { bound, rank: depth } = claim;
  const toLimits = claim.evidence === "search_to_limits";
  if (!depth || (toLimits && game.name.startsWith("within:"))) return false;
  const isEnd = (at) => (move) => game.terminal(game.play(at, move)) !== null;
  const ordered = (at) => {
    const moves = game.moves(at), end = isEnd(at);
    return toLimits ? [...moves.filter(end), ...moves.filter((move) => !end(move))] : moves;
  };
  const settled = (at, limit, atMost, plies) => {
    if (--left < 0) return null;
    const value = game.terminal(at);
    if (value !== null) return atMost ? value <= limit : value >= limit;
    if (toLimits) {
      const most = game.limit(at);
      if (atMost ? most <= limit : -most >= limit) return true;
      if (atMost ? -most > limit : most < limit) return false;
    }
    if (!plies) return false;
    for (const move of ordered(at)) {
      const reply = settled(game.play(at, move), game.reward(at, move) - limit, !atMost, plies - 1);
      if (reply === null || reply !== atMost) return reply;
    }
    return atMost;
  };
  if (claim.witness !== null) {
    bound = game.reward(position, claim.witness) - bound;
    position = game.play(position, claim.witness);
    depth -= 1;
  }
  return settled(position, bound, true, depth) === true;
}
