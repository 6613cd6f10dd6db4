"""Checks the tables of a package: every entry as `tables verify` does it, or some entries by their moves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofbase.engine.errors import DamagedTableError, EngineError
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.commands.stores.check_store import StoreCheck
from proofbase.service.commands.transfer.packed_table_file import write_table_file
from proofbase.service.commands.transfer.verified_classes import LARGEST_SIZE, verified_classes
from proofbase.service.limits import Limits
from proofbase.service.resources.native import new_table_work, open_tables
from proofbase.service.resources.packed_tables import StoredTables
from proofbase.service.resources.table_memory import TableMemory
from proofbase.service.words.amounts import amount
from proofbase.storage import Report, StoreDamagedError
from proofbase.storage.table_blocks import TableAbout, TableBlocks

__all__ = ["TABLE_ENTRIES", "CheckedTables", "sampled_tables", "verified_tables"]

TABLE_ENTRIES = 1_000
"""Entries that are compared with their moves, of tables that are not verified."""
TRIES_FOR_AN_ENTRY = 1_000
"""Numbers that are drawn for one of them where few numbers have a position (Othello)."""


@dataclass(frozen=True, slots=True)
class CheckedTables:
    """The tables of a game after their check.

    Attributes:
        verified: those of which every entry is verified; None where there are none.
        offered: these, and those that could not be verified; None where there are none of the latter.
        entries: how many were verified; of a sample, how many were compared.
        left_out: what was not verified, and why; empty where all was.
    """

    verified: ValueTables | None = None
    offered: ValueTables | None = None
    entries: int = 0
    left_out: str = ""


def sampled_tables(
    rules: Game[Any], blocks: TableBlocks, size: int, seed: int, found: StoreCheck, report: Report, why: str
) -> CheckedTables:
    """Compares some entries of the tables of a package with their moves: that is no verification.

    Args:
        rules: the game by its rules in plain Python.
        blocks: of the tables.
        size: of the sample.
        seed: likewise.
        found: receives what is wrong.
        report: told how far it is.
        why: the tables are not verified.
    """
    abouts = list(blocks.tables.values())
    compared = _compared(rules, blocks, abouts, size, seed, found, report)
    return CheckedTables(None, StoredTables(rules, blocks), compared, _left_out(rules, abouts, compared, why))


def verified_tables(
    game: Game[Any],
    rules: Game[Any],
    blocks: TableBlocks,
    scratch: Path,
    limits: Limits,
    found: StoreCheck,
    report: Report,
) -> CheckedTables:
    """Verifies every entry of the tables of a package; a class that needs more memory than a job may use in parts.

    Of tables that cannot be verified some entries are compared.

    Args:
        game: by native rules.
        rules: by those in plain Python.
        blocks: of the tables.
        scratch: a new directory, where they are written as files.
        limits: of memory.
        found: receives what is wrong.
        report: told how far it is.
    """
    directory, others = scratch / "verified", scratch / "others"
    directory.mkdir(parents=True)
    others.mkdir()
    left: dict[str, str] = {}
    for name, about in blocks.tables.items():
        try:
            write_table_file(directory, rules, about, blocks, report)
            left[name] = f"it is of a size above {LARGEST_SIZE}"
        except (DamagedTableError, StoreDamagedError) as error:
            found.add("tables", name, str(error))
    entries, memory = 0, limits.job_memory_bytes
    try:
        work = new_table_work(game, directory, LARGEST_SIZE)
        plan = [table for table in work.plan(memory) if table.present]
        for table, failed, fault in verified_classes(work, plan, memory, report):
            if fault is not None and not failed:
                left[table.name] = fault
                _file(directory, table.name).rename(_file(others, table.name))
                continue
            del left[table.name]
            if failed:
                found.add("tables", table.name, str(fault))
                _file(directory, table.name).unlink()
                continue
            found.checked["tables"] = found.checked.get("tables", 0) + 1
            entries += table.entries
    except EngineError as error:
        left = dict.fromkeys(left, str(error))
    found.checked["entries of tables"] = found.checked.get("entries of tables", 0) + entries
    blocks_in_memory = TableMemory(limits.table_bytes)
    for name in left:
        if _file(directory, name).exists():
            _file(directory, name).rename(_file(others, name))
    verified = open_tables(game, directory, blocks_in_memory)
    if not left:
        return CheckedTables(verified, entries=entries)
    for path in directory.glob("*.table"):
        (others / path.name).symlink_to(path)
    abouts = [blocks.tables[name] for name in left]
    compared = _compared(rules, blocks, abouts, TABLE_ENTRIES, 0, found, report)
    why = _left_out(rules, abouts, compared, f"{abouts[0].name}: {left[abouts[0].name]}")
    return CheckedTables(verified, open_tables(game, others, blocks_in_memory), entries, why)


def _file(directory: Path, name: str) -> Path:
    return directory / f"{name.replace(':', '_')}.table"


def _left_out(rules: Game[Any], abouts: Sequence[TableAbout], compared: int, why: str) -> str:
    total = sum(about.entries for about in abouts)
    return (
        f"{amount(len(abouts), 'table')} of {rules.name} with {total:,} entries, {compared:,} of which were compared "
        f"with their moves ({why})"
    )


def _compared(
    rules: Game[Any],
    blocks: TableBlocks,
    abouts: Sequence[TableAbout],
    size: int,
    seed: int,
    found: StoreCheck,
    report: Report,
) -> int:
    """Compares entries that are drawn with the best of their moves. Returns how many."""
    tables = StoredTables(rules, blocks)
    chance = random.Random(f"{seed} {rules.name}")
    names = chance.choices(abouts, [about.entries for about in abouts], k=size)
    positions = []
    for about in names:
        of_values = about.name if rules.table_game.table_class(about.name) else about.name.removesuffix("-plies")
        for _ in range(1 if rules.table_game.tables_by_size else TRIES_FOR_AN_ENTRY):
            position = rules.table_game.table_position(of_values, chance.randrange(about.entries))
            if position is not None and (rules.table_game.tables_by_size or tables.value(position) is not None):
                positions.append((about.name, position))
                break
    for done, (name, position) in enumerate(positions):
        report("entries of tables", done, len(positions), "entries")
        fault = _entry_fault(rules.table_game, tables, position)
        if fault is not None:
            found.add("tables", name, f"{rules.table_game.text(position)}: {fault}")
    known = {(finding.where, finding.detail) for finding in found.findings}
    for name, message in tables.damaged():
        if (name, message) not in known:
            found.add("tables", name, message)
    found.checked["entries of tables"] = found.checked.get("entries of tables", 0) + len(positions)
    return len(positions)


def _entry_fault(rules: Game[Any], tables: ValueTables, position: Any) -> str | None:
    """What is wrong with the entry of a position, by its moves; None where it is their best."""
    value, end = tables.value(position), rules.terminal(position)
    if end is not None or value is None:
        return None if value in (end, None) else f"the game is over and worth {end}, and the table says {value}"
    worths: list[int] = []
    for move in rules.moves(position):
        child = rules.play(position, move)
        after = rules.terminal(child)
        if after is None:
            after = tables.value(child)
        if after is None:
            return f"the move {rules.move_text(position, move)} leads to a position without a value"
        worths.append(rules.reward(position, move) - after)
    return None if max(worths) == value else f"the table says {value}, and the best move is worth {max(worths)}"
