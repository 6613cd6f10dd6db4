"""chess:fifty: its rules beside those of python-chess, its values beside brute force."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import chess
import pytest
from search_combinations import assert_solution

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidParametersError, InvalidPositionError
from proofbase.engine.formats.reading import read_text

NAME = "chess:fifty"
GAMES = [open_game(NAME), open_rules(NAME)]
BOTH = pytest.mark.parametrize("game", GAMES, ids=["native", "python"])
SIDES = ("KQ", "KQR", "KRR")


def ended(board: chess.Board) -> int | None:
    if not any(board.legal_moves):
        return -1 if board.is_check() else 0
    return 0 if board.halfmove_clock >= 100 else None


def drawn_board(random: Random, men: str, counter: int) -> chess.Board:
    """A legal position with these men (White's in capital letters), without rights."""
    while True:
        board = chess.Board(None)
        for square, man in zip(random.sample(chess.SQUARES, len(men)), men, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn, board.halfmove_clock = random.random() < 0.5, counter
        if board.is_valid():
            return board


@BOTH
def test_random_games_are_those_of_python_chess(game: Any) -> None:
    random = Random(7)
    drawn_by_counter = 0
    for number in range(20):
        board = chess.Board() if number < 4 else drawn_board(random, "KRNPkrp", 94 if number % 2 else 0)
        position = game.parse(board.fen(en_passant="fen"))
        for _ in range(60):
            fen = board.fen(en_passant="legal")
            assert game.text(position).split()[:5] == fen.split()[:5]
            assert game.terminal(position) == ended(board), fen
            key = game.key(position)
            assert key[-1] == board.halfmove_clock and game.key(game.position(key)) == key
            if game.terminal(position) is not None:
                assert not game.moves(position)
                drawn_by_counter += board.halfmove_clock == 100 and not board.is_stalemate()
                break
            moves = {game.move_text(position, move): move for move in game.moves(position)}
            assert set(moves) == {board.san(move) for move in board.legal_moves}, fen
            san = random.choice(sorted(moves))
            position = game.play(position, moves[san])
            board.push_san(san)
    assert drawn_by_counter > 1


class ResetError(Exception):
    """A line resets the counter."""


@cache
def value_by_python_chess(fen: str) -> int:
    """By all lines; ResetError where one of them resets the counter, and would go on for a hundred plies."""
    board = chess.Board(fen)
    if (end := ended(board)) is not None:
        return end
    if any(board.is_zeroing(move) for move in board.legal_moves):
        raise ResetError
    best = -1
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -value_by_python_chess(board.fen()))
        board.pop()
        if best == 1:
            break
    return best


def question(position: Any, at_least: int, algorithm: str) -> bool:
    """The answer of a search, whose solution passes the local check natively and by the rules in Python."""
    search = Search(GAMES[0], position, at_least, algorithm=algorithm)
    search.run(nodes=500_000)
    assert_solution(search, GAMES[0].key(position), at_least, search.status)
    records = [record for chunk in search.solution().chunks() for record in chunk]
    assert records and not list(LocalCheck(GAMES[1]).findings(records, lambda keys: [None] * len(keys)))
    return search.status == "proved"


@pytest.mark.parametrize("algorithm", ["pn-dag+mobility", "df-pn+mobility", "pn-tree"])
def test_values_near_the_end_of_the_counter_are_those_of_brute_force(algorithm: str) -> None:
    random, seen = Random(algorithm), {-1: 0, 0: 0, 1: 0}
    while min(seen.values()) < 2:
        board = drawn_board(random, random.choice(SIDES) + "k", random.choice((98, 98, 99)))
        position = GAMES[0].parse(board.fen())
        if GAMES[0].terminal(position) is not None:
            continue
        try:
            value = value_by_python_chess(board.fen())
        except ResetError:
            continue
        if seen[value] == 2:
            continue
        seen[value] += 1
        assert question(position, 0, algorithm) == (value >= 0), board.fen()
        assert question(position, 1, algorithm) == (value >= 1), board.fen()


@pytest.mark.parametrize(("counter", "value"), [(99, 1), (98, 1), (100, 0), (0, 1)])
def test_the_mate_counts_and_not_the_counter(counter: int, value: int) -> None:
    """Qg7 mates in the last ply that the counter leaves."""
    position = GAMES[0].parse(f"7k/8/5KQ1/8/8/8/8/8 w - - {counter} 90")
    if counter == 100:
        assert [game.terminal(game.parse(game.text(game.parse(GAMES[0].text(position))))) for game in GAMES] == [0, 0]
        return
    assert question(position, 1, "pn-dag+mobility") == (value == 1)
    mated = GAMES[0].play(position, GAMES[0].parse_move(position, "Qg7"))
    assert GAMES[0].terminal(mated) == -1


def test_a_pawn_resets_the_counter_in_time() -> None:
    """With one ply left only the promotion goes on: it does not mate, and the queen wins the game later."""
    start = "8/P7/8/8/8/8/2k5/K7 w - - 99 90"
    for game in GAMES:
        position = game.parse(start)
        after = {game.move_text(position, move): game.play(position, move) for move in game.moves(position)}
        assert game.text(after["a8=Q"]).endswith("b - - 0 1")
        assert [game.terminal(child) for child in after.values() if game.text(child).endswith(" 100 1")] == [0]


@BOTH
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - 101 106", "the counter of the fifty-move rule is 0 to 100"),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - 99999999999999999999 1", "the counter of the fifty-move rule is 0 to 100"),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 1 3", "a pawn has just moved"),
    ],
)
def test_impossible_counters_are_refused(game: Any, text: str, why: str) -> None:
    with pytest.raises(InvalidPositionError, match=why):
        game.parse(text)


