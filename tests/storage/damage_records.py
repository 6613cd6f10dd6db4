"""Changes single bits of stored records behind a store's back, and takes records away."""

from __future__ import annotations

import random

import psycopg

from proofbase.storage import SolutionStore
from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb.records import GameRow

__all__ = ["flip_bits", "remove_record", "replace_with_checksum"]


def flip_bits(store: SolutionStore, url: str, keys: list[tuple[str, bytes]], chance: random.Random) -> None:
    """Changes one bit of each of these records: of the record, or of its checksum.

    Args:
        store: an open store.
        url: of the database, for a PostgreSQL store.
        keys: games and keys of the records.
        chance: chooses the bits.
    """
    if isinstance(store, LmdbStore):
        _flip_in_lmdb(store, keys, chance)
    else:
        _flip_in_postgres(url, keys, chance)


def _flip_in_lmdb(store: LmdbStore, keys: list[tuple[str, bytes]], chance: random.Random) -> None:
    environment = store._environment
    with environment.read() as txn:
        prefixes = {
            bytes(name).decode(): GameRow.unpack(bytes(name), bytes(row)).prefix
            for name, row in txn.cursor(environment.dbs.games)
        }

    def flip(txn: object) -> None:
        for game, key in keys:
            value = bytearray(txn.get(prefixes[game] + key, db=environment.dbs.records))  # type: ignore[attr-defined]
            value[chance.randrange(len(value))] ^= 1 << chance.randrange(8)
            txn.put(prefixes[game] + key, bytes(value), db=environment.dbs.records)  # type: ignore[attr-defined]

    environment.write(flip)


def _flip_in_postgres(url: str, keys: list[tuple[str, bytes]], chance: random.Random) -> None:
    with psycopg.connect(url) as connection:
        numbers = dict(connection.execute("SELECT name, number FROM proofbase.games").fetchall())
        for game, key in keys:
            place = (
                "ctid = (SELECT ctid FROM proofbase.claims WHERE game = %s AND key = %s ORDER BY side, bound LIMIT 1)"
            )
            reading = f"SELECT payload, witness FROM proofbase.claims WHERE {place}"
            [(payload, witness)] = connection.execute(reading.encode(), (numbers[game], key)).fetchall()
            columns = {"bound": 31, "rank": 31, "evidence": 15, "source": 31, "checksum": 63}
            columns |= {"witness": 31} if witness is not None else {}
            columns |= {"payload": 8 * len(payload)} if payload else {}
            column, bit = chance.choice(
                [(name, place) for name, bits in columns.items() for place in range(bits if name != "checksum" else 20)]
            )
            kind = {"evidence": "smallint", "checksum": "bigint"}.get(column, "integer")
            changed = (
                f"{column} # (1::{kind} << {bit})"
                if column != "payload"
                else f"set_bit(payload, {bit}, 1 - get_bit(payload, {bit}))"
            )
            if kind == "smallint":
                changed = f"(evidence # (1 << {bit}))::smallint"
            connection.execute(
                f"UPDATE proofbase.claims SET {column} = {changed} WHERE {place}".encode(), (numbers[game], key)
            )


def remove_record(store: SolutionStore, url: str, game: str, key: bytes) -> None:
    """Takes a record away without a trace."""
    if isinstance(store, LmdbStore):
        environment = store._environment
        with environment.read() as txn:
            prefix = GameRow.unpack(game.encode(), txn.get(game.encode(), db=environment.dbs.games)).prefix
        assert environment.write(lambda txn: txn.delete(prefix + key, db=environment.dbs.records))
        return
    with psycopg.connect(url) as connection:
        connection.execute(
            "DELETE FROM proofbase.claims USING proofbase.games WHERE game = number AND name = %s AND key = %s",
            (game, key),
        )


def replace_with_checksum(store: SolutionStore, url: str, game: str, key: bytes, record: bytes) -> None:
    """Puts another record in the place of a stored one, with a checksum that matches, as a forger would.

    The quarantine takes the old one out, and count, generation and fingerprint are set back.
    """
    kept = store.audit(game)
    store.quarantine(game, [key], "forged")
    store.put_many(game, [(key, record)], source="forged", rules_version=1)
    if isinstance(store, LmdbStore):
        environment = store._environment

        def restore(txn: object) -> None:
            row = txn.get(game.encode(), db=environment.dbs.games)  # type: ignore[attr-defined]
            assert kept.stored_fingerprint is not None
            restored = GameRow.unpack(game.encode(), row)._replace(fingerprint=kept.stored_fingerprint)
            txn.put(game.encode(), restored.pack(game.encode()), db=environment.dbs.games)  # type: ignore[attr-defined]

        environment.write(restore)
        return
    signed = kept.stored_fingerprint or 0
    signed -= (signed >> 63) << 64
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE proofbase.games SET fingerprint = %s WHERE name = %s", (signed, game))
