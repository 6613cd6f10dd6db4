"""Solutions of df-pn whose table has lost entries: the children that it has may form a cycle."""

from __future__ import annotations

from proofbase.engine._core import Search, open_game

LOST = "1nbqkb2/2pppp2/8/1Q6/4P3/1P6/R2P1PP1/1NB1K1N1 b - - 0 1"
"""Of antichess, 700,000 nodes: the end of a line of M. Watkins. Many entries are lost while the table grows."""


def test_a_solution_with_a_cycle_is_collected_again_from_a_table_that_does_not_grow() -> None:
    game = open_game("giveaway:antichess")
    search = Search(game, game.parse(LOST), 0, algorithm="df-pn")
    assert search.run(nodes=2_000_000).status == "disproved"
    solution = search.solution()
    assert len(solution) > 10 and solution.check().failed == 0
    assert solution.missing() == []
