"""The algorithm of a task is the one that has settled most: on a bandit, and in a game on which it matters."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from trials import load_trial

from proofbase.engine.games import open_game
from proofbase.service.client import SolveResult, connect
from proofbase.service.jobs.proof_manager.task_budget import LONGEST_TASK_SECONDS, TaskBudget
from proofbase.service.jobs.proof_manager.task_choice import TRIES, TaskChoice, candidates
from proofbase.service.resources import Resources
from proofbase.storage import open_store

LONG = "connect-four:5x5"
new_manager = load_trial("bench/managers/trial_managed_graphs").new_manager


def play(choice: TaskChoice, rates: dict[str, float], tasks: int, chance: Random) -> Counter[str]:
    """Tasks of one second or so, which settle their question with the rate of their algorithm. Seconds of each."""
    spent: Counter[str] = Counter()
    for _ in range(tasks):
        name = choice.next()
        seconds = chance.uniform(0.5, 1.5)
        spent[name] += seconds
        choice.finished(name, seconds, settled=chance.random() < rates[name] * seconds)
    return spent


@pytest.mark.parametrize("seed", range(5))
def test_most_of_the_time_goes_to_the_algorithm_that_settles_most(seed: int) -> None:
    choice, chance = TaskChoice(("first", "second")), Random(seed)
    spent = play(choice, {"first": 0.05, "second": 0.5}, 400, chance)
    assert spent["second"] > 0.75 * spent.total()
    play(choice, {"first": 0.5, "second": 0.05}, 150, chance)
    later = play(choice, {"first": 0.5, "second": 0.05}, 400, chance)
    assert later["first"] > 0.75 * later.total(), "what was true before is forgotten"


def test_algorithms_are_tried_in_turn_until_there_is_something_to_compare() -> None:
    choice = TaskChoice(("a", "b", "c"))
    begun = [choice.next() for _ in range(60)]
    assert begun[: 3 * TRIES] == ["a", "b", "c"] * TRIES and set(Counter(begun).values()) == {20}
    choice.finished("a", 1.0, settled=False)
    assert choice.next() in ("b", "c"), "nothing is known of them"
    only = TaskChoice(("pn-dag",))
    assert {only.next() for _ in range(5)} == {"pn-dag"} and only.text == "each task by pn-dag"


def test_the_candidates_are_what_the_automatic_choice_of_the_game_names() -> None:
    assert candidates(open_game("connect-four")) == ("auto", "pn-dag")
    assert candidates(open_game("tic-tac-toe")) == ("auto", "df-pn")
    assert candidates(open_game("awari")) == ("auto", "df-pn")
    goes_on_late = candidates(open_game("gomoku:standard"))
    assert goes_on_late == ("auto", "threats"), "a first task of auto ends before threats begin"


@pytest.mark.parametrize("names", [("pn-dag",), ("pn-dag", "df-pn")])
def test_a_job_finds_out_what_its_game_needs(names: tuple[str, ...], thorough: bool) -> None:
    """With 1 MiB a task `pn-dag` needs some 18 million nodes, with `df-pn` beside it 4; the wrong guess comes first."""
    with Resources(open_store("memory:")) as resources:
        choice = TaskChoice(names)
        manager = new_manager(resources, LONG, 1, 2, first_task_nodes=50_000, choice=choice, memory_bytes=2 << 20)
        try:
            outcome = manager.run(nodes=5_000_000 if len(names) == 1 and not thorough else 9_000_000)
        finally:
            manager.close()
        assert outcome.status == ("unknown" if len(names) == 1 else "disproved")
        if len(names) == 2:
            table = resources.cache.records(LONG)
            assert table is not None and len(table) > 0 and not table.check().findings


def test_a_solve_says_which_algorithms_got_how_many_tasks() -> None:
    with connect("memory:") as client:
        result = client.solve("tic-tac-toe", at_least=1, workers=2).result
        assert isinstance(result, SolveResult) and result.status == "disproved"
        assert "2 workers, tasks by what has settled most: auto " in (result.algorithm_reason or "")
        result = client.solve("connect-four:4x4", at_least=0, workers=2, algorithm="df-pn").result
        assert isinstance(result, SolveResult)
        assert result.algorithm_reason in (None, "2 workers, each task by df-pn")


def test_a_task_that_is_much_slower_than_others_ends_early() -> None:
    budget = TaskBudget(1_000)
    assert budget.seconds(1_000) == LONGEST_TASK_SECONDS, "nothing is known yet"
    budget.searched(100_000, 1.0)
    assert budget.seconds(50_000) == 2.0 and budget.seconds(200_000) == 8.0
    assert budget.seconds(10**9) == LONGEST_TASK_SECONDS


def test_two_workers_get_the_tasks_that_one_would_get() -> None:
    budget = TaskBudget(1_000)
    assert [budget.nodes(160_000, workers) for workers in (1, 2, 3, 6)] == [10_000, 10_000, 5_000, 2_000]
    assert budget.nodes(160_000, 64) == 1_000, "no less than the first ones"
    assert budget.nodes(10**12, 2) == 5_000_000, "and no more than the largest"


def test_storing_makes_tasks_larger_when_it_is_nearly_too_much() -> None:
    """64 tasks of a second on 64 workers: storing took 0.1 s of that second, then 1.5 s."""
    budget = TaskBudget(1_000)
    for _ in range(64):
        budget.searched(100_000, 1.0)
    budget.merged(0.1)
    assert 13_000 <= budget.nodes(0, 64) <= 14_000, "a share of 0.75 would be reached by tasks of 0.13 s"
    budget.merged(1.4)
    assert 199_000 <= budget.nodes(0, 64) <= 200_000, "two seconds"
    budget.managed(1.0)
    assert 399_000 <= budget.nodes(0, 64) <= 400_000, "a quarter of four seconds is the manager's own work"
