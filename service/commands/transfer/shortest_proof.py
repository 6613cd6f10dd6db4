"""The other half of a proof of a shortest win: that there is no win within fewer plies."""

from __future__ import annotations

from typing import Any

from proofbase.engine.checking.plain_records import plain_game
from proofbase.engine.records import decode_record
from proofbase.engine.rules import Game
from proofbase.engine.rules.within import FAMILY, PLIES_BYTES
from proofbase.service.positions.distances import limits_of_stored_games
from proofbase.storage import MalformedRecordError, SolutionStore

__all__ = ["refutation_of_shorter_wins"]


def refutation_of_shorter_wins(store: SolutionStore, game: Game[Any], root: bytes) -> tuple[str, bytes] | None:
    """Where the store says that a win takes no fewer plies: the name of a game, and a key of it.

    It is a record of the same position with fewer plies left, in this game or in another `within:N:GAME`, the plies as
    many as can be found. Keys and claims of all these games are alike, so the records may stand in one certificate.

    Args:
        store: where the records are.
        game: None comes of any game but `within:N:GAME` without rewards.
        root: the key of a position of it whose side to move wins within the plies that are left.
    """
    inner = plain_game(game.name) if game.name.startswith(f"{FAMILY}:") else None
    record = None if inner is None else _record(store, game.name, root)
    if inner is None or record is None or record.lower is None or record.lower.bound <= 0:
        return None
    plies_left = int.from_bytes(root[-PLIES_BYTES:], "big")
    by_plies = dict[int, tuple[str, bytes]]()
    for limit in limits_of_stored_games(store, inner.name):
        name = f"{FAMILY}:{limit}:{inner.name}"
        for plies in {limit, plies_left - 1, plies_left - 2}:
            key = root[:-PLIES_BYTES] + max(plies, 0).to_bytes(PLIES_BYTES, "big")
            known = _record(store, name, key) if 0 < plies < plies_left and plies <= limit else None
            if known is not None and known.upper is not None and known.upper.bound <= 0:
                by_plies[plies] = name, key
    return by_plies[max(by_plies)] if by_plies else None


def _record(store: SolutionStore, game: str, key: bytes) -> Any:
    """The record of a key; None where there is none, or a damaged one."""
    faults: list[MalformedRecordError] = []
    data = store.get_many(game, [key], faults)[0]
    return None if data is None else decode_record(data)
