"""Stores as release 0.1.0 wrote them: records without checksums, games without fingerprints."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import lmdb
import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

import proofbase.migrations
from proofbase.storage import decode_record

__all__ = ["write_lmdb_format_1", "write_postgres_0001"]

Records = dict[str, dict[bytes, bytes]]
"""Stored records, with the sources 1 and 2, by game and key."""


def write_lmdb_format_1(directory: Path, records: Records, *, commit_size: int = 10_000) -> None:
    """A store of format 1. It counts the records, and all games follow version 1 of their rules."""
    directory.mkdir()
    (directory / "writer.lock").touch()
    names = (b"meta", b"games", b"sources", b"records", b"quarantine", b"jobs", b"checkpoints")
    with lmdb.open(str(directory), map_size=1 << 30, max_dbs=16) as env:
        dbs = {name: env.open_db(name) for name in names}
        with env.begin(write=True) as txn:
            for name, value in ((b"magic", b"proofbase store"), (b"format", b"1"), (b"creator", b"proofbase 0.1.0")):
                txn.put(name, value, db=dbs[b"meta"])
            for number in (1, 2):
                row = json.dumps({"text": f"source {number}", "created": 0.0}).encode()
                txn.put(struct.pack(">I", number), row, db=dbs[b"sources"])
            for number, (game, found) in enumerate(records.items(), 1):
                txn.put(game.encode(), struct.pack(">IIQQ", number, 1, len(found), 5), db=dbs[b"games"])
                txn.cursor(dbs[b"records"]).putmulti(
                    [(struct.pack(">I", number) + key, record) for key, record in sorted(found.items())]
                )


def write_postgres_0001(url: str, records: Records) -> None:
    """A database that was migrated to revision 0001 and filled."""
    config = Config()
    config.set_main_option("script_location", str(Path(proofbase.migrations.__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE SCHEMA proofbase")
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    with psycopg.connect(url) as database:
        for number in (1, 2):
            row = (number, f"source {number}")
            database.execute("INSERT INTO proofbase.sources (number, text, created) VALUES (%s, %s, 0)", row)
        for game, found in records.items():
            adding = (
                "INSERT INTO proofbase.games (name, rules_version, records, generation) VALUES (%s, 1, %s, 5) "
                "RETURNING number"
            )
            ((number,),) = database.execute(adding, (game, len(found))).fetchall()
            rows = [
                (
                    number, key, int(claim.side), claim.bound, claim.rank, int(claim.evidence), claim.witness,
                    claim.payload, claim.source,
                )
                for key, record in found.items()
                for claim in decode_record(record).claims
            ]  # fmt: skip
            with database.cursor() as cursor:
                cursor.executemany("INSERT INTO proofbase.claims VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", rows)
