"""The counts of moves of chess and giveaway that others publish, natively and, at small depths, by the Python rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.errors import InvalidPositionError

STARTS = {
    "chess": [20, 400, 8902, 197281],  # published everywhere
    "giveaway": [20, 400, 8067, 153299],
    "giveaway:antichess": [20, 400, 8067, 153299],
}
KIWIPETE = ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2039, 97862])
MOST_NATIVE, MOST_PYTHON = 150_000, 3_000
"""Larger counts are left to tests/bench/chess/bench_chess_perft.py."""


def perft(game: Any, position: Any, depth: int) -> int:
    """The lines of so many moves. Positions that come again are looked at once, the last ply is not played."""
    level = {position: 1}
    for _ in range(depth - 1):
        after: dict[Any, int] = {}
        for before, ways in level.items():
            for move in game.moves(before):
                child = game.play(before, move)
                after[child] = after.get(child, 0) + ways
        level = after
    return sum(ways * len(game.moves(last)) for last, ways in level.items())


def agrees(name: str, fen: str, counts: list[int]) -> None:
    for game, most in ((open_game(name), MOST_NATIVE), (open_rules(name), MOST_PYTHON)):
        position = game.initial() if fen == "-" else game.parse(fen)
        for depth, count in enumerate(counts, 1):
            if count <= most:
                assert perft(game, position, depth) == count, (fen, depth)


def positions_of(file: Path) -> dict[str, tuple[str, list[int]]]:
    """FEN and counts by name."""
    found: dict[str, tuple[str, list[int]]] = {}
    name = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "id":
            name = rest
        elif word == "epd":
            found[name] = (rest, [])
        elif word == "perft":
            found[name][1].append(int(rest.split()[1]))
    return found


@pytest.mark.parametrize("name", STARTS)
def test_the_first_plies_are_those_published(name: str) -> None:
    agrees(name, "-", STARTS[name])


def test_kiwipete() -> None:
    agrees("chess", *KIWIPETE)


def test_tricky_positions(shared_data: Path) -> None:
    """Castling that only chess 960 knows is refused: those positions are no chess positions."""
    positions = positions_of(shared_data / "chess_tricky.perft")
    for name in ("xfen-00", "xfen-01", "xfen-02", "xfen-03", "xfen-04", "asymmetrical-and-king-on-h"):
        for game in (open_game("chess"), open_rules("chess")):
            with pytest.raises(InvalidPositionError, match="right to castle"):
                game.parse(positions[name][0])
        del positions[name]
    for fen, counts in positions.values():
        agrees("chess", fen, counts)


def test_giveaway_positions(shared_data: Path) -> None:
    for fen, counts in positions_of(shared_data / "giveaway.perft").values():
        agrees("giveaway:antichess", fen, counts)


def test_giveaway_ground_truth(shared_data: Path) -> None:
    truth = json.loads((shared_data / "ground_truth.json").read_text(encoding="utf-8"))["giveaway"]
    agrees("giveaway:antichess", "-", truth["perft_start"])
    agrees("giveaway", "-", truth["perft_start_no_en_passant"])
