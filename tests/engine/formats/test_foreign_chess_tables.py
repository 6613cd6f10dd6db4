"""Endgame tables of chess programs, read by python-chess.

No tables of others are at hand. Gaviota tables are written here as python-chess reads them; of Syzygy tables
python-chess's own reader is stood in for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import chess
import chess.syzygy
import chess.variant
import pytest
from gaviota_files import write_gaviota

from proofbase.engine import open_rules
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.chess_tables import read_gaviota, read_syzygy


def drawn_positions(directory: Path, name: str, count: int) -> list[str]:
    """The positions that are drawn of a table."""
    write_gaviota(directory, name, {})
    return [claim.position for claim in read_gaviota(directory, "chess", count, seed=3).claims]


@pytest.mark.parametrize("name", ["krk", "kpk"])
def test_the_plies_of_a_gaviota_table_are_claimed(tmp_path: Path, name: str) -> None:
    fens = drawn_positions(tmp_path, name, 60)
    assert len(set(fens)) == 60
    numbers = (0, 1, 3, 31, -2, -30, -4, 5)
    plies = {fen: numbers[number % len(numbers)] for number, fen in enumerate(fens)}
    write_gaviota(tmp_path, name, plies)
    read = read_gaviota(tmp_path / f"{name}.gtb.cp4", "chess", 60, seed=3)
    claims = list(read.claims)
    rules = open_rules("chess")
    assert [claim.position for claim in claims] == fens
    symmetric = 0
    for claim in claims:
        rules.parse(claim.position)
        number = plies[claim.position]
        claimed = (claim.lower, claim.plies)
        value = (number > 0) - (number < 0)
        # Of two drawn positions that are symmetric the table has one number: the last one.
        symmetric += claimed != (value, abs(number) if number else None)
        assert claim.lower == claim.upper and claim.shortest
    assert symmetric <= 2


def test_tables_that_are_missing_and_damaged_ones_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidPositionError, match="no tables: their names are like"):
        read_gaviota(tmp_path, "chess")
    with pytest.raises(InvalidPositionError, match="Gaviota tables are of chess, and giveaway is another game"):
        read_gaviota(tmp_path, "giveaway")
    with pytest.raises(FileNotFoundError, match="no such file or directory"):
        read_gaviota(tmp_path / "krk.gtb.cp4", "chess")
    write_gaviota(tmp_path, "krk", {})
    data = (tmp_path / "krk.gtb.cp4").read_bytes()
    (tmp_path / "krk.gtb.cp4").write_bytes(data[: len(data) // 2])
    with pytest.raises(InvalidPositionError, match=r"krk\.gtb\.cp4: the table is damaged"):
        read_gaviota(tmp_path, "chess", 50)


class StandIn:
    """python-chess's reader of Syzygy tables; it knows no fifty-move rule, and no table with a pawn."""

    def __init__(self, kind: type[chess.Board]) -> None:
        self.kind = kind

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def probe_wdl(self, board: chess.Board) -> int:
        assert type(board) is self.kind
        if board.pawns:
            raise chess.syzygy.MissingTableError("no table")
        return (board.king(chess.WHITE) or 0) % 5 - 2


@pytest.mark.parametrize(
    ("game", "kind", "names"),
    [
        ("chess", chess.Board, ("KQvK.rtbw", "KPvK.rtbw")),
        ("giveaway:antichess", chess.variant.AntichessBoard, ("KQvK.gtbw", "PvK.gtbw")),
    ],
)
def test_syzygy_tables_claim_who_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, kind: type[chess.Board], names: tuple[str, ...]
) -> None:
    asked = list[Any]()

    def open_tablebase(directory: str, *, VariantBoard: type[chess.Board]) -> StandIn:  # noqa: N803
        asked.append(directory)
        return StandIn(VariantBoard)

    monkeypatch.setattr(chess.syzygy, "open_tablebase", open_tablebase)
    for name in names:
        (tmp_path / name).touch()
    read = read_syzygy(tmp_path, game, 80, seed=1)
    assert asked == [str(tmp_path)] and read.total == 40
    assert read.remarks == ("40 positions are left out: they need tables that are not there",)
    rules = open_rules(game)
    for claim in read.claims:
        position = rules.parse(claim.position)
        wdl = (kind(claim.position).king(chess.WHITE) or 0) % 5 - 2
        assert claim.lower == claim.upper == (wdl > 0) - (wdl < 0) and claim.plies is None
        assert rules.side(position) == (" b " in claim.position)
    assert {claim.lower for claim in read.claims} == {-1, 0, 1}
