"""Whether every win of a table of values ends (docs/tables.md, "Progress"): its entries get layers, in rising order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from proofbase.engine.formats.foreign.tables.class_moves import Moves

__all__ = ["awaited_moves", "entries_without_layer"]


def awaited_moves(moves: Moves, values: Any, worth: Any, table_class: int, numbers: Any, right: Any) -> dict[str, Any]:
    """The entries that wait for layers of their class, and the moves that they wait for.

    Args:
        moves: of the positions.
        values: of the positions.
        worth: of each move.
        table_class: of the positions.
        numbers: of the positions.
        right: whether each of them is no draw, goes on, and follows from its moves.

    Returns:
        `entries`, `wins`: numbers, and whether each is won, so that one move with a layer is enough; of the moves
        `children`: the number after it, and `counts`: of each entry its moves.
    """
    own = np.repeat(np.arange(len(numbers)), moves.counts)
    matters = (worth == values[own]) & right[own]
    inside = matters & (moves.classes == table_class)
    counts = np.bincount(own[inside], minlength=len(numbers))
    leaves = np.bincount(own[matters & ~inside], minlength=len(numbers)) > 0
    waits = (counts > 0) & ~((values > 0) & leaves)
    kept = inside & waits[own]
    return {
        "entries": numbers[waits],
        "wins": values[waits] > 0,
        "counts": counts[waits],
        "children": moves.numbers[kept],
    }


def entries_without_layer(size: int, parts: Sequence[Any]) -> list[int]:
    """The entries of a class that no order of layers reaches.

    Args:
        size: entries of the class.
        parts: what `awaited_moves` says of its parts.
    """
    entries, wins, counts, children = (
        np.concatenate([part[name] for part in parts]) for name in ("entries", "wins", "counts", "children")
    )
    has_layer = np.ones(size, bool)
    has_layer[entries] = False
    while len(entries):
        starts = np.cumsum(counts) - counts
        ready_children = has_layer[children]
        ready = np.where(
            wins, np.logical_or.reduceat(ready_children, starts), np.logical_and.reduceat(ready_children, starts)
        )
        if not ready.any():
            break
        has_layer[entries[ready]] = True
        children = children[np.repeat(~ready, counts)]
        entries, wins, counts = entries[~ready], wins[~ready], counts[~ready]
    return sorted(entries.tolist())
