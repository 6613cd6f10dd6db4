"""The counter of the fifty-move rule that a position of chess was given with, in words.

The game `chess` has no such rule: who asks about a position with a counter is told so, which game has it, and whether
the mate comes in time.
"""

from __future__ import annotations

import re

from proofbase.engine.rules.fifty_moves import MOST_PLIES
from proofbase.service.answers import PositionAnswer

__all__ = ["counter_of", "fifty_moves_text"]

_FEN = re.compile(
    r"\s*(?:position\s+)?(?:fen\s+)?(?:[1-8PNBRQKpnbrqk]+/){7}[1-8PNBRQKpnbrqk]+\s+[wb]\s+\S+\s+\S+\s+"
    r"(?:(?P<counter>[0-9]{1,3})\s+[0-9]+|[^;]*;?.*?\bhmvc\s+(?P<operation>[0-9]{1,3})\s*;)\s*"
)


def counter_of(game: str, text: str) -> int:
    """The counter of a FEN or an EPD, in plies; 0 of other texts and other games, and where moves stand behind it."""
    fields = _FEN.match(text) if game == "chess" else None
    if fields is None or (fields["counter"] and re.match("[^;]*[a-hO0]", text[fields.end() :])):
        return 0
    return int(fields["counter"] or fields["operation"])


def fifty_moves_text(answer: PositionAnswer, text: str) -> str | None:
    """What is said of the counter beside an answer; None where there is nothing to say.

    Args:
        answer: what is known of the position.
        text: by which it was given.
    """
    counter = counter_of(answer.game, text)
    if not counter:
        return None
    left_out = f"the counter of the fifty-move rule ({counter}) is left out"
    sentence = f"{left_out}: chess here has no such rule, chess:fifty has"
    if answer.terminal or not answer.value.exact or not answer.value.lower or not answer.rank:
        return sentence
    plies_left = max(0, MOST_PLIES - counter)
    plies = "1 ply" if answer.rank == 1 else f"{answer.rank} plies"
    if answer.rank <= plies_left:
        return f"{sentence}; the mate is within it ({plies}, {plies_left} left)"
    won = answer.value.lower > 0
    soonest = 1 + ((answer.no_win_within if won else answer.no_loss_within) or 0)
    soonest += soonest % 2 != won  # the winner's own move mates
    known = "not within it" if soonest > plies_left else "not known to be within it"
    reset = "unless a capture or a move of a pawn comes before"
    return f"{sentence}; the mate is {known} ({plies}, {plies_left} left), {reset}"
