"""Annotations in the files of LMDB: old stores get their database, damaged rows count as absent."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import lmdb
import pytest
from lmdb_stores import change_database

from proofbase.storage import Annotation, StoreDamagedError, StoreError, open_store
from proofbase.storage.lmdb.rows import seal_row
from proofbase.storage.testing import encoded, lower

KEPT = [Annotation(f"n{number}", "verification", "g", b"k", float(number), {"by": "ä"}) for number in range(8, 0, -1)]


def test_a_store_of_an_earlier_release_has_no_annotations_and_takes_them(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store")) as store:
        store.put_many("g", [(b"k", encoded(lower(0, 7)))], source="s", rules_version=1)
    change_database(tmp_path / "store", b"annotations", lambda txn, database: txn.drop(database))
    with open_store(str(tmp_path / "store"), read_only=True) as store:
        assert store.annotations().of_keys("g", [b"k"]) == []
        with store.contents() as contents:
            assert list(contents.annotations()) == [] and [game.closed_sources for game in contents.games()] == [0]
    with open_store(str(tmp_path / "store")) as store:
        for entry in KEPT:
            store.annotations().put(entry)
        assert store.annotations().of_keys("g", [b"k"]) == KEPT
        assert store.close_sources("g") == 1
    with open_store(str(tmp_path / "store")) as store:
        store.put_many("g", [(b"l", encoded(lower(0, 7)))], source="s", rules_version=1)
        assert [source.number for source in store.sources()] == [1, 2], "what is closed stays closed"


def test_a_damaged_annotation_counts_as_absent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(str(tmp_path / "store")) as store:
        for entry in KEPT:
            store.annotations().put(entry)

    def damage(txn: lmdb.Transaction[bytes], database: lmdb._Database) -> None:
        for place, row in list(txn.cursor(database))[:3]:
            txn.put(place, row[:-1] + bytes([row[-1] ^ 1]), db=database)

    # A copy, since a store refuses a file that something else has written to.
    shutil.copytree(tmp_path / "store", tmp_path / "copy")
    (tmp_path / "copy" / "writer.lock").unlink(missing_ok=True)
    change_database(tmp_path / "copy", b"annotations", damage)
    with open_store(str(tmp_path / "copy")) as store:
        with caplog.at_level(logging.WARNING):
            assert store.annotations().of_keys("g", [b"k"]) == KEPT[:5]
        assert "it counts as absent" in caplog.text
        with store.contents() as contents:
            faults: list[Exception] = []
            assert len(list(contents.annotations(faults))) == 5 and len(faults) == 3  # type: ignore[arg-type]
        with store.contents() as contents, pytest.raises(StoreDamagedError):
            list(contents.annotations())
        assert store.annotations().drop("g", b"k", KEPT[-1].id), "a damaged one can be removed"


def test_notes_and_reports_of_unreleased_stores_are_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_store(str(tmp_path / "store")) as store:
        for entry in KEPT[:2]:
            store.annotations().put(entry)

    def add(txn: lmdb.Transaction[bytes], database: lmdb._Database) -> None:
        [first, *_] = txn.cursor(database).iternext(values=False)
        for kind in ("note", "report"):
            place = first + kind.encode()
            entry = json.loads(KEPT[0].to_json()) | {"id": "n1" + kind, "kind": kind}
            txn.put(place, seal_row("annotations", place, json.dumps(entry).encode()), db=database)

    change_database(tmp_path / "store", b"annotations", add)
    with open_store(str(tmp_path / "store")) as store:
        assert store.annotations().of_keys("g", [b"k"]) == KEPT[:2]
        with store.contents() as contents:
            faults: list[StoreError] = []
            assert sorted(contents.annotations(faults), key=lambda entry: entry.id) == KEPT[1::-1]
            assert faults == []
    assert caplog.text == ""
