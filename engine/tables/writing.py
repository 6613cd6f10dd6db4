"""Writes the tables of users' own games (docs/tables.md): the header by their rules, the file by the native core."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proofbase.engine.rules.game import Game
from proofbase.engine.rules.tables.table_header import PLAIN, header_of

__all__ = ["write_table"]


def write_table(path: Path, game: Game[Any], name: str, entries: Sequence[int]) -> None:
    """Writes a table in the plain form, completely or not at all.

    Args:
        path: of the file.
        game: the rules.
        name: of the table.
        entries: a value each, -120 to 120, or an entry of plies, 0 to 254.

    Raises:
        OSError: it cannot be written. Then there is no new file, and an old one is as it was.
    """
    from proofbase.engine import _core

    lowest = 0 if game.table_end_value is not None else min(entries)
    bits = max(1, (max(entries) - lowest).bit_length())
    header = header_of(game, name, struct.pack("<8sIIQi", b"", PLAIN, bits, 0, lowest).ljust(256, b"\0"))
    assert header, f"the header of {name}"
    _core.write_table(str(path), header, bytes(entry - lowest for entry in entries))
