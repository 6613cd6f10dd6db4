// Claims by a strategy: the diagram is played out against every reply (docs/strategies.md). A set of squares is a BigInt.

const MOST_POSITIONS = 10_000;

/** What is wrong with a claim by a strategy, apart from the claims of the replies that it names; "" if nothing is.
 * @param game the rules: its `squares` are what engine/rules/squares.py asks of a game
 */
export function byStrategy(game, position, claim) {
  const rules = game.squares, { named, marks } = claim.strategy, legal = game.moves(position);
  if (!rules) return "evidence: this game has no squares that a strategy could be played on";
  if (!named.every((move) => legal.includes(move))) return "strategy: a reply is not legal";
  const marked = Array(6).fill(0n);
  let said = 0n;
  for (const [number, mark] of marks) {
    const at = BigInt(number), square = ((rules.board >> at) & 1n) ? 1n << at : 0n;
    marked[mark] |= square;
    said |= square;
  }
  marked[2] |= rules.answers & ~said;
  marked[4] |= rules.board & ~rules.answers & ~said;
  const [mover, other] = rules.stones(position), taken = mover | other;
  const needed = Math.max(0, claim.side === "lower" ? claim.bound : -claim.bound);
  const diagram = { rules, marked, needed, last: size(taken) + claim.rank };
  if (claim.side === "upper") {
    return beaten(diagram, other, mover, named.reduce((sum, move) => sum | rules.square(move, taken), 0n));
  }
  const square = rules.square(claim.witness, taken), end = ending(diagram, taken | square, (square & rules.completing(mover, taken)) !== 0n);
  if (end !== null) return end ? "" : "strategy: the witness ends the game with less, or too late";
  return beaten(diagram, mover | square, other, 0n);
}

/** How the other side, to move, beats a diagram; "" if it does not. At first it leaves out some replies. */
function beaten(diagram, ownFirst, otherFirst, leftOutFirst) {
  const { rules } = diagram, met = new Set(), pending = [[ownFirst, otherFirst, leftOutFirst]];
  while (pending.length) {
    const [own, other, leftOut] = pending.pop(), name = `${own},${other}`;
    if (met.has(name)) continue;
    if (!leftOut) met.add(name);
    if (met.size > MOST_POSITIONS) return `strategy: more than ${MOST_POSITIONS} positions come about`;
    const taken = own | other, wins = rules.completing(own, taken), losses = rules.completing(other, taken);
    for (const reply of separate(rules.openSquares(taken) & ~leftOut)) {
      const after = taken | reply;
      if (reply & losses) return "strategy: the other side wins";
      let end = ending(diagram, after, false);
      if (end === null) {
        const winning = wins & ~reply & rules.openSquares(after);
        const square = winning || answer(diagram, after, rules.completing(other | reply, after));
        if (!square) return "strategy: no move holds";
        end = ending(diagram, after | (square & -square), winning !== 0n);
        if (end === null) pending.push([own | square, other | reply, 0n]);
      }
      if (end === false) return "strategy: the game ends with less, or too late";
    }
  }
  return "";
}

/** Of the squares after which the other side does not win at once (on `lost`) the first one by its mark; 0n: none. */
function answer({ rules, marked }, taken, lost) {
  const squares = rules.openSquares(taken);
  const good = separate(squares).filter((square) => (lost & ~square & rules.openSquares(taken | square)) === 0n);
  for (const [number, marks] of marked.entries()) {
    if (number === 1 && size(squares & marks) !== 1) continue; // of a pair the last one
    const found = good.find((square) => square & marks);
    if (found) return found;
  }
  return good[0] ?? 0n;
}

/** Whether the game ends well with these stones, a win of the diagram's side or full; null if it goes on. */
function ending({ rules, needed, last }, taken, won) {
  const stones = size(taken);
  if (won) return rules.win(stones) >= needed && stones <= last;
  return taken === rules.board ? needed === 0 && stones <= last : null;
}

const size = (squares) => squares.toString(2).replaceAll("0", "").length * (squares ? 1 : 0);

function separate(squares) {
  const found = [];
  for (let left = squares; left; left &= left - 1n) found.push(left & -left);
  return found;
}
