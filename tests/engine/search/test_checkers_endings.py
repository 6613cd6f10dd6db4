"""Endings of checkers: every search that treats cycles against brute force by the rules in Python."""

from __future__ import annotations

from random import Random

import pytest
from search_combinations import assert_settled

from proofbase.engine import _core, open_rules
from proofbase.engine._core import Search, full_algorithm_name
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.games import open_game
from proofbase.engine.rules.checkers import Checkers, CheckersPosition

ALGORITHMS = ("pn-base-twin", "pn-fixpoint", "pn-cyclic", "df-pn", "alpha-beta")
RULES = Checkers()


def brute_force(start: CheckersPosition) -> dict[CheckersPosition, int]:
    """The values of all positions below one: wins and losses by ever longer lines, the rest are draws."""
    below = dict[CheckersPosition, set[CheckersPosition]]()
    left = [start]
    while left:
        position = left.pop()
        if position not in below:
            below[position] = {RULES.play(position, move) for move in RULES.moves(position)}
            left += below[position]
    values = dict[CheckersPosition, int]()
    found = True
    while found:
        found = False
        for position, children in below.items():
            if position in values:
                continue
            if any(values.get(child) == -1 for child in children):
                values[position], found = 1, True
            elif all(values.get(child) == 1 for child in children):
                values[position], found = -1, True
    return {position: values.get(position, 0) for position in below}


@pytest.fixture(scope="module")
def values() -> dict[CheckersPosition, int]:
    """Of all positions below a king and a man against a man: 18,131."""
    return brute_force(RULES.parse("B:WK3,5:B12"))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_searches_have_the_values_of_brute_force(values: dict[CheckersPosition, int], algorithm: str) -> None:
    game, random = open_game("checkers"), Random(algorithm)
    chosen = [
        position for value in (-1, 0, 1) for position in random.sample([p for p in values if values[p] == value], 8)
    ]
    answered = 0
    for position in chosen:
        native = game.parse(RULES.text(position))
        for at_least in (0, 1):
            search = Search(game, native, at_least, algorithm=algorithm)
            search.run(nodes=20_000)
            if search.status == "unknown":
                continue
            answered += 1
            assert search.status == ("proved" if values[position] >= at_least else "disproved"), RULES.text(position)
            if RULES.terminal(position) is None:
                assert_settled(search.solution(), game.key(native), at_least, search.status)
    assert answered > (40 if algorithm in ("pn-base-twin", "pn-fixpoint") else 16)


def test_a_draw_by_repetition_passes_the_check_by_the_python_rules() -> None:
    """A king in the corner that the other side's king never leaves for long: the double corner holds a man more."""
    game = open_game("checkers")
    position = game.parse("W:WK18:BK1")
    algorithm, reason, _ = _core.choose_algorithm(game, position)
    assert "cycles" in reason
    for at_least, status in ((0, "proved"), (1, "disproved")):
        search = Search(game, position, at_least, algorithm=algorithm)
        search.run()
        assert search.status == status
        items = [item for chunk in search.solution(small_search_nodes=0).chunks(1000) for item in chunk]
        assert items
        findings = LocalCheck(open_rules("checkers")).findings(items, lambda keys: [None] * len(keys))
        assert list(findings) == []


def test_the_effort_finds_a_win_sooner() -> None:
    """Two men and a king against a man and a king: by the number of moves the win takes more nodes."""
    game = open_game("checkers")
    position = game.parse("B:W26,K4:B24,K20,3")
    assert full_algorithm_name(game, "pn-base-twin") == "pn-base-twin+effort"
    for algorithm, status in (("pn-base-twin", "proved"), ("pn-base-twin+mobility", "unknown")):
        assert Search(game, position, 1, algorithm=algorithm).run(nodes=60_000).status == status
