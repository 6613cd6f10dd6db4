"""What a store is, told by the store and, before it is opened, by the kind of its URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofbase.storage import open_store, store_class, store_directory, tables_directory


@pytest.mark.parametrize(
    ("url", "name", "shared", "migratable", "temporary", "directory"),
    [
        ("games", "LmdbStore", False, False, False, "games"),
        ("lmdb:///var/games", "LmdbStore", False, False, False, "/var/games"),
        ("LMDB:games%20of%20mine", "LmdbStore", False, False, False, "games of mine"),
        ("./odd:8080", "LmdbStore", False, False, False, "odd:8080"),
        ("memory:", "MemoryStore", False, False, True, None),
        ("postgresql://user@host/database", "PostgresStore", True, True, False, None),
        ("postgresql+psycopg://user@host/database", "PostgresStore", True, True, False, None),
    ],
)
def test_the_kind_of_a_url(
    url: str, name: str, shared: bool, migratable: bool, temporary: bool, directory: str | None
) -> None:
    kind = store_class(url)
    assert kind.__name__ == name
    assert (kind.shared, kind.migratable, kind.temporary) == (shared, migratable, temporary)
    assert store_directory(url) == (None if directory is None else Path(directory))


@pytest.mark.parametrize("url", ["mysql://host/x", "", "lmdb:", "lmdb://games"])
def test_urls_of_no_store(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|kind of store|slashes"):
        store_directory(url)


def test_an_open_store_tells_where_its_tables_are(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store")) as store:
        assert store.directory == tmp_path / "store" == store_directory(store.url)
        assert store.tables_directory == tables_directory(tmp_path / "store") == tmp_path / "store" / "tables"
    with open_store("memory:") as store:
        assert store.directory is None and store.tables_directory is None
