"""A table has no distances, and none is said: not in answers, not on the wire, not in files, not in text."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from cli_runs import Run, cli
from read_only_services import app, client

from proofbase.engine._core import TableWork, open_game
from proofbase.service.application import open_application
from proofbase.service.client import Client, connect
from proofbase.service.client.local import LocalClient
from proofbase.v1 import solutions_pb2, types_pb2

__all__ = ["app", "cli", "client"]

GAME = open_game("awari")
IN_TABLE = "0,0,0,0,1,1/0,2,0,0,1,0/S"
ABOVE = "0,0,0,1,1,1/0,2,0,1,1,0/S"
"""Six stones or more on the board: no table has the position, and moves lead to positions of tables."""


FAR_ABOVE = "1,0,0,0,1,0/2,1,0,1,0,1/S"
LOST_ABOVE = "1,1,0,0,0,0/0,0,1,1,1,2/N"
"""A position after some moves of the solution of the one before."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with tables of up to six stones, and the solutions of two of seven, which rest on them."""
    directory = tmp_path_factory.mktemp("store")
    with open_application(str(directory)) as app:
        assert TableWork(GAME, str(directory / "tables"), 6).build()
        for position in (ABOVE, FAR_ABOVE):
            LocalClient(app, "").solve("awari", position)
    return directory


def test_answers_have_no_rank_where_a_table_has_the_value(client: Client) -> None:
    answer = client.lookup("awari", IN_TABLE)
    assert answer.known and answer.rank is None
    assert [claim.rank for claim in answer.claims] == [None, None]
    assert answer.moves and all(move.known and (move.rank is None) is not move.terminal for move in answer.moves)
    (item,) = client.batch_lookup("awari", [IN_TABLE])
    assert item.rank is None
    line = client.line("awari", IN_TABLE)
    assert line.steps and {step.rank for step in line.steps[:-1]} == {None}
    proof = client.proof("awari", IN_TABLE)
    assert [(node.kind, node.claim.rank, node.claim.table) for node in proof.nodes] == [("leaf", None, "awari-5")] * 2


def test_records_that_name_a_table_have_no_rank_in_answers(client: Client) -> None:
    answer = client.lookup("awari", ABOVE)
    assert answer.known and answer.stored and answer.rank == 0, "repetition is worth as much"
    nodes = client.proof("awari", ABOVE, max_nodes=2000).nodes
    by_table = [node.claim for node in nodes if node.claim.evidence == "table"]
    assert by_table and {claim.rank for claim in by_table} == {None}
    assert all(node.kind != "missing" for node in nodes)
    assert all(node.claim.rank is not None for node in nodes if node.claim.evidence != "table")
    stored_by_table = next(node for node in nodes if node.claim.evidence == "table" and node.claim.sources)
    assert client.lookup("awari", stored_by_table.position).rank is None
    before = next(node for node in nodes if node.number == stored_by_table.parent)
    moves = client.lookup("awari", before.position).moves
    assert next(move for move in moves if move.position == stored_by_table.position).rank is None


def test_a_rank_above_tables_of_values_counts_no_plies_to_the_end(client: Client, store: Path, cli: Run) -> None:
    """Two stones are left when this line comes to a table: what the claim's rank counts ends there."""
    answer = client.lookup("awari", FAR_ABOVE)
    assert answer.value.exact and answer.rank is None
    (claim,) = (claim for claim in answer.claims if claim.evidence == "children")
    assert claim.rank is not None and claim.rank > 1
    (item,) = client.batch_lookup("awari", [FAR_ABOVE])
    assert item.rank is None
    best = next(move for move in answer.moves if move.move == answer.witness)
    assert best.known and best.rank is None
    shown = cli("lookup", "awari", FAR_ABOVE, "--store", store).out
    assert f"rank {claim.rank}: children" in shown and "plies unknown" in shown and "within" not in shown
    with connect("memory:", tables=str(store / "nowhere")) as without:
        without.solve("awari", FAR_ABOVE)
        assert (without.lookup("awari", FAR_ABOVE).rank or 0) > 1, "no table has taken part"


def test_moves_above_tables_of_values_are_sorted_by_their_ranks(client: Client) -> None:
    """Of moves that lose as much, the one that holds out longest as far as records say comes first."""
    lost = [move for move in client.lookup("awari", LOST_ABOVE).moves if move.known]
    assert [move.move for move in lost] == ["f1", "e1"] and {move.rank for move in lost} == {None}
    ranks = []
    for move in lost:
        claims = [claim for claim in client.lookup("awari", move.position).claims if claim.side == "lower"]
        ranks.append(max(claims, key=lambda claim: claim.bound).rank or 0)
    assert ranks[0] > ranks[1]


def test_moves_that_end_the_game_have_plies_above_tables(tmp_path: Path) -> None:
    last = "OOOXXXXXXXX-XXXX O"
    with open_application(str(tmp_path)) as app:
        client = LocalClient(app, "")
        client.solve("othello:4x4", last)
        assert client.lookup("othello:4x4", last).rank == 1
        assert TableWork(open_game("othello:4x4"), str(tmp_path / "tables"), 4).build()
        assert client.lookup("othello:4x4", last).rank == 1


