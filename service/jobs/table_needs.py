"""What a build or a verification of tables needs at most: memory, and room on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from proofbase.service.words.amounts import amount, bytes_text

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry

__all__ = ["TableNeeds"]


@dataclass(frozen=True, slots=True)
class TableNeeds:
    """The needs of work on some tables, one after the other. Memory and files are in bytes.

    Attributes:
        tables: how many.
        entries: of all of them.
        memory: of the table that takes most, and its name.
        least_memory: with which all of them can be done, and the name of the table that needs so much.
        disk: all files.
        disk_in_parts: all files where verifications keep no checkpoints.
        in_parts: how many tables are done in parts.
        most_parts: of one table, and its name.
    """

    tables: int
    entries: int
    memory: tuple[int, str]
    least_memory: tuple[int, str]
    disk: int
    disk_in_parts: int
    in_parts: int
    most_parts: tuple[int, str]

    @classmethod
    def of(
        cls, action: Literal["build", "verify"], tables: Sequence[TableEntry], *, compress: bool = False
    ) -> TableNeeds | None:
        """The needs of work on tables; None where there are none.

        Args:
            action: the work.
            tables: those that it is about.
            compress: whether each table is compressed when it is built: then it is there twice for a time.
        """
        if not tables:
            return None
        if action == "build":
            needs = [(table.build_memory, table.build_least_memory, table.build_parts) for table in tables]
            beside = [max(table.build_checkpoint, table.build_file * compress) for table in tables]
            disk = sum(table.build_file for table in tables) + max(beside)
            disk_in_parts = disk
        else:
            needs = [(table.verify_memory, table.verify_least_memory, table.verify_parts) for table in tables]
            disk = max(table.verify_disk for table in tables)
            disk_in_parts = max((table.verify_disk for table in tables if table.verify_parts), default=0)
        names = [table.name for table in tables]
        # The first one of the tables that need the same is named.
        memory, least_memory, parts = (
            max(zip((need[column] for need in needs), names, strict=True), key=lambda need: need[0])
            for column in range(3)
        )
        in_parts = sum(need[2] > 0 for need in needs)
        entries = sum(table.entries for table in tables)
        return cls(len(tables), entries, memory, least_memory, disk, disk_in_parts, in_parts, parts)

    @property
    def text(self) -> str:
        """For people, in one line."""
        memory, largest = self.memory
        number, table = self.most_parts
        parts = f"; {self.in_parts} of them in parts, {table} in {number}" if self.in_parts else ""
        return (
            f"{amount(self.tables, 'table')} with {self.entries:,} entries: up to {bytes_text(memory)} of memory "
            f"({largest}), up to {bytes_text(self.disk)} on the disk{parts}"
        )
