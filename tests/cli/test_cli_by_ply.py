"""What `stats --by-ply` prints."""

from __future__ import annotations

from pathlib import Path

from cli_runs import Run, cli

__all__ = ["cli"]


def test_the_solution_of_a_position_is_counted_ply_by_ply(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    assert cli("solve", "connect-four:4x4", *where).status == 0
    found = cli("stats", "--by-ply", "connect-four:4x4", *where, "--json").json
    assert [(bound["side"], bound["bound"]) for bound in found["bounds"]] == [("lower", 0), ("upper", 0)]
    for bound in found["bounds"]:
        first = bound["plies"][0]
        assert (first["ply"], first["positions"]) == (0, 1) and len(bound["deepest"]) == bound["plies"][-1]["ply"]
        assert all(row["strategic"] <= row["moves"] <= row["positions"] for row in bound["plies"])
    shown = cli("stats", "--by-ply", "connect-four:4x4", *where).out
    total = sum(row["positions"] for row in found["bounds"][0]["plies"])
    assert "value >= 0, rank" in shown and ["total", f"{total:,}"] in [row.split()[:2] for row in shown.splitlines()]


def test_what_cannot_be_counted_says_so(cli: Run, tmp_path: Path) -> None:
    where = ("--store", tmp_path / "store")
    assert cli("solve", "tic-tac-toe", *where).status == 0
    for wrong, said in (
        (("--by-ply",), "name GAME and POSITION"),
        (("--by-ply", "--census", "tic-tac-toe"), "without --census"),
        (("tic-tac-toe", "-"), "a POSITION is for --by-ply"),
    ):
        refused = cli("stats", *wrong, *where)
        assert refused.status == 2 and said in refused.err
    unknown = cli("stats", "--by-ply", "connect-four:4x4", *where)
    assert unknown.status == 2 and "nothing to export" in unknown.err
