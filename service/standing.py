"""What the rules and one stored record say of one position, before it is dressed up as an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from proofbase.engine.records import decode_record
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.positions import oriented_move
from proofbase.storage import MalformedRecordError, Record

__all__ = ["Records", "Standing", "best_first", "stand", "stand_many", "stand_with_moves", "value_of"]


class Records(Protocol):
    """Where encoded records are read: a store, or what stands for one."""

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        """The records of the keys, in the order asked, None where there is none."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a position, for its side to move.

    Attributes:
        key: its canonical key.
        value: the interval of its value.
        lower_rank, upper_rank: ranks of the strongest bounds, 0 where a bound is not known.
        terminal: the game is over: the value is the rules' own.
        record: the stored record, if there is one.
        witness: the move of the position (in its own orientation) that guarantees the lower bound.
        table: name of the table that the value is from, where no record says as much.
    """

    key: bytes
    value: Value
    lower_rank: int = 0
    upper_rank: int = 0
    terminal: bool = False
    record: Record | None = None
    witness: int | None = None
    table: str | None = None

    @property
    def rank(self) -> int:
        """Plies within which all known bounds are realised."""
        return max(self.lower_rank, self.upper_rank)


def stand(game: Game[Any], position: Any, data: bytes | None, tables: ValueTables | None = None) -> Standing:
    """The standing of a position whose stored record is `data` (None: none is stored).

    Raises:
        MalformedRecordError: the record is damaged.
        DamagedTableError: the table that the position belongs in is.
    """
    here = _by_record(game, position, data)
    if tables is None or here.value.exact:
        return here
    entry = tables.value(position)
    if entry is None:
        return here
    witness = _worth(game, position, entry, tables)
    value = Value(entry, entry, True, True)
    return Standing(here.key, value, record=here.record, witness=witness, table=tables.name(position))


def _worth(game: Game[Any], position: Any, value: int, tables: ValueTables) -> int | None:
    """The first move that is worth so much by the tables."""
    for move in game.moves(position):
        child = game.play(position, move)
        after = game.terminal(child)
        if after is None:
            after = tables.value(child)
        if after is not None and game.reward(position, move) - after == value:
            return move
    return None


def _by_record(game: Game[Any], position: Any, data: bytes | None) -> Standing:
    key = game.key(position)
    value = game.terminal(position)
    if value is not None:
        return Standing(key, Value(value, value, True, True), terminal=True)
    limit = game.limit(position)
    if data is None:
        return Standing(key, Value(-limit, limit, False, False))
    try:
        record = decode_record(data)
    except MalformedRecordError as error:
        raise error.at(game.name, key) from None
    lower, upper = record.lower, record.upper
    witness = None
    if lower is not None and lower.witness is not None:
        witness = oriented_move(game, position, key, lower.witness)
    found = value_of(record, limit)
    return Standing(
        key,
        found,
        lower.rank if lower is not None and lower.bound > -limit else 0,
        upper.rank if upper is not None and upper.bound < limit else 0,
        record=record,
        witness=witness,
    )


def stand_many(
    game: Game[Any], positions: Sequence[Any], store: Records, tables: ValueTables | None = None
) -> list[Standing]:
    """The standings of many positions with one question to the store."""
    records = store.get_many(game.name, [game.key(position) for position in positions])
    return [stand(game, position, data, tables) for position, data in zip(positions, records, strict=True)]


def value_of(record: Record, highest: int) -> Value:
    """The interval that a record gives, within the game's range.

    A bound at the end of the range says nothing, so it counts as known only where the interval is a single value.
    """
    lower = -highest if record.lower is None else max(record.lower.bound, -highest)
    upper = highest if record.upper is None else min(record.upper.bound, highest)
    exact = lower == upper
    return Value(lower, upper, exact or lower > -highest, exact or upper < highest)


def stand_with_moves(
    game: Game[Any], position: Any, store: Records, tables: ValueTables | None = None
) -> tuple[Standing, list[MoveAnswer]]:
    """The standing of a position, and every legal move with what is known of it, best first (`best_first`).

    One question to the store. Finished games have no moves.
    """
    if game.terminal(position) is not None:
        return stand(game, position, None), []
    moves = list(game.moves(position))
    children = [game.play(position, move) for move in moves]
    keys = [game.key(place) for place in (position, *children)]
    own, *records = store.get_many(game.name, keys)
    here = stand(game, position, own, tables)
    rho = game.repetition(position)
    answers, progress, untold = list[MoveAnswer](), dict[int, int](), dict[tuple[int, bool, int], tuple[Value, int]]()
    for move, child, data in zip(moves, children, records, strict=True):
        reward, after = game.reward(position, move), None
        if data is not None or tables is not None or game.terminal(child) is not None:
            after = stand(game, child, data, tables)
            value, rank = _told(here, after, move, reward)
            if rho is not None and after.value.exact and value.lower > rho:
                progress[move] = after.upper_rank
        else:  # most moves of a large game: what nothing tells of one, nothing tells of another
            alike = reward, move == here.witness, game.limit(child)
            if alike not in untold:
                untold[alike] = _told(here, _by_record(game, child, None), move, reward)
            value, rank = untold[alike]
        answers.append(
            MoveAnswer(
                move=game.move_text(position, move),
                number=move,
                value=value,
                rank=rank,
                known=value.exact,
                position=game.text(child),
                terminal=after is not None and after.terminal,
            )
        )
    return here, best_first(answers, progress)


def _told(here: Standing, after: Standing, move: int, reward: int) -> tuple[Value, int]:
    """Value and rank of a move by what is known of the position after it and of the position itself."""
    value, rank = _seen_by_mover(after, reward), after.rank + 1
    if not value.exact:
        value, rank = _narrowed(value, rank, here, move)
    return value, rank if value.lower_known or value.upper_known else 0


def best_first(moves: Sequence[MoveAnswer], progress: Mapping[int, int] | None = None) -> list[MoveAnswer]:
    """Known moves by value; among equals the quickest gain and the slowest loss first. Then the others, unordered.

    Args:
        moves: the moves of a position.
        progress: by number, for known moves that gain more than repetition would: the rank of the claim that the gain
            rests on. It comes before the plies of all that is known: it falls along the line, so whoever follows it
            arrives, while a capture that is followed by slow play could be put off for ever.
    """

    def place(answer: MoveAnswer) -> tuple[int, int, int]:
        value = answer.value.lower
        urgent = 0 if progress is None else progress.get(answer.number, 0)
        return -value, urgent, -answer.rank if value < 0 else answer.rank

    known = sorted((answer for answer in moves if answer.known), key=place)
    return known + [answer for answer in moves if not answer.known]


def _seen_by_mover(after: Standing, reward: int) -> Value:
    value = after.value
    return Value(reward - value.upper, reward - value.lower, value.upper_known, value.lower_known)


def _narrowed(value: Value, rank: int, here: Standing, move: int) -> tuple[Value, int]:
    """Adds what the record of the position itself says of a move.

    No move is worth more than its upper bound, and the witness is worth at least its lower bound. It matters where the
    children are not stored (small searches, lines).
    """
    lower, upper = value.lower, value.upper
    lower_known, upper_known = value.lower_known, value.upper_known
    if here.value.upper_known and here.value.upper < upper:
        upper, rank, upper_known = here.value.upper, max(rank, here.upper_rank), True
    if move == here.witness and here.value.lower_known and here.value.lower > lower:
        lower, rank, lower_known = here.value.lower, max(rank, here.lower_rank), True
    if lower > upper:  # the children contradict the record: a verification will tell; show what is stored
        return value, rank
    exact = lower == upper
    return Value(lower, upper, exact or lower_known, exact or upper_known), rank
