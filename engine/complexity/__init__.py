"""How large games are, by L. V. Allis, "Searching for solutions in games and artificial intelligence" (1994), ch. 6.

The state space is counted where it is small, and estimated from a superset where one is stated. The game tree is
estimated from sampled games. Nothing here knows of searches or stores: where best play is wanted, the caller gives it.
"""

from proofbase.engine.complexity.convergence import Convergence, convergence_of
from proofbase.engine.complexity.game_tree import GameSample, PlyOfGames, sample_games, sample_lines
from proofbase.engine.complexity.published import FIGURE_6_1, PublishedSize, published_size
from proofbase.engine.complexity.solution_tree import SolutionTree, solution_tree
from proofbase.engine.complexity.state_space import (
    CountedStates,
    EstimatedStates,
    count_states,
    estimate_states,
)
from proofbase.engine.complexity.supersets import Superset, supersets_of

__all__ = [
    "FIGURE_6_1",
    "Convergence",
    "CountedStates",
    "EstimatedStates",
    "GameSample",
    "PlyOfGames",
    "PublishedSize",
    "SolutionTree",
    "Superset",
    "convergence_of",
    "count_states",
    "estimate_states",
    "published_size",
    "sample_games",
    "sample_lines",
    "solution_tree",
    "supersets_of",
]
