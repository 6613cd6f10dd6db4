"""What a build or a verification of tables will need, said before it begins, and refused where it is too much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofbase.service.cli.exits import UsageError

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry
    from proofbase.engine.tables import TableInfo

__all__ = ["say_build_needs", "say_verification_needs"]


@dataclass(frozen=True, slots=True)
class Needs:
    """What the work on one table needs, in bytes.

    Attributes:
        table: its name.
        memory: at most.
        least_memory: with which it can be done.
        parts: in so many it is done; 0: as a whole.
    """

    table: str
    memory: int
    least_memory: int
    parts: int


def say_build_needs(missing: Sequence[TableEntry | TableInfo], memory: int | None, disk: int | None) -> None:
    """Says what a build needs; UsageError if that is more than it was given. Then nothing has been written."""
    needs = [Needs(one.name, one.build_memory, one.build_least_memory, one.build_parts) for one in missing]
    on_disk = sum(entry.build_file for entry in missing) + max(entry.build_checkpoint for entry in missing)
    _say(needs, sum(entry.entries for entry in missing), on_disk, memory, disk)


def say_verification_needs(tables: Sequence[TableEntry | TableInfo], memory: int | None, disk: int | None) -> None:
    """The same for a verification; nothing is said where no limit was given."""
    if memory is None and disk is None:
        return
    needs = [Needs(one.name, one.verify_memory, one.verify_least_memory, one.verify_parts) for one in tables]
    on_disk = max(entry.verify_disk for entry in tables)
    _say(needs, sum(entry.entries for entry in tables), on_disk, memory, disk)


def _say(needs: Sequence[Needs], entries: int, on_disk: int, memory: int | None, disk: int | None) -> None:
    from proofbase.service.cli import screen
    from proofbase.service.words.amounts import bytes_text

    largest = max(needs, key=lambda one: one.memory)
    in_memory = bytes_text(largest.memory)
    if memory is not None and largest.memory > memory:
        demanding = max(needs, key=lambda one: one.least_memory)
        least, given = bytes_text(demanding.least_memory), bytes_text(memory)
        raise UsageError(f"table {demanding.table} needs {least} of memory at least, more than --memory {given}")
    if disk is not None and on_disk > disk:
        raise UsageError(f"the files need up to {bytes_text(on_disk)}, more than --disk {bytes_text(disk)}")
    in_parts = [one for one in needs if one.parts]
    most = max(in_parts, key=lambda one: one.parts, default=None)
    parts = "" if most is None else f"; {len(in_parts)} of them in parts, {most.table} in {most.parts}"
    screen.note(
        f"proofbase: {screen.amount(len(needs), 'table')} with {entries:,} entries: up to {in_memory} of memory "
        f"({largest.table}), up to {bytes_text(on_disk)} on the disk{parts}"
    )
