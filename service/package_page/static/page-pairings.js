// Claims by a pairing: each line that the other side could still fill holds a pair (docs/strategies.md). A set of squares
// is a BigInt; square s is the one that move s takes.

/** What is wrong with a claim by a pairing; "" if nothing is.
 * @param game the rules: its `lines` are what engine/rules/lines.py asks of a game
 */
export function byPairing(game, position, claim) {
  const rules = game.lines, lower = claim.side === "lower";
  if (!rules) return "evidence: this game has no lines that a pairing could hold";
  if ((lower ? claim.bound > 0 : claim.bound < 0) || claim.rank < game.moves(position).length) {
    return "pairing: it proves no win, and the game may take as many plies as there are empty squares";
  }
  const at = lower ? game.play(position, claim.witness) : position;
  if (game.terminal(at) !== null) return "pairing: the game is over after the witness";
  const [mover, other] = rules.stones(at), empty = game.moves(at);
  if (!claim.pairs.flat().every((square) => empty.includes(square))) return "pairing: a square of a pair is not empty";
  const pairs = claim.pairs.map((pair) => pair.map((square) => 1n << BigInt(square)));
  const held = (line) => pairs.some(([one, two]) => line & one && line & two);
  const open = rules.all().filter(({ squares, spoilers }) => !(squares & other) && !(spoilers & mover));
  return open.every(({ squares }) => held(squares)) ? "" : "pairing: a line of the other side holds no pair";
}
