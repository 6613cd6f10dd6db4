"""Games of players judged by what is proved: what each move gave away."""

from __future__ import annotations

from proofbase.engine.formats.played_games import PlayedGame
from proofbase.service.scores.game_scores import GameScores, PlayerSummary, ThrownGame
from proofbase.service.scores.scoring import score_games

__all__ = ["GameScores", "PlayedGame", "PlayerSummary", "ThrownGame", "score_games"]
