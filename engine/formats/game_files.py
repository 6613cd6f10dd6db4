"""The formats in which lines of play and proofs are written for other programs, each with the games that it is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from proofbase.engine.formats.pgn import Branch, write_pgn
from proofbase.engine.formats.sgf import FAMILIES, write_sgf
from proofbase.engine.games import canonical_alias
from proofbase.engine.rules import Game

__all__ = ["FORMATS", "Branch", "FileFormat"]

Writer = Callable[[Game[Any], Any, Sequence[int], Sequence[Branch], str], str]


class FileFormat(NamedTuple):
    """A format.

    Attributes:
        name: in capital letters.
        families: of the games that it is for.
        write: a game, its first position, its moves, what may follow, and a remark about the position after the moves.
    """

    name: str
    families: tuple[str, ...]
    write: Writer

    def takes(self, game: str) -> bool:
        """Whether a game of that name is written in the format."""
        return canonical_alias(game).partition(":")[0] in self.families


def _sgf(game: Game[Any], start: Any, moves: Sequence[int], below: Sequence[Branch], comment: str) -> str:
    return write_sgf(game, start, moves, below, comment=comment)


def _pgn(game: Game[Any], start: Any, moves: Sequence[int], below: Sequence[Branch], comment: str) -> str:
    return write_pgn(game, start, moves, below, comment=comment).rstrip("\n")


FORMATS: dict[str, FileFormat] = {
    "sgf": FileFormat("SGF", FAMILIES, _sgf),
    "pgn": FileFormat("PGN", ("chess", "giveaway"), _pgn),
    "pdn": FileFormat("PDN", ("checkers",), _pgn),
}
