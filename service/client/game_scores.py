"""Scores of games from what a service knows of their positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from proofbase.service.client.contract import Service
from proofbase.service.scores import GameScores, PlayedGame
from proofbase.service.scores import score_games as scored

__all__ = ["score_games"]


def score_games(
    client: Service,
    game: str,
    games: Iterable[PlayedGame | str | Sequence[int]],
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> GameScores:
    """Scores games: `Client.score_games`."""
    name = client.game(game).name
    counted = {entry.game: entry.fingerprint for entry in client.statistics(name).games}
    return scored(
        client,
        name,
        games,
        nodes=nodes,
        seconds=seconds,
        batch_size=client.limits().batch_size,
        fingerprint=counted.get(name),
        on_progress=on_progress or (lambda moves: None),
    )
