"""Run by alembic: migrates the database of the connection that `proofbase.migrations.migrate` hands over."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("run `proofbase migrate URL`: it opens the connection and takes the lock that migrations need")

context.configure(connection=connection, target_metadata=None, version_table_schema="proofbase")
with context.begin_transaction():
    context.run_migrations()
