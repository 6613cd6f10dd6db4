"""Positions and games as people write them: each form is read, or refused in a sentence that names what to do."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import chess
import pytest
from heap_game import Heap
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine import open_game
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_line, read_position
from proofbase.engine.formats.pgn_reading import split_games
from proofbase.engine.formats.position_lists import split_positions
from proofbase.engine.formats.reading import read_text

MATE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
PAWN = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"

OTHELLO = "---------------------------OX------XXX--------------------------"

READ: list[tuple[str, str, str]] = [
    # SGF
    ("gomoku", "(;GM[4]SZ[15]RU[freestyle];B[hh];W[ig])", "h8i9"),
    ("gomoku", "(;GM[4]\n  SZ[15]\r\n RU[Freestyle Gomoku]\n;B[hh]\n;W[ig])", "h8i9"),
    ("gomoku", "(;GM[4]RU[five in a row];B[hh];W[ig])", "h8i9"),
    ("gomoku", "(;GM[4]RU[gomoku, swap2];B[hh];W[ig])", "h8i9"),
    ("gomoku:standard", "(;GM[4]RU[Standard];B[hh];W[ig])", "h8i9"),
    ("gomoku:7x7-4", "(;GM[4]SZ[7]RU[freestyle, 4 in a row];B[dd];W[ed])", "d4e4"),
    ("gomoku", "(;GaMe[4]SiZe[15];Black[hh];White[ig])", "h8i9"),
    ("within:9:gomoku", "(;GM[4];B[hh];W[ig])", "h8i9"),
    ("gomoku", "(;GM[4]AB[hh]AW[ig]XX[aa]C[a remark])", "h8i9"),
    # EPD
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7#; dm 1; id \"x\"; c0 \"a; b\";", MATE),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - bm #1;", MATE),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - dm 1", MATE),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1 dm 1; am Qf7;", MATE),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1 ;D1 20 ;D2 400", MATE),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - bm #1; PV: g6g7;", MATE),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w bm Qg7#;", MATE),
    ("giveaway", "2b5/K1p1pk2/6pb/8/8/8/8/8 b - - bm Bb7;", "2b5/K1p1pk2/6pb/8/8/8/8/8 b - - 0 1"),
    ("within:5:chess", "7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7#; plies=3", MATE + " plies=3"),
    # PGN, and lists of moves with numbers
    ("chess", "1. e4 e5 2. Nf3 Nc6", "e4 e5 Nf3 Nc6"),
    ("chess", "1.e4 e5 2.Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
    ("chess", "1 e4 e5 2 Nf3 Nc6", "e4 e5 Nf3 Nc6"),
    ("chess", "1. e4! e5?! $14 2. Nf3 {developing; (it is)} 2... Nc6 1/2-1/2", "e4 e5 Nf3 Nc6"),
    ("chess", "1. e4 (1. d4 d5 (1... Nf6)) 1... e5 2. Nf3 ; a remark\n2... Nc6", "e4 e5 Nf3 Nc6"),
    ("chess", "1. e4 e5 2. Nf3 2… Nc6", "e4 e5 Nf3 Nc6"),
    ("chess", '[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Nf3\nNc6 *', "e4 e5 Nf3 Nc6"),
    ("chess", '[Event "x"] [White "a \\"b\\""] 1. e4 e5 2. Nf3 Nc6 *', "e4 e5 Nf3 Nc6"),
    ("chess", f'[SetUp "1"]\n[FEN "{PAWN}"]\n\n1. a8=Q+ *', "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", f'[Event "x"]\n[FEN "{EN_PASSANT}"]\n', EN_PASSANT),
    ("chess", '[Event "x"]\n\n*\n', "-"),
    ("giveaway:antichess", '[Variant "Antichess"]\n\n1. e3 b5 2. Bxb5 *', "e3 b5 Bxb5"),
    ("chess:fifty", '[Variant "Standard"]\n\n1. e4 e5 2. Nf3 *', "e4 e5 Nf3"),
    ("chess", "e2-e4 e7-e5 Ng1-f3", "e4 e5 Nf3"),
    ("connect-four", "1. 4 4 2. 5 5", "4455"),
    ("connect-four", "1. d1 d2 2. e1 e2", "4455"),
    ("connect-four", "1.4 4 2.5 {why?} 5 *", "4455"),
    ("connect-four", "1. 4 4\n2. 5 {why?\n}\n(2. 1) 5 *", "4455"),
    ("connect-four", "4 4\n5 5", "4455"),
    ("gomoku", "1. h8 i9 2. h10", "h8i9h10"),
    ("gomoku", "1 H8 2 I9 3 H10", "h8i9h10"),
    ("awari", "1. C4 d4 2. A5", "C4 d4 A5"),
    ("mens-morris:9", "1. d6 f4 2. d7 b4", "d6 f4 d7 b4"),
    ("othello", "F5D6C3", "f5 d6 c3"),
    ("othello:4x4", "a2a3b4c1a4b1", "a2 a3 b4 c1 a4 pass b1"),
    ("tic-tac-toe", "1. 5 1 2. 9", "519"),
    ("qubic", "1. 0 21 2. 1", "moves:0 21 1"),
    # Boards
    ("connect-four:4x4", "..../..../2.../112.", "..../..../o.../xxo."),
    ("connect-four:4x4", "0000/0000/2000/1120", "..../..../o.../xxo."),
    ("connect-four:4x4", "..../..../Y.../RRY.", "..../..../o.../xxo."),
    ("connect-four:4x4", "..../..../..../YYR./", "..../..../..../xxo."),
    ("connect-four:4x4", "..../..../O.../XXO.", "..../..../o.../xxo."),
    ("connect-four:4x4", ". . . .\n. . . .\nO . . .\nX X O .\n1 2 3 4", "..../..../o.../xxo."),
    ("connect-four:4x4", "| | | | |\n| | | | |\n|O| | | |\n|X|X|O| |\n+-+-+-+-+", "..../..../o.../xxo."),
    ("connect-four:4x4", "____\n____\n🟡___\n🔴🔴🟡_", "..../..../o.../xxo."),
    ("tic-tac-toe", "X O _\n_ X _\n_ _ O", "xo./.x./..o"),
    ("tic-tac-toe", "xo..x...o", "xo./.x./..o"),
    ("tic-tac-toe", " X | O |   \n---+---+---\n   | X |   \n---+---+---\n   |   | O ", "xo./.x./..o"),
    ("gomoku:5x5", "5 . . . . .\n4 . . . . .\n3 . . X O .\n2 . . . . .\n1 . . . . .\n  A B C D E", "c3d3"),
    ("gomoku:5x5", "+++++\n+++++\n++BW+\n+++++\n+++++", "c3d3"),
    ("within:9:connect-four:4x4", "..../..../2.../112. plies=4", "..../..../o.../xxo. plies=4"),
    ("mens-morris:9", "D6 F4", "d6 f4"),
    ("mens-morris:3", "X.O/.../...:X:2,2", "x.o/.../...:x:2,2"),
    ("othello:4x4", ".....ox..xo..... Black", "-----OX--XO----- X"),
    ("othello:4x4", "-----OX--XO----- X; A2:+4; D3:+4;", "-----OX--XO----- X"),
    ("within:3:othello:4x4", "-----O*--*O----- White plies=2", "-----OX--XO----- O plies=2"),
    ("othello", f"8 {OTHELLO.replace('X', '*')} *", f"{OTHELLO} X"),
    ("othello", f"{OTHELLO}X", f"{OTHELLO} X"),
    ("othello", f"{OTHELLO.replace('-', '.')}O", f"{OTHELLO} O"),
    ("othello", f"{OTHELLO} X; E7:+4; % a remark", f"{OTHELLO} X"),
    ("othello", "  A B C D E F G H\n" + "\n".join(
        f"{row + 1} {' '.join(OTHELLO[8 * row : 8 * row + 8])} {row + 1}" for row in range(8)
    ) + "\n  A B C D E F G H\nBlack to move", f"{OTHELLO} X"),
    ("tic-tac-toe", "[[1,2,0],[0,1,0],[0,0,2]]", "xo./.x./..o"),
    ("tic-tac-toe", "[[ 1 -1  0]\n [ 0  1  0]\n [ 0  0 -1]]", "xo./.x./..o"),
    ("tic-tac-toe", "1 -1 0\n0 1 0\n0 0 -1", "xo./.x./..o"),
    ("tic-tac-toe", "[['X','O',' '],[' ','X',' '],['','','O']]", "xo./.x./..o"),
    ("connect-four:4x4", "array([[0., 0., 0., 0.],\n [0., 0., 0., 0.],\n [2., 0., 0., 0.],\n [1., 1., 2., 0.]])",
     "..../..../o.../xxo."),
    ("connect-four:4x4", "0,0,0,0\n0,0,0,0\n2,0,0,0\n1,1,2,0", "..../..../o.../xxo."),
    ("tic-tac-toe", "O|_|X\nX|X|_\nO|O|\nO to move", "x.o/oo./xx."),
    ("tic-tac-toe", "o.x/xx./oo. o", "x.o/oo./xx."),
    ("tic-tac-toe", "O|_|X / X|X|_ / O|O| ; O began and is to move", "x.o/oo./xx."),
    ("renju:5x5", ". . . . .\n. . O . .\n. . X . .\n. . . . .\n. . . . .", "...../..o../..x../...../....."),
    # Chess problems by their pieces
    ("chess", "white Ke2 Qh1 Sd5 Pe6 black Ke8 Rh8 Sh7", "4k2r/7n/4P3/3N4/8/8/4K3/7Q w k - 0 1"),
    ("chess", "beginproblem\nstipulation #2\npieces\nwhite Kf4 Qg4 Rd1 Rc2 Pc6b7\nblack Kc7\nendproblem\n",
     "8/1Pk5/2P5/8/5KQ1/8/2R5/3R4 w - - 0 1"),
    ("chess", "algebraic:\n white: [Ke1, Ra1]\n black: [Ke8]\nsolution:\n 1.Ra1-a7", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
    # The FEN of Sanmill
    ("mens-morris", "O*O@O*O@/@*@***@O/O@O@O@O* b m s 9 0 8 0 0 8 23", ".xo/xo./ox./xoxxox/.xo/.../oxo:o"),
    ("mens-morris", "********/O*******/******** b p p 1 8 0 9 0 0 1", ".../.x./.../....../.../.../...:o:8,9"),
    ("mens-morris", "********/@*******/******** w p p 0 9 1 8 0 0 1", ".../.x./.../....../.../.../...:o:8,9"),
    ("tic-tac-toe", "xo./.x./... o", "xo./.x./..."),
    # Marks, results and forms of PDN
    ("checkers", "11-15* 23-19 8-11* 22-17 *", "11-15 23-19 8-11 22-17"),
    ("checkers", "11-15, 23-19!, 8-11.", "11-15 23-19 8-11"),
    ("checkers", "1. 11-15 23-19 2-0", "11-15 23-19"),
    ("checkers", '[Event "x"]\n[Result "1\N{EN DASH}0"]\n\n1. 11-15 23-19 BW', "11-15 23-19"),
    ("checkers", "11-15 23-19 9-13---A", "11-15 23-19 9-13"),
    ("checkers", "1115 2319 811", "11-15 23-19 8-11"),
    ("checkers", "11 - 15 23 - 19", "11-15 23-19"),
    ("gomoku", "h8! i9?! h10*", "h8i9h10"),
    # Positions with moves behind them
    ("chess", f"{PAWN} moves a7a8q", "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", f"{PAWN} a7a8q", "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", "7k/P7/8/8/8/8/8/K7 w - - 1. a8=Q+ 1-0", "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("tic-tac-toe", "xo./.x./... moves 3 9", "xoo/.x./..x"),
    # Chess notation
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", CASTLING),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ -", CASTLING),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", CASTLING),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq \N{EN DASH} 0 1", CASTLING),
    ("chess", "\N{ZERO WIDTH NO-BREAK SPACE}r3k2r/8/8/8/8/8/8/R3K2R\N{NO-BREAK SPACE}w KQkq - 0 1", CASTLING),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R W KQkq - 0 1", CASTLING),
    ("chess", "7k/8/5KQ1/8/8/8/8/8", MATE),
    ("chess", "position startpos moves e2e4 e7e5", "e4 e5"),
    ("chess", f"position fen {PAWN} moves a7a8q", "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", "e4 Nf6 e5 d5 exd6 e.p.", "e4 Nf6 e5 d5 exd6"),
    ("chess", "e4 Nf6 e5 d5 exd6e.p.", "e4 Nf6 e5 d5 exd6"),
    ("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5 o-o", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
    ("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5 0\N{EN DASH}0", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
    ("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5 e1h1", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
    ("chess", "e4 e5 \N{WHITE CHESS KNIGHT}f3 \N{BLACK CHESS KNIGHT}c6", "e4 e5 Nf3 Nc6"),
    ("chess", "e4 d5 e:d5 \N{WHITE CHESS QUEEN}\N{MULTIPLICATION SIGN}d5", "e4 d5 exd5 Qxd5"),
    ("chess", "E2E4 e7e5 nf3", "e4 e5 Nf3"),
    ("chess", f'[Event "x"]\n[FEN "{PAWN}"]\n\n1. a8(Q)+', "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", f'[Event "x"]\n[FEN "{PAWN}"]\n\n1. a8/Q', "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", f'[Event "x"]\n[FEN "{PAWN}"]\n\n1. a7-a8=\N{WHITE CHESS QUEEN}', "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
    ("chess", f'[Event "x"]\n[FEN "{PAWN}"]\n\n1. a7a8Q ch.', "Q6k/8/8/8/8/8/8/K7 b - - 0 1"),
]  # fmt: skip

REFUSED: list[tuple[str, str, str]] = [
    # SGF
    (
        "gomoku",
        "(;GM[4]RU[standard];B[hh];W[ig])",
        "is another game than gomoku: read it as gomoku:standard",
    ),
    ("gomoku:standard", "(;GM[4]RU[Freestyle];B[hh];W[ig])", "is another game than gomoku:standard: read it as gomoku"),
    ("gomoku", "(;GM[4]RU[renju];B[hh];W[ig])", "RU[renju] is another game than gomoku: read it as renju"),
    ("gomoku", "(;GM[4]RU[Caro];B[hh];W[ig])", "take RU out"),
    ("gomoku:7x7-4", "(;GM[4]SZ[7]RU[freestyle];B[dd])", "read it as gomoku:7x7"),
    ("gomoku", "(;GM[4]SZ[19]RU[freestyle];B[dd])", "read it as gomoku:19x19"),
    ("gomoku", "(;GM[4];B[hh][ii];W[ig])", "move 1 has 2 points"),
    ("gomoku", "(;GM[1];B[hh])", "GM[1] is another game"),
    # EPD and FEN
    ("chess", "7k/8/5KQ1/8/8/8/8/8 - -", "name the side to move"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 bm Qg7#;", "name the side to move"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - what is this", "no field of a FEN and no operation of an EPD"),
    ("chess", "r1k4r/8/8/8/8/8/8/R1K4R w HAha - 0 1", "Chess960"),
    ("chess", "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1", "Chess960"),
    ("chess", "r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1", "Chess960"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - hmvc 97; hmvc 98;", "rule is 97, and '98' in hmvc"),
    ("chess", '7k/8/5KQ1/8/8/8/8/8 w - - hmvc "";', "'' is no counter of the fifty-move rule"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - hmvc abc;", "'abc' is no counter of the fifty-move rule"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1 hmvc 98;", "rule is 0, and '98' in hmvc"),
    # PGN
    ("chess", '[Event "x"]\n[Variant "Chess960"]\n\n1. e4 *', "that game is not one of proofbase"),
    ("chess:fifty", '[Variant "Antichess"]\n\n1. e3 *', "this is chess:fifty: it is a game of giveaway:antichess"),
    ("chess", '[Event "x"]\n[Variant "Antichess"]\n\n1. e3 *', "it is a game of giveaway:antichess: read it as one"),
    ("chess", '[Event "x"]\n\n1. e4 *\n\n[Event "y"]\n\n1. d4 *', "2 games in PGN: give one of them"),
    ("chess", '[Event "x"]\n\n1. e4 e5 2. Ke3 *', "move 3"),
    ("chess", "1. e4 -- 2. d4", "move of nobody"),
    ("chess", "1. e4 {never closed e5", "has no '}'"),
    ("chess", "1. e4 (1. d4 e5", "has no ')'"),
    ("chess", "*", "move 1 of '*'"),
    ("chess", "{a remark}", "move 1 of"),
    ("chess", "1. e4 e5 1-0 2. Nf3", "behind the result 1-0"),
    # Boards
    ("connect-four:4x4", "..../..../z.../xxo.", "1 and 2 (0 for empty), R and Y"),
    ("connect-four:4x4", "..../..../R.../xxo.", "more than two players"),
    ("connect-four:4x4", "..../2.../112.", "4 rows of 4 squares"),
    ("connect-four", "0 3 3", "write '1 4 4'"),
    ("connect-four", "d1 d3", "move 2 of 'd1 d3': 'd3': a stone in column d falls to d2"),
    ("connect-four", "4x5", "move 1 of '4x5'"),
    ("connect-four", "3333330", "write '4 4 4 4 4 4 1'"),
    ("tic-tac-toe", "4 0 8", "write '5 1 9'"),
    ("tic-tac-toe", "[[1,2,3],[0,1,0],[0,0,2]]", "illegal character '3'"),
    ("tic-tac-toe", "[[1,2],[0,1,0],[0,0,2]]", "3 rows of 3 squares, and the text has 3 rows of 2 3 3"),
    ("chess", "stipulation h#2 white Ke1 black Ke8", "h#2 is no direct mate"),
    ("chess", "white Ke2 Qe2 black Ke8", "two pieces stand on e2"),
    ("mens-morris", "OOO*****/@*******/******** w p r 3 8 1 8 1 0 1", "a man is still to be taken"),
    ("mens-morris", "OOO*****/@*******/******** b p p 4 6 1 8 0 0 1", "the board has 3 O and 1 @"),
    ("mens-morris", "X*******/********/******** b p p 0 9 0 9 0 0 1", "banned by a rule of another game"),
    ("tic-tac-toe", "xx./.x./..o x", "x is to move, and the board has 3 x and 1 o"),
    ("checkers", "W:We3,g3,Kf8:Bc5,e5", "Russian draughts"),
    # Messages
    ("othello", "e6f6f5f4e3c5c6d3c3??f3", "move 10: '??' is no move; 9 moves were read"),
    ("gomoku", "h8 ... i9", "move 2: '...' is no move; 1 move was read"),
    ("chess", "e1h1", "move 1 of 'e1h1': chess: move 'e1h1': it is not legal"),
    ("chess", f'[Event "x"]\n[FEN "{PAWN}"]\n\n1. a7a8', "name what the pawn becomes"),
    ("connect-four", "12121215", "the game is over after move 7 of '12121215': leave out what follows"),
    ("gomoku", "h8a1i8a2j8a3k8a4l8a5", "the game is over after move 9"),
    ("chess", "e8=Q", "move 1 of 'e8=Q'"),
    ("chess", "f3 e5 g4 Qh4# a3", "the game is over after move 4"),
]


@pytest.mark.parametrize("rules", ["native", "python"])
def test_what_people_write_is_read(rules: str) -> None:
    for name, text, canonical in READ:
        game = open_game(name, rules)  # type: ignore[arg-type]
        try:
            assert read_position(game, text) == read_position(game, canonical), (name, text)
        except InvalidPositionError as error:
            raise AssertionError((name, text, str(error))) from error
        assert game.parse(game.text(read_position(game, text))) == read_position(game, text)


@pytest.mark.parametrize("rules", ["native", "python"])
def test_what_is_refused_says_what_to_do(rules: str) -> None:
    for name, text, sentence in REFUSED:
        game = open_game(name, rules)  # type: ignore[arg-type]
        with pytest.raises(InvalidPositionError) as caught:
            raise AssertionError((name, text, game.text(read_position(game, text))))
        assert sentence in str(caught.value), (name, text, str(caught.value))
        assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


def test_the_moves_of_a_text_are_kept() -> None:
    game = open_game("chess")
    start, moves, _ = read_line(game, f'[FEN "{PAWN}"]\n\n1. a8=Q+ Kg7 *')
    assert game.text(start) == PAWN and len(moves) == 2


def test_a_property_that_may_hold_stones_is_named() -> None:
    found = read_text(open_game("gomoku"), "(;GM[4]AB[hh]AW[ig]XX[aa][bb]C[hh]LB[hh:A]TR[hh])")
    assert found.remarks == ("SGF: XX[aa] is passed over: moves are B and W, stones AB and AW",)
    assert read_text(open_game("gomoku"), "(;GM[4]AB[hh]AW[ig]ZZ[some text])").remarks == ()


def test_what_is_assumed_is_said() -> None:
    assert "White" in read_text(open_game("chess"), MATE.split(maxsplit=1)[0]).remarks[0]
    assert "x is taken to have begun" in read_text(open_game("tic-tac-toe"), "X O _\n_ _ _\n_ _ _").remarks[0]
    assert "red" in read_text(open_game("connect-four:4x4"), "..../..../..../RYRY").remarks[0]
    assert read_text(open_game("connect-four:4x4"), "..../..../..../RYR.").remarks == ()


def test_the_operations_of_an_epd_are_kept() -> None:
    found = read_text(open_game("chess"), MATE.replace("0 1", 'bm Qg7# Qh7#; id "a; b #1"; dm 1;'))
    assert [str(operation) for operation in found.operations] == ["bm Qg7# Qh7#", "id a; b #1", "dm 1"]


WORDS = (
    '1. e4 a8(Q) e.p. o-o { } ( ) ; $1 * 1-0 -- ... d4 h8i9 4 0 | / xo. X O R y 12. +- [Event "x"] [FEN "8/8"] 8/8/8/8 '
    'w KQkq HA bm #1; " (;B[hh] RU[x] \ufeff \u2013 \u2658 _ plies=3 moves:'
)
FRAGMENTS = st.sampled_from([*WORDS.split(" "), " ", "\n"])


@settings(max_examples=4 * settings().max_examples)
@given(
    st.sampled_from(
        ["chess", "giveaway", "gomoku", "connect-four:4x4", "tic-tac-toe", "mens-morris:3", "awari", "qubic"]
    ),
    st.lists(FRAGMENTS, max_size=14).map("".join),
)
def test_any_mixture_is_read_or_refused(name: str, text: str) -> None:
    game = open_game(name, "python")
    message = ""
    try:
        position = read_position(game, text)
    except InvalidPositionError as error:
        message = str(error)
    else:
        assert game.parse(game.text(position)) == position
    assert len(message) < 700 and "\n" not in message


def test_published_epds_are_read_as_another_program_reads_them(shared_data: Path) -> None:
    rules, compared = open_game("chess"), 0
    for file in ("chess_wac_analysed", "chess_classic280", "chess_KRvK1000", "chess_matetrack_pv"):
        listed = split_positions("chess", (shared_data / f"{file}.epd").read_text())
        for _, text in list(listed)[::3]:
            found = read_text(rules, text)
            board = chess.Board(" ".join(text.split()[:4]) + " 0 1")
            assert rules.text(found.position).split()[:4] == board.fen(en_passant="legal").split()[:4]
            compared += bool(found.operations)
    assert compared > 1_400


class Bracketed(Heap):
    """A game of one's own whose moves look like remarks, and whose positions may look like boards."""

    name = "bracketed"

    def __init__(self) -> None:
        super().__init__()
        self.name = "bracketed"

    def move_text(self, position: int, move: int) -> str:
        return "{\N{EN DASH}" + "1." * move + "}"


