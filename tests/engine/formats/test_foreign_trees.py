"""Trees of moves that are claimed to win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.claim import ForeignFile
from proofbase.engine.formats.foreign.formats import FOREIGN_FORMATS, read_foreign
from proofbase.engine.formats.foreign.trees import (
    read_lines_of_proof,
    read_pgn_trees,
    read_sgf_trees,
    read_strategy_json,
)


def bounds_and_plies(read: ForeignFile) -> dict[str, tuple[int | None, int | None]]:
    """The claimed limits by place."""
    return {claim.place: (claim.lower, claim.upper) for claim in read.claims}


# --- JSON ------------------------------------------------------------------------------------------------------------
def test_a_strategy_in_json_is_claimed_after_each_move_of_black_and_at_each_end() -> None:
    game = open_rules("gomoku:standard")
    text = '{"h8": {"h10": {"g7": {"b10": {"g8": 17}, "j10": {"g8": {"f8": 18, "g10": {"i10": 17}}}}}}}'
    read = read_strategy_json(game, text)
    assert bounds_and_plies(read) == {
        "the beginning": (1, None),
        "h8": (None, -1),
        "h8 h10 g7": (None, -1),
        "h8 h10 g7 b10 g8": (None, -1),
        "h8 h10 g7 j10 g8": (None, -1),
        "h8 h10 g7 j10 g8 f8": (1, None),
        "h8 h10 g7 j10 g8 g10 i10": (None, -1),
    }
    claims = list(read.claims)
    assert [claim.place for claim in claims][-1] == "the beginning"
    lengths = [len(claim.place.split()) for claim in claims[:-1]]
    assert lengths == sorted(lengths, reverse=True)
    plies = {claim.place: claim.plies for claim in claims}
    assert plies["h8 h10 g7 b10 g8"] == 16 and plies["h8 h10 g7 j10 g8 f8"] == 17 and plies["h8"] is None
    for claim in claims:
        if claim.plies is not None:  # the winner makes the last move
            assert claim.plies % 2 == (game.side(game.parse(claim.position)) == 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"h8":\n{"h9" 5}}', "line 2: no JSON: .* in column 7"),
        ("[1]", "line 1: the strategy is no object of moves"),
        ('{"h8": {"h8": 3}}', "h8 h8: .*h8"),
        ('{"h8": {"z9": 3}}', "h8 z9: .*z9"),
        ('{"h8": {"a1": "soon"}}', "h8 a1: neither an object of moves nor a number of plies follows"),
        ('{"h8": 3, "h8": 5}', "the move 'h8' stands twice in one object"),
        ('{"a":' * 100_000, "line 1: "),
    ],
)
def test_mistakes_in_json_are_named(text: str, said: str) -> None:
    with pytest.raises(InvalidPositionError, match=said):
        read_strategy_json(open_rules("gomoku:standard"), text)


# --- Lines -----------------------------------------------------------------------------------------------------------
def test_lines_of_a_proof_share_their_beginnings() -> None:
    game: Any = open_game("giveaway:antichess")
    text = "# FORMAT lines\ne2e3 b7b5 f1b5 b8a6\ne2e3 b7b5 f1b5 c8a6 b5d7   # the same start\n"
    read = read_lines_of_proof(game, text)
    assert bounds_and_plies(read) == {
        "line 3, move 5": (None, -1),
        "line 2, move 3": (None, -1),
        "line 2, move 1": (None, -1),
        "the beginning": (1, None),
    }
    with pytest.raises(InvalidPositionError, match=r"line 3, move 2: .*e2e4"):
        read_lines_of_proof(game, "\n# remark\ne2e3 e2e4\n")
    with pytest.raises(InvalidPositionError, match="line 1: the file has no lines of moves"):
        read_lines_of_proof(game, "# nothing\n")


def test_the_lines_of_watkins_can_be_played(shared_data: Path) -> None:
    lines = (shared_data / "giveaway_watkins_easy.txt").read_text().splitlines()[:42]
    read = read_lines_of_proof(open_game("giveaway:antichess"), "\n".join(lines))
    assert read.total > 250
    assert sum(claim.lower == 1 for claim in read.claims) == 1


# --- PGN -------------------------------------------------------------------------------------------------------------
MATE = """[Event "mate in two"]
[FEN "7k/8/5K2/8/8/8/8/R7 w - - 0 1"]
[Result "1-0"]

