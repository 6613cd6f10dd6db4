"""Evidence by a pairing: pairs of squares, one in each line that the other side could fill (docs/strategies.md)."""

from __future__ import annotations

from typing import Any

from proofbase.engine.records import Claim, Side
from proofbase.engine.rules.game import Game

__all__ = ["broken_by_pairing"]


def broken_by_pairing(game: Game[Any], position: Any, claim: Claim) -> tuple[str, str] | None:
    """The rule that a claim by a pairing breaks, with the particulars; None if the claim passes.

    Args:
        game: the rules.
        position: of the claim, with its witness legal.
        claim: a claim by a pairing.
    """
    rules, pairs = game.line_rules(), claim.pairing
    if rules is None or pairs is None:
        return "evidence", f"{game.name} has no lines that a pairing could hold"
    if claim.bound > 0 if claim.side == Side.LOWER else claim.bound < 0:
        return "pairing", "a pairing proves no win"
    plies = len(game.moves(position))
    if claim.rank < plies:
        return "pairing", f"the game may take {plies} plies, more than the rank"
    if claim.witness is not None:
        position = game.play(position, claim.witness)
        if game.terminal(position) is not None:
            return "pairing", "the game is over after the witness"
    other, own = rules.stones(position)  # the other side is to move
    empty = set(game.moves(position))
    sets = []
    for pair in pairs:
        if not empty.issuperset(pair):
            return "pairing", f"a square of the pair {pair.first}, {pair.second} is not empty"
        sets.append(1 << pair.first | 1 << pair.second)
    for line in rules.open_lines(other, own):
        if not any(squares & ~line == 0 for squares in sets):
            names = " ".join(str(square) for square in range(line.bit_length()) if line >> square & 1)
            return "pairing", f"the line {names} of the other side holds no pair"
    return None
