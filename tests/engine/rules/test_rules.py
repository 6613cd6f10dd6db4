"""The games in Python against published counts, open_spiel, and themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from count_positions import counts_per_ply, levels
from game_files import perft_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine import open_rules
from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    UnknownGameError,
)
from proofbase.engine.rules import FAMILIES, ConnectFour, Game, TicTacToe
from proofbase.engine.rules.tic_tac_toe import SYMMETRIES

SHARED = Path(os.environ.get("PROOFBASE_SHARED", Path(__file__).parents[4] / "shared")) / "data"
BOARDS = ["tic-tac-toe", *(f"connect-four:{size}" for size in ("7x6", "5x4", "4x5", "9x5", "1x4", "7x1", "2x2", "8x7"))]


def random_positions(game: Game[Any], random: Random, games: int) -> Iterator[Any]:
    for _ in range(games):
        position = game.initial()
        yield position
        while moves := game.moves(position):
            position = game.play(position, random.choice(moves))
            yield position


@pytest.mark.slow("mens-morris:9", "mens-morris:6", "awari")
@pytest.mark.parametrize("name", sorted(perft_rows()))
def test_counts_per_ply_are_those_on_file(name: str, thorough: bool) -> None:
    rows = perft_rows()[name]
    few = list(takewhile(lambda positions: thorough or positions <= 500, rows["positions"]))
    assert counts_per_ply(name, len(few) - 1) == {kind: counts[: len(few)] for kind, counts in rows.items()}


def test_tic_tac_toe_has_the_published_totals() -> None:
    rows = perft_rows("tic_tac_toe")["tic-tac-toe"]
    assert sum(rows["games"]) == 255_168
    assert sum(rows["positions"]) == 5478
    assert sum(rows["keys"]) == 765


def test_connect_four_has_the_positions_per_ply_of_oeis_a212693() -> None:
    rows = perft_rows("connect_four")["connect-four"]
    assert rows["positions"] == [1, 7, 49, 238, 1120, 4263, 16422, 54859]


def test_counts_agree_with_the_shared_ground_truth() -> None:
    file = SHARED / "ground_truth.json"
    if not file.exists():
        pytest.skip(f"no shared test data at {SHARED}")
    truth = json.loads(file.read_text())
    per_ply = [len(level) for level in levels(TicTacToe(), 9)]
    assert per_ply == truth["tic_tac_toe"]["per_ply"]
    checked = 0
    for height, row in truth["connect_four"]["legal_positions_by_board"]["rows=height h, entries width 1.."].items():
        for width, count in enumerate(map(int, row.split()), start=1):
            if count <= 5000:
                game = ConnectFour(width, int(height))
                assert sum(map(len, levels(game, width * int(height)))) == count, game.name
                checked += 1
    assert checked >= 20


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "connect-four",
        "connect-four:5x4",
        "connect-four:9x5",
        "connect-four:4x7",
        "connect-four:10x6",
        "connect-four:8x8",
        "connect-four:4x31",
        "connect-four:5x5,score",
        "connect-four:16x7,score",
    ],
)
def test_open_spiel_plays_the_same_rules(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    game = open_rules(name)
    if isinstance(game, ConnectFour):
        other = pyspiel.load_game(f"connect_four(rows={game.height},columns={game.width},x_in_row=4)")
    else:
        other = pyspiel.load_game("tic_tac_toe")
    random = Random(name)
    ended: Counter[int] = Counter()
    for _ in range(150):
        position, state = game.initial(), other.new_initial_state()
        while True:
            value = game.terminal(position)
            assert (value is not None) == state.is_terminal(), game.text(position)
            if value is not None:
                outcome = (value > 0) - (value < 0)
                assert outcome == state.returns()[game.side(position)]
                ended[outcome] += 1
                break
            assert game.side(position) == state.current_player()
            assert sorted(game.moves(position)) == sorted(state.legal_actions())
            move = random.choice(game.moves(position))
            position = game.play(position, move)
            state.apply_action(move)
    assert ended[-1] > 20


@pytest.mark.parametrize("name", BOARDS)
def test_keys_texts_and_moves_round_trip(name: str) -> None:
    game = open_rules(name)
    sizes = set()
    for position in random_positions(game, Random(name), 30):
        key = game.key(position)
        sizes.add(len(key))
        assert game.key(game.position(key)) == key
        assert game.parse(game.text(position)) == position
        assert len(game.draw(position).splitlines()) >= 1
        assert abs(game.terminal(position) or 0) <= game.limit(position) <= game.highest_value
        for move in game.moves(position):
            assert game.parse_move(position, game.move_text(position, move)) == move
    assert len(sizes) == 1


@pytest.mark.parametrize("name", BOARDS)
def test_symmetric_positions_have_the_same_key_and_the_same_children(name: str) -> None:
    game = open_rules(name)
    for position in random_positions(game, Random(name), 30):
        if isinstance(game, ConnectFour):
            images = [position[::-1]]
        else:
            images = ["".join(position[cell] for cell in image) for image in SYMMETRIES]
        images.append(game.position(game.key(position)))
        for image in images:
            assert game.key(image) == game.key(position)
            assert game.terminal(image) == game.terminal(position)
            children = [sorted(game.key(game.play(p, move)) for move in game.moves(p)) for p in (position, image)]
            assert children[0] == children[1]


@pytest.mark.parametrize("size", ["3x3", "4x2"])
def test_different_positions_share_a_key_only_when_they_are_mirror_images(size: str) -> None:
    game = open_rules(f"connect-four:{size}")
    by_key: dict[bytes, set[Any]] = {}
    for level in levels(game, 12):
        for position in level:
            by_key.setdefault(game.key(position), set()).add(position)
    assert all(group == {first, first[::-1]} for group in by_key.values() for first in [next(iter(group))])


def test_the_key_layout_is_the_documented_one() -> None:
    assert ConnectFour(7, 6).key(("",) * 7).hex() == f"{sum(1 << 7 * c for c in range(7)):014x}"
    # 4x3, x has the bottom of column 2, o on top of it, x to move: its field is 1 o-bit(0) x-bit(1) = 0b101.
    game = ConnectFour(4, 3)
    left, right = ("", "xo", "", ""), ("", "", "xo", "")
    number = 0b0001_0001_0101_0001
    assert game.key(left) == game.key(right) == number.to_bytes(2, "big")
    assert TicTacToe().key("x" + "." * 8) == (1).to_bytes(2, "big")
    assert TicTacToe().key("....x.o..") == (3**4 + 2).to_bytes(2, "big")


ROWS = "......./......./......./......./......./"


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("connect-four", "", "is not 6 rows of 7 cells"),
        ("connect-four", ".../.../...", "is not 6 rows of 7 cells"),
        ("connect-four", ROWS + "......", "is not 6 rows of 7 cells"),
        ("connect-four", ROWS + "...X...", "illegal character 'X' in row 6 from the top"),
        ("connect-four", ROWS + "...\x00...", "illegal character '\\x00'"),
        ("connect-four", ROWS + "...o...", "0 x and 1 o"),
        ("connect-four", ROWS + "xx.....", "2 x and 0 o"),
        ("connect-four", "......./......./......./......./...x.../.......", "floats over an empty cell in column 4"),
        ("connect-four", "......./......./......./......./oooo.../xxxx...", "both sides have four in a row"),
        ("connect-four", "......./......./......./o....../ooo..../xxxx...", "x has four in a row, but o made the last"),
        ("connect-four:9x1", "xxxxoxxxo", "7 x and 2 o"),
        ("connect-four:9x1", "xxxx.oooo", "both sides have four in a row"),
        ("connect-four:9x2", "ooo...o../xxxxxooo.", "5 x and 7 o"),
        ("tic-tac-toe", "", "is not 3 rows of 3 cells"),
        ("tic-tac-toe", "..../.../..", "is not 3 rows of 3 cells"),
        ("tic-tac-toe", ".../.z./...", "illegal character 'z' in row 2"),
        ("tic-tac-toe", "xxx/.../...", "3 x and 0 o"),
        ("tic-tac-toe", "o../.../...", "0 x and 1 o"),
        ("tic-tac-toe", "xxx/ooo/...", "both sides have three in a row"),
        ("tic-tac-toe", "xxx/oo./o..", "x has three in a row, but o made the last move"),
        ("tic-tac-toe", "ooo/xx./xx.", "o has three in a row, but x made the last move"),
    ],
)
def test_illegal_positions_are_refused_with_their_cause(name: str, text: str, cause: str) -> None:
    with pytest.raises(InvalidPositionError) as error:
        open_rules(name).parse(text)
    assert cause in str(error.value)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        ("9x2", "oo.o.o.oo/xxxxoxxxx"),  # two lines without a stone in both
        ("4x3", "o.../oxoo/xxxx"),  # a line with stones on all that could have been the last
    ],
)
def test_lines_that_no_last_move_can_have_completed_are_refused(size: str, text: str) -> None:
    with pytest.raises(InvalidPositionError, match="no last move of x can have completed"):
        open_rules(f"connect-four:{size}").parse(text)


def test_a_last_move_may_complete_five_in_a_row() -> None:
    game = ConnectFour(10, 2)
    assert game.terminal(game.parse("ooo......./xxxxxo....")) == -1


@pytest.mark.parametrize(
    ("moves", "text", "cause"),
    [
        ((), "0", "columns are 1 to 7"),
        ((), "8", "columns are 1 to 7"),
        ((), "\u0663", "columns are 1 to 7"),
        ((), "", "columns are 1 to 7"),
        ((3,) * 6, "4", "column 4 is full"),
        ((0, 1, 0, 1, 0, 1, 0), "2", "the game is over"),
    ],
)
def test_illegal_moves_are_refused_with_their_cause(moves: tuple[int, ...], text: str, cause: str) -> None:
    game = ConnectFour()
    position = game.initial()
    for move in moves:
        position = game.play(position, move)
    with pytest.raises(InvalidMoveError, match=cause):
        game.parse_move(position, text)


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from(BOARDS), st.one_of(st.text(), st.text(".xo/", max_size=60)))
def test_any_text_is_a_position_or_an_invalid_position_error(name: str, text: str) -> None:
    game = open_rules(name)
    try:
        position = game.parse(text)
    except InvalidPositionError:
        return
    assert game.text(position) == text


@pytest.mark.parametrize("name", BOARDS)
def test_messages_stay_short_however_long_the_input(name: str) -> None:
    for text in ("x" * 100_000, "/" * 100_000):
        with pytest.raises(InvalidPositionError) as error:
            open_rules(name).parse(text)
        assert len(str(error.value)) < 300
    with pytest.raises(InvalidKeyError) as key_error:
        open_rules(name).position(b"\x01" * 100_000)
    assert len(str(key_error.value)) < 300


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from(BOARDS), st.data())
def test_any_bytes_are_a_key_or_an_invalid_key_error(name: str, data: st.DataObject) -> None:
    game = open_rules(name)
    size = len(game.key(game.initial()))
    key = data.draw(st.one_of(st.binary(max_size=12), st.binary(min_size=size, max_size=size)))
    try:
        position = game.position(key)
    except InvalidKeyError:
        return
    assert game.key(position) == key


@pytest.mark.parametrize("name", BOARDS)
def test_keys_decode_to_legal_positions_only(name: str) -> None:
    """Every single-bit change of a key is refused or is the key of another legal position."""
    game = open_rules(name)
    for position in random_positions(game, Random(name), 5):
        key = game.key(position)
        for bit in range(8 * len(key)):
            changed = (int.from_bytes(key, "big") ^ 1 << bit).to_bytes(len(key), "big")
            try:
                other = game.position(changed)
            except InvalidKeyError:
                continue
            assert game.parse(game.text(other)) == other
            assert game.key(other) == changed


@pytest.mark.parametrize(
    "name", ["", "backgammon", "connect-five", "Connect-Four", "tic-tac-toe ", "tic-tac-toe\n", "x" * 999]
)
def test_unknown_games_are_refused(name: str) -> None:
    with pytest.raises(UnknownGameError) as error:
        open_rules(name)
    assert "known are tic-tac-toe, connect-four" in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    "name",
    [
        "connect-four:",
        "connect-four:7",
        "connect-four:7x",
        "connect-four:0x4",
        "connect-four:4x0",
        "connect-four:-1x4",
        "connect-four:07x6",
        "connect-four:7x6x5",
        "connect-four:11x11",
        "connect-four:65x1",
        "connect-four:1x128",
        "connect-four:7x6,",
        "connect-four:,score",
        "connect-four:7x6,scores",
        "connect-four:7x6score",
        "connect-four:score,7x6",
        "connect-four:7x6,score,score",
        "connect-four:07x6,score",
        "connect-four:11x11,score",
        "connect-four:9999x9999",
        "connect-four:99999x1",
        "connect-four:\u0667x\u0666",
        "connect-four:7X6",
        "connect-four:7x6\n",
        "tic-tac-toe:",
        "tic-tac-toe:3x3",
    ],
)
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(InvalidParametersError):
        open_rules(name)


def test_names_are_canonical() -> None:
    assert open_rules("connect-four:7x6").name == "connect-four"
    assert (
        open_rules("connect-four:score").name == open_rules("connect-four:7x6,score").name == "connect-four:7x6,score"
    )
    for family in FAMILIES:
        for example in family.examples:
            assert open_rules(example).name == example


def test_the_largest_boards_fit() -> None:
    for width, height in ((64, 1), (1, 127), (8, 15), (16, 7), (32, 3), (4, 31)):
        game = ConnectFour(width, height)
        for position in random_positions(game, Random(width), 2):
            assert game.position(game.key(position)) in (position, position[::-1])


def test_importing_the_engine_imports_nothing_compiled_or_third_party() -> None:
    code = (
        "import sys; before = set(sys.modules); import proofbase.engine, proofbase.engine.checking.checker;"
        "names = {name.split('.')[0] for name in set(sys.modules) - before};"
        "print(sorted(names - set(sys.stdlib_module_names) - {'proofbase'}), 'proofbase.engine._core' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "False"]


def test_the_checker_imports_only_the_rules() -> None:
    engine = Path(sys.modules[Game.__module__].__file__ or "").parents[1]
    lines = (engine / "checking" / "checker.py").read_text().splitlines()
    imports = [line.split()[1] for line in lines if line.lstrip().startswith(("import ", "from "))]
    ours = {module for module in imports if "proofbase" in module}
    assert ours and all(module.startswith("proofbase.engine.rules") for module in ours)
