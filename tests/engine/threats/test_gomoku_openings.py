"""Moves of go-moku that make no threat: proofs of openings, checked by a replay that shares nothing with the search."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from native_programs import build_program

Run = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.slow  # a compiler takes some ten seconds for each of the programs


@pytest.fixture(scope="session")
def run(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs one of the programs of this folder, which are built when they are first asked for."""
    folder = tmp_path_factory.mktemp("openings")
    sources = repository / "tests" / "engine" / "threats"

    def result(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        program = folder / name
        if not program.exists() and not build_program(sources / f"{name}.cpp", program, "-O1"):
            pytest.skip("no C++ compiler to build the programs with")
        return subprocess.run([program, *map(str, arguments)], check=False, capture_output=True, text=True)

    return result


def counts(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


@pytest.mark.parametrize("rule", ["free", "standard"])
@pytest.mark.parametrize("moves", [["h8", "o15", "i7", "i9"], ["h8", "k11", "i7", "l10"], ["h8", "i10", "i7", "j8"]])
def test_every_reply_is_answered_in_every_record(run: Run, tmp_path: Path, rule: str, moves: Sequence[str]) -> None:
    records = tmp_path / "records"
    done = run("openings_of_gomoku", rule, "--work", 5_000_000, "--records", records, *moves)
    assert "PROVED" in done.stdout, done.stdout
    checked = run("replay_of_threat_records", records, 50)
    assert checked.returncode == 0 and checked.stdout.endswith("bad: 0\n"), checked.stdout


@pytest.mark.parametrize(
    ("rule", "moves"), [("free", ["h8", "k11", "h7", "h9"]), ("standard", ["h8", "k11", "i7", "l10"])]
)
def test_what_is_too_large_for_one_search_is_proved_by_the_replies(
    run: Run, tmp_path: Path, rule: str, moves: Sequence[str]
) -> None:
    records = tmp_path / "records"
    whole = run("openings_of_gomoku", rule, *moves)
    done = run("openings_of_gomoku", rule, "--direct", 100_000, "--records", records, *moves)
    assert "PROVED" in whole.stdout and "PROVED" in done.stdout, done.stdout
    assert whole.stdout.splitlines()[-1] != done.stdout.splitlines()[-1]  # another proof
    checked = run("replay_of_threat_records", records, 50, 1, 200)
    assert checked.returncode == 0 and checked.stdout.endswith("bad: 0\n"), checked.stdout
    restored = run("openings_of_gomoku", rule, "--restore", records, *moves)
    assert ", 0 positions in 0 searches" in restored.stdout


def test_proofs_are_restored_from_their_records(run: Run, tmp_path: Path) -> None:
    records, again = tmp_path / "records", tmp_path / "again"
    moves = ["h8", "k11", "i7", "l10"]
    assert run("openings_of_gomoku", "--records", records, *moves).returncode == 0
    done = run("openings_of_gomoku", "--restore", records, "--records", again, *moves)
    assert ", 0 positions in 0 searches" in done.stdout
    assert sorted(again.read_text().splitlines()) == sorted(records.read_text().splitlines())


def test_a_reply_that_is_proved_twice_has_one_tree_in_a_record(run: Run, tmp_path: Path) -> None:
    """A position whose replies were proved one by one may have been answered by trees before."""
    records = tmp_path / "records"
    done = run("settled_with_trees", records, "h8", "k11", "h7", "h9")
    twice, with_two_trees = counts(done.stdout)
    assert twice > 100 and with_two_trees == 0, done.stdout
    checked = run("replay_of_threat_records", records, 0)
    assert checked.returncode == 0 and checked.stdout.endswith("bad: 0\n"), checked.stdout


def test_replies_that_threats_answer_later_have_trees(run: Run) -> None:
    """What the first, small search by threats does not answer a larger one may; its tree answers other replies, too."""
    done = run("children_by_threats", "h8", "i10", "g7", "j9")
    trees, children, answered_twice = counts(done.stdout)
    assert trees > 1000 and 100 * children < trees and answered_twice == 0, done.stdout


@pytest.mark.parametrize(
    ("rule", "moves"), [("free", ["h8", "k11", "h7", "h9"]), ("standard", ["h8", "i10", "g7", "j9"])]
)
def test_a_proof_that_was_found_is_made_smaller(run: Run, tmp_path: Path, rule: str, moves: Sequence[str]) -> None:
    """Larger searches by threats take the place of moves without a threat."""
    found, smaller = tmp_path / "found", tmp_path / "smaller"
    assert run("openings_of_gomoku", rule, "--reduction", 0, "--records", found, *moves).returncode == 0
    assert run("openings_of_gomoku", rule, "--records", smaller, *moves).returncode == 0
    sizes = [len(file.read_text().splitlines()) for file in (found, smaller)]
    assert 2 * sizes[1] < sizes[0], sizes
    checked = run("replay_of_threat_records", smaller, 50)
    assert checked.returncode == 0 and checked.stdout.endswith("bad: 0\n"), checked.stdout


def test_records_that_are_damaged_are_searched_anew(run: Run, tmp_path: Path) -> None:
    records = tmp_path / "records"
    moves = ["h8", "k11", "i7", "l10"]
    assert run("openings_of_gomoku", "--records", records, *moves).returncode == 0
    lines = records.read_text().splitlines()
    kept = [line for line in lines if " R 0" in line or " A " in line or line == lines[0]]
    records.write_text("\n".join(kept) + "\n")
    assert run("replay_of_threat_records", records, 0).returncode == 1
    done = run("openings_of_gomoku", "--restore", records, *moves)
    restored, given = counts(done.stdout)[:2]
    assert restored < given == len(kept) - 1
    assert done.returncode == 0 and ", 0 positions" not in done.stdout


def test_a_tree_that_proves_nothing_is_found_out(run: Run, tmp_path: Path) -> None:
    records = tmp_path / "records"
    # White has four in a row and wins; the record says that Black has.
    records.write_text("15 15 5 free\n112,113 0,1,2,3 D 219 N 0 P 1 0 R 0\n")
    assert run("replay_of_threat_records", records, 1000).returncode == 1
    done = run("openings_of_gomoku", "--restore", records, "--work", 10, "h8", "o15")
    assert done.stdout.startswith("0 of 1 records hold")


@pytest.mark.parametrize("game", ["6 6 5 free", "6 6 4 standard", "7 7 4 free", "7 7 5 standard", "5 5 4 free"])
def test_search_and_brute_force_agree_near_the_ends_of_games(run: Run, tmp_path: Path, game: str) -> None:
    records = tmp_path / "records"
    done = run("brute_force_of_gomoku", *game.split(), 40, 8, 1, records)
    assert done.returncode == 0, done.stdout
    checked = run("replay_of_threat_records", records, 1000)
    assert checked.returncode == 0, checked.stdout
