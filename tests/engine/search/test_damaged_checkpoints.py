"""Checkpoints of which chunks are lost, stored twice, in another order or damaged: no false claim comes of them.

A search may notice (InvalidCheckpointError: it begins anew), or go on with what is left: the claims that it gives then
pass their check, and its answer is right.
"""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine._core import Search
from proofbase.engine.errors import InvalidCheckpointError
from proofbase.engine.games import open_game

ALGORITHMS = ("pn-tree", "pn-dag", "pn2", "pss", "df-pn", "alpha-beta", "null-window", "pn-base-twin")
CYCLIC = "random-graph:nodes=20000,degree=3,span=300,ends=1,group=2000,values=2,repetition=1,seed=3"
SLICES = 12


def damaged(chunks: list[bytes], chance: Random) -> list[bytes]:
    """The chunks of a checkpoint, with one of them damaged in some way."""
    changed, number = list(chunks), chance.randrange(len(chunks))
    kind = chance.randrange(5)
    if kind == 0:
        del changed[number]
    elif kind == 1:
        changed.insert(number, changed[number])
    elif kind == 2:
        other = chance.randrange(len(chunks))
        changed[number], changed[other] = changed[other], changed[number]
    elif kind == 3:
        chunk = bytearray(changed[number])
        chunk[chance.randrange(len(chunk))] ^= 1 << chance.randrange(8)
        changed[number] = bytes(chunk)
    else:
        changed[number] = changed[number][: chance.randrange(len(changed[number]))]
    return changed


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_damaged_checkpoint_gives_no_false_claim(algorithm: str) -> None:
    chance = Random(algorithm)
    game = open_game(CYCLIC if algorithm == "pn-base-twin" else "connect-four:4x4")

    def new() -> Search:
        return Search(game, game.initial(), 1, algorithm=algorithm)

    whole = new()
    answer = whole.run().status
    nodes, chunks, search = whole.progress().nodes, list[bytes](), new()
    for part in range(1, SLICES):
        search.run(nodes=max(1, part * nodes // SLICES))
        chunk = search.checkpoint()
        if chunk:
            chunks.append(chunk)
    assert answer != "unknown" and len(chunks) > 1
    noticed = 0
    for _ in range(60):
        restored = new()
        try:
            restored.restore(damaged(chunks, chance))
        except InvalidCheckpointError:
            noticed += 1
            continue
        assert restored.run().status == answer
        assert restored.solution().check().failed == 0
    assert noticed > 0, "bits that were changed are noticed at the least"
