"""Boards as SVG: well-formed, without scripts, every legal move a target with its value in words."""

from __future__ import annotations

from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from proofbase.engine.games import open_game
from proofbase.engine.rules import FAMILIES
from proofbase.service.answers import MoveAnswer, Value
from proofbase.service.client import connect
from proofbase.service.pictures.boards import Board, board_svg, has_board, next_turn
from proofbase.service.pictures.position import moves_table, position_board, value_sign
from proofbase.service.words.values import value_text

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    *(name for family in FAMILIES for name in family.examples),
    "connect-four:1x1",
    "connect-four:1x127",
    "connect-four:63x1",
    "connect-four:13x8",
    "gomoku:19x19",
    "gomoku:3x4-3",
    "within:3:chess",
]


def link(move: MoveAnswer) -> str:
    return f"/somewhere?move={move.move}&other=1"


def parsed(picture: str) -> ElementTree.Element:
    """The picture, after a look at everything that must not be in it."""
    root = ElementTree.fromstring(picture)  # of our own making
    for element in root.iter():
        assert element.tag.removeprefix(SVG) not in ("script", "style", "foreignObject", "image")
        assert not any(name.startswith("on") or name == "style" for name in element.attrib)
    return root


def random_positions(game: Any, count: int) -> list[tuple[Any, str | None]]:
    """Positions of random games, with the last move."""
    random, found = Random(7), [(game.initial(), None)]
    while len(found) < count:
        position, last = game.initial(), None
        for _ in range(random.randrange(1, 60)):
            if game.terminal(position) is not None:
                break
            move = random.choice(list(game.moves(position)))
            last = game.move_text(position, move)
            position = game.play(position, move)
        found.append((position, last))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_a_target_that_names_itself_and_its_value(name: str) -> None:
    game = open_game(name)
    with connect("memory:") as client:
        for position, last in random_positions(game, 4):
            answer = client.lookup(name, game.text(position), board=True)
            root = parsed(position_board(answer, game.highest_value, last=last, link=link))
            targets = {a.attrib["data-move"]: a for a in root.iter(f"{SVG}a")}
            if has_board(name):
                assert set(targets) == {move.move for move in answer.moves}
            for move in answer.moves if has_board(name) else ():
                target = targets[move.move]
                assert target.attrib["href"] == link(move)
                words = value_text(move.value, game.highest_value) if move.known else "not known"
                if move.known and move.value.lower:
                    words += " within 1 ply"  # nothing is stored: only moves that end the game are known
                assert target.attrib["aria-label"].removesuffix(", best") == f"{move.move}: {words}"
                assert target.find(f"{SVG}title").text == target.attrib["aria-label"]  # type: ignore[union-attr]
            title = root.find(f"{SVG}title")
            assert title is not None and game.name in (title.text or "")
            assert root.attrib["aria-labelledby"] == title.attrib["id"]
            description = root.find(f"{SVG}desc")
            assert description is not None and description.text


@pytest.mark.parametrize("name", [name for name in GAMES if has_board(name)])
def test_the_last_move_is_marked(name: str) -> None:
    game = open_game(name)
    for position, last in random_positions(game, 5)[1:]:
        board = Board(game.name, game.text(position), game.side(position), (), last)
        marks = {"last", "last-cell", "last-pit"}
        root = parsed(board_svg(board))
        found = [element for element in root.iter() if marks & set(element.attrib.get("class", "").split())]
        assert len(found) == 1


def test_a_long_jump_in_checkers_takes_a_step_for_each_square() -> None:
    with connect("memory:") as client:
        answer = client.lookup("checkers", "B:WK9,K10,17,18,19,K20:B6")
        root = parsed(position_board(answer, 1, link=link, choose="/somewhere?chosen={}".format, chosen="6,15"))
    groups = {group.attrib["data-chosen"]: group for group in root.iter(f"{SVG}g") if "data-chosen" in group.attrib}
    assert set(groups) == {"", "6", "6,13", "6,15"}
    moves = {name: [a.attrib.get("data-move") for a in group.iter(f"{SVG}a")] for name, group in groups.items()}
    assert moves["6,13"] == ["6x13x22"] and sorted(map(str, moves["6,15"])) == ["6x15x22", "6x15x24"]
    men = {group.attrib["data-man"]: group for group in root.iter(f"{SVG}g") if "data-man" in group.attrib}
    assert set(men) == {"6", "9", "10", "17", "18", "19", "20"}
    assert [name for name, man in men.items() if man.find(f"{SVG}text") is not None] == ["9", "10", "20"]


def test_every_built_in_game_has_a_board_but_random_graphs() -> None:
    assert {family.name for family in FAMILIES if not has_board(family.examples[0])} == {"random-graph"}


@pytest.mark.parametrize("moves", ["h8 i9", "h8 i9 g9", "h8 i9 g9 swap", "h8 i9 g9 a1 b3", "h8 i9 g9 a1 b3 pass"])
def test_the_opening_of_renju_is_a_board(moves: str) -> None:
    with connect("memory:") as client:
        answer = client.lookup("renju:professional", f"moves:{moves}", board=True)
        root = parsed(position_board(answer, 1, link=link))
    assert {a.attrib["data-move"] for a in root.iter(f"{SVG}a")} == {move.move for move in answer.moves}


