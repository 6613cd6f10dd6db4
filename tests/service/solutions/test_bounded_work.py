"""The work and the memory that one request costs are bounded, whatever it says."""

from __future__ import annotations

import base64
import threading
from pathlib import Path

import pytest
from services import MakeService, Service, fill_tic_tac_toe

from proofbase.engine.games import open_game
from proofbase.service.application import Application
from proofbase.service.client import Budget, LimitExceededError, StaleContinuationError
from proofbase.service.commands.solutions import analyse_game, get_line, get_proof
from proofbase.service.commands.solutions.processor_limit import ProcessorLimit
from proofbase.service.commands.solutions.proof_traversal import ProofTraversal
from proofbase.service.limits import Limits
from proofbase.service.resources import record_cache
from proofbase.service.resources.continuations import Continuations
from proofbase.storage import Claim, Evidence, Record, Side, encode_record, open_store, search_payload

GAME = "tic-tac-toe"


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the nodes of proofs that are made."""
    count = [0]
    step = ProofTraversal.__next__

    def counted(self: ProofTraversal) -> object:
        count[0] += 1
        return step(self)

    monkeypatch.setattr(ProofTraversal, "__next__", counted)
    return count


def test_forged_continuations_are_refused_without_work(solved: Service, walked: list[int]) -> None:
    page = solved.client.proof(GAME, max_nodes=50)
    assert page.cut is not None and page.cut.continuation is not None
    generation = solved.store.generation(GAME)
    data = bytearray(base64.urlsafe_b64decode(page.cut.continuation))
    walked[0] = 0
    forged = [f"999999999.{generation}.x", "", "=", "\u00e9", "A" * 100_000]
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        forged.append(base64.urlsafe_b64encode(changed).decode())
    for continuation in filter(None, forged):
        with pytest.raises(StaleContinuationError):
            solved.client.proof(GAME, max_nodes=5, continuation=continuation)
        with pytest.raises(StaleContinuationError):
            solved.client.statistics(GAME, census=True, continuation=continuation)
    for other in ({"side": "lower"}, {"max_depth": 3}, {"position": "5"}):
        with pytest.raises(StaleContinuationError, match="of this request"):
            solved.client.proof(GAME, continuation=page.cut.continuation, **other)  # type: ignore[arg-type]
    assert walked[0] == 0


def test_a_continuation_of_another_process_is_refused(make_service: MakeService) -> None:
    first, second = make_service(), make_service()
    for service in (first, second):
        fill_tic_tac_toe(service.store)
    page = first.client.proof(GAME, max_nodes=50)
    assert page.cut is not None
    with pytest.raises(StaleContinuationError, match="started anew"):
        second.client.proof(GAME, max_nodes=50, continuation=page.cut.continuation)


def test_a_continuation_is_for_its_request_only() -> None:
    signer = Continuations()
    token = signer.write("census a", b"place")
    assert signer.read("census a", token) == b"place"
    for request, text in (("census b", token), ("census a", token[:-4]), ("census a", token + "AAAA")):
        with pytest.raises(StaleContinuationError):
            signer.read(request, text)


def test_a_page_far_back_is_walked_to_in_steps(
    solved: Service, walked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking for the same page again and again has the server do the same little work every time."""
    monkeypatch.setattr(get_proof, "WALKED_AGAIN", 20)
    pages = [solved.client.proof(GAME, max_nodes=30)]
    while (cut := pages[-1].cut) is not None and len(pages) < 6:
        pages.append(solved.client.proof(GAME, max_nodes=30, continuation=cut.continuation))
    token = pages[-2].cut.continuation if pages[-2].cut else None
    empty, walked[0] = 0, 0
    while not (again := solved.client.proof(GAME, max_nodes=30, continuation=token)).nodes:
        assert again.cut is not None and again.cut.continuation == token and "go on" in again.cut.message
        assert walked[0] <= 20
        empty, walked[0] = empty + 1, 0
    assert empty > 3
    assert again.nodes == pages[-1].nodes


