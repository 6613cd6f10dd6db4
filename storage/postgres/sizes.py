"""How much room a store takes in PostgreSQL, and how what is deleted is given back."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, text

from proofbase.storage.postgres.connection import storage_errors
from proofbase.storage.postgres.tables import SCHEMA, metadata
from proofbase.storage.progress import OnProgress
from proofbase.storage.sizes import Part, StoreSizes

__all__ = ["database_sizes", "vacuum"]

_SIZES = text(
    "SELECT class.relname, greatest(reltuples, n_live_tup, 0)::bigint, pg_total_relation_size(class.oid), n_dead_tup "
    "FROM pg_class AS class JOIN pg_namespace AS namespace ON namespace.oid = relnamespace "
    "JOIN pg_stat_user_tables AS counts ON counts.relid = class.oid "
    "WHERE nspname = :schema AND relkind = 'r' ORDER BY class.relname"
)


def database_sizes(connection: Connection) -> StoreSizes:
    """The sizes of the tables, indexes included. The numbers of rows are PostgreSQL's estimates."""
    rows = connection.execute(_SIZES, {"schema": SCHEMA})
    parts = tuple(Part(name, int(live), int(size), int(dead)) for name, live, size, dead in rows)
    return StoreSizes(total_bytes=sum(part.bytes for part in parts), parts=parts)


def vacuum(engine: Engine, on_progress: OnProgress, *, full: bool) -> None:
    """Makes the room of deleted rows usable again, and renews the statistics of the planner.

    Args:
        engine: of the database.
        on_progress: told how many tables are done.
        full: write the tables anew, which gives the room back to the file system. Nobody can use a table meanwhile.
    """
    names = [table.name for table in metadata.sorted_tables]
    with storage_errors(engine), engine.connect() as connection:
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        for done, name in enumerate(names):
            on_progress("vacuum", done, len(names), "tables")
            connection.execute(text(f'VACUUM ({"FULL, " if full else ""}ANALYZE) {SCHEMA}."{name}"'))
