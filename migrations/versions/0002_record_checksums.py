"""Give every stored claim a checksum, and every game a fingerprint.

Adds `claims.checksum` and `games.fingerprint` (docs/store-format.md) and fills them in for the claims that are there.
The whole table is locked until the migration ends, and written anew: about a minute for a million claims, and for the
time being twice the room. Rows that are no claims keep being damaged: their checksum does not match.

Revision: 0002
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

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"
ROWS_A_FETCH = 20_000
SOURCE_FACTOR = 0x9E3779B1


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
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
    op.drop_column("claims", "checksum", schema=SCHEMA)
    op.drop_column("games", "fingerprint", schema=SCHEMA)
