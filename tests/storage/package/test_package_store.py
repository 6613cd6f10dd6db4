"""The reading half of the conformance suite: every put is published anew, and read over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_packages import make_solution
from range_server import FileServer, serving

from proofbase.storage import PutResult, open_store
from proofbase.storage.capabilities import Capability
from proofbase.storage.memory import MemoryStore
from proofbase.storage.package import PackageStore, open_folder
from proofbase.storage.package.folders import Folder
from proofbase.storage.package.source_numbers import SourceNumbers
from proofbase.storage.package.writing import write_manifest
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing import StoreConformance


def publish_all(store: SolutionStore, directory: Path) -> None:
    """Publishes all records of a store."""
    directory.mkdir()
    numbers = SourceNumbers(store.sources(), store.sources())
    solutions = []
    for number, entry in enumerate(store.games()):
        items = ((key, numbers.of(record)) for key, record in store.scan(entry.name))
        path = directory / f"{number}.blocks"
        solutions.append(make_solution(path, entry.name, items, rules_version=entry.rules_version))
    files = [entry["file"] for entry in solutions]
    write_manifest(directory, {"licence": "CC0-1.0"}, solutions, numbers.sources, files)


class PublishedStore(PackageStore):
    """A package that is published anew, in another folder, before it is read behind a put."""

    capabilities = PackageStore.capabilities - {Capability.GENERATION} | {Capability.PUT}

    def __init__(self, server: FileServer) -> None:
        self._server = server
        self._memory = MemoryStore()
        self._lock = threading.RLock()
        self._folders: list[Folder] = []
        self._publish()

    def _publish(self) -> None:
        name = f"version{len(self._folders)}"
        publish_all(self._memory, self._server.directory / name)
        super().__init__(open_folder(f"{self._server.url}/{name}"))
        self._folders.append(self.folder)
        self._has_changed = False

    def _check_open(self) -> None:
        super()._check_open()
        with self._lock:
            if self._has_changed:
                self._publish()

    def close(self) -> None:
        super().close()
        for folder in self._folders:
            folder.close()

    def put_many(self, game: str, items: Any, **settings: Any) -> PutResult:
        PackageStore._check_open(self)
        with self._lock:
            self._has_changed = True
            return self._memory.put_many(game, items, **settings)


class TestPackageStore(StoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SolutionStore]:
        with serving(tmp_path) as server, PublishedStore(server) as store:
            yield store


def test_urls_open_packages(tmp_path: Path) -> None:
    publish_all(MemoryStore(), tmp_path / "a package")
    with serving(tmp_path) as server:
        for url in ((tmp_path / "a package").as_uri(), f"{server.url}/a%20package", f"{server.url}/a%20package/"):
            with open_store(url) as store:
                assert store.games() == [] and store.read_only and store.url.startswith(url)
