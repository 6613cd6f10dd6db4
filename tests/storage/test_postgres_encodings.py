"""Databases with other encodings than UTF-8: SQL_ASCII is what `initdb` makes in the locale C."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from postgres_server import PostgresServer

from proofbase.migrations import migrate
from proofbase.service.cli import run
from proofbase.storage import Claim, Record, Side, StoreError, encode_record, open_store

RECORD = encode_record(Record.of([Claim(Side.LOWER, 1, 5, witness=3)]))


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def database(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> Iterator[str]:
    url = postgres_server.create_database(request.param)
    with psycopg.connect(url, client_encoding="utf8") as connection:
        assert connection.execute("SHOW server_encoding").fetchone() == (request.param,)
    yield url
    postgres_server.drop_database(url)


def test_everything_works_from_the_migration_on(database: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["migrate", "--store", database]) == 0
    for command in (
        ["solve", "tic-tac-toe", "--all-moves"],
        ["lookup", "tic-tac-toe", "moves:5"],
        ["verify"],
        ["stats"],
        ["jobs", "list"],
        ["tokens", "create", "alice", "--role", "reader"],
        ["tokens", "list"],
        ["store", "info"],
        ["store", "fingerprint"],
    ):
        assert run([*command, "--store", database]) == 0, (command, capfd.readouterr().err)
    assert "Traceback" not in capfd.readouterr().err


def test_texts_that_the_encoding_has_come_back_and_others_are_refused_by_name(database: str) -> None:
    migrate(database)
    with open_store(database) as store:
        store.put_many("Spiel ä", [(b"k", RECORD)], source="Löser", rules_version=1)
        assert [game.name for game in store.games()] == ["Spiel ä"]
        assert [source.text for source in store.sources()] == ["Löser"]
        if "LATIN1" in _encoding(database):
            with pytest.raises(StoreError, match="make the database with the encoding UTF8"):
                store.put_many("g", [(b"k", RECORD)], source="解", rules_version=1)
        else:
            store.put_many("g", [(b"k", RECORD)], source="解", rules_version=1)
            assert "解" in [source.text for source in store.sources()]


def _encoding(url: str) -> str:
    with psycopg.connect(url, client_encoding="utf8") as connection:
        return str(connection.execute("SHOW server_encoding").fetchone())
