"""The file of a table, to be sent as it is."""

from __future__ import annotations

import re
from pathlib import Path

from proofbase.engine.tables.files import HEADER_BYTES, MAGIC
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources

__all__ = ["file_of_table", "table_file"]

_NAME = re.compile(r"[A-Za-z0-9_:+-][A-Za-z0-9_:.+-]{0,99}")


def file_of_table(name: str) -> str | None:
    """The name of the file of a table; None where no table has such a name."""
    return f"{name.replace(':', '_')}.table" if _NAME.fullmatch(name) else None


def table_file(resources: Resources, game_name: str, name: str) -> Path:
    """Where the file of a table is.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        name: of the table, such as `awari-5`.

    Raises:
        UnknownGameError, InvalidParametersError, RulesNotLoadedError: there is no such game here.
        InvalidRequestError: there is no file of such a table.
    """
    game, directory = resources.games.open(game_name), resources.tables.directory
    file_name = file_of_table(name)
    if directory is not None and file_name is not None:
        path = directory / file_name
        try:
            with path.open("rb") as file:
                header = file.read(HEADER_BYTES)
        except OSError:
            header = b""
        if header[:8] == MAGIC and header[64:128].rstrip(b"\0") == game.name.encode():
            return path
    raise InvalidRequestError(f"{game.name} has no table {name[:100]!r} here", field="name")