def test_a_game_of_ones_own_has_its_own_signs() -> None:
    game = Bracketed()
    assert read_position(game, "{\N{EN DASH}1.} {\N{EN DASH}1.1.}") == 9
    assert read_position(game, "\N{ZERO WIDTH NO-BREAK SPACE}5") == 5
    for text in ("{\N{EN DASH}1.} {x", '[Event "x"]', "(;B[hh])", "1/2"):
        with pytest.raises(InvalidPositionError) as caught:
            read_position(game, text)
        assert "comment" not in str(caught.value) and "board" not in str(caught.value)


def test_games_are_told_apart_by_their_tags() -> None:
    text = '[Event "a"]\n[Round "1"]\n\n1. e4 {a\n[Event "no"]\n} e5\n[%clk]\n*\n\n[Event "b"]\n\n*\n[Event "c"] 1. d4'
    games = split_games(text)
    assert [(game.tags["Event"], game.line) for game in games] == [("a", 1), ("b", 10), ("c", 13)]
    assert games[2].compact == "moves:d4"


@pytest.mark.parametrize(
    "text",
    [
        '[A ""]\n' * 5_000 + "[\n" * 5_000,
        '[A ""] 1. e4\n' * 2_000,
        "{" * 40_000,
        "(" * 40_000,
        "1." * 20_000,
        "1 " * 20_000,
        "x/" * 20_000,
        "7" * 40_000 + "x\n",
        "\n" * 20_000 + "|" * 20_000,
        "7k/8/8/8 w" + " " * 40_000 + "plies=x",
        "8/8/8/8 w - - " + '"' * 40_000,
        "8/8/8/8 w - - " + "a;" * 20_000,
        "(;" + "B" * 40_000,
        "(;GM[4]" + "XX[aa]" * 6_000,
        "h8" * 20_000 + "!",
        "+-" * 20_000,
        "[1" * 20_000,
        "1,-1\n" * 10_000,
        "black to move " * 3_000,
        "7k/8/8/8 w - - " + "e4 " * 10_000,
        "position " + "fen " * 10_000,
        '[FEN "' * 6_000 + '"]' * 6_000,
    ],
    ids=lambda text: text[:12],
)
def test_no_text_takes_long(text: str) -> None:
    for name in ("chess", "gomoku", "connect-four", "within:5:connect-four", "tic-tac-toe", "mens-morris"):
        game, started = open_game(name, "python"), time.process_time()
        with contextlib.suppress(InvalidPositionError):
            read_position(game, text)
        assert time.process_time() - started < 1.5, name
