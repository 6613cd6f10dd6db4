"""Complete solutions of small games by the rules alone, as records: what tests store when no search is to be tested."""

from __future__ import annotations

from typing import Any

from proofbase.engine.rules import Game
from proofbase.storage import Claim, Record, Side, encode_record

__all__ = ["exact_records"]


def exact_records(game: Game[Any], root: Any) -> dict[bytes, bytes]:
    """Exact records of every position that can be reached from a root; both bounds, with the smallest ranks.

    Bounds at the ends of the game's range need no claim and get none.
    """
    found: dict[bytes, tuple[int, int, int]] = {}
    records: dict[bytes, bytes] = {}
    _solve(game, game.position(game.key(root)), found, records)
    return records


def _solve(
    game: Game[Any], position: Any, found: dict[bytes, tuple[int, int, int]], records: dict[bytes, bytes]
) -> tuple[int, int, int]:
    """Value, rank of its lower bound, rank of its upper bound."""
    value = game.terminal(position)
    if value is not None:
        return value, 0, 0
    key = game.key(position)
    if key in found:
        return found[key]
    children = {}
    for move in game.moves(position):
        child = game.play(position, move)
        children[move] = _solve(
            game, game.position(game.key(child)) if game.terminal(child) is None else child, found, records
        )
    value = max(-child for child, _, _ in children.values())
    claims = []
    lower_rank = upper_rank = 0
    if value > -game.highest_value:
        best = [(upper, move) for move, (child, _, upper) in children.items() if -child == value]
        rank, witness = min(best)
        lower_rank = rank + 1
        claims.append(Claim(Side.LOWER, value, lower_rank, witness=witness))
    if value < game.highest_value:
        upper_rank = 1 + max(lower for _, lower, _ in children.values())
        claims.append(Claim(Side.UPPER, value, upper_rank))
    records[key] = encode_record(Record.of(claims))
    found[key] = value, lower_rank, upper_rank
    return found[key]
