"""Threat trees by the extension: winning_threats of native games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gomoku_threats.plain_board import ENDS, PlainBoard, replay_tree

from proofbase.engine.games import open_game
from proofbase.engine.papers.reproduce.threat_acceptance import positions_near_centre

FINDERS = ("threes", "fours", "sequences", "sequences-by-search")


def plain(game: Any, position: Any, exact: bool, opponent: bool = False) -> PlainBoard:
    cells = "".join(game.text(position).split("/")[::-1])
    x, o = ([square for square, cell in enumerate(cells) if cell == colour] for colour in "xo")
    mover, other = (x, o) if len(x) == len(o) else (o, x)
    sides = (other, mover) if opponent else (mover, other)
    return PlainBoard(15, 15, 5, exact, *sides)


def as_squares(game: Any, tree: Sequence[int]) -> list[int]:
    """The tree with the squares of plain boards instead of moves."""
    numbers: Iterator[int] = iter(tree)
    square = {
        move: ord(name[0]) - ord("a") + 15 * (int(name[1:]) - 1)
        for move in game.moves(game.initial())
        for name in [game.move_text(game.initial(), move)]
    }

    def node() -> list[int]:
        move = next(numbers)
        if move == 0:
            return [ENDS]
        out, replies = [square[move - 1], next(numbers)], []
        for _ in range(out[1]):
            replies.append(next(numbers))
            out += [square[replies[-1]], *node()]
        assert replies == sorted(replies)
        return out

    found = node()
    assert next(numbers, None) is None
    return found


@pytest.mark.slow("sequences-gomoku")
@pytest.mark.parametrize("name", ["gomoku", "gomoku:standard"])
@pytest.mark.parametrize("finder", FINDERS)
def test_trees_are_won_by_the_rules(name: str, finder: str) -> None:
    game: Any = open_game(name)
    positions = list(positions_near_centre(game, 12, Random(f"{name} {finder}")))
    for opponent in (False, True):
        results, seconds = game.winning_threats(positions, finder, 2_000, opponent)
        assert len(results) == len(positions) and seconds >= 0
        won = 0
        for position, (outcome, tree, nodes) in zip(positions, results, strict=True):
            assert (outcome == "won") == (tree is not None) and nodes <= 2_100
            if tree is not None:
                won += 1
                replay_tree(plain(game, position, name != "gomoku", opponent), as_squares(game, tree))
        assert won > 0


def test_errors_are_clear() -> None:
    game: Any = open_game("gomoku")
    with pytest.raises(ValueError, match="the finders are 'threes', 'fours', 'sequences' and"):
        game.winning_threats([game.initial()], "fives")
    over = game.initial()
    for move in ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"):
        over = game.play(over, game.parse_move(over, move))
    with pytest.raises(ValueError, match="the game is over"):
        game.winning_threats([over])


def test_games_without_trees_of_threats_say_so() -> None:
    game: Any = open_game("tic-tac-toe")
    with pytest.raises(ValueError, match="tic-tac-toe has no trees of threats"):
        game.winning_threats([game.initial()])


def test_a_published_strategy_for_the_standard_rule_wins_by_threats(shared_data: Path) -> None:
    """A part of its 300 positions: Black, to move, wins by threats; White, to move, loses so after every reply."""
    game: Any = open_game("gomoku:standard")
    lines = [line for line in (shared_data / "gomoku_standard_strategy.txt").read_text().splitlines() if ";" in line]
    for line in lines[::10]:
        if line.startswith("#"):
            continue
        position = game.initial()
        moves = line.split(";")[0].split()
        for move in moves:
            position = game.play(position, game.parse_move(position, move))
        attacked = [position]
        if len(moves) % 2 == 1:
            children = [game.play(position, move) for move in game.moves(position)]
            attacked = [child for child in children if game.terminal(child) is None]
        limit = 2_000
        while attacked and limit <= 2_000_000:
            results, _ = game.winning_threats(attacked, "threes", limit)
            assert all(outcome != "none" for outcome, _, _ in results), line
            attacked = [p for p, result in zip(attacked, results, strict=True) if result[0] != "won"]
            limit *= 10
        assert not attacked, line
