"""Games and positions as people write them, on the command line: files, EPD and its claims, PGN, SGF, boards."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.engine import open_game, read_position
from proofbase.engine.formats.position_lists import split_positions

__all__ = ["cli"]

MATE = "7k/8/5KQ1/8/8/8/8/8 w - -"
EPDS = f"""% a heading
# a remark
{MATE} bm Qg7#; dm 1; id "a # b";
{MATE} bm #4; # a remark
{MATE} am Ke5 Qf7;
{MATE} bm Ke5;
{MATE} dm 16; c0 "..."
7k/8/5KQ1/8/8/8/8/8 b - - bm #2;
7k/5KQ1/8/8/8/8/8/8 b - - bm #-1;
{MATE}
"""
PGN = """[Event "first"]
[White "A"]
[Black "B"]

1. e4 {a remark} (1. d4 d5 (1... Nf6 2. c4)) 1... e5 2. Nf3 *

[Event "second"]
[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]

1. Qg7# 1-0
"""


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_what_epds_claim_is_compared_with_the_answers(cli: Run, tmp_path: Path) -> None:
    file = _file(tmp_path, "mates.epd", EPDS)
    found = cli("lookup", "chess", "--file", file, "--search", "20k", "--store", "memory:")
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert [(row["line"], row["claim"], row["verdict"]) for row in rows] == [
        ("3", "dm 1; bm Qg7#", "agrees"),
        ("4", "bm #4", "shorter"),
        ("5", "am Ke5 Qf7", "agrees"),
        ("6", "bm Ke5", "differs"),
        ("7", "dm 16", "shorter"),
        ("8", "bm #2", "differs"),
        ("9", "bm #-1", "open"),
        ("10", "", ""),
    ]
    assert found.err == ("proofbase: 7 positions with claims: 2 agree, 2 have shorter mates, 1 is open, 2 differ\n")
    assert found.status == 1  # a claim differs
    solved = cli("solve", "chess", "--file", file, "--nodes", "20k", "--store", tmp_path / "s", "--json")
    lines = [json.loads(line) for line in solved.out.splitlines()]
    assert lines[0]["claims"] == [
        {"operation": "dm 1", "verdict": "agrees"},
        {"operation": "bm Qg7#", "verdict": "agrees"},
    ]
    assert lines[-1]["claims"] == []
    assert "2 agree, 2 have shorter mates, 1 is open, 2 differ" in solved.err


def test_what_an_obf_claims_is_compared_with_the_answers(cli: Run, tmp_path: Path) -> None:
    board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"
    rows = [
        ("H5:+6; G6:-2; F6:-4; H6:-10;", "+6; best h5", "agrees"),
        ("H5:+4; G6:-2;", "+4; best h5", "differs"),
        ("G6:+6; H5:+2;", "+6; best g6", "open"),
        ("% no claim", "", ""),
    ]
    file = _file(tmp_path, "endings.obf", "".join(f"{board}; {claims}\n" for claims, _, _ in rows))
    found = cli("solve", "othello", "--file", file, "--store", tmp_path / "s")
    read = [(row["claim"], row["verdict"]) for row in csv.DictReader(io.StringIO(found.out))]
    assert read == [(claim, verdict) for _, claim, verdict in rows]
    assert "3 positions with claims: 1 agrees, 1 is open, 1 differs" in found.err and found.status == 1
    looked_up = cli("lookup", "othello", f"{board}; H5:+6; G6:-2;", "--store", tmp_path / "s")
    assert "OBF    +6: agrees with what is known\nOBF    best h5: agrees" in looked_up.out and looked_up.err == ""


def test_problems_of_a_file_are_read(cli: Run, tmp_path: Path) -> None:
    olive = "---\nwhite: [Ke2, Qh1, Sd5, Pe6]\nblack: [Ke8, Rh8, Sh7]\n---\nwhite: [Kf6, Qg6]\nblack: [Kh8]\n"
    solved = cli("solve", "chess", "--file", _file(tmp_path, "two.olv", olive), "--shortest", "--store", tmp_path / "s")
    assert [row["plies"] for row in csv.DictReader(io.StringIO(solved.out))] == ["3", "1"]


def test_files_without_claims_have_no_columns_of_them(cli: Run, tmp_path: Path) -> None:
    found = cli("lookup", "chess", "--file", _file(tmp_path, "plain", f"{MATE}\n"), "--store", "memory:")
    assert found.out.splitlines()[0] == "line,position,game,known,lower,upper,best_move,plies,error"
    assert found.err == ""


def test_a_lookup_of_one_epd_says_whether_it_agrees(cli: Run) -> None:
    epd = f"{MATE} dm 1; bm Ke5; am Qf7;"
    found = cli("lookup", "chess", epd, "--search", "20k", "--store", "memory:").out
    assert "EPD    dm 1: agrees with what is known\n" in found
    assert "EPD    bm Ke5: differs from what is known\n" in found
    assert "EPD    am Qf7: agrees with what is known\n" in found


def test_a_file_of_games_has_a_row_for_each(cli: Run, tmp_path: Path) -> None:
    found = cli("lookup", "chess", "--file", _file(tmp_path, "games.pgn", PGN), "--store", "memory:", "--json")
    rows = [json.loads(line) for line in found.out.splitlines()]
    assert [row["line"] for row in rows] == [1, 7]
    assert [row["known"] for row in rows] == [False, True]
    sgf = "# two games\n(;GM[4]SZ[15];B[hh]\n;W[ig])\n(;GM[4];B[hh]C[a ) \\] ( b]\n;W[ig])\nh8i9  # a remark\n"
    found = cli("lookup", "gomoku", "--file", _file(tmp_path, "games.sgf", sgf), "--store", "memory:", "--json")
    rows = [json.loads(line) for line in found.out.splitlines()]
    assert [row["line"] for row in rows] == [2, 4, 6]
    assert len({row["key"] for row in rows}) == 1


def test_a_file_of_other_rules_is_named_with_its_line(cli: Run, tmp_path: Path) -> None:
    text = "h8i9\n(;GM[4]RU[standard]\n;B[hh])\n"
    found = cli("solve", "gomoku", "--file", _file(tmp_path, "games", text), "--nodes", "10", "--store", "memory:")
    assert found.status == 2
    assert "line 2: " in found.err and "read it as gomoku:standard" in found.err


def test_remarks_and_signs_of_mate_are_told_apart() -> None:
    lines = 'f3 e5 g4 Qh4# # a mate\n# all\n8/8/8/8 w - - id "a # b"; bm #3;\n%x\n5 # 1'
    assert [text for _, text in split_positions("chess", lines)] == [
        "f3 e5 g4 Qh4#",
        '8/8/8/8 w - - id "a # b"; bm #3;',
        "5",
    ]
    assert list(split_positions("tic-tac-toe", "5 1#x\n\n%")) == [(1, "5 1"), (3, "%")]


def test_a_game_in_a_file_is_a_position(cli: Run, tmp_path: Path) -> None:
    one = PGN.partition('[Event "second')[0]
    file = _file(tmp_path, "game.pgn", one)
    by_moves = cli("lookup", "chess", "e4 e5 Nf3", "--store", "memory:", "--json")
    for text in (file, one, "1. e4 e5 2. Nf3 *"):
        assert cli("lookup", "chess", text, "--store", "memory:", "--json").out == by_moves.out
    written = cli("line", "chess", file, "--pgn", "--store", "memory:").out
    again = cli("line", "chess", _file(tmp_path, "again.pgn", written), "--pgn", "--store", "memory:").out
    assert again == written and "1. e4 e5 2. Nf3" in written
    latin = tmp_path / "latin.pgn"
    latin.write_bytes(one.replace('"A"', '"M\u00fcller"').encode("latin-1"))
    assert cli("lookup", "chess", latin, "--store", "memory:", "--json").out == by_moves.out
    both = cli("lookup", "chess", _file(tmp_path, "both.pgn", PGN), "--store", "memory:")
    assert both.status == 2 and "both.pgn has 2 positions or games" in both.err and "--file" in both.err
    missing = cli("lookup", "chess", tmp_path / "none.pgn", "--store", "memory:")
    assert missing.status == 3 and "No such file" in missing.err


def test_all_games_and_variations_of_a_file_are_analysed(cli: Run, tmp_path: Path) -> None:
    file = _file(tmp_path, "games.pgn", PGN)
    found = cli("analyse", "chess", file, "--variations", "--store", "memory:", "--json").json
    assert [(line["title"], line["ply"], [move["move"] for move in line["moves"]]) for line in found["lines"]] == [
        ("game 1 (A - B), main line", 1, ["e4", "e5", "Nf3"]),
        ("game 1 (A - B), variation at ply 1", 1, ["d4", "d5"]),
        ("game 1 (A - B), variation at ply 2", 2, ["Nf6", "c4"]),
        ("game 2 (second), main line", 1, ["Qg7#"]),
    ]
    main = cli("analyse", "chess", file, "--store", "memory:")
    assert "game 1 (A - B)\n" in main.out and "variation at" not in main.out
    assert "  2  Black   Nf6" in cli("analyse", "chess", file, "--variations", "--store", "memory:").out
    plot = cli("analyse", "chess", file, "--store", "memory:", "--plot", tmp_path / "x.svg")
    assert plot.status == 2 and "--plot draws one game" in plot.err
    wrong = _file(tmp_path, "wrong.pgn", PGN.replace("1. Qg7#", "1. Qa5#"))
    refused = cli("analyse", "chess", wrong, "--store", "memory:")
    assert refused.status == 2 and "game 2, from line 7: move 1" in refused.err


def test_variations_of_other_games_are_analysed(cli: Run) -> None:
    found = cli(
        "analyse", "connect-four:4x4", "1. 4 (1. 3 3) 4 2. 2", "--variations", "--store", "memory:", "--json"
    ).json
    assert [[move["move"] for move in line["moves"]] for line in found["lines"]] == [["4", "4", "2"], ["3", "3"]]
    packed = cli("analyse", "connect-four:4x4", "442 (1)", "--variations", "--store", "memory:")
    assert packed.status == 2 and "each move is a word of its own" in packed.err


def test_a_game_in_sgf_is_analysed_with_its_line_breaks(cli: Run, tmp_path: Path) -> None:
    text = "(;GM[4]\nSZ[15]\n;B[hh]\r\n;W[ig]\nZZ[aa])"
    for given in (text, _file(tmp_path, "game.sgf", text)):
        found = cli("analyse", "gomoku", given, "--store", "memory:", "--json")
        assert [move["move"] for move in found.json["moves"]] == ["h8", "i9"]
        assert found.err == "proofbase: SGF: ZZ[aa] is passed over: moves are B and W, stones AB and AW\n"
    tree = cli("analyse", "gomoku", text, "--variations", "--store", "memory:")
    assert tree.out.startswith("main line\n")
    pgn = cli("analyse", "chess", PGN, "--from", "e4", "--store", "memory:")
    assert pgn.status == 2 and "leave out --from" in pgn.err
    start = cli("analyse", "gomoku", text, "--from", "h8", "--store", "memory:")
    assert start.status == 2 and "says itself where it begins" in start.err


def test_what_is_assumed_is_noted(cli: Run) -> None:
    found = cli("lookup", "chess", "7k/8/5KQ1/8/8/8/8/8", "--store", "memory:")
    assert found.err == "proofbase: only the board is given: White is taken to be to move, without rights to castle\n"
    assert "White to move" in found.out


@pytest.mark.parametrize("form", ["pgn", "sgf"])
def test_a_game_that_was_played_is_saved_and_read(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    game, moves = ("chess", ["e4", "e5", "o-o", "Nf3"]) if form == "pgn" else ("gomoku", ["H8", "i9"])
    file = tmp_path / f"game.{form}"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join([*moves, f"save {file}"]).encode())))
    played = cli("play", game, "--side", "both", "--search", "0", "--store", "memory:")
    assert played.status == 0 and f"moves in {file}" in played.out
    rules = open_game(game)
    expected = read_position(rules, " ".join(move for move in moves if move != "o-o"))
    assert read_position(rules, file.read_text()) == expected
    assert file.read_text().startswith("[Event" if form == "pgn" else "(;FF[4]")


def test_games_of_checkers_are_read_and_written_in_pdn(cli: Run, tmp_path: Path) -> None:
    ending = '[White "A"]\n[Black "B"]\n[GameType "21"]\n[FEN "B:WK18,27:B8."]\n\n1. 8-12 27-24 *\n'
    file, store = _file(tmp_path, "ending.pdn", ending), tmp_path / "store"
    assert cli("solve", "checkers", file, "--store", store).status == 0
    written = cli("line", "checkers", file, "--pdn", "--store", store).out
    assert '[FEN "B:WK18,27:B8"]' in written and '[GameType "21"]' in written and '[Result "1-0"]' in written
    moves = written.partition("\n\n")[2]
    assert moves.startswith("1. 8-12 27-24 {Black to move: loss") and moves.endswith("1-0\n")
    again = _file(tmp_path, "written.pdn", written)
    position = read_position(open_game("checkers"), again.read_text())
    assert open_game("checkers").terminal(position) == -1
    assert cli("line", "checkers", file, "--pgn", "--store", store).status == 2


OTHELLO = "---------------------------OX------XXX--------------------------"


def test_files_of_other_programs_are_taken_by_every_command(cli: Run, tmp_path: Path) -> None:
    ggf = _file(tmp_path, "a.ggf", "(;GM[Othello]PB[a]PW[b]TY[8]B[f5]W[d6];)\n")
    psq = _file(tmp_path, "a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,7,0\na\nb\n")
    obf = _file(tmp_path, "a.obf", f"{OTHELLO} O; F4:-2;\n{OTHELLO.replace('X', '*')}O\n")
    library = tmp_path / "a.lib"
    library.write_bytes(b"\xffRenLib\xff\3\4" + b"\xff" * 10 + bytes([0, 0, 0x78, 0, 0x69, 0xC0, 0x6A, 0x40]))
    for game, file, moves in (("othello", ggf, "f5d6"), ("gomoku", psq, "h8i9")):
        found = cli("lookup", game, file, "--store", "memory:", "--json")
        assert found.json["position"] == open_game(game).text(read_position(open_game(game), moves))
        rows = cli("lookup", game, "--file", file, "--store", "memory:", "--json")
        assert rows.json["key"] == found.json["key"]
        scored = cli("score", game, file, "--json")
        assert [(player["player"], player["moves"]) for player in scored.json["players"]] == [("a", 1), ("b", 1)]
        analysed = cli("analyse", game, file, "--store", "memory:", "--json")
        assert [move["move"] for move in analysed.json["moves"]] == [moves[:2], moves[2:]]
    rows = cli("solve", "othello", "--file", obf, "--nodes", "1", "--store", tmp_path / "s")
    assert [line.split(",")[0] for line in rows.out.splitlines()] == ["line", "1", "2"] and rows.status == 1
    tree = cli("lookup", "gomoku", library, "--store", "memory:", "--json")
    assert tree.json["position"] == open_game("gomoku").text(read_position(open_game("gomoku"), "h8"))
    assert tree.err == f"proofbase: {library}: the moves of the tree here are i9 j9\n"
    rows = cli("lookup", "gomoku", "--file", library, "--store", "memory:")
    assert [line.split(",")[1] for line in rows.out.splitlines()[1:]] == ["moves:h8", "moves:h8 i9", "moves:h8 j9"]


def test_a_file_of_an_unknown_ending_is_no_position(cli: Run, tmp_path: Path) -> None:
    file = _file(tmp_path, "a.xyz", "4")
    for command in ("lookup", "analyse"):
        found = cli(command, "connect-four", file, "--store", "memory:")
        assert found.status == 2 and found.err.startswith(f"proofbase: cannot read '{file}' as a position or a game: ")
        assert "GGF (.ggf)" in found.err
    missing = cli("lookup", "othello", "no.ggg", "--store", "memory:")
    assert missing.status == 2 and "there is no file 'no.ggg'; cannot read 'no.ggg'" in missing.err
    broken = cli("lookup", "othello", _file(tmp_path, "b.ggf", "(;GM[Othello]TY[8]B[f5]W[a1];)"), "--store", "memory:")
    assert broken.status == 2 and "move 2: othello: move 'a1'" in broken.err and "1 move was read" in broken.err
    cut = tmp_path / "a.lib"
    cut.write_bytes(b"PK")
    for arguments in ((cut,), ("--file", cut)):
        found = cli("lookup", "gomoku", *arguments, "--store", "memory:")
        assert found.status == 2 and found.err.startswith(f"proofbase: {cut}: RenLib: the file begins with neither")
    board = cli("lookup", "tic-tac-toe", "xo./.x./.xo", "--store", "memory:")  # ends like a file
    assert board.status == 1


PUZZLES = "PuzzleId,FEN,Moves,Rating,Themes\n" + "a,7k/8/5K2/8/8/8/8/6Q1 b - - 0 1,h8h7 g1g7,900,mateIn1\n"


def test_a_file_stands_for_its_one_position_and_for_no_other(cli: Run, tmp_path: Path) -> None:
    for name in ("a.pgn", "a.txt", "a.sgf", "a.epd"):
        blank = _file(tmp_path, name, "\n")
        for words in (("lookup", "gomoku"), ("analyse", "gomoku"), ("lookup", "gomoku", "--file")):
            empty = cli(*words, blank, "--store", "memory:")
            assert empty.status == 2 and empty.err == f"proofbase: {blank} has no position or game: it is empty\n"
    one = cli("lookup", "chess", _file(tmp_path, "one.csv", PUZZLES), "--store", "memory:", "--json")
    assert one.json["position"] == "8/7k/5K2/8/8/8/8/6Q1 w - - 0 1"
    for name, text in (("two.csv", PUZZLES + PUZZLES.splitlines()[1]), ("two.epd", f"{MATE} dm 1;\n{MATE} dm 2;\n")):
        several = cli("solve", "chess", _file(tmp_path, name, text), "--store", "memory:")
        assert several.status == 2 and f"{name} has 2 positions or games: give one of them" in several.err
    # The second board begins like the name of an operation of EPD.
    letters = _file(tmp_path, "letters.epd", f"{MATE} dm 1;\nkbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2;\n")
    for game, file in (("chess", letters), ("connect-four", _file(tmp_path, "moves.txt", "44\n45\n"))):
        lines = cli("lookup", game, file, "--store", "memory:")
        assert lines.status == 2 and "has 2 positions or games: give one of them" in lines.err
    drawn = _file(tmp_path, "c.txt", "....\n....\n..o.\n.xx.\n")
    board = cli("lookup", "connect-four:4x4", drawn, "--store", "memory:")
    assert board.status == 1 and "second player to move" in board.out
    broken = cli("lookup", "connect-four", _file(tmp_path, "b.txt", "....\n.x.\n"), "--store", "memory:")
    assert broken.status == 2 and "the board has 6 rows" in broken.err
    alias = cli("lookup", "antichess", "--file", _file(tmp_path, "g.pgn", PGN), "--store", "memory:")
    assert "moves:e4 e5 Nf3" in alias.out


def test_files_of_boards_as_posted_have_a_row_for_each(cli: Run, tmp_path: Path) -> None:
    boards = "x..\n.o.\n...\n\n5 1\n\nX|O|X\n-+-+-\n |X| \n-+-+-\nO| | \n"
    found = cli("lookup", "tic-tac-toe", "--file", _file(tmp_path, "b.txt", boards), "--store", "memory:")
    rows = [row.split(",")[:2] for row in found.out.splitlines()]
    assert rows == [["line", "position"], ["1", "x../.o./..."], ["5", "5 1"], ["7", "xox/.x./o.."]]


@pytest.mark.parametrize("text", [f"{OTHELLO}X", f"--OX{OTHELLO[4:]} X", "-" * 27 + OTHELLO[27:].lower() + "o"])
def test_a_position_may_begin_with_dashes(text: str, cli: Run) -> None:
    found = cli("lookup", "othello", text, "--store", "memory:", "--json")
    expected = read_position(open_game("othello"), text)
    assert found.json["position"] == open_game("othello").text(expected)
    typo = cli("lookup", "othello", "--tabels", "x")
    assert typo.status == 2 and "--tabels" in typo.err


def test_games_in_latin_1_are_imported(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "latin1.pgn"
    file.write_bytes(b'[White "M\xfcller, A"]\n1. f3 e5 2. g4 Qh4# {sch\xf6n} 0-1')
    found = cli("check-claims", file, "--from", "pgn", "--store", tmp_path / "s")
    assert "3 claims: 1 proved, 0 refuted" in found.out, found.err


def test_a_proof_is_written_as_sgf_with_variations(cli: Run, tmp_path: Path) -> None:
    store = tmp_path / "s"
    assert cli("solve", "gomoku:5x5-4", "moves:c3 a1 c4 a2", "--at-least", "1", "--store", store).status == 0
    text = cli("tree", "gomoku:5x5-4", "moves:c3 a1 c4 a2", "--sgf", "--store", store).out.strip()
    assert text.startswith("(;FF[4]GM[4]") and text.count("(") == text.count(")")
    file = _file(tmp_path, "proof.sgf", text)
    lines = cli("analyse", "gomoku:5x5-4", file, "--variations", "--store", store)
    assert lines.out.startswith("main line\n"), lines.err
