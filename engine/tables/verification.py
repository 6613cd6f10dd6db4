"""Verifies a table in plain Python by the rules forwards, whatever built it (docs/tables.md): for users' own games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_values import value_of_entry
from proofbase.engine.tables.building import Report
from proofbase.engine.tables.places import Places, Successors
from proofbase.engine.tables.reading import PythonTables

__all__ = ["TableFinding", "TableReport", "verified"]

MOST_FINDINGS = 1000
PIECE = 256
"""So many positions are treated between two reports."""


@dataclass(frozen=True, slots=True)
class TableFinding:
    """An entry of a table that fails the verification: by the rule `value`, `progress` or `damaged`."""

    entry: int
    value: int
    rule: str
    detail: str


@dataclass(slots=True)
class TableReport:
    """The verification of one table. The same as the native core's.

    Attributes:
        checked: entries looked at.
        failed: findings in all.
        findings: the first ones.
        longest: plies of the longest line to an end, or in a table of values to an end or out of the class.
        longest_entry: where it starts.
    """

    checked: int = 0
    failed: int = 0
    findings: list[TableFinding] = field(default_factory=list)
    longest: int = 0
    longest_entry: int = 0

    def add(self, entry: int, value: int, rule: str, detail: str) -> None:
        """Counts a finding."""
        self.failed += 1
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(TableFinding(entry, value, rule, detail))


def verified(game: Game[Any], tables: PythonTables, name: str, report: Report) -> TableReport:
    """Looks at every entry of a table.

    Args:
        game: the rules.
        tables: the tables of the game, which raise where they are damaged.
        name: of the table.
        report: is told how many positions were looked at.

    Raises:
        BrokenGameError: the numbers and the rules do not fit together.
        DamagedTableError: another table, one that this one rests on, is damaged.
    """
    outcome = TableReport()
    places = Places(game, name, tables.entry)
    held = list[int]()
    try:
        for number in range(places.table_class.entries):
            entry = tables.entry(name, number)
            held.append(0 if entry is None else entry)
    except DamagedTableError as error:
        outcome.add(len(held), 0, "damaged", str(error))
        return outcome
    outcome.checked = len(held)
    inside = dict[int, tuple[list[int], bool]]()
    for number, entry in enumerate(held):
        if number % PIECE == 0:
            report(number)
        found = places.successors(number)
        if places.plies:
            _check_plies(outcome, places, held, number, found)
            continue
        assert found is not None  # every number of a table of values has a position
        expected = found.finished
        if expected is None:
            worth = [reward - after for reward, after in found.outside]
            expected = max([*worth, *(-held[child] for child in found.inside)])
            if entry != 0:
                keeping = [child for child in found.inside if -held[child] == entry]
                inside[number] = keeping, entry in worth
        if expected != entry:
            outcome.add(number, entry, "value", f"it says {entry}, its moves make it {expected}")
    if not places.plies and outcome.failed == 0:
        _check_progress(outcome, held, inside)
    return outcome


def _check_plies(outcome: TableReport, places: Places, held: list[int], number: int, found: Successors | None) -> None:
    """An entry of plies has to be what the entries after its moves make of it: that is enough."""
    end_value, entry = places.game.table_end_value, held[number]
    if found is None:
        expected = 1
    elif found.finished is not None:
        expected = 0 if found.finished == 0 else 2
    else:
        after = [*(entry for _, entry in found.outside), *(held[child] for child in found.inside)]
        soonest = min((one for one in after if value_of_entry(one, end_value) < 0), default=None)
        drawn = any(value_of_entry(one, end_value) == 0 for one in after)
        expected = soonest + 1 if soonest is not None else 0 if drawn else max(after) + 1
    if expected != entry:
        value = value_of_entry(entry, end_value)
        outcome.add(number, value, "value", f"it says {_words(entry)}, its moves make it {_words(expected)}")
    elif entry - 2 > outcome.longest:
        outcome.longest, outcome.longest_entry = entry - 2, number


def _words(entry: int) -> str:
    return {0: "a draw", 1: "no position"}.get(entry, f"an end in {entry - 2} plies")


def _check_progress(outcome: TableReport, held: list[int], inside: dict[int, tuple[list[int], bool]]) -> None:
    """Every entry other than 0 has to get a layer, each only on account of lower ones (docs/tables.md).

    Args:
        outcome: receives what is found.
        held: the entries.
        inside: of each entry other than 0 that is not finished, the positions of the class after the moves that keep
            its value, and whether moves out of the class keep it.
    """
    layers = {number: 0 for number, value in enumerate(held) if value != 0 and number not in inside}
    waiting: dict[int, list[int]] = {}
    open_moves = dict[int, int]()
    found = list(layers)
    for number, (children, leaves) in inside.items():
        if not children or (leaves and held[number] > 0):
            layers[number] = 1
            found.append(number)
            continue
        open_moves[number] = 1 if held[number] > 0 else len(children)
        for child in children:
            waiting.setdefault(child, []).append(number)
    # Layers rise along the list: finished positions first, then those of layer 1, then those that follow from them.
    for number in found:
        for parent in waiting.get(number, ()):
            if parent in layers:
                continue
            open_moves[parent] -= 1
            if open_moves[parent] == 0:
                layers[parent] = layers[number] + 1
                found.append(parent)
    for number in inside:
        if number not in layers:
            outcome.add(number, held[number], "progress", "its value rests on a cycle")
    if found:
        outcome.longest_entry = found[-1]
        outcome.longest = layers[found[-1]]
