"""Claims that rest on searches to limits: what they settle, and that changed ones are refused or true."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import small_search_visits
from proofbase.engine.records import Claim, Evidence, Side, search_payload

sys.path.insert(0, str(Path(__file__).parent))
trial: Any = import_module("trial_searches_to_limits")


def test_a_search_to_limits_ends_where_the_stones_that_are_left_decide() -> None:
    game = open_rules("connect-four:4x4,score")
    position = game.initial()
    for move in (0, 1, 0, 1):
        position = game.play(position, move)
    # x can win with stone 7, which is worth 5, or later for less: with 8 stones the limit is 4.
    assert game.limit(position) == 5
    visits = small_search_visits(game, position, 4, 4, 10_000, to_limits=True)
    assert visits is not None
    assert small_search_visits(game, position, 4, 4, visits - 1, to_limits=True) is None
    assert small_search_visits(game, position, 4, 3, 10_000, to_limits=True) is None
    assert small_search_visits(game, position, 4, 4, 10_000) is None, "a plain search has to go on"
    assert small_search_visits(game, position, 5, 0, 1, to_limits=True) == 1, "by the limit of the position itself"
    assert small_search_visits(game, position, -6, 9, 10_000, to_limits=True) is None


def test_moves_that_end_the_game_come_first() -> None:
    game = open_rules("tic-tac-toe")
    position = game.parse("x.o/.x./...")  # wherever o plays but in the corner, x wins there, with the last cell
    plain = small_search_visits(game, position, 0, 9, 10_000)
    ends_first = small_search_visits(game, position, 0, 9, 10_000, to_limits=True)
    assert plain is not None and ends_first is not None and 5 * ends_first < plain


def test_games_within_plies_have_no_searches_to_limits() -> None:
    game = open_rules("within:9:connect-four:4x4,score")
    key = game.key(game.initial())
    for evidence in (Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS):
        claim = Claim(Side.UPPER, 4, 9, evidence, payload=search_payload(10_000))
        example = trial.Example(game, {}, {})
        assert trial.accepted(example, key, claim) == (evidence == Evidence.SEARCH)


def test_changed_searches_to_limits_are_refused_or_true() -> None:
    counts = trial.run(300, 3, empty=9)
    assert counts["accepted"] > 50 and counts["mutants"] - counts["accepted"] > 50
    assert counts["to limits alone"] > 20
