"""Lookups of replies that have no record: the threat trees of the record before them answer."""

from __future__ import annotations

import pytest
from services import Service

from proofbase.engine import open_game
from proofbase.engine._core import Search
from proofbase.engine.notation import read_position

NAME = "gomoku"
START = "moves:h8 i10 g7 j9"


@pytest.fixture
def solved(service: Service) -> Service:
    result = service.client.solve(NAME, START, at_least=1, algorithm="threats").result
    assert result is not None and result.value.lower == 1
    return service


def test_replies_without_records_are_won_by_the_trees_of_the_record_before(solved: Service) -> None:
    game = open_game(NAME)
    position = read_position(game, START)
    best = solved.client.lookup(NAME, game.text(position)).witness
    assert best is not None
    answered = game.play(position, game.parse_move(position, best))
    replied = [game.play(answered, reply) for reply in game.moves(answered)]
    keys = [game.key(after) for after in replied]
    without = [after for after, data in zip(replied, solved.store.get_many(NAME, keys), strict=True) if data is None]
    assert len(without) > 200
    for number, after in enumerate(without[::5]):
        for text in (game.text(after), "/".join(reversed(game.text(after).split("/")))):
            assert not solved.client.lookup(NAME, text).known
            found = solved.client.lookup(NAME, text, search=1)  # far too few nodes for any search
            assert found.value.lower == found.value.upper == 1 and not found.stored and not found.claims
            assert found.searched is not None and found.searched.algorithm == "threats"
            assert found.searched.nodes >= 1 and found.searched.unknown_reason is None
            assert found.rank == found.moves[0].rank and 1 <= (found.rank or 0) < len(game.moves(after))
            assert found.witness == found.moves[0].move and len(found.moves) == len(game.moves(after))
        if number % 10 == 0:  # a search of its own that begins behind the move
            asked = game.parse(text)
            attacked = game.play(asked, game.parse_move(asked, found.moves[0].move))
            search = Search(game, attacked, 0, algorithm="threats")
            search.run(nodes=3_000_000)
            assert search.status == "disproved"


def test_other_positions_are_searched(solved: Service) -> None:
    text = START + " a1 a2"  # a move that the solution does not play
    found = solved.client.lookup(NAME, text, search=1)
    assert not found.known
    assert found.searched is not None and found.searched.unknown_reason == "nodes"
