"""The claim of a position from the claims of its children: what a proof manager stores of a node that they settle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables, table_value
from proofbase.storage import Claim, Record, Side, decode_stored

__all__ = ["derived_claim"]

GetMany = Callable[[list[bytes]], Iterable[bytes | None]]


def derived_claim(
    game: Game[Any], key: bytes, bound: int, *, proved: bool, get_many: GetMany, tables: ValueTables | None
) -> Claim | None:
    """The claim that answers "is the value at least the bound?", resting on the children's claims.

    Args:
        game: the game.
        key: the position, which is not terminal.
        bound: the question.
        proved: yes: a lower claim of the bound; no: an upper claim of one less.
        get_many: gives the stored records of keys.
        tables: values that count as claims.

    Returns:
        The claim with the smallest rank; None if the children's claims do not support it.
    """
    position = game.position(key)
    moves = list(game.moves(position))
    children = [game.play(position, move) for move in moves]
    records = get_many([game.key(child) for child in children])
    wanted = Side.UPPER if proved else Side.LOWER
    repetition = game.repetition(position)
    limit = bound if proved else bound - 1
    progress = repetition is None or (limit > repetition if proved else limit < repetition)
    ranks: list[tuple[int, int] | None] = []
    for move, child, data in zip(moves, children, records, strict=True):
        reward = game.reward(position, move)
        fitting = [
            rank
            for value, rank in _bounds(game, child, data, tables, wanted, reward - limit)
            if (reward - value >= limit if proved else reward - value <= limit)
        ]
        ranks.append((min(fitting), move) if fitting else None)
    supported = [entry for entry in ranks if entry is not None]
    if proved:
        if not supported:
            return None
        rank, witness = min(supported)
        return Claim(Side.LOWER, limit, rank + 1 if progress else 0, witness=witness)
    if len(supported) < len(ranks):
        return None
    return Claim(Side.UPPER, limit, max(rank for rank, _ in supported) + 1 if progress else 0)


def _bounds(
    game: Game[Any], position: Any, data: bytes | None, tables: ValueTables | None, side: Side, needed: int
) -> list[tuple[int, int]]:
    """The bounds of one side that hold at a child, each with its rank; that of a table for the bound `needed`."""
    value = game.terminal(position)
    if value is not None:
        return [(value, 0)]
    limit = game.limit(position)
    bounds = [(limit if side == Side.UPPER else -limit, 0)]
    by_table = table_value(tables, position)
    if by_table is not None:
        bounds.append((by_table.value, by_table.rank(side, needed)))
    if data is not None:
        record: Record = decode_stored(game.name, game.key(position), data)
        bounds += [(claim.bound, claim.rank) for claim in record.claims if claim.side == side]
    return bounds
