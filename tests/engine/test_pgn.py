"""Games in PGN, read back by another program."""

from __future__ import annotations

import io
from random import Random

import chess
import chess.pgn
import pytest

from proofbase.engine.formats.game_lines import game_lines
from proofbase.engine.formats.notation import read_line, read_moves
from proofbase.engine.formats.pgn import Branch, write_pgn
from proofbase.engine.games import open_game
from proofbase.engine.rules import Chess, Giveaway, TicTacToe
from proofbase.engine.rules.chessboard import ChessboardGame

MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
BLACK = "7r/8/8/8/8/1k6/8/1K6 b - - 0 1"


def read(text: str) -> chess.pgn.Game:
    """The game, in which the reader has found no error."""
    file = io.StringIO(text)
    game = chess.pgn.read_game(file)
    assert game is not None and game.errors == []
    assert chess.pgn.read_game(file) is None
    assert max(map(len, text.splitlines()[game.headers.__len__() :])) < 80
    return game


def ends(node: chess.pgn.GameNode) -> list[str]:
    """The moves of every line, the main line first."""
    if not node.variations:
        return [" ".join(step.uci() for step in path(node))]
    return [line for child in node.variations for line in ends(child)]


def path(node: chess.pgn.GameNode) -> list[chess.Move]:
    moves = []
    while node.parent is not None:
        assert node.move is not None
        moves.append(node.move)
        node = node.parent
    return moves[::-1]


def branch(rules: ChessboardGame, start: str, *lines: str) -> list[Branch]:
    """The lines as branches."""
    roots: list[Branch] = []
    for line in lines:
        below, position = roots, rules.parse(start)
        for move in read_moves(rules, position, line)[0]:
            found = next((entry for entry in below if entry.move == move), None)
            if found is None:
                found = Branch(move)
                below.append(found)
            below = found.replies
    return roots


def test_a_game_from_the_first_position_has_its_moves_and_no_position() -> None:
    rules = Chess()
    moves, _ = read_moves(rules, rules.initial(), "f3 e5 g4 Qh4")
    text = write_pgn(rules, rules.initial(), moves)
    game = read(text)
    assert game.end().board().is_checkmate() and game.headers["Result"] == "0-1" and "FEN" not in game.headers
    assert text.endswith("1. f3 e5 2. g4 Qh4# 0-1\n")


def test_a_position_with_black_to_move_and_a_remark() -> None:
    rules = open_game("chess")
    move = rules.parse_move(rules.parse(BLACK), "Rh1#")
    text = write_pgn(rules, rules.parse(BLACK), [move], comment="the end } {")
    game = read(text)
    assert game.headers["SetUp"] == "1" and game.board().turn == chess.BLACK
    assert game.end().board().is_checkmate() and game.end().comment == "the end ) ("
    assert "1... Rh1# {the end ) (} 0-1" in text


def test_variations_within_variations_are_where_they_belong() -> None:
    rules = Chess()
    lines = ["Ra6 bxa6 b7", "Ra6 Bc7 Rxa7", "Ra6 Bd6 Rxa7", "Kd7 Bg3 Ke6", "Kd7 Bg3 Kc8", "Kd7 Bh2"]
    text = write_pgn(rules, rules.parse(MORPHY), below=branch(rules, MORPHY, *lines), comment="mate in 2")
    game = read(text)
    expected = [" ".join(board_moves(line)) for line in lines]
    assert sorted(ends(game)) == sorted(expected) and ends(game)[0] == expected[0]
    assert game.comment == "mate in 2" and game.headers["Result"] == "1-0"
    assert text.count("(") == text.count(")") == 5


def board_moves(line: str) -> list[str]:
    board = chess.Board(MORPHY)
    return [board.push_san(word).uci() for word in line.split()]


