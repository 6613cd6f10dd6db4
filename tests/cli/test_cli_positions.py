"""Many positions with one command: all moves of one, and files of them."""

from __future__ import annotations

import csv
import io
import json
import random
import sys
from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli, store

sys.path.insert(0, str(Path(__file__).parent.parent / "storage"))
from damage_records import flip_bits

from proofbase.engine.games import open_game
from proofbase.service.answers import Searched
from proofbase.service.answers.batches import BatchItem
from proofbase.service.cli.output.lookup_rows import answer_in_batches
from proofbase.service.cli.output.position_files import ListedPosition
from proofbase.service.client import Limits, connect
from proofbase.storage import open_store

__all__ = ["cli", "store"]

POSITIONS = """# openings
moves:5
5 1    # a corner

xx./oo./...
moves:99
x../.o./...
"""


def _file(folder: Path, text: str = POSITIONS) -> Path:
    path = folder / "positions.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_all_moves_get_their_exact_values_stored(cli: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "new")
    solved = cli("solve", GAME, "moves:1", "--all-moves", "--store", url, "--json")
    assert solved.status == 0
    assert solved.json["status"] == "exact"
    assert len(solved.json["moves"]) == 4
    assert all(move["known"] for move in solved.json["moves"])
    assert len(solved.json["jobs"]) > 1  # one solve alone does not settle the moves that it does not need
    with connect(url, read_only=True) as client:
        for move in client.lookup(GAME, "moves:1").moves:
            assert move.known
            assert client.lookup(GAME, move.position).stored
    again = cli("solve", GAME, "moves:1", "--all-moves", "--store", url)
    assert again.status == 0
    assert "0 nodes" in again.out
    assert "open" not in again.out


def test_a_budget_holds_for_all_moves_together(cli: Run, tmp_path: Path) -> None:
    cut = cli("solve", "connect-four:5x5", "--all-moves", "--nodes", "2k", "--store", tmp_path / "s", "--json")
    assert cut.status == 1
    assert cut.json["status"] == "unknown"
    assert cut.json["unknown_reason"] == "nodes"
    assert 2_000 <= cut.json["nodes"] < 3_000
    assert len(cut.json["jobs"]) == 1
    shown = cli("solve", "connect-four:5x5", "--all-moves", "--nodes", "2k", "--store", tmp_path / "s")
    assert "open    1, 2, 3, 4, 5 (stopped by: nodes)" in shown.out


def test_a_file_is_looked_up_line_by_line(cli: Run, store: str, tmp_path: Path) -> None:
    file = _file(tmp_path)
    found = cli("lookup", "tic-tac-toe", "--file", file, "--store", store)
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert found.status == 2  # one position makes no sense
    assert [row["line"] for row in rows] == ["2", "3", "5", "6", "7"]
    assert [row["position"] for row in rows] == ["moves:5", "5 1", "xx./oo./...", "moves:99", "x../.o./..."]
    assert rows[3]["error"] == "move 2 of '99': tic-tac-toe: move '9': the cell is taken"
    assert "line 6: move 2 of '99'" in found.err
    assert rows[3]["known"] == ""
    one = cli("lookup", "tic-tac-toe", "moves:5", "--store", store, "--json").json
    assert rows[0]["known"] == str(one["known"]).lower()
    lines = cli("lookup", "tic-tac-toe", "--file", file, "--store", store, "--json")
    documents = [json.loads(line) for line in lines.out.splitlines()]
    assert [document["line"] for document in documents] == [2, 3, 5, 6, 7]
    for name in ("game", "key", "stored", "known", "value", "rank", "best_move", "searched"):
        assert documents[0][name] == one[name], name
    assert documents[0]["position"] == "moves:5" and documents[0]["error"] is None
    assert documents[3] == {"line": 6, "position": "moves:99", "error": rows[3]["error"]}


