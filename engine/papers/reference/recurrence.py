"""The textbook algorithms take a game at its word that no position comes back; where one does, they say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofbase.engine.errors import BrokenGameError, quoted
from proofbase.engine.rules.game import Game

__all__ = ["refuse_recurrence"]

MOST_MOVES = 40


def refuse_recurrence(game: Game[Any], line: Sequence[Any]) -> None:
    """Raises BrokenGameError: the last position of a line of play is the first one again, up to symmetry."""
    position, moves = line[0], list[str]()
    for after in line[1:]:
        for move in game.moves(position):
            child = game.play(position, move)
            if game.key(child) == game.key(after):
                moves.append(game.move_text(position, move))
                position = child
                break
    listed = " ".join(moves[:MOST_MOVES]) + (f" ... ({len(moves)} moves)" if len(moves) > MOST_MOVES else "")
    raise BrokenGameError(
        f"{game.name}: acyclic is True, but from {quoted(game.text(line[0]), 100)} the moves {listed} lead back to it"
    )
