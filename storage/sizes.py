"""How much room a store takes, and who reads it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Part", "Reader", "StoreSizes"]


@dataclass(frozen=True, slots=True)
class Part:
    """One database of an LMDB store, or one table of a database.

    Attributes:
        name: what it is called in the store.
        rows: how many rows it has; an estimate in PostgreSQL.
        bytes: what it takes, indexes included.
        dead_rows: rows that are deleted and still take room, by an estimate.
    """

    name: str
    rows: int
    bytes: int
    dead_rows: int = 0


@dataclass(frozen=True, slots=True)
class Reader:
    """A process that has an LMDB store open.

    Attributes:
        pid: its number.
        behind: commits since the one that its oldest open scan sees; None without an open scan. The pages of all
            commits since then cannot be used again until the scan ends.
    """

    pid: int
    behind: int | None


@dataclass(frozen=True, slots=True)
class StoreSizes:
    """How much room a store takes.

    Attributes:
        total_bytes: of the data file, or of all tables with their indexes.
        used_bytes: of the pages that hold something; None where that is not known.
        free_bytes: of the pages of the file that are used again before the file grows; None where that is not known.
        map_bytes: how far the file may grow before its map is doubled; None without a map.
        readers: processes that have it open, with those of this process.
        cleared_readers: entries of processes that were killed, which were cleared just now.
        parts: the databases or tables.
    """

    total_bytes: int
    used_bytes: int | None = None
    free_bytes: int | None = None
    map_bytes: int | None = None
    readers: tuple[Reader, ...] = ()
    cleared_readers: int = 0
    parts: tuple[Part, ...] = ()
