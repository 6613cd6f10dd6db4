"""Jobs over lists of positions: what they find, how they report, pause, resume and end."""

from __future__ import annotations

import random
import time

import pytest
from services import MakeService, Service
from waits import until

from proofbase.engine.errors import InvalidPositionError, UnknownAlgorithmError, UnknownGameError
from proofbase.engine.games import open_game
from proofbase.service.client import (
    Budget,
    InvalidRequestError,
    Job,
    JobStateError,
    LimitExceededError,
    Limits,
    PositionsProgress,
    PositionsResult,
    PositionsSpec,
    VerificationResult,
)
from proofbase.service.convert import job_to_message
from proofbase.service.jobs.positions import work
from proofbase.service.jobs.positions.position_log import PositionLog
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.storage import JobNotFoundError, StoreReadOnlyError

GAME = "connect-four:4x4"
LONG = "connect-four"
"""From the empty board: longer than any test."""


def openings(count: int, seed: int = 1) -> list[str]:
    """Different positions of `GAME`, as lists of moves."""
    chance, game, found = random.Random(seed), open_game(GAME), set[str]()
    while len(found) < count:
        position, text = game.initial(), ""
        for _ in range(chance.randrange(1, 9)):
            move = chance.choice(game.moves(position))
            after = game.play(position, move)
            if game.terminal(after) is not None:
                break
            position, text = after, text + game.move_text(position, move)
        found.add(text)
    return sorted(found - {""}) or openings(count, seed + 1)


def finished(job: Job) -> PositionsResult:
    assert job.state == "done", job.error
    assert isinstance(job.result, PositionsResult)
    return job.result


def wait_for_positions(service: Service, job: Job, least: int) -> PositionsProgress:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        progress = service.client.job(job.id).progress
        if isinstance(progress, PositionsProgress) and progress.done >= least:
            return progress
        time.sleep(0.01)
    pytest.fail(f"job {job.id} does not do {least} positions")


def test_every_position_gets_the_value_of_its_own_solve_and_all_is_stored(make_service: MakeService) -> None:
    service, alone = make_service(), make_service()
    texts = openings(30)
    job = service.client.wait(service.client.start_positions(GAME, texts).id)
    result = finished(job)
    assert (result.positions, result.exact, result.open) == (len(texts), len(texts), 0)
    outcomes = list(service.client.position_outcomes(job.id))
    assert [outcome.number for outcome in outcomes] == list(range(len(texts)))
    assert sum(outcome.nodes for outcome in outcomes) == result.nodes
    assert sum(outcome.records for outcome in outcomes) == result.records >= service.store.count(GAME)
    for text, outcome in zip(texts, outcomes, strict=True):
        solved = alone.client.solve(GAME, text).result
        assert (outcome.status, outcome.value, outcome.line) == ("exact", solved.value, None)  # type: ignore[union-attr]
        answer = service.client.lookup(GAME, text)
        assert (answer.position, answer.value) == (outcome.position, outcome.value)
        if outcome.best_move is not None:
            best = {move.move: move.value for move in answer.moves}[outcome.best_move]
            assert best == outcome.value
    verified = service.client.verify(GAME).result
    assert (
        isinstance(verified, VerificationResult)
        and verified.failed == 0
        and verified.checked == service.store.count(GAME)
    )


def test_the_searches_of_a_list_share_their_table_and_all_they_store_is_sound(make_service: MakeService) -> None:
    game = "connect-four:5x4,score"
    texts = ["1", "2", "12", "123", "2233", "112"]
    service = make_service()
    job = service.client.wait(service.client.start_positions(game, texts, algorithm="null-window").id)
    assert finished(job).exact == len(texts)
    verified = service.client.verify(game).result
    assert isinstance(verified, VerificationResult) and verified.failed == 0 and verified.checked > 0
    again = make_service().client.batch_lookup(game, texts, search=1_000_000)
    outcomes = list(service.client.position_outcomes(job.id))
    assert [outcome.value for outcome in outcomes] == [item.value for item in again]
    assert outcomes[0].algorithm.startswith("null-window")
    cold = 0
    for text in texts:
        result = make_service().client.solve(game, text, algorithm="null-window").result
        cold += result.nodes  # type: ignore[union-attr]
    assert finished(job).nodes < cold


def test_a_list_of_keys_and_a_question(service: Service) -> None:
    game = open_game(GAME)
    positions = [game.play(game.initial(), move) for move in range(4)]
    keys = [game.key(position) for position in positions]
    job = service.client.wait(service.client.start_positions(GAME, keys, at_least=1).id)
    values = [service.client.solve(GAME, key).result.value.lower for key in keys]  # type: ignore[union-attr]
    outcomes = list(service.client.position_outcomes(job.id))
    assert [outcome.status for outcome in outcomes] == ["proved" if value >= 1 else "disproved" for value in values]
    result = finished(job)
    assert result.proved + result.disproved == 4 and result.exact == 0
    assert result.outcome.startswith("4 positions: ")