@BOTH
def test_impossible_keys_are_refused(game: Any) -> None:
    key = game.key(game.parse("8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106"))
    passed = game.key(game.parse("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"))
    for wrong in (key[:-1], key + b"\0", key[:-1] + b"\x65", passed[:-1] + b"\1", b"", b"\0"):
        with pytest.raises(InvalidKeyError) as refused:
            game.position(wrong)
        assert len(wrong) == 26 or f"26 bytes, not {len(wrong)}" in str(refused.value)
    assert game.text(game.position(key[:-1] + b"\x64")).endswith(" 100 1")


@BOTH
def test_nothing_is_played_at_the_end_of_the_counter(game: Any) -> None:
    over = game.parse("7k/8/5KQ1/8/8/8/8/8 w - - 100 90")
    assert game.terminal(over) == 0 and not game.moves(over)
    with pytest.raises(InvalidMoveError, match="the game is over"):
        game.parse_move(over, "Qg7")


@pytest.mark.parametrize(
    ("text", "counter"),
    [
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106", 54),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - 0054 106", 54),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - -", 0),
        ("8/8/6k1/3B4/3K4/4N3/8/8_w_-_-_54_106", 54),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - hmvc 54;", 54),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - - - hmvc 54;", 54),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106 hmvc 54;", 54),
        ('[Variant "Standard"]\n[FEN "8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106"]\n\n*', 54),
        ("8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106 moves Kd4-e4 Kg6-f6", 56),
        ("position fen 8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 106 moves d4e4", 55),
    ],
)
def test_texts_say_the_counter(text: str, counter: int) -> None:
    for game in GAMES:
        assert game.text(read_text(game, text).position).split()[4] == str(counter)
        assert f"counter {counter}" in game.draw(read_text(game, text).position) or counter == 0


def test_names() -> None:
    for open_it in (open_game, open_rules):
        assert open_it("chess").name == "chess" and open_it(NAME).name == NAME
        with pytest.raises(InvalidParametersError, match="chess: 'forty' is not fifty"):
            open_it("chess:forty")
    inside = open_game("within:3:chess:fifty")
    assert inside.text(inside.parse("7k/8/5KQ1/8/8/8/8/8 w - - 54 90")) == "7k/8/5KQ1/8/8/8/8/8 w - - 54 1 plies=3"
