"""What records of `within:N:GAME`, and tables of plies, prove of the distances of a position and of its moves.

"Not won within n plies" is a claim `upper <= 0` there, "not lost within n plies" a claim `lower >= 0`. With the rank of
a win or a loss in the plain game they are its exact distance (docs/fact-model.md#distances). A table of plies has the
exact distance by itself: the game is not won, or lost, in fewer plies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from proofbase.engine.checking.plain_records import plain_game
from proofbase.engine.records import decode_record
from proofbase.engine.rules import Game
from proofbase.engine.rules.within import FAMILY, PLIES_BYTES
from proofbase.engine.tables import ValueTables
from proofbase.service.answers import MoveAnswer
from proofbase.storage import MalformedRecordError, SolutionStore

__all__ = [
    "NotWithin",
    "ProvedRanks",
    "limits_of_stored_games",
    "with_distances",
    "with_table_distances",
]


class NotWithin(NamedTuple):
    """Within so many plies the side to move is proved not to win, and not to lose; 0: nothing is proved."""

    no_win: int = 0
    no_loss: int = 0


class _Asked(NamedTuple):
    """A position of the plain game, and the rank of its value where it is known."""

    key: bytes
    rank: int | None
    plies_below: int
    """How many plies it is below the position that questions were asked of, as far as that is known."""

    def plies(self, limit: int) -> Iterator[int]:
        """The numbers of plies left to look up in a game with a limit: the question's, and those below the rank."""
        wanted = {limit - self.plies_below}
        if self.rank is not None:
            wanted |= {self.rank - 1, self.rank - 2}
        return (plies for plies in sorted(wanted) if 0 < plies <= limit)


def limits_of_stored_games(store: SolutionStore, game: str) -> list[int]:
    """The N of which the store has records of `within:N:GAME`, ascending."""
    names = (entry.name.split(":", 2) for entry in store.games() if entry.name.startswith(f"{FAMILY}:"))
    return sorted(int(name[1]) for name in names if name[2:] == [game])


def _proved(store: SolutionStore, game: Game[Any], limits: Sequence[int], asked: Sequence[_Asked]) -> list[NotWithin]:
    """What is proved of each position. Damaged records count as absent."""
    proved = [NotWithin() for _ in asked]
    for limit in limits:
        questions = [(at, plies) for at, entry in enumerate(asked) for plies in entry.plies(limit)]
        keys = [asked[at].key + plies.to_bytes(PLIES_BYTES, "big") for at, plies in questions]
        faults: list[MalformedRecordError] = []
        records = store.get_many(f"{FAMILY}:{limit}:{game.name}", keys, faults)
        for (at, plies), data in zip(questions, records, strict=True):
            if data is not None:
                proved[at] = _with_record(proved[at], data, plies)
    return proved


def with_distances(
    store: SolutionStore, game: Game[Any], position: Any, rank: int | None, moves: Sequence[MoveAnswer]
) -> tuple[NotWithin, tuple[MoveAnswer, ...]]:
    """What is proved of a position where the game goes on, and its moves with what is proved of those of known value.

    Of games with rewards nothing is said: there a bound within n plies says nothing of the game.

    Args:
        store: where the records are.
        game: the plain game.
        position: a position of it.
        rank: of its value; None where it is not known.
        moves: its moves.
    """
    limits = limits_of_stored_games(store, game.name)
    if not limits or plain_game(f"{FAMILY}:{limits[0]}:{game.name}") is None:
        return NotWithin(), tuple(moves)
    decided = [move for move in moves if move.known and move.rank is not None and not move.terminal]
    questions = [_Asked(game.key(position), rank, 0)]
    for move in decided:
        assert move.rank is not None
        questions.append(_Asked(game.key(game.play(position, move.number)), move.rank - 1, 1))
    of_position, *others = _proved(store, game, limits, questions)
    proved = {move.number: after for move, after in zip(decided, others, strict=True)}
    return of_position, tuple(_with_proved(move, proved.get(move.number, NotWithin())) for move in moves)


