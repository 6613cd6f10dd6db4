"""Create the store.

Makes the tables of a solution store in the schema `proofbase`: games, sources, claims (one row a claim), quarantine,
jobs and checkpoints. It touches nothing that exists, so it takes no lock that anybody waits for.

Revision: 0001
Follows: nothing
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = "proofbase"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("SET LOCAL statement_timeout = '60s'")
    op.create_table(
        "games",
        sa.Column("number", sa.Integer, sa.Identity(always=True), primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("records", sa.BigInteger, nullable=False),
        sa.Column("generation", sa.BigInteger, nullable=False),
        schema=SCHEMA,
    )
    op.create_table(
        "sources",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False, unique=True),
        sa.Column("created", sa.Double, nullable=False),
        schema=SCHEMA,
    )
    op.create_table(
        "claims",
        # No foreign key: it would be checked row by row in every COPY, and games are never deleted.
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("side", sa.SmallInteger, nullable=False),
        sa.Column("bound", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("evidence", sa.SmallInteger, nullable=False),
        sa.Column("witness", sa.Integer),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("source", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "side", "bound"),
        sa.CheckConstraint("(witness IS NULL) = (side = 1)", name="lower_claims_have_a_witness"),
        schema=SCHEMA,
    )
    op.create_table(
        "quarantine",
        sa.Column("game", sa.Integer, sa.ForeignKey(f"{SCHEMA}.games.number"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "key"),
        schema=SCHEMA,
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Text(collation="C"), primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("spec", sa.JSON, nullable=False),
        sa.Column("progress", sa.JSON, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("error", sa.Text),
        schema=SCHEMA,
    )
    op.create_index("jobs_newest_first", "jobs", ["created", "id"], schema=SCHEMA)
    op.create_table(
        "checkpoints",
        sa.Column("job", sa.Text(collation="C"), sa.ForeignKey(f"{SCHEMA}.jobs.id"), nullable=False),
        sa.Column("number", sa.BigInteger, sa.Identity(always=True), nullable=False),
        sa.Column("chunk", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("job", "number"),
        schema=SCHEMA,
    )


def downgrade() -> None:
    for table in ("checkpoints", "jobs", "quarantine", "claims", "sources", "games"):
        op.drop_table(table, schema=SCHEMA)
