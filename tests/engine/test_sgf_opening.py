"""The opening of professional renju in SGF: swaps, offers and answers written, read, and refused with the cause."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_line, read_position
from proofbase.engine.formats.sgf import write_sgf

NAME = "renju:professional"
STONES = "(;B[hh];W[hg];B[ig];W[aa]"
OFFERS = f"{STONES};LB[hi:1][bb:2]"


def played(rules: Any, moves: str) -> Any:
    position = rules.initial()
    for text in moves.split():
        position = rules.play(position, rules.parse_move(position, text))
    return position


@pytest.mark.parametrize("seed", range(6))
def test_what_is_written_is_read(seed: int) -> None:
    rules, random = open_rules(NAME), Random(seed)
    positions, moves = [rules.initial()], list[int]()
    while len(moves) < 10 and (legal := rules.moves(positions[-1])):
        texts = [rules.move_text(positions[-1], move) for move in legal]
        moves.append(legal[texts.index("swap")] if "swap" in texts and seed % 2 else random.choice(legal))
        positions.append(rules.play(positions[-1], moves[-1]))
    for split in range(len(positions)):
        text = write_sgf(rules, positions[split], moves[split:])
        _, read, last = read_line(rules, text)
        assert last == positions[-1], text
        assert read[len(read) - len(moves[split:]) :] == moves[split:], text
    start, read, _ = read_line(rules, write_sgf(rules, rules.initial(), moves))
    assert start == rules.initial() and read == moves


def test_choices_put_no_stone_on_the_board() -> None:
    rules = open_rules(NAME)
    moves = "h8 h9 i9 swap a15 h7 pass b14 b14:c3 d4"
    _, line, _ = read_line(rules, moves)
    text = write_sgf(rules, rules.initial(), line)
    assert text.endswith("RU[renju];B[hh];W[hg];B[ig];W[];W[aa];LB[hi:1];W[];LB[bb:2];B[bb];W[cm];B[dl])")
    assert read_position(open_game(NAME), text) == played(rules, moves)


def test_offers_are_read_as_others_write_them() -> None:
    rules = open_rules(NAME)
    expected = played(rules, "h8 h9 i9 a15 h7 pass b14 b14:c3")
    for text in (
        OFFERS + ";B[bb];W[cm])",
        STONES[:-1] + "]LB[bb:A][hi:B];B[bb];W[cm])",
        STONES + ";B[hi];W[];B[bb];B[bb];W[cm])",
        "(;AB[hh][ig]AW[hg][aa]LB[hi:1][bb:2];B[bb];W[cm])",
        STONES + ";LB[bb:1];W[];LB[hi:2];B[bb]LB[aa:x];W[cm]LB[aa:y])",
    ):
        assert read_position(rules, text) == expected, text


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (STONES + ";B[hi];W[cm])", "move 6: "),
        (OFFERS + ";B[bb])", "W with White's own stone is missing"),
        (OFFERS + ";W[cm])", "B with one of the squares on offer is missing"),
        (OFFERS + ";B[cc];W[cm])", "White takes one of the two squares"),
        (STONES + ";LB[hi:1][bb:2][cc:3])", "move 5: Black offers two squares, but LB has 3"),
        (STONES + ";LB[x:1])", "'x' is not a point"),
        (STONES + ";LB[aa:1])", "Black offers two empty squares"),
        ("(;B[hh];W[])", "'swap' is not a move here"),
        ("(;B[aa])", "the first stone is put in the centre"),
        ("(;AB[hh]PL[B])", "PL[B] does not fit the numbers of stones: White is to move"),
    ],
)
def test_what_is_wrong_is_named(text: str, cause: str) -> None:
    with pytest.raises(InvalidPositionError, match="SGF: ") as caught:
        read_position(open_rules(NAME), text)
    assert cause in str(caught.value) and len(str(caught.value)) < 250