class ProvedRanks:
    """Ranks of positions that are won, or lost, by records of `within:N:GAME`.

    In a plain game that has tables without distances, the rank of a value may count the plies to a table. A game with
    a limit of plies has no such tables.
    """

    def __init__(self, store: SolutionStore, game: Game[Any]) -> None:
        """For positions of a plain game. The games of the store are looked up once, when they are needed."""
        self._store = store
        self._game = game

    @cached_property
    def _limits(self) -> list[int]:
        limits = limits_of_stored_games(self._store, self._game.name)
        return limits if limits and plain_game(f"{FAMILY}:{limits[0]}:{self._game.name}") is not None else []

    def of_position(self, position: Any, value: int) -> int | None:
        """Within how many plies a position, where the game goes on, has this value; None where no record says it."""
        (rank,) = self._ranks([(position, value)], 0)
        return rank

    def of_moves(self, position: Any, moves: Sequence[MoveAnswer], *, plies_below: int = 0) -> list[MoveAnswer]:
        """Moves with the plies that records prove, where nothing else gives the plies.

        Of moves that win as much, those of known plies come first, the quickest before the others.

        Args:
            position: a position of the game.
            moves: its moves, best first.
            plies_below: how many plies the position is below the one that questions were asked of.
        """
        open_moves = [move for move in moves if move.known and move.rank is None and not move.terminal]
        children = [(self._game.play(position, move.number), -move.value.lower) for move in open_moves]
        ranks = self._ranks(children, plies_below + 1)
        proved = {move.number: rank + 1 for move, rank in zip(open_moves, ranks, strict=True) if rank is not None}
        if not proved:
            return list(moves)
        with_ranks = [replace(move, rank=proved.get(move.number, move.rank)) for move in moves]
        won = [move for move in with_ranks if move.known and move.value.lower > 0]
        won.sort(key=lambda move: (-move.value.lower, move.rank is None, move.rank or 0))
        return won + [move for move in with_ranks if not (move.known and move.value.lower > 0)]

    def _ranks(self, valued: Sequence[tuple[Any, int]], plies_below: int) -> list[int | None]:
        """The ranks of positions with their values; None where no record says one."""
        ranks: list[int | None] = [None] * len(valued)
        is_any_decided = any(value for _, value in valued)
        limits = [limit for limit in self._limits if limit > plies_below] if is_any_decided else []
        keys = [self._game.key(position) for position, _ in valued] if limits else []
        for limit in limits:
            name, plies = f"{FAMILY}:{limit}:{self._game.name}", (limit - plies_below).to_bytes(PLIES_BYTES, "big")
            faults: list[MalformedRecordError] = []
            records = self._store.get_many(name, [key + plies for key in keys], faults)
            for at, ((_, value), data) in enumerate(zip(valued, records, strict=True)):
                if ranks[at] is None and data is not None:
                    ranks[at] = _rank_of_decision(data, value)
        return ranks


def _rank_of_decision(data: bytes, value: int) -> int | None:
    """The rank of the claim by which a record says that a position is won, or lost; None where it does not say so."""
    record = decode_record(data)
    if value > 0 and record.lower is not None and record.lower.bound > 0:
        return record.lower.rank
    if value < 0 and record.upper is not None and record.upper.bound < 0:
        return record.upper.rank
    return None


def with_table_distances(
    game: Game[Any], position: Any, proved: NotWithin, moves: Sequence[MoveAnswer], tables: ValueTables
) -> tuple[NotWithin, tuple[MoveAnswer, ...]]:
    """What is proved of a position and of its moves, with what tables of plies say of them.

    Args:
        game: the game.
        position: a position of it where the game goes on.
        proved: what else is proved of it.
        moves: its moves, each with what else is proved of it.
        tables: the tables of the game.
    """
    decided = [move for move in moves if move.known and not move.terminal and move.value.lower != 0]
    by_move = {move.number: _by_table(game.play(position, move.number), tables) for move in decided}
    of_position = _by_table(position, tables)
    return _united(proved, of_position), tuple(
        _with_proved(move, by_move.get(move.number, NotWithin())) for move in moves
    )


def _by_table(position: Any, tables: ValueTables) -> NotWithin:
    plies, value = tables.plies(position), tables.value(position)
    if not plies or not value:
        return NotWithin()
    return NotWithin(no_win=plies - 1) if value > 0 else NotWithin(no_loss=plies - 1)


def _united(one: NotWithin, other: NotWithin) -> NotWithin:
    return NotWithin(max(one.no_win, other.no_win), max(one.no_loss, other.no_loss))


def _with_record(before: NotWithin, data: bytes, plies: int) -> NotWithin:
    """The same, with what a record of a position with so many plies left says."""
    record = decode_record(data)
    no_win = record.upper is not None and record.upper.bound <= 0
    no_loss = record.lower is not None and record.lower.bound >= 0
    return NotWithin(
        max(before.no_win, plies) if no_win else before.no_win,
        max(before.no_loss, plies) if no_loss else before.no_loss,
    )


def _with_proved(move: MoveAnswer, after: NotWithin) -> MoveAnswer:
    """The move with what is proved of the position after it, seen by the side that moves: one ply earlier."""
    if not any(after):
        return move
    no_win, no_loss = (plies + 1 if plies else 0 for plies in (after.no_loss, after.no_win))
    united = _united(NotWithin(move.no_win_within, move.no_loss_within), NotWithin(no_win, no_loss))
    return replace(move, no_win_within=united.no_win, no_loss_within=united.no_loss)
