"""The shortest win of a position, or its longest defence."""

from proofbase.service.client.shortest.series import (
    MOST_PLIES,
    ShortestWin,
    proved_shortest,
    shortest_win,
    solve_shortest,
)

__all__ = ["MOST_PLIES", "ShortestWin", "proved_shortest", "shortest_win", "solve_shortest"]
