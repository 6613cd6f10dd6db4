"""Tables of men's morris in a service, with and without plies beside the values, plain and compressed."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Run, cli
from read_only_services import app, client

from proofbase.engine._core import TableWork, open_game
from proofbase.service.application import open_application
from proofbase.service.client import Client, connect
from proofbase.service.client.local import LocalClient

__all__ = ["app", "cli", "client"]

GAME = "mens-morris:3"
PLIES = 9
"""Of the first player's win: `test_plies_beside_values.py` holds every entry against brute force."""


@pytest.fixture(scope="module", params=["plain", "compressed"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the tables of all positions and their plies."""
    directory = tmp_path_factory.mktemp("store")
    with open_application(str(directory)) as app:
        job = LocalClient(app, "").start_table(GAME, 6, distances=True)
        assert LocalClient(app, "").wait(job.id).state == "done"
    if request.param == "compressed":
        assert TableWork(open_game(GAME), str(directory / "tables"), 6).rewrite(level=12, block=1024)
    return directory


def test_the_quickest_win_and_the_slowest_loss_come_first(client: Client) -> None:
    """Along the line of the quickest win both sides play their first moves, and the plies fall one by one."""
    line = client.line(GAME)
    assert (len(line.steps), line.stop) == (PLIES, "end_of_game")
    assert [step.rank for step in line.steps] == list(range(PLIES - 1, -1, -1))
    at = None
    for plies, step in zip(range(PLIES, 0, -1), line.steps, strict=True):
        answer = client.lookup(GAME, at)
        value = 1 if plies % 2 else -1
        assert (answer.value.lower, answer.value.upper, answer.rank) == (value, value, plies)
        assert answer.no_win_within + answer.no_loss_within == plies - 1
        best = answer.moves[0]
        assert best.move == answer.witness == step.move and best.rank == plies
        of_value = [move.rank for move in answer.moves if move.value.lower == value]
        assert of_value == sorted(of_value, reverse=value < 0)
        assert [move.value.lower for move in answer.moves] == sorted(
            (move.value.lower for move in answer.moves), reverse=True
        )
        at = step.position
    assert client.lookup(GAME, at).terminal


def test_batches_and_analysis_say_the_plies(client: Client) -> None:
    line = client.line(GAME)
    items = client.batch_lookup(GAME, [step.position for step in line.steps[:-1]])
    assert [item.rank for item in items] == list(range(PLIES - 1, 0, -1))
    analysis = client.analyse_game(GAME, " ".join(step.move for step in line.steps))
    assert len(analysis.moves) == PLIES and analysis.decided_by == 0
    (blunder,) = client.analyse_game(GAME, "b3").moves
    assert (blunder.value.lower, blunder.value_of_move.lower, blunder.better_moves[0]) == (1, -1, line.steps[0].move)


def test_without_plies_only_the_values_are_said(store: Path, tmp_path: Path) -> None:
    for file in (store / "tables").glob("*.table"):
        if not file.stem.endswith("-plies"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with connect("memory:", tables=tmp_path) as client:
        answer = client.lookup(GAME)
        assert (answer.value.lower, answer.rank) == (1, None)
        line = client.line(GAME)
        assert line.stop == "end_of_game" and line.value.lower == 1
    (tmp_path / "mens-morris_3-0-0-hand-6-plies.table").write_bytes(
        (store / "tables" / "mens-morris_3-0-0-hand-6-plies.table").read_bytes()
    )
    with connect("memory:", tables=tmp_path) as client:  # those of the first position are there, no others
        assert client.lookup(GAME).rank == PLIES
        assert client.line(GAME).stop == "end_of_game"


def test_the_command_line_builds_lists_and_verifies_plies(cli: Run, tmp_path: Path) -> None:
    there = ("--store", tmp_path / "store")
    assert cli("tables", "build", GAME, "--men", 6, *there).status == 0
    built = cli("tables", "build", GAME, "--men", 6, "--distances", *there, "--json").json
    assert len(built["built"]) == 8 and all(name.endswith("-plies") for name in built["built"])
    assert len(cli("tables", "list", GAME, *there, "--json").json["tables"]) == 16
    verified = cli("tables", "verify", GAME, "--men", 6, *there, "--json").json
    assert verified["failed"] == 0 and len(verified["tables"]) == 16
    assert f"win in {PLIES} plies (proved shortest)" in cli("lookup", GAME, *there).out
    assert cli("tables", "compress", GAME, "--men", 6, *there).status == 0
    assert f"win in {PLIES} plies (proved shortest)" in cli("lookup", GAME, *there).out
    for game, why in (("chess", "hold plies anyway"), ("awari", "cannot hold plies")):
        refused = cli("tables", "build", game, "--men", 3, "--distances", *there)
        assert refused.status == 2 and why in refused.err
    missing = cli("tables", "build", GAME, *there)
    assert missing.status == 2 and "--men" in missing.err
