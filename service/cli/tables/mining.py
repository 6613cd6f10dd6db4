"""`proofbase tables mine GAME --win-in N`: positions of the tables that could be problems."""

from __future__ import annotations

import random
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from proofbase.engine.games import open_game
from proofbase.engine.problems.problem import plies_of
from proofbase.engine.rules import open_rules
from proofbase.engine.tables import PythonTables, move_by_table
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import GameName, Json, Store, positive_count
from proofbase.service.cli.options import Tables as Directory
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.session import tables_directory_of
from proofbase.service.cli.tables.sizes import Names, names_of_size, size_option
from proofbase.service.resources.native import new_table_work, open_tables
from proofbase.service.words.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from proofbase.engine._core import TableEntry, Tables

__all__ = ["mine"]

CHUNK = 1 << 20
SMALL_SIZE = 3
"""Of tables that a message proposes to build: of this size they take seconds."""
"""Entries of a table between two reports."""

_Place: TypeAlias = "tuple[TableEntry, int]"


def mine(
    game: GameName,
    moves: Annotated[
        int, typer.Option("--win-in", "--mate-in", metavar="N", min=1, max=126, help="Won in N moves, and not sooner.")
    ],
    table: Names = None,
    size: Annotated[int | None, size_option(". Without it all that are there")] = None,
    unique_key: Annotated[bool, typer.Option("--unique-key", help="One first move alone wins in N.")] = False,
    no_duals: Annotated[
        bool,
        typer.Option("--no-duals", help="The same after every longest defence: one move alone goes on, to the end."),
    ] = False,
    sample: Annotated[
        int | None, typer.Option(metavar="N", parser=positive_count, help="N of them, drawn at random; without it all.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the sample.")] = 0,
    store: Store = None,
    tables: Directory = None,
    json: Json = False,
) -> int:
    """List positions of the tables that are won in N moves, each with its solution: problems, and exercises.

    Symmetric positions are one. A line of chess is EPD, of other games a position and a remark: `proofbase problem`
    reads both. Exit status 1: there is none.
    """
    of_game: Any = open_game(game)
    opened = open_tables(of_game, directory := tables_directory_of(store, tables))
    if opened is None or isinstance(opened, PythonTables):
        raise UsageError(f"{of_game.name} has no tables that can be mined")
    searched = _tables_of_plies(of_game, opened, directory, size, table or [])
    plies = plies_of(of_game.name, moves)
    counts = {"looked at": 0, "found": 0}
    total = sum(entry.entries for entry in searched)
    with showing_progress("tables mine") as show:

        def on_chunk(entries: int, found: int) -> None:
            counts["looked at"] += entries
            counts["found"] += found
            show(f"{counts['found']:,} in {counts['looked at']:,} entries", counts["looked at"], total)

        places: Iterator[_Place] = _wins(opened, searched, plies, unique_key, no_duals, on_chunk)
        if sample is not None:
            places = iter(_drawn(places, sample, seed))
        rows = list[dict[str, Any]]()
        for entry, number in places:
            position = opened.position(entry.table_class, number)
            line = _line(of_game, position, plies, opened)
            if json:
                rows.append({"table": entry.name, "position": of_game.text(position), "line": line})
            else:
                screen.say(_written(of_game, position, moves, line))
    if json:
        about = {"game": of_game.name, "directory": str(directory), "moves": moves, "plies": plies}
        documents.print_document({**about, "entries": total, "found": counts["found"], "positions": rows})
    screen.note(f"proofbase: {amount(counts['found'], 'position')} in {total:,} entries of {len(searched)} tables")
    return ExitStatus.POSITIVE if counts["found"] else ExitStatus.NEGATIVE


def _tables_of_plies(
    game: Any, tables: Tables, directory: Path, size: int | None, names: list[str]
) -> list[TableEntry]:
    """The tables that hold plies, of these sizes and names."""
    if open_rules(game.name).tables_to_resets or game.highest_value > 1:
        raise UsageError(f"tables of {game.name} hold no plies to the end; those of chess do")
    entries = [entry for entry in tables.entries() if entry.plies]
    if not entries:
        more = "; those that there are hold values only" if tables.entries() else ""
        raise UsageError(f"no tables of plies in {directory}: {_building(game, directory, size)} makes some{more}")
    if unknown := set(names) - {entry.name for entry in entries}:
        raise UsageError(f"no table {min(unknown)} with plies in {directory}: `proofbase tables list` lists them")
    if size is not None:
        wanted = names_of_size(game, directory, size)
        entries = [entry for entry in entries if entry.name in wanted]
    return [entry for entry in entries if not names or entry.name in names]


def _building(game: Any, directory: Path, size: int | None) -> str:
    """The command that builds tables of plies, of that size or small ones."""
    unit = open_rules(game.name).table_size_unit
    words = ["proofbase", "tables", "build", game.name, *([f"--{unit}", str(size or SMALL_SIZE)] if unit else [])]
    with suppress(ValueError):  # of a game whose tables hold plies anyway
        new_table_work(game, directory, size or SMALL_SIZE, 1, plies=True)
        words.append("--distances")
    return f"`{shlex.join([*words, '--tables', str(directory)])}`"


def _wins(
    tables: Tables,
    entries: list[TableEntry],
    plies: int,
    unique_key: bool,
    no_duals: bool,
    on_chunk: Callable[[int, int], None],
) -> Iterator[_Place]:
    for entry in entries:
        for first in range(0, entry.entries, CHUNK):
            last = min(first + CHUNK, entry.entries)
            try:
                numbers = tables.won_in(entry.table_class, plies, unique_key, no_duals, first, last)
            except ValueError as error:
                if type(error) is ValueError:  # a table that a move leads to is missing
                    raise UsageError(f"{error}: `proofbase tables build` makes it") from None
                raise
            on_chunk(last - first, len(numbers))
            yield from ((entry, number) for number in numbers)


def _drawn(places: Iterator[_Place], sample: int, seed: int) -> list[_Place]:
    """A sample of the places, all equally likely, in their order."""
    drawn, chance = list[tuple[int, _Place]](), random.Random(seed)
    for count, place in enumerate(places):
        if count < sample:
            drawn.append((count, place))
        elif (replaced := chance.randrange(count + 1)) < sample:
            drawn[replaced] = (count, place)
    return [place for _, place in sorted(drawn, key=lambda numbered: numbered[0])]


def _line(game: Any, position: Any, plies: int, tables: Tables) -> list[str]:
    """A line to the end: the soonest win against the longest defence."""
    line = list[str]()
    for left in range(plies, 0, -1):
        value = 1 if (plies - left) % 2 == 0 else -1
        move = move_by_table(game, position, value, left, tables)
        if move is None:
            raise UsageError(
                f"a table that {game.text(position)} leads to is missing: `proofbase tables build` makes it"
            )
        line.append(game.move_text(position, move))
        position = game.play(position, move)
    return line


def _written(game: Any, position: Any, moves: int, line: list[str]) -> str:
    text = game.text(position)
    if game.name == "chess":
        board = " ".join(text.split()[:4])
        return f"{board} bm {line[0]}; dm {moves}; pv {' '.join(line)};"
    return f"{text}  # {moves}: {' '.join(line)}"
