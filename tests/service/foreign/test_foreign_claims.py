"""Claims of others, checked through a client, in this process and over gRPC."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from services import MakeService, Service

from proofbase.engine import open_rules, solve_positions
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.claim import ForeignClaim
from proofbase.service.answers import Value
from proofbase.service.client.foreign.report import LISTED, CheckedClaim, ForeignReport
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.positions import work
from proofbase.service.jobs.verification import VerificationResult

GAME = "connect-four:4x4"


def claims_of(lists: Sequence[tuple[str, int | None, int | None]]) -> list[ForeignClaim]:
    return [
        ForeignClaim(position, lower, upper, f"entry {number}") for number, (position, lower, upper) in enumerate(lists)
    ]


@pytest.fixture(scope="module")
def valued() -> list[tuple[str, int]]:
    """Positions of connect-four on 4x4 with their values."""
    game: Any = open_rules(GAME)
    texts, left, seen = list[str](), [game.initial()], set[bytes]()
    while len(texts) < 60:
        position = left.pop(0)
        if game.key(position) in seen or game.terminal(position) is not None:
            continue
        seen.add(game.key(position))
        if sum(map(len, position)) >= 3:
            texts.append(game.text(position))
        left += [game.play(position, move) for move in game.moves(position)]
    values = solve_positions(GAME, texts).lower
    assert {int(value) for value in values} == {-1, 0, 1}
    return [(text, int(value)) for text, value in zip(texts, values, strict=True)]


def test_true_claims_are_proved_and_false_ones_refuted(service: Service, valued: list[tuple[str, int]]) -> None:
    numbers = {value: [number for number, entry in enumerate(valued) if entry[1] == value] for value in (-1, 0, 1)}
    wrong = {numbers[-1][0]: 1, numbers[0][0]: -1, numbers[0][1]: 1, numbers[1][0]: -2}
    shown = [value + wrong.get(number, 0) for number, (_, value) in enumerate(valued)]
    claimed = [(text, value, value) for (text, _), value in zip(valued, shown, strict=True)]
    report = service.client.check_claims(GAME, claims_of(claimed), source="import of some.book", nodes=100_000)
    assert (report.claimed, report.verdicts["refuted"], report.verdicts["proved"]) == (60, 4, 56)
    assert not report.all_proved and report.known_before == 0
    for checked in report.refuted:
        number = int(checked.claim.place.split()[1])
        value = valued[number][1]
        assert number in wrong and checked.value.lower <= value <= checked.value.upper
        assert not checked.value.lower <= value + wrong[number] <= checked.value.upper
        assert checked.line, "a refuted claim comes with best play"
    # Everything that was proved is stored, with where the claims are from, and passes its check.
    sources = {entry.text for entry in service.client.statistics().sources}
    assert sources and all(text.endswith(", import of some.book") for text in sources)
    verified = service.client.verify().result
    assert isinstance(verified, VerificationResult) and verified.failed == 0 and verified.checked > 60
    again = service.client.check_claims(GAME, claims_of(claimed))
    assert again.known_before == 60 and again.verdicts == report.verdicts


def test_one_limit_may_be_claimed(service: Service, valued: list[tuple[str, int]]) -> None:
    lost = next(text for text, value in valued if value == -1)
    drawn = next(text for text, value in valued if value == 0)
    report = service.client.check_claims(
        GAME, claims_of([(lost, None, -1), (drawn, 0, None), (drawn, None, -1), (lost, 0, None)]), nodes=100_000
    )
    assert report.verdicts == {"proved": 2, "refuted": 2}
    assert [checked.claim.place for checked in report.refuted] == ["entry 2", "entry 3"]


class Tried:
    """Remembers in memory."""

    def __init__(self) -> None:
        self.kept = dict[int, int]()
        self.asked = list[int]()

    def nodes(self, number: int) -> int:
        return self.kept.get(number, 0)

    def note(self, numbers: Sequence[int], nodes: int) -> None:
        self.kept.update(dict.fromkeys(numbers, nodes))
        self.asked += numbers


def test_what_was_searched_in_vain_is_not_searched_again(service: Service) -> None:
    claims = claims_of([("-", 0, 0), ("moves:1", 0, 0)])
    tried = Tried()
    first = service.client.check_claims("connect-four:6x5", claims, nodes=50, tried=tried)
    assert first.verdicts == {"open": 2} and first.searched_in_vain == 2 and tried.asked
    jobs = len(service.client.jobs()[0])
    second = service.client.check_claims("connect-four:6x5", claims, nodes=50, tried=tried)
    assert second.verdicts == first.verdicts and second.searched_in_vain == 2
    assert len(service.client.jobs()[0]) == jobs
    service.client.check_claims("connect-four:6x5", claims, nodes=60, tried=tried)
    assert len(service.client.jobs()[0]) > jobs and set(tried.kept.values()) == {60}


def test_the_time_ends_the_searches(service: Service) -> None:
    game: Any = open_rules("connect-four")
    moves = [game.play(game.initial(), move) for move in game.moves(game.initial())]
    claims = claims_of([(game.text(position), 1, None) for position in moves])
    began = time.monotonic()
    report = service.client.check_claims("connect-four", claims, nodes=10**9, seconds=0.5)
    assert time.monotonic() - began < 20
    assert report.verdicts == {"open": 7} and report.searched_in_vain == 0
    assert {job.state for job in service.client.jobs()[0]} <= {"done", "cancelled"}


def test_what_was_found_before_the_time_ended_counts(
    service: Service, valued: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = work.PositionsWork._solve_one

    def slow(self: work.PositionsWork, position: Any) -> Any:
        found = solve(self, position)
        time.sleep(1)
        return found

    monkeypatch.setattr(work.PositionsWork, "_solve_one", slow)
    claims = claims_of([(text, value, None) for text, value in valued if value == 0])
    assert len(claims) > 5
    report = service.client.check_claims(GAME, claims, nodes=100_000, seconds=3)
    assert report.verdicts["proved"] > 0 and report.verdicts["open"] > 0 and report.searched_in_vain == 0


def test_claims_of_plies(make_service: MakeService) -> None:
    service = make_service()
    game = "connect-four:5x4"
    position = "...../...../.oo../.xxxo"  # the first player wins at once, and in three plies if he wants to
    claims = [
        ForeignClaim(position, 1, None, "a", plies=1, shortest=True),
        ForeignClaim(position, 1, None, "b", plies=3),
        ForeignClaim(position, 1, None, "c", plies=3, shortest=True),
        ForeignClaim(position, -1, None, "d"),
    ]
    report = service.client.check_claims(game, claims, nodes=10_000)
    assert report.verdicts == {"proved": 4}
    assert report.verdicts_of_plies == {"proved": 2, "refuted": 1}
    assert [(checked.claim.place, checked.plies) for checked in report.refuted_plies] == [("c", 1)]
    assert not report.all_proved


def test_a_claim_about_no_position_is_named(service: Service) -> None:
    with pytest.raises(InvalidPositionError, match=r"entry 1: .*connect-four:4x4"):
        service.client.check_claims(GAME, claims_of([("-", 0, 0), ("x...", 0, 0)]))
    for wrong in ({"nodes": 0}, {"seconds": 0.0}):
        with pytest.raises(InvalidRequestError, match=r"are needed|at least 1"):
            service.client.check_claims(GAME, [], **wrong)  # type: ignore[arg-type]


def test_long_lists_are_counted_and_cut() -> None:
    report = ForeignReport(GAME, None)
    claim = ForeignClaim("-", 1, 1, "entry 0")
    for _ in range(LISTED + 5):
        report.add(CheckedClaim(claim, Value.within(1), "open"))
    assert report.verdicts["open"] == LISTED + 5 and len(report.open) == LISTED


def test_reports_come_while_it_works(service: Service, valued: list[tuple[str, int]]) -> None:
    seen, said = list[int](), set[str]()
    claims: Iterator[ForeignClaim] = iter(claims_of([(text, value, value) for text, value in valued] * 20))

    def look(report: ForeignReport) -> None:
        seen.append(report.claimed)
        said.add(report.searching)

    report = service.client.check_claims(GAME, claims, nodes=100_000, on_report=look)
    assert any("positions" in text for text in said) and report.searching == ""
    assert seen[-1] == 1_200 and seen == sorted(seen) and len(set(seen)) >= 3