1. Kg6 (1. Kf7 Kh7 2. Rh1#) Kg8 (1... Kg8 2. Ra8#) 2. Ra8# 1-0
"""


def test_a_game_in_pgn_claims_what_its_winner_plays() -> None:
    read = read_pgn_trees(open_rules("chess"), MATE)
    assert bounds_and_plies(read) == {
        "line 1": (1, None),
        "line 1: Kg6": (None, -1),
        "line 1: Kg6 Kg8 Ra8#": (None, -1),
    }
    assert read.remarks == ("1 variation is another move of the winner: nothing is claimed there",)
    assert {claim.line for claim in read.claims} == {1}


def test_the_replies_of_the_loser_are_followed() -> None:
    text = '[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]\n[Result "0-1"]\n\n1. Ra7 (1. Kf1 g6 (1... h6)) 1... h5 0-1\n'
    read = read_pgn_trees(open_rules("chess"), text)
    assert bounds_and_plies(read) == {
        "line 1": (None, -1),
        "line 1: Ra7 h5": (None, -1),
        "line 1: Kf1 g6": (None, -1),
    }


def test_draws_and_mates_without_a_result() -> None:
    chess = open_rules("chess")
    drawn = read_pgn_trees(chess, '[Result "1/2-1/2"]\n\n1. e4 e5\n')
    assert set(bounds_and_plies(drawn).values()) == {(0, 0)} and drawn.total == 3
    mated = read_pgn_trees(chess, '[Event "fool"]\n\n1. f3 e5 2. g4 Qh4# *\n')
    assert bounds_and_plies(mated)["line 1: f3 e5 g4 Qh4#"] == (None, -1) and mated.total == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 e5", "line 1: a game in PGN begins with a tag"),
        ('[Event "?"]\n\n1. e4 e5 *\n', "line 1: nobody has won"),
        (MATE + '\n[Event "second"]\n[Result "1-0"]\n\n1. e4 e4\n', "line 7: e4 e4: .*e4"),
        ('[Variant "Antichess"]\n[Result "1-0"]\n\n1. e3\n', "line 1: .*giveaway:antichess"),
        ('[Result "1-0"]\n\n1. e4 (1. d4\n', "line 1: .*no '\\)'"),
    ],
)
def test_mistakes_in_pgn_are_named(text: str, said: str) -> None:
    with pytest.raises(InvalidPositionError, match=said):
        read_pgn_trees(open_rules("chess"), text)


# --- SGF -------------------------------------------------------------------------------------------------------------
SGF = "(;GM[4]SZ[9]RE[B+]AB[ee][fe][ge]AW[aa][ia][ai]PL[B](;B[de](;W[ce];B[he])(;W[he];B[ce]))(;B[he]))"


def test_an_sgf_is_read_with_its_variations() -> None:
    game = open_rules("gomoku:9x9")
    read = read_sgf_trees(game, SGF)
    assert bounds_and_plies(read) == {
        "line 1": (1, None),
        "line 1: d5": (None, -1),
        "line 1: d5 c5 h5": (None, -1),
        "line 1: d5 h5 c5": (None, -1),
    }
    assert read.remarks == ("1 variation is another move of the winner: nothing is claimed there",)
    two = read_sgf_trees(game, SGF + "\n" + "(;SZ[9]RE[W+1];B[aa];W[ee])")
    assert bounds_and_plies(two)["line 2: a9 e5"] == (None, -1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;SZ[9];B[ee])", "line 1: nobody has won"),
        ("(;SZ[9]RE[B+];B[ee](;W[ee])(;W[aa]))", "SGF: line 1: move 2: "),
        (SGF + "\n(;SZ[9]RE[B+];W[ee])", "SGF: line 2: move 1 is one of White"),
        ("(;SZ[9];B[ee]", "SGF: the last '\\)' is missing"),
        ("((;SZ[9]RE[B+];B[ee])", "SGF: the last '\\)' is missing"),
        ("((;SZ[9]RE[B+];B[ee]) (;SZ[9]RE[B+];B[ei])", "SGF: the last '\\)' is missing"),
        ("", "SGF: it begins with"),
        ("(;SZ[9]RE[B+];B[ee]) x", "SGF: "),
    ],
)
def test_mistakes_in_sgf_are_named(text: str, said: str) -> None:
    with pytest.raises(InvalidPositionError, match=said):
        read_sgf_trees(open_rules("gomoku:9x9"), text)


# --- All formats -----------------------------------------------------------------------------------------------------
def test_files_are_read_by_the_names_of_formats(tmp_path: Path) -> None:
    file = tmp_path / "mates.pgn"
    file.write_text(MATE)
    assert read_foreign("pgn", file).game == "chess"
    assert read_foreign("pgn", file, sample=2).total == 2
    with pytest.raises(InvalidPositionError, match="'pdf' is no format: strategy-json, "):
        read_foreign("pdf", file)
    with pytest.raises(InvalidPositionError, match="pgn files are of chess and giveaway, and connect-f"):
        read_foreign("pgn", file, "connect4")
    file.write_bytes(b'[Event "x"]\n\xff')
    with pytest.raises(InvalidPositionError, match="line 1: \xff: chess: move"):  # Latin-1
        read_foreign("pgn", file)
    lines = tmp_path / "lines"
    lines.write_bytes(b"e2e3\n\xff")
    with pytest.raises(InvalidPositionError, match=r"lines, line 2: no text in UTF-8: byte 5 is 0xff"):
        read_foreign("lines", lines)


@pytest.mark.parametrize("name", FOREIGN_FORMATS)
def test_a_file_of_nothing_is_refused_by_every_format(name: str, tmp_path: Path) -> None:
    file = tmp_path / "nothing"
    file.write_bytes(b"")
    with pytest.raises(InvalidPositionError, match="nothing, "):
        read_foreign(name, file)
