"""Winning threats: what the two finders return is playable and winning, by the rules alone; what they find of each."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.checking.checker import line_reaches
from proofbase.engine.rules.qubic import layers

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")

FINDERS = ("dependency", "sequences")


def positions_of_random_play(seed: str, count: int) -> list[bytes]:
    """Positions of qubic with the game not over, 6 to 40 plies old; every second one with threes avoided by chance."""
    game, random = open_game("qubic"), Random(seed)
    found: list[bytes] = []
    while len(found) < count:
        position = game.initial()
        for _ in range(random.randint(6, 40)):
            position = game.play(position, random.choice(game.moves(position)))
            if game.terminal(position) is not None:
                break
        else:
            found.append(position)
    return found


@pytest.mark.parametrize("finder", FINDERS)
def test_every_line_found_wins_by_the_rules(finder: str) -> None:
    game, rules = open_game("qubic"), open_rules("qubic")
    positions = positions_of_random_play("lines", 400)
    lines, nodes, largest, cut, _ = game.winning_lines(positions, finder=finder)
    assert len(lines) == 400 and nodes >= 400 and largest < 5000 and cut == 0
    won = [(position, line) for position, line in zip(positions, lines, strict=True) if line is not None]
    assert len(won) > 200 and max(len(line) for _, line in won) >= 7
    long = sorted(won, key=lambda pair: -len(pair[1]))[:25]
    for position, line in [*Random(finder).sample(won, 15), *long]:
        assert line_reaches(rules, rules.parse(game.text(position)), 1, line)


def test_nothing_is_found_by_dependencies_that_sequences_do_not_find() -> None:
    """The plain search is complete; dependency-based search misses few: those with threats not joined in time."""
    game = open_game("qubic")
    positions = positions_of_random_play("both", 20_000)
    dependency, nodes, *_ = game.winning_lines(positions)
    sequences, plain_nodes, _, cut, _ = game.winning_lines(positions, finder="sequences", most_nodes=100_000)
    assert cut == 0
    assert not [1 for a, b in zip(dependency, sequences, strict=True) if a is not None and b is None]
    missed = sum(a is None and b is not None for a, b in zip(dependency, sequences, strict=True))
    assert 0 < missed < 0.01 * sum(b is not None for b in sequences)
    assert nodes < plain_nodes / 2
    assert all(len(b) <= len(a) for a, b in zip(dependency, sequences, strict=True) if a is not None and b is not None)


def test_a_line_that_meets_a_four_of_the_defender() -> None:
    """o has three in a row: only threats that stop it count, though x has others."""
    game = open_game("qubic")
    cubes = dict.fromkeys((0, 1, 7, 11), "x") | dict.fromkeys((48, 49, 50, 63), "o")
    position = game.parse(layers("".join(cubes.get(cube, ".") for cube in range(64))))
    for finder in FINDERS:
        (line,), *_ = game.winning_lines([position], finder=finder)
        assert line is None or line[0] == 51
    cubes = dict.fromkeys((3, 19, 35, 1), "x") | dict.fromkeys((48, 49, 50, 20), "o")
    position = game.parse(layers("".join(cubes.get(cube, ".") for cube in range(64))))
    for finder in FINDERS:
        assert game.winning_lines([position], finder=finder)[0] == [[51]]  # x completes 3, 19, 35, 51


def test_a_search_that_is_cut_short_says_so() -> None:
    game = open_game("qubic")
    positions = positions_of_random_play("cut", 300)
    full = game.winning_lines(positions, finder="sequences")[0]
    lines, _, largest, cut, _ = game.winning_lines(positions, finder="sequences", most_nodes=3)
    assert largest <= 3 and cut > 0
    assert all(b is not None for a, b in zip(lines, full, strict=True) if a is not None)


def test_what_has_no_threats_is_refused() -> None:
    with pytest.raises(ValueError, match="tic-tac-toe has no threats"):
        open_game("tic-tac-toe").winning_lines([])
    with pytest.raises(ValueError, match="the finders are"):
        open_game("qubic").winning_lines([], finder="oracle")
    with pytest.raises(ValueError, match="tic-tac-toe has no threats"):
        core.Search(open_game("tic-tac-toe"), open_game("tic-tac-toe").initial(), 1, algorithm="pn-dag+threats")