def test_a_deep_line_needs_no_recursion() -> None:
    rules, start = Chess(), "8/8/8/8/8/2k5/8/K2R4 w - - 0 1"
    moves, _ = read_moves(rules, rules.parse(start), "Re1 Kb3 Rd1 Kc3 " * 375)
    below: list[Branch] = []
    for move in reversed(moves):
        below = [Branch(move, replies=below)]
    assert len(moves) == 1500
    assert len(path(read(write_pgn(rules, rules.parse(start), below=below)).end())) == 1500


@pytest.mark.parametrize("antichess", [False, True])
def test_giveaway_with_promotion_to_a_king_and_its_own_end(antichess: bool) -> None:
    rules = Giveaway(antichess=antichess)
    start = rules.parse("8/P7/8/8/8/8/8/1q6 w - - 0 1")
    position, moves = start, list[int]()
    for text in ("a8=K", "Qb8", "Kxb8"):
        moves.append(rules.parse_move(position, text))
        position = rules.play(position, moves[-1])
    game = read(write_pgn(rules, start, moves))
    assert game.headers["Variant"] == ("Antichess" if antichess else "Giveaway")
    assert game.headers["Result"] == "0-1" and game.end().board().is_variant_end()


def test_what_is_written_is_read_with_its_variations() -> None:
    rules = Chess()
    lines = ["Ra6 bxa6 b7", "Ra6 Bc7 Rxa7", "Ra6 Bd6 Rxa7", "Kd7 Bg3 Ke6", "Kd7 Bg3 Kc8", "Kd7 Bh2"]
    below = branch(rules, MORPHY, *lines)
    below[0].comment = "(a remark) 1. e4"
    text = write_pgn(rules, rules.parse(MORPHY), below=below, comment="mate in 2")
    start, moves, _ = read_line(rules, text)
    assert rules.text(start) == MORPHY and moves == read_moves(rules, start, lines[0])[0]
    found = {(line.ply, " ".join(line.moves)) for line in game_lines(rules, text, variations=True)}
    assert found == {
        (1, "Ra6 bxa6 b7#"),
        (2, "Bc7 Rxa7#"),
        (2, "Bd6 Rxa7#"),
        (1, "Kd7 Bg3 Ke6"),
        (3, "Kc8"),
        (2, "Bh2"),
    }
    for giveaway in (Giveaway(), Giveaway(antichess=True)):
        moves, _ = read_moves(giveaway, giveaway.initial(), "e3 b5 Bxb5")
        text = write_pgn(giveaway, giveaway.initial(), moves)
        assert read_line(giveaway, text)[1] == moves


def test_games_of_another_program_are_read() -> None:
    random, rules = Random(8), open_game("chess")
    for number in range(25):
        board = chess.Board()
        game = chess.pgn.Game({"Event": 'a "b" [c]', "White": "x"})
        node: chess.pgn.GameNode = game
        if number % 3 == 0:
            board = chess.Board("r3k2r/P6P/8/3pP3/8/8/p6p/R3K2R w KQkq d6 0 1")
            game.setup(board)
            node = game
        for _ in range(random.randrange(60)):
            legal = list(board.legal_moves)
            if not legal:
                break
            move = random.choice(legal)
            child = node.add_main_variation(move, comment=random.choice(["", "", "a (remark) [%clk 0:1] 1. e4 ; $"]))
            child.nags.update(random.sample(range(1, 20), random.randrange(3)))
            if random.random() < 0.3 and len(legal) > 1:
                other = next(entry for entry in legal if entry != move)
                node.add_variation(other, comment="instead")
            board.push(move)
            node = child
        text = str(game)
        start, moves, last = read_line(rules, text)
        assert len(moves) == len(path(game.end()))
        assert chess.Board(rules.text(last)).epd(en_passant="legal") == board.epd(en_passant="legal")
        assert chess.Board(rules.text(start)).epd(en_passant="legal") == game.board().epd(en_passant="legal")


def test_other_games_are_refused() -> None:
    with pytest.raises(ValueError, match="tic-tac-toe is not written as PGN"):
        write_pgn(TicTacToe(), TicTacToe().initial())
