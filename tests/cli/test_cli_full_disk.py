"""Full disks: each command ends with one message that says where, loses nothing, and goes on when there is room.

A limit of the size of files stands in for the disk: the kernel refuses the write in the same place.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.service.cli import run
from proofbase.service.errors import SpoolFullError
from proofbase.service.resources.uploads import temporary_file

__all__ = ["cli"]

GAME = "connect-four:5x5"


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Files get no larger meanwhile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, its package and its export."""
    folder = tmp_path_factory.mktemp("solved")
    store = folder / "store"
    for command in (
        ["solve", GAME, "--algorithm", "df-pn", "--store", store],
        ["publish", GAME, folder / "package", "--licence", "CC0-1.0", "--store", store, "--no-certificate"],
        ["export", GAME, "--format", "jsonl", "-o", folder / "records.jsonl", "--store", store],
    ):
        assert run(list(map(str, command))) == 0
    assert (store / "data.mdb").stat().st_size > 250_000
    return folder


COMMANDS = {
    "pull": (["pull", "{solved}/package", "--store", "{new}"], "the disk of the store {new} is full"),
    "import": (["import", "{solved}/records.jsonl", "--store", "{new}"], "the disk of the store {new} is full"),
    "copy": (["store", "copy", "{solved}/store", "{new}"], "the copy {new} cannot be written: File too large"),
    "export": (
        ["export", GAME, "--format", "jsonl", "-o", "{new}", "--store", "{solved}/store"],
        "{new}: File too large",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_ends_a_command_with_one_message(cli: Run, solved: Path, tmp_path: Path, name: str) -> None:
    command, message = COMMANDS[name]
    new = tmp_path / "new"
    arguments = [word.format(solved=solved, new=new) for word in command]
    with files_up_to(17 * 4096):
        ended = cli(*arguments)
    assert ended.status == 3 and ended.err.count("\n") == 1, ended
    assert message.format(new=new) in ended.err
    if name in ("pull", "import"):
        for judge in (["store", "check"], ["verify"]):
            assert cli(*judge, "--store", new).status == 0
    else:
        assert list(tmp_path.iterdir()) == []
    assert cli(*arguments).status == 0


def test_a_store_is_as_it_was_where_compacting_has_no_room(cli: Run, solved: Path, tmp_path: Path) -> None:
    assert cli("store", "copy", solved / "store", tmp_path / "a").status == 0
    before = (tmp_path / "a" / "data.mdb").read_bytes()
    with files_up_to(37 * 4096):
        ended = cli("store", "compact", "--store", tmp_path / "a")
    assert ended.status == 3 and ended.err.count("\n") == 1
    assert f"the store {tmp_path / 'a'} cannot be compacted: File too large" in ended.err
    assert (tmp_path / "a" / "data.mdb").read_bytes() == before
    assert cli("store", "check", "--store", tmp_path / "a").status == 0
    assert cli("store", "compact", "--store", tmp_path / "a").status == 0


def test_a_temporary_file_without_room_says_where_it_is() -> None:
    """`pull` keeps there what it has received."""
    with files_up_to(10_000), pytest.raises(SpoolFullError, match=r"received in .*: File too large"):  # noqa: SIM117
        with temporary_file() as file:
            file.write(bytes(20_000))
