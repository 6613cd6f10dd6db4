"""Every command of the command line: what it prints for people and for programs, and its exit status."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli, store

from proofbase.engine._core import Tables, open_game
from proofbase.service.jobs.table import TableFinding, TableOutcome
from proofbase.service.jobs.verified_tables import VerifiedTables

__all__ = ["cli", "store"]


def test_version_and_help(cli: Run) -> None:
    assert cli("--version").out.startswith("proofbase ")
    shown = cli("--help")
    assert shown.status == 0
    commands = (
        "games rules solve lookup moves line tree verify export import check stats migrate serve tables jobs reproduce"
    )
    for command in commands.split():
        assert f"\n  {command} " in shown.out
    for command in commands.split():
        assert cli(command, "--help").status == 0


def test_games(cli: Run, store: str) -> None:
    found = cli("games", "--store", store, "--json").json["games"]
    records = {game["name"]: game["records"] for game in found}
    assert records["tic-tac-toe"] > 0
    assert records[GAME] > 0
    assert {"description", "key_size", "highest_value", "rules_version", "initial"} <= set(found[0])
    assert "tic-tac-toe" in cli("games", "--store", store).out


def test_games_without_a_store(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert {"tic-tac-toe", "connect-four"} <= {game["name"] for game in cli("games", "--json").json["games"]}
    assert not list(tmp_path.iterdir())


def test_thresholds_and_the_questions_that_were_asked(cli: Run) -> None:
    game = "random-graph:nodes=200,ends=20,values=3,rewards=2,seed=3"
    solved = cli("solve", game, "--store", "memory:", "--thresholds", "down", "--json").json
    assert solved["thresholds"] == "down"
    assert solved["value"] == {"lower": 1, "upper": 1}
    assert [entry["at_least"] for entry in solved["questions"]] == list(range(21, 0, -1))
    assert [entry["status"] for entry in solved["questions"]] == ["disproved"] * 20 + ["proved"]
    assert "acyclic" in solved["algorithm_reason"]
    shown = cli("solve", game, "--store", "memory:").out
    assert re.search(r"^at least\?    \+0 yes, .*\+1 yes.*$", shown, re.MULTILINE)
    assert re.search(r"^chosen       acyclic", shown, re.MULTILINE)
    named = cli("solve", game, "--store", "memory:", "--algorithm", "pn-dag").out
    assert "chosen" not in named
    assert cli("solve", game, "--at-least", 1, "--thresholds", "up", "--store", "memory:").status == 2
    assert cli("solve", game, "--thresholds", "sideways", "--store", "memory:").status == 2


def test_rules(cli: Run) -> None:
    facts = cli("rules", "connect-four:7x6", "--json").json
    assert facts["game"] == "connect-four"
    assert facts["moves"] == list("1234567")
    assert facts["key_size"] == 7
    shown = cli("rules", GAME)
    assert shown.status == 0
    assert facts["rules"].splitlines()[0] in shown.out


def test_solve_fields(cli: Run) -> None:
    outcome = cli("solve", "tic-tac-toe", "moves:51", "--store", "memory:", "--json")
    fields = (
        "game position question status unknown_reason resumable value found_value best_move rank nodes peak_nodes "
        "seconds storing_seconds nodes_per_second records algorithm algorithm_reason tables thresholds questions job"
    )
    found = outcome.json
    assert list(found) == fields.split()
    assert outcome.status == 0
    assert (found["game"], found["position"]) == ("tic-tac-toe", "o../.x./...")
    assert found["question"] == {"exact": True}
    assert found["status"] == "exact"
    assert found["value"] == {"lower": 0, "upper": 0}
    assert found["records"] > 0
    assert 0 < found["peak_nodes"] <= found["nodes"]


def test_solve_questions_and_their_status(cli: Run) -> None:
    proved = cli("solve", "tic-tac-toe", "--at-least", 0, "--store", "memory:", "--json")
    assert (proved.status, proved.json["status"]) == (0, "proved")
    assert proved.json["question"] == {"at_least": 0}
    disproved = cli("solve", "tic-tac-toe", "--at-least", 1, "--store", "memory:", "--json")
    assert (disproved.status, disproved.json["status"]) == (1, "disproved")
    unknown = cli("solve", "connect-four", "--nodes", 1000, "--store", "memory:", "--json")
    assert (unknown.status, unknown.json["status"], unknown.json["unknown_reason"]) == (1, "unknown", "nodes")


def test_solve_algorithm_and_budgets(cli: Run) -> None:
    outcome = cli(
        "solve", GAME, "--algorithm", "pn-dag", "--seconds", 60, "--memory", "1G", "--store", "memory:", "--json"
    )
    assert outcome.status == 0
    assert outcome.json["algorithm"].startswith("pn-dag")


def test_more_memory_than_a_server_gives_is_for_the_user_to_allow(cli: Run, tmp_path: Path) -> None:
    done = cli("solve", "tic-tac-toe", "--memory", "5G", "--json", "--store", tmp_path / "store")
    assert done.status == 0 and done.json["status"] == "exact"


def test_solve_with_threads(cli: Run, tmp_path: Path) -> None:
    done = cli("solve", "connect-four:5x5", "--threads", 2, "--json", "--store", tmp_path / "store")
    assert done.status == 0 and "threads-2" in done.json["algorithm"]
    refused = cli("solve", "connect-four:5x5", "--threads", 2, "--workers", 2)
    assert refused.status == 2 and "--threads and --workers exclude each other" in refused.err


def test_solve_for_people(cli: Run) -> None:
    outcome = cli("solve", "tic-tac-toe", "moves:12", "--store", "memory:")
    assert outcome.status == 0
    assert "win" in outcome.out
    assert "x o ." in outcome.out
    assert "first player to move" in outcome.out
    assert outcome.err == ""


def test_lookup_known(cli: Run, store: str) -> None:
    outcome = cli("lookup", "tic-tac-toe", "--store", store, "--json")
    found = outcome.json
    assert outcome.status == 0
    assert found["known"] is True
    assert found["value"] == {"lower": 0, "upper": 0}
    assert found["best_move"] in list("123456789")
    known = [move["known"] for move in found["moves"]]
    assert known == sorted(known, reverse=True), "unknown moves are last"
    values = [move["value"]["lower"] for move in found["moves"] if move["known"]]
    assert values == sorted(values, reverse=True), "best first"
    assert {"move", "value", "rank"} <= set(found["moves"][0])
    shown = cli("lookup", "tic-tac-toe", "--store", store)
    assert ". . ." in shown.out
    assert "draw" in shown.out


def test_lookup_unknown_is_an_answer(cli: Run, store: str) -> None:
    outcome = cli("lookup", "connect-four", "moves:44", "--store", store, "--json")
    assert outcome.status == 1
    assert outcome.json["known"] is False
    assert outcome.json["stored"] is False
    assert "unknown" in cli("lookup", "connect-four", "--store", store).out


def test_lookup_with_a_search(cli: Run, store: str) -> None:
    asked = ("tic-tac-toe", "moves:21", "--store", store)
    plain = cli("lookup", *asked, "--json").json
    assert plain["searched"] is None and not plain["stored"]
    found = cli("lookup", *asked, "--search", 10_000, "--json")
    assert found.status == 0
    assert found.json["known"] is True and found.json["stored"] is False
    assert set(found.json["searched"]) == {"nodes", "algorithm", "unknown_reason"}
    shown = cli("lookup", *asked, "--search", 10_000).out
    assert "nothing stored" in shown and "best move" in shown and "no record" not in shown
    assert "nothing stored" in cli("moves", *asked, "--search", 10_000).out
    small = cli("moves", "connect-four", "--store", store, "--search", 100)
    assert small.status == 1 and "nodes are used up" in small.out
    assert cli("lookup", *asked, "--search", 2_000_000).status == 2
    assert cli("lookup", *asked, "--search", 0).status == 2


def test_lookup_end_of_game(cli: Run, store: str) -> None:
    outcome = cli("lookup", "tic-tac-toe", "moves:14253", "--store", store, "--json")
    assert outcome.status == 0
    assert outcome.json["terminal"] is True
    assert outcome.json["value"] == {"lower": -1, "upper": -1}
    assert "no moves" in cli("moves", "tic-tac-toe", "moves:14253", "--store", store).out


def test_moves(cli: Run, store: str) -> None:
    outcome = cli("moves", GAME, "--store", store, "--json")
    assert outcome.status == 0
    assert list(outcome.json) == ["game", "position", "known", "value", "moves", "searched", "package"]
    assert {move["move"] for move in outcome.json["moves"]} == set("1234")
    assert "value" in cli("moves", GAME, "--store", store).out


def test_line(cli: Run, store: str) -> None:
    outcome = cli("line", "tic-tac-toe", "--store", store, "--json")
    assert outcome.status == 0
    assert outcome.json["value"] == {"lower": 0, "upper": 0}
    assert outcome.json["steps"]
    short = cli("line", "tic-tac-toe", "--plies", 2, "--store", store, "--json").json
    assert len(short["steps"]) == 2
    assert short["stop"] == "plies"
    assert "line" in cli("line", "tic-tac-toe", "--store", store).out
    assert cli("line", "connect-four", "--store", store).status == 1


def test_tree(cli: Run, store: str) -> None:
    outcome = cli("tree", "tic-tac-toe", "--nodes", 20, "--store", store, "--json")
    assert outcome.status == 0
    assert len(outcome.json["nodes"]) == 20
    assert outcome.json["cut"]["message"]
    shown = cli("tree", "tic-tac-toe", "--depth", 2, "--side", "lower", "--store", store)
    assert shown.status == 0
    assert "lower 0" in shown.out
    assert cli("tree", "connect-four", "--store", store, "--json").status == 1


def test_verify_whole_store_game_position_and_sample(cli: Run, store: str) -> None:
    whole = cli("verify", "--store", store, "--json")
    assert whole.status == 0
    assert {"checked", "failed", "seconds", "findings"} <= set(whole.json)
    assert whole.json["failed"] == 0
    game = cli("verify", GAME, "--store", store, "--json").json
    below = cli("verify", GAME, "moves:1", "--store", store, "--json").json
    assert 0 < game["checked"] < whole.json["checked"]
    assert below["checked"] <= game["checked"]
    sample = cli("verify", GAME, "--rules", "python", "--sample", 10, "--seed", 3, "--store", store, "--json")
    assert (sample.status, sample.json["checked"], sample.json["failed"]) == (0, 10, 0)
    assert "all pass" in cli("verify", "tic-tac-toe", "--store", store).out


def test_stats(cli: Run, store: str) -> None:
    found = cli("stats", "tic-tac-toe", "--census", "--store", store, "--json").json
    assert found["games"][0]["records"] == found["census"]["records"] > 0
    shown = cli("stats", "tic-tac-toe", "--census", "--store", store)
    assert shown.status == 0
    assert "evidence" in shown.out
    assert {entry["game"] for entry in cli("stats", "--store", store, "--json").json["games"]} == {"tic-tac-toe", GAME}


def test_tables(cli: Run, store: str) -> None:
    assert cli("tables", "list", "--store", store, "--json").json["tables"] == []
    for command in (("build", "--stones", "4"), ("verify", "--stones", "4"), ("stats",)):
        refused = cli("tables", command[0], "connect-four", *command[1:], "--store", store)
        assert refused.status == 2
        assert refused.err == "proofbase: connect-four has no tables\n"
    memory = cli("tables", "build", "awari", "--stones", 3, "--store", "memory:")
    assert memory.status == 2
    assert "--tables" in memory.err


def test_a_lookup_names_the_table_of_its_value(cli: Run, tmp_path: Path) -> None:
    cli("tables", "build", "awari", "--stones", 5, "--store", tmp_path / "store")
    shown = cli("lookup", "awari", "0,0,0,0,1,1/0,2,0,0,1,0/S", "--store", tmp_path / "store").out
    assert "value  -5 by table awari-5, best move B2\n" in shown
    assert "claim  lower -5: table awari-5\n" in shown
    assert "no record" not in shown


def test_tables_of_awari(cli: Run, tmp_path: Path) -> None:
    there = ("--store", tmp_path / "games")
    small = cli("tables", "build", "awari", "--stones", 5, "--memory", 10_000, *there)
    assert (small.status, small.out) == (2, "")
    assert "table awari-5 needs" in small.err and "more than --memory 9.8 KiB" in small.err
    assert "more than --disk 10.0 KiB" in cli("tables", "build", "awari", "--stones", 5, "--disk", "10K", *there).err
    assert not (tmp_path / "games").exists()
    first = cli("tables", "build", "awari", "--stones", 5, "--memory", "1M", "--disk", "1M", *there, "--json")
    assert "6 tables with 6,188 entries: up to" in first.err and "of memory (awari-5), up to" in first.err
    built = first.json
    assert built["entries"] == 1 + 12 + 78 + 364 + 1365 + 4368
    assert cli("tables", "build", "awari", "--stones", 5, *there, "--json").json["built"] == []
    listed = cli("tables", "list", "awari", *there, "--json").json["tables"]
    assert [table["table"] for table in listed] == [f"awari-{stones}" for stones in range(6)]
    counted = cli("tables", "stats", "awari", *there, "--json").json["tables"]
    assert counted[3]["values"] == {"-3": 177, "-1": 1, "0": 63, "1": 7, "3": 116}
    assert (counted[3]["win"], counted[3]["draw"], counted[3]["loss"]) == (123, 63, 178)
    answer = cli("lookup", "awari", "0,0,0,0,1,1/0,2,0,0,1,0/S", *there, "--json").json
    assert {claim["table"] for claim in answer["claims"]} == {"awari-5"}
    verified = cli("tables", "verify", "awari", "--stones", 5, *there, "--json")
    assert (verified.status, verified.json["failed"]) == (0, 0)
    for command in ("list", "stats"):
        assert "awari-5" in cli("tables", command, "awari", *there).out
    assert cli("tables", "verify", "awari", "--stones", 5, *there).out.endswith("valid\n")
    compressed = cli("tables", "compress", "awari", "--stones", 5, "--level", 19, *there, "--json").json
    assert compressed["bytes"] < compressed["bytes_before"] / 2
    assert {table["form"] for table in compressed["tables"]} == {"zstd, 8,192 a block"}
    listed = cli("tables", "list", "awari", *there).out
    assert "plain bytes" in listed and "zstd, 8,192 a block" in listed and "% of the plain form" in listed
    assert cli("lookup", "awari", "0,0,0,0,1,1/0,2,0,0,1,0/S", *there, "--json").json["claims"] == answer["claims"]
    assert "0 tables written" in cli("tables", "compress", "awari", "--stones", 5, *there).out
    assert cli("tables", "compress", "awari", "--stones", 5, "--block", 3000, *there).status == 2
    assert "6 tables written" in cli("tables", "compress", "awari", "--stones", 5, "--plain", *there).out
    finding = TableFinding("awari-4", 7, 1, "value", "found before the kill")
    row = TableOutcome("awari-4", 1365, failed=1, longest=3, seconds=1.0)
    sums = {
        entry.name: entry.checksum for entry in Tables(open_game("awari"), str(tmp_path / "games/tables")).entries()
    }
    VerifiedTables(tmp_path / "games/tables", "awari", sums).add(row, [finding])
    resumed = cli("tables", "verify", "awari", "--stones", 5, *there, "--json")
    assert (resumed.status, resumed.json["findings"]) == (1, [asdict(finding)])
    assert resumed.json["tables"][4] == asdict(row)
    assert "1 table verified before, going on" in resumed.err
    assert cli("tables", "verify", "awari", "--stones", 5, *there).status == 0
    (tmp_path / "games/tables/awari.verified").write_text(json.dumps({"checksums": sums, "outcomes": {"awari-4": {}}}))
    what_is_there = cli("tables", "verify", "awari", *there, "--json")
    assert (what_is_there.status, len(what_is_there.json["tables"])) == (0, 6), "what nobody can read costs work only"
    assert cli("tables", "verify", "chess", *there).status == 2, "no tables of it are there"
    absent = cli("tables", "verify", "awari", "--stones", 6, *there)
    assert absent.status == 2
    assert "table awari-6 is not there" in absent.err
    damaged = tmp_path / "games" / "tables" / "awari-5.table"
    data = bytearray(damaged.read_bytes())
    data[2000] ^= 1
    damaged.write_bytes(data)
    assert cli("tables", "verify", "awari", "--stones", 5, *there).status == 1
    data[20] ^= 1
    damaged.write_bytes(data)
    assert cli("tables", "list", "awari", *there).status == 3


@pytest.mark.parametrize(
    ("question", "at_least", "status"),
    [("--win", 1, 1), ("--draw", 0, 0), ("--win-by=1", 1, 1), ("--at-least=0", 0, 0), ("--at-least=1", 1, 1)],
)
def test_a_question_asks_for_what_its_option_says(cli: Run, question: str, at_least: int, status: int) -> None:
    solved = cli("solve", "tic-tac-toe", question, "--store", "memory:", "--json")
    assert (solved.status, [entry["at_least"] for entry in solved.json["questions"]]) == (status, [at_least])