def test_a_question_about_the_result_of_the_game_counts_the_score_of_each_position(service: Service) -> None:
    texts = ["-", "moves:A"]
    awari = service.client.start_positions("awari", texts, result_at_least=40, budget=Budget(nodes=50))
    spec = service.client.wait(awari.id).spec
    assert isinstance(spec, PositionsSpec) and (spec.at_least, spec.result_at_least) == (None, 40)
    assert "result at least 40?" in spec.subject
    with pytest.raises(InvalidRequestError, match=r"line 7: result_at_least 60: .* lies in -48..48"):
        service.client.start_positions("awari", texts, lines=[3, 7][::-1], result_at_least=60)


def test_what_a_budget_leaves_open_says_so_and_the_others_are_solved(service: Service) -> None:
    job = service.client.wait(service.client.start_positions(LONG, ["-", "121212", "4"], budget=Budget(nodes=2_000)).id)
    outcomes = list(service.client.position_outcomes(job.id))
    assert [(outcome.status, outcome.unknown_reason) for outcome in outcomes] == [
        ("unknown", "nodes"),
        ("exact", None),
        ("unknown", "nodes"),
    ]
    assert outcomes[1].value.exact
    result = finished(job)
    assert (result.exact, result.open) == (1, 2) and "2 open" in result.outcome
    assert not job.resumable
    progress = job.progress
    assert isinstance(progress, PositionsProgress) and (progress.done, progress.open) == (3, 2)


def test_nothing_is_started_where_a_position_makes_no_sense(service: Service) -> None:
    start = service.client.start_positions
    with pytest.raises(InvalidPositionError, match=r"^positions\[2\]: .*tic-tac-toe: move '9': the cell is taken"):
        start("tic-tac-toe", ["5", "51", "99", "x"])
    with pytest.raises(InvalidPositionError, match=r"^line 12: "):
        start("tic-tac-toe", ["5", "99"], lines=[10, 12])
    with pytest.raises(InvalidPositionError, match=r"^positions\[1\]: "):
        start(GAME, [open_game(GAME).key(open_game(GAME).initial()), b"no key"])
    with pytest.raises(InvalidPositionError, match=r"^positions\[0\]: a text of 20000 characters"):
        start("tic-tac-toe", ["5" * 20_000])
    with pytest.raises(InvalidRequestError, match="1 lines for 2 positions"):
        start("tic-tac-toe", ["5", "51"], lines=[1])
    with pytest.raises(InvalidRequestError, match="without positions"):
        start("tic-tac-toe", [])
    with pytest.raises(UnknownGameError):
        start("nim-with-horses", ["-"])
    with pytest.raises(UnknownAlgorithmError):
        start("tic-tac-toe", ["-"], algorithm="guess")
    with pytest.raises(InvalidRequestError, match="at_least 2"):
        start("tic-tac-toe", ["-"], at_least=2)
    with pytest.raises(InvalidRequestError, match="two questions"):
        start("tic-tac-toe", ["-"], at_least=1, result_at_least=1)
    with pytest.raises(LimitExceededError):
        start("tic-tac-toe", ["-"], budget=Budget(memory_bytes=1 << 60))
    assert service.client.jobs() == ([], None)
    assert service.store.count("tic-tac-toe") == 0


def test_a_list_has_a_limit(make_service: MakeService) -> None:
    client = make_service(limits=Limits(job_positions=3)).client
    assert client.limits().job_positions == 3
    with pytest.raises(LimitExceededError, match="more than 3 positions") as caught:
        client.start_positions("tic-tac-toe", ["5"] * 4)
    assert (caught.value.limit, caught.value.largest) == ("job_positions", 3)
    assert finished(client.wait(client.start_positions("tic-tac-toe", ["5"] * 3).id)).exact == 3


def test_outcomes_come_page_by_page_and_only_from_such_jobs(service: Service) -> None:
    texts = openings(12)
    job = service.client.wait(service.client.start_positions(GAME, texts, lines=range(10, 10 + len(texts))).id)
    page, cut = service.client.list_positions(job.id, limit=5)
    assert cut is not None and cut.reason == "count" and "skip 5" in cut.message
    rest, none = service.client.list_positions(job.id, skip=5, limit=10_000)
    assert none is None
    assert [outcome.line for outcome in page + rest] == list(range(10, 10 + len(texts)))
    assert service.client.list_positions(job.id, skip=len(texts) + 5) == ([], None)
    with pytest.raises(InvalidRequestError, match="is a solve"):
        service.client.list_positions(service.client.solve("tic-tac-toe").id)
    with pytest.raises(JobNotFoundError):
        service.client.list_positions("none")
    with pytest.raises(InvalidRequestError, match="10000 are possible"):
        service.client.list_positions(job.id, limit=10_001)


