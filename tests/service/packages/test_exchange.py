"""Records go from one service to another, servers among them: those that lack, each checked by who takes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli, store
from services import MakeService, Service, fill_tic_tac_toe, serving

from proofbase.engine.games import open_game
from proofbase.service.application import Application
from proofbase.service.client import InvalidRequestError, connect
from proofbase.service.client.exchange import exchange
from proofbase.service.commands.transfer import record_blocks as blocks
from proofbase.storage import open_store, without_sources
from proofbase.storage.testing import encoded, lower, upper

__all__ = ["cli", "store"]

TIC_TAC_TOE = "tic-tac-toe"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_RECORDS", 20)
    monkeypatch.setattr(blocks, "BATCH_BYTES", 100)


@pytest.fixture
def server(store: str) -> Iterator[str]:
    """A server of a store with two solutions."""
    with Application(open_store(store, read_only=True)) as app, serving(app) as address:
        yield f"grpc://{address}"


def test_blocks_and_their_records_are_those_of_the_store(solved: Service) -> None:
    stored = [(key, without_sources(record)) for key, record in solved.store.scan(TIC_TAC_TOE)]
    found = list(solved.client.record_blocks(TIC_TAC_TOE))
    assert [block.records for block in found] == [20] * (len(stored) // 20) + [len(stored) % 20]
    assert [block.first for block in found] == [key for key, _ in stored[::20]]
    assert list(solved.client.block_records(TIC_TAC_TOE)) == stored
    assert list(solved.client.block_records(TIC_TAC_TOE, found[1].first, found[3].first)) == stored[20:60]
    total = sum(int(block.fingerprint, 16) for block in found) % (1 << 64)
    assert total == solved.store.fingerprint(TIC_TAC_TOE)
    firsts = [stored[7][0], b"\xff" * 9]
    ranges = list(solved.client.record_blocks(TIC_TAC_TOE, firsts))
    assert [(block.first, block.records) for block in ranges] == [
        (b"", 7),
        (firsts[0], len(stored) - 7),
        (firsts[1], 0),
    ]
    with pytest.raises(InvalidRequestError, match="ascend"):
        list(solved.client.record_blocks(TIC_TAC_TOE, [b"b", b"a"]))
    assert list(solved.client.record_blocks("qubic")) == list(solved.client.block_records("qubic")) == []


def test_what_lacks_is_read_and_taken_once(make_service: MakeService) -> None:
    source, target = make_service(), make_service()
    fill_tic_tac_toe(source.store)
    items = [(key, without_sources(record)) for key, record in source.store.scan(TIC_TAC_TOE)]
    part = items[:100] + items[105:]
    target.store.put_many(TIC_TAC_TOE, part, source="before", rules_version=1)
    progress: list[tuple[str, int, int]] = []
    [found] = exchange(source.client, target.client, on_progress=lambda *state: progress.append(state))
    assert (found.game, found.records, found.read, found.added) == (TIC_TAC_TOE, len(items), 20, 5)
    assert progress == [(TIC_TAC_TOE, 20, len(items))]
    assert target.store.fingerprint(TIC_TAC_TOE) == source.store.fingerprint(TIC_TAC_TOE)
    [again] = exchange(source.client, target.client, TIC_TAC_TOE)
    assert (again.read, again.added) == (0, 0)
    with pytest.raises(InvalidRequestError, match="no records of qubic"):
        exchange(source.client, target.client, "qubic")


def test_false_records_are_refused_by_who_takes_them(make_service: MakeService) -> None:
    source, target = make_service(), make_service()
    game = open_game(TIC_TAC_TOE)
    key = game.key(game.initial())
    false = [(key, encoded(lower(1, 1), upper(1, 1)))]
    source.store.put_many(TIC_TAC_TOE, false, source="nobody", rules_version=1)
    with pytest.raises(Exception, match="fail"):
        exchange(source.client, target.client)
    assert target.store.games() == []


def test_commands_pull_from_a_server_and_push_to_one(cli: Run, store: str, server: str, tmp_path: Path) -> None:
    mine = str(tmp_path / "mine")
    assert cli("pull", server, "--store", mine).out == (
        f"{GAME}: 44 of 44 records read, 44 added, 0 improved\n"
        f"{TIC_TAC_TOE}: 139 of 139 records read, 139 added, 0 improved\n"
    )
    assert cli("store", "fingerprint", "--store", mine, "--compare", store).status == 0
    assert f"{TIC_TAC_TOE}: 0 of 139" in cli("pull", server, TIC_TAC_TOE, "--store", mine).out
    with Application(open_store("memory:")) as app, serving(app) as address:
        pushed = cli("push", f"grpc://{address}", GAME, "--store", mine, "--json").json["games"]
        assert [(entry["game"], entry["added"]) for entry in pushed] == [(GAME, 44)]
        # From one server to another.
        assert "139 added" in cli("push", f"grpc://{address}", "--store", server).out
        with connect(address) as client:
            assert {entry.game: entry.records for entry in client.statistics().games} == {GAME: 44, TIC_TAC_TOE: 139}
    wrong = cli("pull", "grpc://nowhere", "--store", mine)
    assert wrong.status == 2 and "grpc://HOST:PORT" in wrong.err
