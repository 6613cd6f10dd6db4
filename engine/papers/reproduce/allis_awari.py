"""Awari: proof-number search against alpha-beta, on the positions of game 5 and on positions of games of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import log10
from random import Random
from statistics import fmean, median
from typing import Any, cast

from proofbase.engine.formats.notation import read_moves
from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.papers.reproduce.awari_comparison import (
    ALGORITHMS,
    Comparison,
    Effort,
    kept_tables,
    with_tables,
)
from proofbase.engine.papers.reproduce.awari_game5 import MOVES, POSITIONS, PRINTED_NAMES, Printed
from proofbase.engine.papers.reproduce.awari_groups import EASY_NODES, comparison_rows, figure_rows, figures
from proofbase.engine.papers.reproduce.report import ALLIS_ET_AL, THESIS, Options, Progress, Report, Row, until_stopped
from proofbase.engine.rules import Game

__all__ = ["AS_PRINTED", "IN_PYTHON", "game_5_efforts", "self_played", "table_1", "tournament"]

LIMITS = {"alpha-beta": 500_000_000, "with table": 100_000_000}
"""Nodes after which the paper gave up (section 7.1); for pn-search none is needed here."""

AS_PRINTED = ("alpha-beta, as printed", "with table, as printed")
"""The reference in Python."""
IN_PYTHON, PYTHON_NODES = 7, 150_000
"""It searches the first positions, 55(N) to 52(N), and gives up after so many nodes."""
PRINTED_GAINS = dict.fromkeys(("alpha-beta", AS_PRINTED[0]), "8 to more than 560") | dict.fromkeys(
    ("with table", AS_PRINTED[1]), "more than 2 to more than 75"
)
"""7.1: the nodes over those of pn-search."""
GAP = (
    "As printed: two searches an iteration, and a table that serves to the depth searched only; in Python, for the "
    "first positions. Ours is one search for both bounds, whose table keeps what is proved for any depth. What the "
    "paper leaves open matters more: with the order of equal moves turned round 54(S) takes more than 40 times the "
    "nodes without a table, and 6 times with one."
)


def table_1(options: Options, progress: Progress) -> Report:
    """The 29 positions of game 5, by all four algorithms, with the tables to 13 stones."""
    efforts = game_5_efforts(len(POSITIONS), options.nodes, progress)
    results = dict[str, dict[str, Effort]]()
    with until_stopped(results) as stopped:
        for printed, by_algorithm in zip(POSITIONS, efforts, strict=True):
            results[printed.position] = by_algorithm
    rows = [row for printed in POSITIONS[: len(results)] for row in _rows(printed, results[printed.position])]
    return Report(
        f"{ALLIS_ET_AL}, Table 1",
        rows,
        [*stopped, *_notes(results, options)],
        _figure(results) if options.plot else None,
    )


def game_5_efforts(
    count: int, most_nodes: int | None, progress: Progress = lambda share, what: None
) -> Iterator[dict[str, Effort]]:
    """What every algorithm needs for the first positions of Table 1, with the tables to 13 stones.

    Raises:
        AssertionError: two algorithms disagree about a value.
    """
    with with_tables(13) as tables:
        comparison = Comparison(tables)
        positions = list(_game(comparison))
        for number, printed in enumerate(POSITIONS[:count]):
            by_algorithm = dict[str, Effort]()
            for name, algorithm in ALGORITHMS.items():
                progress(number / count, f"{printed.position}, {name}")
                most = _smaller(LIMITS.get(name), most_nodes)
                by_algorithm[name] = comparison.exact(positions[printed.ply], algorithm, most)
            for name in AS_PRINTED if number < IN_PYTHON else ():
                progress(number / count, f"{printed.position}, {name}")
                most = _smaller(PYTHON_NODES, most_nodes)
                table = name.startswith("with table")
                by_algorithm[name] = comparison.as_printed(positions[printed.ply], with_table=table, most_nodes=most)
            if len({effort.value for effort in by_algorithm.values() if effort.solved}) > 1:
                raise AssertionError(f"{printed.position}: the algorithms disagree: {by_algorithm}")
            yield by_algorithm


LOSING_MOVE = 28
"""The 15th move of MARCO in game 5, counted from 0."""


def tournament(options: Options, progress: Progress) -> Report:
    """7.3: the win that Lithidion missed in game 5, with its tables to 17 stones."""
    progress(0.0, "tables to 17 stones")
    with with_tables(17, options.data or kept_tables()) as tables:
        comparison = Comparison(tables)
        position = list(_game(comparison))[LOSING_MOVE + 1]
        progress(0.8, "the search")
        at_least = 1 - comparison.game.score(position)
        effort = comparison.question(position, at_least, ALGORITHMS["pn-search"], options.nodes)
    held = "most nodes held at a time (printed: within 150,000)"
    return Report(
        f"{ALLIS_ET_AL}, section 7.3",
        (
            Row("the win after move 15 of game 5", 283_000, effort.nodes, "nodes", tolerance=0.1),
            Row(held, None, effort.held, "nodes"),
        ),
        (
            f"{ALGORITHMS['pn-search']}: {'proved' if effort.solved and effort.value else 'not proved'}.",
            "Held nodes: room for nodes at the end; the room of deleted solved subtrees is used again.",
            "The paper orders moves as its alpha-beta search does, and divides the stones at the third occurrence.",
        ),
    )


def _game(comparison: Comparison) -> Iterator[Any]:
    """The positions of game 5, from the first to the last."""
    position = comparison.game.initial()
    for move in read_moves(cast("Game[Any]", comparison.game), position, MOVES)[0]:
        yield position
        position = comparison.game.play(position, move)
    yield position


def _rows(printed: Printed, efforts: Mapping[str, Effort]) -> Iterator[Row]:
    for name, effort in efforts.items():
        open_, printed_nodes = "" if effort.solved else ", given up", printed.nodes(name)
        figures = [("" if name.startswith(("alpha-beta", "with table")) else " (sum)", printed_nodes, effort.nodes)]
        if name == "pn-search":
            figures += [(" (max pos)", printed.max_pos, effort.largest), (" (max tree)", printed.max_tree, effort.held)]
        for what, figure, ours in figures:
            yield Row(f"{printed.position} {name}{what}{open_}", figure if effort.solved else None, ours, "nodes")


def _notes(results: Mapping[str, Mapping[str, Effort]], options: Options) -> list[str]:
    notes = [*(f"{name}: {algorithm}." for name, algorithm in ALGORITHMS.items()), GAP]
    notes.append("pn-search finds the value by bisection of -n to n, n stones being on the board, each question anew.")
    notes.append("max tree: nodes in memory at most, without deleted solved subtrees.")
    notes.append(
        "The paper divides the stones at the third occurrence of a position, here play is worth 0 at the second."
    )
    if options.nodes is not None:
        notes.append(f"Every search was given up after {options.nodes:,} nodes.")
    for name in PRINTED_NAMES:
        pairs = [
            (results[printed.position][name].nodes, theirs)
            for printed in POSITIONS[: len(results)]
            if (theirs := printed.nodes(name)) is not None and results[printed.position][name].solved
        ]
        if pairs:
            ours, theirs = sum(our for our, _ in pairs), sum(their for _, their in pairs)
            middle = median(our / their for our, their in pairs)
            notes.append(
                f"{name}, {len(pairs)} positions that both solve: {ours:,} nodes in all beside {theirs:,}, "
                f"ratio {ours / theirs:.3f}, median ratio {middle:.3f}."
            )
    solved = sum(efforts["pn-search"].solved for efforts in results.values())
    notes.append(f"pn-search solves {solved} of {len(results)} positions; the paper's solved all.")
    for name, printed in PRINTED_GAINS.items():
        gains = [
            efforts[name].nodes / efforts["pn-search"].nodes
            for efforts in results.values()
            if name in efforts and efforts[name].solved and efforts["pn-search"].solved and efforts[name].nodes > 1_000
        ]
        if gains:
            notes.append(
                f"{name} needs {min(gains):.1f} to {max(gains):,.0f} times the nodes of pn-search, where it needs more "
                f"than 1,000 (printed: {printed})."
            )
    return notes


def _figure(results: Mapping[str, Mapping[str, Effort]]) -> bytes:
    """Fig. 13: how many times fewer nodes than alpha-beta, over the nodes of alpha-beta; measured and printed."""
    ours = [
        {name: effort.nodes for name, effort in by_algorithm.items() if effort.solved}
        for by_algorithm in results.values()
    ]
    theirs = [
        {name: nodes for name in PRINTED_NAMES if (nodes := printed.nodes(name)) is not None} for printed in POSITIONS
    ]
    curves = list[Curve]()
    for name in list(ALGORITHMS)[1:]:
        curves.append(Curve(name, *_gains(ours, name), "o-"))
        if name in PRINTED_NAMES:
            curves.append(Curve(f"{name}, printed", *_gains(theirs, name), "x--"))
    labels = ("nodes of alpha-beta, averages of classes", "times fewer nodes than alpha-beta")
    return Plot("Awari, game 5 (Fig. 13)", *labels, curves, log_x=True, log_y=True).svg()


def _gains(nodes: Sequence[Mapping[str, int]], name: str) -> tuple[list[float], list[float]]:
    """For each class of positions: the average nodes of alpha-beta, and how many times fewer another algorithm needs.

    Class n has the positions that alpha-beta solves with 8^n nodes or more and fewer than 8^(n+1).
    """
    classes: dict[int, list[tuple[int, int]]] = {}
    for by_algorithm in nodes:
        if "alpha-beta" in by_algorithm and name in by_algorithm:
            pair = by_algorithm["alpha-beta"], by_algorithm[name]
            classes.setdefault((pair[0].bit_length() - 1) // 3, []).append(pair)
    averages = [[fmean(side) for side in zip(*classes[n], strict=True)] for n in sorted(classes)]
    return [base for base, _ in averages], [base / other for base, other in averages]


PRINTED_2_12 = {
    "alpha-beta": (7_231_559, 128.8),
    "with table": (3_815_548, 68.0),
    "pn-search": (83_723, 1.5),
    "stones pn": (56_136, 1.0),
}
"""Average nodes a position, and the factor to the best, over the 337 positions of the thesis."""

FIRST_LIMIT = 500_000
LAST_LIMITS = {"alpha-beta": 250_000_000, "with table": 250_000_000}
QUICK_LIMIT = 3_000_000
"""For all of them where a number of positions is given: 50 take 83 s of one core, and 23 s more for the tables once."""
UNSOLVED = 3
TABLES = 17
QUESTIONS = {name: algorithm.removesuffix("+exact") for name, algorithm in ALGORITHMS.items()}
OPENING_PLIES = 8
LONGEST_GAME = 300


def self_played(options: Options, progress: Progress) -> Report:
    """Table 2.12 of the thesis over positions of self-played games, selected as the thesis selects them (2.4.6)."""
    wanted = options.positions or 300
    most = options.nodes or (QUICK_LIMIT if options.positions else None)
    limits = {name: _smaller(LAST_LIMITS.get(name), most) for name in QUESTIONS}
    efforts = list[dict[str, Effort]]()
    games, positions, unsolved = 0, 0, list[bool]()
    with with_tables(TABLES, options.data or kept_tables()) as tables, until_stopped(efforts) as stopped:
        comparison = Comparison(tables)
        for games, position in _drawn(comparison, unsolved):
            progress(len(efforts) / wanted, f"game {games}, {len(efforts)} of {positions} positions")
            effort = _compared(comparison, position, limits)
            positions += 1
            unsolved.append(effort is None)
            if effort is not None:
                efforts.append(effort)
            if len(efforts) == wanted:
                break
    averages = {name: fmean([effort[name].nodes for effort in efforts]) for name in QUESTIONS}
    best = min(averages.values())
    rows = list[Row]()
    for name, (average, factor) in PRINTED_2_12.items():
        rows.append(Row(f"{name}, average", average, averages[name], "nodes"))
        rows.append(Row(f"{name}, factor", factor, averages[name] / best))
    rows += [*comparison_rows(efforts), *figure_rows(efforts)]
    open_ = {name: sum(not effort[name].solved for effort in efforts) for name in QUESTIONS}
    logs = {name: fmean([log10(effort[name].nodes) for effort in efforts]) for name in QUESTIONS}
    return Report(
        f"{THESIS}, Tables 2.9 to 2.14",
        rows,
        [
            *stopped,
            "The 22 games of the thesis are lost: on other positions rows can agree by their order and factors only.",
            (
                f"{games} self-played games, {positions} positions with more than {TABLES} stones, from the end of a "
                f"game until {UNSOLVED} in a row are not solved."
            ),
            (
                f"{positions - len(efforts)} of them none of the four solved within {FIRST_LIMIT:,} nodes; "
                f"{len(efforts)} are counted."
            ),
            f"Easy: the best algorithm needs fewer than {EASY_NODES:,} nodes. Printed counts are shown as shares.",
            "Fig. 2.9 to 2.13: log2 of the average nodes of a group over those of pn-search; only curves are printed.",
            "Grouped by all four: by the average of the logarithms of their nodes.",
            "Question: does the side to move win the game? A draw counts as a loss.",
            *(f"{name}: {algorithm}." for name, algorithm in QUESTIONS.items()),
            "Given up, and counted with the nodes till then: "
            + ", ".join(f"{name} {open_[name]} (after {limit:,})" for name, limit in limits.items() if limit)
            + ".",
            "Geometric means: " + ", ".join(f"{name} {10 ** logs[name]:,.0f}" for name in QUESTIONS) + " nodes.",
        ],
        figures(efforts) if options.plot else None,
    )


def _drawn(comparison: Comparison, unsolved: Sequence[bool]) -> Iterator[tuple[int, Any]]:
    """The different positions of all games that are not in the tables, each with the number of its game.

    A game is asked from its end, where it is easy, until so many positions in a row are unsolved: that takes most time.
    """
    seen = set[str]()
    for game in count(1):
        first = len(unsolved)
        for position in reversed(list(_self_play(comparison, game))):
            text = comparison.game.text(position)
            if comparison.stones(position) > TABLES and text not in seen:
                seen.add(text)
                yield game, position
                if all(unsolved[max(first, len(unsolved) - UNSOLVED) :]) and len(unsolved) - first >= UNSOLVED:
                    break


def _compared(comparison: Comparison, position: Any, limits: Mapping[str, int | None]) -> dict[str, Effort] | None:
    """What each algorithm needs to say whether the mover wins the game; None where none can within the first limit."""
    least, efforts = 1 - comparison.game.score(position), dict[str, Effort]()
    for limit_of in (dict.fromkeys(QUESTIONS, FIRST_LIMIT), limits):
        for name, algorithm in QUESTIONS.items():
            if name not in efforts or not efforts[name].solved:
                efforts[name] = comparison.question(position, least, algorithm, limit_of[name])
        if not any(effort.solved for effort in efforts.values()):
            return None
    if len({effort.value for effort in efforts.values() if effort.solved}) > 1:
        raise AssertionError(f"{comparison.game.text(position)}: the algorithms disagree: {efforts}")
    return efforts


def _self_play(comparison: Comparison, seed: int) -> Iterator[Any]:
    """A game: some random moves, then the best moves by a search of a few plies; among equals a random move."""
    game, random = comparison.game, Random(seed)
    position = game.initial()
    for ply in range(LONGEST_GAME):
        if game.terminal(position) is not None or comparison.stones(position) <= TABLES:
            return
        yield position
        moves = game.moves(position)
        if ply >= OPENING_PLIES:
            worth = {move: game.reward(position, move) - _ahead(game, game.play(position, move), 3) for move in moves}
            moves = [move for move in moves if worth[move] == max(worth.values())]
        position = game.play(position, random.choice(moves))


def _ahead(game: Any, position: Any, plies: int, alpha: int = -100, beta: int = 100) -> int:
    """Stones that the side to move wins within so many plies."""
    value: int | None = game.terminal(position)
    if value is not None:
        return value
    if plies == 0:
        return 0
    best = -100
    for move in game.moves(position):
        reward = game.reward(position, move)
        low, high = reward - beta, reward - max(alpha, best)
        best = max(best, reward - _ahead(game, game.play(position, move), plies - 1, low, high))
        if best >= beta:
            break
    return best


def _smaller(first: int | None, second: int | None) -> int | None:
    limits = [limit for limit in (first, second) if limit is not None]
    return min(limits) if limits else None