@pytest.mark.slow
def test_a_hundred_thousand_positions_are_a_small_job(service: Service) -> None:
    game = open_game(LONG)
    chance = random.Random(3)
    texts = ["".join(str(chance.randrange(7) + 1) for _ in range(4)) for _ in range(100_000)]
    began = time.monotonic()
    job = service.client.start_positions(LONG, texts, budget=Budget(nodes=1), source="four plies " * 100)
    assert time.monotonic() - began < 60
    service.client.pause(job.id)
    listed = service.client.job(job.id)
    assert job_to_message(listed).ByteSize() < 2_000
    stored = service.store.get_job(job.id)
    assert stored is not None and len(stored.to_json()) < 3_000
    assert len(to_stored(listed).to_json()) < 3_000
    log = PositionLog(service.store, job.id)
    assert log.count() == 100_000
    assert [position.text for position in log.listed(99_990)] == [
        game.text(game_position(text)) for text in texts[99_990:]
    ]
    assert service.client.cancel(job.id).state == "cancelled"


def game_position(moves: str) -> bytes:
    game = open_game(LONG)
    position = game.initial()
    for column in moves:
        position = game.play(position, int(column) - 1)
    return position


@pytest.fixture
def saves_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "SAVE_SECONDS", 0.02)


@pytest.mark.usefixtures("saves_often")
def test_a_paused_job_goes_on_behind_the_positions_that_are_done(service: Service) -> None:
    texts = openings(200, seed=4)
    job = service.client.start_positions(GAME, texts)
    wait_for_positions(service, job, 3)
    paused = service.client.pause(job.id)
    assert paused.state == "paused" and paused.resumable
    before = list(service.client.position_outcomes(job.id))
    assert 3 <= len(before) < len(texts)
    assert isinstance(paused.progress, PositionsProgress) and paused.progress.done == len(before)
    done = service.client.wait(service.client.resume(job.id).id)
    after = list(service.client.position_outcomes(job.id))
    assert after[: len(before)] == before
    assert len(after) == finished(done).positions == len(texts)
    assert finished(done).seconds >= paused.progress.seconds


@pytest.mark.usefixtures("saves_often")
def test_a_pause_in_a_long_search_keeps_what_is_done(service: Service) -> None:
    job = service.client.start_positions(LONG, ["121212", "-", "1212122"])
    wait_for_positions(service, job, 1)
    searched = open_game(LONG).text(game_position(""))
    until(lambda: getattr(service.client.job(job.id).progress, "position", None) == searched)
    progress = service.client.job(job.id).progress
    assert isinstance(progress, PositionsProgress)
    assert (progress.done, progress.positions) == (1, 3)
    assert progress.text is not None and progress.text.startswith("1 of 3 positions")
    began = time.monotonic()
    assert service.client.pause(job.id).state == "paused"
    assert time.monotonic() - began < 5
    assert len(list(service.client.position_outcomes(job.id))) == 1
    service.client.resume(job.id)
    until(lambda: service.client.job(job.id).state == "running")
    cancelled = service.client.cancel(job.id)
    assert cancelled.state == "cancelled"
    assert isinstance(cancelled.result, PositionsResult) and cancelled.result.positions == 1
    assert len(list(service.client.position_outcomes(job.id))) == 1, "kept as long as the job"
    with pytest.raises(JobStateError):
        service.client.resume(job.id)
    assert service.client.prune_jobs(older_than=0, keep=0) == 1
    with pytest.raises(JobNotFoundError):
        service.client.list_positions(job.id)
    assert list(service.store.checkpoint(job.id)) == []


def test_only_a_solve_gets_a_larger_budget(service: Service) -> None:
    job = service.client.start_positions(LONG, ["-"])
    service.client.pause(job.id)
    with pytest.raises(InvalidRequestError, match="only a solve has a budget"):
        service.client.resume(job.id, budget=Budget(nodes=5))
    service.client.cancel(job.id)


def test_a_read_only_store_refuses(tmp_path: object, make_service: MakeService) -> None:
    from proofbase.storage import open_store

    url = f"{tmp_path}/store"
    open_store(url).close()
    service = make_service(open_store(url, read_only=True))
    with pytest.raises(StoreReadOnlyError):
        service.client.start_positions("tic-tac-toe", ["-"])


def test_a_list_that_was_not_stored_whole_fails_with_one_message(service: Service) -> None:
    spec = PositionsSpec("tic-tac-toe", 5)
    job = service.app.jobs.start(spec)
    *_, done = service.client.watch(job.id)
    assert done.state == "failed" and done.error_reason == "INVALID_CHECKPOINT"
    assert "0 of 5 positions" in (done.error or "")
