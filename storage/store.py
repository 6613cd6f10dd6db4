"""The contract of a solution store."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import ClassVar

from proofbase.engine.records import Claim, MalformedRecordError, Record, decode_stored
from proofbase.storage.annotations import AnnotationStore
from proofbase.storage.capabilities import Capability
from proofbase.storage.closing import Closing
from proofbase.storage.contents import Contents
from proofbase.storage.entries import Audit, GameEntry, PutResult, Source
from proofbase.storage.errors import UnsupportedOperationError
from proofbase.storage.estimates import EstimateStore
from proofbase.storage.job_store import JobStore
from proofbase.storage.sizes import StoreSizes
from proofbase.storage.table_blocks import TableBlocks
from proofbase.storage.tokens import TokenStore

MAX_KEY_BYTES = 500
CHUNK_ITEMS = 50_000
CHUNK_BYTES = 16 << 20
FOLLOW_BATCH = 1000

GetMany = Callable[[list[bytes]], list[bytes | None]]


def tables_directory(directory: Path) -> Path:
    """Where the tables of values beside a store in a directory are."""
    return directory / "tables"


class SolutionStore(JobStore, Closing):
    """Keeps the records, estimates, jobs and checkpoints of any number of games.

    Records
        A record belongs to a game (by its canonical name) and a key of 1..500 bytes, which the store compares byte by
        byte and never interprets. Records go in and out as bytes of the record encoding (docs/record-encoding.md).
        Records that come out name their sources; records that go in do not. Merging keeps all undominated claims of
        both sides, so the order of puts never matters, except that a claim keeps the source that it first came from.

    Puts
        `put_many` works in chunks of at most 50,000 items or 16 MiB, or, with `whole`, in one chunk of any size. Each
        chunk is checked whole before anything of it is written. Then it is written whole and durably, or not at all:
        after an error (a malformed record, a contradiction, a full disk) or a killed process, the store is as it was
        after the last complete chunk.
        Items are accepted in any order; sorted ones are quicker in every backend. Records of two versions of one
        game's rules are never mixed. Puts that change nothing write nothing.

    Scans
        Keys ascend bytewise. A scan shows the store as it was at the first `next()`, whatever is written meanwhile. It
        is a generator and holds resources of the backend (pages of the file, a connection): exhaust or `close()` it.

    Threads and processes
        Every method may be called from any thread; reads never wait for writes; writes of one store follow one
        another. LMDB admits one writing process and any number of reading ones; PostgreSQL any number of both; a
        memory store belongs to its process. A store must not be used in a forked child.

    Generations
        `generation(game)` grows with every change of that game's records, also by other processes, so a cache that
        keeps the number can tell whether it is stale. It never decreases, and the same number means the same records.

    Damage
        Every read compares a record's checksum (a memory store needs none). A damaged record is never handed out:
        reading it raises `MalformedRecordError`, or adds that error to a list of faults and passes the record over. A
        put treats it as absent, and moves it to the quarantine.

    Fingerprints
        `fingerprint(game)` is a sum over the game's claims, of any order and sources, kept by every write as the count
        is. `audit` compares both with the records that are there (docs/store-format.md).

    Not guaranteed
        The store does not know any game: not whether a claim is true, a key canonical, or a witness legal.

    Errors
        Everything raised on purpose is a `StoreError` or, for arguments of a wrong form, a `ValueError`
        (storage/errors.py has the tree).

    Attributes:
        url: what was opened, without passwords.
        read_only: whether writes are refused with `StoreReadOnlyError`.
        capabilities: what of this contract the class offers.
        reads_wait: whether reading a few records may wait for a network or for a writer.
        downloads: whether reading asks for parts of files over a network: nobody reads whole games unasked.
        published: whether it is a package: its records and tables are the word of somebody else until they are checked.
        shared: whether several processes may write at a time. Where it is False, what this process has not written
            is unchanged.
        migratable: whether `proofbase.migrations` makes and upgrades the store's tables.
        temporary: whether the store is gone with the process that opened it.
        directory: the directory that holds the store; None for a store that is no directory.
    """

    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability)
    reads_wait: ClassVar[bool] = True
    downloads: bool = False
    published: ClassVar[bool] = False
    shared: ClassVar[bool] = False
    migratable: ClassVar[bool] = False
    temporary: ClassVar[bool] = False
    directory: Path | None = None
    url: str
    read_only: bool

    @property
    def revision(self) -> str | None:
        """The version of the format in which the store is kept; None for a store that is not kept."""
        return None

    @property
    def tables_directory(self) -> Path | None:
        """Where the tables of values beside this store are; None for a store that is no directory."""
        return None if self.directory is None else tables_directory(self.directory)

    def packed_tables(self, game: str) -> TableBlocks | None:
        """The tables of values that the store itself holds of a game; None where it holds none."""
        return None

    # Records

    @abstractmethod
    def games(self) -> list[GameEntry]:
        """All games of the store, by name."""

    def reading_together(self) -> AbstractContextManager[None]:
        """While the context lasts, reads of this thread may be of one moment: several of them cost less so.

        It is for short reads; iterators that a read returns must have come to their end before.
        """
        return nullcontext()

    @abstractmethod
    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        """The encoded records of the keys, in the order asked, None where there is none (or no such game).

        Args:
            game: canonical name.
            keys: any number of keys.
            faults: an error for each damaged record is added here, and the record counts as absent.

        Raises:
            MalformedRecordError: a record is damaged, and `faults` is not given.
        """

    def get(self, game: str, key: bytes) -> Record | None:
        """The record of one key, None when there is none.

        Raises:
            MalformedRecordError: its bytes are damaged.
        """
        data = self.get_many(game, [key])[0]
        return None if data is None else decode_stored(game, key, data)

    @abstractmethod
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
        """Merges records into the store.

        Args:
            game: canonical name, 1..100 characters; the first put of a name creates its entry.
            items: keys and encoded records without sources, in any order, lazily read.
            source: where they come from, 1..1000 characters; shown beside the claims and in contradictions.
            rules_version: version of the game's rules that they follow, at least 1.
            whole: all items are one chunk: no other write comes between, and after an error none of them is stored.
                They are held in memory, and other writers wait until all of them are written.
            instead_of: stored claims, without sources, of keys among the items: they go to the quarantine, in the same
                step as the items of these keys take their place.
            removals: `removals(game)` when it was checked that the items can be stored: they are refused if records
                have left the store since. None: whatever has left.

        Raises:
            ContradictionError: a new claim excludes a stored one (or two new ones each other).
            MalformedRecordError, KeySizeError, RulesVersionError, RecordOverflowError: an item is unacceptable.
            RecordsRemovedError: records have left the store since `removals`.
            StoreReadOnlyError, StoreFullError: the store cannot be written.
            In each case the chunk that the item belongs to is not stored; the chunks before it are.
        """

    @abstractmethod
    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        """Keys and encoded records of a game, keys ascending.

        Args:
            game: canonical name; an unknown one has no records.
            after: start behind this key, which need not exist.
            limit: at most so many records, 0 or more.
            faults: an error for each damaged record that is passed over is added here, before the next record comes.

        Raises:
            MalformedRecordError: at a damaged record, if `faults` is not given.
        """

    def scan_below(
        self,
        game: str,
        roots: Iterable[bytes],
        children: Callable[[list[bytes]], Iterable[bytes]],
        *,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        """Records that can be reached from `roots`, breadth first, each once, all of one moment.

        Args:
            game: canonical name.
            roots: keys to start from; those without a record are passed over.
            children: gives the keys to follow from a batch of at most 1000 keys that have records. Keys may repeat
                and need not have records.
            faults: as in `scan`.
        """
        seen = set()
        with self._snapshot(game, faults) as get_many:
            frontier = list(dict.fromkeys(roots))
            while frontier:
                seen.update(frontier)
                following: dict[bytes, None] = {}
                for start in range(0, len(frontier), FOLLOW_BATCH):
                    batch = frontier[start : start + FOLLOW_BATCH]
                    items = [(key, data) for key, data in zip(batch, get_many(batch), strict=True) if data is not None]
                    yield from items
                    if items:
                        reached = children([key for key, _ in items])
                        following.update(dict.fromkeys(key for key in reached if key not in seen))
                # Neighbours in the file are asked for together.
                frontier = sorted(following)

    def _snapshot(self, game: str, faults: list[MalformedRecordError] | None = None) -> AbstractContextManager[GetMany]:
        """A `get_many` of one moment; backends that write override it."""
        return nullcontext(lambda keys: self.get_many(game, keys, faults))

    @abstractmethod
    def count(self, game: str) -> int:
        """Number of records of a game, 0 for an unknown one."""

    @abstractmethod
    def generation(self, game: str) -> int:
        """Number that grows with every change of the game's records; 0 for an unknown one."""

    @abstractmethod
    def removals(self, game: str) -> int:
        """How often records or claims of a game have left the store for the quarantine; 0 for an unknown one.

        Who rests on stored records asks before looking at them, and has `put_many` compare. Of a store that only one
        process writes the number may begin again at 0 with each process.
        """

    @abstractmethod
    def fingerprint(self, game: str) -> int | None:
        """The fingerprint of a game's claims, 0..2**64-1; 0 for an unknown game; None while it is not known."""

    @abstractmethod
    def audit(self, game: str, progress: Callable[[int], object] | None = None) -> Audit:
        """Reads all records of a game and compares them with what the store keeps of them, as of one moment.

        Args:
            game: canonical name.
            progress: called with the number of records read so far, every 10,000 records; what it raises ends the
                audit.
        """

    @abstractmethod
    def recount(self, game: str, audit: Audit) -> bool:
        """Takes over the count and the fingerprint of an audit, durably.

        Returns:
            False where the records have changed since the audit, or there is no such game; then nothing has changed.

        Raises:
            ValueError: the audit saw damaged records.
        """

    @abstractmethod
    def sources(self, first: int = 1) -> list[Source]:
        """All sources from number `first` on, by number. Numbers are counted from 1 without gaps."""

    def close_sources(self, game: str) -> int:
        """Ends the sources of a game: claims that are put from now on have sources of higher numbers.

        A text that is given again gets a new number. So a verification that begins after this call has seen every claim
        of the game whose source has at most the returned number, and no claim that was put later has one.

        Returns:
            The highest number of a source so far, 0 if there is none or no such game.

        Raises:
            StoreReadOnlyError: the store cannot be written.
        """
        raise UnsupportedOperationError(f"{type(self).__name__} keeps no sources")

    @abstractmethod
    def quarantine(
        self,
        game: str,
        keys: Iterable[bytes],
        reason: str,
        *,
        claims: Mapping[bytes, Collection[Claim]] | None = None,
    ) -> int:
        """Moves records from the store proper to the quarantine, with the reason, in one durable step.

        A record that was quarantined under the same key before is replaced.

        Args:
            game: canonical name.
            keys: of the records.
            reason: shown with them, 1..1000 characters.
            claims: for keys of which only some claims go: these, without sources. The other claims stay. A damaged
                record goes whole.

        Returns:
            Of how many of the keys there was something to move.
        """

    @abstractmethod
    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        """Quarantined keys, encoded records and reasons, keys ascending."""

    # Beside records and jobs

    def estimates(self) -> EstimateStore:
        """What searches believe of open questions. Never a claim, and never served as a value."""
        raise UnsupportedOperationError(f"{type(self).__name__} keeps no estimates")

    def annotations(self) -> AnnotationStore:
        """What is said about positions and is no claim: when they were verified, and by what."""
        raise UnsupportedOperationError(f"{type(self).__name__} keeps no annotations")

    def tokens(self) -> TokenStore:
        """The clients that a server of this store knows; they can be changed beside the store's writer."""
        raise UnsupportedOperationError(f"{type(self).__name__} keeps no tokens")

    # The store as a whole

    def sizes(self) -> StoreSizes:
        """How much room the store takes, and who reads it. Entries of readers that were killed are cleared."""
        raise UnsupportedOperationError(f"{type(self).__name__} takes no room that could be told")

    def check_files(self) -> str | None:
        """Checks what the store's rows lie in, as far as that is not the matter of a database.

        Returns why it could not be checked; None where it is sound.

        Raises:
            StoreDamagedError: it is not sound.
        """
        return None

    def contents(self) -> AbstractContextManager[Contents]:
        """Everything that the store holds, as of one moment, for as long as the context lasts."""
        raise UnsupportedOperationError(f"{type(self).__name__} cannot be copied")

    # Life

    @abstractmethod
    def close(self) -> None:
        """Frees what the store holds. Afterwards every call but `close` raises `StoreClosedError`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r}{', read_only=True' if self.read_only else ''})"
