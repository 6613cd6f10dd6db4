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
from proofbase.service.pictures.boards import Board, board_svg, has_board
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


def test_every_built_in_game_has_a_board_but_random_graphs() -> None:
    assert {family.name for family in FAMILIES if not has_board(family.examples[0])} == {"random-graph"}


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
        (Value(1, 1, True, True), 1, "W"),
        (Value(0, 0, True, True), 1, "D"),
        (Value(-1, -1, True, True), 1, "L"),
        (Value(0, 1, True, False), 1, "≥D"),
        (Value(-1, 0, False, True), 1, "≤D"),
        (Value(-1, 1, False, False), 1, "?"),
        (Value(3, 3, True, True), 18, "+3"),
        (Value(-48, -2, False, True), 48, "≤-2"),
    ],
)
def test_signs(value: Value, highest: int, sign: str) -> None:
    assert value_sign(value, highest) == sign
