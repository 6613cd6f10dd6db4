"""The shortest win of a position, or its longest defence."""

from proofbase.service.client.shortest.series import ShortestWin, proved_shortest, shortest_win

__all__ = ["ShortestWin", "proved_shortest", "shortest_win"]
