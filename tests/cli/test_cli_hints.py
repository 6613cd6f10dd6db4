"""Commands that messages propose: they work when they are copied."""

from __future__ import annotations

import re
import shlex
import time
from types import SimpleNamespace
from typing import Any

import pytest
from cli_runs import Run, cli

from proofbase.service.cli.output.hints import hint
from proofbase.service.jobs.solve.solution_writer import SolutionWriter

__all__ = ["cli"]


def _client(target: str, *, is_remote: bool = False) -> Any:
    return SimpleNamespace(target=target, is_remote=is_remote, is_temporary=False)


@pytest.mark.parametrize(
    ("client", "end"),
    [
        (_client("here"), " --store here"),
        (_client("with space"), " --store 'with space'"),
        (_client("proofbase-store"), ""),
        (_client("127.0.0.1:50051", is_remote=True), " --server 127.0.0.1:50051"),
        (_client("postgresql://me:secret@host:5432/db?x=1"), " --store 'postgresql://me@host:5432/db?x=1'"),
        (_client("postgresql://:secret@host/db"), " --store postgresql://host/db"),
    ],
)
def test_hints_name_the_store_or_the_server_and_no_password(client: Any, end: str) -> None:
    assert hint(client, "jobs", "resume", "abc") == f"`proofbase jobs resume abc{end}`"


def test_the_hint_of_a_list_that_was_cut_shows_the_rest(cli: Run, tmp_path: Any) -> None:
    url = tmp_path / "a store"
    for moves in ("-", "moves:5", "moves:51"):
        assert cli("solve", "tic-tac-toe", moves, "--store", url).status == 0
    ids = [job["id"][-8:] for job in cli("jobs", "list", "--store", url, "--json").json["jobs"]]
    seen = list[str]()
    listed = cli("jobs", "list", "--state", "done", "--limit", 2, "--store", url)
    while True:
        seen += [line.split()[0] for line in listed.out.splitlines()[1:]]
        proposed = re.search(r"`proofbase (.*)`", listed.err)
        if proposed is None:
            break
        listed = cli(*shlex.split(proposed[1]))
    assert seen == ids
    assert len(ids) == 3


def test_a_solve_ends_with_how_to_get_the_values_of_all_moves(cli: Run, tmp_path: Any) -> None:
    url = tmp_path / "a store"
    last = cli("solve", "tic-tac-toe", "moves:5", "--store", url).out.splitlines()[-1]
    said = re.fullmatch(r"moves {8}(\d) of 8 have a known value; `proofbase (.*)` finds the others", last)
    assert said, last
    known, command = said.groups()
    found = cli("lookup", "tic-tac-toe", "moves:5", "--store", url, "--json").json["moves"]
    assert [move["known"] for move in found].count(True) == int(known) < 8
    assert all(move["known"] or move["rank"] is None for move in found)
    every = cli(*shlex.split(command), "--json").json
    assert all(move["known"] for move in every["moves"])
    assert not cli("solve", "tic-tac-toe", "moves:5", "--store", url).out.splitlines()[-1].startswith("moves")


def test_nothing_known_has_no_rank(cli: Run, tmp_path: Any) -> None:
    url = tmp_path / "store"
    assert cli("solve", "tic-tac-toe", "moves:5", "--store", url).status == 0
    answer = cli("lookup", "tic-tac-toe", "moves:1", "--store", url, "--json").json
    assert (answer["known"], answer["rank"]) == (False, None)
    said_of_it = cli("lookup", "tic-tac-toe", "moves:1", "--store", url).out
    assert "unknown (the store has no record of this position)" in said_of_it
    for command in ("lookup", "moves"):
        hinted = re.search(r"`proofbase (.*)` searches for the value", cli(command, "tic-tac-toe", "--store", url).out)
        assert hinted, command
        assert "searches for" not in cli(command, "tic-tac-toe", "moves:1", "--search", 9999, "--store", url).out
    assert cli(*shlex.split(hinted[1])).status == 0
    assert "searches for" not in cli("lookup", "tic-tac-toe", "--store", url).out


