"""From the tables of release 0.1.0 to those of the release after it.

* Claims get checksums, and games fingerprints (docs/store-format.md), which are filled in for the claims that are
  there. The table of claims is locked until the migration ends, and written anew: about a minute for a million claims,
  and for the time being twice the room. Rows that are no claims keep being damaged: their checksum does not match.
* Jobs get an index, in which a page of a listing is read without a look at the other jobs, and the table of the
  processes that run them. While the index is made, jobs cannot be changed, for about a second a million of them.
* New tables keep the tokens of a server's clients, estimates of open questions with the jobs that manage them, and
  annotations: when records were verified, and by what.
* Games count how often records were moved to the quarantine: servers of one database see it. Sources say what program
  stored the claims, and games up to which number sources are closed: then their texts repeat.

The numbers 0002 to 0007 are those of tables that no release has had.

Revision: 0008
Follows: 0001
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from alembic import op
from xxhash import xxh3_64_intdigest

from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record

revision = "0008"
down_revision = "0001"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"
ROWS_A_FETCH = 20_000
SOURCE_FACTOR = 0x9E3779B1


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _add_checksums()
    _add_job_lists()
    _add_tokens()
    _add_estimates()
    op.add_column("games", sa.Column("removals", sa.BigInteger, nullable=False, server_default="0"), schema=SCHEMA)
    _add_annotations()


def _add_checksums() -> None:
    op.add_column("games", sa.Column("fingerprint", sa.BigInteger), schema=SCHEMA)
    op.add_column("claims", sa.Column("checksum", sa.BigInteger), schema=SCHEMA)
    connection = op.get_bind()
    games = connection.execute(sa.text("SELECT number, name FROM proofbase.games")).all()
    op.execute(
        "CREATE TEMPORARY TABLE proofbase_checksums (place tid NOT NULL, checksum bigint NOT NULL) ON COMMIT DROP"
    )
    fingerprints = _compute({number: xxh3_64_intdigest(name.encode()) for number, name in games})
    op.execute("ANALYZE proofbase_checksums")
    op.execute(
        "UPDATE proofbase.claims SET checksum = proofbase_checksums.checksum "
        "FROM proofbase_checksums WHERE claims.ctid = proofbase_checksums.place"
    )
    op.execute("ALTER TABLE proofbase.claims ALTER COLUMN checksum SET NOT NULL")
    for number, fingerprint in fingerprints.items():
        values = {"number": number, "fingerprint": _signed(fingerprint % (1 << 64))}
        connection.execute(
            sa.text("UPDATE proofbase.games SET fingerprint = :fingerprint WHERE number = :number"), values
        )


def _add_job_lists() -> None:
    op.create_index("jobs_by_state_and_kind", "jobs", ["state", "kind", "created", "id"], schema=SCHEMA)
    op.create_table(
        "servers",
        sa.Column("id", sa.Text(collation="C"), primary_key=True),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("renewed", sa.DateTime(timezone=True), nullable=False),
        schema=SCHEMA,
    )


def _add_tokens() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(collation="C"), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("ends", sa.Double),
        sa.Column("revoked", sa.Double),
        schema=SCHEMA,
    )


def _add_estimates() -> None:
    op.create_table(
        "estimates",
        sa.Column("game", sa.Integer, sa.ForeignKey(f"{SCHEMA}.games.number"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("bound", sa.Integer, nullable=False),
        sa.Column("proof", sa.BigInteger, nullable=False),
        sa.Column("disproof", sa.BigInteger, nullable=False),
        sa.Column("work", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("algorithm", sa.Text, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "bound"),
        schema=SCHEMA,
    )
    op.create_index("estimates_by_work", "estimates", ["work", "updated"], schema=SCHEMA)
    op.create_table(
        "question_holders",
        sa.Column("game", sa.Integer, sa.ForeignKey(f"{SCHEMA}.games.number"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("bound", sa.Integer, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "bound"),
        schema=SCHEMA,
    )


def _add_annotations() -> None:
    op.create_table(
        "annotations",
        sa.Column("game", sa.Text(collation="C"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("id", sa.Text(collation="C"), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "id"),
        schema=SCHEMA,
    )
    op.add_column("games", sa.Column("closed_sources", sa.Integer, nullable=False, server_default="0"), schema=SCHEMA)
    op.add_column("sources", sa.Column("program", sa.Text, nullable=False, server_default=""), schema=SCHEMA)
    op.drop_constraint("sources_text_key", "sources", schema=SCHEMA, type_="unique")
    op.create_index("sources_by_text", "sources", ["text"], schema=SCHEMA)


def _compute(seeds: dict[int, int]) -> dict[int, int]:
    """Fills the temporary table. Returns the fingerprint of each game."""
    fingerprints = dict.fromkeys(seeds, 0)

    def checksums(rows: Iterable[Any]) -> Iterator[tuple[str, int]]:
        for place, game, key, source, *claim in rows:
            seed = _seed(seeds.get(game, 0), *claim)
            if seed is None:
                yield place, 0
                continue
            mark = xxh3_64_intdigest(key, seed)
            if game in fingerprints:
                fingerprints[game] += mark
            yield place, _signed(mark) ^ source * SOURCE_FACTOR

    driver = op.get_bind().connection.driver_connection
    assert driver is not None
    with driver.cursor(name="proofbase_claims", binary=True) as claims, driver.cursor() as cursor:
        claims.execute(
            "SELECT ctid::text, game, key, source, side, bound, rank, evidence, witness, payload FROM proofbase.claims"
        )
        while rows := claims.fetchmany(ROWS_A_FETCH):
            with cursor.copy("COPY proofbase_checksums (place, checksum) FROM STDIN") as copy:
                for row in checksums(rows):
                    copy.write_row(row)
    return fingerprints


@lru_cache(1 << 16)
def _seed(
    seed: int, side: int, bound: int, rank: int, evidence: int, witness: int | None, payload: bytes
) -> int | None:
    """What the key is hashed with for the mark of a claim; None for a row that is no claim."""
    try:
        claim = Claim(Side(side), bound, rank, Evidence(evidence), witness, payload)
    except ValueError:
        return None
    return xxh3_64_intdigest(encode_record(Record((claim,))), seed)


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def downgrade() -> None:
    """Fails where texts of sources repeat: release 0.1.0 cannot keep them."""
    op.drop_index("sources_by_text", "sources", schema=SCHEMA)
    op.create_unique_constraint("sources_text_key", "sources", ["text"], schema=SCHEMA)
    op.drop_column("sources", "program", schema=SCHEMA)
    for column in ("closed_sources", "removals", "fingerprint"):
        op.drop_column("games", column, schema=SCHEMA)
    op.drop_column("claims", "checksum", schema=SCHEMA)
    for table in ("annotations", "question_holders", "estimates", "tokens", "servers"):
        op.drop_table(table, schema=SCHEMA)
    op.drop_index("jobs_by_state_and_kind", "jobs", schema=SCHEMA)
