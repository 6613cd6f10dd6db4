"""Questions that are given up leave an estimate, and a later job goes on with their search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.engine.errors import MalformedRecordError
from proofbase.service.client import Budget, Job, SolveResult, VerificationResult
from proofbase.service.words.estimates import count_text, estimate_text

GAME = "connect-four:5x4"


def result_of(job: Job) -> SolveResult:
    assert isinstance(job.result, SolveResult), job
    return job.result


def test_a_question_that_was_given_up_is_shown_as_open(service: Service) -> None:
    job = service.client.solve(GAME, at_least=1, algorithm="pn-dag+effort", budget=Budget(nodes=20_000))
    assert result_of(job).status == "unknown"
    answer = service.client.lookup(GAME)
    [estimate] = answer.estimates
    assert (estimate.at_least, estimate.job, estimate.nodes) == (1, job.id, result_of(job).nodes)
    assert estimate.algorithm is not None and estimate.algorithm.startswith("pn-dag+effort")
    assert estimate.proof > 1 and estimate.disproof > 1
    assert not answer.value.exact and not answer.claims, "an estimate is no value"
    assert f"open: {estimate.proof:,} / {estimate.disproof:,} after {estimate.nodes:,} nodes" in estimate_text(estimate)
    assert service.client.lookup(GAME, "1").estimates == ()


def test_a_settled_question_has_no_estimate(service: Service) -> None:
    service.client.solve(GAME, at_least=1, budget=Budget(nodes=20_000), algorithm="pn-dag+effort")
    assert service.client.lookup(GAME).estimates
    service.client.solve(GAME)
    assert service.client.lookup(GAME).estimates == ()
    assert service.store.estimates().count() == 0


def test_a_short_search_leaves_no_estimate(service: Service) -> None:
    service.client.solve(GAME, at_least=1, budget=Budget(nodes=2_000))
    assert service.store.estimates().count() == 0


def test_another_job_in_another_process_goes_on_with_a_question(make_service: MakeService, directory: Path) -> None:
    whole = make_service("memory:").client.solve(GAME, at_least=1, algorithm="pn-dag+effort")
    first = make_service(str(directory))
    given_up = first.client.solve(GAME, at_least=1, algorithm="pn-dag+effort", budget=Budget(nodes=60_000))
    first.app.close()
    second = make_service(str(directory))
    job = second.client.solve(GAME, at_least=1, algorithm="pn-dag+effort")
    result = result_of(job)
    assert job.id != given_up.id and result.status == result_of(whole).status != "unknown"
    nodes = result_of(given_up).nodes + result.nodes
    assert nodes <= 1.1 * result_of(whole).nodes and result.nodes < 0.7 * result_of(whole).nodes
    verified = second.client.verify(GAME).result
    assert isinstance(verified, VerificationResult) and verified.checked > 0 and verified.failed == 0


def test_a_budget_of_a_job_that_goes_on_is_its_own(service: Service) -> None:
    for _ in range(2):
        job = service.client.solve(GAME, at_least=1, algorithm="pn-dag", budget=Budget(nodes=30_000))
        assert 30_000 <= result_of(job).nodes < 33_000
    [estimate] = service.client.lookup(GAME).estimates
    assert estimate.nodes >= 60_000 and estimate.job == job.id
    resumed = service.client.resume(job.id, budget=Budget(nodes=50_000))
    assert 50_000 <= result_of(service.client.wait(resumed.id)).nodes < 53_000


def test_estimates_are_exported_and_imported(make_service: MakeService, directory: Path) -> None:
    first, second = make_service("memory:"), make_service(str(directory))
    first.client.solve(GAME, at_least=1, algorithm="pn-dag+effort", budget=Budget(nodes=20_000))
    first.client.solve(GAME, "12", at_least=0, algorithm="pn-dag+effort", budget=Budget(nodes=15_000))
    chunks = first.client.export(GAME, form="estimates")
    data = b"".join(chunks)
    assert chunks.summary is not None and chunks.summary.records == 2 and data.count(b"\n") == 2
    assert chunks.summary.fingerprint is None
    for added, form in ((2, "jsonl"), (0, "estimates")):
        result = second.client.import_([data], form=form)  # type: ignore[arg-type]
        assert (result.game, result.records, result.added, result.unchanged) == (GAME, 2, added, 2 - added)
    assert second.client.lookup(GAME).estimates == first.client.lookup(GAME).estimates != ()
    assert second.client.lookup(GAME, "12").estimates[0].at_least == 0
    [line] = b"".join(first.client.export(GAME, "12", form="estimates")).splitlines()
    improved = json.loads(line)
    improved["estimate"]["nodes"] += 1
    result = second.client.import_([json.dumps(improved).encode()], form="jsonl")
    assert (result.added, result.improved, result.unchanged) == (0, 1, 0)
    assert second.client.lookup(GAME).stored is False


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"proof": 0}, "line 2: the numbers of an open question"),
        ({"at_least": 7}, "line 2: at least 7 is no question"),
        ({"at_least": True}, "line 2: at_least is not a whole number"),
        ({"work": 3}, "line 2: unknown field 'work'"),
    ],
)
def test_a_file_with_what_is_no_estimate_is_refused_whole(
    service: Service, change: dict[str, object], complaint: str
) -> None:
    service.client.solve(GAME, at_least=1, algorithm="pn-dag+effort", budget=Budget(nodes=20_000))
    [line] = b"".join(service.client.export(GAME, form="estimates")).splitlines()
    wrong = json.loads(line)
    wrong["estimate"].update(change)
    better = json.loads(line)
    better["estimate"]["nodes"] *= 2
    with pytest.raises(MalformedRecordError, match=complaint):
        service.client.import_([json.dumps(better).encode() + b"\n" + json.dumps(wrong).encode()], form="jsonl")
    assert b"".join(service.client.export(GAME, form="estimates")).splitlines() == [line]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (999_999, "999,999"),
        (179_000_000, "179 million"),
        (2_314_000_000, "2.31 billion"),
        (10**13, "10.0 trillion"),
    ],
)
def test_counts_in_words(number: int, text: str) -> None:
    assert count_text(number) == text
