"""What `auto` chooses for the questions of a solve: cheap things first, then what the game suits."""

from __future__ import annotations

from pathlib import Path

import pytest
from services import MakeService, Service

from proofbase.engine import _core
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.games import open_game
from proofbase.service.client import Budget, Job, SolveResult, SolveSpec
from proofbase.service.jobs.stored_jobs import to_stored
from proofbase.service.resources.algorithm_choice import ABOVE_TABLES, AlgorithmChoice
from proofbase.storage import open_store

FORCED_WIN = "3747"  # three in a row with both ends free are to be had
WIDE = "connect-four:5x5"
DRAWN = "gomoku:4x4-4"


def outcome(job: Job) -> SolveResult:
    assert isinstance(job.result, SolveResult)
    return job.result


def test_null_window_follows_in_games_that_help_it_and_nowhere_else() -> None:
    for name, follows in (("connect-four", True), ("connect-four:7x6,score", True), ("tic-tac-toe", False)):
        game = open_game(name)
        first, reason, nodes = _core.choose_algorithm(game)
        assert first == "pn-dag" and "acyclic" in reason
        assert (nodes is not None) == follows and ("null-window" in reason) == follows
        second, reason, nodes = _core.choose_algorithm(game, nodes_used_up=True)
        assert second == ("null-window" if follows else "pn-dag") and nodes is None
        third, reason, _ = _core.choose_algorithm(game, memory_used_up=True)
        assert third == ("null-window" if follows else "df-pn") and "memory" in reason


def test_each_question_begins_with_the_first_choice_and_a_named_algorithm_is_the_only_one() -> None:
    state: dict[str, object] = {}
    choice = AlgorithmChoice(open_game("connect-four"), "auto", state)
    assert choice.for_question(1).name == "pn-dag"
    choice.note_nodes_used_up(1)
    assert choice.for_question(1).name == "null-window" and choice.for_question(0).name == "pn-dag"
    again = AlgorithmChoice(open_game("connect-four"), "auto", state)
    assert again.for_question(1).name == "null-window", "the state is kept over a restart"
    assert again.note_exhausted(0) and not again.note_exhausted(0)
    name, reason, _ = again.for_question(0)
    assert name == "null-window" and reason is not None and "nothing left to try" in reason
    assert again.for_question(-1).name == "pn-dag", "of another question nothing was tried"
    assert not again.note_exhausted(1), "null-window would follow itself"
    assert again.note_memory_used_up(-1) and not again.note_memory_used_up(-1)
    assert "memory" in (again.for_question(-1).reason or "")
    named = AlgorithmChoice(open_game("connect-four"), "pn-tree+unit", {})
    named.note_nodes_used_up(1)
    assert named.for_question(1) == ("pn-tree+unit", None, None)
    assert not named.note_memory_used_up(1) and not named.note_exhausted(1)


def test_df_pn_is_for_games_with_effort_and_tables_that_settle_the_cycles() -> None:
    for name, algorithm in (("checkers", "df-pn"), ("chess", "pn-base-twin"), ("awari", "pn-base-twin")):
        assert AlgorithmChoice(open_game(name), "auto", {}, has_tables=lambda: True).for_question(1).name == algorithm
        assert AlgorithmChoice(open_game(name), "auto", {}).for_question(1).name == "pn-base-twin"


def test_a_job_keeps_its_algorithm_whatever_tables_come_and_go() -> None:
    game = open_game("checkers")
    state: dict[str, object] = {}
    assert AlgorithmChoice(game, "auto", state, has_tables=lambda: True).for_question(1).reason == ABOVE_TABLES
    assert AlgorithmChoice(game, "auto", state, has_tables=lambda: False).for_question(1).name == "df-pn"
    above = AlgorithmChoice(game, "auto", {}, has_tables=lambda: True)
    assert not above.note_exhausted(1) and not above.note_memory_used_up(1), "df-pn would follow itself"
    begun_without = {"spent": {"nodes": 1}}
    assert AlgorithmChoice(game, "auto", begun_without, has_tables=lambda: True).for_question(1).name == "pn-base-twin"


def test_a_win_above_tables_is_found_by_df_pn_and_passes_the_check(make_service: MakeService, tmp_path: Path) -> None:
    """Two men and a king against a man and a king."""
    service = make_service(str(tmp_path / "store"))
    service.client.wait(service.client.start_table("checkers", 3).id)
    result = outcome(service.client.solve("checkers", "B:W26,K4:B24,K20,3", at_least=1))
    assert (result.status, result.algorithm) == ("proved", "df-pn+effort")
    verification = service.client.verify("checkers").result
    assert verification is not None and verification.checked > 0 and verification.failed == 0


