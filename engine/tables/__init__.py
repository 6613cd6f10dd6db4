"""Tables of values (docs/tables.md): those of every game are read in plain Python.

The native core builds and verifies them; of users' own games it asks for the numbers of positions and their moves.
"""

from proofbase.engine.tables.counting import table_counts
from proofbase.engine.tables.files import BlockCache, TableFileInfo, TableInfo, table_files
from proofbase.engine.tables.packed import BlockSource, PackedPythonTables
from proofbase.engine.tables.reading import (
    PythonTables,
    TableValue,
    ValueTables,
    games_with_tables,
    move_by_table,
    table_value,
)
from proofbase.engine.tables.work import own_table_work

__all__ = [
    "BlockCache",
    "BlockSource",
    "PackedPythonTables",
    "PythonTables",
    "TableFileInfo",
    "TableInfo",
    "TableValue",
    "ValueTables",
    "games_with_tables",
    "move_by_table",
    "own_table_work",
    "table_counts",
    "table_files",
    "table_value",
]
