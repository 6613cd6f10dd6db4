"""Users' games in Python on the native core: the same answers as natively, and clear errors for wrong games."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from drawn_graphs import random_graph
from reference_records import exact_records

from proofbase.engine import open_rules
from proofbase.engine._core import RecordTable, Search, open_game, python_game
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import (
    BrokenGameError,
    GameFailedError,
    InvalidKeyError,
    InvalidMoveError,
    InvalidPositionError,
    UnknownAlgorithmError,
)
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.rules import Game


class Nim(Game[tuple[int, ...]]):
    """Heaps of 3, 4 and 5; a move takes stones from one heap; who takes the last stone wins."""

    name = "nim"

    def initial(self) -> tuple[int, ...]:
        return 3, 4, 5

    def terminal(self, position: tuple[int, ...]) -> int | None:
        return None if any(position) else -1

    def moves(self, position: tuple[int, ...]) -> Sequence[int]:
        return [10 * heap + taken for heap, size in enumerate(position) for taken in range(1, size + 1)]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        heap, taken = divmod(move, 10)
        if not 0 < taken <= (*position, 0, 0, 0, 0)[heap]:
            raise InvalidMoveError(f"no move {move}")
        return (*position[:heap], position[heap] - taken, *position[heap + 1 :])

    def key(self, position: tuple[int, ...]) -> bytes:
        return bytes(sorted(position))

    def position(self, key: bytes) -> tuple[int, ...]:
        if len(key) != 3 or list(key) != sorted(key):
            raise InvalidKeyError(f"{key.hex()} is no key of nim")
        return tuple(key)

    def text(self, position: tuple[int, ...]) -> str:
        return "-".join(map(str, position))

    def parse(self, text: str) -> tuple[int, ...]:
        try:
            one, two, three = map(int, text.split("-"))
        except ValueError:
            raise InvalidPositionError(f"{text!r} is not three heaps") from None
        return one, two, three


@pytest.mark.parametrize("algorithm", ["auto", "pn-tree", "pn-tree+unit", "pn-dag", "pn-dag+unit"])
def test_a_users_game_runs_in_every_search(algorithm: str) -> None:
    rules = Nim()
    game = python_game(rules)
    random = Random(algorithm)
    for _ in range(12):
        heaps = tuple(random.randrange(1, 5) for _ in range(3))
        search = Search(game, heaps, 1, algorithm=algorithm)
        expected = "proved" if heaps[0] ^ heaps[1] ^ heaps[2] else "disproved"
        assert search.run().status == search.status == expected
        solution = search.solution()
        records = [item for chunk in solution.chunks(1000) for item in chunk]
        assert solution.check().failed == 0 and solution.missing() == [] and len(records) > 0
        assert list(LocalCheck(rules).findings(records, lambda keys: [None] * len(keys))) == []
        assert solution.get(rules.key(heaps)) is not None
        position = heaps
        for move in search.progress().best_line:
            position = rules.play(position, move)


def test_unsuitable_algorithms_are_refused_by_name() -> None:
    game = python_game(Nim())
    for algorithm in ("minimax", "pn-dag+effort", "pn-tree+unit+mobility", ""):
        with pytest.raises(UnknownAlgorithmError):
            Search(game, (1, 2, 3), 1, algorithm=algorithm)
    cyclic = python_game(ExplicitGame(random_graph(Random(1), 8, rho=0)))
    with pytest.raises(UnknownAlgorithmError, match="cycles"):
        Search(cyclic, 0, 1, algorithm="pn-dag")


@pytest.mark.parametrize("algorithm", ["pn-tree+unit", "pn-dag+mobility"])
def test_python_rules_make_the_same_search_as_native_ones(algorithm: str) -> None:
    """Node for node, although positions and symmetries go through Python."""
    native, wrapped = open_game("tic-tac-toe"), python_game(open_rules("tic-tac-toe"))
    for threshold in (0, 1):
        searches = [Search(game, game.initial(), threshold, algorithm=algorithm) for game in (native, wrapped)]
        assert searches[0].run().status == searches[1].run().status
        assert searches[0].progress().nodes == searches[1].progress().nodes
        assert searches[0].progress().expansions == searches[1].progress().expansions
        first, second = (search.solution(small_search_nodes=0) for search in searches)
        assert list(first.chunks(10**6)) == list(second.chunks(10**6))
        for search in searches:  # of slow rules fewer small searches are tried
            small = search.solution(small_search_nodes=500)
            assert len(small) < len(first) and small.check().failed == 0


def test_positions_are_the_users_own() -> None:
    rules = open_rules("tic-tac-toe")
    game = python_game(rules)
    position = rules.parse("..x/.../...")
    assert game.parse("..x/.../...") == position and game.text(position) == "..x/.../..."
    assert game.play(position, 0) == rules.play(position, 0) and game.key(position) == rules.key(position)
    assert game.position(rules.key(position)) == "........x"
    assert (game.key_size, game.name, game.acyclic, game.side(position)) == (0, "tic-tac-toe", True, 1)
    assert game.draw(position) == rules.draw(position) and game.parse_move(position, "1") == 0
    with pytest.raises(InvalidMoveError, match="not legal"):
        game.play(position, 2)
    with pytest.raises(InvalidMoveError):
        game.play(position, -1)
    with pytest.raises(InvalidKeyError):
        game.position(b"\xff\xff")


def test_searches_agree_with_brute_force_on_random_acyclic_graphs() -> None:
    random = Random(4)
    for _ in range(60):
        graph = random_graph(random, random.randint(4, 14), rho=None, rewards=random.choice((0, 2)), highest_terminal=2)
        worth = values(graph)[0]
        highest = max(1, *map(abs, values(graph)))
        game = python_game(ExplicitGame(graph, highest))
        for threshold in range(1 - highest, highest + 1):
            for algorithm in ("pn-tree", "pn-dag"):
                search = Search(game, 0, threshold, algorithm=algorithm)
                assert search.run().status == ("proved" if worth >= threshold else "disproved")
                assert search.solution().check().failed == 0


def test_known_records_settle_what_they_can() -> None:
    rules = Nim()
    game = python_game(rules)
    known = RecordTable(game)
    known.load(exact_records(rules, (2, 3, 4)).items())
    assert known.check().failed == 0
    search = Search(game, (3, 4, 5), 1, known=known)
    assert search.run().status == "proved"
    alone = Search(game, (3, 4, 5), 1)
    alone.run()
    assert search.progress().nodes < alone.progress().nodes
    solution = search.solution()
    for chunk in known.chunks(100):
        solution.load(chunk)
    assert solution.check().failed == 0 and solution.missing() == []
    with pytest.raises(ValueError, match="another game"):
        Search(open_game("tic-tac-toe"), open_game("tic-tac-toe").initial(), 1, known=known)


def test_keys_of_any_length_are_kept_whole() -> None:
    class LongKeys(Nim):
        def key(self, position: tuple[int, ...]) -> bytes:
            return b"\0" * (3 * sum(position)) + bytes(sorted(position))

        def position(self, key: bytes) -> tuple[int, ...]:
            return super().position(key[-3:])

    rules = LongKeys()
    game = python_game(rules)
    search = Search(game, rules.initial(), 1)
    assert search.run().status == "proved"
    table = search.solution()
    assert table.check().failed == 0
    keys = [key for chunk in table.chunks(10) for key, _ in chunk]
    assert keys == sorted(keys) and len({len(key) for key in keys}) > 3
    assert table.answers(keys)[0] == b"".join(table.answers([key])[0] for key in keys)
    with pytest.raises(ValueError, match="vary in length"):
        table.answers(b"abc")


WRONG: list[tuple[dict[str, Callable[..., Any]], type[Exception], str]] = [
    ({"moves": lambda self, p: []}, ValueError, r"nim: moves\(\) gave .*terminal\(\) says that the game goes on"),
    ({"moves": lambda self, p: [-3]}, ValueError, r"gave -3, which is not from 0 to"),
    ({"moves": lambda self, p: [2**31]}, ValueError, r"gave 2147483648"),
    ({"moves": lambda self, p: [10**30]}, ValueError, "which is not from 0"),
    ({"moves": lambda self, p: [10**5000]}, ValueError, "gave an object of type int, which is not from 0"),
    ({"moves": lambda self, p: ["1"]}, TypeError, r"gave '1', which is no integer"),
    ({"moves": lambda self, p: None}, TypeError, r"moves\(\) gave None, which is no sequence"),
    ({"moves": lambda self, p: [1, 2, 1]}, ValueError, "in which move 1 stands twice"),
    ({"text": lambda self, p: "\ud800", "moves": lambda self, p: []}, ValueError, "goes on"),
    ({"terminal": lambda self, p: 5}, ValueError, r"terminal\(\) gave 5, which is not from -1 to 1"),
    ({"terminal": lambda self, p: 0.5}, TypeError, "no integer"),
    ({"key": lambda self, p: "text"}, TypeError, r"key\(\) gave 'text', a key is bytes"),
    ({"key": lambda self, p: b""}, ValueError, "1 to 255 bytes"),
    ({"key": lambda self, p: b"x" * 256}, ValueError, "1 to 255 bytes"),
    ({"reward": lambda self, p, m: None}, TypeError, r"reward\(\) gave None"),
    ({"play": lambda self, p, m: 1 // 0}, GameFailedError, r"play\(\) raised ZeroDivisionError: .*division"),
    ({"moves": lambda self, p: (1 // 0 for _ in p)}, GameFailedError, r"moves\(\) raised ZeroDivisionError"),
]


@pytest.mark.parametrize(("methods", "error", "message"), WRONG)
def test_wrong_games_are_told_what_is_wrong(
    methods: dict[str, Callable[..., Any]], error: type[Exception], message: str
) -> None:
    game = python_game(type("Wrong", (Nim,), methods)())
    with pytest.raises(error, match=message) as caught:
        Search(game, (1, 2, 3), 1).run(nodes=1000)
    assert isinstance(caught.value, GameFailedError if error is GameFailedError else BrokenGameError)


def test_what_is_no_game_is_refused() -> None:
    for thing in (object(), None, 3, Nim):
        with pytest.raises((TypeError, ValueError)):
            python_game(thing).initial()
    wrong = [("name", 5), ("name", ""), ("highest_value", 0), ("rules_version", "1"), ("highest_value", 2**40)]
    for name, value in wrong:
        with pytest.raises((TypeError, ValueError), match=f"{name}|name of a game"):
            python_game(type("Odd", (Nim,), {name: value})())


def test_rules_that_fail_are_findings_of_the_check() -> None:
    class Failing(Nim):
        def moves(self, position: tuple[int, ...]) -> Sequence[int]:
            if position == (1, 1, 1):
                raise RuntimeError("this position is not implemented")
            return super().moves(position)

    records = exact_records(Nim(), (1, 1, 2))
    table = RecordTable(python_game(Failing()))
    table.load(records.items())
    findings = table.check().findings
    assert [(finding.key, finding.rule) for finding in findings] == [(b"\1\1\1", "rules")]
    assert findings[0].detail.startswith(
        "GameFailedError: nim: moves() raised RuntimeError: this position is not implemented ("
    )


def test_an_interrupt_is_no_finding() -> None:
    class Interrupted(Nim):
        def moves(self, position: tuple[int, ...]) -> Sequence[int]:
            raise KeyboardInterrupt

    game = python_game(Interrupted())
    table = RecordTable(game)
    table.load(exact_records(Nim(), (1, 1, 2)).items())
    with pytest.raises(KeyboardInterrupt):
        table.check()
    with pytest.raises(KeyboardInterrupt):
        Search(game, (1, 2, 3), 1).run()


def test_other_threads_go_on_and_can_cancel() -> None:
    game = python_game(open_rules("connect-four"))
    search = Search(game, game.initial(), 1)
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(search.run(seconds=30)))
    thread.start()
    while search.progress().nodes < 500:
        time.sleep(0.01)
    started = time.perf_counter()
    search.cancel()
    thread.join(30)
    assert time.perf_counter() - started < 5  # of 30; 50 ms on an idle machine; the rules of one slice are Python
    assert (outcome[0].status, outcome[0].reason) == ("unknown", "cancelled")


def test_native_searches_leave_other_threads_alone() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1)
    thread = threading.Thread(target=lambda: search.run(seconds=1.0))
    thread.start()
    turns, seen = 0, set()
    while thread.is_alive():
        turns += 1
        seen.add(search.progress().nodes)
        time.sleep(0.001)
    # Several hundred on an idle machine, 40 where other tests use all processors; a search that kept the lock allows 2.
    assert turns > 10 and len(seen) > 3
    waits = []
    for _ in range(5):
        thread = threading.Thread(target=search.run)
        thread.start()
        time.sleep(0.05)
        started = time.perf_counter()
        search.cancel()
        thread.join()
        waits.append(time.perf_counter() - started)
    assert min(waits) < 0.05 and search.reason == "cancelled"


@pytest.mark.parametrize("budget", [{"nodes": 0}, {"nodes": -1}, {"seconds": 0}, {"seconds": -1.0}, {"memory": 0},
                                    {"seconds": float("nan")}])  # fmt: skip
def test_budgets_that_allow_nothing_are_refused(budget: dict[str, Any]) -> None:
    game = open_game("tic-tac-toe")
    with pytest.raises(ValueError, match="must be positive"):
        Search(game, game.initial(), 0).run(**budget)


def test_budgets_end_a_search_with_their_name() -> None:
    game = open_game("connect-four")
    for budget, reason in (({"nodes": 1000}, "nodes"), ({"seconds": 0.3}, "seconds"), ({"memory": 1}, "memory")):
        outcome = Search(game, game.initial(), 1).run(**budget)
        assert (outcome.status, outcome.reason) == ("unknown", reason)
    for threshold in (-1, 2, 5):
        with pytest.raises(ValueError, match="is no question"):
            Search(game, game.initial(), threshold)
