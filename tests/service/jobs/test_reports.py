"""Reports of wrong values: checked by two rule sets and by the evidence, and the verdict stays with the position."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from services import MakeService, Service

from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Record, Side, encode_record
from proofbase.service.client import InvalidRequestError, Job, LimitExceededError, Report, ReportResult
from proofbase.service.commands.annotations import report_value as command
from proofbase.service.jobs import report as work
from proofbase.storage import Annotation, open_store

GAME = "tic-tac-toe"
WON = "xx./oo./..."


def report(service: Service, position: str, value: int, **more: Any) -> ReportResult:
    result = service.client.report(GAME, position, value=value, **more).result
    assert isinstance(result, ReportResult)
    return result


def shown(service: Service, position: str) -> Report:
    return service.client.lookup(GAME, position).reports[0]


def store_claim(service: Service, position: str, *claims: Claim) -> None:
    game = open_game(GAME)
    items = [(game.key(game.parse(position)), encode_record(Record.of(claims)))]
    service.store.put_many(GAME, items, source="a test", rules_version=1)


def test_a_report_is_refuted_by_two_rule_sets_and_shown_at_the_position(solved: Service) -> None:
    found = report(solved, "-", 1, text="I won this\nlast week")
    assert found.status == "refuted" and "the value is 0" in found.verdict and not found.failed
    assert 400 < found.checked == found.checked_by_other_rules <= solved.store.count(GAME)
    kept = shown(solved, "-")
    assert (kept.status, kept.value, kept.verdict, kept.by) == ("refuted", 1, found.verdict, None)
    assert kept.text == "I won this\nlast week" and kept.finished is not None and kept.finished >= kept.created
    assert (kept.checked, kept.checked_by_other_rules) == (found.checked, found.checked_by_other_rules)
    again = report(solved, "moves:5", 0)
    assert again.status == "agrees" and 0 < again.checked < found.checked
    # A position that is the same by a symmetry has the same reports.
    report(solved, "x../.../...", 1)
    assert shown(solved, "..x/.../...").status == "refuted"
    assert solved.client.lookup(GAME, "xo./.../...").reports == ()


def test_what_is_wrong_in_the_store_confirms_a_report(solved: Service) -> None:
    game = open_game(GAME)
    key = game.key(game.parse(WON))
    solved.store.quarantine(GAME, [key], "a test")
    store_claim(solved, WON, Claim(Side.LOWER, 0, 3, witness=8), Claim(Side.UPPER, 0, 3))
    found = report(solved, WON, 1)
    assert found.status == "confirmed" and found.failed == 1, "one record, by whatever rules"
    assert {finding.key for finding in found.findings} == {key}
    assert "1 record below it fails the check" in found.verdict and shown(solved, WON).status == "confirmed"


def test_a_certificate_is_checked_by_the_rules(make_service: MakeService) -> None:
    other, service = make_service(), make_service()
    other.client.solve(GAME, WON)
    proof = b"".join(other.client.export(GAME, WON))
    nothing = report(service, WON, 1)
    assert nothing.status == "undecided" and "the store knows of the value: nothing" in nothing.verdict
    proved = report(service, WON, 1, evidence=proof)
    assert proved.status == "undecided" and "the certificate proves lower 1" in proved.verdict
    assert shown(service, WON).evidence == "certificate"
    [entry, _] = [each for each in service.store.annotations().of_game(GAME) if each.kind == "report"]
    assert "certificate" not in entry.body, "what has been checked is not kept"
    elsewhere = report(service, "-", 1, evidence=proof)
    assert "another position" in elsewhere.verdict
    broken = report(service, "-", 0, evidence=proof[:-1] + bytes([proof[-1] ^ 1]))
    assert "the certificate shows nothing" in broken.verdict


def test_evidence_that_takes_too_long_shows_nothing(solved: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = b"".join(solved.client.export(GAME, WON))
    monkeypatch.setattr(work, "EVIDENCE_SECONDS", -1.0)
    assert "within -1 s" in report(solved, WON, 0, evidence=proof).verdict


def test_of_many_records_a_sample_is_checked_by_the_other_rules(
    solved: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "BY_OTHER_RULES", 20)
    found = report(solved, "-", 1)
    assert found.checked > 400 and found.checked_by_other_rules == 20


def test_reports_that_make_no_sense_are_refused(service: Service) -> None:
    client = service.client
    for wrong in (
        {"value": 2},
        {"value": 0, "evidence": b"no"},
        {"value": 0, "text": "a\x1b[2J"},
        {"value": 0, "text": "x" * 1001},
    ):
        with pytest.raises(InvalidRequestError):
            client.start_report(GAME, **wrong)  # type: ignore[arg-type]
    with pytest.raises(LimitExceededError, match="131,072"):
        client.start_report(GAME, value=0, evidence=b"x" * (command.MOST_EVIDENCE + 1))
    assert not list(service.store.annotations().of_game(GAME))


def test_reports_of_one_position_are_limited(solved: Service) -> None:
    for _ in range(command.REPORTS_A_DAY):
        report(solved, WON, 0)
    with pytest.raises(LimitExceededError, match="within a day"):
        report(solved, WON, 0)
    report(solved, "-", 1)
    annotations = solved.store.annotations()
    game = open_game(GAME)
    key = game.key(game.parse(WON))
    for number, entry in enumerate(annotations.of_keys(GAME, [key])):
        annotations.put(replace(entry, created=entry.created - 2 * command.DAY))
        annotations.put(replace(entry, id=f"old-{number}", created=entry.created - 3 * command.DAY))
    report(solved, WON, 0)
    assert len(annotations.of_keys(GAME, [key])) == command.KEPT_REPORTS


def test_the_same_report_waits_for_its_verdict(solved: Service) -> None:
    game = open_game(GAME)
    body = {"created": time.time(), "value": 1, "status": "open"}
    entry = Annotation("r", "report", GAME, game.key(game.parse(WON)), time.time(), body)
    solved.store.annotations().put(entry)
    with pytest.raises(InvalidRequestError, match="reported already"):
        report(solved, WON, 1)
    assert report(solved, WON, 0).status == "refuted"
    solved.store.annotations().put(replace(entry, created=entry.created - 2 * command.DAY))
    assert report(solved, WON, 1).status == "agrees", "a job that was cancelled leaves its report open for a day"


def test_a_check_that_fails_says_so(solved: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("out of luck")

    monkeypatch.setattr(work, "PythonCheck", broken)
    with pytest.raises(Exception, match="out of luck"):
        report(solved, WON, 0)
    assert shown(solved, WON).verdict == "the check failed: out of luck"


def test_a_read_only_store_takes_no_reports(make_service: MakeService, tmp_path: Any) -> None:
    open_store(str(tmp_path / "store")).close()
    service = make_service(open_store(str(tmp_path / "store"), read_only=True))
    with pytest.raises(Exception, match="read-only"):
        service.client.start_report(GAME, value=0)


def test_a_job_of_a_report_says_what_it_does(solved: Service) -> None:
    job: Job = solved.client.report(GAME, WON, value=0)
    assert job.kind == "report" and job.spec.subject == f"{GAME} {WON} value 0"
    assert job.result is not None and job.result.outcome.startswith("refuted: ")
