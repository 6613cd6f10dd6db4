"""Copies of whole stores are checked by the rules before they appear, like everything that comes into a store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from filled_stores import everything, fill_store, random_items

from proofbase.engine import open_game
from proofbase.engine._core import TableWork
from proofbase.service.application import open_application
from proofbase.service.client.local import LocalClient
from proofbase.service.commands.stores.copy_checked import copy_checked
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.resources import games
from proofbase.service.resources.record_cache import RecordCache
from proofbase.storage import Record, StoreError, encode_record, open_store
from proofbase.storage.progress import ignore_progress

GAME = "tic-tac-toe"


def with_a_false_rank(url: str) -> bytes:
    """Makes a store whose first position is worth what it is worth, but sooner than it can be. Returns its key."""
    with open_application(url) as app:
        LocalClient(app, "").solve(GAME)
    game = open_game(GAME)
    key = game.key(game.initial())
    with open_store(url) as store:
        record = store.get(GAME, key)
        assert record is not None
        claim = replace(record.claims[0], rank=1, source=None)
        put = store.put_many(GAME, [(key, encode_record(Record.of([claim])))], source="x", rules_version=1)
        assert put.improved == 1
    return key


@pytest.mark.parametrize("rules", ["native", "native, not in memory", "python"])
@pytest.mark.parametrize("way", ["a to b", "a to database", "database to b"])
def test_of_a_store_with_a_false_record_there_is_no_copy(
    way: str, rules: str, tmp_path: Path, migrated_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The children of what is checked stand in memory, or in the copy."""
    places = {"a": str(tmp_path / "a"), "b": str(tmp_path / "b"), "database": migrated_database}
    source, target = map(places.__getitem__, way.split(" to "))
    key = with_a_false_rank(source)
    if rules == "native, not in memory":
        monkeypatch.setattr(RecordCache, "records", lambda *_: None)
    elif rules == "python":  # as on an installation without the core
        monkeypatch.setattr(games, "default_rules", lambda: "python")
    before = list(tmp_path.iterdir())
    with pytest.raises(UnsoundRecordsError, match=rf"no copy: at least 1 records .* key {key.hex()}, .* rank 1"):
        copy_checked(source, target, ignore_progress)
    assert list(tmp_path.iterdir()) == before
    if target == migrated_database:
        with open_store(target) as store:
            assert store.games() == [] and store.sources() == []
    with open_store(source) as store:
        store.quarantine(GAME, [key], "false")
        expected = everything(store)
    copy_checked(source, target, ignore_progress)
    with open_store(target) as copy:
        assert everything(copy) == expected and copy.count(GAME) > 100


def test_games_that_cannot_be_opened_are_named_together(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a")) as store:
        fill_store(store, 20)
        later = open_game(GAME).rules_version + 1
        store.put_many(GAME, random_items(1, 5), source="x", rules_version=later)
    with pytest.raises(StoreError, match=r"(?s)no copy.*--plugin.*: g \(.*, höher:n=2 \(.*, tic-tac-toe \(.*version"):
        copy_checked(str(tmp_path / "a"), str(tmp_path / "b"), ignore_progress)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("target", ["directory", "database"])
def test_claims_by_tables_are_checked_with_the_tables_of_the_source(
    target: str, tmp_path: Path, migrated_database: str
) -> None:
    start, a = "0,0,0,1,1,1/0,2,0,1,1,0/S", str(tmp_path / "a")
    with open_application(a) as app:
        assert TableWork(open_game("awari"), str(tmp_path / "a" / "tables"), 5).build()
        assert LocalClient(app, "").solve("awari", start).result.records > 0
    url = str(tmp_path / "b") if target == "directory" else migrated_database
    copied = copy_checked(a, url, ignore_progress)
    assert copied[0].records > 0
    if target == "database":
        with pytest.raises(UnsoundRecordsError, match="not at hand"):
            copy_checked(url, str(tmp_path / "c"), ignore_progress)
        assert copy_checked(url, str(tmp_path / "c"), ignore_progress, tmp_path / "a" / "tables") == copied
