"""Tables read by plain Python (docs/tables.md): for checks without the native core, and for users' own games."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.records import Side
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import PLIES
from proofbase.engine.rules.tables.table_values import MATED, has_value, plies_of_entry, value_by_entry, value_of_entry
from proofbase.engine.tables.files import BlockCache, Stamp, TableFile, TableInfo, stamp_of, table_files

__all__ = [
    "PythonTables",
    "TableValue",
    "ValueTables",
    "games_with_tables",
    "move_by_table",
    "table_value",
]


class TableValue(NamedTuple):
    """What a table says of a position."""

    value: int
    plies: int | None
    """To the end of the game, 0 for draws; None from a table of values."""

    def rank(self, side: Side, bound: int) -> int:
        """The rank of a bound that the value satisfies: the plies to the end, if the bound says who wins."""
        return (self.plies or 0) if (bound > 0 if side == Side.LOWER else bound < 0) else 0


class ValueTables(Protocol):
    """Exact values of some positions of a game."""

    def value(self, position: Any) -> int | None:
        """The value for the side to move, None where no table has the position."""

    def plies(self, position: Any) -> int | None:
        """Plies to the end of the game if the winner plays for the soonest and the loser for the latest, 0 for draws.

        None where no table holds plies.
        """

    def own_plies(self, position: Any) -> int | None:
        """The same by the table of the position itself, as ranks of claims count them; None by a table of values."""

    def hold_values_alone(self) -> bool:
        """Whether some table of the game is there, and its own entries are no plies to the end of the game."""

    def name(self, position: Any) -> str | None:
        """Name of the table that the position belongs in, built or not; None where none can have it."""

    def damaged(self) -> list[tuple[str, str]]:
        """Tables of which some entries, or all, were found to be damaged so far: names, each with what is wrong."""

    def changed(self) -> bool:
        """Whether a file has changed since it was opened; files that came later are not looked for."""


class OpenTable(Protocol):
    """One table that was opened."""

    info: TableInfo

    def entry(self, number: int) -> int:
        """What it holds for a number."""

    def changed(self) -> bool:
        """Whether the table is another one than when it was opened."""


class PythonTables:
    """The tables of a game in a directory, by its rules in plain Python.

    A table is opened when a position of its class is first asked for. The header must be the one that the rules give
    the table of this name, and every block is held against its checksum when it is read. What happens to the file later
    changes no value.

    Args:
        game: the rules.
        directory: where the files are; it need not exist.
        tolerant: damaged files and blocks have no values, and `damaged` reports them. Otherwise they raise
            DamagedTableError.
        cache: keeps the blocks; None if what was read is to stay in memory.
    """

    def __init__(
        self, game: Game[Any], directory: str | Path, *, tolerant: bool = False, cache: BlockCache | None = None
    ) -> None:
        self._game = game
        self._cache = BlockCache() if cache is None else cache
        self._directory = Path(directory)
        self._tolerant = tolerant
        self._files: dict[str, OpenTable | None] = {}
        self._damaged: dict[str, str] = {}
        self._refused: list[tuple[Path, Stamp]] = []
        """Files that could not be opened as tables, as they were then."""
        self._any_is_there: bool | None = None
        self._lock = threading.Lock()

    def name(self, position: Any) -> str | None:
        """Name of the table that the position belongs in."""
        entry = self._game.table_entry(position)
        return None if entry is None else entry[0]

    def value(self, position: Any) -> int | None:
        """The value for the side to move, None where no table has the position.

        Raises:
            DamagedTableError: the file is not as it was written, or is not the table of its name by these rules. (Not
                if the tables are tolerant.)
        """
        entry = self._value(position)
        return None if entry is None else entry.value

    def plies(self, position: Any) -> int | None:
        """Plies to the end of the game, 0 for draws; None where no table holds plies.

        Raises:
            DamagedTableError: as for `value`.
        """
        game = self._game
        if game.plies_end_value is None:
            return self.own_plies(position)
        place = game.table_entry(position)
        entry = None if place is None else self._entry((place[0] + PLIES, place[1]))
        return None if entry is None else plies_of_entry(entry, game.plies_end_value)

    def own_plies(self, position: Any) -> int | None:
        """Plies to the end of the game by the table of the position itself, 0 for draws; None by a table of values.

        Raises:
            DamagedTableError: as for `value`.
        """
        if self._game.table_game.table_end_value is None:
            return None
        entry = self._value(position)
        return None if entry is None else entry.plies

    def hold_values_alone(self) -> bool:
        """Whether some table of the game is there, and its own entries are no plies to the end of the game."""
        if self._game.table_game.table_end_value is not None and not self._game.tables_to_resets:
            return False
        if self._any_is_there is None:
            self._any_is_there = self._has_any()
        return self._any_is_there

    def _has_any(self) -> bool:
        """Whether some table of the game is there, by its name alone."""
        return bool(table_files(self._directory, self._game.name))

    def entries(self) -> list[TableInfo]:
        """The tables of the game in the directory, by name."""
        files = [self._file(file.name) for file in table_files(self._directory, self._game.name)]
        return [file.info for file in files if file is not None]

    def entry(self, name: str, number: int) -> int | None:
        """What the table of that name holds for a number: a value, or plies in their code (docs/endgame-tables.md).

        None where there is no such table.

        Raises:
            DamagedTableError: as for `value`.
        """
        return self._entry((name, number))

    def histogram(self, table_class: int) -> dict[int, int]:
        """How many entries each value has in the table of the class with that number."""
        (info,) = (info for info in self.entries() if info.table_class == table_class)
        end_value = MATED if self._game.tables_to_resets else self._end_value if info.plies else None
        numbers = [number for number in range(info.entries) if self._position(info, number) is not None]
        entries = Counter(self.entry(info.name, number) for number in numbers)
        counts = Counter[int]()
        for entry, count in entries.items():
            if entry is not None and has_value(self._game, entry, end_value):
                counts[value_of_entry(entry, end_value)] += count
        return dict(counts)

    def plies_histogram(self, table_class: int) -> list[tuple[int, int, int, int]]:
        """How many entries have which value and how many plies, draws left out.

        Returns:
            By ascending plies: value, plies, number of entries, and the first of these. Nothing of a table that holds
            no plies.
        """
        (info,) = (info for info in self.entries() if info.table_class == table_class)
        if not info.plies:
            return []
        counts = dict[tuple[int, int], list[int]]()
        for number in range(info.entries):
            if self._position(info, number) is None or (entry := self.entry(info.name, number)) is None:
                continue
            value, plies = value_of_entry(entry, self._end_value), plies_of_entry(entry, self._end_value)
            if value and plies is not None:
                counts.setdefault((plies, value), [0, number])[0] += 1
        return [(value, plies, count, first) for (plies, value), (count, first) in sorted(counts.items())]

    def position(self, table_class: int, entry: int) -> Any:
        """The position with a number of a class, None where no position has the number."""
        (info,) = (info for info in self.entries() if info.table_class == table_class)
        return self._position(info, entry)

    def _position(self, info: TableInfo, number: int) -> Any:
        of_values = info.name if self._game.table_class(info.name) else info.name.removesuffix(PLIES)
        return self._game.table_position(of_values, number)

    @property
    def _end_value(self) -> int | None:
        """The value of a finished game in a table of plies."""
        return self._game.table_end_value or self._game.plies_end_value

    def _value(self, position: Any) -> TableValue | None:
        number = self._entry(self._game.table_entry(position))
        found = None if number is None else value_by_entry(self._game, position, number)
        return None if found is None else TableValue(*found)

    def _entry(self, place: tuple[str, int] | None) -> int | None:
        if place is None:
            return None
        name, number = place
        file = self._file(name)
        try:
            return None if file is None else file.entry(number)
        except DamagedTableError as error:
            self._log_damage(name, error)
            return None

    def _file(self, name: str) -> OpenTable | None:
        """The table of that name, None if there is none, or none that can be used."""
        with self._lock:
            try:
                if name not in self._files:
                    self._open(name)
                return self._files[name]
            except DamagedTableError as error:
                self._log_damage(name, error)
                return None

    def _log_damage(self, name: str, error: DamagedTableError) -> None:
        if not self._tolerant:
            raise error
        self._damaged.setdefault(name, str(error))

    def damaged(self) -> list[tuple[str, str]]:
        """Tables of which some entries, or all, were found to be damaged so far, if the tables are tolerant."""
        return sorted(self._damaged.items())

    def changed(self) -> bool:
        """Whether a file has changed since it was opened."""
        files = [file for file in list(self._files.values()) if file is not None]
        refused = any(stamp_of(path) != stamp for path, stamp in list(self._refused))
        return refused or any(file.changed() for file in files)

    def _open(self, name: str) -> None:
        path = self._directory / f"{name.replace(':', '_')}.table"
        stamp = stamp_of(path)
        if stamp is None:
            self._files[name] = None
            return
        try:
            self._files[name] = TableFile(path, self._game.table_game, name, self._cache)
        except DamagedTableError:
            if self._tolerant:
                self._files[name] = None
                self._refused.append((path, stamp))
            raise


def games_with_tables(directory: str | Path) -> list[str]:
    """Names of the games whose tables are in a directory, by the headers of the files."""
    return sorted({file.game for file in table_files(directory) if file.game is not None})


def table_value(tables: ValueTables | None, position: Any) -> TableValue | None:
    """What the tables say of a position; None where there are none, or none of them has it."""
    value = None if tables is None else tables.value(position)
    return None if tables is None or value is None else TableValue(value, tables.own_plies(position))


def move_by_table(game: Game[Any], position: Any, value: int, plies: int | None, tables: ValueTables) -> int | None:
    """The first move that is worth `value` by the tables, and in a position that ends in so many plies keeps to them.

    None where no table has the position after such a move.
    """
    for move in game.moves(position):
        child = game.play(position, move)
        after = game.terminal(child)
        left = 0 if after is not None else tables.plies(child)
        if after is None:
            after = tables.value(child)
        if after is None or game.reward(position, move) - after != value:
            continue
        if not plies or value == 0 or left == plies - 1:
            return move
    return None
