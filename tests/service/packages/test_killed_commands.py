"""Commands around packages that are killed, or whose disk is full, at any step: what they leave, and the next run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Run, cli, store
from lmdb_stores import ENVIRONMENT
from range_server import serving

from proofbase.storage.scratch_directory import ScratchDirectory

__all__ = ["cli", "store"]

GAME = "tic-tac-toe"
LICENCE = ("--licence", "CC0-1.0")


@pytest.fixture(scope="module")
def start(store: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of a value and tables, one that knows more, and a package of the first one."""
    from proofbase.service.cli import run

    folder = tmp_path_factory.mktemp("killed") / "start"
    folder.mkdir()
    for arguments in (
        ["pull", store, GAME, "--store", "store"],
        ["tables", "build", "awari", "--stones", "2", "--store", "store"],
        ["solve", GAME, "--all-moves", "--store", "more"],
        ["publish", GAME, "old", "--store", "store", *LICENCE],
        ["publish", "awari", "old", "--store", "store", *LICENCE],
    ):
        before = os.getcwd()
        os.chdir(folder)
        try:
            assert run(arguments) == 0, arguments
        finally:
            os.chdir(before)
    return folder


def killed(start: Path, tmp_path: Path, *command: str, package: str | None = None, apart: int = 1) -> Any:
    """What tests/killed_commands.py tells of a command, in a copy of `start`."""
    shutil.copytree(start, tmp_path / "start")
    if package is not None:
        (tmp_path / "start" / package).rename(tmp_path / "start" / "package")
    program = Path(__file__).parents[2] / "killed_commands.py"
    arguments = [sys.executable, str(program), str(tmp_path), str(apart), *command]
    done = subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True, timeout=600, check=True)
    found = json.loads(done.stdout)
    assert found["whole"]["status"] == 0 and len(found["kills"]) > 10
    for _, again in found["kills"]:
        assert again["status"] == 0
        assert set(again["files"]) == set(found["whole"]["files"]), "nothing is left behind"
        assert again["check"] == found["whole"]["check"]
    return found


def of_package(state: Any) -> dict[str, str]:
    return {name: sum_ for name, sum_ in state["files"].items() if name.startswith("package/") and "/." not in name}


@pytest.mark.slow
def test_a_new_package_is_there_with_its_manifest_or_not_at_all(start: Path, tmp_path: Path) -> None:
    found = killed(start, tmp_path, "publish", GAME, "package", "--store", "store", *LICENCE)
    assert found["whole"]["check"] == 0
    for left, again in found["kills"]:
        assert left["check"] in (None, 0)
        assert of_package(again) == of_package(found["whole"])


@pytest.mark.slow
def test_a_package_stays_as_it_was_until_the_new_files_are_written(start: Path, tmp_path: Path) -> None:
    found = killed(start, tmp_path, "publish", GAME, "package", "--store", "more", *LICENCE, package="old")
    before, after = of_package({"files": found["kills"][0][0]["files"]}), of_package(found["whole"])
    changed = [name for name in after if before[name] != after[name]]
    assert len(changed) == 7 and found["whole"]["check"] == 0
    between = [left for left, _ in found["kills"] if of_package(left) not in (before, after)]
    assert len(between) < len(after), "only while files are renamed"
    assert all(left["check"] == 0 for left, _ in found["kills"] if left not in between)
    assert all(of_package(again) == after for _, again in found["kills"])


@pytest.mark.slow
def test_a_certificate_that_is_left_out_goes_behind_the_manifest(start: Path, tmp_path: Path) -> None:
    command = ("publish", GAME, "package", "--store", "more", "--no-certificate", *LICENCE)
    found = killed(start, tmp_path, *command, package="old")
    name = f"package/{GAME}.certificate"
    assert name in found["kills"][0][0]["files"] and name not in found["whole"]["files"]
    after = of_package(found["whole"])
    for left, _ in found["kills"]:
        files = of_package(left)
        assert name in files or files["package/manifest.json"] == after["package/manifest.json"]


def test_a_full_disk_leaves_the_package_as_it_was(start: Path, tmp_path: Path) -> None:
    shutil.copytree(start, tmp_path / "start")
    before = {path.name: path.read_bytes() for path in (tmp_path / "start" / "old").iterdir()}
    largest = max(map(len, before.values()))  # the blocks of this game are smaller, and written first
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({largest - 1}, {largest - 1}))"
    program = f"{limit}; from proofbase.service.cli import run; import sys; sys.exit(run(sys.argv[1:]))"
    command = ["publish", GAME, "old", "--store", "more", *LICENCE]
    full = subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=tmp_path / "start",
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert full.returncode == 3 and full.stderr.count("\n") == 1 and "cannot be written" in full.stderr
    assert {path.name: path.read_bytes() for path in (tmp_path / "start" / "old").iterdir()} == before


def test_a_copy_of_a_package_that_was_killed_at_its_manifest_goes_on(cli: Run, start: Path, tmp_path: Path) -> None:
    with serving(start / "old") as server:
        (tmp_path / "kept").mkdir()
        (tmp_path / "kept" / "manifest.json.new").write_text("{")
        assert cli("check-package", server.url, "--keep", tmp_path / "kept").status == 0
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {path.name for path in (start / "old").iterdir()}


def test_what_a_killed_process_left_where_temporary_files_are_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / ".proofbase-killed").mkdir()
    (tmp_path / ".proofbase-killed" / "records.jsonl").write_text("half")
    with ScratchDirectory() as first, ScratchDirectory() as second:
        assert set(tmp_path.iterdir()) == {first.path, second.path}
    assert not list(tmp_path.iterdir())
