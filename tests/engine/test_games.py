"""Names of games, users' own games, and positions as people type them."""

from __future__ import annotations

import importlib
import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from heap_game import Heap
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase import engine
from proofbase.engine import games, list_games, open_game, open_rules, read_moves, read_position, register
from proofbase.engine.errors import (
    EngineError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    NativeCoreMissingError,
    UnknownGameError,
)
from proofbase.engine.rules import FAMILIES, Game

SHARED = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[3] / "shared")) / "data"


@pytest.fixture(autouse=True)
def fresh_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {})
    monkeypatch.setattr(games, "_installed", {})


def test_all_is_exact() -> None:
    for name in (
        "proofbase.engine",
        "proofbase.engine.errors",
        "proofbase.engine.rules",
        "proofbase.engine.checking.local_check",
        "proofbase.engine.records",
        "proofbase.engine.checking.certificate",
        "proofbase.engine.papers.reproduce",
    ):
        module = importlib.import_module(name)
        assert sorted(module.__all__) == module.__all__ or sorted(module.__all__) == sorted(set(module.__all__))
        assert all(hasattr(module, entry) for entry in module.__all__)
    assert set(engine.__all__) == {
        "EngineError", "Game", "PositionStatus", "SolvedPositions", "check_game", "list_games",
        "open_game", "open_rules", "read_moves", "read_position", "register", "solve_positions",
    }  # fmt: skip


def test_errors_are_drawn_as_they_are() -> None:
    module = importlib.import_module("proofbase.engine.errors")
    assert module.__doc__ is not None
    for name in module.__all__:
        entry = getattr(module, name)
        if isinstance(entry, type):
            assert issubclass(entry, EngineError)
            assert name in module.__doc__


def test_built_in_games_come_first() -> None:
    assert list_games() == [*FAMILIES, games.OPENSPIEL]
    register("heap", Heap)
    assert [entry.name for entry in list_games()][len(FAMILIES) :] == ["openspiel", "heap"]
    assert list_games()[-1].make("7").name == "heap:7"


def test_python_rules_need_no_native_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "proofbase.engine._core", None)
    assert open_game("connect-four:5x4", "python").name == "connect-four:5x4"
    with pytest.raises(NativeCoreMissingError):
        open_game("connect-four:5x4")


def test_native_games_look_like_games() -> None:
    pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
    for name in ("tic-tac-toe", "connect-four", "connect-four:7x6", "connect-four:5x4"):
        native, python = open_game(name), open_game(name, "python")
        assert isinstance(native, Game)
        assert (native.name, native.rules_version) == (python.name, python.rules_version)
        for text in ("-", "moves:12", "1 2 3"):
            first, second = read_position(native, text), read_position(python, text)
            assert native.key(first) == python.key(second)
            assert native.text(first) == python.text(second)
            assert list(native.moves(first)) == list(python.moves(second))
        with pytest.raises(InvalidPositionError):
            read_position(native, "moves:0")


def test_users_games_open_by_name() -> None:
    register("heap", Heap)
    assert open_game("heap", "python").initial() == 12
    assert open_game("heap:30", "python").initial() == 30
    with pytest.raises(InvalidParametersError, match="not a size"):
        open_game("heap:0", "python")
    register("plain", lambda: Heap())
    with pytest.raises(InvalidParametersError, match="takes no parameters"):
        open_game("plain:3", "python")
    with pytest.raises(ValueError, match="calls itself 'heap'"):
        open_game("plain", "python")
    register("wrong", lambda: 5)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="gave int"):
        open_game("wrong", "python")
    register("needy", lambda size: Heap(size))
    with pytest.raises(InvalidParametersError, match="needs parameters"):
        open_game("needy", "python")


def test_users_games_run_natively() -> None:
    core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
    register("heap", Heap)
    for size, status in (("7", "proved"), ("8", "disproved")):
        game = open_game(f"heap:{size}")
        assert core.Search(game, game.initial(), 1).run().status == status


@pytest.mark.parametrize("name", ["", "Heap", "heap:3", "1heap", "he ap", "h" * 41, "tic-tac-toe"])
def test_names_that_are_not_allowed_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"is not a name for a game|is a built-in game"):
        register(name, Heap)


def test_installed_packages_bring_games_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("heap", f"{__name__}:Heap", games.ENTRY_POINT_GROUP)
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or importlib.import_module(__name__))
    monkeypatch.setattr(games, "_installed", None)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point] if group == "proofbase.games" else [])
    assert [entry.name for entry in list_games()][len(FAMILIES) :] == ["openspiel", "heap"]
    assert open_game("heap:9", "python").initial() == 9


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("connect4", "connect-four"),
        ("Connect_Four:5x4", "connect-four:5x4"),
        ("four in a row", "connect-four"),
        ("tictactoe", "tic-tac-toe"),
        ("nine-mens-morris", "mens-morris:9"),
        ("Six_Mens_Morris:no-flying", "mens-morris:6,no-flying"),
        ("go-moku:7x7-4", "gomoku:7x7-4"),
        ("antichess", "giveaway:antichess"),
        ("oware", "awari:oware"),
        ("Chess", "chess"),
        ("within:5:connect4:4x4", "within:5:connect-four:4x4"),
    ],
)
def test_usual_names_are_taken(alias: str, name: str) -> None:
    assert open_game(alias).name == open_game(alias, "python").name == name
    with pytest.raises(UnknownGameError):
        open_rules(alias)  # names in files are no aliases


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("conect-four", "connect-four"),
        ("chees", "chess"),
        ("gomuku", "gomoku"),
        ("awary:x", "awari"),
        ("qbic", "qubic"),
        ("hex", "openspiel:hex"),
        ("dots-and-boxes", "openspiel:dots_and_boxes"),
    ],
)
def test_an_unknown_game_suggests_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(UnknownGameError, match=f"did you mean {nearest}\\? known are"):
        open_game(name)


