"""A file that grows while somebody looks at its size is no damaged file."""

from __future__ import annotations

from pathlib import Path

import pytest
from lmdb_stores import put

from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb.data_file import DataFile, State


def test_a_write_that_ends_while_a_reader_looks_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LmdbStore(str(tmp_path / "store")) as store:
        put(store, 10)
        watch = store._environment._watch
        assert watch is not None
        watch.before_write()  # as a thread does that writes now
        size, state_of = (tmp_path / "store" / "data.mdb").stat().st_size, DataFile.state
        (tmp_path / "store" / "data.mdb").touch()
        looks: list[State] = []

        def state(file: DataFile) -> State:
            measured = state_of(file)
            looks.append(measured)
            if len(looks) == 2:  # once the file is seen to be another: the other thread has just ended
                watch._known = (measured[0], measured[1] + 4096, measured[2] + 1)
            return measured

        monkeypatch.setattr(DataFile, "state", state)
        watch.look()
        monkeypatch.undo()
        watch.after_write()
        assert len(looks) == 2
        assert (tmp_path / "store" / "data.mdb").stat().st_size == size
        assert store.count("tic-tac-toe") == 0
