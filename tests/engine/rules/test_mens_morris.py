"""Men's morris: boards, mills and moves, against brute force and open_spiel; keys and texts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules, read_position
from proofbase.engine.conformance import check_game
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidParametersError, InvalidPositionError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.rules import MensMorris
from proofbase.engine.rules.morris.board import MorrisBoard, points_of

NINE, SIX, THREE = (MensMorris(men) for men in "963")
GAMES = ["mens-morris:3", "mens-morris:3,flying", "mens-morris:6", "mens-morris:6,no-flying", "mens-morris:9"]


def names(game: MensMorris, text: str) -> set[str]:
    position = game.parse(text)
    return {game.move_text(position, move) for move in game.moves(position)}


# --- Boards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("men", "points", "mills", "edges"), [(3, 9, 8, 16), (6, 16, 8, 20), (9, 24, 16, 32)])
def test_boards_have_their_points_mills_and_lines(men: int, points: int, mills: int, edges: int) -> None:
    board = MorrisBoard(men)
    assert (len(board.names), len(board.mills)) == (points, mills)
    assert sum(to.bit_count() for to in board.neighbours) == 2 * edges
    for start, to in enumerate(board.neighbours):
        assert all(board.neighbours[end] >> start & 1 for end in points_of(to))


@pytest.mark.parametrize(("men", "board_maps", "mill_maps"), [(3, 8, 8), (6, 16, 128), (9, 16, 48)])
def test_boards_have_their_symmetries(men: int, board_maps: int, mill_maps: int) -> None:
    board = MorrisBoard(men)
    assert (len(board.board_maps), len(board.mill_maps)) == (board_maps, mill_maps)
    for image in board.mill_maps:
        assert {image(mill) for mill in board.mills} == set(board.mills)


# --- Rules -----------------------------------------------------------------------------------------------------------


def test_a_mill_takes_a_man_that_stands_in_no_mill() -> None:
    moves = names(NINE, "xx./..o/.../...ooo/.../.../..x:x:4,4")
    assert {move for move in moves if move.startswith("g7")} == {"g7xf6"}
    assert "d6" in moves and "g4" not in moves


def test_a_mill_takes_any_man_where_all_stand_in_mills() -> None:
    moves = names(NINE, "xx./.../.../...ooo/.../.../...:x:4,4")
    assert {move for move in moves if move.startswith("g7")} == {"g7xe4", "g7xf4", "g7xg4"}


def test_two_mills_at_once_take_one_man() -> None:
    position = NINE.parse("xx./.../.../o..o.x/oo./.../..x:x:4,4")  # g7 closes the top row and the right column
    closing = [move for move in NINE.moves(position) if NINE.move_text(position, move).startswith("g7x")]
    assert len(closing) == 4
    assert {NINE.play(position, move).own.bit_count() for move in closing} == {3}


def test_men_move_along_lines_and_fly_with_three() -> None:
    four = names(NINE, "x../.x./..o/x.o.../.o./.../..x:x")
    assert " ".join(sorted(four)) == "a4-a1 a4-b4 a7-d7 d6-b6 d6-d5 d6-d7 d6-f6 g1-d1 g1-g4"
    three = names(NINE, "x../.x./..o/x.o.../.o./.../...:x")
    assert len(three) == 3 * 18 + 2 and {"a7-g4", "d6-a1xc4", "d6-a1xe5", "d6-a1xd3"} <= three
    walking = names(MensMorris("9,no-flying"), "x../.x./..o/x.o.../.o./.../...:x")
    assert " ".join(sorted(walking)) == "a4-a1 a4-b4 a7-d7 d6-b6 d6-d5 d6-d7 d6-f6"
    small = names(THREE, "xx./o.x/o.o:x")
    assert " ".join(sorted(small)) == "a3-b2 b3-b2 b3-c3 c2-b2 c2-c3xa1 c2-c3xa2 c2-c3xc1"


def test_a_side_without_a_move_or_with_two_men_has_lost() -> None:
    for game, text in (
        (NINE, "xox/.../.../o....o/.../.../xox:x"),
        (NINE, "xx./.../.../...ooo/.../.../...:x"),
        (THREE, "xxo/xo./o..:x"),
    ):
        position = game.parse(text)
        assert game.terminal(position) == -1 and not game.moves(position)


def test_three_men_win_with_their_first_mill() -> None:
    position = read_position(THREE, "b2 a1 c2 b1")
    assert THREE.terminal(THREE.play(position, THREE.parse_move(position, "a2xa1"))) == -1


@pytest.mark.parametrize("name", GAMES)
def test_both_sets_of_rules_keep_the_requirements_of_games(name: str, thorough: bool) -> None:
    for game in (open_rules(name), open_game(name)):
        report = check_game(game, seconds=1 if thorough else 0.15)
        assert report.passed, report


@pytest.mark.parametrize(("name", "value", "size"), [("mens-morris:3", 1, 527), ("mens-morris:3,flying", 0, 527)])
def test_three_men_have_the_value_of_brute_force(name: str, value: int, size: int) -> None:
    graph = explore(open_rules(name))
    assert (values(graph)[0], len(graph)) == (value, size)


def test_open_spiel_plays_the_same_rules() -> None:
    assert compare_with_open_spiel(4_000, seed=1) > 300


def compare_with_open_spiel(positions: int, seed: int) -> int:
    """Compares the moves of so many positions of random games; returns the number of mills closed in them.

    In open_spiel a mill is a move, and taking the man another one of the same side; points are numbered row by row from
    the top; a game is drawn after 200 moves.
    """
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    native, other = open_game("mens-morris:9"), pyspiel.load_game("nine_mens_morris")
    number = {point: place for place, point in enumerate(point for row in NINE.board.rows for point in row)}
    random, compared, mills = Random(seed), 0, 0
    while compared < positions:
        position, state = native.initial(), other.new_initial_state()
        while not (state.is_terminal() and native.terminal(position) is None):
            assert (native.terminal(position) is not None) == state.is_terminal()
            if state.is_terminal():
                assert state.returns()[native.side(position)] == -1
                break
            moves = dict[int, dict[int, int]]()  # by the move without what it takes: what it takes, and the whole move
            for move in native.moves(position):
                start, end, taken = move >> 10, move >> 5 & 31, move & 31
                action = number[end] if start == 31 else 24 * (1 + number[start]) + number[end]
                moves.setdefault(action, {})[-1 if taken == 31 else number[taken]] = move
            assert sorted(moves) == sorted(state.legal_actions()), native.text(position)
            closing = [action for action, takes in moves.items() if -1 not in takes]
            action = random.choice(closing if closing and random.random() < 0.3 else list(moves))
            state.apply_action(action)
            taken = -1
            if action in closing:
                assert sorted(moves[action]) == sorted(state.legal_actions())
                taken, mills = random.choice(list(moves[action])), mills + 1
                state.apply_action(taken)
            position = native.play(position, moves[action][taken])
            compared += 1
    return mills


# --- Keys, texts and parameters --------------------------------------------------------------------------------------


def test_only_mills_matter_where_both_sides_fly() -> None:
    position = NINE.parse("xx./.../..x/o.o.../.../.../..o:x")
    moved = NINE.parse(".../xx./..x/o.o.../.../..o/...:x")  # the outer and the middle square change places
    assert NINE.key(position) != NINE.key(moved)  # a4 is on the outer square as well
    swapped = NINE.parse(".../xx./..x/.oo.../.../..o/...:x")
    assert NINE.key(position) == NINE.key(swapped)
    walking = MensMorris("9,no-flying")
    assert walking.key(walking.parse(NINE.text(position))) != walking.key(walking.parse(NINE.text(swapped)))


def test_the_side_matters_to_the_key_no_more_than_the_orientation() -> None:
    position = NINE.parse("x.x/.x./.../o.o..o/.../.o./..x:x")
    turned = NINE.parse("o.o/.o./.../x.x..x/.../.x./..o:o")
    assert NINE.key(position) == NINE.key(turned)
    assert open_game("mens-morris:9").key(open_game("mens-morris:9").parse(NINE.text(turned))) == NINE.key(position)


@pytest.mark.parametrize("name", GAMES)
def test_wrong_keys_are_refused_by_both(name: str) -> None:
    native, rules, random = open_game(name), open_rules(name), Random(name)
    seen = set()
    position = rules.initial()
    for _ in range(400):
        key = bytearray(rules.key(position))
        key[random.randrange(7)] ^= 1 << random.randrange(8)
        outcomes = list[Any]()
        for game in (native, rules):
            try:
                outcomes.append(game.text(game.position(bytes(key))))
            except InvalidKeyError:
                outcomes.append(None)
        assert outcomes[0] == outcomes[1]
        seen.add(outcomes[0] is None)
        moves = rules.moves(position)
        position = rules.play(position, random.choice(moves)) if moves else rules.initial()
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "rows of points"),
        (".../.../..../.../...:x", "fewer than three men"),
        (".../.../..../.../...:x:6,5", "in turn"),
        (".../.../..../.../...:x:7,7", "too many men"),
        (".../.../..../.../...:o:5,6", "too few men"),
        (".../.../..../.../...:x:0,0", "rows of points"),
        (".../.../..../.../...:x:6,6 ", "rows of points"),
        (".../.../...:x:6,6", "rows of points"),
        (".../.../..../.../..:x:6,6", "rows of points"),
        (".../.../..../.../..z:x:6,6", "rows of points"),
        ("xxx/.../..../.../oo.:o", None),
        ("xxx/.../..../.../oo.:x", "just moved has fewer"),
        ("xx./.../..../.../ooo:x", None),
        ("x../.../..../.../ooo:x", "fewer than two men"),
        ("xxx/xxx/x.../.../ooo:x", "too many men"),
    ],
)
def test_texts_of_positions(text: str, cause: str | None) -> None:
    for game in (SIX, open_game("mens-morris:6")):
        if cause is None:
            assert game.text(game.parse(text)) == text
            continue
        with pytest.raises(InvalidPositionError, match=cause):
            game.parse(text)


def test_texts_of_moves() -> None:
    text = "xx./.../.../o....o/.../.../...:x:7,7"
    for game in (NINE, open_game("mens-morris:9")):
        position = game.parse(text)
        assert game.move_text(position, game.parse_move(position, "g7xa4")) == "g7xa4"
        with pytest.raises(InvalidMoveError, match="closes a mill: say which man it takes"):
            game.parse_move(position, "g7")
        for word in (
            "",
            "a7",
            "h9",
            "d6xa4",
            "g7xa7",
            "a7-a4",
            "D6",
            "d6 ",
            "g7xa4x",
            "g7xb1",
            "\N{ARABIC-INDIC DIGIT THREE}",
        ):
            with pytest.raises(InvalidMoveError, match="not a legal move"):
                game.parse_move(position, word)


def test_move_lists_are_read() -> None:
    for text in ("a7 g1 d7 a1 g7xa1", "a7,g1,d7,a1,g7xa1", "moves:a7g1d7a1 g7xa1"):
        assert NINE.text(read_position(NINE, text)) == "xxx/.../.../....../.../.../..o:o:6,7"


def test_the_board_is_drawn_with_its_lines() -> None:
    drawn = THREE.draw(THREE.parse("x.o/.x./...:o:1,2"))
    assert drawn.splitlines() == [
        "3 x-.-o", "  |\\|/|", "2 .-x-.", "  |/|\\|", "1 .-.-.", "  a b c", "in hand: x 1, o 2",
    ]  # fmt: skip


@pytest.mark.parametrize("parameters", ["", "4", "12", "9,", "9,fly", "9,flying,flying", "flying", "09", "3,no_flying"])
def test_wrong_parameters_are_refused(parameters: str) -> None:
    for opened in (open_game, open_rules):
        with pytest.raises(InvalidParametersError):
            opened(f"mens-morris:{parameters}")


def test_a_variant_that_is_the_rule_has_the_short_name() -> None:
    for name, canonical in (("mens-morris", ":9"), ("mens-morris:9,flying", ":9"), ("mens-morris:3,no-flying", ":3")):
        assert open_game(name).name == open_rules(name).name == f"mens-morris{canonical}"