def test_tables_of_other_games_do_not_settle_the_cycles_of_a_game(make_service: MakeService, tmp_path: Path) -> None:
    service = make_service(str(tmp_path / "store"))
    service.client.wait(service.client.start_table("awari", 2).id)
    result = outcome(service.client.solve("checkers", "B:W26:B24", at_least=0))
    assert result.algorithm is not None and result.algorithm.startswith("pn-base-twin")


def test_threads_are_for_the_algorithms_that_can_use_them() -> None:
    choice = AlgorithmChoice(open_game("connect-four"), "auto+threads-2", {})
    assert choice.for_question(1).name == "pn-dag"
    choice.note_nodes_used_up(1)
    assert choice.for_question(1).name == "null-window+threads-2"
    large = AlgorithmChoice(open_game("gomoku"), "auto+threads-3", {"nodes_used_up": [1]})
    assert large.for_question(1).name == "threats+threads-3"


@pytest.mark.parametrize("name", ["auto+threads-0", "auto+threads-256", "auto+unit", "auto+"])
def test_other_policies_of_auto_are_refused(service: Service, name: str) -> None:
    with pytest.raises(UnknownAlgorithmError, match="auto"):
        service.client.solve("tic-tac-toe", algorithm=name)


def test_a_solve_with_threads_ends_as_without(service: Service) -> None:
    result = outcome(service.client.solve(WIDE, algorithm="auto+threads-2"))
    assert result.status == "exact" and result.value.lower == 0
    assert result.algorithm.startswith("null-window") and "threads-2" in result.algorithm


def test_a_search_with_nothing_left_to_try_is_followed_by_another_and_the_answer_says_so(
    service: Service, threats_first: None
) -> None:
    result = outcome(service.client.solve(DRAWN, at_least=1))
    assert result.status == "disproved" and result.algorithm.startswith("df-pn")
    assert result.algorithm_reason == "the search before had nothing left to try"
    assert [question.status for question in result.questions] == ["unknown", "disproved"]


def test_a_named_search_with_nothing_left_to_try_ends_and_no_budget_helps(service: Service) -> None:
    result = outcome(service.client.solve(DRAWN, at_least=1, algorithm="threats"))
    assert (result.status, result.unknown_reason, result.resumable) == ("unknown", "exhausted", False)


def test_a_forced_win_is_found_by_the_first_choice(service: Service) -> None:
    result = outcome(service.client.solve("connect-four", FORCED_WIN))
    assert result.status == "exact" and result.value.lower == 1
    assert result.algorithm == "pn-dag+effort"
    assert result.algorithm_reason is not None and "before null-window" in result.algorithm_reason


def test_a_wide_board_is_answered_by_null_window_and_the_answer_says_so(service: Service) -> None:
    result = outcome(service.client.solve(WIDE))
    assert result.status == "exact" and (result.value.lower, result.value.upper) == (0, 0)
    assert result.algorithm.startswith("null-window")
    assert result.algorithm_reason is not None and "2000 nodes found no answer" in result.algorithm_reason
    assert {(question.at_least, question.status) for question in result.questions} == {(1, "disproved"), (0, "proved")}
    assert result.nodes >= sum(question.nodes for question in result.questions) + 1_900
    verification = service.client.verify(WIDE).result
    assert verification is not None and verification.checked > 0 and verification.failed == 0


@pytest.mark.parametrize("nodes", [1_000, 2_000, 9_000])
def test_a_budget_that_ends_early_can_be_enlarged(service: Service, nodes: int) -> None:
    job = service.client.solve(WIDE, budget=Budget(nodes=nodes))
    result = outcome(job)
    assert (result.status, result.unknown_reason, result.resumable) == ("unknown", "nodes", True)
    assert nodes <= result.nodes < nodes + 2_000
    service.client.resume(job.id, budget=Budget(nodes=100_000_000))
    whole = outcome(service.client.wait(job.id))
    assert whole.status == "exact" and whole.value.lower == 0


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_stored_job_of_a_search_that_cannot_treat_its_game_ends_with_a_sentence(
    make_service: MakeService, directory: Path, workers: int
) -> None:
    """As an earlier release may have left one: null-window once took games with cycles."""
    spec = SolveSpec("awari", "-", 1, "null-window", workers=workers)
    with open_store(str(directory)) as store:
        store.put_job(to_stored(Job("1-x", "solve", "queued", 1.0, 2.0, spec)))
    service = make_service(str(directory))
    service.app.jobs.resume_unfinished()  # a server has done so already
    with pytest.raises(UnknownAlgorithmError, match="awari has cycles, which null-window cannot treat; pn-base-twin"):
        service.client.wait("1-x")
    assert service.client.job("1-x").state == "failed"


def test_a_search_for_the_value_takes_the_nodes_of_the_first_choice(service: Service) -> None:
    result = outcome(service.client.solve("connect-four:4x4,score"))
    assert result.status == "exact" and result.algorithm.startswith("null-window")
    assert (result.algorithm_reason or "").endswith("2000 nodes found no answer")
