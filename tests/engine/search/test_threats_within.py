"""Winning threats of a game settle leaves of `within:N:GAME`: a line of n plies proves a win within n plies."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import Evidence, Side, decode_record

WIN_IN_ELEVEN = (0, 21, 3, 22, 12, 26)
DOUBLE_THREE = "h8 a1 i8 a15 j9 o1 j10 o15"
"""Of go-moku: Black wins by j8, within 5 plies."""


def text_after(game: str, moves: Sequence[int] | str) -> str:
    rules = open_rules(game)
    position = rules.initial()
    for move in moves.split() if isinstance(moves, str) else moves:
        position = rules.play(position, rules.parse_move(position, move) if isinstance(move, str) else move)
    return rules.text(position)


def solved(plies: int, text: str, bound: int, algorithm: str = "auto", inner: str = "qubic") -> Search:
    game = open_game(f"within:{plies}:{inner}")
    search = Search(game, game.parse(f"{text} plies={plies}"), bound, algorithm=algorithm)
    assert search.run(nodes=300_000).status in ("proved", "disproved"), (plies, text, bound, algorithm)
    return search


def test_the_length_of_a_line_is_a_proof() -> None:
    text = text_after("qubic", WIN_IN_ELEVEN)
    search = solved(11, text, 1)
    assert (search.status, search.progress().nodes, search.algorithm) == ("proved", 1, "pn-dag+threats")
    game = open_game("within:11:qubic")
    key = game.key(game.parse(f"{text} plies=11"))
    [claim] = decode_record(dict(search.solution().chunks(10).__next__())[key]).claims
    assert claim.evidence == Evidence.LINE and claim.rank == 11 and len(claim.line or ()) == 11
    fewer = Search(open_game("within:9:qubic"), open_game("within:9:qubic").parse(f"{text} plies=9"), 1)
    fewer.run(nodes=1)
    assert fewer.status == "unknown"  # the line is too long for nine plies


@pytest.mark.parametrize("game", ["gomoku:7x7", "renju:7x7"])
def test_after_the_last_ply_nobody_wins(game: str) -> None:
    """White has an open four, and no ply left for its five."""
    text = text_after(game, "a1 b4 c1 c4 e1 d4 g1 e4")
    assert solved(1, text, 0, inner=game).status == "proved"
    assert solved(1, text, 1, inner=game).status == "disproved"
    assert solved(2, text, 0, inner=game).status == "disproved"


@pytest.mark.parametrize("seed", range(5))
def test_answers_are_those_without_threats(seed: int) -> None:
    hold_against_plain_searches("qubic", Random(seed), (14, 34), (1, 2, 3, 4))


@pytest.mark.parametrize("inner", ["gomoku:7x7", "gomoku:6x5-4", "gomoku:7x6,standard", "gomoku:8x5-3", "renju:7x6"])
def test_wins_by_fours_in_go_moku_and_renju_settle_leaves(inner: str) -> None:
    few = 8 if inner.endswith(("-3", "-4")) else 14
    hold_against_plain_searches(inner, Random(7), (few, few + 10), (1, 2, 3, 5))


def hold_against_plain_searches(inner: str, chance: Random, stones: tuple[int, int], limits: Sequence[int]) -> None:
    """Random positions near the end of a game, both questions; solutions pass the check, also that in Python."""
    rules, settled = open_rules(inner), 0
    for _ in range(6):
        position = rules.initial()
        for _ in range(chance.randrange(*stones)):
            after = rules.play(position, chance.choice(list(rules.moves(position))))
            if rules.terminal(after) is not None:
                break
            position = after
        plies, bound = chance.choice(limits), chance.choice((0, 1))
        by_threats = solved(plies, rules.text(position), bound, inner=inner)
        assert by_threats.algorithm == "pn-dag+threats"
        plain = solved(plies, rules.text(position), bound, "pn-dag+mobility", inner)
        assert by_threats.status == plain.status
        assert by_threats.progress().nodes <= plain.progress().nodes
        solution = by_threats.solution()
        assert not solution.check().findings
        records = {key: data for chunk in solution.chunks(10_000) for key, data in chunk}
        batch = sorted(records.items())[:20]
        check = LocalCheck(open_rules(f"within:{plies}:{inner}"))
        assert not list(check.findings(batch, lambda keys, found=records: [found.get(key) for key in keys]))
        settled += len(records) == 1
    assert settled > 0


def test_a_win_by_threes_has_a_shortest_length() -> None:
    """Threes are moves of the search; the fours behind them settle its leaves, and all replies but some."""
    text = text_after("gomoku", DOUBLE_THREE)
    won, fewer = solved(5, text, 1, inner="gomoku"), solved(4, text, 1, inner="gomoku")
    assert won.status == "proved" and fewer.status == "disproved"
    assert won.progress().nodes < 300  # 300,000 do not settle it without threats
    for search in (won, fewer):
        assert not search.solution().check().findings
    claims = [
        claim
        for chunk in won.solution().chunks(10_000)
        for _, data in chunk
        for claim in decode_record(data).claims
        if claim.evidence == Evidence.LINE
    ]
    assert [claim.side for claim in claims] == [Side.UPPER]  # the replies to j8
    plain = open_game("gomoku")
    search = Search(plain, plain.parse(text), 1)
    search.run(nodes=1)
    assert search.algorithm == "pn-dag+effort"  # go-moku itself is searched as before


def test_a_search_behind_virtual_functions_finds_as_much() -> None:
    """The lines of qubic and of `within:63:qubic`, where nothing is too long, settle the same leaves."""
    text = text_after("qubic", WIN_IN_ELEVEN)
    assert solved(63, text, 1).progress().nodes == 1
    plain = Search(open_game("qubic"), open_game("qubic").parse(text), 1)
    assert plain.run().status == "proved" and plain.progress().nodes == 1
