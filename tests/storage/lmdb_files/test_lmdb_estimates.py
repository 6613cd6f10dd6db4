"""Estimates in the files of LMDB: old stores get their database, damaged rows count as absent."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import lmdb
import pytest
from lmdb_stores import change_database

from proofbase.storage import Estimate, open_store

ESTIMATES = [Estimate(bytes([number]), 0, 3, 4, 100 * number, 1.5, "df-pn", "job") for number in range(1, 9)]


def test_a_store_of_an_earlier_release_has_no_estimates_and_takes_them(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store")) as store:
        store.put_many("g", [], source="s", rules_version=1)
    for name in (b"estimates", b"question_holders"):
        change_database(tmp_path / "store", name, lambda txn, database: txn.drop(database))
    with open_store(str(tmp_path / "store"), read_only=True) as store:
        assert store.estimates().count() == 0 and list(store.estimates().scan("g")) == []
        assert store.estimates().get_many("g", [(b"k", 0)]) == [None]
        with store.contents() as contents:
            assert [list(contents.estimates(game.name)) for game in contents.games()] == []
    with open_store(str(tmp_path / "store")) as store:
        assert store.estimates().put_many("g", ESTIMATES, rules_version=1) == 8
        assert list(store.estimates().scan("g")) == ESTIMATES


def test_a_damaged_estimate_counts_as_absent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(str(tmp_path / "store")) as store:
        store.estimates().put_many("g", ESTIMATES, rules_version=1)

    def damage(txn: lmdb.Transaction[bytes], database: lmdb._Database) -> None:
        rows = list(txn.cursor(database))
        for place, row in rows[:3]:
            txn.put(place, row[:-1] + bytes([row[-1] ^ 1]), db=database)

    # A copy, since a store refuses a file that something else has written to.
    shutil.copytree(tmp_path / "store", tmp_path / "copy")
    (tmp_path / "copy" / "writer.lock").unlink(missing_ok=True)
    change_database(tmp_path / "copy", b"estimates", damage)
    with open_store(str(tmp_path / "copy")) as store:
        estimates = store.estimates()
        with caplog.at_level(logging.WARNING):
            assert estimates.get_many("g", [entry.question for entry in ESTIMATES]) == [None] * 3 + ESTIMATES[3:]
        assert "it counts as absent" in caplog.text
        assert list(estimates.scan("g")) == ESTIMATES[3:] and estimates.of_position("g", b"\1") == []
        with store.contents() as contents:
            faults: list[Exception] = []
            assert list(contents.estimates("g", faults)) == ESTIMATES[3:] and len(faults) == 3  # type: ignore[arg-type]
        assert estimates.put_many("g", ESTIMATES[:1], rules_version=1) == 1, "a new one takes its place"
        estimates.limit = 6
        estimates.put_many("g", [Estimate(b"new", 1, 1, 1, 900, 2.0)], rules_version=1)
        assert estimates.count() == 5, "damaged ones give way first"
        assert {entry.work for entry in estimates.scan("g")} == {500, 600, 700, 800, 900}
