"""The four algorithms that the papers compare on awari, with the papers' questions and ways to count nodes.

Allis, van der Meulen, van den Herik (1994), 6.3-6.4: alpha-beta by iterative deepening without and with a transposition
table of a quarter of a million entries, and pn-search with solved subtrees deleted, all with tables of the endgame.
Allis (1994), 2.4.4 adds pn-search that starts with the stones still to be captured (`effort`). Nodes of alpha-beta are
those at depth i of the search to depth i; nodes of pn-search are all that it creates.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from proofbase.engine._core import RecordTable, Search, Tables, TableWork, open_game
from proofbase.engine.errors import EngineError
from proofbase.engine.papers.reference.alpha_beta import AlphaBetaSearch
from proofbase.engine.rules import Awari

__all__ = ["ALGORITHMS", "Comparison", "Effort", "awari_endgames", "kept_tables", "with_tables"]

ALGORITHMS = {
    "alpha-beta": "alpha-beta+exact",
    "with table": "alpha-beta+table-10+exact",
    "pn-search": "pn-tree+unit+delete-solved",
    "stones pn": "pn-tree+effort+delete-solved",
}
"""By the papers' names; 10 MiB hold 262,144 entries, \"a quarter million\"."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one algorithm needed for one position.

    Attributes:
        solved: whether it found the answer.
        value: the answer: an exact value, or for a single question 1 (yes) and 0 (no); None if it gave up.
        nodes: of all two-valued searches together.
        largest: nodes of the largest of these searches.
        held: the most nodes that one search held at a time; 0 for alpha-beta.
    """

    solved: bool
    value: int | None
    nodes: int
    largest: int
    held: int = 0


class Comparison:
    """Asks awari positions of the algorithms, with tables of the endgame as leaves."""

    def __init__(self, tables: Tables) -> None:
        self.game = open_game("awari")
        self._rules = Awari()
        self._values = tables
        self._tables = RecordTable(self.game)
        self._tables.attach(tables)

    def exact(self, position: Any, algorithm: str, most_nodes: int | None = None) -> Effort:
        """The value of a position; pn-search finds it by bisection, each question with a tree of its own (3.5, 6.4)."""
        stones = self.stones(position)
        if algorithm.startswith("alpha-beta"):
            search = Search(self.game, position, 1, algorithm=algorithm, known=self._tables)
            search.run(nodes=most_nodes)
            lower, upper = search.value_bounds or (-stones, stones)
            nodes = search.progress().nodes
            return Effort(lower == upper, lower if lower == upper else None, nodes, nodes)
        lower, upper = -stones, stones
        efforts = list[Effort]()
        while lower < upper:
            middle = (lower + upper + 1) // 2
            effort = self.question(position, middle, algorithm, most_nodes)
            efforts.append(effort)
            if not effort.solved:
                break
            lower, upper = (middle, upper) if effort.value else (lower, middle - 1)
        return Effort(
            lower == upper,
            lower if lower == upper else None,
            sum(effort.nodes for effort in efforts),
            max(effort.largest for effort in efforts),
            max(effort.held for effort in efforts),
        )

    def as_printed(self, position: Any, *, with_table: bool, most_nodes: int | None = None) -> Effort:
        """The value by alpha-beta as the paper describes it, in Python: for small problems."""
        rules = self._rules
        search = AlphaBetaSearch(
            rules, lambda known: self._values.value(self.game.parse(rules.text(known))), with_table=with_table
        )
        value = search.value(rules.parse(self.game.text(position)), most_nodes)
        return Effort(value is not None, value, search.nodes, search.nodes)

    def question(self, position: Any, at_least: int, algorithm: str, most_nodes: int | None = None) -> Effort:
        """Whether the value is at least this."""
        search = Search(self.game, position, at_least, algorithm=algorithm, known=self._tables)
        search.run(nodes=most_nodes)
        progress = search.progress()
        solved = search.status != "unknown"
        value = int(search.status == "proved") if solved else None
        return Effort(solved, value, progress.nodes, progress.nodes, progress.peak_nodes or 0)

    def stones(self, position: Any) -> int:
        """Stones on the board."""
        parsed = self._rules.parse(self.game.text(position))
        return sum(parsed.own) + sum(parsed.other)


def kept_tables() -> Path:
    """Where a machine keeps the tables of its reproductions, so that they are built once."""
    directory = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "proofbase" / "awari"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@contextmanager
def with_tables(stones: int, directory: Path | None = None) -> Iterator[Tables]:
    """Tables of up to so many stones, built unless the directory has them (None: in a temporary directory)."""
    game = open_game("awari")
    with TemporaryDirectory() as temporary:
        folder = str(directory or temporary)
        if not TableWork(game, folder, stones).build():
            raise EngineError("the build of the tables was cancelled")
        yield Tables(game, folder)


def awari_endgames(stones: int, count: int) -> list[str]:
    """Positions with so many stones, South to move, in which the game goes on; equal numbers give equal positions."""
    game: Any = open_game("awari")
    random = Random(stones)
    texts: list[str] = []
    while len(texts) < count:
        pits = [0] * 12
        for _ in range(stones):
            pits[random.randrange(12)] += 1
        text = f"{','.join(map(str, pits[:6]))}/{','.join(map(str, pits[6:]))}/S"
        if game.terminal(game.parse(text)) is None:
            texts.append(text)
    return texts
