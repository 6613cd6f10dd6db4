"""A reader of tables of others: a Python file with a function `values`, or with the name of a shared library."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from proofbase.engine.errors import EngineError, UnknownGameError
from proofbase.engine.formats.foreign.tables.class_moves import Positions
from proofbase.engine.game_loading import import_module
from proofbase.engine.rules.failures import failure_of, printable

__all__ = ["ReaderError", "TableReader"]

MOST_PLIES = 65_535


class ReaderError(EngineError, ValueError):
    """A reader of tables fails, or gives what is no list of values."""


class TableReader:
    """What a reader says of positions.

    Args:
        file: of the reader: a module in Python with `values(positions)` or `library`, and perhaps with
            `open_tables(directory)`.
        directory: of the tables.
        highest: the largest absolute value of the game.

    Raises:
        ReaderError: it is no reader, or fails while it opens the tables.
    """

    def __init__(self, file: Path, directory: Path, highest: int) -> None:
        self._name, self._highest = file.name, highest
        try:
            module = import_module(str(file.resolve()))
        except UnknownGameError as error:
            raise ReaderError(f"reader {error}") from None
        self.library: Path | None = None
        open_tables = getattr(module, "open_tables", None)
        self._values = getattr(module, "values", None)
        if self._values is None and isinstance(library := getattr(module, "library", None), str):
            self.library = file.resolve().parent / library
            self._values, open_tables = self._probing(module, self.library)
        if self._values is None:
            raise ReaderError(f"reader {file.name} has neither a function values nor the name of a library")
        if open_tables is not None:
            self._call(open_tables, str(directory), "open_tables")

    def _probing(self, module: ModuleType, library: Path) -> tuple[Any, Any]:
        """`values` and `open_tables` by a shared library."""
        try:
            loaded = ctypes.CDLL(str(library))
            probe = loaded.probe
        except (OSError, AttributeError) as error:
            raise ReaderError(f"reader {self._name}: {printable(str(error))}") from None
        probe.argtypes, probe.restype = (ctypes.c_char_p,), ctypes.c_int
        opening = getattr(loaded, "open_tables", None)

        def values(positions: Positions) -> Any:
            numbers = np.array([probe(text.encode()) for text in positions], np.int64)
            return np.stack((np.sign(numbers), np.abs(numbers)), 1) if getattr(module, "plies", False) else numbers

        return values, None if opening is None else lambda directory: opening(directory.encode())

    def values(self, positions: Positions) -> tuple[Any, Any | None]:
        """The values for the sides to move, and the plies to the end of the game if the reader says them.

        Raises:
            ReaderError: it fails, or what it gives are no such values.
        """
        result = self._call(self._values, positions, "values")
        count = len(positions)
        try:
            array = np.asarray(result)
        except ValueError as error:  # lists of several lengths
            raise self.wrong(f"gives no array: {printable(str(error))}") from None
        if array.shape not in ((count,), (count, 2)):
            raise self.wrong(
                f"gives an array of shape {array.shape} for {count} positions: it has to be ({count},), or "
                f"({count}, 2) with the plies to the end"
            )
        if count and array.dtype.kind not in "iu":
            raise self.wrong(f"gives an array of {array.dtype}: values and plies are whole numbers")
        values, plies = (array, None) if array.ndim == 1 else (array[:, 0], array[:, 1])
        limits = (values, -self._highest, self._highest, "value"), (plies, 0, MOST_PLIES, "plies")
        for column, low, high, what in limits:
            if column is None or not count:
                continue
            wrong = np.flatnonzero((column < low) | (column > high))
            if len(wrong):
                raise self.wrong(
                    f"gives the {what} {column[wrong[0]]} for {positions[int(wrong[0])]}: {low} to {high} are possible"
                )
        return values, plies

    def wrong(self, text: str) -> ReaderError:
        """The error of what `values` has given."""
        return ReaderError(f"reader {self._name}: values() {text}")

    def _call(self, function: Any, argument: object, name: str) -> Any:
        try:
            return function(argument)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise ReaderError(str(failure_of(f"reader {self._name}", name, error))) from None