def test_a_shortest_win_is_known_beside_tables_of_values(tmp_path: Path, cli: Run) -> None:
    there, position = ("--store", tmp_path / "store"), "xoo/xoo/...x/.../.x.:x"
    assert cli("tables", "build", "mens-morris:6", "--table", "mens-morris_6-3-3", *there).status == 0
    assert "win in 5 plies, proved" in cli("solve", "mens-morris:6", position, "--shortest", *there).out
    assert "win in 5 plies (proved shortest)" in cli("lookup", "mens-morris:6", position, *there).out
    written = cli("export", "mens-morris:6", position, "--shortest", "-o", tmp_path / "shortest", *there)
    assert written.status == 0 and (tmp_path / "shortest").exists()


def test_a_shortest_win_beside_a_quick_capture_into_a_table_of_values(tmp_path: Path, cli: Run) -> None:
    """The plain win captures into a table of values: its rank 1 is none of the plies to the mate, which are 3."""
    there, position = ("--store", tmp_path / "store"), "7k/8/5K2/8/8/8/R6n/8 w - - 0 1"
    for table in ("chess_fifty-k-k", "chess_fifty-kr-k"):
        assert cli("tables", "build", "chess:fifty", "--table", table, *there).status == 0
    assert "best move    Rxh2+, plies unknown" in cli("solve", "chess:fifty", position, "--at-least", 1, *there).out
    capture = cli("lookup", "chess:fifty", position, *there).out
    assert "best move Rxh2+" in capture and "claim  lower 1 rank 1: children" in capture
    assert "mate in 2, proved" in cli("solve", "chess:fifty", position, "--shortest", *there).out
    answer = cli("lookup", "chess:fifty", position, *there, "--json").json
    assert (answer["rank"], answer["best_move"]) == (3, "Kg6")
    assert [(move["move"], move["rank"]) for move in answer["moves"][:2]] == [("Kg6", 3), ("Rxh2+", None)]
    shortest = cli("lookup", "chess:fifty", position, *there).out
    assert "mate in 2 (proved shortest), best move Kg6" in shortest and "within" not in shortest
    line = cli("line", "chess:fifty", position, *there).out
    assert line.splitlines()[1].endswith(" 2. Ra8#") and "1. Kg6 " in line
    with connect(str(tmp_path / "store")) as client:
        steps = client.line("chess:fifty", position).steps
        assert [step.rank for step in steps] == [2, 1, 0]
        proof = client.proof("chess:fifty", position)
    assert proof.nodes[0].claim.above_tables and not proof.nodes[1].claim.above_tables
    assert "mate within" not in (proof._repr_html_() or "")


def test_an_absent_rank_is_absent_on_the_wire() -> None:
    for message in (types_pb2.Claim, solutions_pb2.LookupResponse, solutions_pb2.MoveAnswer, solutions_pb2.LineStep):
        assert message.DESCRIPTOR.fields_by_name["rank"].has_presence, message
        assert not message().HasField("rank")  # type: ignore[attr-defined]
        assert message(rank=0).HasField("rank")


def test_exports_say_no_distance(client: Client) -> None:
    rows = list(csv.DictReader(io.StringIO(b"".join(client.export("awari", IN_TABLE, form="csv")).decode())))
    assert [(row["evidence"], row["rank"]) for row in rows] == [("table awari-5", "")] * 2
    drawing = b"".join(client.export("awari", IN_TABLE, form="dot")).decode()
    assert "by table" in drawing and not re.search(r"label=[^;]* in \d", drawing)
    for text in (IN_TABLE, ABOVE):
        for row in csv.DictReader(io.StringIO(b"".join(client.export("awari", text, form="csv")).decode())):
            assert (row["rank"] == "") is row["evidence"].startswith("table")


def test_files_with_claims_by_table_are_imported_where_the_tables_are(
    client: Client, store: Path, tmp_path: Path
) -> None:
    """In files a claim by table keeps the rank that the fact model gives it."""
    for form in ("certificate", "jsonl"):
        for text in (IN_TABLE, ABOVE):
            data = list(client.export("awari", text, form=form))  # type: ignore[arg-type]
            with connect("memory:", tables=store / "tables") as other:
                assert other.import_(data, form=form).added > 0  # type: ignore[arg-type]
                assert other.lookup("awari", text).known
    (record,) = (json.loads(line) for line in b"".join(client.export("awari", IN_TABLE, form="jsonl")).splitlines())
    assert [claim["rank"] for claim in record["claims"]] == [0, 0]


def test_the_command_line_says_no_distance(cli: Run, store: Path) -> None:
    shown = cli("lookup", "awari", IN_TABLE, "--store", store)
    assert shown.status == 0
    assert "plies:" not in shown.out and "within" not in shown.out
    assert "by table awari-5" in shown.out
    assert cli("lookup", "awari", IN_TABLE, "--store", store, "--json").json["rank"] is None
    moves = cli("moves", "awari", IN_TABLE, "--store", store, "--json").json["moves"]
    assert {move["rank"] for move in moves if not move["terminal"]} == {None}
    line = cli("line", "awari", IN_TABLE, "--store", store, "--json").json
    assert {step["rank"] for step in line["steps"][:-1]} == {None}
    tree = cli("tree", "awari", IN_TABLE, "--store", store)
    assert "table awari-5" in tree.out and "rank" not in tree.out


def test_a_solve_of_a_position_of_a_table_says_no_distance(cli: Run, store: Path, tmp_path: Path) -> None:
    there = ("--store", tmp_path / "store", "--tables", store / "tables")
    solved = cli("solve", "awari", IN_TABLE, *there)
    assert solved.status == 0
    assert "by table" in solved.out and "within" not in solved.out
    assert cli("solve", "awari", IN_TABLE, *there, "--json").json["rank"] is None
