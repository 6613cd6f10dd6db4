"""Batches and exports as Arrow tables, data frames and Parquet files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cli_runs import Run, cli
from services import Service

from proofbase.engine.games import open_game

__all__ = ["cli"]

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
pytest.importorskip("pandas", reason="pandas is not installed")


def test_a_batch_of_texts_as_a_table(solved: Service) -> None:
    items = solved.client.batch_lookup("tic-tac-toe", ["5", "nonsense", "51"])
    rows = items.to_arrow().to_pylist()
    assert [row["status"] for row in rows] == ["stored", "invalid", "stored"]
    assert rows[0]["known"] and rows[0]["lower"] == rows[0]["upper"] == 0
    assert rows[1]["lower"] is None and rows[1]["reason"] == "INVALID_POSITION"
    frame = items.to_pandas()
    assert list(frame["status"]) == ["stored", "invalid", "stored"]
    assert frame["lower"].dtype.name == "Int32" and frame["lower"].isna().tolist() == [False, True, False]


def test_a_batch_of_keys_as_a_table(solved: Service) -> None:
    game = open_game("tic-tac-toe")
    keys = [game.key(game.parse("xo./.../...")), b"\xff\xff", game.key(game.initial())]
    packed = solved.client.batch_lookup_packed("tic-tac-toe", b"".join(keys))
    rows = packed.to_arrow().to_pylist()
    for index, row in enumerate(rows):
        assert row["invalid"] == packed.invalid(index) and row["stored"] == packed.stored(index)
        if not row["invalid"]:
            value = packed.value(index)
            assert (row["lower"], row["upper"]) == (value.lower, value.upper)
            assert row["known"] and row["lower_rank"] is not None
    assert rows[1] | {"invalid": True, "lower": None, "upper": None, "known": None, "lower_rank": None} == rows[1]
    assert len(packed.to_pandas()) == 3


def test_keys_of_which_nothing_is_known_have_no_ranks(service: Service) -> None:
    game = open_game("tic-tac-toe")
    [row] = service.client.batch_lookup_packed("tic-tac-toe", game.key(game.initial())).to_arrow().to_pylist()
    assert (row["lower"], row["upper"], row["known"]) == (-1, 1, False)
    assert row["lower_rank"] is None and row["upper_rank"] is None


def test_exported_claims_as_a_table_and_as_parquet(solved: Service, tmp_path: Path) -> None:
    table = solved.client.claims_table("tic-tac-toe")
    csv = b"".join(solved.client.export("tic-tac-toe", form="csv")).decode().splitlines()
    assert table.num_rows == len(csv) - 1
    assert table.column_names == csv[0].split(",")
    path = tmp_path / "claims.parquet"
    summary = solved.client.export_to(path, "tic-tac-toe", form="parquet")
    assert parquet.read_table(path).equals(table)
    assert summary.records == solved.client.statistics().games[0].records and summary.bytes == path.stat().st_size
    below = solved.client.claims_table("tic-tac-toe", "5 1 9")
    assert 0 < below.num_rows < table.num_rows


def test_positions_with_commas_stay_in_their_column(service: Service) -> None:
    service.client.solve("awari", "0,0,0,0,0,1/1,0,0,0,0,1/S")
    table = service.client.claims_table("awari")
    assert table.num_rows > 0
    game = open_game("awari")
    for row in table.to_pylist():
        assert game.key(game.parse(row["position"])).hex() == row["key"]


def test_a_broken_parquet_export_leaves_no_file(service: Service, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="unknown game"):
        service.client.export_to(tmp_path / "x.parquet", "no-such-game", form="parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("missing", "extra"), [("pyarrow", "arrow"), ("pandas", "pandas")])
def test_a_missing_package_is_named(
    solved: Service, monkeypatch: pytest.MonkeyPatch, missing: str, extra: str, tmp_path: Path
) -> None:
    items = solved.client.batch_lookup("tic-tac-toe", ["5"])
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'proofbase\[{extra}\]'"):
        items.to_pandas()
    if missing == "pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
        with pytest.raises(ModuleNotFoundError, match=r"proofbase\[arrow\]"):
            solved.client.export_to(tmp_path / "x.parquet", "tic-tac-toe", form="parquet")
        assert list(tmp_path.iterdir()) == []


def test_the_command_line_writes_parquet(cli: Run, tmp_path: Path) -> None:
    store, path = str(tmp_path / "store"), tmp_path / "claims.parquet"
    assert cli("solve", "tic-tac-toe", "--store", store).status == 0
    assert cli("export", "tic-tac-toe", "--format", "parquet", "-o", str(path), "--store", store).status == 0
    assert parquet.read_table(path).num_rows > 100
    refused = cli("export", "tic-tac-toe", "--format", "parquet", "--store", store)
    assert refused.status == 2 and "-o FILE" in refused.err
