"""What can go wrong with a store.

The tree (each class also subclasses the builtin in brackets):

    StoreError
    ├── StoreNotFoundError [FileNotFoundError]          there is no store at the URL
    ├── NotAStoreError [ValueError]                     something else is at the URL
    ├── StoreDamagedError [OSError]                     its files are not what they were: lost, cut short or changed
    ├── StoreVersionError                               written by a newer release, or to be migrated first
    ├── StoreLockedError [BlockingIOError]              another process writes to it
    ├── StoreReadOnlyError [PermissionError]            opened read-only, or not writable
    ├── TransientStoreError                             the same call may succeed later
    │   ├── StoreFullError [OSError]                    no room: the disk or the configured size
    │   ├── StoreUnavailableError [ConnectionError]     the database server does not answer
    │   └── StoreBusyError                              the database undid the transaction: another one was in its way
    ├── StoreClosedError [ValueError]                   used after close()
    ├── RulesVersionError [ValueError]                  the records of that game follow another version of its rules
    ├── KeySizeError [ValueError]                       a key is empty or too long
    ├── RecordError [ValueError]                        a record is at fault (engine/records/errors.py)
    │   ├── MalformedRecordError                        bytes that are no record
    │   ├── RecordOverflowError                         more undominated claims than a record holds
    │   └── ContradictionError                          lower > upper
    ├── RecordsRemovedError                             records that others may rest on have left the store meanwhile
    ├── JobNotFoundError [LookupError]                  no job of that id
    └── UnsupportedOperationError [NotImplementedError] this kind of store cannot do that (see `capabilities`)
"""

from __future__ import annotations

from proofbase.engine.records.errors import (
    ContradictionError,
    MalformedRecordError,
    RecordError,
    RecordOverflowError,
    StoreError,
)

__all__ = [
    "ContradictionError",
    "JobNotFoundError",
    "KeySizeError",
    "MalformedRecordError",
    "NotAStoreError",
    "RecordError",
    "RecordOverflowError",
    "RecordsRemovedError",
    "RulesVersionError",
    "StoreBusyError",
    "StoreClosedError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreLockedError",
    "StoreNotFoundError",
    "StoreReadOnlyError",
    "StoreUnavailableError",
    "StoreVersionError",
    "TransientStoreError",
    "UnsupportedOperationError",
]


class RecordsRemovedError(StoreError):
    """Records have left the store since a writer looked at them: it has to look once more."""


class StoreNotFoundError(StoreError, FileNotFoundError):
    """There is no store at the URL."""


class NotAStoreError(StoreError, ValueError):
    """The URL names something that is not a store of proofbase; nothing there was changed."""


class StoreDamagedError(StoreError, OSError):
    """The store's files were lost, cut short or changed by something else; nothing there was changed by us."""


class StoreVersionError(StoreError):
    """The format is newer than this release, or a database must be migrated first."""


class StoreLockedError(StoreError, BlockingIOError):
    """Another process has the store open for writing.

    Attributes:
        directory: the store's directory.
        pid: the process that holds the lock, None when its number could not be read.
    """

    def __init__(self, directory: str, pid: int | None) -> None:
        holder = "another process" if pid is None else f"process {pid}"
        super().__init__(
            f"the store {directory} is open for writing in {holder}; a store has one writer at a time "
            "(open it read-only, or ask the server that holds it)"
        )
        self.directory = directory
        self.pid = pid


class StoreReadOnlyError(StoreError, PermissionError):
    """A write to a store that was opened read-only or cannot be written."""


class TransientStoreError(StoreError):
    """Nothing is wrong with the call: when the disk has room or the database answers again, it may succeed.

    A connection that breaks during a commit leaves open whether the commit took place.
    """


class StoreFullError(TransientStoreError, OSError):
    """No room for the write; the chunk that did not fit was undone."""

    def __str__(self) -> str:
        return self.strerror or super().__str__()


class StoreUnavailableError(TransientStoreError, ConnectionError):
    """The database server refused the connection, broke it, or does not answer."""


class StoreBusyError(TransientStoreError):
    """The database undid the transaction for the sake of another one: a deadlock, or a wait that took too long."""


class StoreClosedError(StoreError, ValueError):
    """The store (or the process that opened it) is gone."""


class RulesVersionError(StoreError, ValueError):
    """Records of one game by two versions of its rules must not mix.

    Attributes:
        game: name of the game.
        stored: version of the rules that the stored records follow.
        given: version of the rules of the refused records.
    """

    def __init__(self, game: str, stored: int, given: int) -> None:
        super().__init__(f"the store holds records of {game} by rules version {stored}; these follow version {given}")
        self.game = game
        self.stored = stored
        self.given = given


class KeySizeError(StoreError, ValueError):
    """A key is empty or longer than every backend can hold."""


class JobNotFoundError(StoreError, LookupError):
    """No job of that id.

    Attributes:
        job_id: the id asked for.
    """

    def __init__(self, job_id: str) -> None:
        super().__init__(f"no job {job_id!r} in this store")
        self.job_id = job_id


class UnsupportedOperationError(StoreError, NotImplementedError):
    """This kind of store does not offer the operation; the `capabilities` of a store say what it offers."""
