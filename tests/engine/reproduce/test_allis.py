"""Allis's tables: the 195 positions of qubic from the rules, what solutions count, and the double-letter puzzle."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from proofbase.engine.papers.reproduce import Options, reproduce
from proofbase.engine.papers.reproduce import qubic as tables
from proofbase.engine.papers.reproduce.qubic_openings import (
    Opening,
    canonical,
    four_plies_after,
    four_ply_positions,
    three_ply_sets,
    two_ply_positions,
)
from proofbase.engine.records import Side, decode_record
from proofbase.engine.rules.qubic import Qubic

needs_core = pytest.mark.skipif(find_spec("proofbase.engine._core") is None, reason="the native core is not built")


def test_openings_of_qubic_are_those_of_the_thesis() -> None:
    """4.5.1: 12 replies; sets of 7; 195, 217, 226 or 241 positions after four plies, the chosen ones with open rows."""
    assert len(two_ply_positions()) == 12
    closed, every = three_ply_sets(open_row=True), three_ply_sets(open_row=False)
    assert {len(chosen) for chosen in every} == {7}
    # The thesis counts eight sets, as its formula has two of them twice: <0, 3, 28> and <0, 12, 1> in either order.
    assert sorted(len(four_plies_after(chosen)) for chosen in every) == [195, 195, 217, 226, 226, 241]
    assert set(closed) < set(every)
    (chosen,) = [chosen for chosen in closed if len(four_plies_after(chosen)) == 195]
    printed = [((0, 3), 12), ((0, 3), 20), ((0, 3), 21), ((0, 3), 24), ((0, 3), 60), ((0, 3), 61), ((0, 12), 1)]
    assert chosen == {canonical(white, (black,)) for white, black in printed}


def test_the_195_positions_are_those_of_the_outside_data(shared_data: Path) -> None:
    entries = json.loads((shared_data / "qubic_195_fourply.json").read_text())["four_ply"]
    assert four_ply_positions() == sorted(Opening(tuple(entry["white"]), tuple(entry["black"])) for entry in entries)


def test_printed_totals_are_the_sums_of_the_printed_rows() -> None:
    assert sum(tables.POSITIONS.values()) == 6654
    assert sum(tables.STRATEGIC.values()) == 3254
    assert sum(tables.BY_HAND.values()) == 2929


@needs_core
def test_positions_of_a_solution_follow_its_moves() -> None:
    """Walked by the rules: from the root by White's moves and Black's replies, as far as there are records."""
    from proofbase.engine._core import Search, open_game

    rules, game = Qubic(), open_game("qubic")
    opening = Opening((0, 3), (1, 7))
    search = Search(game, game.parse(opening.text), 1, algorithm=tables.ALGORITHM)
    assert search.run(seconds=60).status == "proved"
    table = search.solution(small_search_nodes=0)
    found = {(white, black) for white, black, _ in tables.positions_to_move(table, game.key(game.parse(opening.text)))}
    solved = tables.solve(opening.text)
    assert solved.positions == found and solved.nodes == search.progress().nodes
    met, waiting = set(), [rules.position(rules.key(rules.parse(opening.text)))]
    while waiting:
        position = waiting.pop()
        record = table.get(rules.key(position))
        moves = (
            [c.witness for c in decode_record(record).claims if c.side == Side.LOWER and c.evidence == 0]
            if record
            else []
        )
        if not moves or moves[0] is None:
            continue
        key = rules.key(position)
        met.add((int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")))
        after = rules.play(position, moves[0])
        for reply in rules.moves(after):
            child = rules.position(rules.key(rules.play(after, reply)))
            if table.get(rules.key(child)) is not None:
                waiting.append(child)
    assert met >= found and len(found) > 10
    assert {(white | black).bit_count() % 2 for white, black in found} == {0}


def test_strategic_moves_are_those_that_meet_no_three_of_black() -> None:
    def bits(*cubes: int) -> int:
        return sum(1 << cube for cube in cubes)

    assert tables.is_strategic((bits(21, 22, 26), bits(0, 1, 4)))
    assert not tables.is_strategic((bits(21, 22, 26), bits(0, 1, 2))), "3 completes a line"
    assert tables.is_strategic((bits(21, 22, 3), bits(0, 1, 2))), "the line is closed"


def test_the_double_letter_puzzle_over_few_axioms() -> None:
    progress = []
    report = reproduce(
        "allis-3.5", Options(orders=3, plot=find_spec("matplotlib") is not None), lambda *t: progress.append(t)
    )
    rows = {row.label: row for row in report.rows}
    assert rows["db-search, dbdeabbaacccddaeecda"].measured == 3934
    ratio = "depth-first over db-search, length 20"
    low, high = (rows[f"{ratio}: {end} of the spread"].measured for end in ("least", "most"))
    assert low < rows[ratio].measured < high
    assert rows[f"{ratio}: printed one in the spread"].measured == (low <= 1200 <= high)
    for length in (1, 10, 12):
        assert rows[f"TRIANGLE, length {length}"].measured == length * (length + 1) / 2
        tree, table = rows[f"depth-first, length {length}"], rows[f"depth-first, transpositions, length {length}"]
        assert 1 <= table.measured <= tree.measured <= 1_000_001
    shares = [share for share, _ in progress]
    assert shares == sorted(shares) and shares[-1] == 1.0
    if report.plot is not None:
        assert report.plot.count(b"TRIANGLE") == 1 and b"axiom length" in report.plot
