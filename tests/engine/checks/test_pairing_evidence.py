"""Claims by a pairing: what the local checks accept, and pairings that are found."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest
from broken_claims import broken
from open_lines import open_lines
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import (
    Claim,
    Evidence,
    MalformedRecordError,
    Side,
    decode_record,
    pairing_payload,
)

CENTRE = "gomoku:5x5"
EMPTY = "/".join(["....."] * 5)


def upper(bound: int, rank: int, *pairs: tuple[int, int]) -> Claim:
    return Claim(Side.UPPER, bound, rank, Evidence.PAIRING, payload=pairing_payload(sorted(pairs)))


def lower(bound: int, rank: int, witness: int, *pairs: tuple[int, int]) -> Claim:
    return Claim(Side.LOWER, bound, rank, Evidence.PAIRING, witness, pairing_payload(sorted(pairs)))


def found(name: str, text: str, at_least: int) -> Claim | None:
    """The claim by a pairing that the native search finds, of a canonical position."""
    game = open_rules(name)
    record = RecordTable(open_game(name)).by_pairing(game.key(game.parse(text)), at_least)
    return None if record is None else decode_record(record).claims[0]


def test_the_empty_board_of_five_squares_a_side_is_a_draw_by_two_pairings() -> None:
    """Twelve lines, two squares for each; the first player takes the centre before."""
    at_most, at_least = found(CENTRE, EMPTY, 1), found(CENTRE, EMPTY, 0)
    assert at_most is not None and at_most.pairing is not None and len(at_most.pairing) == 12
    assert at_least is not None and at_least.pairing is not None and at_least.witness == 0
    assert len(at_least.pairing) == 8, "the centre takes four lines"
    assert broken(CENTRE, EMPTY, at_most) == broken(CENTRE, EMPTY, at_least) == []
    for number in range(12):
        without = at_most.pairing[:number] + at_most.pairing[number + 1 :]
        assert broken(CENTRE, EMPTY, upper(0, 25, *without)) == ["pairing"]
    assert broken(CENTRE, EMPTY, lower(0, 25, 1, *at_least.pairing)) == ["pairing"], "another move takes other lines"


def test_bounds_ranks_and_taken_squares() -> None:
    """o is to move. It can fill the left column and the bottom row: 0-3 and 7-8 are the pairs."""
    text = "..x/.x./o.."
    claim = found("tic-tac-toe", text, 1)
    assert claim is not None and claim.pairing == ((0, 3), (7, 8))
    rank, pairs = claim.rank, claim.pairing
    assert rank == text.count(".")
    assert broken("tic-tac-toe", text, claim) == []
    assert broken("tic-tac-toe", text, upper(1, rank, *pairs)) == []
    assert broken("tic-tac-toe", text, upper(-1, rank, *pairs)) == ["pairing"]
    assert broken("tic-tac-toe", text, upper(0, rank + 1, *pairs)) == []
    assert broken("tic-tac-toe", text, upper(0, rank - 1, *pairs)) == ["pairing"]
    assert broken("tic-tac-toe", text, upper(0, rank, *pairs, (2, 9))) == ["pairing"], "square 2 is taken"
    assert broken("tic-tac-toe", text, upper(0, rank, *pairs, (9, 10))) == ["pairing"], "there is no square 9"


def test_a_threat_is_never_covered() -> None:
    """The line of x has one square left: there is no pair in it."""
    game = open_rules("tic-tac-toe")
    text = game.text(game.position(game.key(game.parse("xx./oo./..."))))
    assert found("tic-tac-toe", text, 1) is None
    empty = [cell for cell, sign in enumerate(text.replace("/", "")) if sign == "."]
    for first, second in combinations(empty, 2):
        rest = [cell for cell in empty if cell not in (first, second)]
        assert broken("tic-tac-toe", text, upper(0, 5, (first, second), (rest[0], rest[1]))) == ["pairing"]


def test_overlines_count_only_where_the_rules_say_so() -> None:
    """x has c1 d1 e1 of seven squares. In rows of exactly three squares nothing beside them can win any more."""
    board = "......./......./......."
    game = open_rules("gomoku:7x3-3,standard")
    free, exact = open_rules("gomoku:7x3-3").line_rules(), game.line_rules()
    assert free is not None and exact is not None
    position = game.parse(board)
    own = sum(1 << game.parse_move(position, square) for square in ("c1", "d1"))
    row = [game.parse_move(position, f"{column}1") for column in "abcdefg"]
    squares = {sum(1 << row[at + i] for i in range(3)) for at in range(5)}
    assert {line for line in open_lines(free, own, 0) if line in squares} == squares
    left = {line for line in open_lines(exact, own, 0) if line in squares}
    assert left == {sum(1 << s for s in row[at : at + 3]) for at in (1, 2)}, "b to d and c to e"


def test_a_game_without_lines_refuses() -> None:
    assert broken("connect-four:4x4", "..../..../..../....", upper(0, 16)) == ["evidence"]


@pytest.mark.parametrize("payload", [b"\x01\x00", b"\x04\x00\x01\x00\x00", b"\x06\x00\xff\xff\xff\xff\x07"])
@pytest.mark.parametrize("side", Side)
def test_payloads_that_are_no_pairing(payload: bytes, side: Side) -> None:
    with pytest.raises(ValueError, match="payload"):
        Claim(side, 0, 5, Evidence.PAIRING, 0 if side == Side.LOWER else None, payload)
    head = b"\x51\x0e\x00\x05\x00" if side == Side.LOWER else b"\x51\x0f\x00\x05"
    table = RecordTable(open_game("tic-tac-toe"))
    with pytest.raises(MalformedRecordError):
        table.load([(b"\x00\x00", head + payload)])


@pytest.mark.parametrize("pairs", [[(1, 0)], [(2, 3), (0, 1)], [(0, 2), (1, 2)], [(0, 1), (1, 2)]])
def test_pairs_that_are_out_of_order(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="ascend"):
        pairing_payload(pairs)


@cache
def worths(name: str, text: str) -> tuple[Any, dict[bytes, int]]:
    """The true values of the positions below one."""
    game = open_rules(name)
    graph = explore(game, game.parse(text))
    return game, dict(zip(graph.keys, values(graph), strict=True))


def test_on_nine_cells_a_pairing_is_found_where_there_is_one_and_is_true() -> None:
    game, known = worths("tic-tac-toe", ".../.../...")
    table, rules = RecordTable(open_game("tic-tac-toe")), game.line_rules()
    held = 0
    for key, value in known.items():
        position = game.position(key)
        if game.terminal(position) is not None:
            continue
        own, other = rules.stones(position)
        lines = [line & ~own for line in open_lines(rules, own, other)]
        record = table.by_pairing(key, 1)
        assert (record is not None) == hold(lines), game.text(position)
        if record is not None:
            held += 1
            assert value <= 0
        record = table.by_pairing(key, 0)
        assert record is None or value >= 0
    assert held > 100


def hold(lines: list[int]) -> bool:
    """Whether different pairs hold all lines of free squares; on nine cells no two lines share a pair."""
    if not lines:
        return True
    squares = [1 << s for s in range(9) if lines[0] >> s & 1]
    pairs = [one | two for one, two in combinations(squares, 2)]
    return any(hold([line & ~pair for line in lines[1:] if line & pair != pair]) for pair in pairs)


def test_every_changed_pairing_is_refused_or_true(thorough: bool) -> None:
    mutants = 400 if thorough else 200
    counts = load_trial("checks/trial_pairings").run(mutants, 3)
    assert counts["pairings"] > mutants / 20
    assert mutants / 20 < counts["accepted"] < counts["mutants"] - mutants / 4


def test_solutions_are_smaller_with_pairings() -> None:
    """Of 4x4 with rows of four, after the first move."""
    game, native = open_rules("gomoku:4x4-4"), open_game("gomoku:4x4-4")
    position = game.play(game.initial(), 0)
    search = Search(native, native.parse(game.text(position)), 0)
    assert search.run().status == "proved"
    plain, key = search.solution(small_search_nodes=0), game.key(position)
    small = plain.trimmed(key, 10)
    assert small.check().failed == 0 and small.missing() == []
    pairings = sum(data[0] >> 4 == 5 for chunk in small.chunks() for _, data in chunk)
    assert pairings > 0 and len(small) < len(plain) / 2
