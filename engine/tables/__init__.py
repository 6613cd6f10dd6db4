"""Tables of values in plain Python (docs/tables.md): reading those of every game, building those of users' own games.

The native core has readers and builders of its own for the games that it has.
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
from proofbase.engine.tables.work import PythonTableWork

__all__ = [
    "BlockCache",
    "BlockSource",
    "PackedPythonTables",
    "PythonTableWork",
    "PythonTables",
    "TableFileInfo",
    "TableInfo",
    "TableValue",
    "ValueTables",
    "games_with_tables",
    "move_by_table",
    "table_counts",
    "table_files",
    "table_value",
]
