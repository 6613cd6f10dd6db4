// Threat trees, played out by the lines of the game: docs/zones.md says what a tree proves, and why replies outside of
// its zone need not be played. Sets of squares are BigInts, and `null` is a tree that does not win.

import { ENDS } from "./page-records.js";

/** What is wrong with a claim by threats, apart from the claims of the replies that it names; nothing if it is right. */
export function byThreats(game, position, claim) {
  const rules = game.threats, { named, trees } = claim.threats;
  if (!rules) return "evidence: this game has no threats";
  if (Math.abs(claim.bound) > game.highest) return "threats: a win is worth less";
  const { own: mover, other } = position, empty = size(rules.board & ~mover & ~other);
  if (claim.side === "lower") {
    const tree = trees.get(-1);
    if (tree.move !== claim.witness || Math.min(tree.plies, empty) > claim.rank) {
      return `threats: not a tree of at most ${claim.rank} plies that begins with the witness`;
    }
    const atOnce = setOf(rules, tree.move) & rules.attack(mover, other).wins;
    return atOnce || afterMove(rules, tree, mover, other) !== null ? "" : "threats: a reply escapes from the tree";
  }
  const legal = new Set(game.moves(position));
  if (![...named, ...trees.keys()].every((reply) => reply < 0 || legal.has(reply))) return "threats: a reply is not legal";
  const quick = [...trees].filter(([, tree]) => Math.min(tree.plies + 1, empty) <= claim.rank).sort(([one], [two]) => one - two);
  const lost = rules.defence(other, mover).one;
  let settled = 0n;
  for (const [reply, tree] of quick) {
    const stone = reply >= 0 ? setOf(rules, reply) : 0n;
    const zone = stone & lost ? null : wins(rules, tree, other, mover | stone);
    if (zone !== null) settled |= stone | (rules.board & ~zone);
  }
  for (const move of legal) {
    const stone = setOf(rules, move);
    if (named.includes(move) || stone & settled & ~lost) continue;
    const value = game.terminal(game.play(position, move));
    if (value !== null) {
      if (value < -claim.bound) return `threats: move ${game.moveText(position, move)} ends the game`;
    } else {
      const first = quick.filter(([reply]) => reply === move), rest = quick.filter(([reply]) => reply !== move);
      const won = [...first, ...rest].some(([, tree]) => wins(rules, tree, other, mover | stone) !== null);
      if (!won) return `threats: after move ${game.moveText(position, move)} no tree wins`;
    }
  }
  return "";
}

const setOf = (rules, move) => rules.sets[move] ?? 0n;
const firstOf = (squares) => squares & -squares;
const size = (squares) => squares.toString(2).replaceAll("0", "").length;

/** The zone of a tree by which the attacker, to move, wins. */
function wins(rules, tree, attacker, defender) {
  return winsAtOnce(rules, attacker, defender) ?? afterMove(rules, tree, attacker, defender);
}

/** The same, if he plays the move of the tree, though the position may end without it. */
function afterMove(rules, tree, before, defender) {
  const stone = setOf(rules, tree.move);
  if (!stone || stone & (before | defender)) return null;
  const attacker = before | stone, empty = rules.board & ~attacker & ~defender, defence = rules.defence(attacker, defender);
  if (defence.one) return null;
  const { wins: fives, doubles } = rules.attack(attacker, defender);
  let zone = stone | defence.two, answers;
  const listed = [...tree.after].map(([reply, child]) => [setOf(rules, reply), child]).filter(([reply]) => reply & empty);
  if (fives) {
    const one = firstOf(fives), more = fives ^ one;
    zone |= one;
    if (more) return zone | firstOf(more);
    answers = [[one, listed.find(([reply]) => reply === one)?.[1] ?? ENDS]];
  } else {
    answers = listed;
    let unlisted = empty & ~listed.reduce((sum, [reply]) => sum | reply, 0n);
    if (unlisted & defence.two || !doubles.length) return null;
    zone |= defence.three;
    for (const [number, [square, after]] of doubles.entries()) {
      const first = firstOf(after), second = firstOf(after ^ first), rest = after ^ first ^ second;
      const used = square | first | second | firstOf(rest), stops = rest ? square : used;
      if (number && !(unlisted & ~stops)) continue;
      zone |= used;
      unlisted &= stops;
    }
    if (unlisted) return null;
  }
  for (const [reply, child] of answers) {
    const below = wins(rules, child, attacker, defender | reply);
    if (below === null) return null;
    zone |= below;
  }
  return zone;
}

/** Whether the attacker wins at once, or by a double threat that the defender cannot forestall; then its zone. */
function winsAtOnce(rules, attacker, defender) {
  const { wins: fives, doubles } = rules.attack(attacker, defender);
  if (fives) return firstOf(fives);
  if (!doubles.length) return null;
  const defence = rules.defence(attacker, defender);
  if (defence.one) return null;
  const [square, after] = doubles[0], first = firstOf(after);
  return square | first | firstOf(after ^ first) | defence.two;
}
