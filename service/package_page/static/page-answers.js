// What a package says of a position and of its moves, as service/positions/probe.py has it for a store.

import { hex } from "./page-bytes.js";
import { checkRecord, near } from "./page-check.js";
import { readRecord } from "./page-records.js";

/** What is known of a position.
 * @returns `{ key, position, terminal, value, rank, table, claims, checks, best, moves }`; of a value `lower`, `upper`
 *   and whether each is known; `checks` has the local check of each claim.
 */
export async function lookup(pack, game, position) {
  const key = game.key(position), over = game.terminal(position);
  if (over !== null) {
    return { key, position, terminal: true, value: exactly(over), rank: null, table: "", claims: [], checks: [], best: null, moves: [] };
  }
  const children = game.moves(position).map((number) => {
    const after = game.play(position, number);
    return { number, position: after, key: game.key(after), end: game.terminal(after) };
  });
  const around = near(game, position, children), places = [...around.entries.keys()];
  const [records, values] = await Promise.all([
    pack.records(game.name, [...new Set([key, ...around.keys])]),
    pack.entries(game.name, places.map((place) => around.entries.get(place))),
  ]);
  const known = {
    tablesOfValues: pack.hasTablesOfValues(game.name),
    claims: new Map([...records].map(([of, bytes]) => [of, claimsOf(of, bytes)])),
    values: new Map(places.map((place, number) => [place, values[number]]).filter(([, value]) => value !== undefined)),
  };
  const probe = probed(game, position, key, known);
  const moves = movesOf(game, position, children, probe, known), first = moves[0];
  const named = first?.rated && exact(probe.value) && first.value.lower === probe.value.lower;
  const best = named ? first : (moves.find(({ number }) => number === probe.witness) ?? null);
  if (probe.table) probe.claims = claimsByTable(probe, best);
  const oriented = probe.table ? { ...game, position: () => position } : game;
  const checks = checkRecord(oriented, key, probe.claims, known);
  return { key, position, terminal: false, ...probe, rank: rankOf(probe), checks, best, moves };
}

/** What a table says, as the claims of a record would say it; the witness in the orientation of the position. */
function claimsByTable({ value, table }, best) {
  const claim = { bound: value.lower, rank: 0, evidence: "table", table };
  return [{ ...claim, side: "lower", witness: best?.number ?? null }, { ...claim, side: "upper", witness: null }];
}

/** Some claims, or where the record cannot be read an error that says whose it is. */
function claimsOf(key, bytes) {
  try {
    return readRecord(bytes);
  } catch (error) {
    throw new Error(`The record of ${key} (${hex(bytes.slice(0, 40))}) is damaged: ${error.message}.`);
  }
}

const exactly = (number) => ({ lower: number, upper: number, lowerKnown: true, upperKnown: true });
export const exact = ({ lower, upper }) => lower === upper;
/** Whether a claim of the position does not hold: then the package is wrong here, and nothing of it is shown as known. */
export const isWrong = ({ checks }) => checks.some(({ state }) => state === "broken");
export const anythingKnown = ({ lowerKnown, upperKnown }) => lowerKnown || upperKnown;

function probed(game, position, key, known) {
  const claims = known.claims.get(key) ?? [], limit = game.limit(position);
  const lower = claims.find(({ side }) => side === "lower"), upper = claims.find(({ side }) => side === "upper");
  if ((lower && upper && lower.bound > upper.bound) || lower?.bound > limit || upper?.bound < -limit) {
    throw new Error(`The record of ${key} is damaged: its bounds contradict each other or the game.`);
  }
  const low = Math.max(lower?.bound ?? -limit, -limit), high = Math.min(upper?.bound ?? limit, limit), one = low === high;
  const value = { lower: low, upper: high, lowerKnown: one || low > -limit, upperKnown: one || high < limit };
  const table = known.values.get(key);
  if (!one && table !== undefined) {
    return { value: exactly(table), lowerRank: 0, upperRank: 0, noPlies: true, table: game.tableEntry(position)[0], claims, witness: null };
  }
  const witness = lower && value.lowerKnown ? oriented(game, position, key, lower.witness) : null;
  const byTable = (claim, said) => said && claim?.evidence === "table" && claim.rank === 0;
  // The rank of a progress claim by children may count the plies to a table of values, unless its moves end the game.
  const ends = (claim, moves) => claim.rank === 1 && moves.length > 0 && moves.every((move) => game.terminal(game.play(position, move)) !== null);
  const above = (claim, said, moves) =>
    known.tablesOfValues && said && claim?.evidence === "children" && claim.rank > 0 && !ends(claim, moves());
  return {
    value,
    lowerRank: lower && lower.bound > -limit ? lower.rank : 0,
    upperRank: upper && upper.bound < limit ? upper.rank : 0,
    noPlies: Boolean(
      byTable(lower, value.lowerKnown) || byTable(upper, value.upperKnown) ||
      above(lower, value.lowerKnown, () => (witness === null ? [] : [witness])) || above(upper, value.upperKnown, () => game.moves(position)),
    ),
    table: "",
    claims,
    witness,
  };
}

