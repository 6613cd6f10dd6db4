"""What a problem is, and how it is read: the position, and what its text says of the length and the key."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from proofbase.engine.errors import InvalidMoveError
from proofbase.engine.formats.problems import keys_of_solution, stipulated_moves
from proofbase.engine.formats.reading import is_game_record, read_any_move, read_text
from proofbase.engine.rules import Game, is_built_in, open_rules
from proofbase.engine.rules.within import FAMILY

__all__ = ["Problem", "is_offered", "read_problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be examined.

    Attributes:
        game: its name.
        position: its text.
        moves: in so many moves the side to move is to win; None: in as few as can be.
        intended: keys of the author; another one is a cook. None: not known.
        seconds: for all questions together; None: no limit.
        nodes: that the search of each question may create; None: no limit.
    """

    game: str
    position: str
    moves: int | None = None
    intended: tuple[str, ...] = ()
    seconds: float | None = None
    nodes: int | None = None


def is_offered(game: str) -> bool:
    """Whether problems are of a game: a built-in one that is won, drawn or lost, without a limit of plies."""
    if not is_built_in(game) or game.startswith(f"{FAMILY}:"):
        return False
    rules = open_rules(game)
    return rules.highest_value == 1 and not rules.has_rewards()


def read_problem(
    game: Game[Any],
    text: str,
    *,
    moves: int | None = None,
    keys: Sequence[str] = (),
    seconds: float | None = None,
    nodes: int | None = None,
) -> Problem:
    """The problem of a text: `dm 3` and `bm #3` of EPD are its length, `bm Qh7` and a written solution its keys.

    A game that begins with a diagram (`FEN` of PGN, `AB` and `AW` of SGF) is a problem with its solution; of any other
    game the position after its moves is the problem.

    Args:
        game: that the position is of.
        text: of the position, in any form.
        moves: the length, whatever the text says.
        keys: of the author, whatever the text says.
        seconds, nodes: limits, as of `Problem`.

    Raises:
        InvalidPositionError, InvalidMoveError: the text is no position, or a key is no move.
        ValueError: the side to move is said to be mated.
    """
    read = read_text(game, text)
    position = read.position
    lengths, intended = list[int](), list[str]()
    if read.moves and is_game_record(game, text) and game.key(read.start) != game.key(game.initial()):
        position = read.start  # the moves of a record that begins with a diagram are its solution
        intended.append(game.move_text(position, read.moves[0]))
    for operation in read.operations:
        words = [word.rstrip(",") for word in operation.operands]
        if operation.code == "dm" or (operation.code == "bm" and words and words[0].startswith("#")):
            with suppress(ValueError):
                lengths.append(int(words[0].lstrip("#+")))
        elif operation.code == "bm":
            intended += [_legal(game, position, word) or word for word in words]  # one that is illegal fails as a key
    if game.name.partition(":")[0] == "chess":
        lengths += [number for number in (stipulated_moves(text),) if number is not None]
        intended += filter(None, (_legal(game, position, word) for word in keys_of_solution(text)))
    if moves is None and lengths and lengths[0]:
        if lengths[0] < 0:
            raise ValueError(f"{game.text(position)}: the side to move is said to be mated, which is no direct mate")
        moves = lengths[0]
    if keys:
        intended = [game.move_text(position, read_any_move(game, position, key)) for key in keys]
    return Problem(game.name, game.text(position), moves, tuple(intended), seconds, nodes)


def _legal(game: Game[Any], position: Any, word: str) -> str | None:
    """A move as the game writes it; None where it is none."""
    try:
        return game.move_text(position, read_any_move(game, position, word))
    except InvalidMoveError:
        return None
