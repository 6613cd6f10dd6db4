"""A damaged table does not take down the lookups of its game: it is left out, and reported once."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from cli_runs import Run, cli
from trials import load_trial

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.service.application import Application, open_application
from proofbase.service.client.local import LocalClient

__all__ = ["cli"]

GAME = open_game("awari")
OF_FIVE = "0,0,0,0,1,1/0,2,0,0,1,0/S"
OF_FOUR = "0,0,0,0,1,1/0,1,0,0,1,0/S"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("whole") / "tables"
    assert TableWork(GAME, str(directory), 8).build()
    return directory


@pytest.fixture(params=["native", "python"])
def app(request: pytest.FixtureRequest, whole: Path, tmp_path: Path) -> Iterator[Application]:
    shutil.copytree(whole, tmp_path / "store" / "tables")
    with open_application(str(tmp_path / "store"), rules=request.param) as opened:
        yield opened


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_other_classes_are_answered_and_the_damaged_one_is_reported_once(
    app: Application, caplog: pytest.LogCaptureFixture
) -> None:
    client = LocalClient(app, "")
    assert client.lookup("awari", OF_FIVE).known
    assert app.resources.tables.directory is not None
    flip(app.resources.tables.directory / "awari-5.table", 20)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            assert not client.lookup("awari", OF_FIVE).known
            assert client.lookup("awari", OF_FOUR).known
            assert client.batch_lookup("awari", [OF_FIVE])[0].status == "unknown"
    (report,) = (record for record in caplog.records if record.levelno == logging.ERROR)
    assert "awari-5.table" in report.getMessage()
    damage = {entry.name: entry.damage for entry in client.statistics().tables}
    assert sorted(damage) == [f"awari-{stones}" for stones in range(9)]
    assert [name for name, what in damage.items() if what] == ["awari-5"]


def test_only_the_positions_of_a_damaged_block_are_left_out(app: Application, whole: Path) -> None:
    client, tables = LocalClient(app, ""), Tables(GAME, str(whole))
    assert app.resources.tables.directory is not None
    path = app.resources.tables.directory / "awari-8.table"
    bits = path.read_bytes()[12]
    start = (256 + 4 * -(-75_582 // 8192) + 63) // 64 * 64
    flip(path, start + 3 * 1024 * bits + 100)
    for number in Random(2).sample(range(75_582), 150):
        position = tables.position(8, number)
        answer = client.lookup("awari", GAME.key(position))
        if GAME.terminal(position) is None and number // 8192 == 3:
            assert not answer.known
        else:
            assert answer.known
            assert answer.terminal or answer.value.lower == tables.value(position)
    assert "block 3" in {entry.name: entry.damage or "" for entry in client.statistics().tables}["awari-8"]


def test_a_file_that_is_cut_off_while_it_is_open_ends_nothing(app: Application, whole: Path) -> None:
    client = LocalClient(app, "")
    answer = client.lookup("awari", OF_FIVE)
    assert app.resources.tables.directory is not None
    for stones in range(9):
        (app.resources.tables.directory / f"awari-{stones}.table").write_bytes(b"")
    assert not client.lookup("awari", OF_FIVE).known
    for stones in range(9):
        shutil.copyfile(whole / f"awari-{stones}.table", app.resources.tables.directory / f"awari-{stones}.table")
    assert client.lookup("awari", OF_FIVE) == answer


def test_a_search_goes_on_without_a_damaged_table(whole: Path, tmp_path: Path) -> None:
    start = "0,0,0,1,1,1/0,2,0,1,1,0/S"
    shutil.copytree(whole, tmp_path / "store" / "tables")
    flip(tmp_path / "store" / "tables" / "awari-5.table", 400)
    expected = Tables(GAME, str(whole)).value(GAME.parse(start))
    (tmp_path / "store" / "tables" / "awari-7.table").unlink()
    with open_application(str(tmp_path / "store")) as app:
        client = LocalClient(app, "")
        assert client.solve("awari", start).result.value.lower == expected
        result = client.verify("awari").result
        assert (result.failed, result.checked > 0) == (0, True)


def test_claims_of_a_table_that_is_damaged_later_fail_the_verification(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "store" / "tables")
    with open_application(str(tmp_path / "store")) as app:
        client = LocalClient(app, "")
        client.import_(list(client.export("awari", OF_FIVE)))
        time.sleep(0.1)  # tables that have just changed are opened anew at every question
        for _ in range(2):
            for rules in ("native", "python"):
                assert client.verify("awari", rules=rules).result.failed == 0  # type: ignore[arg-type]
        flip(tmp_path / "store" / "tables" / "awari-5.table", 400)
        for rules in ("native", "python"):
            result = client.verify("awari", rules=rules).result  # type: ignore[arg-type]
            assert {found.rule for found in result.findings} == {"evidence"}
            assert "awari-5.table" in result.findings[0].detail


def test_the_command_line_names_the_damaged_table_and_answers(cli: Run, whole: Path, tmp_path: Path) -> None:
    assert cli("tables", "build", "awari", "--stones", 5, "--store", tmp_path / "store").status == 0
    flip(tmp_path / "store" / "tables" / "awari-5.table", 20)
    (tmp_path / "store" / "tables" / "awari-2.table").write_bytes(b"")
    command = [sys.executable, "-m", "proofbase", "lookup", "awari", OF_FOUR, "--store", str(tmp_path / "store")]
    found = subprocess.run(command, capture_output=True, text=True, check=True)  # logs go to standard error
    assert found.stderr.count("awari-5.table") == found.stderr.count("awari-2.table") == 1
    assert cli("lookup", "awari", OF_FIVE, "--store", tmp_path / "store").status == 1
    shown = cli("stats", "--store", tmp_path / "store")
    assert shown.status == 0 and "its header is damaged" in shown.out
    listed = cli("tables", "list", "--store", tmp_path / "store", "--json")
    assert (listed.status, sorted(listed.json["damaged"])) == (3, ["awari-2", "awari-5"])
    assert len(listed.json["tables"]) == 4


def test_a_store_made_by_the_tables_is_used_by_every_command(cli: Run, whole: Path, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    assert cli("tables", "build", "awari", "--stones", 4, "--store", tmp_path / "store").status == 0
    assert cli("lookup", "awari", OF_FOUR, "--store", tmp_path / "store").status == 0
    assert cli("solve", "awari", OF_FIVE, "--store", tmp_path / "store").status == 0
    assert cli("tables", "build", "awari", "--stones", 3, "--tables", tmp_path / "other" / "tables").status == 0
    assert cli("solve", "awari", OF_FIVE, "--store", tmp_path / "other").status == 0


@pytest.mark.slow
def test_damages_of_every_kind_under_a_running_service() -> None:
    outcome = load_trial("bench/trial_table_damage").run(damages=20, seed=11)
    assert outcome.failures == []
    assert sum(outcome.damages.values()) == 20
    assert outcome.reported >= 10
