"""What `tables build` and `stats` say of tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Run, cli

__all__ = ["cli"]


@pytest.mark.parametrize(
    ("game", "size", "said", "value"),
    [
        ("mens-morris:3", 6, "first position .../.../...:x:3,3: win by table", {"lower": 1, "upper": 1}),
        ("awari", 2, "the first position of awari is in none of them", None),
    ],
)
def test_a_build_says_what_the_first_position_is_worth(
    cli: Run, tmp_path: Path, game: str, size: int, said: str, value: object
) -> None:
    where = ("--store", tmp_path / "store")
    assert said in cli("tables", "build", game, "--size", size, *where).out
    assert cli("tables", "build", game, "--size", size, *where, "--json").json["value"] == value


def test_statistics_have_a_row_for_each_game_with_tables_and_name_damaged_ones(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    assert cli("solve", "tic-tac-toe", *where).status == 0
    for game, size in (("awari", 3), ("mens-morris:3", 6)):
        assert cli("tables", "build", game, "--size", size, *where).status == 0
    rows = [line.split()[:3] for line in cli("stats", *where).out.splitlines()]
    assert ["awari", "4", "455"] in rows and ["mens-morris:3", "8", "565"] in rows
    (damaged,) = (tmp_path / "store").glob("**/awari-3*")
    damaged.write_bytes(damaged.read_bytes()[:100])
    assert "damaged: awari-3: " in cli("stats", *where).out
