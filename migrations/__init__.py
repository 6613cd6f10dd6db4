"""Migrations of a PostgreSQL store. `proofbase migrate URL` runs them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from proofbase.storage.errors import StoreVersionError
from proofbase.storage.postgres.connection import check_released, connect_engine, shown_url, storage_errors
from proofbase.storage.postgres.tables import SCHEMA

__all__ = ["Migration", "head", "migrate"]

# Two migrations at a time would both create the tables; the number is arbitrary and proofbase's own.
_ADVISORY_LOCK = 7_066_662_273


class Migration(NamedTuple):
    """What `migrate` did.

    Attributes:
        from_revision: revision before, None for a database without a store.
        to_revision: revision now.
    """

    from_revision: str | None
    to_revision: str


def head() -> str:
    """The newest revision of this release."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    assert revision is not None, "a release has at least one migration"
    return revision


def migrate(url: str) -> Migration:
    """Brings the store of a database to the format of this release, or makes it.

    All of it happens in one transaction: after an error the database is as before.

    Args:
        url: `postgresql://user@host/database`; the user needs the right to create the schema `proofbase`.

    Raises:
        StoreNotFoundError, StoreUnavailableError: there is no such database or server.
        StoreReadOnlyError: the user lacks the rights.
        StoreVersionError: the database was migrated by a newer release, or has tables that no release has.
    """
    config = _config()
    engine = connect_engine(url, read_only=False)
    try:
        with storage_errors(engine), engine.begin() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
            connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
            before = _current(connection)
            check_released(shown_url(engine.url), before)
            known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
            if before is not None and before not in known:
                raise StoreVersionError(
                    f"{shown_url(engine.url)} was migrated to {before} by a newer release of proofbase"
                )
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            after = _current(connection)
            assert after is not None, "an upgrade leaves a revision"
            return Migration(before, after)
    finally:
        engine.dispose()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _current(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table_schema": SCHEMA})
    return context.get_current_revision()
