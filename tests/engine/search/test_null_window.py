"""null-window: against brute force, with tables far smaller than its search, by several threads, at great depth."""

from __future__ import annotations

import threading
import time
from random import Random

import pytest
from search_combinations import assert_right_on, assert_settled, random_game, solved

from proofbase.engine import _core
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.errors import EngineError, SearchCancelledError
from proofbase.engine.games import open_game
from proofbase.engine.reference.explicit_game import ExplicitGame, random_graph
from proofbase.engine.reference.graph import Edge, Graph

TABLES = ("", "+table-kib-1", "+table-1", "+table-kib-4+order-3")


@pytest.mark.parametrize("kind", ["acyclic", "acyclic with rewards"])
@pytest.mark.parametrize("table", TABLES)
def test_random_games_have_their_brute_force_values(kind: str, table: str) -> None:
    random = Random(f"{kind}{table}")
    for _ in range(60):
        game, exact = random_game(random, kind, most_nodes=40)
        for at_least in (exact - 1, exact, exact + 1):
            assert_right_on(game, exact, at_least, "null-window" + table)


@pytest.mark.parametrize("at_least", [0, 1])
@pytest.mark.parametrize("policies", ["", "+table-kib-1", "+order-3", "+table-1+threads-2"])
def test_connect_four_4x4_is_a_draw(policies: str, at_least: int) -> None:
    game = open_game("connect-four:4x4")
    search = solved(game, game.initial(), at_least, "null-window" + policies)
    assert search.status == ("proved" if at_least == 0 else "disproved")
    assert_settled(search.solution(), game.key(game.initial()), at_least, search.status)


@pytest.mark.parametrize("kib", [1, 16])
def test_it_proves_with_a_table_far_smaller_than_its_search(kib: int) -> None:
    game = open_game("connect-four:5x4")
    search = solved(game, game.initial(), 1, f"null-window+table-kib-{kib}")
    assert search.status == "disproved"
    assert search.progress().node_memory == kib * 1024
    assert_settled(search.solution(), game.key(game.initial()), 1, "disproved")


