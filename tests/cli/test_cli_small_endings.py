"""Small endings that a search does not settle: a solve builds their table, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Run, cli

__all__ = ["cli"]

BISHOP = "8/8/8/4k3/8/4K3/4B3/8 w - - 0 1"
"""A draw that 2 million nodes leave open."""


def test_a_small_ending_is_settled_by_its_table(cli: Run, tmp_path: Path) -> None:
    store = tmp_path / "s"
    found = cli("solve", "chess", BISHOP, "--seconds", "60", "--store", store, "--json")
    assert found.json["status"] == "exact" and found.json["value"] == {"lower": 0, "upper": 0}
    assert "200,000 nodes found no answer: the table of this ending is built" in found.err
    again = cli("solve", "chess", BISHOP, "--seconds", "60", "--store", store, "--json")
    assert again.json["nodes"] == 0 and "the table of this ending" not in again.err
    assert cli("lookup", "chess", BISHOP, "--store", store, "--json").json["known"]


@pytest.mark.parametrize(
    ("game", "position", "options"),
    [
        ("chess", BISHOP, ("--nodes", "1k")),
        ("chess", BISHOP, ("--seconds", "0.05")),  # the tables take longer
        ("chess", BISHOP, ("--algorithm", "pn-base-twin", "--seconds", "0.1")),
        ("tic-tac-toe", "5", ("--seconds", "60")),
        ("awari", "1,0,0,0,0,0/0,0,0,0,0,1/S", ("--seconds", "60")),  # the first nodes answer
    ],
)
def test_other_solves_build_no_table(
    game: str, position: str, options: tuple[str, ...], cli: Run, tmp_path: Path
) -> None:
    found = cli("solve", game, position, *options, "--store", tmp_path / "s")
    assert found.status in (0, 1) and "the table of this ending" not in found.err
    assert not list(tmp_path.glob("s/tables/*.table"))


def test_a_score_is_settled_by_a_table(cli: Run, tmp_path: Path) -> None:
    ones = "1,1,1,1,1,1/1,1,1,1,1,1/S"
    found = cli("solve", "oware", ones, "--seconds", "60", "--store", tmp_path / "s", "--json")
    assert found.json["status"] == "exact" and found.json["value"] == {"lower": 0, "upper": 0}
