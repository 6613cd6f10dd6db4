"""Allis (1994), 2.3, Table 2.8: giveaway chess by pn-search, with the numbers 1 and 1, and with the number of moves.

His program Proveaway played random games against itself. Before every move both variants searched the position for a
win of White, each with 25,000 nodes at most; the game ended where one of them had an answer. The table has averages
over the positions in which the games ended, each once; a variant that had not solved one solved it without a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from proofbase.engine._core import open_game
from proofbase.engine.papers.reproduce.answer import Answer, ask
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, average_row, until_stopped

if TYPE_CHECKING:
    from proofbase.engine._core import Game

__all__ = ["ALGORITHMS", "random_games"]

NODES = 25_000
"""Nodes of each search before a move."""
POSITIONS = 100
"""Where games ended, each once; the thesis has 27."""
MOST_NODES = 20_000_000
"""Nodes of a search that the thesis leaves without a limit."""
ALGORITHMS = {"standard": "pn-tree+unit+delete-solved", "number of moves": "pn-tree+mobility+delete-solved"}
"""By the initialisation, in the order of the table."""
PRINTED = {
    "developments": (5_928, 2_661, 2.2),
    "nodes": (62_323, 7_838, 8.0),
    "branching factor": (10.5, 2.9, 3.6),
    "max tree size": (48_935, 5_988, 8.2),
    "nodes a second": (169, 132, 0.8),
}
"""By the columns: both algorithms, and the first over the second; of the nodes a second the second over the first."""
TOLERANCE = 0.2
"""The ratios' tolerance, for at least POSITIONS searched positions: averages themselves vary more with the games."""
LOST_GAMES = (
    "The games of the thesis are lost: averages are compared and never off. ± is the standard error. Improvements, but "
    f"not of the time, are off where they differ by more than {TOLERANCE:.0%} over at least {POSITIONS} positions."
)


@dataclass(slots=True)
class _Games:
    """The games played so far.

    Attributes:
        played: how many.
        plies: of all of them together.
        ends: for each different position in which one ended, the answers by ALGORITHMS.
        repeated: games that ended in a position of an earlier one.
        only_standard: positions that the standard initialisation alone solved within NODES.
        open: positions that a search without a limit did not solve within MOST_NODES; they are left out.
        differing: positions about which the two do not agree.
    """

    played: int
    plies: int
    ends: dict[bytes, dict[str, Answer]]
    repeated: int = 0
    only_standard: int = 0
    open: int = 0
    differing: int = 0


def random_games(options: Options, progress: Progress) -> Report:
    """Table 2.8, over as many positions as are asked for."""
    game = open_game("giveaway")
    wanted = POSITIONS if options.positions is None else options.positions
    limit = options.nodes or NODES
    games = _Games(0, 0, {})
    with until_stopped(games.ends) as stopped:
        while len(games.ends) < wanted:
            progress(len(games.ends) / wanted, f"game {games.played + 1}")
            _play(game, games, limit)
    return Report("Allis (1994), 2.3, Table 2.8: giveaway chess", _rows(games), [*stopped, *_notes(games, limit)])


def _play(game: Game, games: _Games, limit: int) -> None:
    """One game, whose random moves depend on its number alone."""
    games.played += 1
    random, position = Random(games.played), game.initial()
    while game.terminal(position) is None:
        answers = {name: _search(game, position, algorithm, limit) for name, algorithm in ALGORITHMS.items()}
        if any(answer.settled for answer in answers.values()):
            _end(game, games, position, answers)
            return
        position = game.play(position, random.choice(list(game.moves(position))))
        games.plies += 1
    games.repeated += 1  # a game that ended by chance, without a search that saw it coming


def _end(game: Game, games: _Games, position: Any, answers: dict[str, Answer]) -> None:
    """Adds the position in which a game ended, with the answers of both variants."""
    key = game.key(position)
    if key in games.ends:
        games.repeated += 1
        return
    games.only_standard += answers["standard"].settled and not answers["number of moves"].settled
    for name, answer in answers.items():
        if not answer.settled:
            answers[name] = _search(game, position, ALGORITHMS[name], MOST_NODES)
    if not all(answer.settled for answer in answers.values()):
        games.open += 1
        return
    games.differing += len({answer.status for answer in answers.values()}) > 1
    games.ends[key] = answers


def _search(game: Game, position: Any, algorithm: str, nodes: int) -> Answer:
    """Whether White wins, or does not lose where Black is to move: both variants are asked the same."""
    return ask(game, position, algorithm, nodes, 1 if game.side(position) == 0 else 0)


def _rows(games: _Games) -> list[Row]:
    measured = {name: [answers[name] for answers in games.ends.values()] for name in ALGORITHMS}
    rows = list[Row]()
    for figure, (*printed, improvement) in PRINTED.items():
        columns = zip(measured.items(), printed, strict=True)
        of_figure = [_average(figure, name, average, answers) for (name, answers), average in columns]
        first, second = (row.measured for row in of_figure)
        factor = second / first if figure == "nodes a second" else first / second
        enough = len(games.ends) >= POSITIONS and figure != "nodes a second"
        rows += of_figure
        rows.append(Row(f"{figure}, improvement", improvement, factor, tolerance=TOLERANCE if enough else None))
    rows.append(Row("positions that the standard initialisation alone solves", 0, games.only_standard, tolerance=None))
    rows.append(Row("positions with two different answers", 0, games.differing))
    return rows


def _average(figure: str, name: str, printed: float, answers: Sequence[Answer]) -> Row:
    """The average of a figure over the positions, with its standard error for counts."""
    label, nodes = f"{figure}, {name}", [answer.nodes for answer in answers]
    developments = [answer.expansions for answer in answers]
    if figure == "branching factor":
        return Row(label, printed, sum(nodes) / sum(developments), tolerance=None)
    if figure == "nodes a second":
        seconds = max(1e-9, sum(answer.seconds for answer in answers))
        return Row(label, printed, sum(nodes) / seconds, tolerance=None)
    trees = [answer.held for answer in answers]
    counts = {"nodes": nodes, "developments": developments, "max tree size": trees}[figure]
    return average_row(label, printed, counts, tolerance=None)


def _notes(games: _Games, limit: int) -> list[str]:
    notes = [f"{name}: {algorithm}." for name, algorithm in ALGORITHMS.items()]
    notes.append(
        f"{games.played} random games of {games.plies / games.played:.1f} plies on the average (thesis: 30 of 5.6) "
        f"gave {len(games.ends)} different positions (27); {games.repeated} games ended where an earlier one had."
    )
    notes.append(
        f"Both variants search every position for a win of White with {limit:,} nodes; a variant that has no answer "
        "where the other one has one goes on without that limit."
    )
    notes.append(LOST_GAMES)
    notes.append("Nodes count when they are created, developments are expansions; the branching factor is their ratio.")
    notes.append("max tree size: nodes in memory at most, without deleted solved subtrees.")
    notes.append("Endless play is no win of White here; in the thesis a tree of that kind stays unsolved.")
    if games.open:
        notes.append(f"{games.open} positions were left out: a search did not end within {MOST_NODES:,} nodes.")
    return notes