def test_an_answer_that_there_was_no_time_to_store_is_stored_by_the_command_of_the_hint(
    cli: Run, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, solution = tmp_path / "store", SolutionWriter._solution

    def slow(self: SolutionWriter, search: Any) -> Any:
        time.sleep(2.1)
        return solution(self, search)

    monkeypatch.setattr(SolutionWriter, "_solution", slow)
    ended = cli("solve", "tic-tac-toe", "--seconds", 2, "--store", url)
    assert ended.status == 1 and "unknown (stopped by: seconds)" in ended.out
    said = re.search(r"the answer is found, and .* was stored: `proofbase (.*)` stores it", ended.err)
    assert said, ended.err
    assert cli("stats", "--store", url, "--json").json["games"] == []
    monkeypatch.undo()
    assert cli(*shlex.split(said[1])).status == 0
    assert cli("lookup", "tic-tac-toe", "--store", url, "--json").json["value"] == {"lower": 0, "upper": 0}


def test_proposed_commands_read_the_same_tables_and_have_an_end(cli: Run, tmp_path: Any) -> None:
    url, tables, position = tmp_path / "store", tmp_path / "tables", "B:W22,K5:BK15,K6."
    tables.mkdir()
    assert cli("solve", "checkers", "B:W22:BK15.", "--store", url, "--nodes", 1).status in (0, 1)
    for command in ("lookup", "moves", "line", "tree"):
        printed = cli(command, "checkers", position, "--store", url, "--tables", tables)
        said = re.search(r"`proofbase (.*)` searches for the value", printed.out)
        assert said, printed
        words = shlex.split(said[1])
        assert words[words.index("--tables") + 1] == str(tables)
        assert words[words.index("--seconds") + 1] == "60"
    solved = cli(*words)
    assert solved.status == 0 and "win" in solved.out
    every = re.search(r"known value; `proofbase (.*)` finds the others", solved.out)
    assert every and "--seconds" in every[1] and f"--tables {tables}" in every[1]
    stopped = cli("solve", "checkers", "W:WK29,23,19:BK30,5,1.", "--nodes", 20, "--store", url, "--tables", tables)
    resume = re.search(r"the work is kept: `proofbase (.*)` goes on with it", stopped.err)
    assert resume and f"--tables {tables}" in resume[1]
    assert cli(*shlex.split(resume[1])).status in (0, 1)
    assert "--tables" not in cli("lookup", "checkers", "W:WK29,23,19:BK30,5,1.", "--store", url).out


def test_tables_are_proposed_where_they_would_answer(cli: Run, tmp_path: Any) -> None:
    command = ("solve", "checkers", "W:WK29:BK30,K2.", "--nodes", 2, "--store", tmp_path / "store")
    proposed = re.search(
        r"tables to 3 men have its value: `proofbase (.*)` builds them \(.* entries\)", cli(*command).err
    )
    assert proposed is not None
    assert cli(*shlex.split(proposed[1])).status == 0
    solved = cli(*command)
    assert solved.status == 0 and "builds them" not in solved.err
    whole = cli("solve", "mens-morris:3", "--nodes", 1, "--store", tmp_path / "morris")
    proposed = re.search("tables to 6 men have its value: `proofbase (.*)` builds them", whole.err)
    assert proposed is not None and cli(*shlex.split(proposed[1])).status == 0
    assert "value        win" in cli("solve", "mens-morris:3", "--nodes", 1, "--store", tmp_path / "morris").out
    between = cli("solve", "checkers", "B:W26,17,13,11:B27,10,6,2.", "--nodes", 2, "--store", tmp_path / "store")
    assert "tables to 5 men settle its endings" in between.err
    shortest = cli(
        "solve", "checkers", "W:WK22,19,18:B21,11,10.", "--shortest", "--nodes", 9, "--store", tmp_path / "store"
    )
    assert "tables to 5 men settle its endings" in shortest.err


@pytest.mark.parametrize("game", ["chess", "awari", "mens-morris:9", "connect-four", "checkers"])
def test_no_tables_are_proposed_far_from_them(cli: Run, tmp_path: Any, game: str) -> None:
    asked = cli("solve", game, "--nodes", 1, "--store", tmp_path / "store")
    assert "work is kept" in asked.err and "builds them" not in asked.err


def test_no_tables_are_proposed_for_a_store_that_has_none(cli: Run) -> None:
    asked = cli("solve", "checkers", "W:WK29:BK30,K2.", "--nodes", 2, "--store", "memory:")
    assert "unknown" in asked.out and "builds them" not in asked.err
