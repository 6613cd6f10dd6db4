"""A few hundred random graphs for every named variant of every search; `trial_variants.py` takes thousands."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest
from trials import load_trial

from proofbase.engine._core import algorithms, open_game

GRAPHS = 240


@pytest.fixture(scope="module")
def trial() -> ModuleType:
    return load_trial("search/trial_variants")


@pytest.mark.slow
def test_every_variant_gives_the_brute_force_value_and_a_solution_that_passes(trial: ModuleType) -> None:
    tallies = trial.run(range(GRAPHS), seed=7, most=20)
    assert trial.faults(tallies) == []
    games = [open_game(name) for name in ("random-graph", "random-graph:group=5")]
    families = {family for game in games for family, _ in algorithms(game)}
    assert {name.partition("+")[0] for name in tallies} == families
    for name, tally in tallies.items():
        small_graphs_only = set(name.split("+")) >= trial.EVERY_PATH
        assert tally.searches >= GRAPHS / (8 if small_graphs_only else 4)
        assert 0.2 < tally.proved / tally.searches < 0.8
        assert tally.given_up <= 0.1 * tally.searches
        assert tally.records > 2 * tally.searches


def test_wrong_answers_are_found(trial: ModuleType) -> None:
    """Held against values that are off by much, every search is wrong."""
    game = open_game("random-graph")
    name = trial.combinations(game)[0]
    tally = trial.Tally()
    for number, case in enumerate(trial.cases(range(64), seed=3)):
        if trial.SHAPES[number % len(trial.SHAPES)].find("group") < 0:
            off = case.value - 10 if case.value >= case.at_least else case.value + 10
            trial.solve(replace(case, value=off), name, tally, by_python=False)
    assert tally.searches == len(tally.wrong) == 24


def test_families_say_what_they_take() -> None:
    listed = dict(algorithms(open_game("tic-tac-toe")))
    assert dict(listed["pn-tree"])["memory"] == ["keep", "delete-solved", "delete-least"]
    assert all(dict(kinds)["order of moves"] == ["order-N"] for kinds in listed.values())
