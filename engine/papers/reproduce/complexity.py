"""Allis, Searching for solutions in games and artificial intelligence (1994), section 6.2.4 and Figure 6.1.

How many positions a game has, and how many leaves its tree: log10 of both for the games of ours that the figure has,
and the numbers that the text works out for tic-tac-toe.
"""

from __future__ import annotations

from functools import partial
from math import factorial, log10, sqrt

from proofbase.engine.complexity import (
    FIGURE_6_1,
    count_states,
    estimate_states,
    sample_games,
    solution_tree,
    supersets_of,
)
from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.games import open_game
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, until_stopped
from proofbase.engine.players import good_games

__all__ = ["figure_6_1", "tic_tac_toe"]

SIMULATIONS, SAMPLES = 10, 1_000
"""The sizes of tic-tac-toe's estimate in the text."""
GAMES = 300
"""Random games of each game, at the most."""
SLOW_GAMES = {"renju": 30}
GOOD = 5
"""Games between players of each game, at the most."""
LENGTHS = {"qubic": 20, "connect-four": 36, "gomoku": 30, "mens-morris:9": 50, "awari": 60, "chess": 80, "othello": 58}
LENGTHS |= {"checkers": 70}
MOVES = {"connect-four": 4, "mens-morris:9": 10, "awari": 3.5, "chess": 35, "othello": 10, "checkers": 2.8}
"""The averages of plies and of moves that section 6.3 takes."""
DRAWN = 20_000
"""Members of a superset that are drawn."""

PRINTED_TREE = (
    "Sizes are powers of ten. The trees that are printed are of games between good players, estimated by an average "
    "length and an average number of moves. Good games are of our player against itself, to where the winner is "
    "settled or a position comes again. In connect-four they are as long as the thesis takes them (36 plies), with 6 "
    "moves a position in place of 4, which makes a difference of about 10^6."
)
MORRIS = (
    "Nine men's morris: the printed number is of positions without men in hand, and symmetric ones are counted once."
)
CHECKERS = (
    "Checkers: all placements of pieces are counted, for either side to move; the print estimates those that arise."
)
CHESS = "Chess: no superset of known size is stated, so its positions are not estimated."
FIFTY = "A random game is left after 1,000 plies; chess has no rule of fifty moves here."


def figure_6_1(options: Options, progress: Progress) -> Report:
    """Tic-tac-toe as in the text, then each game of the figure; `positions` is the number of random games."""
    games = options.positions or GAMES
    good = min(games, GOOD)
    progress(0.0, "tic-tac-toe")
    rows = tic_tac_toe()
    points: dict[str, tuple[float | None, float, float]] = {}
    with until_stopped(points) as stopped:
        for number, size in enumerate(FIGURE_6_1):
            share = (number + 1) / (len(FIGURE_6_1) + 1)
            progress(share, size.game)
            rules = open_game(size.game, "python")
            states, supersets = None, supersets_of(rules)
            if supersets:
                estimated = estimate_states(rules, supersets[-1], DRAWN)
                states = log10(estimated.positions)
                rows.append(Row(f"{size.game}: positions", size.state_space, states, "log10", tolerance=None))
            random = sample_games(open_game(size.game), min(games, SLOW_GAMES.get(size.game, games)))
            rows.append(Row(f"{size.game}: leaves, random games", None, random.log10_leaves, "log10"))
            played = good_games(size.game, good, progress=partial(_told, progress, share, size.game))
            rows += [
                Row(f"{size.game}: leaves, good games", size.game_tree, played.log10_leaves, "log10", tolerance=None),
                Row(f"{size.game}: length of good games", LENGTHS.get(size.game), played.length, tolerance=None),
                Row(f"{size.game}: moves in good games", MOVES.get(size.game), played.branching, tolerance=None),
            ]
            points[size.game] = (states, random.log10_leaves, played.log10_leaves)
    return Report(
        "Allis (1994), section 6.2.4 and Figure 6.1: how large games are",
        rows,
        (*stopped, PRINTED_TREE, MORRIS, CHECKERS, CHESS, FIFTY, f"Games: {games} random ones, {good} good ones."),
        _plot(points) if options.plot else None,
    )


def _told(progress: Progress, share: float, game: str, done: int) -> None:
    progress(share, f"{game}, game {done + 1}")


def tic_tac_toe() -> list[Row]:
    """The numbers of the text, beside counts and ten simulations."""
    rules = open_game("tic-tac-toe", "python")
    any_board, in_turn = supersets_of(rules)
    counted = count_states(rules, in_turn.size)
    assert counted is not None  # the superset has no fewer positions
    estimates = [estimate_states(rules, any_board, SAMPLES, seed).positions for seed in range(1, SIMULATIONS + 1)]
    mean = sum(estimates) / SIMULATIONS
    solved = solution_tree(rules, 10 * counted.positions)
    assert solved is not None  # nine plies are enough
    error = sqrt(sum((one - mean) ** 2 for one in estimates) / (SIMULATIONS - 1) / SIMULATIONS)
    return [
        Row("tic-tac-toe: boards of nine squares", 19_683, any_board.size, tolerance=0),
        Row("tic-tac-toe: with as many crosses as noughts, or one more", 6_046, in_turn.size, tolerance=0),
        Row("tic-tac-toe: positions", 5_478, counted.positions, tolerance=0),
        Row("tic-tac-toe: the same by ten simulations, mean", 5_479, mean, error=error),
        Row("tic-tac-toe: smallest of the ten", 4_920, min(estimates), tolerance=None),
        Row("tic-tac-toe: largest of the ten", 5_983, max(estimates), tolerance=None),
        Row("tic-tac-toe: solution depth", 9, solved.depth, tolerance=0),
        Row("tic-tac-toe: leaves of the solution search tree", 362_880, solved.leaves, tolerance=None),
        Row("tic-tac-toe: leaves of the tree", 362_880, factorial(len(rules.moves(rules.initial()))), tolerance=0),
    ]


def _plot(points: dict[str, tuple[float | None, float, float]]) -> bytes:
    """Figure 6.1 with ours."""
    numbers, sizes = list(range(len(points))), FIGURE_6_1[: len(points)]
    curves = [
        Curve("state space, printed", numbers, [size.state_space for size in sizes], "x"),
        Curve("state space", numbers, [states for states, _, _ in points.values()], "o"),
        Curve("game tree, printed", numbers, [size.game_tree for size in sizes], "+"),
        Curve("game tree, random games", numbers, [tree for _, tree, _ in points.values()], "s"),
        Curve("game tree, good games", numbers, [tree for _, _, tree in points.values()], "D"),
    ]
    marks = [(float(number), size.game) for number, size in enumerate(sizes)]
    return Plot("How large games are (Fig. 6.1)", "game", "log10", curves, log_y=True, marks=marks).svg()
