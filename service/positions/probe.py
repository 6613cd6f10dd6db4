"""What is known of a position: one order of rules, record and table for every lookup.

The first of these that knows the exact value gives it:

1. the rules, when the game is over there;
2. the stored record, with its ranks and its witness;
3. the table, with rank 0, or with the plies to the end of the game where it holds them.

A table that says fewer plies than the record comes before the record, and so does one that says plies where the record
says none.

If none of them knows the exact value, the probe has the bounds of the record; where a bound is not stored, the end of
the range of the game's values stands for it and is marked as not known. `answer` in
engine/native/records/answers.hpp does the same for batches of keys, and docs/service.md states the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from proofbase.engine.records import Evidence
from proofbase.engine.records.caching import cached_by_bytes
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables, move_by_table
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.positions import oriented_move
from proofbase.storage import Claim, MalformedRecordError, Record, SolutionStore, decode_record

__all__ = [
    "Probe",
    "Records",
    "best_first",
    "best_move",
    "has_no_plies",
    "is_above_tables",
    "move_name",
    "probe_each",
    "probe_position",
    "probe_positions",
    "probe_with_moves",
    "value_of_record",
]


class Records(Protocol):
    """Where encoded records are read: a store, or a store together with what a search has found."""

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        """The records of the keys, in the order asked, None where there is none."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What is known of a position, for its side to move.

    Attributes:
        key: its canonical key.
        value: the interval of its value.
        lower_rank, upper_rank: ranks of the strongest bounds, 0 where a bound is not known. Of a value from a table of
            plies they are the plies, as in a record with the shortest ranks.
        terminal: the game is over: the value is given by the rules.
        record: the stored record, if there is one.
        witness: the move of the position (in its own orientation) that guarantees the lower bound; None where that is
            not known: every move guarantees the least value, and a claim of that names any.
        table: name of the table that the value is from; None when it is not from a table.
        table_plies: the plies to the end that the table says, 0 for draws; None where it holds values only.
        above_tables: a bound may rest on a table without distances below the position.
    """

    key: bytes
    value: Value
    lower_rank: int = 0
    upper_rank: int = 0
    terminal: bool = False
    record: Record | None = None
    witness: int | None = None
    table: str | None = None
    table_plies: int | None = None
    above_tables: bool = False

    @property
    def rank(self) -> int | None:
        """Plies within which all known bounds are realised; None where none is, or one rests on a table of values.

        Those tables hold no distances, so nothing can be said of the plies.
        """
        if self.has_unknown_plies or not self.value.anything_known:
            return None
        return max(self.lower_rank, self.upper_rank)

    @property
    def record_of_value(self) -> Record | None:
        """The record that gives the value; None where there is none, or the value is from a table."""
        return None if self.table is not None else self.record

    @property
    def has_unknown_plies(self) -> bool:
        """Whether the value is from a table of values, or a known bound is a claim that one is the evidence of."""
        if self.table is not None:
            return self.table_plies is None
        if self.record is None or self.above_tables:
            return self.above_tables
        lower, upper = self.record.lower, self.record.upper
        return (lower is not None and has_no_plies(lower) and self.value.lower_known) or (
            upper is not None and has_no_plies(upper) and self.value.upper_known
        )


def has_no_plies(claim: Claim) -> bool:
    """Whether a claim says nothing of plies: it rests on a table of values, or on a draw of a table of plies."""
    return claim.evidence == Evidence.TABLE and claim.rank == 0


def probe_position(
    game: Game[Any], position: Any, data: bytes | None, tables: ValueTables | None = None, *, witness: bool = True
) -> Probe:
    """What is known of a position whose stored record is `data` (None: no record is stored).

    Without `witness` no table is asked for the best move of a position that only a table knows.

    Raises:
        MalformedRecordError: the record is damaged.
        DamagedTableError: the table that the position belongs in is damaged.
    """
    key = game.key(position)
    value = game.terminal(position)
    if value is not None:
        return Probe(key, Value.of(value), terminal=True)
    by_record = _probe_record(game, position, key, data, tables)
    if tables is None:
        return by_record
    if not by_record.value.exact and witness:
        _read_ahead(game, [position], tables)
    if by_record.value.exact and not _has_fewer_plies(tables, position, by_record.value.lower, by_record.rank):
        return by_record
    value = tables.value(position)
    if value is None:
        return by_record
    plies = tables.plies(position)
    return Probe(
        key,
        Value.of(value),
        lower_rank=plies or 0 if value > 0 else 0,
        upper_rank=plies or 0 if value < 0 else 0,
        record=by_record.record,
        witness=move_by_table(game, position, value, plies, tables) if witness else None,
        table=tables.name(position),
        table_plies=plies,
    )


def _read_ahead(game: Game[Any], positions: Sequence[Any], tables: ValueTables | None) -> None:
    """Has tables whose blocks come from afar read those of positions, and of their moves, by few requests."""
    read = getattr(tables, "read_ahead", None)
    if read is not None:
        going_on = [position for position in positions if game.terminal(position) is None]
        read([*positions, *(game.play(position, move) for position in going_on for move in game.moves(position))])


def _has_fewer_plies(tables: ValueTables, position: Any, value: int, rank: int | None) -> bool:
    """Whether a table says that a position has its value within fewer plies than the record says.

    Args:
        tables: of the game.
        position: one whose value a record says.
        value: that value.
        rank: the plies by the record; None or 0 where it says nothing of them.
    """
    if value == 0 or rank == 1:
        return False
    plies = tables.plies(position) or 0
    return plies > 0 and (not rank or plies < rank) and tables.value(position) == value


def probe_each(
    game: Game[Any], positions: Sequence[Any], store: SolutionStore, tables: ValueTables | None = None
) -> list[Probe | MalformedRecordError]:
    """What is known of many positions, or for some of them that their record is damaged; one question to the store."""
    keys = [game.key(position) for position in positions]
    faults: list[MalformedRecordError] = []
    records = store.get_many(game.name, keys, faults)
    damaged = {error.key: error for error in faults}
    probes: list[Probe | MalformedRecordError] = []
    for first in range(0, len(positions), _READ_AHEAD):
        _read_ahead(game, positions[first : first + _READ_AHEAD], tables)
    for position, key, data in zip(positions, keys, records, strict=True):
        if key in damaged and game.terminal(position) is None:
            probes.append(damaged[key])
            continue
        try:
            probes.append(probe_position(game, position, data, tables))
        except MalformedRecordError as error:
            probes.append(error)
    return probes


def probe_positions(
    game: Game[Any], positions: Sequence[Any], records: Records, tables: ValueTables | None = None
) -> list[Probe]:
    """What is known of many positions, with one question to the store."""
    data_of_positions = records.get_many(game.name, [game.key(position) for position in positions])
    return [
        probe_position(game, position, data, tables)
        for position, data in zip(positions, data_of_positions, strict=True)
    ]


def probe_with_moves(
    game: Game[Any], position: Any, records: Records, tables: ValueTables | None = None
) -> tuple[Probe, list[MoveAnswer]]:
    """What is known of a position and of every legal move, moves best first (`best_first`).

    One question to the store. Finished games have no moves.
    """
    if game.terminal(position) is not None:
        return probe_position(game, position, None), []
    moves = list(game.moves(position))
    children = [game.play(position, move) for move in moves]
    data_of_position, *data_of_children = records.get_many(game.name, [game.key(position), *map(game.key, children)])
    _read_ahead(game, [position], tables)
    probe = probe_position(game, position, data_of_position, tables)
    before = data_of_position, game.limit(position)
    repetition, witness = game.repetition(position), probe.witness
    answers, ranks, progress_ranks = list[MoveAnswer](), dict[int, int](), dict[int, int]()
    worths = dict[_Alike, _Worth]()
    for move, child, data in zip(moves, children, data_of_children, strict=True):
        reward, over = game.reward(position, move), game.terminal(child)
        # Moves of which the same is known are worth the same: of many positions, most moves.
        alike = data, 0 if over is not None else game.limit(child), reward, over, move == witness
        worth = worths.get(alike)
        if worth is None:
            worth = _worth_of(game, child, alike, probe, before, tables)
            if tables is None or over is not None:
                worths[alike] = worth
        value, rank, upper_rank, has_plies = worth
        known = value.lower == value.upper
        ranks[move] = rank
        if upper_rank is not None and repetition is not None and value.lower > repetition:
            progress_ranks[move] = upper_rank
        text, after = game.move_text(position, move), game.text(child)
        answers.append(
            MoveAnswer(text, move, value, rank if known and has_plies else None, known, after, over is not None)
        )
    return probe, best_first(answers, progress_ranks, ranks)


_READ_AHEAD = 100
"""Positions whose blocks of tables are read together."""
_Alike = tuple[bytes | None, int, int, "int | None", bool]
"""What the worth of a move follows from, beside its position and the tables: the record of the position after it, the
limit of the values there, the reward, the value where the game is over there, whether it is the witness."""
_Worth = tuple[Value, int, "int | None", bool]
"""Value and rank of a move for the side that makes it, the upper rank of the position after it where the value of that
position is known, and whether the rank of the move counts the plies to the end of the game."""


def _worth_of(
    game: Game[Any],
    child: Any,
    alike: _Alike,
    probe: Probe,
    before: tuple[bytes | None, int],
    tables: ValueTables | None,
) -> _Worth:
    """What a move is worth that leads to `child`. `before` is the record of its position, with the limit of values."""
    data, limit, reward, over, is_witness = alike
    if over is not None:
        return Value.of(reward - over), 1, 0, True
    settled = None if data is None or _hold_values_alone(tables) else _settled_by_record(data, limit, reward)
    if settled is not None:
        by_record, rank = reward - settled[0].lower, settled[1] if settled[3] else 0
        if tables is None or not _has_fewer_plies(tables, child, by_record, max(rank - 1, 0)):
            return settled
    if tables is None and len(data or b"") + len(before[0] or b"") <= _LARGEST_KEPT:
        worth = _worth_by_records(data, limit, reward, is_witness, *before)
        if worth is not None:
            return worth
    # The tables may know more, the records are too large to be kept, or one is damaged, which is raised here.
    after = probe_position(game, child, data, tables, witness=False)
    return _worth_after(probe, after, reward, is_witness=is_witness)


@cached_by_bytes
def _settled_by_record(data: bytes, limit: int, reward: int) -> _Worth | None:
    """A move whose value the record of the position after it gives by itself: that is, most moves of a solution.

    Few records of a game differ, so they are kept: the work is done once for many lookups.

    Returns:
        None where the record gives bounds only, or is damaged.
    """
    try:
        after = _probe_by_record(data, limit)
    except MalformedRecordError:
        return None
    if not after.value.exact:
        return None
    return _worth_after(after, after, reward, is_witness=False)


_LARGEST_KEPT = 256
"""Bytes of the two records by which the worth of a move is kept."""


@lru_cache(maxsize=1 << 12)
def _worth_by_records(
    data: bytes | None, limit: int, reward: int, is_witness: bool, own: bytes | None, own_limit: int
) -> _Worth | None:
    """A move of unknown value, by the records of the positions after it and before it, each with the limit of values.

    Returns:
        None where a record is damaged.
    """
    try:
        after, before = _probe_by_record(data, limit), _probe_by_record(own, own_limit)
    except MalformedRecordError:
        return None
    return _worth_after(before, after, reward, is_witness=is_witness)


def _worth_after(before: Probe, after: Probe, reward: int, *, is_witness: bool) -> _Worth:
    """What a move is worth.

    Args:
        before: what is known of the position; asked only where the value after the move is not known exactly.
        after: what is known of the position after the move.
        reward: what the move adds to the score.
        is_witness: whether the move guarantees the lower bound of the position.
    """
    value = Value(
        reward - after.value.upper, reward - after.value.lower, after.value.upper_known, after.value.lower_known
    )
    rank, has_plies = max(after.lower_rank, after.upper_rank), not after.has_unknown_plies
    rank = rank + 1 if rank or reward or not has_plies else 0  # 0: repetition is worth as much
    upper_rank = after.upper_rank if after.value.exact else None
    if value.exact:
        return value, rank, upper_rank, has_plies
    value, rank, is_narrowed = _narrowed(value, rank, before, is_witness)
    has_plies = has_plies and not (is_narrowed and before.has_unknown_plies)
    known = value.lower_known or value.upper_known
    return value, rank if known else 0, upper_rank, has_plies or not known


def best_first(
    moves: Sequence[MoveAnswer],
    progress_ranks: Mapping[int, int] | None = None,
    ranks: Mapping[int, int] | None = None,
) -> list[MoveAnswer]:
    """Known moves by value; among equals the quickest gain and the slowest loss first. Then the others, unordered.

    Args:
        moves: the moves of a position.
        progress_ranks: for known moves that gain more than repetition would, by number of the move: the rank of the
            claim that the gain rests on. This rank is compared before the plies. It falls along the line, so that the
            line reaches the gain, while by the plies alone a capture before slow play could be put off for ever.
        ranks: for moves, by number, the rank of their value, whether it counts the plies to the end of the game or to a
            table of values.

    A move without either is sorted as if the game ended with it.
    """
    first = progress_ranks or {}
    second = ranks or {}

    def order(answer: MoveAnswer) -> tuple[int, int, int]:
        value = answer.value.lower
        plies = second.get(answer.number, 1 if answer.rank is None else answer.rank)
        return -value, first.get(answer.number, 0), -plies if value < 0 else plies

    known = sorted([answer for answer in moves if answer.known], key=order)
    return known + [answer for answer in moves if not answer.known] if len(known) < len(moves) else known


def best_move(game: Game[Any], position: Any, probe: Probe, moves: Sequence[MoveAnswer]) -> str | None:
    """The best move in text, or else the move that guarantees the lower bound; None when there is neither.

    Args:
        game: the game.
        position: a position.
        probe: what is known of the position.
        moves: its moves, best first.
    """
    if moves and moves[0].known and probe.value.exact and moves[0].value.lower == probe.value.lower:
        return moves[0].move
    return None if probe.witness is None else move_name(game, position, probe.witness)


def move_name(game: Game[Any], position: Any, move: int) -> str:
    """A move in text. A damaged record may name a move that is not legal: then its number in brackets."""
    return game.move_text(position, move) if move in game.moves(position) else f"({move})"


def value_of_record(record: Record, limit: int) -> Value:
    """The interval that a record gives, within the range `-limit` to `limit` of the position's values.

    A bound at the end of the range says nothing, so it counts as known only where the interval is a single value.
    """
    lower = -limit if record.lower is None else max(record.lower.bound, -limit)
    upper = limit if record.upper is None else min(record.upper.bound, limit)
    exact = lower == upper
    return Value(lower, upper, exact or lower > -limit, exact or upper < limit)


def _probe_record(game: Game[Any], position: Any, key: bytes, data: bytes | None, tables: ValueTables | None) -> Probe:
    """What the stored record says of a position where the game goes on."""
    try:
        probed = _probe_by_record(data, game.limit(position))
    except MalformedRecordError as error:
        raise error.at(game.name, key) from None
    witness = None if probed.witness is None else oriented_move(game, position, key, probed.witness)
    return Probe(
        key,
        probed.value,
        probed.lower_rank,
        probed.upper_rank,
        record=probed.record,
        witness=witness,
        above_tables=any(
            is_above_tables(game, position, claim, witness, tables) for claim in _claims_of_known_bounds(probed)
        ),
    )


def _claims_of_known_bounds(probed: Probe) -> list[Claim]:
    if probed.record is None:
        return []
    bounds = (probed.record.lower, probed.value.lower_known), (probed.record.upper, probed.value.upper_known)
    return [claim for claim, is_known in bounds if claim is not None and is_known]


def _hold_values_alone(tables: ValueTables | None) -> bool:
    """Whether the game has tables whose entries are no plies to the end, so that ranks above them are none either."""
    return tables is not None and tables.hold_values_alone()


def is_above_tables(
    game: Game[Any], position: Any, claim: Claim, witness: int | None, tables: ValueTables | None
) -> bool:
    """Whether the rank of a claim may count the plies to a table of values, and not to the end of the game.

    So it is with progress claims by `children`, except where the game is over after the moves of the claim.

    Args:
        game: the game.
        position: the position of the claim.
        claim: a claim about it.
        witness: the move of the claim, in the orientation of the position; None where it has none.
        tables: the tables of the game.
    """
    if claim.evidence != Evidence.CHILDREN or not claim.rank or not _hold_values_alone(tables):
        return False
    moves = game.moves(position) if claim.witness is None else () if witness is None else (witness,)
    ends = claim.rank == 1 and all(game.terminal(game.play(position, move)) is not None for move in moves)
    return not ends or not moves


def _probe_by_record(data: bytes | None, limit: int) -> Probe:
    """What a record says of a position whose values are within `limit`: without its key, its witness as it is stored.

    Raises:
        MalformedRecordError: the record is damaged. The error does not name its place.
    """
    if data is None:
        return Probe(b"", Value.within(limit))
    return _probe_by_bytes(data, limit)


@cached_by_bytes
def _probe_by_bytes(data: bytes, limit: int) -> Probe:
    record = decode_record(data)
    lower, upper, value = record.lower, record.upper, value_of_record(record, limit)
    if record.contradiction() is not None:
        raise MalformedRecordError("the lower bound lies above the upper bound", data)
    if (lower is not None and lower.bound > limit) or (upper is not None and upper.bound < -limit):
        raise MalformedRecordError(f"a bound outside of the values -{limit} to {limit} of this position", data)
    return Probe(
        b"",
        value,
        lower.rank if lower is not None and lower.bound > -limit else 0,
        upper.rank if upper is not None and upper.bound < limit else 0,
        record=record,
        witness=lower.witness if lower is not None and value.lower_known else None,
    )


def _narrowed(value: Value, rank: int, before: Probe, is_witness: bool) -> tuple[Value, int, bool]:
    """The value and the rank of a move, narrowed by what the record of the position itself says, and whether they were.

    No move is worth more than the upper bound of its position, and the witness is worth at least the lower bound. This
    matters where the children are not stored (small searches, lines).
    """
    lower, upper = value.lower, value.upper
    lower_known, upper_known = value.lower_known, value.upper_known
    if before.value.upper_known and before.value.upper < upper:
        upper, rank, upper_known = before.value.upper, max(rank, before.upper_rank), True
    if is_witness and before.value.lower_known and before.value.lower > lower:
        lower, rank, lower_known = before.value.lower, max(rank, before.lower_rank), True
    is_narrowed = (lower, upper) != (value.lower, value.upper)
    if lower > upper:  # the children contradict the record, which a verification finds: show what is stored
        return value, rank, is_narrowed
    exact = lower == upper
    return Value(lower, upper, exact or lower_known, exact or upper_known), rank, is_narrowed
