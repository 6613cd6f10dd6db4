"""The tables of the PostgreSQL backend as this release uses them.

The migrations declare their own: this file may change, they may not.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
)

SCHEMA = "proofbase"
# The migration that this release needs: the newest one of proofbase.migrations.
REVISION = "0008"

metadata = MetaData(schema=SCHEMA)

version = Table("alembic_version", metadata, Column("version_num", Text, primary_key=True))

games = Table(
    "games",
    metadata,
    Column("number", Integer, Identity(always=True), primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("rules_version", Integer, nullable=False),
    Column("records", BigInteger, nullable=False),
    Column("generation", BigInteger, nullable=False),
    Column("fingerprint", BigInteger),  # NULL while it is not known
    Column("removals", BigInteger, nullable=False, server_default="0"),
    Column("closed_sources", Integer, nullable=False, server_default="0"),  # later puts have sources of higher numbers
)

sources = Table(
    "sources",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("program", Text, nullable=False, server_default=""),
    Index("sources_by_text", "text"),
)

# One row a claim. Of one side and bound only the claim of the smallest rank is undominated, hence the key.
claims = Table(
    "claims",
    metadata,
    # No foreign key: it would be checked row by row in every COPY, and games are never deleted.
    Column("game", Integer, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("side", SmallInteger, nullable=False),  # 0 lower, 1 upper
    Column("bound", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("evidence", SmallInteger, nullable=False),
    Column("witness", Integer),  # none for upper claims
    Column("payload", LargeBinary, nullable=False),
    Column("source", Integer, nullable=False),
    Column("checksum", BigInteger, nullable=False),
    PrimaryKeyConstraint("game", "key", "side", "bound"),
    CheckConstraint("(witness IS NULL) = (side = 1)", name="lower_claims_have_a_witness"),
)

# Filled by COPY and merged into `claims`. Every connection makes its own; every transaction finds it empty.
staging = Table(
    "proofbase_staging",
    MetaData(),
    Column("key", LargeBinary, nullable=False),
    Column("side", SmallInteger, nullable=False),
    Column("bound", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("evidence", SmallInteger, nullable=False),
    Column("witness", Integer),
    Column("payload", LargeBinary, nullable=False),
    Column("mark", BigInteger, nullable=False),  # what the claim adds to the fingerprint
    prefixes=["TEMPORARY"],
    postgresql_on_commit="DELETE ROWS",
)

quarantine = Table(
    "quarantine",
    metadata,
    Column("game", Integer, ForeignKey(games.c.number), nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Column("reason", Text, nullable=False),
    PrimaryKeyConstraint("game", "key"),
)

# What searches believe of open questions; never a claim.
estimates = Table(
    "estimates",
    metadata,
    Column("game", Integer, ForeignKey(games.c.number), nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("bound", Integer, nullable=False),
    Column("proof", BigInteger, nullable=False),
    Column("disproof", BigInteger, nullable=False),
    Column("work", BigInteger, nullable=False),
    Column("updated", Double, nullable=False),
    Column("algorithm", Text, nullable=False),
    Column("job", Text, nullable=False),
    PrimaryKeyConstraint("game", "key", "bound"),
    Index("estimates_by_work", "work", "updated"),
)

# The job that manages a question: two managers of one question exclude each other.
question_holders = Table(
    "question_holders",
    metadata,
    Column("game", Integer, ForeignKey(games.c.number), nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("bound", Integer, nullable=False),
    Column("job", Text, nullable=False),
    PrimaryKeyConstraint("game", "key", "bound"),
)

# What is said about games and positions, and is no claim.
annotation_rows = Table(
    "annotations",
    metadata,
    Column("game", Text(collation="C"), nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("id", Text(collation="C"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("body", JSON, nullable=False),
    PrimaryKeyConstraint("game", "key", "id"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Text(collation="C"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("spec", JSON, nullable=False),
    Column("progress", JSON, nullable=False),
    Column("result", JSON(none_as_null=True)),
    Column("error", Text),
    Index("jobs_newest_first", "created", "id"),
    Index("jobs_by_state_and_kind", "state", "kind", "created", "id"),
)

# The processes that run jobs; each renews its row every few seconds.
servers = Table(
    "servers",
    metadata,
    Column("id", Text(collation="C"), primary_key=True),
    Column("about", JSON, nullable=False),
    Column("renewed", DateTime(timezone=True), nullable=False),
)

# The clients that a server knows; of a token only the hash of its secret.
tokens = Table(
    "tokens",
    metadata,
    Column("id", Text(collation="C"), primary_key=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
    Column("ends", Double),
    Column("revoked", Double),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("job", Text(collation="C"), ForeignKey(jobs.c.id), nullable=False),
    Column("number", BigInteger, Identity(always=True), nullable=False),
    Column("chunk", LargeBinary, nullable=False),
    PrimaryKeyConstraint("job", "number"),
)
