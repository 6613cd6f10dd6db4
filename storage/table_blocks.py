"""Tables of values that a store itself holds, block by block; those of a directory are files that others read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["TableBlocks", "TableDescription"]


@dataclass(frozen=True)
class TableDescription:
    """What is said of a table beside its entries; docs/tables.md says what the words mean.

    Attributes:
        name: of the table, as in records.
        entries: how many it has.
        bits: of an entry.
        lowest: the value of an entry 0.
        plies: whether its entries are plies to the end of the game.
        rules_fingerprint: of the rules and the numbering.
        block_entries: entries of a block, but for the last one.
    """

    name: str
    entries: int
    bits: int
    lowest: int
    plies: bool
    rules_fingerprint: int
    block_entries: int


class TableBlocks(ABC):
    """The tables of one game. Thread-safe."""

    @property
    @abstractmethod
    def tables(self) -> Mapping[str, TableDescription]:
        """The tables, by name."""

    @abstractmethod
    def block(self, name: str, number: int) -> bytes:
        """The entries of a block, less the lowest value: one byte each; two, little-endian, of more than 8 bits.

        Raises:
            StoreDamagedError: the block is damaged.
        """

    @abstractmethod
    def read_ahead(self, places: Iterable[tuple[str, int]]) -> None:
        """Reads and keeps the blocks of some entries (name of the table, number), by as few requests as possible."""
