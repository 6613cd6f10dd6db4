"""One search for a mate in a position of chess, and what a report says of it."""

from __future__ import annotations

from dataclasses import dataclass

from proofbase.engine._core import Search, open_game
from proofbase.engine.papers.reproduce.report import Row

__all__ = ["COUNTING", "ORDER", "Answer", "node_row", "search_mate"]

COUNTING = (
    "A node counts when it is created, the root included. Mirrored positions are not merged. A new node begins with "
    "the numbers 1 and the number of its moves (Schijf 1993, 5.5)."
)
ORDER = (
    "Nodes of one problem depend on the order of moves, which the paper does not give: ours are in the order of the "
    "rules. So they are compared and never off; totals are."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search says of one position.

    Attributes:
        nodes: that it has created.
        status: `proved`, `disproved` or `unknown`.
        reason: why it is unknown: `nodes`, or `repetition` where the search takes the win for none by a repetition.
        failed: records of its proof that the local check refuses.
        updates: nodes that were computed again after expansions.
        seconds: of the search, without the check.
    """

    nodes: int
    status: str
    reason: str | None
    failed: int
    updates: int = 0
    seconds: float = 0.0

    @property
    def solved(self) -> bool:
        return self.status == "proved"

    @property
    def denied(self) -> bool:
        """Whether it takes the position for no win."""
        return self.status == "disproved" or self.reason == "repetition"


def search_mate(game: str, algorithm: str, fen: str, most: int) -> Answer:
    """Asks whether the side to move wins, until `most` nodes are created, and checks the proof."""
    rules = open_game(game)
    search = Search(rules, rules.parse(fen), 1, algorithm=algorithm)
    search.run(nodes=most)
    failed = search.solution().check().failed if search.status == "proved" else 0
    totals = search.progress()
    return Answer(totals.nodes, search.status, search.reason, failed, totals.updates, totals.seconds)


def node_row(label: str, printed: int | None, answer: Answer) -> Row:
    """The nodes of an answer; the label says if it is none."""
    remark = "" if answer.solved else ", no win, it says" if answer.denied else ", not solved"
    return Row(label + remark, printed, answer.nodes, "nodes", tolerance=None)
