"""A search at fault: its job ends with one message that names the claim, and nothing of its solution is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import RecordTable
from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record, search_payload
from proofbase.engine.records.claim import Evidence
from proofbase.service.application import Application
from proofbase.service.client import Budget
from proofbase.service.client.local import LocalClient
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.jobs.solve import pairings
from proofbase.service.jobs.solve.solution_writer import SolutionWriter
from proofbase.storage import open_store

GAME = "connect-four:4x4"


def without_a_record(table: RecordTable) -> None:
    items = [item for chunk in table.chunks() for item in chunk]
    highest = sorted(items, key=lambda item: -decode_record(item[1]).claims[0].rank)
    table.remove([highest[1][0]])


def with_a_search_too_small(table: RecordTable) -> None:
    """In the place of a claim of the solution."""
    items = [item for chunk in table.chunks() for item in chunk]
    key, claim = next(
        (key, claim)
        for key, data in items
        for claim in decode_record(data).claims
        if claim.rank > 6 and claim.side == Side.UPPER
    )
    table.remove([key])
    weak = Claim(claim.side, claim.bound, claim.rank, Evidence.SEARCH, None, search_payload(1))
    table.put(key, encode_record(Record.of([weak])))


@pytest.mark.parametrize("fault", [without_a_record, with_a_search_too_small])
@pytest.mark.parametrize("stored_before", [False, True])
def test_nothing_is_stored_of_a_solution_with_a_fault(
    fault: Any, stored_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = SolutionWriter._solution

    def faulty(writer: SolutionWriter, search: Any) -> RecordTable:
        table = sound(writer, search)
        fault(table)
        return table

    question = f"the search df-pn.* is at fault, and nothing of its solution was stored: 1 records of {GAME} fail"
    with Application(open_store("memory:")) as app:
        client = LocalClient(app, "")
        if stored_before:
            client.solve(GAME, "moves:1 2 3 4 1 2")
        before = list(app.resources.store.scan(GAME)) if stored_before else []
        monkeypatch.setattr(SolutionWriter, "_solution", faulty)
        with pytest.raises(RuntimeError, match=question) as raised:
            client.solve(GAME, at_least=1, algorithm="df-pn")
        assert "upper = 0, rank" in str(raised.value)
        assert list(app.resources.store.scan(GAME)) == before if before else app.resources.store.count(GAME) == 0
        monkeypatch.undo()
        assert client.solve(GAME, at_least=1, algorithm="df-pn").result.status == "disproved"
        assert client.verify(GAME).result.failed == 0


def test_a_claim_by_a_pairing_is_checked_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    game = "gomoku:5x5"

    class WithTooSmallARank:
        def __init__(self, table: RecordTable) -> None:
            self._table = table

        def by_pairing(self, key: bytes, at_least: int) -> bytes | None:
            record = self._table.by_pairing(key, at_least)
            if record is None:
                return None
            (claim,) = decode_record(record).claims
            return encode_record(Record.of([replace(claim, rank=3)]))

    made = iter([WithTooSmallARank(RecordTable(open_game(game))), RecordTable(open_game(game))])
    monkeypatch.setattr(pairings, "new_record_table", lambda game: next(made))
    with Application(open_store("memory:")) as app:
        client = LocalClient(app, "")
        with pytest.raises(UnsoundRecordsError, match=r"1 records of .* fail the local check.* rank 3, by pairing"):
            client.solve(game, "moves:c3", budget=Budget(nodes=1000))
        assert app.resources.store.count(game) == 0
