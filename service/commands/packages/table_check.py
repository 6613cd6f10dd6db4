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
from proofbase.service.commands.transfer.new_tables import LARGEST_SIZE, verified_classes
from proofbase.service.commands.transfer.packed_table_file import write_table_file
from proofbase.service.limits import Limits
from proofbase.service.resources.native import new_table_work, open_tables
from proofbase.service.resources.stored_tables import StoredTables
from proofbase.service.resources.table_memory import TableMemory
from proofbase.service.words.amounts import amount
from proofbase.storage import OnProgress, StoreDamagedError
from proofbase.storage.table_blocks import TableBlocks

__all__ = ["TABLE_ENTRIES", "CheckedTables", "TableCheck"]

TABLE_ENTRIES = 1_000
"""Entries that are compared with their moves, of tables that are not verified."""
TRIES_FOR_AN_ENTRY = 1_000
"""Numbers that are drawn to find an entry, where few numbers have a position (Othello)."""


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


class TableCheck:
    """The check of the tables of one game.

    Args:
        rules: the game by its rules in plain Python.
        blocks: of the tables.
        seed: of the entries that are drawn.
        found: receives what is wrong, and how much was checked.
        on_progress: told how far it is.
    """

    def __init__(
        self, rules: Game[Any], blocks: TableBlocks, seed: int, found: StoreCheck, on_progress: OnProgress
    ) -> None:
        self._rules, self._blocks, self._seed = rules, blocks, seed
        self._found, self._on_progress = found, on_progress

    def sampled(self, size: int, why: str) -> CheckedTables:
        """Compares so many entries with their moves: that is no verification, for which `why` is the reason."""
        names = list(self._blocks.tables)
        compared = self._compared(names, size)
        return CheckedTables(
            None, StoredTables(self._rules, self._blocks), compared, self._left_out(names, compared, why)
        )

    def verified(self, game: Game[Any], scratch: Path, limits: Limits) -> CheckedTables:
        """Verifies every entry; a class that needs more memory than a job may use in parts.

        Of tables that cannot be verified some entries are compared.

        Args:
            game: by native rules.
            scratch: a new directory, where they are written as files.
            limits: of memory.
        """
        directory, others = scratch / "verified", scratch / "others"
        directory.mkdir(parents=True)
        others.mkdir()
        faults: dict[str, str] = {}
        for name, about in self._blocks.tables.items():
            try:
                write_table_file(directory, self._rules, about, self._blocks, self._on_progress)
                faults[name] = f"it is of a size above {LARGEST_SIZE}"
            except (DamagedTableError, StoreDamagedError) as error:
                self._found.add("tables", name, str(error))
        entries, memory = 0, limits.job_memory_bytes
        try:
            work = new_table_work(game, directory, LARGEST_SIZE)
            plan = [table for table in work.plan(memory) if table.present]
            for table, failed, fault in verified_classes(work, plan, memory, self._on_progress):
                path = _file(directory, table.name)
                if fault is not None and not failed:
                    faults[table.name] = fault
                    path.rename(others / path.name)
                    continue
                del faults[table.name]
                if failed:
                    self._found.add("tables", table.name, str(fault))
                    path.unlink()
                    continue
                self._found.count_checked("tables", 1)
                entries += table.entries
        except EngineError as error:
            faults = dict.fromkeys(faults, str(error))
        self._found.count_checked("entries of tables", entries)
        for path in directory.glob("*.table"):
            if path.stem in {_file(directory, name).stem for name in faults}:
                path.rename(others / path.name)
            else:
                (others / path.name).symlink_to(path)
        blocks = TableMemory(limits.table_bytes)
        verified = open_tables(game, directory, blocks)
        if not faults:
            return CheckedTables(verified, entries=entries)
        first, reason = next(iter(faults.items()))
        left_out = self._left_out(list(faults), self._compared(list(faults), TABLE_ENTRIES), f"{first}: {reason}")
        return CheckedTables(verified, open_tables(game, others, blocks), entries, left_out)

    def _left_out(self, names: Sequence[str], compared: int, why: str) -> str:
        total = sum(self._blocks.tables[name].entries for name in names)
        return (
            f"{amount(len(names), 'table')} of {self._rules.name} with {total:,} entries, {compared:,} of which were "
            f"compared with their moves ({why})"
        )

    def _compared(self, names: Sequence[str], size: int) -> int:
        """Compares entries that are drawn with the best of their moves. Returns how many."""
        rules, tables = self._rules.table_game, StoredTables(self._rules, self._blocks)
        chance = random.Random(f"{self._seed} {self._rules.name}")
        abouts = [self._blocks.tables[name] for name in names]
        positions = []
        for about in chance.choices(abouts, [about.entries for about in abouts], k=size):
            of_values = about.name if rules.table_class(about.name) else about.name.removesuffix("-plies")
            for _ in range(1 if rules.tables_by_size else TRIES_FOR_AN_ENTRY):
                position = rules.table_position(of_values, chance.randrange(about.entries))
                if position is not None and (rules.tables_by_size or tables.value(position) is not None):
                    positions.append((about.name, position))
                    break
        for done, (name, position) in enumerate(positions):
            self._on_progress("entries of tables", done, len(positions), "entries")
            fault = _entry_fault(rules, tables, position)
            if fault is not None:
                self._found.add("tables", name, f"{rules.text(position)}: {fault}")
        known = {(finding.where, finding.detail) for finding in self._found.findings}
        for name, message in tables.damaged():
            if (name, message) not in known:
                self._found.add("tables", name, message)
        self._found.count_checked("entries of tables", len(positions))
        return len(positions)


def _file(directory: Path, name: str) -> Path:
    return directory / f"{name.replace(':', '_')}.table"


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
