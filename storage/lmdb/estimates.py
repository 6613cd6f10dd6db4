"""Estimates in LMDB: a row each, with a checksum.

The key of a row holds the length of the position's key, so that the estimates of one position are neighbours with
nothing between them. A damaged row counts as absent.
"""

from __future__ import annotations

import logging
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import lmdb

from proofbase.storage.arguments import MAX_NAME_CHARACTERS, check_text
from proofbase.storage.errors import RulesVersionError, StoreDamagedError
from proofbase.storage.estimates import MAX_KEY_BYTES, Estimate, EstimateStore, Question, surplus
from proofbase.storage.lmdb.environment import Environment, Unchanged
from proofbase.storage.lmdb.guarded_reads import in_blocks
from proofbase.storage.lmdb.records import GameRow
from proofbase.storage.lmdb.rows import damaged_row, open_row, seal_row

if TYPE_CHECKING:
    Transaction = lmdb.Transaction[bytes]

__all__ = ["LmdbEstimates", "estimate_row", "read_estimate"]

_log = logging.getLogger(__name__)
_PLACE = struct.Struct(">IH")
_BOUND = struct.Struct(">I")
_NUMBERS = struct.Struct(">QQQd")
_FORM = b"\1"
"""What a row begins with: a later release may write another form."""


class LmdbEstimates(EstimateStore):
    """The estimates of an LMDB store.

    Args:
        environment: the files of the store.
        check_writable: raises where the store is closed or open read-only.
    """

    def __init__(self, environment: Environment, check_writable: Callable[[], None]) -> None:
        self._environment = environment
        self._check_writable = check_writable

    @property
    def _database(self) -> lmdb._Database | None:
        return self._environment.dbs.estimates

    def get_many(self, game: str, questions: Iterable[Question]) -> list[Estimate | None]:
        with self._environment.read() as txn:
            prefix = self._prefix(txn, game)
            if prefix is None:
                return [None for _ in questions]
            return [self._get(txn, prefix, *question) for question in questions]

    def of_position(self, game: str, key: bytes) -> list[Estimate]:
        with self._environment.read() as txn:
            prefix = self._prefix(txn, game)
            if prefix is None or len(key) > MAX_KEY_BYTES:
                return []
            return list(self._rows(txn, _PLACE.pack(prefix, len(key)) + key))

    def put_many(self, game: str, estimates: Iterable[Estimate], *, rules_version: int) -> int:
        self._check_writable()
        check_text("the name of a game", game, MAX_NAME_CHARACTERS)
        given = list(estimates)

        def put(txn: Transaction) -> int:
            number = self._enter_game(txn, game, rules_version)
            changed = 0
            for estimate in given:
                if estimate.replaces(self._get(txn, number, *estimate.question)):
                    txn.put(*estimate_row(number, estimate), db=self._database)
                    changed += 1
            if not changed:
                raise Unchanged(0)
            self._keep_within_limit(txn)
            return changed

        return self._environment.write(put)

    def _keep_within_limit(self, txn: Transaction) -> None:
        assert self._database is not None, "a store that is open for writing has all databases"
        count = txn.stat(self._database)["entries"]
        if count > self.limit:
            for place in surplus(self._works(txn), count, self.limit):
                txn.delete(place, db=self._database)

    def _works(self, txn: Transaction) -> Iterator[tuple[int, float, bytes]]:
        """The work and the time of all estimates; a damaged one has neither, so that it goes first."""
        for place, row in txn.cursor(self._database):
            estimate = _sound(place, row)
            yield (-1, 0.0, place) if estimate is None else (estimate.work, estimate.updated, place)

    def drop(self, game: str, questions: Iterable[Question]) -> int:
        self._check_writable()
        wanted = sorted(set(questions))

        def drop(txn: Transaction) -> int:
            number = self._prefix(txn, game)
            if number is None:
                raise Unchanged(0)
            dropped = sum(txn.delete(_place(number, *question), db=self._database) for question in wanted)
            if not dropped:
                raise Unchanged(0)
            return dropped

        return self._environment.write(drop) if wanted else 0

    def scan(self, game: str) -> Iterator[Estimate]:
        with self._environment.read() as txn:
            number = self._prefix(txn, game)
            if number is not None:
                yield from in_blocks(self._environment.look, self._rows(txn, number.to_bytes(4, "big")))

    def count(self) -> int:
        with self._environment.read() as txn:
            return 0 if self._database is None else int(txn.stat(self._database)["entries"])

    def hold(self, game: str, question: Question, job: str, *, instead_of: str | None, rules_version: int) -> str:
        self._check_writable()
        check_text("the name of a game", game, MAX_NAME_CHARACTERS)

        def hold(txn: Transaction) -> str:
            place = _place(self._enter_game(txn, game, rules_version), *question)
            holder = self._holder(txn, place)
            if holder is not None and holder != instead_of:
                raise Unchanged(holder)
            row = seal_row("question_holders", place, job.encode())
            txn.put(place, row, db=self._environment.dbs.question_holders)
            return job

        return self._environment.write(hold)

    def release(self, game: str, question: Question, job: str) -> None:
        self._check_writable()

        def release(txn: Transaction) -> None:
            number = self._prefix(txn, game)
            place = b"" if number is None else _place(number, *question)
            if not place or self._holder(txn, place) != job:
                raise Unchanged(None)
            txn.delete(place, db=self._environment.dbs.question_holders)

        self._environment.write(release)

    def _holder(self, txn: Transaction, place: bytes) -> str | None:
        """The job that manages a question; a damaged row holds nothing."""
        row = txn.get(place, db=self._environment.dbs.question_holders)
        try:
            return None if row is None else open_row("question_holders", place, row, sealed=True).decode()
        except (StoreDamagedError, UnicodeDecodeError) as error:
            _log.warning("%s", error)
            return None

    def _prefix(self, txn: Transaction, game: str) -> int | None:
        """The number of a game; None where there is nothing of it."""
        row = txn.get(game.encode()[:500], db=self._environment.dbs.games) if game else None
        return None if row is None or self._database is None else GameRow.unpack(game.encode(), row).number

    def _enter_game(self, txn: Transaction, game: str, rules_version: int) -> int:
        """The number of a game, which gets an entry if it has none."""
        name, games = game.encode(), self._environment.dbs.games
        row = txn.get(name, db=games)
        if row is None:
            taken = [GameRow.unpack(other, row).number for other, row in txn.cursor(games)]
            entry = GameRow(max(taken, default=0) + 1, rules_version, 0, 0, 0)
            txn.put(name, entry.pack(name), db=games)
            return entry.number
        entry = GameRow.unpack(name, row)
        if entry.rules_version != rules_version:
            raise RulesVersionError(game, entry.rules_version, rules_version)
        return entry.number

    def _get(self, txn: Transaction, number: int, key: bytes, bound: int) -> Estimate | None:
        if not 0 < len(key) <= MAX_KEY_BYTES:
            return None
        place = _place(number, key, bound)
        row = txn.get(place, db=self._database)
        return None if row is None else _sound(place, row)

    def _rows(self, txn: Transaction, prefix: bytes) -> Iterator[Estimate]:
        cursor = txn.cursor(self._database)
        if cursor.set_range(prefix):
            for place, row in cursor:
                if not place.startswith(prefix):
                    return
                estimate = _sound(place, row)
                if estimate is not None:
                    yield estimate


