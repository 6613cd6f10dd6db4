"""Users' games that break their word: every search says so, names position and moves, and keeps its limits."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from ring_game import Ring
from values_by_definition import minimax

from proofbase.engine._core import RecordTable, Search, algorithms, python_game
from proofbase.engine.errors import BrokenGameError, GameFailedError
from proofbase.engine.papers.reference.and_or_graph import question_graph
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.papers.reference.pn_search import PnSearch
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, search_payload
from proofbase.engine.rules import Game

ACYCLIC = [
    "pn-tree", "pn-tree+unit", "pn-tree+delayed", "pn-tree+delete-solved", "pn-tree+mst", "pn-tree+delete-least",
    "pn-dag", "pn-dag+unit", "pn-dag+stack", "pn-dag+queue+full-updates", "pn2", "pn2+cache-4",
    "pss", "df-pn", "df-pn+table-kib-1", "alpha-beta", "alpha-beta+exact", "pn-cyclic", "pn-base-twin",
    "null-window", "null-window+table-kib-1",
]  # fmt: skip


class Walk(Game[int]):
    """A walk on a circle of places, forwards by 1, 2 or 3: it comes back, and says that it does not."""

    name = "walk"

    def __init__(self, places: int = 7, end: int = -1) -> None:
        self.places, self.end = places, end

    def initial(self) -> int:
        return 0

    def terminal(self, position: int) -> int | None:
        return -1 if position == self.end else None

    def moves(self, position: int) -> Sequence[int]:
        return (1, 2, 3)

    def play(self, position: int, move: int) -> int:
        return (position + move) % self.places

    def key(self, position: int) -> bytes:
        return position.to_bytes(4, "big")

    def position(self, key: bytes) -> int:
        return int.from_bytes(key, "big")

    def text(self, position: int) -> str:
        return f"p{position}"

    def parse(self, text: str) -> int:
        return int(text[1:])


def searches(game: Any) -> list[str]:
    known = {family for family, _ in algorithms(game)}
    return [name for name in ACYCLIC if name.partition("+")[0] in known]


def test_every_family_is_tested() -> None:
    game = python_game(Walk())
    assert {name.partition("+")[0] for name in searches(game)} == {family for family, _ in algorithms(game)}


@pytest.mark.parametrize("places", [1, 2, 3, 7, 60, 200])
@pytest.mark.parametrize("algorithm", searches(python_game(Walk())))
def test_a_position_that_comes_back_ends_the_search(algorithm: str, places: int) -> None:
    if places > 7 and (algorithm.partition("+")[0] not in ("pn-dag", "pss", "pn-cyclic") or "stack" in algorithm):
        return  # a tree, or updates along all paths, may go on for ever before the search is so deep
    game = python_game(Walk(places))
    search = Search(game, 0, 1, algorithm=algorithm)
    began = time.process_time()
    for _ in range(2):  # and the next run says the same
        with pytest.raises(
            BrokenGameError, match=r"walk: acyclic is True, but from 'p\d+' the moves .* lead back to it"
        ):
            search.run(seconds=20)
    assert time.process_time() - began < 10


def test_the_moves_that_are_named_lead_back() -> None:
    for algorithm in searches(python_game(Walk())):
        with pytest.raises(BrokenGameError) as caught:
            Search(python_game(Walk(7)), 3, 1, algorithm=algorithm).run(nodes=100_000)
        text = str(caught.value)
        start = int(text.partition("from 'p")[2].partition("'")[0])
        moves = [int(word) for word in text.partition("the moves ")[2].partition(" lead")[0].split()]
        assert moves and (start + sum(moves)) % 7 == start, text


@pytest.mark.parametrize("algorithm", searches(python_game(Walk())))
def test_a_long_circle_is_noticed_or_the_limit_is_kept(algorithm: str, thorough: bool) -> None:
    search = Search(python_game(Walk(100_000)), 0, 1, algorithm=algorithm)
    began = time.process_time()
    assert search.run(seconds=0.5 if thorough else 0.15).reason == "seconds"
    assert time.process_time() - began < 3


def test_the_textbook_algorithms_notice_it_too() -> None:
    game = Walk(5)
    searches: list[Callable[[], object]] = [
        lambda: minimax(game, 0),
        lambda: PnSearch(game, 0, 1).run(),
        lambda: question_graph(game, 0, 1),
    ]
    for search in searches:
        with pytest.raises(BrokenGameError, match=r"walk: acyclic is True, but"):
            search()
    with pytest.raises(ValueError, match="comes back, and has no repetition value"):
        values(explore(game))


class Wrong(Ring):
    """A repetition value that does not change its sign."""

    def repetition(self, position: Any) -> int:
        return 1


class Coins(Ring):
    """A coin at every round: a reward in a cycle."""

    def play(self, position: Any, move: int) -> Any:
        mine, theirs, _, side = super().play(position, move)
        return (mine, theirs, position[2], side)


CYCLIC = ["pn-tree", "pn-tree+unit", "pn-tree+delayed", "pn2", "df-pn", "alpha-beta", "pn-cyclic", "pn-base-twin"]


@pytest.mark.parametrize("algorithm", CYCLIC)
def test_a_repetition_value_without_its_sign_is_no_value(algorithm: str) -> None:
    game = python_game(Wrong())
    for threshold in (-1, 0, 1, 2):
        search = Search(game, game.initial(), threshold, algorithm=algorithm)
        with pytest.raises(BrokenGameError, match=r"repetition\(\) is 1 in .* and 1 after the move (left|right)"):
            search.run(nodes=200_000)


@pytest.mark.parametrize("algorithm", CYCLIC)
def test_a_correct_game_with_cycles_is_solved(algorithm: str) -> None:
    game = python_game(Ring())
    statuses = []
    for threshold in range(-4, 6):
        search = Search(game, game.initial(), threshold, algorithm=algorithm)
        statuses.append(search.run(nodes=500_000).status)
        if statuses[-1] != "unknown":
            assert search.solution().check().failed == 0
    assert statuses.count("unknown") <= (2 if algorithm == "pn-cyclic" else 0), statuses


@pytest.mark.parametrize("algorithm", ["pn-tree", "df-pn", "alpha-beta", "pn-cyclic"])
def test_a_reward_in_a_cycle_is_noticed_or_the_limit_is_kept(algorithm: str) -> None:
    game = python_game(Coins())
    noticed = 0
    for threshold in range(-4, 6):
        search = Search(game, game.initial(), threshold, algorithm=algorithm)
        with contextlib.suppress(BrokenGameError):
            search.run(nodes=20_000, seconds=5)
            continue
        noticed += 1
    assert noticed > 0


def test_small_searches_and_checks_notice_it_too() -> None:
    """They are short in any case; what the rules do is a finding."""
    game = python_game(Walk(5))
    claim = Claim(Side.UPPER, 0, 40, Evidence.SEARCH, None, search_payload(5000))
    table = RecordTable(game)
    table.put((0).to_bytes(4, "big"), encode_record(Record((claim,))))
    findings = table.check().findings
    assert [finding.rule for finding in findings] == ["rules"] and "acyclic is True" in findings[0].detail


def raising(error: BaseException) -> Callable[..., Any]:
    def method(*_: object) -> Any:
        raise error.with_traceback(None)

    return method


class NoText(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


ERRORS: list[tuple[BaseException, str]] = [
    (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
    (SystemExit(7), "SystemExit: 7"),
    (RuntimeError("a file \udcff"), r"RuntimeError: a file \\udcff"),
    (ValueError("9" * 10_000_000), "ValueError: 9999.*10000000 characters"),
    (NoText(), r"NoText: \(its text cannot be had: RuntimeError\)"),
    (MemoryError(), "MemoryError"),
    (StopIteration(3), "StopIteration: 3"),
    (GeneratorExit(), "GeneratorExit"),
    (BaseException("base"), "BaseException: base"),
]
METHODS = ["terminal", "moves", "play", "repetition", "key", "limit"]


@pytest.mark.parametrize(("error", "message"), ERRORS, ids=[type(error).__name__ for error, _ in ERRORS])
@pytest.mark.parametrize("method", METHODS)
def test_what_rules_raise_is_one_short_error_with_their_own_lines(
    method: str, error: BaseException, message: str
) -> None:
    game = python_game(type("Raising", (Ring,), {method: raising(error)})())
    with pytest.raises(GameFailedError, match=rf"^ring: {method}\(\) raised {message}") as caught:
        Search(game, (1, 4, 2, 0), 1, algorithm="pn-tree").run(nodes=1000)
    text = str(caught.value)
    assert text.isprintable() and len(text) < 1000
    assert "test_broken_rules.py, line" in text and "in method" in text
    assert caught.value.method == method and caught.value.exception == type(error).__name__
    assert all("proofbase" not in frame for frame in caught.value.frames)


def test_a_recursion_without_end_shows_its_last_calls() -> None:
    class Deep(Ring):
        def moves(self, position: Any) -> Any:
            return self.moves(position)

    game = python_game(Deep())
    with pytest.raises(GameFailedError, match=r"moves\(\) raised RecursionError.*\d+ calls more; .*in moves\)$"):
        Search(game, game.initial(), 1).run(nodes=100)


def test_the_cause_of_an_ordinary_exception_is_kept() -> None:
    game = python_game(type("Raising", (Ring,), {"play": raising(OSError(5, "read"))})())
    with pytest.raises(GameFailedError) as caught:
        game.play(game.initial(), 0)
    assert isinstance(caught.value.__cause__, OSError)


def solve(game: Any, algorithm: str) -> None:
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    search.run(nodes=50_000)
    search.solution()


def test_keys_that_stand_for_no_position_are_an_error() -> None:
    for methods in ({"key": lambda self, p: b"same"}, {"position": raising(ValueError("no"))}):
        for algorithm in searches(python_game(Ring())):
            game = python_game(type("Wrong", (Ring,), methods)())
            with pytest.raises(BrokenGameError, match=r"key\(\) gave .*position\(\) refuses it"):
                solve(game, algorithm)
