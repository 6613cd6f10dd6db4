"""Estimates in PostgreSQL: a row each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from proofbase.storage.arguments import MAX_NAME_CHARACTERS, check_text
from proofbase.storage.errors import RulesVersionError
from proofbase.storage.estimates import KEPT_SHARE, Estimate, EstimateStore, Question
from proofbase.storage.postgres.tables import estimates, games, question_holders
from proofbase.storage.postgres.transactions import TransactionalStore, stream_rows

__all__ = ["PostgresEstimates", "estimate_values", "read_estimate", "select_estimates"]

_AT_ONCE = 2_000
_FIELDS = tuple(column for column in estimates.c if column.name != "game")
_PLACE = tuple_(estimates.c.key, estimates.c.bound)


class PostgresEstimates(EstimateStore):
    """The estimates of a database.

    The limit is kept by counting now and then: several writing processes may go beyond it by what each of them writes
    between two counts.

    Args:
        store: runs the transactions.
    """

    def __init__(self, store: TransactionalStore) -> None:
        self._store = store
        self._room = 0
        """Estimates that may be added before they have to be counted again."""

    def get_many(self, game: str, questions: Iterable[Question]) -> list[Estimate | None]:
        wanted = list(questions)
        by_question: dict[Question, Estimate] = {}
        with self._store.reading() as connection:
            number = _number(connection, game)
            for start in range(0, len(wanted) if number is not None else 0, _AT_ONCE):
                assert number is not None
                query = select_estimates(number).where(_PLACE.in_(wanted[start : start + _AT_ONCE]))
                by_question.update(
                    (estimate.question, estimate) for estimate in map(read_estimate, connection.execute(query))
                )
        return list(map(by_question.get, wanted))

    def of_position(self, game: str, key: bytes) -> list[Estimate]:
        with self._store.reading() as connection:
            number = _number(connection, game)
            if number is None:
                return []
            query = select_estimates(number).where(estimates.c.key == key).order_by(estimates.c.bound)
            return list(map(read_estimate, connection.execute(query)))

    def put_many(self, game: str, given: Iterable[Estimate], *, rules_version: int) -> int:
        check_text("the name of a game", game, MAX_NAME_CHARACTERS)
        best: dict[Question, Estimate] = {}
        for estimate in given:
            if estimate.replaces(best.get(estimate.question)):
                best[estimate.question] = estimate
        # In one order, so that two writers never wait for each other.
        entries = [best[question] for question in sorted(best)]

        def put(connection: Connection) -> int:
            number = _enter_game(connection, game, rules_version)
            changed = 0
            for start in range(0, len(entries), _AT_ONCE):
                rows = [estimate_values(number, estimate) for estimate in entries[start : start + _AT_ONCE]]
                putting = insert(estimates).values(rows)
                new = putting.excluded
                kept = {name: new[name] for name in ("proof", "disproof", "work", "updated", "algorithm", "job")}
                putting = putting.on_conflict_do_update(
                    index_elements=["game", "key", "bound"],
                    set_=kept,
                    where=tuple_(new.work, new.updated) > tuple_(estimates.c.work, estimates.c.updated),
                )
                changed += len(connection.execute(putting.returning(estimates.c.bound)).all())
            self._keep_within_limit(connection, changed)
            return changed

        return self._store.writing(put, unchanged=0)

    def _keep_within_limit(self, connection: Connection, added: int) -> None:
        self._room -= added
        if self._room >= 0:
            return
        count = connection.execute(select(func.count()).select_from(estimates)).scalar_one()
        if count > self.limit:
            least = (
                select(estimates.c.game, *_PLACE.clauses)
                .order_by(estimates.c.work, estimates.c.updated)
                .limit(count - int(self.limit * KEPT_SHARE))
            )
            place = tuple_(estimates.c.game, estimates.c.key, estimates.c.bound)
            count -= connection.execute(delete(estimates).where(place.in_(least))).rowcount
        self._room = self.limit - count

    def drop(self, game: str, questions: Iterable[Question]) -> int:
        wanted = sorted(set(questions))

        def drop(connection: Connection) -> int:
            number, dropped = _number(connection, game), 0
            for start in range(0, len(wanted) if number is not None else 0, _AT_ONCE):
                gone = _PLACE.in_(wanted[start : start + _AT_ONCE])
                dropped += connection.execute(delete(estimates).where(estimates.c.game == number, gone)).rowcount
            return dropped

        return self._store.writing(drop, unchanged=0)

    def scan(self, game: str) -> Iterator[Estimate]:
        with self._store.reading() as connection:
            number = _number(connection, game)
            if number is not None:
                query = select_estimates(number).order_by(estimates.c.key, estimates.c.bound)
                with stream_rows(connection, query) as result:
                    yield from map(read_estimate, result)

    def count(self) -> int:
        with self._store.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(estimates)).scalar_one())

    def hold(self, game: str, question: Question, job: str, *, instead_of: str | None, rules_version: int) -> str:
        check_text("the name of a game", game, MAX_NAME_CHARACTERS)
        key, bound = question

        def hold(connection: Connection) -> str:
            number = _enter_game(connection, game, rules_version)
            holding = insert(question_holders).values(game=number, key=key, bound=bound, job=job)
            holding = holding.on_conflict_do_update(
                index_elements=["game", "key", "bound"],
                set_={"job": job},
                where=question_holders.c.job == instead_of if instead_of is not None else question_holders.c.job == job,
            )
            connection.execute(holding)
            query = select(question_holders.c.job).where(
                question_holders.c.game == number, question_holders.c.key == key, question_holders.c.bound == bound
            )
            return str(connection.execute(query).scalar_one())

        return self._store.writing(hold)

    def release(self, game: str, question: Question, job: str) -> None:
        key, bound = question

        def release(connection: Connection) -> int:
            ending = delete(question_holders).where(
                question_holders.c.game == _number(connection, game),
                question_holders.c.key == key,
                question_holders.c.bound == bound,
                question_holders.c.job == job,
            )
            return connection.execute(ending).rowcount

        self._store.writing(release, unchanged=0)


def select_estimates(number: int) -> Select[Any]:
    """The estimates of the game of this number, with the fields that `read_estimate` takes."""
    return select(*_FIELDS).where(estimates.c.game == number)


def read_estimate(row: Row[Any]) -> Estimate:
    """The estimate of a row.

    Raises:
        ValueError: the row was changed from outside.
    """
    return Estimate(**row._mapping)


def estimate_values(number: int, estimate: Estimate) -> dict[str, Any]:
    """The row of an estimate of the game of this number."""
    return {"game": number, **{column.name: attrgetter(column.name)(estimate) for column in _FIELDS}}


def _number(connection: Connection, game: str) -> int | None:
    if "\0" in game:
        return None
    return connection.execute(select(games.c.number).where(games.c.name == game)).scalar_one_or_none()


def _enter_game(connection: Connection, game: str, rules_version: int) -> int:
    """The number of a game, which gets an entry if it has none."""
    entry = insert(games).values(name=game, rules_version=rules_version, records=0, generation=0, fingerprint=0)
    connection.execute(entry.on_conflict_do_nothing())
    row = connection.execute(select(games.c.number, games.c.rules_version).where(games.c.name == game)).one()
    if row.rules_version != rules_version:
        raise RulesVersionError(game, row.rules_version, rules_version)
    return int(row.number)
