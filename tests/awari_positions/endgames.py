"""All awari positions of few stones, solved by brute force: the fact model with rewards, cycles and many values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from reference_records import exact_claims

from proofbase.engine.papers.reference.graph import Edge, Graph
from proofbase.engine.records import Record, encode_record
from proofbase.engine.rules import Awari
from proofbase.engine.rules.awari import AwariPosition

__all__ = ["drawn_endgames", "endgames", "placements", "solution"]


def placements(stones: int, pits: int) -> Iterator[tuple[int, ...]]:
    """All ways to put so many stones into so many pits."""
    if pits == 1:
        yield (stones,)
        return
    for first in range(stones + 1):
        for rest in placements(stones - first, pits - 1):
            yield (first, *rest)


def drawn_endgames(stones: int, count: int, random: Random) -> list[str]:
    """Texts of random positions with so many stones in which both sides have some."""
    texts: list[str] = []
    while len(texts) < count:
        pits = [0] * 12
        for _ in range(stones):
            pits[random.randrange(12)] += 1
        if sum(pits[:6]) not in (0, stones):
            texts.append(",".join(map(str, reversed(pits[6:]))) + "/" + ",".join(map(str, pits[:6])) + "/S")
    return texts


@cache
def endgames(stones: int, *, oware: bool = False) -> tuple[Graph, dict[bytes, AwariPosition]]:
    """The graph of all positions of at most so many stones, South to move, and its positions by key, in its order."""
    game = Awari(oware=oware)
    pits = [pits for number in range(stones + 1) for pits in placements(number, 12)]
    positions = {game.key(p): p for p in (AwariPosition(pit[:6], pit[6:]) for pit in pits)}
    numbers = {key: number for number, key in enumerate(positions)}
    edges = [
        [Edge(m, numbers[game.key(game.play(p, m))], game.reward(p, m)) for m in game.moves(p)]
        for p in positions.values()
    ]
    terminal = [game.terminal(p) for p in positions.values()]
    return Graph(edges, terminal, [game.repetition(p) for p in positions.values()], list(positions)), positions


@cache
def solution(stones: int) -> dict[bytes, bytes]:
    """Exact records of all these positions: safety claims of rank 0, progress claims with the smallest ranks."""
    graph, _ = endgames(stones)
    return dict(
        sorted((graph.keys[node], encode_record(Record(claims))) for node, claims in exact_claims(graph).items())
    )
