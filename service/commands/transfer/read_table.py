"""The file of a table, chunk by chunk, wherever the store keeps its tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from proofbase.service.commands.transfer.packed_table_file import write_table_file
from proofbase.service.commands.transfer.table_file import table_file
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources import Resources
from proofbase.storage.scratch_directory import ScratchDirectory

__all__ = ["read_table"]

CHUNK = 256 << 10


def read_table(resources: Resources, game_name: str, name: str) -> Iterator[bytes]:
    """The bytes of a table's file (docs/tables.md). A file that is replaced meanwhile is read to its end.

    Args:
        resources: the store and what belongs to it; a package has tables, too.
        game_name: any name of the game.
        name: of the table, such as `awari-5`.

    Raises:
        UnknownGameError, InvalidParametersError, RulesNotLoadedError: there is no such game here.
        InvalidRequestError: it has no such table.
        DamagedTableError, StoreDamagedError: a table of a package is damaged.
        StoreUnavailableError: a package on another machine cannot be read.
    """
    if resources.tables.directory is not None:
        return _chunks(table_file(resources, game_name, name))
    return _packed(resources, game_name, name)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _packed(resources: Resources, game_name: str, name: str) -> Iterator[bytes]:
    rules = resources.games.open_python(game_name)
    blocks = resources.store.packed_tables(rules.name)
    if blocks is None or name not in blocks.tables:
        raise InvalidRequestError(f"{rules.name} has no table {name[:100]!r} here", field="name")
    with ScratchDirectory() as scratch:
        yield from _chunks(write_table_file(scratch.path, rules, blocks.tables[name], blocks, lambda *_: None))
