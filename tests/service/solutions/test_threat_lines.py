"""Lines of best play and lookups below records that rest on threat trees: nothing is stored there."""

from __future__ import annotations

from random import Random

import pytest
from services import Service
from threat_claims import game_of, random_example

from proofbase.engine import open_game
from proofbase.engine._core import Search
from proofbase.engine.formats.notation import read_position
from proofbase.engine.records import Record, encode_record

NAME = "gomoku:7x7-4"
START = "moves:h8 i10 g7 j9"
"""Of `gomoku`: a win by moves without a threat, with some 70 records."""
SOLVED = "gomoku:9x9"
"""Black makes a three with his next move, and White has no stone near."""


@pytest.mark.parametrize("seed", range(6))
def test_the_line_of_a_loss_by_threats_is_played_to_its_end(service: Service, seed: int) -> None:
    game, random = game_of(NAME), Random(seed)
    example = random_example(game, random)
    key = example.game.key(example.position)
    records = {**example.children, key: encode_record(Record.of([example.claim]))}
    service.store.put_many(NAME, sorted(records.items()), source="a test", rules_version=1)
    images = example.game.text(example.position), "/".join(reversed(example.game.text(example.position).split("/")))
    for text in images:
        line = service.client.line(NAME, text)
        assert line.stop == "end_of_game", line
        assert len(line.steps) <= example.claim.rank
        position = game.parse(text)
        for step in line.steps:
            assert step.number in game.moves(position)
            position = game.play(position, step.number)
            assert game.text(position) == step.position
        assert game.terminal(position) == -1  # the side that is to move has lost
        assert len(line.steps) % 2 == 0, "the side that was to move has lost"
        # Values change sides with each move, and the promised number of plies is kept.
        for number, step in enumerate(line.steps[:-1]):
            assert step.value.exact and step.value.lower == (1 if number % 2 == 0 else -1)
            assert step.rank is not None and step.rank >= len(line.steps) - number - 1


def test_the_line_of_a_win_by_threats_is_played_to_its_end(service: Service) -> None:
    text = "moves:e5 a1 e6 i9 f5 a9"
    solved = service.client.solve(SOLVED, text, at_least=1, algorithm="threats").result
    assert solved is not None and solved.value.lower == 1
    line = service.client.line(SOLVED, text)
    assert line.value.lower == 1 and line.stop == "end_of_game"
    assert len(line.steps) % 2 == 1 and len(line.steps) >= 5
    last = game_of(SOLVED).parse(line.last_position)
    assert game_of(SOLVED).terminal(last) == -1


def test_the_line_of_a_solution_goes_through_records_and_trees(service: Service) -> None:
    name = "gomoku"
    game = game_of(name)
    solved = service.client.solve(name, START, at_least=1, algorithm="threats").result
    assert solved is not None and solved.value.lower == 1 and solved.best_move is not None
    records = dict(service.store.scan(name))
    position = read_position(game, START)
    answered = game.play(position, game.parse_move(position, solved.best_move))
    replied = [game.play(answered, reply) for reply in game.moves(answered)]
    inside = [after for after in replied if game.key(after) in records]
    assert len(inside) > 3
    by_record = by_tree = 0
    for asked, value in [(position, 1), (answered, -1), *((after, 1) for after in inside)]:
        line = service.client.line(name, game.text(asked))
        assert line.value.lower == value and line.stop == "end_of_game"
        for step in line.steps:
            stored = game.key(game.parse(step.position)) in records
            by_record, by_tree = by_record + stored, by_tree + (not stored)
    assert by_record > len(inside) and by_tree > len(inside)


@pytest.fixture
def solved(service: Service) -> Service:
    result = service.client.solve("gomoku", START, at_least=1, algorithm="threats").result
    assert result is not None and result.value.lower == 1
    return service


def test_replies_without_records_are_won_by_the_trees_of_the_record_before(solved: Service) -> None:
    game = open_game("gomoku")
    position = read_position(game, START)
    best = solved.client.lookup("gomoku", game.text(position)).witness
    assert best is not None
    answered = game.play(position, game.parse_move(position, best))
    replied = [game.play(answered, reply) for reply in game.moves(answered)]
    keys = [game.key(after) for after in replied]
    without = [
        after for after, data in zip(replied, solved.store.get_many("gomoku", keys), strict=True) if data is None
    ]
    assert len(without) > 200
    for number, after in enumerate(without[::5]):
        for text in (game.text(after), "/".join(reversed(game.text(after).split("/")))):
            assert not solved.client.lookup("gomoku", text).known
            found = solved.client.lookup("gomoku", text, search=1)  # far too few nodes for any search
            assert found.value.lower == found.value.upper == 1 and not found.stored and not found.claims
            assert found.searched is not None and found.searched.algorithm == "threats"
            assert found.searched.nodes >= 1 and found.searched.unknown_reason is None
            assert found.rank == found.moves[0].rank and 1 <= (found.rank or 0) < len(game.moves(after))
            assert found.witness == found.moves[0].move and len(found.moves) == len(game.moves(after))
            (item,) = solved.client.batch_lookup("gomoku", [text], search=1)
            assert (item.value, item.rank, item.witness) == (found.value, found.rank, found.witness)
            assert item.searched == found.searched
        if number % 10 == 0:  # a search of its own that begins behind the move
            asked = game.parse(text)
            attacked = game.play(asked, game.parse_move(asked, found.moves[0].move))
            search = Search(game, attacked, 0, algorithm="threats")
            search.run(nodes=3_000_000)
            assert search.status == "disproved"


def test_other_positions_are_searched(solved: Service) -> None:
    text = START + " a1 a2"  # a move that the solution does not play
    found = solved.client.lookup("gomoku", text, search=1)
    assert not found.known
    assert found.searched is not None and found.searched.unknown_reason == "nodes"