def test_an_answer_to_an_offer_of_renju_takes_two_steps() -> None:
    with connect("memory:") as client:
        answer = client.lookup("renju:professional", "moves:h8 i9 g9 a1 b3 pass c5", board=True)
        root = parsed(position_board(answer, 1, link=link, choose="/somewhere?chosen={}".format, chosen="b3"))
    groups = {group.attrib["data-chosen"]: group for group in root.iter(f"{SVG}g") if "data-chosen" in group.attrib}
    assert set(groups) == {"", "b3", "c5"}
    assert {a.attrib["data-choose"] for a in groups[""].iter(f"{SVG}a")} == {"b3", "c5"}
    assert len({a.attrib["data-move"] for a in groups["b3"].iter(f"{SVG}a")}) == 220


def test_a_move_with_a_source_takes_two_steps_and_a_promotion_three() -> None:
    """A click on a square is never a move of a man that was not chosen before."""
    with connect("memory:") as client:
        answer = client.lookup("chess", "7k/P7/8/8/8/8/8/4KR2 w - - 0 1")
    choose = "/somewhere?chosen={}".format
    for chosen in ("", "e1", "a7,a8"):
        root = parsed(position_board(answer, 1, link=link, choose=choose, chosen=chosen))
        groups = {group.attrib["data-chosen"]: group for group in root.iter(f"{SVG}g") if "data-chosen" in group.attrib}
        assert set(groups) == {"", "a7", "e1", "f1", "a7,a8"}
        opened = [name for name, group in groups.items() if "open" in group.attrib["class"].split()]
        assert opened == ([chosen] if chosen else [])
        assert [a.attrib.get("data-move") for a in groups[""].iter(f"{SVG}a")] == [None] * 3
        assert {a.attrib["data-at"]: a.attrib["data-move"] for a in groups["e1"]} == {
            "d1": "Kd1", "d2": "Kd2", "e2": "Ke2", "f2": "Kf2"
        }  # fmt: skip
        assert {a.attrib["data-move"] for a in groups["a7,a8"]} == {"a8=Q+", "a8=R+", "a8=B", "a8=N"}
        chosen_link = next(a for a in groups[""] if a.attrib["data-choose"] == "e1")
        assert chosen_link.attrib["href"] == choose("" if chosen == "e1" else "e1")
        assert chosen_link.attrib["aria-label"].startswith("king e1: 4 moves")


def test_a_turned_board_shows_the_same_moves_elsewhere() -> None:
    with connect("memory:") as client:
        for game, turns in (("chess", 2), ("awari", 2), ("gomoku:9x9", 1), ("mens-morris:6", 3), ("tic-tac-toe", 1)):
            answer = client.lookup(game, "", board=True)
            first, turned = (parsed(position_board(answer, 1, link=link, turns=by)) for by in (0, turns))
            moves = [[a.attrib["data-move"] for a in root.iter(f"{SVG}a")] for root in (first, turned)]
            assert moves[0] == moves[1] and next_turn(game, 0) is not None
            areas = [[area.attrib for area in root.iter() if area.get("class") == "area"] for root in (first, turned)]
            assert areas[0] != areas[1]
            assert first.attrib["viewBox"] == turned.attrib["viewBox"]
        assert next_turn("connect-four", 0) is None


def test_moves_that_are_the_same_by_symmetry_are_one_row() -> None:
    with connect("memory:") as client:
        table = moves_table(client.lookup("gomoku:9x9", "e5"), 1, link=link)
        assert table.count("<li>") == 14 and "80 moves of unknown value" in table and "+ 3 mirror images" in table
        client.solve_all_moves("tic-tac-toe", "5")
        table = moves_table(client.lookup("tic-tac-toe", "5"), 1, link=link)
        assert table.count("<tr>") == 3 and table.count("+ 3 mirror images") == 2


def test_a_users_game_is_shown_by_its_drawing_and_hostile_texts_are_escaped() -> None:
    drawing = 'a<script>alert("1")</script>\nb & c' + "\n" * 100 + "x" * 1000
    board = Board("chomp", "</svg><script>", 0, (), '"><script>', drawing)
    picture = board_svg(board)
    assert "<script" not in picture
    root = parsed(picture)
    lines = [element.text for element in root.iter(f"{SVG}text")]
    assert lines[0] == 'a<script>alert("1")</script>' and lines[-1] == "… and 62 lines more"


def test_a_value_has_its_colour_and_its_words() -> None:
    with connect("memory:") as client:
        client.solve_all_moves("connect-four:4x3")
        answer = client.lookup("connect-four:4x3", "1")
        root = parsed(position_board(answer, 1, link=link))
        for target in root.iter(f"{SVG}a"):
            assert "draw" in target.attrib["class"].split() or not target.attrib["aria-label"].endswith("draw, best")
        table = moves_table(answer, 1, link=link)
        assert "draw" in table and 'class="value draw"' in table


@pytest.mark.parametrize(
    ("value", "highest", "sign"),
    [
        (Value.of(1), 1, "W"),
        (Value.of(0), 1, "D"),
        (Value.of(-1), 1, "L"),
        (Value(0, 1, True, False), 1, "≥D"),
        (Value(-1, 0, False, True), 1, "≤D"),
        (Value.within(1), 1, "?"),
        (Value.of(3), 18, "+3"),
        (Value(-48, -2, False, True), 48, "≤-2"),
    ],
)
def test_signs(value: Value, highest: int, sign: str) -> None:
    assert value_sign(value, highest) == sign
