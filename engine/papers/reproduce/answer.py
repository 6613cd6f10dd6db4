"""One search of one question, as the tables ask it: whether a position is worth so much, and at what cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofbase.engine._core import RecordTable, Search, open_game
from proofbase.engine.records import Side, decode_record

__all__ = ["Answer", "ask", "plies_to_the_win"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search says.

    Attributes:
        status: `proved`, `disproved` or `unknown`.
        reason: why it is unknown: `nodes`, or `repetition` where the search takes the win for none by a repetition.
        nodes: that it has created.
        expansions: leaves that got their children.
        updates: nodes that were computed again after expansions.
        held: the most nodes that it held at a time; 0 where it does not count them.
        seconds: of the search, without the check.
        failed: records of its solution that the local check refuses; 0 where that is not asked for.
        plies: within which a proved win comes, whatever the other side plays; 0 where that is not asked for.
    """

    status: str
    reason: str | None
    nodes: int
    expansions: int = 0
    updates: int = 0
    held: int = 0
    seconds: float = 0.0
    failed: int = 0
    plies: int = 0

    @property
    def proved(self) -> bool:
        return self.status == "proved"

    @property
    def settled(self) -> bool:
        return self.status != "unknown"

    @property
    def denied(self) -> bool:
        """Whether the answer is no, be it by a repetition that may be none on another path."""
        return self.status == "disproved" or self.reason == "repetition"


def ask(
    game: Any,
    position: Any,
    algorithm: str,
    most_nodes: int | None = None,
    at_least: int = 1,
    *,
    known: RecordTable | None = None,
    check: bool = False,
    length: bool = False,
) -> Answer:
    """Asks whether the value of a position is at least so much.

    Args:
        game: a game of the native core, or its name.
        position: of the game, or its text; None for the initial one.
        most_nodes: after which the search is given up.
        known: records that are known before.
        check: whether the solution is checked.
        length: whether the plies of a win are asked for.
    """
    if isinstance(game, str):
        game = open_game(game)
    if position is None or isinstance(position, str):
        position = game.initial() if position is None else game.parse(position)
    search = Search(game, position, at_least, algorithm=algorithm, known=known)
    search.run(nodes=most_nodes)
    failed = search.solution().check().failed if check and search.status != "unknown" else 0
    of = search.progress()
    plies = 0
    if length and search.status == "proved":
        plies = plies_to_the_win(search.solution(small_search_nodes=0), game.key(position))
    effort = of.nodes, of.expansions, of.updates, of.peak_nodes or 0, of.seconds
    return Answer(search.status, search.reason, *effort, failed, plies)


def plies_to_the_win(proof: RecordTable, key: bytes) -> int:
    """Within how many plies the win of a position comes by its proof, whatever the other side plays."""
    record = proof.get(key)
    assert record is not None
    return min(claim.rank for claim in decode_record(record).claims if claim.side == Side.LOWER and claim.bound >= 1)
