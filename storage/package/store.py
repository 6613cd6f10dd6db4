"""A package as a store that can only be read: in a directory, or behind a URL on any server of static files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar, NoReturn
from urllib.parse import unquote, urlsplit

from proofbase.engine.records import Claim, MalformedRecordError
from proofbase.storage.annotations import AnnotationStore
from proofbase.storage.arguments import check_limit
from proofbase.storage.auditing import tally
from proofbase.storage.capabilities import Capability
from proofbase.storage.entries import Audit, GameEntry, Job, PutResult, Source
from proofbase.storage.errors import JobNotFoundError, StoreClosedError, StoreReadOnlyError, UnsupportedOperationError
from proofbase.storage.estimates import EstimateStore, MemoryEstimates
from proofbase.storage.package.annotations import PackedAnnotations
from proofbase.storage.package.blocks import BlockReader, Damage, PackedTables
from proofbase.storage.package.folders import Folder, LocalFolder
from proofbase.storage.package.http_folder import HttpFolder, folder_at
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.store import SolutionStore

__all__ = ["PackageStore", "open_folder"]


def open_folder(url: str) -> Folder:
    """The place of a package: `https://host/folder`, `http://...`, `file:///directory`, or a directory.

    Nothing is read.

    Raises:
        ValueError: the URL names no host or no directory.
    """
    scheme = urlsplit(url).scheme.lower()
    if scheme in ("http", "https"):
        return HttpFolder(url)
    if scheme != "file":
        return LocalFolder(Path(url))
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise ValueError(f"write file:///directory with three slashes, not {url!r}")
    return LocalFolder(Path(unquote(parts.path)))


class PackageStore(SolutionStore):
    """The records and tables of a package (docs/packages.md). Every write raises StoreReadOnlyError.

    The manifest is read when the store is opened, all else when it is asked for. Each block is held against its
    checksum, and kept. What is published anew meanwhile is noticed as damage: then open the store again.
    """

    capabilities: ClassVar[frozenset[Capability]] = frozenset(
        {
            Capability.SCAN,
            Capability.SCAN_BELOW,
            Capability.SNAPSHOT,
            Capability.FINGERPRINT,
            Capability.AUDIT,
            Capability.SOURCES,
            Capability.PLAIN_GAMES,
            Capability.GENERATION,
        }
    )
    read_only = True
    published = True

    def __init__(self, folder: Folder) -> None:
        """Reads the manifest.

        Raises:
            StoreNotFoundError, NotAStoreError, StoreVersionError, StoreDamagedError: there is no package that this
                release can read.
            StoreUnavailableError: nobody answers.
        """
        self.url = folder.url
        self.folder = folder
        self.manifest = Manifest.read(folder.manifest(), folder.url)
        if folder.remote:
            folder.places = (folder, *filter(None, map(folder_at, self.manifest.mirrors)))
        self.downloads = folder.remote
        self._reader = BlockReader(folder, self.manifest.parts)
        self._estimates = MemoryEstimates(lambda game, version: self._refuse())
        self._annotations = PackedAnnotations(self.manifest, self.url, self._refuse)
        self._closed = False

    @property
    def reader(self) -> BlockReader:
        """Reads single blocks."""
        return self._reader

    def games(self) -> list[GameEntry]:
        self._check_open()
        solutions = sorted(self.manifest.solutions.items())
        return [
            GameEntry(name, solution.rules_version, solution.records, 0, 1, solution.fingerprint)
            for name, solution in solutions
        ]

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        self._check_open()
        all_keys = list(keys)
        solution = self.manifest.solutions.get(game)
        if solution is None or not solution.records:
            return [None] * len(all_keys)
        by_key: dict[bytes, bytes] = {}
        for wanted, records in self._reader.records_of(solution.index, sorted(set(all_keys))):
            if isinstance(records, Damage):
                errors = [self._fault(game, key, records) for key in wanted]
                if faults is None:
                    raise errors[0]
                faults += errors
                continue
            by_key.update((key, records[key]) for key in wanted if key in records)
        return list(map(by_key.get, all_keys))

    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        check_limit(limit)
        self._check_open()
        solution = self.manifest.solutions.get(game)
        if solution is None or not solution.records or limit == 0:
            return
        records_left = solution.records if limit is None else limit
        for part in self._reader.scan(solution.index, after):
            if isinstance(part, tuple):
                block, damage = part
                fault = self._fault(game, block.first, damage)
                if faults is None:
                    raise fault
                faults.append(fault)
                continue
            if after is not None and part[0][0] <= after:
                part = [item for item in part if item[0] > after]
            yield from part[:records_left]
            records_left -= len(part)
            if records_left <= 0:
                return

    def count(self, game: str) -> int:
        self._check_open()
        return self.manifest.solutions[game].records if game in self.manifest.solutions else 0

    def generation(self, game: str) -> int:
        return 1 if self.count(game) else 0

    def removals(self, game: str) -> int:
        self._check_open()
        return 0

    def fingerprint(self, game: str) -> int | None:
        self._check_open()
        return self.manifest.solutions[game].fingerprint if game in self.manifest.solutions else 0

    def audit(self, game: str, progress: Callable[[int], object] | None = None) -> Audit:
        self._check_open()
        solution = self.manifest.solutions.get(game)
        if solution is None:
            return Audit(0, 0, 0, 0, 0, 0)
        faults: list[MalformedRecordError] = []
        counted, total = tally(game, self.scan(game, faults=faults), faults, progress)
        return Audit.of(1, solution.records, solution.fingerprint, counted, total, len(faults))

    def sources(self, first: int = 1) -> list[Source]:
        self._check_open()
        return self.manifest.sources[first - 1 :]

    def packed_tables(self, game: str) -> PackedTables | None:
        self._check_open()
        solution = self.manifest.solutions.get(game)
        if solution is None or not solution.tables:
            return None
        return PackedTables(self._reader, solution.tables)

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        self._check_open()
        return iter(())

    def annotations(self) -> AnnotationStore:
        self._check_open()
        return self._annotations

    def estimates(self) -> EstimateStore:
        self._check_open()
        return self._estimates

    def contents(self) -> NoReturn:
        raise UnsupportedOperationError(
            f"{self.url} is a package: `proofbase check-package URL --keep DIRECTORY` copies it, as it is"
        )

    # There are no jobs in a package.

    def get_job(self, job_id: str) -> Job | None:
        self._check_open()
        return None

    def list_jobs(
        self,
        states: Collection[str] | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        before: str | tuple[float, str] | None = None,
    ) -> list[Job]:
        self._check_open()
        check_limit(limit)
        if isinstance(before, str):
            raise JobNotFoundError(before)
        return []

    def checkpoint(self, job_id: str) -> Iterator[bytes]:
        self._check_open()
        return iter(())

    # Nothing can be written.

    def put_many(
        self,
        game: str,
        items: Iterable[tuple[bytes, bytes]],
        *,
        source: str,
        rules_version: int,
        whole: bool = False,
        instead_of: Mapping[bytes, Collection[Claim]] | None = None,
        removals: int | None = None,
    ) -> PutResult:
        self._refuse()

    def recount(self, game: str, audit: Audit) -> bool:
        self._refuse()

    def quarantine(
        self,
        game: str,
        keys: Iterable[bytes],
        reason: str,
        *,
        claims: Mapping[bytes, Collection[Claim]] | None = None,
    ) -> int:
        self._refuse()

    def put_job(self, job: Job) -> None:
        self._refuse()

    def replace_job(self, job: Job, updated: float) -> bool:
        self._refuse()

    def prune_jobs(self, states: Collection[str], *, updated_before: float, keep: int) -> int:
        self._refuse()

    def append_checkpoint(self, job_id: str, chunk: bytes) -> None:
        self._refuse()

    def drop_checkpoint(self, job_id: str) -> None:
        self._refuse()

    def close(self) -> None:
        self._closed = True
        for place in self.folder.places:
            place.close()

    def _fault(self, game: str, key: bytes, damage: Damage) -> MalformedRecordError:
        return MalformedRecordError(str(damage), game=game, key=key)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError(f"the store {self.url} is closed")

    def _refuse(self) -> NoReturn:
        self._check_open()
        raise StoreReadOnlyError(f"{self.url} is a package: it can only be read")
