"""Games of go-moku and renju in SGF: read where positions are read, written, refused with the cause."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine import open_rules
from proofbase.engine._core import open_game
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_line, read_position
from proofbase.engine.formats.sgf import read_sgf_branches, write_sgf


@given(
    st.sampled_from(
        ["gomoku", "gomoku:standard", "gomoku:7x9-4", "gomoku:19x19", "gomoku:16x5", "gomoku:professional", "renju:9x7"]
    ),
    st.integers(0, 2**32),
)
def test_what_is_written_is_read(name: str, seed: int) -> None:
    native, rules, random = open_game(name), open_rules(name), Random(seed)
    position, moves = rules.initial(), []
    for _ in range(random.randrange(60)):
        if legal := rules.moves(position):
            moves.append(random.choice(legal))
            position = rules.play(position, moves[-1])
    split = random.randrange(len(moves) + 1)
    start = rules.initial()
    for move in moves[:split]:
        start = rules.play(start, move)
    for text in (
        write_sgf(rules, start, moves[split:]),
        write_sgf(native, native.parse(rules.text(start)), moves[split:]),
    ):
        assert text.startswith("(;FF[4]GM[4]") and "\n" not in text
        assert read_line(rules, text) == (start, moves[split:], position)
        assert read_position(native, f"\n {text} ") == native.parse(rules.text(position))


def test_the_main_line_of_other_programs_is_read() -> None:
    game = open_game("gomoku")
    expected = read_position(game, "h8 i9 h9")
    for text in (
        "(;GM[4];B[hh];W[ig];B[hg])",
        "(;FF[4]CA[UTF-8]GM[4]SZ[15]PB[a \\] b]C[two\nlines; (not a tree)];B[hh]BL[9];W[ig]C[x](;B[hg](;W[aa];B[bb])))"
        .replace("(;W[aa];B[bb])", ""),
        "( ;\n B [hh]\r\n; W\t[ig] ; B[hg] )",
        "(;B[hh](;W[ig](;B[hg])(;B[aa]))(;W[bb]))",
        "(;SZ[15:15]AB[hh][hg]AW[ig]PL[W])",
        "(;AB[hg:hh]AW[ig])",
        "(;B[hh];W[aa];AE[aa]AW[ig];B[hg])",
        "(;AB[aa]AW[bb];AE[aa:bb];AB[hh];AW[ig];PL[B];B[hg])",
    ):  # fmt: skip
        assert read_position(game, text) == expected, text


def test_the_main_line_takes_memory_as_the_text_is_long() -> None:
    """Each of many variations has a long way from the root; none of those ways is kept for the main line."""
    deep = 4_000
    text = "(;AE[aa]" * deep + "(;)" + ")(;)" * (deep - 1) + ")"
    tracemalloc.start()
    read_position(open_game("gomoku"), text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 16 << 20


def test_a_variation_may_lack_its_first_semicolon() -> None:
    game = open_game("gomoku")
    for text in ("(;SZ[15](AB[hh];W[hg])(;B[ii];W[hh]))", "(;SZ[15](;AB[hh];W[hg])(B[ii];W[hh]))"):
        assert read_position(game, text) == read_position(game, "(;AB[hh];W[hg])")
        [read] = read_sgf_branches("gomoku", text)
        assert sorted(len(branch.moves) for branch in read.branches) == [1, 2]
    for text in ("(;B[hh](;W[hg])(W[ii]))", "(;B[hh](W[hg])(W[ii]))"):
        assert read_position(game, text) == read_position(game, "(;B[hh];W[hg])")


def test_stones_that_are_set_up_name_the_side_to_move() -> None:
    for game in (open_game("gomoku"), open_rules("gomoku")):
        position = read_position(game, "(;AB[aa][bb]AW[cc]PL[B];B[dd])")
        assert game.text(position).endswith(" o") and game.side(position) == 1
        assert write_sgf(game, position) == write_sgf(game, game.parse(game.text(position)))
        assert "AB[aa][bb][dd]AW[cc]PL[W]" in write_sgf(game, position)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("(", "begins with"),
        ("(;", "the last ')'"),
        ("(;B[hh]", "the last ')'"),
        ("(;B[hh", "character 4"),
        ("(;B[hh])(;B[ii])", "several games"),
        ("(;B[hh] h8)", "character 10"),
        ("(B[hh])", "begins with"),
        ("(;B[hh]) (;", "the last ')'"),
        ("(;B[hh])()", "something follows"),
        ("(;B[hh])(", "something follows"),
        ("(;B[hh]);B[ii]", "something follows"),
        ("(;[hh])", "no property"),
        ("(;B[hh](;W[ig])B[hg])", "'B' belongs to no node"),
        ("(;B[hh](;W[ig])([hg]))", "'hg' belongs to no node"),
        ("(;GM[1];B[hh])", "another game"),
        ("(;SZ[19];B[hh])", "board of gomoku, 15x15"),
        ("(;SZ[15:14])", "board of gomoku"),
        ("(;SZ[big])", "board of gomoku"),
        ("(;W[hh])", "move 1 is one of White"),
        ("(;B[hh];B[ii])", "move 2 is one of Black"),
        ("(;B[hh];W[])", "move 2 is a pass"),
        ("(;B[tt])", "move 1 is a pass"),
        ("(;B[zz])", "not a point"),
        ("(;B[ph])", "not on the board"),
        ("(;B[aa:bb])", "not a point"),
        ("(;B[hh];W[hh])", "move 2: the square h8 is taken"),
        ("(;B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])", "move 10: no move e14: the game is over"),
        ("(;AB[aa][bb])", "2 x and 0 o"),
        ("(;AB[bb:aa])", "not on the board"),
        ("(;AB[a])", "not a point"),
    ],
)
def test_what_is_wrong_is_named(text: str, cause: str) -> None:
    for game in (open_game("gomoku"), open_rules("gomoku")):
        with pytest.raises(InvalidPositionError, match="SGF: ") as caught:
            read_position(game, text)
        assert cause in str(caught.value) and len(str(caught.value)) < 200


@settings(max_examples=2 * settings().max_examples)
@given(st.text("();[]BWhgi\\ AES:", max_size=30), st.text(max_size=8))
def test_no_text_breaks_the_reader(text: str, other: str) -> None:
    game = open_rules("gomoku")
    for given_text in (f"({text}", f"(;B[hh];W{text}){other}", f"(;C[{other}]{text})"):
        try:
            read_position(game, given_text)
        except InvalidPositionError as error:
            message = str(error)
        else:
            message = ""
        assert len(message) < 400


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("gomoku", "(;RU[Renju];B[hh])", "RU[Renju] is another game than gomoku: read it as renju"),
        ("renju", "(;RU[freestyle];B[hh])", "RU[freestyle] is another game than renju: read it as gomoku"),
        ("renju:9x9", "(;SZ[15])", "SZ[15] is not the board of renju:9x9, 9x9: read it as renju"),
        ("renju", "(;AB[aa][bb]AW[cc]PL[B])", "the number of stones says who moves"),
        ("gomoku:professional", "(;B[aa])", "move 1: "),
        ("renju", "(;B[hh];W[])", "move 2 is a pass, and renju has no passes"),
        ("gomoku", "(;PL;B[hh])", "the property PL has no value"),
        ("gomoku", "(;SZ;B[hh])", "the property SZ has no value"),
        ("renju", "(;RU;B[hh])", "the property RU has no value"),
        ("gomoku:professional", "(;GM)", "the property GM has no value"),
    ],
)
def test_the_rules_of_another_game_are_refused(name: str, text: str, cause: str) -> None:
    for game in (open_game(name), open_rules(name)):
        with pytest.raises(InvalidPositionError) as caught:
            read_position(game, text)
        assert cause in str(caught.value)
    assert read_position(open_game("renju"), "(;RU[renju];B[hh])") == read_position(open_game("renju"), "h8")


def test_only_go_moku_and_renju_are_read_and_written() -> None:
    game = open_rules("tic-tac-toe")
    with pytest.raises(InvalidPositionError):
        read_position(game, "(;B[aa])")
    with pytest.raises(ValueError, match="tic-tac-toe is not written as SGF"):
        write_sgf(game, game.initial())
