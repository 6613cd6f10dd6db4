"""Table files read by plain Python (docs/tables.md): for checks without the native core."""

from __future__ import annotations

import errno
import io
import os
import threading
import weakref
import zlib
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from proofbase.engine.errors import DamagedTableError
from proofbase.engine.records import Claim, Side
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.table_header import TableLayout, header_of
from proofbase.engine.rules.table_values import plies_of_entry, value_of_entry

__all__ = [
    "PythonTables",
    "TableFileInfo",
    "TableValue",
    "ValueTables",
    "broken_by_table",
    "games_with_tables",
    "move_by_table",
    "table_files",
    "table_value",
]

MAGIC = b"PBTABLE\n"
HEADER_BYTES, TAIL_BYTES = 256, 8


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

    def name(self, position: Any) -> str | None:
        """Name of the table that the position belongs in, built or not; None where none can have it."""

    def damaged(self) -> list[tuple[str, str]]:
        """Tables of which some entries, or all, were found to be damaged so far: names, each with what is wrong."""

    def changed(self) -> bool:
        """Whether a file has changed since it was opened; files that came later are not looked for."""


class PythonTables:
    """The tables of a game in a directory, by its rules in plain Python.

    A table is opened when a position of its class is first asked for. The header must be the one that the rules give
    the table of this name, and every block is held against its checksum when it is first read. What was read stays in
    memory: what happens to the file later changes no value.

    Args:
        game: the rules.
        directory: where the files are; it need not exist.
        tolerant: damaged files and blocks have no values, and `damaged` reports them. Otherwise they raise
            DamagedTableError.
    """

    def __init__(self, game: Game[Any], directory: str | Path, *, tolerant: bool = False) -> None:
        self._game = game
        self._directory = Path(directory)
        self._tolerant = tolerant
        self._files: dict[str, _TableFile | None] = {}
        self._damaged: dict[str, str] = {}
        self._refused: list[tuple[Path, _Stamp]] = []
        """Files that could not be opened as tables, as they were then."""
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
        entry = self._entry(position)
        return None if entry is None else entry.value

    def plies(self, position: Any) -> int | None:
        """Plies to the end of the game, 0 for draws; None where no table holds plies.

        Raises:
            DamagedTableError: as for `value`.
        """
        entry = self._entry(position)
        return None if entry is None else entry.plies

    def _entry(self, position: Any) -> TableValue | None:
        number, end_value = self._stored(position), self._game.table_game.table_end_value
        if number is None:
            return None
        plies = plies_of_entry(number, end_value)
        value = self._game.table_value(position, value_of_entry(number, end_value), plies)
        return TableValue(value, plies if value or plies is None else 0)

    def _stored(self, position: Any) -> int | None:
        place = self._game.table_entry(position)
        if place is None:
            return None
        name, number = place
        try:
            with self._lock:
                if name not in self._files:
                    self._open(name)
                file = self._files[name]
                return None if file is None else file.entry(number)
        except DamagedTableError as error:
            if not self._tolerant:
                raise
            self._damaged.setdefault(name, str(error))
            return None

    def damaged(self) -> list[tuple[str, str]]:
        """Tables of which some entries, or all, were found to be damaged so far, if the tables are tolerant."""
        return sorted(self._damaged.items())

    def changed(self) -> bool:
        """Whether a file has changed since it was opened."""
        files = [file for file in list(self._files.values()) if file is not None]
        refused = any(_stamp_of(path) != stamp for path, stamp in list(self._refused))
        return refused or any(file.changed() for file in files)

    def _open(self, name: str) -> None:
        path = self._directory / f"{name.replace(':', '_')}.table"
        stamp = _stamp_of(path)
        if stamp is None:
            self._files[name] = None
            return
        try:
            self._files[name] = _TableFile(path, self._game.table_game, name)
        except DamagedTableError:
            if self._tolerant:
                self._files[name] = None
                self._refused.append((path, stamp))
            raise


class TableFileInfo(NamedTuple):
    """A table file by its name and its header, which are not checked here: that is done when the table is opened."""

    name: str
    game: str | None
    """None if the file does not begin like a table."""
    entries: int
    size: int
    """Bytes of the file."""


def table_files(directory: str | Path) -> list[TableFileInfo]:
    """The table files of a directory, by name; none where there is no such directory."""
    found = list[TableFileInfo]()
    for path in sorted(Path(directory).glob("*.table")):
        try:
            size = path.stat().st_size if path.is_file() else 0
            with path.open("rb") if size else io.BytesIO() as stream:
                header = stream.read(HEADER_BYTES)
        except OSError:
            size, header = 0, b""
        game, entries = None, 0
        if len(header) == HEADER_BYTES and header[:8] == MAGIC:
            game = header[64:128].rstrip(b"\0").decode(errors="replace")
            entries = int.from_bytes(header[16:24], "little")
        found.append(TableFileInfo(path.stem, game, entries, size))
    return found


