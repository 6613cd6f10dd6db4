"""Records of every released version decode for ever: assets/records-VERSION.json holds their bytes and meaning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proofbase.storage import Claim, decode_record, encode_record, open_store, without_sources
from proofbase.storage.lmdb import LmdbStore

ASSETS = sorted((Path(__file__).parent / "assets").glob("records-*.json"))


def meaning(claim: Claim) -> dict[str, Any]:
    told = {
        "side": claim.side.name.lower(),
        "bound": claim.bound,
        "rank": claim.rank,
        "evidence": claim.evidence.name.lower(),
        "witness": claim.witness,
        "table": claim.table,
        "line": None if claim.line is None else list(claim.line),
        "nodes": claim.nodes,
        "threats": claim.payload.hex() if claim.threats is not None else None,
        "source": claim.source,
    }
    return {name: value for name, value in told.items() if value is not None}


def test_there_are_assets() -> None:
    assert "records-0.1.0.json" in [path.name for path in ASSETS]


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem)
def test_old_records_mean_what_they_meant(path: Path) -> None:
    asset = json.loads(path.read_text(encoding="utf-8"))
    assert len(asset["records"]) > 10
    for entry in asset["records"]:
        data = bytes.fromhex(entry["record"])
        record = decode_record(data)
        assert [meaning(claim) for claim in record.claims] == entry["claims"], entry["key"]
        assert encode_record(record) == data, entry["key"]


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem)
def test_old_keys_and_values_are_found_in_the_files(path: Path, tmp_path: Path) -> None:
    """The layout of the LMDB files: game number and key as one key, the record and its checksum as the value."""
    asset = json.loads(path.read_text(encoding="utf-8"))
    games = sorted({entry["game"] for entry in asset["records"]})
    with LmdbStore(str(tmp_path)) as store:
        for game in games:
            items = [
                (bytes.fromhex(entry["key"]), without_sources(bytes.fromhex(entry["record"])))
                for entry in asset["records"]
                if entry["game"] == game
            ]
            store.put_many(game, items, source="any", rules_version=1)
        environment = store._environment
        with environment.read() as txn:
            stored = {key: without_sources(value[:-8]) for key, value in txn.cursor(environment.dbs.records)}
    expected = {
        (games.index(entry["game"]) + 1).to_bytes(4, "big") + bytes.fromhex(entry["key"]): without_sources(
            bytes.fromhex(entry["record"])
        )
        for entry in asset["records"]
    }
    assert stored == expected
    with open_store(str(tmp_path), read_only=True) as store:
        assert [entry.name for entry in store.games()] == games
