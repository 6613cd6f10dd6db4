"""From one store to another, of any kinds: everything, compared by the fingerprints of what was read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from proofbase.engine.records import MalformedRecordError
from proofbase.storage.checksums import FINGERPRINT_LIMIT, fingerprint_of, game_seed
from proofbase.storage.contents import Contents, GameContents
from proofbase.storage.entries import Job
from proofbase.storage.errors import StoreDamagedError
from proofbase.storage.filling import Filling
from proofbase.storage.progress import OnProgress, ignore_progress
from proofbase.storage.store import SolutionStore
from proofbase.storage.urls import open_filling, open_store, store_class, store_directory

__all__ = ["CopiedGame", "copy_store", "fill"]

BATCH = 10_000


def copy_store(
    source_url: str, target_url: str, check: Callable[[SolutionStore], None], on_progress: OnProgress = ignore_progress
) -> list[CopiedGame]:
    """Copies a store of any kind to a new one of any kind, while it is used, and reads the copy back.

    A directory is copied to a directory with its tables of values. All other copies hold everything but these.

    Args:
        source_url: the store.
        target_url: a directory that must not exist or be empty, or a migrated database that holds nothing.
        check: is given the copy, to be read, before it appears. What it raises ends the copy, and there is none.
        on_progress: told how far it is.

    Returns:
        The games of the copy.

    Raises:
        NotAStoreError: the target is not empty.
        StoreDamagedError: the source is damaged; there is no copy then.
        StoreError: the source cannot be read, or the copy not be written; there is no copy then.
        ValueError: a URL names no known kind of store, or one that is not kept.
    """
    source_directory, target_directory = store_directory(source_url), store_directory(target_url)
    if source_directory is not None and target_directory is not None:
        from proofbase.storage.lmdb.maintenance.hot_copy import hot_copy  # imports lmdb

        audits = hot_copy(source_directory, target_directory, check, on_progress)
        return [CopiedGame(name, audit.records, audit.fingerprint) for name, audit in audits.items()]
    if store_class(source_url).temporary:
        raise ValueError("a memory store ends with its process: it cannot be copied")
    with open_store(source_url, read_only=True, create=False) as source, open_filling(target_url) as filling:
        return fill(source, filling, check, on_progress)


@dataclass(frozen=True, slots=True)
class CopiedGame:
    """A game in a copy, as it was read back.

    Attributes:
        name: of the game.
        records: how many.
        fingerprint: of its claims, 0..2**64-1.
    """

    name: str
    records: int
    fingerprint: int


def fill(
    source: SolutionStore, filling: Filling, check: Callable[[SolutionStore], None], on_progress: OnProgress
) -> list[CopiedGame]:
    """Copies everything that a store holds at one moment, reads it back, and finishes the copy.

    Args:
        source: is read only.
        filling: the copy; it is finished if all is well, and otherwise left unfinished.
        check: is given the copy before it is finished.
        on_progress: told how far it is.

    Raises:
        StoreDamagedError: a row of the source is damaged, or the copy is not what was read.
        StoreError: the source cannot be read, or the copy not be written.
    """
    with source.contents() as contents:
        games = contents.games()
        total = sum(game.records for game in games)
        filling.add_sources(contents.sources())
        read: dict[str, tuple[int, int]] = {}
        before = 0
        for game in games:
            counted = _Counted(game, contents, on_progress, before, total)
            filling.add_game(game, counted)
            read[game.name] = counted.records, counted.fingerprint % FINGERPRINT_LIMIT
            before += counted.records
            _compare(game, *read[game.name])
            filling.add_quarantined(game.name, contents.quarantined(game.name))
            filling.add_estimates(game.name, contents.estimates(game.name))
        filling.add_annotations(contents.annotations())
        on_progress("copy jobs", 0, None, "jobs")
        filling.add_jobs(_jobs(contents))
    with source.tokens() as kept:
        filling.add_tokens(kept.all())
    copied, done = [], 0
    on_progress("read back", 0, total, "records")
    for name, audit in filling.audits():
        done += audit.records
        on_progress("read back", done, total, "records")
        if audit.damaged or (audit.records, audit.fingerprint) != read[name]:
            raise StoreDamagedError(
                f"the copy of {name} holds {audit.records} records with the fingerprint {audit.fingerprint:016x}, and "
                f"{read[name][0]} with {read[name][1]:016x} were read: there is no copy"
            )
        copied.append(CopiedGame(name, audit.records, audit.fingerprint))
    check(filling.store)
    filling.finish()
    return copied


class _Counted(Iterable[tuple[bytes, bytes]]):
    """The records of a game, counted and added up while they are read."""

    def __init__(
        self, game: GameContents, contents: Contents, on_progress: OnProgress, before: int, total: int
    ) -> None:
        self.records = 0
        self.fingerprint = 0
        self._game = game
        self._contents = contents
        self._on_progress = on_progress
        self._before = before
        self._total = total

    def __iter__(self) -> Iterator[tuple[bytes, bytes]]:
        seed = game_seed(self._game.name)
        try:
            for item in self._contents.records(self._game.name):
                self.fingerprint += fingerprint_of(seed, (item,))
                self.records += 1
                if not self.records % BATCH:
                    self._on_progress("copy", self._before + self.records, self._total, "records")
                yield item
        except MalformedRecordError as error:
            raise StoreDamagedError(
                f"{error}: `proofbase verify --quarantine` moves damaged records aside; there is no copy"
            ) from None


def _compare(game: GameContents, records: int, fingerprint: int) -> None:
    known = game.fingerprint
    if records != game.records or (known is not None and known != fingerprint):
        raise StoreDamagedError(
            f"the store counts {game.records} records of {game.name} with the fingerprint "
            f"{'-' if known is None else f'{known:016x}'}, and {records} with {fingerprint:016x} are there "
            "(`proofbase store check` tells more); there is no copy"
        )


def _jobs(contents: Contents) -> Iterator[tuple[Job, Iterator[bytes]]]:
    """The jobs, listed before their checkpoints are read: a database reads one list at a time."""
    for job in list(contents.jobs()):
        yield job, contents.checkpoint(job.id)
