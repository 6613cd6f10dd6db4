"""Every message stays below 1 MiB, whatever the texts of a user's game and the jobs of a store; what is cut says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from heap_game import Heap
from services import MakeService, Service

from proofbase.engine import games
from proofbase.engine.errors import InvalidMoveError
from proofbase.service.answers import Value
from proofbase.service.answers.bounds import cut_text, first_page, message_bytes
from proofbase.service.client import (
    InvalidRequestError,
    Job,
    PositionsProgress,
    PositionsSpec,
    SolveProgress,
    SolveResult,
)
from proofbase.service.convert import job_to_message, to_message
from proofbase.service.jobs.local_checks import Finding
from proofbase.service.jobs.model import Job as ServiceJob
from proofbase.service.jobs.solve.model import Question, SolveSpec
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.service.jobs.verification import VerificationResult, VerificationSpec
from proofbase.storage import Job as StoredJob
from proofbase.v1 import jobs_pb2, solutions_pb2

MIB = 1 << 20
VALUE = Value.of(0)


class Wordy(Heap):
    """A heap of 24 stones; the text of a position is as many characters long as `position_length` says."""

    name = "wordy"
    position_length = 3_000
    move_length = 1_000

    def __init__(self) -> None:
        super().__init__("24")
        self.name = type(self).name

    def parse(self, text: str) -> int:
        return super().parse(text.lstrip("é"))

    def text(self, position: int) -> str:
        return f"{position:é>{self.position_length}}"

    def move_text(self, position: int, move: int) -> str:
        return f"{move:->{self.move_length}}"

    def parse_move(self, position: int, text: str) -> int:
        for move in self.moves(position):
            if text in (str(move), self.move_text(position, move)):
                return move
        raise InvalidMoveError(f"{text} is no move of {self.name}")


class Endless(Wordy):
    """Texts of five million characters."""

    name = "endless"
    position_length = 5_000_000
    move_length = 5_000_000


class Broad(Wordy):
    """Two thousand moves, with a long text each."""

    name = "broad"

    def moves(self, position: int) -> Sequence[int]:
        return range(1, 2_001)

    def play(self, position: int, move: int) -> int:
        return 0


@pytest.fixture(autouse=True)
def wordy() -> Iterator[None]:
    names = {"wordy": Wordy, "endless": Endless, "broad": Broad}
    for name, game in names.items():
        games.register(name, game)
    yield
    for name in names:
        games._registered.pop(name)


def checked(answer: Any, message: Any) -> Any:
    """The same answer; its message is small."""
    size = to_message(answer, message).ByteSize()
    assert size < MIB
    assert size <= message_bytes(answer), "the estimate is no smaller"
    return answer


def test_a_cut_text_says_so_and_how_long_it_was() -> None:
    assert cut_text("short") == "short"
    cut = cut_text("x" * 5_000, 100)
    assert len(cut) == 100 and cut.endswith("... (cut: 5000 characters in all)")
    assert cut_text(cut, 100) == cut
    assert cut_text("a\ud800b") == "a?b", "what no message can hold"


def test_a_page_ends_before_the_message_is_too_large() -> None:
    texts = ["é" * 100] * 100
    taken, more = first_page(texts, room=1_000)
    assert more and len(taken) == 2
    assert first_page(["é" * 10_000], room=100) == (["é" * 10_000], False), "at least one"
    assert first_page(texts, limit=3) == (texts[:3], False)


def test_lookups_of_a_game_with_long_texts(service: Service) -> None:
    answer = checked(service.client.lookup("endless", b"\x0c", board=True), solutions_pb2.LookupResponse)
    assert answer.position.endswith("... (cut: 5000000 characters in all)") and len(answer.position) == 10_000
    assert {len(move.position) for move in answer.moves} == {10_000}
    assert all("(cut: 5000000 characters in all)" in move.move for move in answer.moves)
    assert answer.cut is None
    broad = checked(service.client.lookup("broad"), solutions_pb2.LookupResponse)
    assert broad.cut is not None and broad.cut.reason == "bytes"
    assert 0 < len(broad.moves) < 2_000 and f"{len(broad.moves)} of 2000 moves" in broad.cut.message


def test_pages_of_a_solved_game_with_long_texts(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as change:
        change.setattr(Wordy, "position_length", 9_000)
        solved = service.client.solve("wordy")
        assert isinstance(solved.result, SolveResult) and len(solved.result.best_move or "") == 200
        line = checked(service.client.line("wordy"), solutions_pb2.GetLineResponse)
        assert line.stop == "end_of_game"
        pages, token, numbers = 0, None, list[int]()
        while True:
            page = checked(service.client.proof("wordy", continuation=token), solutions_pb2.GetProofResponse)
            pages, numbers = pages + 1, numbers + [node.number for node in page.nodes]
            if page.cut is None:
                break
            assert page.cut.reason == "bytes"
            token = page.cut.continuation
        assert numbers == list(range(len(numbers))) and pages > 1
        analysis = checked(service.client.analyse_game("wordy", "1 1 1 1 1 1"), solutions_pb2.AnalyseGameResponse)
        assert len(analysis.moves) == 6


def test_a_batch_of_long_answers_comes_in_parts(service: Service) -> None:
    items = service.client.batch_lookup("wordy", ["nothing " + "y" * 900] * 3_000)
    assert [item.status for item in items] == ["invalid"] * 3_000
    (streamed,) = service.client.stream_lookup("wordy", [["nothing " + "y" * 900] * 2_000])
    assert len(streamed) == 2_000


def test_pages_of_outcomes_of_a_game_with_long_texts(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as change:
        change.setattr(Wordy, "position_length", 9_000)
        texts = [str(number) for number in range(25)] * 8
        job = service.client.wait(service.client.start_positions("wordy", texts).id)
        page, cut = service.client.list_positions(job.id)
        assert cut is not None and cut.reason == "bytes" and 0 < len(page) < len(texts)
        assert sum(to_message(found, jobs_pb2.PositionOutcome).ByteSize() for found in page) < MIB
        outcomes = list(service.client.position_outcomes(job.id))
        assert [found.number for found in outcomes] == list(range(len(texts)))
        assert {len(found.best_move or "") for found in outcomes} == {0, 200}


def test_no_job_is_about_a_position_that_it_cannot_keep(service: Service) -> None:
    for start in (service.client.start_solve, service.client.start_verification):
        with pytest.raises(InvalidRequestError, match="5000000 characters"):
            start("endless", b"\x0c")
    with pytest.raises(ValueError, match=r"positions\[0\]: .*5000000 characters"):
        service.client.start_positions("endless", [b"\x0c"])


def large_jobs() -> Iterator[ServiceJob]:
    question = Question(0, "unknown", VALUE)
    solve, check = SolveSpec("tic-tac-toe", "é" * 10_000), VerificationSpec()
    result = SolveResult("unknown", VALUE, "m" * MIB, 0, 0, 0, 0, 0, "a", questions=(question,) * 200_000)
    line = tuple(f"move {number}" for number in range(300_000))
    yield ServiceJob("1", "solve", "running", 1, 1, solve, SolveProgress(best_line=line))
    yield ServiceJob("2", "solve", "done", 1, 1, solve, SolveProgress(best_line=("m" * MIB,) * 9), result)
    yield ServiceJob("3", "solve", "failed", 1, 1, solve, error="e" * 5_000_000)
    finding = Finding("wordy", b"k" * 500, "é" * 50_000, "é" * 50_000, "child", "é" * 50_000)
    findings = VerificationResult(1_000, 1_000, 1, 1, (finding,) * 1_000)
    place = PositionsProgress(3, 10**6, position="é" * 50_000)
    yield ServiceJob("5", "positions", "running", 1, 1, PositionsSpec("wordy", 10**6, source="é" * 50_000), place)
    yield ServiceJob("4", "verification", "done", 1, 1, check, None, findings)


def test_every_field_of_a_job_is_bounded() -> None:
    for job in large_jobs():
        message = job_to_message(job)
        assert message.ByteSize() < 700_000
        assert message.ByteSize() <= message_bytes(job)
        assert len(to_stored(job).to_json()) < 4 * MIB
    first, second, third, fifth, fourth = large_jobs()
    assert job_to_message(fifth).ByteSize() < 2_000
    assert first.progress is not None and first.progress.best_line_moves == 300_000  # type: ignore[attr-defined]
    assert second.result.questions_in_all == 200_000  # type: ignore[union-attr]
    assert third.error is not None and third.error.endswith("(cut: 5000000 characters in all)")
    assert fourth.result.cut.reason == "bytes"  # type: ignore[union-attr]
    assert "1000 records failed in all" in fourth.result.cut.message  # type: ignore[union-attr]


def test_jobs_are_listed_by_bytes_as_well(service: Service) -> None:
    kept = []
    for number in range(6):
        for job in large_jobs():
            kept.append(f"{number}-{job.id}")
            stored = to_stored(ServiceJob(kept[-1], job.kind, "failed", number, 1, job.spec, job.progress, job.result))
            service.store.put_job(stored)
    found, token, pages = list[str](), None, 0
    while True:
        jobs, cut = service.client.jobs(limit=1_000, continuation=token)
        assert sum(job_to_message(job).ByteSize() for job in jobs) < MIB
        found, pages = found + [job.id for job in jobs], pages + 1
        if cut is None:
            break
        assert cut.reason == "bytes"
        token = cut.continuation
    assert found == sorted(kept, reverse=True) and pages > 3


def test_a_job_of_an_earlier_release_with_a_long_line_breaks_no_list(service: Service) -> None:
    progress = {"report": {"at_least": 1, "best_line": ["12"] * 1_000_000, "nodes": 5}, "private": {}}
    spec = {"game": "tic-tac-toe", "position": "-"}
    service.store.put_job(StoredJob("old", "solve", "paused", 1.0, 1.0, spec, progress, error="e" * 6_000_000))
    (job,), cut = service.client.jobs()
    assert cut is None and isinstance(job, Job) and isinstance(job.progress, SolveProgress)
    assert len(job.progress.best_line) == 100 and job.progress.best_line_moves == 1_000_000
    assert job.error is not None and len(job.error) == 2_000 and "6000000 characters in all" in job.error


def test_many_sources_and_games_are_cut_in_the_statistics(make_service: MakeService) -> None:
    from proofbase.storage import Claim, Record, Side, encode_record

    service = make_service()
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 1)]))
    for number in range(1_500):
        source = f"{number} " + "s" * 900
        service.store.put_many("somebodys-game", [(number.to_bytes(4), record)], source=source, rules_version=1)
    statistics = checked(service.client.statistics(), solutions_pb2.GetStatisticsResponse)
    assert statistics.cut is not None and statistics.cut.reason == "bytes"
    assert "of 1500 sources" in statistics.cut.message
    assert statistics.sources[-1].number == 1_500, "the newest ones"