@pytest.mark.parametrize("table", ["table-kib-1", "table-kib-1+threads-2", "table-1"])
def test_entries_are_wider_where_the_rest_of_the_key_does_not_fit(table: str) -> None:
    """A board of 64 bits: a table of 16 buckets gives too few bits of the key, one of 16,384 gives enough."""
    game = open_game("connect-four:8x7")
    random = Random(5)
    asked = 0
    while asked < 6:
        position = game.initial()
        for _ in range(42):
            if game.terminal(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.terminal(position) is not None:
            continue
        asked += 1
        for at_least in (0, 1):
            search = solved(game, position, at_least, f"null-window+{table}")
            assert search.status == solved(game, position, at_least, "df-pn").status
            solution = search.solution()
            assert solution.check().failed == 0
            assert len(solution) > 0


def test_a_search_goes_on_with_the_table_of_an_earlier_one() -> None:
    game = open_game("connect-four:5x4")
    cold = solved(game, game.initial(), 0, "null-window")
    first = solved(game, game.initial(), 1, "null-window")
    warm = Search(game, game.initial(), 0, algorithm="null-window")
    assert first.has_table and not warm.has_table
    assert warm.take_table(first)
    assert warm.has_table and not first.has_table
    assert warm.run().status == cold.status == "proved"
    assert 0 < warm.progress().nodes < cold.progress().nodes
    solution = warm.solution()
    assert_settled(solution, game.key(game.initial()), 0, "proved")
    assert solution.check().failed == 0
    again = Search(game, game.initial(), 0, algorithm="null-window")
    assert again.take_table(warm) and again.run().status == "proved"
    assert again.progress().nodes == 0, "the table has the answer"
    assert again.solution().check().failed == 0
    assert first.solution().check().failed == 0, "it has lost its table, and makes another one"


def test_a_table_helps_with_other_positions_and_keys_of_any_length() -> None:
    random = Random(11)
    for _ in range(30):
        game, exact = random_game(random, "acyclic with rewards", most_nodes=40)
        wrapped = _core.python_game(game)
        last: Search | None = None
        for at_least in (exact + 1, exact, exact - 1):
            if not -game.highest_value < at_least <= game.highest_value:
                continue
            search = Search(wrapped, game.initial(), at_least, algorithm="null-window+table-kib-4")
            if last is not None and last.has_table:  # not where the question needed no search
                assert search.take_table(last)
            assert search.run().status == ("proved" if exact >= at_least else "disproved")
            assert search.solution().check().failed == 0
            last = search


def test_a_table_is_not_taken_where_it_is_of_no_use() -> None:
    game = open_game("connect-four:5x4")
    done = solved(game, game.initial(), 1, "null-window")

    def new(algorithm: str = "null-window", name: str = game.name) -> Search:
        other = open_game(name)
        return Search(other, other.initial(), 0, algorithm=algorithm)

    begun = new()
    begun.run(nodes=100)
    for search in (done, begun, new("pn-dag"), new("null-window+table-1"), new(name="connect-four:4x4")):
        assert not search.take_table(done)
    assert not new().take_table(solved(game, game.initial(), 1, "pn-dag"))
    assert not new().take_table(new()), "it has none yet"
    assert done.has_table


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_table_and_the_answer_is_the_same(threads: int) -> None:
    game = open_game("connect-four:5x4")
    for at_least, status in ((0, "proved"), (1, "disproved")):
        for table in ("table-4", "table-kib-16"):
            search = solved(game, game.initial(), at_least, f"null-window+{table}+threads-{threads}")
            assert search.status == status
            assert_settled(search.solution(), game.key(game.initial()), at_least, status)


def test_threads_are_refused_where_keys_vary_in_length() -> None:
    game = _core.python_game(ExplicitGame(random_graph(Random(3), 12, rho=None)))
    with pytest.raises(EngineError, match="one thread only"):
        Search(game, 0, 1, algorithm="null-window+threads-2")


def test_a_line_of_many_thousand_plies_is_searched_and_proved() -> None:
    """A chain in which every position has a losing way out as well: only its far end says who wins."""
    length = 20_000
    edges = [[Edge(0, node + 1, 0), Edge(1, length + 1, 0)] for node in range(length)] + [[], []]
    terminal: list[int | None] = [None] * length + [-1, 1]  # who comes to the end loses; the way out gives a win away
    keys = [node.to_bytes(4, "big") for node in range(length + 2)]
    game = _core.python_game(ExplicitGame(Graph(edges, terminal, [None] * (length + 2), keys)))
    for at_least in (0, 1):
        search = solved(game, 0, at_least, "null-window")
        assert search.status == "disproved"  # the end is an even number of plies away
        solution = search.solution(small_search_nodes=0)
        assert len(solution) == length
        assert_settled(search.solution(), game.key(0), at_least, "disproved")
        assert_settled(solution, game.key(0), at_least, "disproved")


def test_any_number_of_moves() -> None:
    moves = 65_537
    edges = [[Edge(move, move + 1, 0) for move in range(moves)], *([] for _ in range(moves))]
    ends = [1] * (moves - 1) + [-1]  # the last move wins
    keys = [node.to_bytes(4, "big") for node in range(moves + 1)]
    game = _core.python_game(ExplicitGame(Graph(edges, [None, *ends], [None] * (moves + 1), keys)))
    search = solved(game, 0, 1, "null-window")
    assert search.status == "proved" and search.progress().nodes == 1
    assert_settled(search.solution(), game.key(0), 1, "proved")


def test_budgets_end_a_search_which_then_goes_on() -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm="null-window")
    search.run(nodes=20_000)
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert search.progress().nodes == search.progress().expansions == 20_000
    start = time.perf_counter()
    search.run(seconds=0.3)
    assert (search.status, search.reason) == ("unknown", "seconds")
    assert 0.25 < time.perf_counter() - start < 3
    assert search.progress().nodes > 20_000
    assert len(search.solution()) == 0
    search = Search(game, game.initial(), 1, algorithm="null-window+table-4")
    search.run(memory=4_000_000)
    assert (search.status, search.reason) == ("unknown", "memory")
    search = Search(game, game.initial(), 1, algorithm="null-window")
    search.run(nodes=500_000, memory=4_000_000)  # a quarter is the table, which keeps to it
    assert (search.status, search.reason) == ("unknown", "nodes")
    assert search.progress().node_memory == 1_000_000 // 64 * 64


def test_a_search_in_turns_is_the_search_in_one_go() -> None:
    game = open_game("connect-four:5x4")
    whole = solved(game, game.initial(), 1, "null-window+table-kib-64")
    search = Search(game, game.initial(), 1, algorithm="null-window+table-kib-64")
    nodes = 0
    while search.status == "unknown":
        nodes += 777
        search.run(nodes=nodes)
    assert search.status == whole.status
    assert search.progress().nodes == whole.progress().nodes


