"""Allis, Searching for solutions in games and artificial intelligence (1994), 5.3.3: two tests of threat sequences."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from proofbase.engine.games import open_game
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row

__all__ = ["acceptance_tests", "positions_near_centre"]

POSITIONS, NODES = 1_000, 2_000
"""Positions with stones in the 7x7 squares about the centre, and the nodes of a search for a sequence."""
GAMES = ("gomoku", "gomoku:standard")
TESTS = {"replay": "sequences", "the thesis's test": "sequences-by-search"}


def acceptance_tests(options: Options, progress: Progress) -> Report:
    """5.3.3: which sequences of threats win, by the thesis's test and by playing them against every reply."""
    wanted, most_nodes = options.positions or POSITIONS, options.nodes or NODES
    rows = list[Row]()
    for number, name in enumerate(GAMES):
        progress(number / len(GAMES), name)
        game: Any = open_game(name)
        positions = list(positions_near_centre(game, wanted, Random(1)))
        answers = [game.winning_threats(positions, finder, most_nodes)[0] for finder in TESTS.values()]
        for test, of_test in zip(TESTS, answers, strict=True):
            won = sum(outcome == "won" for outcome, _, _ in of_test)
            nodes = sum(nodes for _, _, nodes in of_test)
            rows += [Row(f"{name}, {test}: won", None, won), Row(f"{name}, {test}: nodes", None, nodes, "nodes")]
        both = sum(replayed[0] == searched[0] == "won" for replayed, searched in zip(*answers, strict=True))
        refuted = sum(outcome == "unproved" for outcome, _, _ in answers[1])
        rows.append(Row(f"{name}: won by both", None, both))
        rows.append(Row(f"{name}: accepted by the thesis's test, and refuted by a reply", None, refuted))
    notes = (
        f"{wanted:,} positions of either game with 10 to 18 stones at random in the 7x7 squares about the centre.",
        "The thesis's test: goal squares, largest category, ten sequences at most. Every win is written as a tree.",
    )
    return Report(f"{THESIS}, 5.3.3: acceptance of sequences of threats in go-moku", rows, notes)


def positions_near_centre(game: Any, count: int, random: Random) -> Iterator[Any]:
    """Positions of native go-moku where the game goes on: 10 to 18 stones at random in the 7x7 central squares."""
    centre = game.moves(game.initial())[:49]
    while count:
        position = game.initial()
        for move in random.sample(centre, 2 * random.randint(5, 9)):
            position = game.play(position, move)
            if game.terminal(position) is not None:
                break
        else:
            count -= 1
            yield position
