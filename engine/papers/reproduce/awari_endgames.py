"""Random endgames of awari, for tables whose own positions are not printed."""

from __future__ import annotations

from random import Random
from typing import Any

from proofbase.engine._core import open_game

__all__ = ["awari_endgames"]


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