def _place(number: int, key: bytes, bound: int) -> bytes:
    return _PLACE.pack(number, len(key)) + key + _BOUND.pack(bound + 2**31)


def estimate_row(number: int, estimate: Estimate) -> tuple[bytes, bytes]:
    """The key and the row of an estimate of the game of this number."""
    place = _place(number, estimate.key, estimate.bound)
    numbers = _NUMBERS.pack(estimate.proof, estimate.disproof, estimate.work, estimate.updated)
    row = _FORM + numbers + f"{estimate.algorithm}\0{estimate.job}".encode()
    return place, seal_row("estimates", place, row)


def read_estimate(place: bytes, stored: bytes) -> Estimate:
    """Inverse of `estimate_row`.

    Raises:
        StoreDamagedError: the row is not what was stored.
    """
    row = open_row("estimates", place, stored, sealed=True)
    try:
        if row[:1] != _FORM:
            raise ValueError("it is of a later release")
        algorithm, job = row[1 + _NUMBERS.size :].decode().split("\0")
        [bound] = _BOUND.unpack(place[-_BOUND.size :])
        key = place[_PLACE.size : -_BOUND.size]
        proof, disproof, work, updated = _NUMBERS.unpack_from(row, 1)
        return Estimate(key, bound - 2**31, proof, disproof, work, updated, algorithm, job)
    except (ValueError, struct.error) as error:
        raise damaged_row("estimates", place, str(error)) from None


def _sound(place: bytes, row: bytes) -> Estimate | None:
    """The estimate of a row; None, with a line of the log, where the row is damaged."""
    try:
        return read_estimate(place, row)
    except StoreDamagedError as error:
        _log.warning("%s: it counts as absent", error)
        return None
