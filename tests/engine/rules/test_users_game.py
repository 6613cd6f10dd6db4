"""A user's game with a symmetry and parameters, from brute force over the searches to the certificate."""

from __future__ import annotations

from typing import Any

import pytest
from values_by_definition import minimax

from proofbase.engine import games, open_game, register
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.papers.reference.pn_search import PnSearch
from proofbase.engine.rules import Game

core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
Rows = tuple[int, ...]


class Chomp(Game[Rows]):
    """A position is the lengths of the rows that are left, from the top: never growing, never 0."""

    name = "chomp"

    def __init__(self, size: str = "5x4") -> None:
        width, height = map(int, size.split("x"))
        self.name = "chomp" if size == "5x4" else f"chomp:{size}"
        self.bar = (width,) * height

    def initial(self) -> Rows:
        return self.bar

    def terminal(self, rows: Rows) -> int | None:
        return None if rows else 1  # nothing left: the other side has just eaten the poison

    def moves(self, rows: Rows) -> list[int]:
        return [16 * row + column for row, length in enumerate(rows) for column in range(length)]

    def play(self, rows: Rows, move: int) -> Rows:
        row, column = divmod(move, 16)
        eaten = rows[:row] + tuple(min(length, column) for length in rows[row:])
        return tuple(length for length in eaten if length)

    def key(self, rows: Rows) -> bytes:
        mirrored = tuple(sum(length > column for length in rows) for column in range(max(rows, default=0)))
        return min(bytes([len(rows), *rows]), bytes([len(mirrored), *mirrored]))

    def position(self, key: bytes) -> Rows:
        rows = tuple(key[1:])
        if 0 in rows or list(rows) != sorted(rows, reverse=True) or self.key(rows) != key:
            raise InvalidKeyError(f"{key.hex()} is not the key of a bar")
        return rows

    def text(self, rows: Rows) -> str:
        return "/".join(map(str, rows)) or "0"

    def parse(self, text: str) -> Rows:
        rows = tuple(int(length) for length in text.split("/") if length.isdecimal() and length != "0")
        if self.text(rows) != text or list(rows) != sorted(rows, reverse=True):
            raise InvalidPositionError(f"{text!r} is not row lengths such as 5/5/3, from the top, never growing")
        return rows


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {})
    register("chomp", Chomp)


def test_the_class_keeps_the_promises_of_a_game() -> None:
    game = Chomp("3x3")
    graph = explore(game)
    for key in graph.keys:
        position = game.position(key)
        assert game.key(position) == key
        assert game.parse(game.text(position)) == position
    for wrong in (b"", b"\x01", b"\x02\x01\x02", b"\x01\x00", b"\x02\x03"):
        with pytest.raises(InvalidKeyError):
            game.position(wrong)
    with pytest.raises(InvalidPositionError):
        game.parse("2/3")


@pytest.mark.parametrize("algorithm", ["pn-tree", "pn-dag"])
def test_every_search_finds_that_the_first_player_wins(algorithm: str) -> None:
    for size in ("1x1", "2x2", "3x3", "4x3", "5x2"):
        game = open_game(f"chomp:{size}", "python")
        expected = minimax(game, game.initial())
        assert expected == (-1 if size == "1x1" else 1)
        assert values(explore(game))[0] == expected
        assert PnSearch(game, game.initial(), 1).run() is (expected == 1)
        native = open_game(f"chomp:{size}")
        search = core.Search(native, native.initial(), 1, algorithm=algorithm)
        assert search.run(nodes=2_000_000).status == ("proved" if expected == 1 else "disproved")


def test_its_solution_is_checked_by_the_class_alone() -> None:
    rules, native = open_game("chomp:4x3", "python"), open_game("chomp:4x3")
    search = core.Search(native, native.initial(), 1)
    search.run()
    items = [item for chunk in search.solution().chunks() for item in chunk]
    assert list(LocalCheck(rules).findings(items, lambda keys: [None] * len(keys))) == []
    result = check_certificate(b"".join(certificate_chunks(rules, rules.initial(), items)), rules)
    assert result.findings == []
    assert result.header["lower"] == 1
    assert 0 < result.records == len(items)
    without_root = [item for item in items if item[0] != rules.key(rules.initial())]
    assert (
        check_certificate(b"".join(certificate_chunks(rules, rules.initial(), without_root)), rules).header["lower"]
        is None
    )