@pytest.mark.parametrize("name", ["chess960", "caro", "backgammon"])
def test_another_game_is_not_suggested(name: str) -> None:
    with pytest.raises(UnknownGameError, match=f"unknown game '{name}': known are"):
        open_game(name)


def test_a_game_of_ones_own_goes_before_an_alias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", {"nim": Heap, "oware": OwnOware})
    assert open_game("oware", "python").name == "oware"


class OwnOware(Heap):
    """A game of one's own with the name of an alias."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "oware"


def test_unknown_games_and_rules_are_refused() -> None:
    for name in ("backgammon", "backgammon:5x5"):
        with pytest.raises(UnknownGameError, match=f"unknown game '{name}': known are tic-tac-toe, connect-four"):
            open_game(name)
    with pytest.raises(ValueError, match="'native' or 'python'"):
        open_game("tic-tac-toe", "fast")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ""),
        ("-", ""),
        ("  -\n", ""),
        ("4455", "4455"),
        ("moves:4455", "4455"),
        ("moves:", ""),
        ("moves: 4 4 5 5", "4455"),
        ("4 4 5 5", "4455"),
        ("4,4,5,5", "4455"),
        (" 4, 4,5 5 ", "4455"),
        ("44 55", "4455"),
        ("......./......./......./......./...oo../...xx..", "4455"),
    ],
)
def test_a_position_is_read_in_every_form(text: str, moves: str) -> None:
    game = open_rules("connect-four")
    expected = game.initial()
    for column in moves:
        expected = game.play(expected, int(column) - 1)
    assert read_position(game, text) == expected


def test_wide_boards_need_separators() -> None:
    game = open_rules("connect-four:12x3")
    assert read_position(game, "12 1") == game.play(game.play(game.initial(), 11), 0)
    with pytest.raises(InvalidPositionError, match="move 1 of '121': '121' is not a column"):
        read_position(game, "121")


def test_a_text_of_numbers_is_a_position_where_the_game_says_so() -> None:
    game = Heap()
    assert read_position(game, "7") == 7
    assert read_position(game, "moves:3 2") == 7
    assert read_position(game, "3 2") == 7


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("4444444", "move 7 of '4444444': column 4 is full"),
        ("4 4 8", "move 3 of '4 4 8': '8' is not a column"),
        ("moves:x", "move 1 of 'x': 'x' is not a column"),
        ("12121212", "the game is over after move 7 of '12121212': leave out what follows"),
        ("hello", "move 1 of 'hello'"),
        ("...", "is not 6 rows of 7 cells"),
        ("../..", "the board has 6 rows of 7 squares"),
        ("4;4", "is not 6 rows of 7 cells"),
        ("\x00", "is not 6 rows of 7 cells"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_cause(text: str, cause: str) -> None:
    with pytest.raises(InvalidPositionError) as error:
        read_position(open_rules("connect-four"), text)
    assert cause in str(error.value)


def test_moves_are_read_from_any_position() -> None:
    game = open_rules("tic-tac-toe")
    start = game.parse("x../.../...")
    assert read_moves(game, start, "5 9")[0] == [4, 8]
    assert game.text(read_moves(game, start, "59")[1]) == "x../.o./..x"
    with pytest.raises(InvalidMoveError, match="move 2 of '51': cell 1 is taken"):
        read_moves(game, start, "51")


@settings(max_examples=3 * settings().max_examples)
@given(
    st.sampled_from(["tic-tac-toe", "connect-four", "connect-four:12x3"]),
    st.one_of(st.text(), st.text("0123456789 ,-:moves", max_size=60)),
)
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    game = open_rules(name)
    try:
        position = read_position(game, text)
    except InvalidPositionError:
        return
    assert game.parse(game.text(position)) == position


def test_long_texts_are_refused_shortly_and_quickly() -> None:
    for text in ("4" * 200_000, "a" * 200_000, "4 " * 200_000, "moves:" + "9" * 200_000):
        with pytest.raises(InvalidPositionError) as error:
            read_position(open_rules("connect-four"), text)
        assert len(str(error.value)) < 300


def test_shared_move_lists_are_read() -> None:
    file = SHARED / "c4_pons_Test_L3_R1.txt"
    if not file.exists():
        pytest.skip(f"no shared test data at {SHARED}")
    game = open_rules("connect-four")
    rows = [line.split() for line in file.read_text().splitlines() if line[:1].isdigit()]
    assert len(rows) == 500
    for moves, _ in rows:
        position = read_position(game, moves)
        assert sum(map(len, position)) == len(moves)
        assert game.terminal(position) is None
