"""What the page says and draws against what the program says of the same package."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from looking import Looked

from proofbase.engine import open_rules
from proofbase.service.answers import PositionAnswer
from proofbase.service.client import connect
from proofbase.service.pictures.position import position_board
from proofbase.service.pictures.sentences import verdict

ANSWER = """async ([name, texts]) => {
  const { modules } = await import("/page.js");
  const [{ openPackage }, { openRules }, { lookup }, { drawBoard }, { targetsOf, verdict }] =
    ["package", "rules", "answers", "boards", "words"].map((part) => modules[`page-${part}.js`]);
  const pack = await openPackage(location.href), game = openRules(name), found = [];
  for (const text of texts) {
    const answer = await lookup(pack, game, game.parse(text)), position = answer.position;
    const board = { game: name, family: game.family, position: text, side: game.side(position), sides: game.sides,
      last: null, targets: targetsOf(game, answer, () => "#move") };
    const of = ({ lower, upper, lowerKnown, upperKnown }) => [lower, upper, lowerKnown, upperKnown];
    const moves = answer.moves.map((move) => [move.text, of(move.value), move.rank, move.rated, move.terminal]);
    found.push({
      answer: [answer.key, answer.terminal, of(answer.value), answer.rank, moves],
      best: answer.best?.text ?? null,
      verdict: verdict(game, answer).text,
      board: drawBoard(board).outerHTML,
    });
  }
  return found;
}"""


GOMOKU = ("h8", "a1", "i8", "a15", "j8", "o1")
"""Moves to a position that is won by threats."""


def of_answer(answer: PositionAnswer) -> list[Any]:
    def value(of: Any) -> list[Any]:
        return [of.lower, of.upper, of.lower_known, of.upper_known]

    moves = [[m.move, value(m.value), m.rank, m.known, m.terminal] for m in answer.moves]
    rank = None if answer.terminal else answer.rank
    return [answer.key.hex(), answer.terminal, value(answer.value), rank, moves]


def drawn(svg: str) -> list[Any]:
    """The elements of a picture in their order, with their attributes, numbers rounded."""

    def rounded(text: str) -> object:
        return round(float(text), 3) if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text) else text

    found = []
    for element in ElementTree.fromstring(svg).iter():
        attributes = {name: [rounded(part) for part in value.split(" ")] for name, value in element.attrib.items()}
        found.append((element.tag.rpartition("}")[2], attributes, element.text))
    return found


ABOVE_TABLES = "0,0,0,0,1,2/1,0,0,0,1,1/S"
"""A position of the package whose record rests on the tables."""
STARTS = {"gomoku": GOMOKU, "qubic": ("0", "21", "1", "22", "2", "26")}


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:5x4", "gomoku", "awari", "qubic"])
def test_the_page_says_and_draws_what_the_program_says(looked: Looked, package: Path, name: str) -> None:
    game, random = open_rules(name), Random(name)
    texts = []
    for _ in range(6 if name in STARTS else 25):
        position = game.table_position("awari-5", random.randrange(4368)) if name == "awari" else game.initial()
        for text in STARTS.get(name, ()):
            position = game.play(position, game.parse_move(position, text))
        for _ in range(random.randrange(6)):
            if game.terminal(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        texts.append(game.text(position))
    if name == "awari":
        texts.append(ABOVE_TABLES)
    looked.go("/")
    found = looked.page.evaluate(ANSWER, [name, texts])
    with connect(str(package)) as client:
        for text, of_page in zip(texts, found, strict=True):
            answer = client.lookup(name, text)
            highest = game.highest_value
            assert of_page["answer"] == of_answer(answer), text
            if answer.moves and answer.moves[0].known:
                assert of_page["best"] == answer.witness
            if answer.value.anything_known:
                assert of_page["verdict"] == verdict(answer, highest).text
            assert drawn(of_page["board"]) == drawn(position_board(answer, highest, link=lambda _: "#move")), text
