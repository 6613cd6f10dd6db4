"""Solutions counted by ply."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from proofbase.engine._core import Search
from proofbase.engine.checking.by_ply import count_by_ply
from proofbase.engine.games import open_game
from proofbase.engine.papers.reproduce.qubic import is_strategic, positions_to_move
from proofbase.engine.records import Evidence, Side, decode_record


def solution_of(game: Any, position: Any, at_least: int, algorithm: str) -> dict[bytes, bytes]:
    search = Search(game, position, at_least, algorithm=algorithm)
    assert search.run().status != "unknown"
    return dict(item for chunk in search.solution(small_search_nodes=0).chunks(1000) for item in chunk)


def test_moves_and_strategic_moves_of_qubic_are_those_of_tables_4_1_and_4_2() -> None:
    game: Any = open_game("qubic")
    position, moves = game.initial(), ["0", "21", "3", "22", "12", "9", "63", "48"]
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    search = Search(game, position, 1, algorithm="pn-dag+threats")
    assert search.run().status == "proved"
    table = search.solution(small_search_nodes=0)
    [counted] = count_by_ply(game, position, dict(item for chunk in table.chunks(1000) for item in chunk))
    expected = {(white, black) for white, black, _ in positions_to_move(table, game.key(position))}

    def by_ply(found: Any) -> dict[int, int]:
        return dict(Counter((white | black).bit_count() - len(moves) for white, black in found))

    assert {row.ply: row.moves for row in counted.plies if row.moves} == by_ply(expected)
    assert {row.ply: row.strategic for row in counted.plies if row.strategic} == by_ply(filter(is_strategic, expected))
    assert counted.total.positions == len(table) and (counted.side, counted.bound) == ("lower", 1)
    assert len(counted.deepest) == counted.plies[-1].ply


@pytest.mark.parametrize(("at_least", "side"), [(0, "lower"), (1, "upper")])
def test_each_ply_of_connect_four_has_the_positions_of_so_many_stones(at_least: int, side: str) -> None:
    game: Any = open_game("connect-four:4x4")
    records = solution_of(game, game.initial(), at_least, "pn-dag")
    [counted] = count_by_ply(game, game.initial(), records)
    stones = Counter(sum(c in "xo" for c in game.text(game.position(key))) for key in records)
    assert {row.ply: row.positions for row in counted.plies} == stones and counted.side == side
    lowers = [claim for data in records.values() for claim in decode_record(data).claims if claim.side == Side.LOWER]
    assert counted.total.moves == sum(claim.evidence == Evidence.CHILDREN for claim in lowers)
    assert counted.total.strategic <= counted.total.moves
    position = game.initial()
    for move in counted.deepest:
        position = game.play(position, move)
    assert game.key(position) in records


def test_a_position_without_a_record_has_no_solution() -> None:
    game: Any = open_game("tic-tac-toe")
    assert count_by_ply(game, game.initial(), {}) == []
