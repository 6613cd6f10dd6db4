"""Stores that take from packages, and from one another, what they lack."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli, store
from range_server import serving

from proofbase.storage import SolutionStore, open_store, without_sources
from proofbase.storage.package import writing
from proofbase.storage.testing import encoded, lower, upper

__all__ = ["cli", "store"]

TIC_TAC_TOE = "tic-tac-toe"


@pytest.fixture
def package(cli: Run, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of small blocks."""
    monkeypatch.setattr(writing, "BLOCK_BYTES", 100)
    for game in (TIC_TAC_TOE, GAME):
        assert cli("publish", game, tmp_path / "package", "--licence", "CC0-1.0", "--store", store).status == 0
    return tmp_path / "package"


def copy_without(source: SolutionStore, url: str, lost: slice) -> None:
    """A store of the records of tic-tac-toe without some of them."""
    with open_store(url) as target:
        items = [(key, without_sources(record)) for key, record in source.scan(TIC_TAC_TOE)]
        del items[lost]
        target.put_many(TIC_TAC_TOE, items, source="a copy", rules_version=1)


def test_what_a_store_lacks_is_pulled_once(cli: Run, store: str, package: Path, tmp_path: Path) -> None:
    mine = str(tmp_path / "mine")
    with serving(package) as server:
        assert cli("pull", server.url, "--store", mine).out == (
            f"{GAME}: 44 of 44 records read, 44 added, 0 improved\n"
            f"{TIC_TAC_TOE}: 139 of 139 records read, 139 added, 0 improved\n"
        )
        assert cli("store", "fingerprint", "--store", mine, "--compare", store).status == 0
        assert cli("verify", "--store", mine).status == 0
        with open_store(mine) as opened:
            assert [source.text for source in opened.sources()] == [f"pull from {server.url}/"]
        server.requests()
        assert f"{TIC_TAC_TOE}: 0 of 139" in cli("pull", server.url, "--store", mine).out
        assert server.requests()[0] == 1
        # Of a store that lacks some records only their blocks are read.
        with open_store(store, read_only=True) as whole:
            copy_without(whole, str(tmp_path / "part"), slice(40, 45))
        pulled = cli("pull", server.url, TIC_TAC_TOE, "--store", tmp_path / "part", "--json").json["games"][0]
        assert pulled["added"] == 5 and 5 <= pulled["read"] < 70
        assert cli("store", "fingerprint", TIC_TAC_TOE, "--store", tmp_path / "part", "--compare", mine).status == 0


def test_stores_pull_and_push_to_one_another(cli: Run, store: str, tmp_path: Path) -> None:
    pushed = cli("push", tmp_path / "mine", GAME, "--store", store)
    assert pushed.out == f"{GAME}: 44 of 44 records read, 44 added, 0 improved\n"
    assert "139 added" in cli("pull", store, "--store", tmp_path / "mine").out
    assert cli("store", "fingerprint", "--store", tmp_path / "mine", "--compare", store).status == 0
    assert cli("pull", store, "qubic", "--store", tmp_path / "mine").status == 2
    assert cli("pull", "memory:", "--store", tmp_path / "mine").out == "there are no records\n"


def test_nothing_is_believed(cli: Run, store: str, package: Path, tmp_path: Path) -> None:
    """False, lost and contradicting records: of that game nothing is stored."""
    with open_store(store, read_only=True) as sound:
        copy_without(sound, str(tmp_path / "lost"), slice(40, 80))
        with open_store(str(tmp_path / "false")) as target:
            key, _ = next(sound.scan(TIC_TAC_TOE))
            false = [(key, encoded(lower(1, 1), upper(1, 1)))]
            target.put_many(TIC_TAC_TOE, false, source="nobody", rules_version=1)
    assert cli("publish", TIC_TAC_TOE, tmp_path / "p", "--licence", "MIT", "--store", tmp_path / "lost").status == 0
    for wrong in (tmp_path / "lost", tmp_path / "false", tmp_path / "p"):
        refused = cli("pull", wrong, "--store", tmp_path / "mine")
        assert refused.status == 3 and "fail the local check" in refused.err
        with open_store(str(tmp_path / "mine")) as mine:
            assert mine.count(TIC_TAC_TOE) == 0
    refused = cli("pull", tmp_path / "false", "--store", store)
    assert refused.status == 3 and ("fail" in refused.err or "contradict" in refused.err)
    blocks = package / "tic-tac-toe.blocks"
    data = bytearray(blocks.read_bytes())
    data[10] ^= 1
    blocks.write_bytes(data)
    refused = cli("pull", package, TIC_TAC_TOE, "--store", tmp_path / "mine")
    assert refused.status == 3 and "is damaged" in refused.err
    assert cli("pull", store, "--store", package).status == 3


def test_tables_are_taken_and_verified(cli: Run, tmp_path: Path) -> None:
    home, mine, oracle = (str(tmp_path / name) for name in ("home", "mine", "oracle"))
    assert cli("tables", "build", "awari", "--stones", "4", "--store", home).status == 0
    assert cli("publish", "awari", oracle, "--licence", "CC0-1.0", "--store", home).status == 0
    first = cli("pull", oracle, "--with-tables", "--store", mine)
    assert first.status == 0 and "table awari-4: taken and verified, 1,365 entries" in first.out
    again = cli("pull", oracle, "awari", "--with-tables", "--store", mine, "--json").json["tables"]
    assert len(again) == 5 and not any(table["taken"] for table in again)
    assert sorted(path.name for path in (tmp_path / "mine" / "tables").iterdir()) == [
        f"awari-{stones}.table" for stones in range(5)
    ], "nothing else is left"
    assert cli("tables", "verify", "awari", "--stones", "4", "--store", mine).status == 0
    # Between two directories; a table of which one value is another one is refused, and nothing of its game is taken.
    (tmp_path / "home" / "tables" / "awari-4.table").unlink()
    part = str(tmp_path / "part")
    pushed = cli("push", part, "--with-tables", "--store", home, "--json").json["tables"]
    assert [(table["table"], table["taken"]) for table in pushed] == [(f"awari-{n}", True) for n in range(4)]
    wrong = bytearray((tmp_path / "mine" / "tables" / "awari-4.table").read_bytes())
    wrong[-20] ^= 1
    (tmp_path / "home" / "tables" / "awari-4.table").write_bytes(wrong)
    refused = cli("push", part, "--with-tables", "--store", home)
    assert refused.status == 3 and "awari-4" in refused.err
    assert not (tmp_path / "part" / "tables" / "awari-4.table").exists()
    assert len(list((tmp_path / "part" / "tables").iterdir())) == 4
    assert cli("pull", home, "--with-tables", "--store", "memory:").status == 2
