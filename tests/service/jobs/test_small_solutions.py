"""What a solve stores: small solutions whole, large ones with small searches in place of the records below."""

from __future__ import annotations

import pytest
from services import MakeService, Service

from proofbase.engine.checking.checker import check_certificate
from proofbase.service.jobs.solve import solution_writer
from proofbase.service.jobs.solve.model import SolveResult
from proofbase.service.jobs.verification import VerificationResult

GAME = "connect-four:4x4"


def solve(service: Service) -> SolveResult:
    result = service.client.solve(GAME).result
    assert isinstance(result, SolveResult) and result.status == "exact"
    for rules in ("native", "python"):
        found = service.client.verify(GAME, rules=rules).result  # type: ignore[arg-type]
        assert isinstance(found, VerificationResult) and found.failed == 0
        assert found.checked == service.store.count(GAME)
    return result


def test_a_large_solution_is_stored_with_small_searches(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solution_writer, "STORED_WHOLE", 100_000)
    first = make_service()
    whole = solve(first)
    monkeypatch.undo()
    second = make_service()
    small = solve(second)
    assert (small.value, small.best_move is None) == (whole.value, whole.best_move is None)
    assert second.store.count(GAME) < first.store.count(GAME) / 10
    assert second.client.line(GAME).stop == "end_of_game"
    assert second.client.proof(GAME).nodes[0].kind in ("inner", "leaf")
    again = second.client.solve(GAME).result
    assert isinstance(again, SolveResult) and again.nodes == 0, "the store answers the question again"


def test_a_certificate_is_as_small_as_the_records_allow(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solution_writer, "STORED_WHOLE", 100_000)
    service, other = make_service(), make_service()
    solve(service)
    whole = service.store.count(GAME)
    data = b"".join(service.client.export(GAME, "-"))
    result = check_certificate(data)
    assert result.valid and (result.header["lower"], result.header["upper"]) == (0, 0)
    assert result.records < whole / 10
    assert data == b"".join(service.client.export(GAME, "-"))
    assert other.client.import_([data]).added == result.records
    assert other.client.lookup(GAME).value.exact
    assert other.client.line(GAME).stop == "end_of_game"
    assert len(b"".join(service.client.export(GAME, "-", form="jsonl")).splitlines()) <= whole
