"""Values, distances and lines in the words of a game's players."""

from __future__ import annotations

import pytest

from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.words.game_words import GameWords, grouped_moves

WIN, DRAW, LOSS = (Value.of(number) for number in (1, 0, -1))
UNKNOWN, NO_WIN = Value.within(1), Value(-1, 0, False, True)


@pytest.mark.parametrize(
    ("game", "value", "rank", "proved", "expected"),
    [
        # rank of the value, then the plies within which no win and no loss is proved
        ("chess", WIN, 1, (0, 0), "mate in 1 (proved shortest)"),
        ("chess", WIN, 5, (0, 0), "mate within 3"),
        ("chess", WIN, 5, (3, 0), "mate in 3 (proved shortest)"),
        ("chess", WIN, 6, (4, 0), "mate in 3 (proved shortest)"),  # the sixth ply is the loser's
        ("chess", WIN, 9, (3, 0), "mate within 5, no mate in 2 (proved)"),
        ("chess", WIN, 9, (0, 8), "mate within 5"),  # nothing about wins
        ("chess", LOSS, 2, (0, 0), "mated in 1 (proved)"),
        ("chess", LOSS, 6, (0, 0), "mated within 3"),
        ("chess", LOSS, 6, (0, 4), "mated in 3 (proved)"),
        ("chess", LOSS, 8, (0, 4), "mated within 4, not in 2 (proved)"),
        ("chess", DRAW, 0, (0, 0), "draw"),
        ("chess", WIN, None, (0, 0), "win"),  # by a table
        ("chess", UNKNOWN, 0, (0, 0), "unknown"),
        ("chess", UNKNOWN, 0, (5, 0), "unknown, no mate in 3 (proved)"),
        ("chess", NO_WIN, 0, (0, 0), "at most draw"),
        ("giveaway", WIN, 2, (0, 0), "win in 1 move (proved shortest)"),
        ("giveaway", WIN, 6, (0, 0), "win within 3 moves"),
        ("giveaway", WIN, 6, (4, 0), "win in 3 moves (proved shortest)"),
        ("giveaway", LOSS, 5, (0, 3), "loss in 3 moves (proved)"),
        ("giveaway:antichess", LOSS, 5, (0, 0), "loss within 3 moves"),
        ("tic-tac-toe", WIN, 5, (0, 0), "win within 5 plies"),
        ("tic-tac-toe", WIN, 5, (3, 0), "win in 5 plies (proved shortest)"),
        ("tic-tac-toe", DRAW, 7, (0, 0), "draw within 7 plies"),
        ("tic-tac-toe", LOSS, 1, (0, 0), "loss within 1 ply"),
        ("random-graph", WIN, 5, (3, 0), "win within 5 plies, no win in 3 plies (proved)"),  # four may do
        ("random-graph", WIN, 5, (4, 0), "win in 5 plies (proved shortest)"),
        ("awari", Value.of(3), 12, (0, 0), "+3 within 12 plies"),
        ("no-such-game", Value.of(3), 12, (0, 0), "+3 within 12 plies"),
    ],
)
def test_values_with_their_distances(
    game: str, value: Value, rank: int | None, proved: tuple[int, int], expected: str
) -> None:
    assert GameWords.of(game).decided(value, rank, *proved) == expected


def test_lines_have_numbers_where_players_write_them() -> None:
    chess = GameWords.of("chess")
    assert chess.line(["e4", "e5", "Nf3"], 0) == "1. e4 e5 2. Nf3"
    assert chess.line(["e5", "Nf3"], 1) == "1... e5 2. Nf3"
    assert chess.line([], 1) == ""
    assert GameWords.of("connect-four").line(["4", "4"], 1) == "4 4"


def test_sides_have_names() -> None:
    assert [GameWords.of("giveaway").player(side) for side in (0, 1)] == ["White", "Black"]
    assert GameWords.of("within:3:chess").side(1) == "Black"
    assert GameWords.of("qubic").player(0) == "the first player" and GameWords.of("qubic").side(1) == "second player"


def test_moves_are_grouped() -> None:
    values = {"a": WIN, "b": UNKNOWN, "c": LOSS, "d": NO_WIN, "e": DRAW, "f": WIN}
    moves = [MoveAnswer(name, 0, value, 1, value.exact, "", False) for name, value in values.items()]
    found = {group: "".join(move.move for move in group_of) for group, group_of in grouped_moves(moves)}
    assert found == {"winning": "af", "drawing": "e", "losing": "c", "not known": "bd"}
    assert list(found) == ["winning", "drawing", "losing", "not known"] and grouped_moves([]) == []
