"""Players for positions that nobody has solved: what they choose is a guess, unless a search has proved it."""

from proofbase.engine.players.alpha_beta import AlphaBeta, Ranking
from proofbase.engine.players.good_games import good_games
from proofbase.engine.players.player import Known, Player, PlayerMove
from proofbase.engine.players.win_search import WinSearch

__all__ = ["AlphaBeta", "Known", "Player", "PlayerMove", "Ranking", "WinSearch", "good_games"]
