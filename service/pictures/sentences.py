"""What a position is worth, in a sentence: Red wins within 17 moves, whatever Yellow does; best is 6."""

from __future__ import annotations

from typing import NamedTuple

from proofbase.service.answers import MoveAnswer, PositionAnswer
from proofbase.service.pictures.boards import side_text
from proofbase.service.pictures.boards.board import CLASSES
from proofbase.service.pictures.markup import Markup, tag
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import is_built_in, outcome_of, result_text, value_text

__all__ = ["Verdict", "best_moves", "in_words", "verdict", "verdict_line"]

MOST_NAMED = 3
NOT_STORED = " A search has found this just now; it is not stored."


class Verdict(NamedTuple):
    """A sentence about a value, and the class that colours it."""

    kind: str
    text: str


def verdict(answer: PositionAnswer, highest: int) -> Verdict:
    """What is known of a position.

    Args:
        answer: what is known.
        highest: limit of the game's values.
    """
    kind = CLASSES[outcome_of(answer.value, answer.score)] if answer.value.anything_known else "open"
    text = _over(answer, highest) if answer.terminal else _known(answer, highest)
    if answer.searched is not None and answer.value.exact:
        text += NOT_STORED
    return Verdict(kind, text)


def verdict_line(answer: PositionAnswer, highest: int, *, searched: bool = False) -> Markup:
    """The same as a line of a page; with `searched`, where searches of the moves have found the value."""
    kind, sentence = verdict(answer, highest)
    sentence += NOT_STORED if searched else ""
    return tag("p", sentence, class_=f"verdict {kind}", id="value")


def _over(answer: PositionAnswer, highest: int) -> str:
    value = answer.value.lower
    if highest > 1 and is_built_in(answer.game):
        return f"The game is over: {side_text(answer.side, answer.game)} {_result(answer)}."
    if value == 0:
        return "The game is over: a draw."
    margin = f" by {abs(value)}" if highest > 1 else ""
    return f"The game is over: {_names(answer)[value < 0]} has won{margin}."


def _names(answer: PositionAnswer) -> tuple[str, str]:
    """What the side to move and the other side are called. A game of a user may not say whose move it is."""
    if not is_built_in(answer.game):
        return "the side to move", "the other side"
    return side_text(answer.side, answer.game), side_text(1 - answer.side, answer.game)


def _result(answer: PositionAnswer) -> str:
    """`has won by 3`, `has lost by 5`, `has a draw`."""
    return f"has {result_text(answer.value, answer)}"


def _known(answer: PositionAnswer, highest: int) -> str:
    value = answer.value
    if not value.anything_known:
        mover = f", with {_names(answer)[0]} to move," if is_built_in(answer.game) else ""
        return f"Not solved yet: who wins{mover} is not known."
    name, other = _names(answer)
    name = name[:1].upper() + name[1:]
    if highest != 1:
        return _number(answer, name)
    if not value.exact:
        words = GameWords.of(answer.game, built_in_only=True)
        refuted = words.of_position(answer).partition(", ")[2]
        more = f" ({refuted})" if refuted else ""
        if value.lower_known:
            return f"{name} has at least a draw; whether it wins is not known{more}."
        return f"{name} cannot win; whether it can draw is not known{more}."
    best = best_moves(answer)
    if value.lower == 0:
        every = len(best) == len(answer.moves) > 1
        return f"A draw with best play{'; every move keeps it' if every else _best(best)}."
    if value.lower > 0:
        if answer.rank == 1:
            return f"{name} {_verb(answer)} with the next move{_best(best)}."
        return f"{name} {_distance(answer, won=True)}, whatever {other} does{_best(best)}."
    longest = best and best[0].rank is not None
    last = f"; {_named(best)} {'holds' if len(best) == 1 else 'hold'} out longest" if longest else ""
    return f"{name} loses, whatever it plays: {other} {_distance(answer, won=False)}{last}."


def _number(answer: PositionAnswer, name: str) -> str:
    """A value in a game of more values than three."""
    value, best = answer.value, best_moves(answer)
    if not is_built_in(answer.game):
        return f"{name} gets {value_text(value, 0)} with best play{_best(best)}."
    result = result_text(value, answer)
    if result == "open":
        return f"{name} gets {value_text(value, 0)} from here; who wins is not known."
    played = {"won": "wins", "lost": "loses", "a": "has a", "at": "has at"}
    first, _, rest = result.partition(" ")
    text = f"{name} {played[first]} {rest} with best play"
    if answer.score and value.exact:
        text += f" ({answer.score:+d} so far, {f'{value.lower:+d}' if value.lower else '0'} from here)"
    return f"{text}{_best(best)}."


def _verb(answer: PositionAnswer) -> str:
    words = GameWords.of(answer.game, built_in_only=True)
    return "mates" if words.players is not None and words.players.win == "mate" else "wins"


def _distance(answer: PositionAnswer, *, won: bool) -> str:
    """`wins within 17 moves`, `mates in 3`, for the side that wins."""
    words = GameWords.of(answer.game, built_in_only=True)
    verb = _verb(answer)
    mates = verb == "mates"
    if answer.rank is None or not answer.rank:
        return verb
    value_words = words.of_position(answer)
    shortest = "(proved" in value_words and " in " in value_words.partition("(")[0].partition(",")[0]
    moves = (answer.rank + 1) // 2
    if won and words.wins_by_own_move and answer.rank % 2 == 0:
        moves = answer.rank // 2
    unit = "" if mates else " move" if moves == 1 else " moves"
    text = f"{verb} {'in' if shortest else 'within'} {moves}{unit}"
    if shortest:
        return f"{text} (proved {'shortest' if won else 'longest'})" if moves > 1 else text
    refuted = value_words.partition(", ")[2]
    return f"{text} ({refuted.removesuffix(' (proved)')}: proved)" if refuted and won else text


def best_moves(answer: PositionAnswer) -> list[MoveAnswer]:
    """The moves that are worth what the position is worth, those that win soonest or hold out longest only."""
    if not answer.value.exact:
        return []
    best = [move for move in answer.moves if move.known and move.value.lower == answer.value.lower]
    if not best:
        return [move for move in answer.moves if move.move == answer.witness]
    ranks = [move.rank for move in best if move.rank is not None]
    if not ranks or answer.value.lower == 0:
        return best
    wanted = min(ranks) if answer.value.lower > 0 else max(ranks)
    return [move for move in best if move.rank == wanted]


def _best(moves: list[MoveAnswer]) -> str:
    if not moves:
        return ""
    return f"; best {'is' if len(moves) == 1 else 'are'} {_named(moves)}"


def _named(moves: list[MoveAnswer]) -> str:
    names = [move.move for move in moves]
    if len(names) > MOST_NAMED + 1:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} others"]
    return in_words(names)


def in_words(names: list[str]) -> str:
    """`1`, `1 and 3`, `1, 3 and 5`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