def test_a_damaged_record_is_named_in_its_row_and_fails_the_command(cli: Run, tmp_path: Path) -> None:
    game = open_game(GAME)
    url = str(tmp_path / "damaged")
    assert cli("solve", GAME, "--store", url).status == 0
    position = game.play(game.initial(), 0)
    with open_store(url) as opened:
        flip_bits(opened, url, [(GAME, game.key(position))], random.Random(1))
    found = cli("lookup", GAME, "--file", _file(tmp_path, "-\n1\n2\n"), "--store", url)
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert found.status == 3
    assert [bool(row["error"]) for row in rows] == [False, True, False]


class OneBatch:
    """A client whose searches have time for three positions of a batch; the first one of a batch has all of it."""

    def __init__(self) -> None:
        self.batches = list[int]()

    def limits(self) -> Limits:
        return Limits(batch_size=50)

    def batch_lookup(
        self, game: str, positions: list[str], *, search: int | None, search_seconds: float | None
    ) -> list[BatchItem]:
        self.batches.append(len(positions))
        items = []
        for place, text in enumerate(positions):
            hard = text.startswith("hard")
            reason = "seconds" if place >= 3 or hard else None
            items.append(BatchItem("unknown", searched=Searched(0 if place > 3 else 5, "", reason), message=text))
        return items


def test_a_search_that_had_to_share_its_time_is_asked_for_again() -> None:
    client = OneBatch()
    positions = [ListedPosition(line, "hard" if line % 7 == 0 else f"{line}") for line in range(1, 41)]
    found = list(answer_in_batches(client, "any", positions, 5, 1.0))  # type: ignore[arg-type]
    assert [position for position, _ in found] == positions
    assert [item.message for _, item in found] == [position.text for position in positions]
    for position, item in found:
        assert item.searched is not None
        assert (item.searched.unknown_reason == "seconds") == (position.text == "hard")
    assert max(client.batches) <= 16


def test_batches_are_bounded_by_the_service_and_by_their_texts() -> None:
    client = OneBatch()
    client.batch_lookup = lambda game, positions, **_: (  # type: ignore[method-assign, assignment]
        client.batches.append(len(positions)) or [BatchItem("unknown") for _ in positions]
    )
    short = [ListedPosition(line, "4") for line in range(120)]
    assert len(list(answer_in_batches(client, "any", short, None, None))) == 120  # type: ignore[arg-type]
    assert client.batches == [50, 50, 20]
    long = [ListedPosition(line, "4" * 200_000) for line in range(5)]
    client.batches.clear()
    assert len(list(answer_in_batches(client, "any", long, None, None))) == 5  # type: ignore[arg-type]
    assert client.batches == [2, 2, 1]


SENSE = POSITIONS.replace("moves:99\n", "")


def test_a_file_is_solved_by_one_job(cli: Run, tmp_path: Path) -> None:
    url = tmp_path / "new"
    solved = cli("solve", "tic-tac-toe", "--file", _file(tmp_path, SENSE), "--store", url)
    table = list(csv.DictReader(io.StringIO(solved.out)))
    assert solved.status == 0
    assert [(row["line"], row["position"]) for row in table] == [
        ("2", "moves:5"),
        ("3", "5 1"),
        ("5", "xx./oo./..."),
        ("6", "x../.o./..."),
    ]
    rows = {row["position"]: row for row in table}
    values = {position: (row["status"], row["lower"], row["upper"]) for position, row in rows.items()}
    draw = ("exact", "0", "0")
    assert values == {"moves:5": draw, "5 1": draw, "xx./oo./...": ("exact", "1", "1"), "x../.o./...": draw}
    assert rows["xx./oo./..."]["best_move"] == "3"
    assert "4 positions: 4 exact" in solved.err
    wins = cli("solve", "tic-tac-toe", "--win", "--file", _file(tmp_path, "xx./oo./...\n-\n"), "--store", url, "--json")
    documents = [json.loads(line) for line in wins.out.splitlines()]
    assert wins.status == 1
    assert [document["status"] for document in documents] == ["proved", "disproved"]
    jobs = cli("jobs", "list", "--store", url, "--json").json["jobs"]
    assert [job["kind"] for job in jobs] == ["positions", "positions"]
    assert jobs[1]["spec"]["source"] == "positions.txt"
    again = cli("jobs", "positions", jobs[1]["id"], "--store", url)
    printed = list(csv.DictReader(io.StringIO(again.out)))
    assert again.status == 0
    assert [{**row, "position": ""} for row in printed] == [{**row, "position": ""} for row in table]
    shown = cli("jobs", "show", jobs[1]["id"], "--store", url)
    assert "solve tic-tac-toe 4 positions of positions.txt: exact value" in shown.out
    assert cli("jobs", "positions", jobs[0]["id"], "--store", url).status == 1


