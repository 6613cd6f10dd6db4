"""`proofbase check-claims`: reports on solutions of others."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import chess
import pytest
from bitbully_databases import BitBullyDatabases
from cli_runs import Run, cli
from gaviota_files import write_gaviota

from proofbase.engine.formats.foreign.chess_tables import read_gaviota
from proofbase.engine.formats.foreign.formats import read_foreign
from proofbase.service.client import connect

__all__ = ["cli"]

MATES = """[Event "one that mates"]
[FEN "7k/8/5K2/8/8/8/8/R7 w - - 0 1"]
[Result "1-0"]

1. Kg6 Kg8 2. Ra8# 1-0

[Event "one that does not"]
[FEN "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"]
[Result "1-0"]

1... -- 1-0
"""
LAST = MATES.index('\n[Event "one that does not')
FALSE = '\n[Event "<b>no win</b>"]\n[FEN "8/8/8/8/8/2k5/8/K6B w - - 0 1"]\n[Result "1-0"]\n\n1. Bc6 Kb4 1-0\n'


def test_mates_in_pgn_are_proved_and_false_ones_refuted(cli: Run, tmp_path: Path) -> None:
    store, file = tmp_path / "store", tmp_path / "mates.pgn"
    file.write_text(MATES[:LAST])
    run = ("check-claims", file, "--from", "pgn", "--store", store)
    outcome = cli(*run)
    assert outcome.status == 0
    assert outcome.out == "chess: 3 claims: 3 proved, 0 refuted, 0 open\n1 claim settled by what was known before\n"
    sources = cli("stats", "--store", store).out
    assert ", import of mates.pgn" in sources
    file.write_text(MATES[:LAST] + FALSE)
    outcome = cli(*run, "--json")
    assert outcome.status == 1
    found = outcome.json
    assert (found["claimed"], found["proved"], found["refuted"], found["open"]) == (5, 3, 0, 2)
    assert [claim["line"] for claim in found["open_claims"]] == [7, 7]


def test_a_report_has_the_counterexamples(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "<lost>.sgf"
    file.write_text("(;SZ[7]RE[W+]AB[bd][cd][dd]AW[ba][ca][ea]PL[B];B[ed];W[da])")
    run = ("check-claims", file, "--from", "sgf", "--game", "gomoku:7x7", "--store", tmp_path / "store")
    page, text, data = (tmp_path / name for name in ("report.html", "report.md", "report.json"))
    outcome = cli(*run, "-o", page)
    assert outcome.status == 1
    assert outcome.out.startswith("gomoku:7x7: 2 claims: 0 proved, 2 refuted, 0 open\n")
    assert "claimed loss, proved win (" in outcome.out
    assert cli(*run, "-o", text).status == 1 and cli(*run, "-o", data).status == 1
    assert "<h1>&lt;lost&gt;.sgf, checked</h1>" in page.read_text() and "<lost>" not in page.read_text()
    assert page.read_text().count("<svg") == 2 and page.read_text().count("</svg>") == 2
    assert text.read_text().startswith("# \\<lost\\>.sgf, checked\n")
    found = json.loads(data.read_text())
    assert found["refuted"] == 2 and all(claim["best_play"] for claim in found["refuted_claims"])
    assert found["refuted_claims"][0]["claimed"] == {"lower": None, "upper": -1, "plies": None}


def test_a_book_of_bitbully_is_proved_by_parts(cli: Run, tmp_path: Path) -> None:
    file = Path(BitBullyDatabases.get_database_path("12-ply-dist"))
    progress = tmp_path / "progress"
    run = ("check-claims", file, "--from", "bitbully-book", "--sample", 4, "--seed", 5, "--store", tmp_path / "store")
    first = cli(*run, "--search", 5, "--progress", progress, "--json")
    assert first.status == 1 and first.json["open"] == 4 and first.json["searched_in_vain"] == 4
    lines = progress.read_text().splitlines()
    again = cli(*run, "--search", 5, "--progress", progress, "--json")
    assert again.json["open"] == 4 and progress.read_text().splitlines() == lines
    looked = cli(*run, "--search", 0)
    assert looked.status == 1 and "4 claims open and not searched" in looked.out
    found = cli(*run, "--search", "30M", "--progress", progress, "--json")
    assert found.status == 0 and found.json["proved"] == 4
    other = cli(*run[:-4], "--seed", 6, "--store", tmp_path / "store", "--progress", progress)
    assert other.status == 2 and "is about another file or sample" in other.err


def test_gaviota_tables_are_compared_with_ours(cli: Run, tmp_path: Path) -> None:
    store, others = tmp_path / "store", tmp_path / "others"
    others.mkdir()
    assert cli("tables", "build", "chess", "--men", 3, "--store", store).status == 0
    write_gaviota(others, "krk", {})
    fens = [claim.position for claim in read_gaviota(others, "chess", 40, seed=2).claims]
    plies = dict[str, int]()
    with connect(str(store), read_only=True) as client:
        for fen in fens:
            answer = client.lookup("chess", fen, distances=True)
            assert answer.known
            plies[fen] = answer.value.lower * (answer.rank or 0)
    true = dict(plies)
    won = [fen for fen in fens if plies[fen] > 0 and not chess.Board(fen).is_checkmate()][:2]
    assert len(won) == 2
    plies[won[0]] = 0
    plies[won[1]] += 2
    write_gaviota(others, "krk", true)
    run = ("check-claims", others, "--from", "gaviota", "--sample", 40, "--seed", 2, "--store", store, "--search", 0)
    outcome = cli(*run)
    assert outcome.status == 0 and outcome.out.startswith("chess: 40 claims: 40 proved, 0 refuted, 0 open\n")
    write_gaviota(others, "krk", plies)
    found = cli(*run, "--json")
    assert found.status == 1
    assert [claim["position"] for claim in found.json["refuted_claims"]] == [won[0]]
    assert [claim["position"] for claim in found.json["refuted_plies"]] == [won[1]]


def test_an_end_of_a_strategy_is_proved(tmp_path: Path, shared_data: Path) -> None:
    lines = (shared_data / "gomoku_standard_strategy.txt").read_text().splitlines()
    moves, _, number = next(line for line in lines if line.startswith("h8 i10 i7 g5 h7 d6 i8 ;")).partition(" ; ")
    tree: object = int(number)
    for move in reversed(moves.split()):
        tree = {move: tree}
    file = tmp_path / "strategy.json"
    file.write_text(json.dumps(tree))
    read = read_foreign("strategy-json", file)
    assert read.game == "gomoku:standard" and read.total == 5
    end = [claim for claim in read.claims if claim.plies is not None]
    assert [claim.place for claim in end] == [moves]
    with connect("memory:") as client:
        report = client.check_claims(read.game, end, nodes=300_000)
    assert report.verdicts == {"proved": 1} and report.verdicts_of_plies == {"open": 1}


def test_mistakes_are_told_in_one_line(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("e2e3 b7b5\ne2e3 e2e4\n")
    for arguments, said in (
        (("--from", "lines"), "lines.txt, line 2, move 2: "),
        (("--from", "pgm"), "--from pgm: the formats are strategy-json, pons-book, "),
        (("--from", "lines", "--game", "awari"), "lines files are of chess and giveaway, and awari is another game"),
        (("--from", "lines", "-o", "x.pdf"), "--output writes .html, .md, .json, and x.pdf is none of them"),
        (("--search", "10"), "Missing option '--from'"),
    ):
        outcome = cli("check-claims", file, *arguments, "--store", tmp_path / "store")
        assert outcome.status == 2 and said in outcome.err and outcome.err.count("\n") == 1, outcome.err
    file.write_text("e2e3 b7b5\n")
    none = cli("check-claims", file, "--from", "lines", "--seconds", "0", "--store", tmp_path / "store")
    assert none.status == 2 and none.err == "proofbase: 0.0 seconds: more than 0 are needed\n"
    monkeypatch.setitem(sys.modules, "chess.gaviota", None)
    lacking = cli("check-claims", tmp_path, "--from", "gaviota", "--store", tmp_path / "store")
    assert lacking.status == 2
    assert lacking.err == "proofbase: --from gaviota needs python-chess: pip install 'proofbase[chess]'\n"
    gone = cli("check-claims", tmp_path / "gone", "--from", "lines", "--store", tmp_path / "store")
    assert gone.status == 3 and "gone" in gone.err


def test_options_and_arguments_of_other_commands_name_these(cli: Run, tmp_path: Path) -> None:
    games = tmp_path / "mates.pgn"
    games.write_text(MATES)
    for arguments, other in (
        (("import", games, "--from", "pgn"), "check-claims"),
        (("check", tmp_path, "--sample", "5"), "check-package"),
        (("check-package", "package", "--processes", "2"), "check"),
        (("check", tmp_path), "check-package"),
        (("check", "https://127.0.0.1/package"), "check-package"),
        (("check-package", games), "check"),
        (("import", games), "check-claims"),
        (("import", tmp_path), "pull"),
        (("import", "https://127.0.0.1/package"), "pull"),
        (("pull", games), "import"),
    ):
        moved = cli(*arguments)
        assert moved.status == 2 and f"`proofbase {other}`" in moved.err and moved.err.count("\n") == 1, moved.err
    wrong = cli("stats", "--nonsense")
    assert (wrong.status, wrong.err) == (2, "proofbase: No such option: --nonsense\n")
