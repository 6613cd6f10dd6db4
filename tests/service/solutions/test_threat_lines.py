"""Lines of best play below records that rest on threat trees: nothing is stored there."""

from __future__ import annotations

from random import Random

import pytest
from services import Service
from threat_claims import game_of, random_example

from proofbase.engine.notation import read_position
from proofbase.engine.records import Record, encode_record

NAME = "gomoku:7x7-4"
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
    start = "moves:h8 i10 g7 j9"
    solved = service.client.solve(name, start, at_least=1, algorithm="threats").result
    assert solved is not None and solved.value.lower == 1 and solved.best_move is not None
    records = dict(service.store.scan(name))
    position = read_position(game, start)
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
