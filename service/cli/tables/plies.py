"""What `proofbase tables stats` tells of tables of plies: how many positions last how long, and a longest one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.service.cli import screen

if TYPE_CHECKING:
    from proofbase.engine._core import Tables
    from proofbase.engine.tables import PythonTables

__all__ = ["plies_of_table", "print_plies"]

MOST_ROWS = 20
"""Rows of a histogram on the screen: longer ones have several numbers of plies a row."""


def plies_of_table(game: Any, tables: Tables | PythonTables, table_class: int) -> dict[str, Any]:
    """The members of a table's JSON object that are about plies; none of a table that holds no plies.

    `plies` has for each number of plies the positions won and lost in so many, `longest` the largest number, and
    `longest_position` the first position that takes so many.
    """
    histogram = tables.plies_histogram(table_class)
    if not histogram:
        return {}
    counts: dict[int, dict[str, int]] = {}
    for value, plies, count, _ in histogram:
        counts.setdefault(plies, {"win": 0, "loss": 0})["win" if value > 0 else "loss"] += count
    _, longest, _, first = histogram[-1]
    position = tables.position(table_class, first)
    return {"plies": counts, "longest": longest, "longest_position": game.text(position)}


def print_plies(row: dict[str, Any]) -> None:
    """Prints the histogram of a table and its longest position, if it holds plies."""
    if "plies" not in row:
        return
    screen.say(f"\n{row['table']}: the longest game takes {row['longest']} plies from")
    screen.say(f"  {row['longest_position']}")
    width = row["longest"] // MOST_ROWS + 1
    cells = []
    for first in range(0, row["longest"] + 1, width):
        last = min(first + width - 1, row["longest"])
        inside = [counts for plies, counts in row["plies"].items() if first <= plies <= last]
        span = f"{first}" if first == last else f"{first} to {last}"
        cells.append((span, *(f"{sum(counts[name] for counts in inside):,}" for name in ("win", "loss"))))
    screen.print_table(("plies", "won", "lost"), cells, right=("plies", "won", "lost"))