const rankOf = ({ noPlies, value, lowerRank, upperRank }) => (noPlies || !anythingKnown(value) ? null : Math.max(lowerRank, upperRank));

/** The move of a position that corresponds to a move of the position that the key stands for. */
export function oriented(game, position, key, move) {
  const canonical = game.position(key);
  if (!game.moves(canonical).includes(move)) return null;
  if (game.text(canonical) === game.text(position)) return move;
  const wanted = game.key(game.play(canonical, move)), reward = game.reward(canonical, move);
  return game.moves(position).find((own) => game.key(game.play(position, own)) === wanted && game.reward(position, own) === reward) ?? null;
}

/** The legal moves with their values, best first. */
function movesOf(game, position, children, probe, known) {
  const repetition = game.repetition(position);
  const moves = children.map(({ number, position: after, key, end }) => {
    const move = { number, text: game.moveText(position, number), key, position: after, terminal: end !== null, progress: 0 };
    const reward = game.reward(position, number);
    if (end !== null) return { ...move, value: exactly(reward - end), rank: 1, order: 1, rated: true };
    const child = probed(game, after, key, known);
    const [value, order, hasPlies] = worth(probe, child, reward, number === probe.witness), rated = exact(value);
    if (exact(child.value) && repetition !== null && value.lower > repetition) move.progress = child.upperRank;
    return { ...move, value, rank: rated && hasPlies ? order : null, order, rated };
  });
  const place = ({ value, order, progress }) => [-value.lower, progress, (value.lower < 0 ? -1 : 1) * order];
  const sorted = moves.filter(({ rated }) => rated).sort((one, two) => {
    const [a, b] = [place(one), place(two)], differing = a.findIndex((part, at) => part !== b[at]);
    return differing < 0 ? 0 : a[differing] - b[differing];
  });
  return [...sorted, ...moves.filter(({ rated }) => !rated)];
}

/** Value and rank of a move for the side that makes it, by what is known of the positions after and before it, and
 * whether the rank counts the plies to the end of the game. */
function worth(before, after, reward, isWitness) {
  const of = after.value;
  const value = { lower: reward - of.upper, upper: reward - of.lower, lowerKnown: of.upperKnown, upperKnown: of.lowerKnown };
  let rank = Math.max(after.lowerRank, after.upperRank), hasPlies = !after.noPlies;
  rank = rank || reward || after.noPlies ? rank + 1 : 0;
  if (exact(value)) return [value, rank, hasPlies];
  const narrow = { ...value };
  const take = (side, bound, other) => {
    rank = Math.max(rank, other);
    hasPlies &&= !before.noPlies;
    Object.assign(narrow, { [side]: bound, [`${side}Known`]: true });
  };
  if (before.value.upperKnown && before.value.upper < value.upper) take("upper", before.value.upper, before.upperRank);
  if (isWitness && before.value.lowerKnown && before.value.lower > value.lower) take("lower", before.value.lower, before.lowerRank);
  if (narrow.lower > narrow.upper) return [value, rank, hasPlies];
  if (exact(narrow)) narrow.lowerKnown = narrow.upperKnown = true;
  return anythingKnown(narrow) ? [narrow, rank, hasPlies] : [narrow, 0, true];
}

const LONGEST_LINE = 200;

/** Best play from a position: each move, and at the end `{ reason }`, why it goes on no further. */
export async function* bestLine(pack, game, start) {
  const met = new Set();
  for (let position = start, ply = 0; ; ply += 1) {
    const answer = await lookup(pack, game, position);
    if (answer.terminal) return yield { reason: "the game is over" };
    if (isWrong(answer)) return yield { reason: "the package is wrong here: a claim of this position does not hold" };
    if (met.has(answer.key)) return yield { reason: "from here play repeats itself" };
    if (!answer.best) return yield { reason: anythingKnown(answer.value) ? restOf(answer.claims) : "the package knows no more" };
    if (ply === LONGEST_LINE) return yield { reason: "the line is longer than this page shows" };
    met.add(answer.key);
    yield answer.best;
    position = answer.best.position;
  }
}

function restOf(claims) {
  const evidence = new Set(claims.map((claim) => claim.evidence));
  if (evidence.has("search") || evidence.has("search_to_limits")) return "small searches settle the rest";
  return evidence.has("threats") || evidence.has("line") ? "winning threats settle the rest" : "the package names no move";
}