def games_with_tables(directory: str | Path) -> list[str]:
    """Names of the games whose tables are in a directory, by the headers of the files."""
    return sorted({file.game for file in table_files(directory) if file.game is not None})


def table_value(tables: ValueTables | None, position: Any) -> TableValue | None:
    """What the tables say of a position; None where there are none, or none of them has it."""
    value = None if tables is None else tables.value(position)
    return None if tables is None or value is None else TableValue(value, tables.plies(position))


def broken_by_table(game: Game[Any], tables: ValueTables | None, position: Any, claim: Claim) -> tuple[str, str] | None:
    """The rule that a claim by a table breaks, and why; None when the table's entry confirms the claim.

    The rank must be at least the plies of a table that holds them. A lower claim's witness must lead to a position
    whose own entry guarantees the bound, within a ply less.
    """
    name = claim.table
    own = table_value(tables, position)
    if tables is None or own is None:
        damaged = {} if tables is None else dict(tables.damaged())
        return "evidence", damaged.get(name or "", f"table {name!r} is not at hand")
    if name != tables.name(position):
        return "table", f"the position is in table {tables.name(position)}, not in {name!r}"
    if own.value > claim.bound if claim.side == Side.UPPER else own.value < claim.bound:
        return "table", f"its value there is {own.value}"
    if own.rank(claim.side, claim.bound) > claim.rank:
        return "table", f"by the table the game ends in {own.plies} plies"
    if claim.witness is None:
        return None
    child, limit = game.play(position, claim.witness), game.reward(position, claim.witness) - claim.bound
    end = game.terminal(child)
    after = table_value(tables, child) if end is None else TableValue(end, 0)
    if after is None or after.value > limit or 0 < claim.rank <= after.rank(Side.UPPER, limit):
        return "table", f"by the tables, move {game.move_text(position, claim.witness)} does not guarantee the bound"
    return None


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


_Stamp = tuple[int, int, int, int] | None
"""Device, inode, size and time of change of a file; None where there is none."""


def _stamp_of(path: Path | int) -> _Stamp:
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_dev, about.st_ino, about.st_size, about.st_ctime_ns


class _TableFile:
    """One table: its blocks, each read and checked when it is first asked for."""

    def __init__(self, path: Path, game: Game[Any], name: str) -> None:
        self._path = path
        self._blocks: dict[int, bytes] = {}
        try:
            # Not blocking: the open of a named pipe would wait for a writer.
            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM):
                raise  # this says nothing of the file
            raise self._damaged(f"it cannot be read: {error.strerror}") from None
        weakref.finalize(self, os.close, self._file)
        self._stamp = _stamp_of(self._file)
        size = 0 if self._stamp is None else self._stamp[2]
        header = self._read(0, HEADER_BYTES)
        if len(header) < HEADER_BYTES or header[:8] != MAGIC or header[8] not in (1, 2):
            raise self._damaged("it is no table of proofbase of version 1 or 2")
        if zlib.crc32(header[:-4]) != int.from_bytes(header[-4:], "little"):
            raise self._damaged("its header is damaged: the checksum is another")
        if header != header_of(game, name, header):
            owner, of_class = (
                part.rstrip(b"\0").decode(errors="replace") for part in (header[64:128], header[128:160])
            )
            raise self._damaged(f"it is not what the rules say of {name}: it is the table of {owner}, {of_class}")
        self._layout = TableLayout(header)
        try:
            self._layout.read_directory(self._read(HEADER_BYTES, self._layout.start - HEADER_BYTES), size)
        except ValueError as error:
            raise self._damaged(str(error)) from None
        if any(self._read(size - TAIL_BYTES, TAIL_BYTES)):
            raise self._damaged("it is damaged between its parts")

    def entry(self, number: int) -> int:
        if number >= self._layout.entries:
            raise self._damaged(f"it has no entry {number}")
        block, index = divmod(number, self._layout.block_entries)
        if block not in self._blocks:
            start, end = self._layout.place(block)
            try:
                self._blocks[block] = self._layout.read_block(block, self._read(start, end - start))
            except ValueError as error:
                raise self._damaged(str(error)) from None
        return self._layout.value(self._blocks[block], index)

    def changed(self) -> bool:
        return _stamp_of(self._file) != self._stamp

    def _read(self, offset: int, size: int) -> bytes:
        try:
            return os.pread(self._file, size, offset)
        except OSError as error:
            raise self._damaged(f"it cannot be read: {error.strerror}") from None

    def _damaged(self, why: str) -> DamagedTableError:
        return DamagedTableError(f"table {self._path}: {why}")
