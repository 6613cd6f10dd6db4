"""What `tables check` prints and writes."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import jsonschema
import pytest
from cli_runs import Run, cli

__all__ = ["cli"]

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/table-verdict.schema.json").read_text())
DRAWS = "def values(positions):\n    return [0] * len(positions)\n"


def test_a_verdict_follows_its_schema_and_fits_a_page(cli: Run, tmp_path: Path) -> None:
    (reader := tmp_path / "draws.py").write_text(DRAWS)
    (tables := tmp_path / "tables").mkdir()
    (tables / "draws.bin").write_bytes(b"0")
    command = ("tables", "check", "checkers", "--table", "checkers-k-k", "--reader", reader, tables)
    for more, seed in (((), None), (("--sample", 300, "--seed", 4), 4)):
        outcome = cli(*command, *more, "-o", tmp_path / "verdict.json", "--json")
        verdict = outcome.json
        jsonschema.validate(verdict, SCHEMA)
        assert json.loads((tmp_path / "verdict.json").read_text()) == verdict
        assert outcome.status == 1 and not verdict["valid"] and len(verdict["counterexamples"]) == 10
        assert verdict["positions"] == (992 if seed is None else 300) and verdict["seed"] == seed
        assert verdict["files"] == [{"name": "draws.bin", "bytes": 1, "sha256": hashlib.sha256(b"0").hexdigest()}]
        assert cli(*command, *more, "--json").json == verdict
    first = verdict["counterexamples"][0]
    assert any(move["value"] == -1 for move in first["moves"]), "a move that wins, and a draw"
    outcome = cli(*command, "-o", tmp_path / "verdict.md")
    page = (tmp_path / "verdict.md").read_text()
    assert page.count("\n") < 60 and outcome.out == page
    assert f"| draws.bin | 1 | `{hashlib.sha256(b'0').hexdigest()}` |" in page and "a draw (value)" in page


def test_progress_goes_on_with_the_same_check_only(cli: Run, tmp_path: Path) -> None:
    (reader := tmp_path / "reader.py").write_text(DRAWS)
    command = ("tables", "check", "chess", "--reader", reader, "--progress", tmp_path / "kept")
    once = cli(*command, "--table", "chess-k-k", reader)
    assert once.status == 0 and "# Tables of chess: valid" in once.out
    assert cli(*command, "--table", "chess-k-k", reader).out == once.out
    reader.write_text(DRAWS + "\n")
    other = cli(*command, "--table", "chess-k-k", reader)
    assert other.status == 2 and "has the progress of another check" in other.err
    assert "is not empty" in cli(*command[:-1], tmp_path, "--table", "chess-k-k", reader).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "--men N is missing"),
        (("chess", "--table", "chess-x"), "chess has no table chess-x"),
        (("tic-tac-toe",), "tic-tac-toe has no"),
        (("othello:4x4",), "othello:4x4 has no classes of positions that all have numbers"),
        (("awari", "--stones", 2, "-o", "verdict.txt"), "--output writes .json and .md"),
    ],
)
def test_what_cannot_be_checked_is_said(cli: Run, tmp_path: Path, arguments: tuple[object, ...], message: str) -> None:
    (reader := tmp_path / "reader.py").write_text(DRAWS)
    outcome = cli("tables", "check", *arguments, "--reader", reader, tmp_path)
    assert outcome.status == 2 and message in outcome.err and outcome.err.count("\n") == 1


def test_a_reader_that_fails_ends_in_one_message(cli: Run, tmp_path: Path) -> None:
    (reader := tmp_path / "reader.py").write_text("def values(positions):\n    return missing\n")
    outcome = cli("tables", "check", "chess", "--table", "chess-k-k", "--reader", reader, tmp_path)
    assert outcome.status > 1 and not outcome.out
    assert "values() raised NameError: name 'missing' is not defined (reader.py, line 2, in values)" in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_the_library_of_a_reader_is_in_the_verdict_and_another_one_is_another_check(cli: Run, tmp_path: Path) -> None:
    (reader := tmp_path / "reader.py").write_text("library = 'probe.so'\n")
    (tables := tmp_path / "tables").mkdir()
    command = ("tables", "check", "chess", "--table", "chess-k-k", "--reader", reader, tables, "--progress")
    for answer in (0, 1):
        library = tmp_path / "probe.so"
        library.unlink(missing_ok=True)
        compiler = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
        source = f"int probe(const char *position) {{ return {answer}; }}"
        subprocess.run(compiler, input=source, text=True, check=True)
        verdict = cli(*command, tmp_path / f"kept-{answer}", "--json").json
        jsonschema.validate(verdict, SCHEMA)
        content = library.read_bytes()
        said = {"name": "probe.so", "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        assert verdict["library"] == said and verdict["valid"] == (answer == 0)
    page = cli(*command, tmp_path / "kept-1").out
    assert f"| probe.so | {len(content):,} | `{said['sha256']}` |" in page
    other = cli(*command, tmp_path / "kept-0")
    assert other.status == 2 and "has the progress of another check" in other.err


def test_a_verdict_names_the_tables_that_it_takes_on_trust(cli: Run, tmp_path: Path) -> None:
    (reader := tmp_path / "draws.py").write_text(DRAWS)
    command = ("tables", "check", "chess", "--reader", reader, reader)
    for more, trusted, heading, line in (
        (("--table", "chess-k-k"), [], "valid", ""),
        (
            ("--table", "chess-kn-k"),
            ["chess-k-k"],
            "valid if 1 table taken on trust is true",
            "Taken on trust, not checked: chess-k-k.",
        ),
        (("--table", "chess-k-k", "--table", "chess-kn-k"), [], "valid", ""),
        (
            ("--table", "chess-kn-k", "--sample", 40),
            ["chess-k-k", "chess-kn-k"],
            "valid if 2 tables taken on trust are true",
            "Taken on trust, not checked but for these positions: chess-k-k, chess-kn-k.",
        ),
    ):
        verdict = cli(*command, *more, "--json").json
        jsonschema.validate(verdict, SCHEMA)
        assert verdict["relies_on"] == trusted and verdict["valid"]
        lines = cli(*command, *more).out.splitlines()
        assert lines[0] == f"# Tables of chess: {heading}"
        assert [text for text in lines if "on trust" in text][1:] == [line] * bool(line)


def test_a_sample_of_nothing_is_not_valid(cli: Run, tmp_path: Path) -> None:
    (reader := tmp_path / "draws.py").write_text(DRAWS)
    outcome = cli("tables", "check", "awari", "--stones", 0, "--sample", 5, "--reader", reader, tmp_path)
    assert outcome.status == 2 and not outcome.out and len(outcome.err.splitlines()) == 1
    assert "nothing to check: these tables have no position in which the game goes on" in outcome.err