def test_a_bad_line_is_named_before_anything_is_searched(cli: Run, tmp_path: Path) -> None:
    url = tmp_path / "new"
    file = _file(tmp_path)
    refused = cli("solve", "tic-tac-toe", "--file", file, "--store", url)
    assert refused.status == 2 and refused.out == ""
    message = "line 6: move 2 of '99': tic-tac-toe: move '9': the cell is taken"
    assert refused.err == f"proofbase: {file}, {message}\n"
    assert cli("stats", "--store", url, "--json").json["jobs"] == {}


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "tic-tac-toe", "moves:5", "--file", "{file}"),
        ("solve", "tic-tac-toe", "--all-moves", "--file", "{file}"),
        ("solve", "tic-tac-toe", "--all-moves", "--win"),
        ("lookup", "tic-tac-toe", "moves:5", "--file", "{file}"),
        ("lookup", "tic-tac-toe", "--file", "{empty}"),
        ("lookup", "tic-tac-toe", "--file", "{binary}"),
    ],
)
def test_arguments_that_make_no_sense_together(
    cli: Run, store: str, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "empty").write_text("# nothing\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    names = {"file": _file(tmp_path), "empty": tmp_path / "empty", "binary": tmp_path / "binary"}
    refused = cli(*(argument.format_map(names) for argument in arguments), "--store", store)
    assert refused.status == 2
    assert refused.out == "" or refused.out.count("\n") == 1  # at most the headings
    assert refused.err.count("\n") == 1


def test_a_file_that_is_not_there_fails(cli: Run, store: str, tmp_path: Path) -> None:
    missing = cli("lookup", "tic-tac-toe", "--file", tmp_path / "none", "--store", store)
    assert missing.status == 3
    assert "No such file" in missing.err


def test_other_errors_end_the_file() -> None:
    client = OneBatch()

    def fail(game: str, positions: list[str], **_: object) -> list[BatchItem]:
        raise PermissionError(13, "Permission denied", "store")

    client.batch_lookup = fail  # type: ignore[method-assign]
    with pytest.raises(PermissionError):
        list(answer_in_batches(client, "any", [ListedPosition(1, "4")], None, None))  # type: ignore[arg-type]


def test_the_search_of_a_lookup_has_a_time(cli: Run, store: str, tmp_path: Path) -> None:
    found = cli("lookup", "connect-four", "--search", "1M", "--seconds", "0.05", "--store", store, "--json")
    assert found.status == 1 and found.json["searched"]["unknown_reason"] == "seconds"
    path = _file(tmp_path, "4\n44\n")
    rows = cli(
        "lookup", "connect-four", "--file", path, "--search", "200", "--seconds", "5", "--store", store, "--json"
    )
    documents = [json.loads(line) for line in rows.out.splitlines()]
    assert [document["searched"]["unknown_reason"] for document in documents] == ["nodes", "nodes"]
    alone = cli("moves", "connect-four", "--seconds", "1", "--store", store)
    assert alone.status == 2 and "--seconds without --search" in alone.err
    none = cli("lookup", "connect-four", "--search", "10", "--seconds", "0", "--store", store)
    assert none.status == 2 and "more than 0" in none.err
