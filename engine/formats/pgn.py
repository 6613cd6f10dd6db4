"""Games and proofs of chess and giveaway chess in PGN, the Portable Game Notation (S. J. Edwards, 1994).

Those of checkers are written in PDN, the Portable Draughts Notation, which has the same form: Black moves first there.

A line of play is a game; a proof is a game with variations: where the side that is proved to win is to move there is
its move, where the other side is to move there are all replies, the first of them in the main line.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from proofbase.engine.rules import Game, open_rules

__all__ = ["CHECKERS_TYPE", "VARIANTS", "Branch", "write_pgn"]

P = TypeVar("P")
WIDTH = 79
"""Characters of a line of moves, at most (8.2.1 of the standard asks for fewer than 80)."""
VARIANTS = {"giveaway": "Giveaway", "giveaway:antichess": "Antichess"}
"""The tag `Variant` of the games that are not chess, as programs that read PGN know it."""
CHECKERS_TYPE = "21"
"""The tag `GameType` of checkers in PDN."""


@dataclass(slots=True)
class Branch:
    """A move, what is said of it, and what may follow: the first branch belongs to the same line, others vary it."""

    move: int
    comment: str = ""
    replies: list[Branch] = field(default_factory=list)


def write_pgn(
    game: Game[P], start: P, moves: Sequence[int] = (), below: Sequence[Branch] = (), *, comment: str = ""
) -> str:
    """A game in PGN: the moves from a position, and the variations behind them.

    Args:
        game: chess, giveaway chess or checkers, native or in Python.
        start: where the game begins.
        moves: that were played.
        below: what may follow.
        comment: about the position after the moves.

    Raises:
        ValueError: another game.
        InvalidMoveError: a move is not legal.
    """
    if game.name.partition(":")[0] not in ("chess", "giveaway", "checkers"):
        raise ValueError(f"{game.name} is not written as PGN: chess, giveaway and checkers are")
    rules = open_rules(game.name)
    first = position = rules.parse(game.text(start))
    words = [_braced(comment)] if comment and not moves else []
    numbered = True
    ply = rules.side(first)
    for number, move in enumerate(moves, 1):
        words += _number(ply, numbered=numbered)
        words.append(rules.move_text(position, move))
        position, ply = rules.play(position, move), ply + 1
        numbered = number == len(moves) and bool(comment)
        words += [_braced(comment)] if numbered else []
    result = _result(rules, _last(rules, position, below))
    words += [*_variations(rules, position, below, ply, numbered=numbered or not moves), result]
    text = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f'[{name} "{value}"]' for name, value in _tags(rules, first, result)) + f"\n\n{text}\n"


def _tags(rules: Game[Any], start: Any, result: str) -> Iterator[tuple[str, str]]:
    """The seven tags that every game has, then the variant and the position."""
    yield "Event", f"{rules.name} by proofbase"
    yield "Site", "?"
    yield "Date", "????.??.??"
    yield from ((name, "?") for name in ("Round", "White", "Black"))
    yield "Result", result
    if rules.name == "checkers":
        yield "GameType", CHECKERS_TYPE
    if rules.name in VARIANTS:
        yield "Variant", VARIANTS[rules.name]
    if start != rules.initial():
        yield "SetUp", "1"
        yield "FEN", rules.text(start)


def _last(rules: Game[Any], position: Any, below: Sequence[Branch]) -> Any:
    """The position at the end of the main line."""
    while below:
        position, below = rules.play(position, below[0].move), below[0].replies
    return position


def _result(rules: Game[Any], last: Any) -> str:
    """Who has won at the end of the main line, White's points first; `*` where the game goes on."""
    value = rules.terminal(last)
    if value is None:
        return "*"
    if value == 0:
        return "1/2-1/2"
    white = 1 if rules.name == "checkers" else 0
    return "1-0" if (value > 0) == (rules.side(last) == white) else "0-1"


def _variations(rules: Game[Any], position: Any, below: Sequence[Branch], ply: int, *, numbered: bool) -> list[str]:
    """The words of all lines below a position. Without recursion: a proof may be deep.

    Args:
        rules: of the game.
        position: where the branches begin.
        below: the branches.
        ply: of their moves, counted from 0 where the first side moves first.
        numbered: whether a move of the second side has its number here: at the beginning, and behind what is no move.
    """
    words: list[str] = []
    # What is still to be written, the next last: words, or a line from a position on.
    entries: list[str | tuple[Any, Sequence[Branch], int]] = [(position, below, ply)]
    while entries:
        entry = entries.pop()
        if isinstance(entry, str):
            words.append(entry)
            numbered = True
            continue
        position, branches, ply = entry
        if not branches:
            continue
        main, *others = branches
        words += _written(rules, position, main, ply, numbered=numbered)
        numbered = bool(main.comment)
        entries.append((rules.play(position, main.move), main.replies, ply + 1))
        for other in reversed(others):
            entries += [")", (position, [other], ply), "("]
    return _joined_brackets(words)


def _written(rules: Game[Any], position: Any, branch: Branch, ply: int, *, numbered: bool) -> list[str]:
    """A move with its number, where it has one here, and with its comment."""
    words = [*_number(ply, numbered=numbered), rules.move_text(position, branch.move)]
    return [*words, _braced(branch.comment)] if branch.comment else words


def _number(ply: int, *, numbered: bool) -> list[str]:
    if ply % 2 == 0:
        return [f"{ply // 2 + 1}."]
    return [f"{ply // 2 + 1}..."] if numbered else []


def _joined_brackets(words: Sequence[str]) -> list[str]:
    """Brackets at the words that they enclose."""
    joined: list[str] = []
    opening = ""
    for word in words:
        if word == "(":
            opening += word
        elif word == ")":
            joined[-1] += word
        else:
            joined.append(opening + word)
            opening = ""
    return joined


def _braced(comment: str) -> str:
    """A comment, which cannot contain the bracket that ends it."""
    return "{" + comment.replace("{", "(").replace("}", ")") + "}"
