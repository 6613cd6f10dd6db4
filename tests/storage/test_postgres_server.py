"""The PostgreSQL server of the tests, where its user cannot reach the binaries."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from postgres_server import find_binaries, reachable_by_all, shared_folder


def test_binaries_below_a_closed_folder_are_copied(tmp_path: Path) -> None:
    for part, mode in (
        ("home", 0o700),
        ("home/install", 0o755),
        ("home/install/bin", 0o755),
        ("home/install/lib", 0o755),
    ):
        (tmp_path / part).mkdir(mode=mode)
    for name in ("bin/postgres", "bin/initdb", "lib/library"):
        (tmp_path / "home" / "install" / name).write_text(name)
    (tmp_path / "home" / "install" / "bin" / "postgres").chmod(0o755)
    found = reachable_by_all(tmp_path / "home" / "install" / "bin")
    assert found.is_relative_to(shared_folder())
    assert (found / "postgres").read_text() == "bin/postgres" and os.access(found / "postgres", os.X_OK)
    assert (found.parent / "lib" / "library").read_text() == "lib/library"
    assert all(folder.stat().st_mode & 0o001 for folder in (found, *found.parents))
    assert reachable_by_all(found) == found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as another user")
def test_the_binaries_that_are_used_are_reachable() -> None:
    binaries = find_binaries()
    assert all(folder.stat().st_mode & 0o001 for folder in (binaries.resolve(), *binaries.resolve().parents))
