"""Files of games and positions in the formats of other programs: written by hand here, and read."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from proofbase.engine import open_game, read_position
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.game_lines import game_lines
from proofbase.engine.formats.pgn import Branch
from proofbase.engine.formats.played_games import read_played_games
from proofbase.engine.formats.position_lists import split_positions
from proofbase.engine.formats.readable import READABLE, format_of_file, positions_of_file, text_of_file
from proofbase.engine.formats.renlib import read_library, sgf_of_library, trunk_of_library
from proofbase.engine.formats.sgf import write_sgf

INITIAL = "---------------------------O*------*O---------------------------"
GGF = (
    f"(;GM[Othello]PC[GGS/os]PB[alice]PW[bob]RB[1.0]TY[8]RE[+2.0]BO[8 {INITIAL} *]B[F5//0.01]W[d6/-1.0/2];)\n"
    "2 (;GM[Othello]PB[carol]PW[dan \\]]TY[8]\nB[f5]W[f4];)\n"
)
PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,31\n8,7,40\n-1\nC:\\alice.exe\nbob\n"
PUZZLES = (
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n"
    "000aa,6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1,h7h5 a1a8,1000,80,90,10,mate mateIn1 short,https://x.test,\n"
)


def wthor(*games: bytes, board: int = 8) -> bytes:
    """A file: header, then tournament 0, players 1 and 0, and moves of each game."""
    header = struct.pack("<4BIHHBBBB", 20, 26, 11, 28, len(games), 0, 2026, board, 0, 0, 0)
    return header + b"".join(struct.pack("<HHHBB60s", 0, 1, 0, 33, 33, moves) for moves in games)


def library(*nodes: tuple[int, int] | bytes) -> bytes:
    """A file of RenLib: header, then nodes of a square and flags, and texts."""
    body = b"".join(node if isinstance(node, bytes) else bytes(node) for node in nodes)
    return b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + body


TREE = library(
    (0, 0),  # the root
    (0x78, 0x08),  # h8 with a comment
    b"good\0\0",
    (0x69, 0x80),  # i9, which has a sibling
    (0x68, 0x40),  # h9, the last one there
    (0x6A, 0x01),  # j9, with a text on the board
    b"\0\x01" + b"A\0",
    (0x77, 0xC0),  # g8, with a sibling, nothing below
    (0x66, 0x40),  # f9
)


def test_othello_in_ggf_is_read(tmp_path: Path) -> None:
    game = open_game("othello")
    (first, one), (second, two) = split_positions("othello", GGF)
    assert (first, second) == (1, 2)
    assert read_position(game, one) == read_position(game, "f5d6")
    assert read_position(game, two) == read_position(game, "f5f4")
    assert [entry.players for entry in read_played_games("othello", GGF)] == [("alice", "bob"), ("carol", "dan ]")]
    titles = [(line.title, line.moves) for line in game_lines(game, GGF)]
    assert titles == [("game 1 (alice - bob)", ("f5", "d6")), ("game 2 (carol - dan ])", ("f5", "f4"))]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (GGF, "2 games in GGF: give one of them"),
        ("(;GM[Othello]TY[8a]B[f5];)", "line 1: TY[8a] is another game"),
        ("(;GM[Othello]TY[8]B[f5]B[d6];)", "move 2 is one of Black, who is not to move"),
        ("(;GM[Othello]TY[8]B[f5]W[d6]B[a1];)", "move 3: othello: move 'a1': a disc there turns none"),
        ("(;GM[Othello]TY[8]B[f5]W[d6]B[a1];)", "2 moves were read"),
        ("(;GM[Othello]TY[6]B[d3];)", "the board is 6x6, and this is othello: read it as othello:6x6"),
        ("(;GM[Othello]TY[8]BO[8 ---- *];)", "is no board with the side to move"),
        ("(;GM[Othello]TY[8]BO[*];)", "does not begin with the side"),
        ("(;GM[Othello]TY[8]B[f5]", "the last ';)' is missing"),
        ("(;GM[Othello]TY[8]\n(;B[f5];)", "line 2: a game begins before the last one has ended"),
        ("(;GM[Othello]TY[8]\n!;)", "line 2: '!;)' cannot be read"),
        ("(;GM[Othello];) B[f5]", "'B' belongs to no game"),
        ("(;GM[Othello];) ;)", "ends no game"),
    ],
)
def test_what_is_wrong_with_a_ggf_is_named(text: str, cause: str) -> None:
    with pytest.raises(InvalidPositionError, match=re.escape(cause)):
        read_position(open_game("othello"), text)


def test_wthor_is_read_with_its_players(tmp_path: Path) -> None:
    file = tmp_path / "WTH_2026.wtb"
    data = wthor(bytes([56, 64, 33]), bytes([56, 46]))
    assert "PB[player 1]PW[player 0]" in text_of_file(data, file)
    (tmp_path / "WTHOR.JOU").write_bytes(bytes(16) + b"Alice".ljust(20, b"\0") + "Bérénice".encode("latin-1").ljust(20))
    text = text_of_file(data, file)
    games = list(read_played_games("othello", text))
    assert [played.players for played in games] == [("Bérénice", "Alice")] * 2
    game = open_game("othello")
    found = [read_position(game, text) for _, text in split_positions("othello", text)]
    assert found == [read_position(game, "f5d6c3"), read_position(game, "f5f4")]


def test_wthor_leaves_out_passes(tmp_path: Path) -> None:
    game = open_game("othello")
    position, squares, passes = game.initial(), list[int](), 0
    while passes == 0 or len(squares) < 60:
        moves = game.moves(position)
        if not moves:
            break
        text = game.move_text(position, moves[0])
        passes += text == "pass"
        if text != "pass":
            squares.append(10 * int(text[1]) + "abcdefgh".index(text[0]) + 1)
        position = game.play(position, moves[0])
    assert passes
    text = text_of_file(wthor(bytes(squares)), tmp_path / "a.wtb")
    assert read_position(game, text) == position


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"abc", "3 bytes are less than a header"),
        (wthor(bytes([56]))[:-1], "1 games take 84 bytes, and the file has 83"),
        (wthor(board=10), "of boards of 10x10"),
        (wthor(bytes([56, 99])), "game 1: move 2: 99 is no square"),
        (wthor(bytes([56]), bytes([11])), "game 2: move 1: othello: move 'a1'"),
    ],
)
def test_what_is_wrong_with_a_wthor_file_is_named(data: bytes, cause: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidPositionError, match=re.escape(cause)) as caught:
        text_of_file(data, tmp_path / "a.wtb")
    assert str(caught.value).startswith(f"{tmp_path}/a.wtb: WThor: ")


def test_a_game_of_piskvork_is_read() -> None:
    for name in ("gomoku", "renju"):
        game = open_game(name)
        assert read_position(game, PSQ) == read_position(game, "h8 i9 h9")
        assert [line.moves for line in game_lines(game, PSQ)] == [("h8", "i9", "h9")]
    (played,) = read_played_games("gomoku", PSQ)
    assert played.players == ("C:alice.exe", "bob")
    with pytest.raises(
        InvalidPositionError, match=re.escape("psq: SZ[9] is not the board of gomoku, 15x15: read it as")
    ):
        read_position(open_game("gomoku"), PSQ.replace("15x15", "9x9"))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (PSQ.replace("15x15", "20x20"), "psq: the board is 20x20, and boards here have sides of 3 to 19"),
        (PSQ.replace("9,7", "9,16"), "psq: line 3: '9,16,31' is not on the board of 15x15"),
        (PSQ.replace("9,7", "9,?"), "psq: line 3: '9,?,31' is no move such as 8,8,0"),
        (PSQ.replace("9,7", "8,8"), "psq: move 2: the square h8 is taken"),
    ],
)
def test_what_is_wrong_with_a_game_of_piskvork_is_named(text: str, cause: str) -> None:
    with pytest.raises(InvalidPositionError, match=re.escape(cause)):
        read_position(open_game("gomoku"), text)


def test_a_library_of_renlib_is_read(tmp_path: Path) -> None:
    root = read_library(TREE)
    assert trunk_of_library(root) == (["h8"], ["i9", "j9"])
    positions = ["h8", "h8 i9", "h8 i9 h9", "h8 j9", "h8 j9 g8", "h8 j9 f9"]
    assert positions_of_file(TREE, tmp_path / "a.lib") == [f"moves:{moves}" for moves in positions]
    lines = game_lines(open_game("gomoku", "python"), sgf_of_library(root), variations=True)
    assert [(line.ply, line.moves) for line in lines] == [(1, ("h8", "i9", "h9")), (2, ("j9", "g8")), (3, ("f9",))]
    assert trunk_of_library(read_library(b"\x78\x40")) == (["h8"], [])  # a file of an old release has no header


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"", "begins with neither"),
        (b"PK\3\4", "begins with neither"),
        (b"\xffRenLib\xff\x04\x00", "version 4.0"),
        (library((0, 0), (0x78, 0x08), b"go"), "cut short"),
        (library((0, 0), (0x78, 0x80), (0x79, 0)), "before the last variation"),
        (library((0, 0), (0x78, 0), (0x79, 0)), "before the last variation"),
        (library((0, 0), (0x78, 0), (0x79, 0x40), (0x11, 0x40)), "over at byte 26, and the file goes on"),
        (library((0, 0), (0x78, 0), (0xF8, 0x40)), "byte 24 is not on the board"),
        (library((0, 0), (0x78, 0), (0x00, 0x40)), "byte 24 is a pass"),
        (library((0, 0)) + b"\x78", "the file ends within the node at byte 22"),
    ],
)
def test_what_is_wrong_with_a_library_is_named(data: bytes, cause: str) -> None:
    with pytest.raises(InvalidPositionError, match=re.escape(cause)):
        read_library(data)


def test_variations_in_sgf_are_written_and_read() -> None:
    game = open_game("gomoku", "python")
    text = "(;SZ[15];B[hh](;W[ig];B[hg])(;W[jg](;B[gh])(;B[fg])))"
    lines = [(line.ply, line.moves) for line in game_lines(game, text, variations=True)]
    assert lines == [(1, ("h8", "i9", "h9")), (2, ("j9", "g8")), (3, ("f9",))]
    h8, i9, h9, j9, g8, f9 = (
        game.parse_move(game.initial(), square) for square in ["h8", "i9", "h9", "j9", "g8", "f9"]
    )
    below = [Branch(i9, "a ] sign", [Branch(h9)]), Branch(j9, replies=[Branch(g8), Branch(f9)])]
    written = write_sgf(game, game.initial(), [h8], below, comment="lost")
    assert written.endswith(";B[hh]C[lost](;W[ig]C[a \\] sign];B[hg])(;W[jg](;B[gh])(;B[fg])))")
    assert [(line.ply, line.moves) for line in game_lines(game, written, variations=True)] == lines


def test_puzzles_are_read_after_their_first_move() -> None:
    ((line, text),) = split_positions("chess", PUZZLES)
    assert (line, text) == (2, '6k1/5pp1/8/7p/8/8/5PPP/R5K1 w - - dm 1; id "000aa";')
    endgame = "00abc,8/8/6k1/3B4/3K4/4N3/8/8 w - - 54 80,d4e4 g6f6"
    assert list(split_positions("chess", endgame)) == [(1, '8/8/6k1/3B4/4K3/4N3/8/8 b - - id "00abc";')]
    assert list(split_positions("chess:fifty", endgame)) == [(1, '8/8/6k1/3B4/4K3/4N3/8/8 b - - hmvc 55; id "00abc";')]
    for broken, cause in (
        (PUZZLES.replace("h7h5", "h7h8"), "line 2: puzzle '000aa': chess: move 'h7h8'"),
        (PUZZLES.replace("h7h5 a1a8", ""), "line 2: a puzzle has its name"),
    ):
        with pytest.raises(InvalidPositionError, match=re.escape(cause)):
            list(split_positions("chess", broken))


def test_a_file_of_a_game_without_tags_is_one_game(tmp_path: Path) -> None:
    text = text_of_file(b"1. e4 e5\n2. Nf3 {M\xfcller}\nNc6 *\n", tmp_path / "a.pgn")
    assert list(split_positions("chess", text)) == [(1, "moves:e4 e5 Nf3 Nc6")]
    listed = "1. e4 e5\n2. Nf3 Nc6 *\n1. d4\n\n2. c4\n3. a3"
    assert list(split_positions("chess", listed)) == [(1, "1. e4 e5 2. Nf3 Nc6 *"), (3, "1. d4 2. c4 3. a3")]


def test_every_format_is_in_the_table_of_the_page(repository: Path) -> None:
    page = (repository / "docs" / "command-line.md").read_text(encoding="utf-8")
    section = page.partition("## Formats\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE)
    expected_rows = [(form.name, ", ".join(f"`{ending}`" for ending in form.endings), form.games) for form in READABLE]
    assert rows[1:] == expected_rows
    assert all(format_of_file(f"A{ending.upper()}") is form for form in READABLE for ending in form.endings)
