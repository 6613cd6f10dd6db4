// Records: the claims that their bytes hold (docs/record-encoding.md). Bytes that deviate from that are refused.

import { Reader } from "./page-bytes.js";

export const EVIDENCE = ["children", "table", "line", "search", "threats", "strategy", "search_to_limits", "pairing"];
export const MOST_NODES = 10_000;
const LONGEST = 65_536, DEEPEST = 200;
export const ENDS = { move: -1, after: new Map(), plies: 3 };

/** The claims of a record, each with its source where they have one: lower ones first, strongest first. */
export function readRecord(bytes) {
  const reader = new Reader(bytes), head = reader.byte(), version = head >> 4, claims = [];
  if (![1, 2, 3, 4, 5].includes(version) || !(head & 15)) throw new Error("a record starts with version 1 to 5 and 1 to 15 claims");
  for (let number = 0; number < (head & 15); number += 1) {
    const claim = readClaim(reader, version), last = claims.at(-1);
    if (last && !follows(last, claim)) throw new Error("claims out of order, or one dominates the other");
    claims.push(claim);
  }
  if (reader.at > LONGEST) throw new Error(`claims of more than ${LONGEST} bytes`);
  const last = Math.max(...claims.map((claim) => EVIDENCE.indexOf(claim.evidence)));
  if (version !== Math.max(1, last - 2)) throw new Error("the version is not that of the claims");
  if (!reader.done) for (const claim of claims) claim.source = reader.varint();
  if (!reader.done) throw new Error("bytes after the claims of a record");
  return claims;
}

function readClaim(reader, version) {
  const kind = reader.byte();
  if (kind > 5 + 2 * version) throw new Error("a claim of an unknown kind");
  const side = kind & 1 ? "upper" : "lower", evidence = EVIDENCE[kind >> 1];
  const zigzag = reader.varint(), rank = reader.varint();
  const claim = { side, evidence, bound: zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2, rank, witness: null };
  if (side === "lower") claim.witness = reader.varint();
  if (evidence === "children") return claim;
  if (evidence.startsWith("search")) return Object.assign(claim, { nodes: reader.varint(MOST_NODES, 1) });
  const payload = reader.take(reader.varint());
  if (evidence === "table") return Object.assign(claim, { table: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload) });
  const of = new Reader(payload), numbers = [];
  while (!of.done) numbers.push(of.varint());
  const rest = numbers[Symbol.iterator]();
  if (evidence === "line") claim.lines = readLines(numbers, side);
  if (evidence === "threats") claim.threats = readThreats(rest, side);
  if (evidence === "strategy") claim.strategy = readStrategy(rest, side);
  if (evidence === "pairing") claim.pairs = readPairing(numbers);
  return claim;
}

/** Within a side bounds get weaker while ranks get smaller. */
function follows(last, claim) {
  if (last.side !== claim.side) return last.side === "lower";
  return (claim.side === "lower" ? claim.bound < last.bound : claim.bound > last.bound) && claim.rank < last.rank;
}

function readLines(numbers, side) {
  if (side === "lower") {
    if (!numbers.length) throw new Error("a line without moves");
    return [numbers];
  }
  const lines = [];
  for (let at = 0; at < numbers.length; at += numbers[at] + 1) {
    const line = numbers.slice(at + 1, at + 1 + numbers[at]);
    if (!line.length || line.length < numbers[at]) throw new Error("a line is cut off, or without moves");
    lines.push(line);
  }
  return lines;
}

function next(numbers) {
  const { value, done } = numbers.next();
  if (done) throw new Error("it is cut off");
  return value;
}

/** Replies: the first as it is, each of the others as its difference to the one before. */
function readNamed(numbers) {
  const named = [];
  for (let left = next(numbers); left > 0; left -= 1) {
    const step = next(numbers);
    if (named.length && !step) throw new Error("named replies do not ascend");
    named.push(step + (named.at(-1) ?? 0));
  }
  if (named.length && named.at(-1) >= 2 ** 31) throw new Error("the number of a named reply is too large");
  return named;
}

function readThreats(numbers, side) {
  const named = readNamed(numbers), trees = new Map(), passes = next(numbers);
  if (passes > 1) throw new Error("two trees against a pass");
  if (passes) trees.set(-1, readTree(numbers, 0));
  readAfter(numbers, trees, -1);
  if (!numbers.next().done) throw new Error("numbers behind the trees");
  if (side === "lower" && (named.length || trees.size !== 1 || (trees.get(-1) ?? ENDS) === ENDS)) {
    throw new Error("a lower claim by threats has one tree, which begins with a move");
  }
  return { named, trees };
}

/** Trees by reply, the replies ascending. */
function readAfter(numbers, after, depth) {
  let last = -1;
  for (let left = next(numbers); left > 0; left -= 1) {
    const reply = next(numbers);
    if (reply <= last) throw new Error("replies do not ascend");
    after.set((last = reply), readTree(numbers, depth + 1));
  }
}

function readTree(numbers, depth) {
  const move = next(numbers) - 1, after = new Map();
  if (move < 0) return ENDS;
  if (depth === DEEPEST) throw new Error(`a threat tree of more than ${DEEPEST} moves`);
  readAfter(numbers, after, depth);
  return { move, after, plies: Math.max(3, ...[...after.values()].map(({ plies }) => plies)) + 2 };
}

/** Pairs in ascending order: of each the squares left out since the first one of the pair before, and between. */
function readPairing(numbers) {
  const pairs = [];
  for (let at = 0, first = -1; at < numbers.length; at += 2) {
    if (at + 1 === numbers.length) throw new Error("a pair is cut off");
    first += numbers[at] + 1;
    pairs.push([first, first + numbers[at + 1] + 1]);
  }
  const squares = pairs.flat();
  if (new Set(squares).size < squares.length || squares.some((square) => square >= 2 ** 31)) {
    throw new Error("a square is in two pairs, or its number is too large");
  }
  return pairs;
}

function readStrategy(numbers, side) {
  const named = side === "upper" ? readNamed(numbers) : [], marks = new Map();
  let last = -1;
  for (const number of numbers) {
    last += Math.floor(number / 6) + 1;
    marks.set(last, number % 6);
  }
  if (last >= 2 ** 31) throw new Error("the number of a square is too large");
  return { named, marks };
}
