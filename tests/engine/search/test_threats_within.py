"""Winning threats of a game settle leaves of `within:N:GAME`: a line of n plies proves a win within n plies."""

from __future__ import annotations

from random import Random

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import Evidence, decode_record

WIN_IN_ELEVEN = (0, 21, 3, 22, 12, 26)


def text_after(moves: tuple[int, ...]) -> str:
    rules = open_rules("qubic")
    position = rules.initial()
    for move in moves:
        position = rules.play(position, move)
    return rules.text(position)


def solved(plies: int, text: str, bound: int, algorithm: str = "auto") -> Search:
    game = open_game(f"within:{plies}:qubic")
    search = Search(game, game.parse(f"{text} plies={plies}"), bound, algorithm=algorithm)
    assert search.run(nodes=300_000).status in ("proved", "disproved"), (plies, text, bound, algorithm)
    return search


def test_the_length_of_a_line_is_a_proof() -> None:
    text = text_after(WIN_IN_ELEVEN)
    search = solved(11, text, 1)
    assert (search.status, search.progress().nodes, search.algorithm) == ("proved", 1, "pn-dag+threats")
    game = open_game("within:11:qubic")
    key = game.key(game.parse(f"{text} plies=11"))
    [claim] = decode_record(dict(search.solution().chunks(10).__next__())[key]).claims
    assert claim.evidence == Evidence.LINE and claim.rank == 11 and len(claim.line or ()) == 11
    fewer = Search(open_game("within:9:qubic"), open_game("within:9:qubic").parse(f"{text} plies=9"), 1)
    fewer.run(nodes=1)
    assert fewer.status == "unknown"  # the line is too long for nine plies


@pytest.mark.parametrize("seed", range(5))
def test_answers_are_those_without_threats(seed: int) -> None:
    """Random positions near the end of a game, both questions; solutions pass the check, also that in Python."""
    chance, rules = Random(seed), open_rules("qubic")
    settled = 0
    for _ in range(6):
        position = rules.initial()
        for _ in range(chance.randrange(14, 34)):
            after = rules.play(position, chance.choice(list(rules.moves(position))))
            if rules.terminal(after) is not None:
                break
            position = after
        plies, bound = chance.choice((1, 2, 3, 4)), chance.choice((0, 1))
        by_threats = solved(plies, rules.text(position), bound)
        plain = solved(plies, rules.text(position), bound, "pn-dag+mobility")
        assert by_threats.status == plain.status
        assert by_threats.progress().nodes <= plain.progress().nodes
        solution = by_threats.solution()
        assert not solution.check().findings
        records = {key: data for chunk in solution.chunks(10_000) for key, data in chunk}
        batch = sorted(records.items())[:20]
        check = LocalCheck(open_rules(f"within:{plies}:qubic"))
        assert not list(check.findings(batch, lambda keys, found=records: [found.get(key) for key in keys]))
        settled += len(records) == 1
    assert settled > 0


def test_a_search_behind_virtual_functions_finds_as_much() -> None:
    """The lines of qubic and of `within:63:qubic`, where nothing is too long, settle the same leaves."""
    text = text_after(WIN_IN_ELEVEN)
    assert solved(63, text, 1).progress().nodes == 1
    plain = Search(open_game("qubic"), open_game("qubic").parse(text), 1)
    assert plain.run().status == "proved" and plain.progress().nodes == 1