@pytest.mark.parametrize("algorithm", ["null-window", "null-window+table-16+threads-2"])
def test_a_search_is_cancelled_at_once_and_reports_from_another_thread(algorithm: str) -> None:
    game = open_game("connect-four")
    search = Search(game, game.initial(), 1, algorithm=algorithm)
    worker = threading.Thread(target=search.run)
    worker.start()
    seen = set()
    deadline = time.perf_counter() + 10
    while len(seen) < 3 and time.perf_counter() < deadline:
        seen.add(search.progress().nodes)
        time.sleep(0.05)
    assert len(seen) >= 3
    position = game.initial()
    line = search.progress().best_line
    assert line
    for move in line:
        assert move in game.moves(position)
        position = game.play(position, move)
    start = time.perf_counter()
    search.cancel()
    worker.join(timeout=10)
    assert not worker.is_alive()
    assert time.perf_counter() - start < 1
    assert (search.status, search.reason) == ("unknown", "cancelled")


def test_a_solution_can_be_cancelled() -> None:
    game = open_game("connect-four:5x5")
    search = solved(game, game.initial(), 1, "null-window+table-kib-2")
    raised: list[Exception] = []

    def extract() -> None:
        try:
            search.solution()
        except SearchCancelledError as error:
            raised.append(error)

    worker = threading.Thread(target=extract)
    worker.start()
    time.sleep(0.02)
    search.cancel()
    worker.join(timeout=20)
    assert not worker.is_alive()
    assert len(raised) == 1


def test_a_restored_search_keeps_most_of_its_gain() -> None:
    game = open_game("connect-four:5x5")
    whole = solved(game, game.initial(), 1, "null-window").progress().nodes
    stopped = Search(game, game.initial(), 1, algorithm="null-window")
    chunks = []
    for share in (0.3, 0.6, 0.9):
        stopped.run(nodes=int(whole * share))
        chunks.append(stopped.checkpoint())
    assert stopped.status == "unknown"
    assert sum(map(len, chunks)) < whole
    restored = Search(game, game.initial(), 1, algorithm="null-window")
    restored.restore(chunks)
    before = restored.progress().nodes
    assert before == stopped.progress().nodes
    restored.run()
    assert restored.status == "disproved"
    assert restored.progress().nodes - before < 0.6 * whole
    assert_settled(restored.solution(), game.key(game.initial()), 1, "disproved")


def test_a_finished_search_is_restored_as_finished() -> None:
    for game, position in (
        (open_game("connect-four:5x4"), open_game("connect-four:5x4").initial()),
        (_core.python_game(open_game("tic-tac-toe", rules="python")), None),
    ):
        start = game.initial() if position is None else position
        search = solved(game, start, 1, "null-window")
        restored = Search(game, start, 1, algorithm="null-window")
        restored.restore([search.checkpoint()])
        restored.run()
        assert restored.status == "disproved"
        assert restored.progress().nodes == search.progress().nodes
        assert_settled(restored.solution(), game.key(start), 1, "disproved")


def test_checkpoints_of_another_search_and_damaged_ones_are_refused() -> None:
    game = open_game("connect-four:6x5")
    search = Search(game, game.initial(), 1, algorithm="null-window")
    search.run(nodes=100_000)
    chunks = search.checkpoint()
    assert len(chunks) > 200
    for at_least, algorithm in ((0, "null-window"), (1, "null-window+table-2"), (1, "df-pn")):
        with pytest.raises(EngineError):
            Search(game, game.initial(), at_least, algorithm=algorithm).restore([chunks])
    random = Random(1)
    for _ in range(100):
        place = random.randrange(len(chunks))
        damaged = bytearray(chunks)
        damaged[place] ^= 1 << random.randrange(8)
        with pytest.raises(EngineError):
            Search(game, game.initial(), 1, algorithm="null-window").restore([bytes(damaged)])
    with pytest.raises(RuntimeError):
        search.restore([chunks])


def test_known_records_settle_what_they_can_and_the_union_stands() -> None:
    game = open_game("connect-four:4x4")
    first = game.play(game.initial(), 1)
    fresh = solved(game, game.initial(), 0, "null-window")
    known = RecordTable(game)
    for at_least in (0, 1):
        part = solved(game, first, at_least, "null-window").solution()
        known.load([item for chunk in part.chunks(100) for item in chunk])
    search = solved(game, game.initial(), 0, "null-window", known)
    assert search.progress().nodes <= fresh.progress().nodes
    for chunk in search.solution().chunks(100):
        known.load(chunk)
    assert_settled(known, game.key(game.initial()), 0, "proved")
    again = solved(game, game.initial(), 0, "null-window", known)
    assert again.progress().nodes == 0
    assert len(again.solution()) == 0
