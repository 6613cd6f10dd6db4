"""Verifies tables of others, class by class, as `tables verify` does it: what is taken, and what a package says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from proofbase.storage import Report

if TYPE_CHECKING:
    from proofbase.engine._core import TableEntry, TableWork
    from proofbase.engine.tables import PythonTableWork, TableInfo

__all__ = ["LARGEST_SIZE", "VerifiedClass", "verified_classes"]

LARGEST_SIZE = 48
"""More stones or men than any table has."""


class VerifiedClass(NamedTuple):
    """What the verification of a table has found.

    Attributes:
        table: the table.
        failed: how many of its entries fail.
        fault: these in words, or why it could not be verified; None where all is well.
    """

    table: TableEntry | TableInfo
    failed: int = 0
    fault: str | None = None


def verified_classes(
    work: TableWork | PythonTableWork, plan: Sequence[TableEntry | TableInfo], memory: int, report: Report
) -> Iterator[VerifiedClass]:
    """Verifies tables one after the other, those that need more memory in parts.

    Each counts only together with the smaller ones that it needs: a file that the caller removes between two of them
    is missed by those that need it.

    Args:
        work: on the tables in a directory.
        plan: those to verify, smaller ones first.
        memory: bytes that the verification may take.
        report: told how far it is.

    Raises:
        DamagedTableError: a file cannot be opened.
        BrokenGameError: a user's game does not fit its tables.
    """
    for done, table in enumerate(plan):
        report(f"verify {table.name}", done, len(plan), "tables")
        try:
            found = work.verify(table.table_class, memory=memory)
        except ValueError as error:
            if type(error) is not ValueError:
                raise
            yield VerifiedClass(table, fault=str(error))
            continue
        if found is None or not found.failed:
            yield VerifiedClass(table)
            continue
        first = found.findings[0]
        such = f"such as {first.entry} ({first.rule}: {first.detail})"
        yield VerifiedClass(table, found.failed, f"{found.failed:,} entries fail, {such}")