def test_kept_traversals_are_bounded(solved: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_proof, "KEPT_NODES", 120)
    for _ in range(5):
        solved.client.proof(GAME, max_nodes=50)
    kept = solved.app.proof_pages._traversals.values()
    assert sum(traversal.shown for traversal in kept) <= 120
    page = solved.client.proof(GAME, max_nodes=100)
    assert page.cut is not None
    page = solved.client.proof(GAME, max_nodes=100, continuation=page.cut.continuation)
    assert len(page.nodes) == 20 and page.cut is not None and page.cut.continuation is None
    assert "later positions" in page.cut.message


def test_a_line_below_a_small_search_ends_when_it_takes_too_long(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = open_game("tic-tac-toe", "python")
    position = game.initial()
    lower = Claim(Side.LOWER, 0, 9, Evidence.SEARCH, witness=4, payload=search_payload(10_000))
    upper = Claim(Side.UPPER, 0, 9, Evidence.SEARCH, payload=search_payload(10_000))
    record = encode_record(Record.of([lower, upper]))
    service.store.put_many(GAME, [(game.key(position), record)], source="s", rules_version=game.rules_version)
    monkeypatch.setattr(get_line, "LINE_SECONDS", -1.0)
    line = service.client.line(GAME)
    assert len(line.steps) == 1 and line.stop == "not_known"
    assert line.stop_message == get_line.TOO_LONG


def test_a_long_line_is_cut_where_the_effort_ends(solved: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_line, "LINE_SECONDS", -1.0)
    line = solved.client.line(GAME)
    assert len(line.steps) == 1 and line.stop == "plies" and line.cut is not None


def test_an_analysis_that_takes_too_long_says_so(solved: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse_game, "ANALYSIS_SECONDS", -1.0)
    with pytest.raises(LimitExceededError, match="send fewer"):
        solved.client.analyse_game(GAME, "1 2 3")


def test_effort_counts_the_time_of_the_own_thread() -> None:
    processor_limit = ProcessorLimit(0.02)
    assert not processor_limit.exceeded
    while not processor_limit.exceeded:
        pass


def test_games_that_nobody_has_leave_nothing_behind(make_service: MakeService) -> None:
    service = make_service()
    before = threading.active_count()
    for seed in range(600):
        service.client.batch_lookup_packed(f"random-graph:seed={seed}", bytes(5))
        service.client.lookup(f"random-graph:seed={seed}")
    resources = service.app.resources
    assert not resources.cache._copies and not resources.cache._cannot_be_copied
    assert len(resources.games._games) <= 256
    assert threading.active_count() <= before + 10


def test_copies_are_bounded_and_the_least_used_ones_go(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_cache, "MOST_COPIES", 5)
    service = make_service()
    names = [f"random-graph:nodes=50,seed={seed}" for seed in range(12)]
    for name in names:
        service.client.solve(name, budget=Budget(nodes=1000))
        service.app.resources.cache.records(open_game(names[0]).name)
    copies = service.app.resources.cache._copies
    assert len(copies) == 5 and open_game(names[0]).name in copies


def test_copies_come_and_go_while_others_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `dictionary changed size during iteration`, and no exception of a loading thread."""
    monkeypatch.setattr(record_cache, "MOST_COPIES", 3)
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    names = [f"random-graph:nodes=40,seed={seed}" for seed in range(8)]
    with Application(open_store("memory:"), Limits()) as app:
        for name in names:
            game = open_game(name)
            record = encode_record(Record.of([Claim(Side.UPPER, 0, 1)]))
            app.resources.store.put_many(game.name, [(game.key(game.initial()), record)], source="s", rules_version=1)

        def ask(first: int) -> None:
            try:
                for number in range(150):
                    name = open_game(names[(first + number * 3) % len(names)]).name
                    app.resources.cache.records(name)
                    app.resources.cache.answers(name, b"")
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures
