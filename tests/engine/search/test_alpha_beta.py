"""Alpha-beta search: values, solutions, the paper's way of counting nodes, limits, checkpoints, games with cycles."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine._core import RecordTable, Search, Tables, TableWork, open_game
from proofbase.engine.errors import EngineError, UnknownAlgorithmError
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import Evidence, decode_record
from proofbase.engine.rules.awari import Awari, AwariPosition

ALGORITHMS = ["alpha-beta", "alpha-beta+table-1"]


def solved(name: str, position: Any, at_least: int, algorithm: str) -> Search:
    """A search that is over, whose solution passes the local check and answers the question."""
    game = open_game(name)
    search = Search(game, position, at_least, algorithm=algorithm)
    search.run()
    for table in (search.solution(small_search_nodes=0), search.solution()):
        assert table.check().failed == 0
        record = table.get(game.key(position))
        if abs(at_least - 0.5) > game.limit(position):  # the limits of a value need no claim
            assert (record, len(table)) == (None, 0)
            continue
        assert record is not None
        claims = decode_record(record).claims
        if search.status == "proved":
            assert max(claim.bound for claim in claims if claim.side == 0) >= at_least
        else:
            assert min(claim.bound for claim in claims if claim.side == 1) < at_least
    return search


class PlainAlphaBeta:
    """Iterative deepening by recursion, a search of three values for every window: limits, line first, then rewards."""

    def __init__(self, name: str) -> None:
        self.game = open_rules(name)
        self.nodes = 0

    def limits(self, alpha: int, beta: int) -> tuple[int, int]:
        lower, upper = -self.game.highest_value, self.game.highest_value
        line: list[int] = []
        depth = 0
        while max(lower, alpha) < min(upper, beta):
            self.depth = depth
            window = (max(lower, alpha), min(upper, beta))
            found, line = self.visit(self.game.initial(), window, window, 0, line)
            lower, upper = max(lower, found[0]), min(upper, found[1])
            depth += 1
        return lower, upper

    def visit(
        self, p: Any, low: tuple[int, int], high: tuple[int, int], ply: int, line: list[int]
    ) -> tuple[tuple[int, int], list[int]]:
        """`low` and `high`: the windows of the pessimist, who finds lower limits, and of the optimist."""
        self.nodes += ply == self.depth
        value = self.game.terminal(p)
        if value is not None:
            return (value, value), []
        most = self.game.limit(p)
        low, high = (max(low[0], -most), min(low[1], most)), (max(high[0], -most), min(high[1], most))
        if ply == self.depth or (low[0] >= low[1] and high[0] >= high[1]):
            return (-most, most), []
        moves = sorted(self.game.moves(p), key=lambda m: -self.game.reward(p, m))
        if line:
            moves.sort(key=lambda m: m != line[0])
        lower, upper = -most, -self.game.highest_value - 1
        best, chosen = (0, 0), list[int]()
        for move in moves:
            reward = self.game.reward(p, move)
            worst, hoped = (max(low[0], lower), low[1]), (max(high[0], upper), high[1])
            rest = line[1:] if line[:1] == [move] else []
            behind = [(reward - beta, reward - alpha) for alpha, beta in (hoped, worst)]
            child, below = self.visit(self.game.play(p, move), behind[0], behind[1], ply + 1, rest)
            found = (reward - child[1], reward - child[0])
            if not chosen or found > best:
                best, chosen = found, [move, *below]
            lower, upper = max(lower, found[0]), max(upper, found[1])
            if max(low[0], lower) >= low[1] and max(high[0], upper) >= high[1]:
                return (lower, most if move != moves[-1] else min(upper, most)), chosen
        return (lower, min(upper, most)), chosen


@pytest.mark.parametrize("shape", ["ends=20", "ends=20,values=3,rewards=2", "ends=10,degree=3,span=4"])
def test_nodes_are_counted_as_in_the_paper(shape: str) -> None:
    """At depth i, those of the search to depth i: the same number as a plain recursion without a table counts."""
    total = 0
    for seed in range(40):
        name = f"random-graph:nodes=40,{shape},seed={seed}"
        game = open_game(name)
        highest = game.highest_value
        for algorithm, alpha, beta in (("alpha-beta", 0, 1), ("alpha-beta+exact", -highest, highest)):
            search = Search(game, game.initial(), 1, algorithm=algorithm)
            search.run()
            plain = PlainAlphaBeta(name)
            assert search.value_bounds == plain.limits(alpha, beta)
            assert search.progress().nodes == plain.nodes
            total += plain.nodes
    assert total > 5000


@pytest.mark.parametrize(("algorithm", "stones"), [("alpha-beta", 2), ("alpha-beta+table-1", 3)])
def test_endgames_of_awari_have_their_values(algorithm: str, stones: int) -> None:
    """Rewards, cycles and many values; the values are those of all positions of the graph by retrograde iteration."""
    random = Random(algorithm)
    rules, game = Awari(), open_game("awari")
    compared = 0
    while compared < 25:
        pits = [0] * 12
        for _ in range(random.randint(2, stones)):
            pits[random.randrange(12)] += 1
        position = AwariPosition(tuple(pits[:6]), tuple(pits[6:]))
        if rules.terminal(position) is not None:
            continue
        value = values(explore(rules, position))[0]
        start = game.position(rules.key(position))
        exact = Search(game, start, 1, algorithm=f"{algorithm}+exact")
        exact.run(seconds=100)
        assert exact.value_bounds == (value, value)
        for at_least, status in ((value, "proved"), (value + 1, "disproved")):
            assert solved("awari", start, at_least, algorithm).status == status
        compared += 1


def test_tables_end_the_search_and_are_named_in_the_solution(tmp_path: Path) -> None:
    game, random = open_game("awari"), Random(5)
    assert TableWork(game, str(tmp_path), 7).build()
    named = 0
    for _ in range(12):
        pits = [0] * 12
        for _ in range(8):
            pits[random.randrange(12)] += 1
        if sum(pits[:6]) in (0, 8):
            continue
        start = game.parse(",".join(map(str, pits[11:5:-1])) + "/" + ",".join(map(str, pits[:6])) + "/S")
        known = RecordTable(game)
        known.attach(Tables(game, str(tmp_path)))
        search = Search(game, start, 1, algorithm="alpha-beta+table-4", known=known)
        if search.run(nodes=20_000).status == "unknown":
            continue
        for chunk in search.solution().chunks(1000):
            known.load(chunk)
        assert known.check().failed == 0
        claims = [
            claim for chunk in known.chunks(1000) for _, record in chunk for claim in decode_record(record).claims
        ]
        named += any(claim.evidence == Evidence.TABLE for claim in claims)
    assert named >= 4


@pytest.mark.parametrize("board", ["4x3", "5x3"])
def test_boards_of_connect_four_are_draws(board: str) -> None:
    name = f"connect-four:{board}"
    start = open_game(name).initial()
    assert solved(name, start, 0, "alpha-beta+table-4").status == "proved"
    search = solved(name, start, 1, "alpha-beta+table-4+exact")
    assert (search.status, search.value_bounds) == ("disproved", (0, 0))
    assert (search.progress().proof, search.progress().disproof) == (2**32 - 1, 0)


def test_a_table_saves_nodes_and_changes_no_answer() -> None:
    game = open_game("connect-four:4x3")
    counts = []
    for algorithm in ALGORITHMS:
        search = Search(game, game.initial(), 1, algorithm=algorithm)
        search.run()
        assert search.status == "disproved"
        counts.append(search.progress().nodes)
    assert counts[1] * 3 < counts[0]


def test_stored_records_are_taken_for_granted() -> None:
    game = open_game("connect-four:5x3")
    first = solved("connect-four:5x3", game.initial(), 1, "alpha-beta+table-4")
    known = RecordTable(game)
    for chunk in first.solution().chunks(1000):
        known.load(chunk)
    again = Search(game, game.initial(), 1, algorithm="alpha-beta", known=known)
    again.run()
    assert (again.status, again.progress().nodes, len(again.solution())) == ("disproved", 1, 0)
    child = game.play(game.initial(), 2)
    below = Search(game, child, 0, algorithm="alpha-beta", known=known)
    below.run()
    assert (below.status, below.progress().nodes) == ("proved", 1)


def test_a_search_in_small_steps_is_the_same_search() -> None:
    game = open_game("connect-four:4x3")
    whole = Search(game, game.initial(), 1, algorithm="alpha-beta+table-1")
    whole.run()
    steps = Search(game, game.initial(), 1, algorithm="alpha-beta+table-1")
    limit = 0
    while steps.status == "unknown":
        limit += 200
        steps.run(nodes=limit)
        assert steps.reason in ("nodes", None)
        assert steps.progress().nodes <= limit + 100
    assert limit > 400
    assert (steps.progress().nodes, steps.progress().expansions) == (
        whole.progress().nodes,
        whole.progress().expansions,
    )


def test_a_restored_search_begins_at_the_depth_that_it_had_reached() -> None:
    game = open_game("connect-four:4x3")
    whole = Search(game, game.initial(), 1, algorithm="alpha-beta")
    whole.run()
    stopped = Search(game, game.initial(), 1, algorithm="alpha-beta")
    chunks = []
    for share in (0.1, 0.3, 0.6):
        stopped.run(nodes=int(whole.progress().nodes * share))
        chunks.append(stopped.checkpoint())
    restored = Search(game, game.initial(), 1, algorithm="alpha-beta")
    restored.restore(chunks)
    assert 0 < restored.progress().nodes <= stopped.progress().nodes
    restored.run()
    assert restored.status == whole.status
    assert restored.progress().nodes == whole.progress().nodes
    for bad in (
        chunks[0][:-1],
        chunks[0] + chunks[0],
        Search(game, game.initial(), 0, algorithm="alpha-beta").checkpoint(),
    ):
        with pytest.raises(EngineError):
            Search(game, game.initial(), 1, algorithm="alpha-beta").restore(bad)


def test_policies_that_make_no_sense_are_refused() -> None:
    game = open_game("tic-tac-toe")
    for algorithm in ("alpha-beta+unit", "alpha-beta+table-99999999", "alpha-beta+exact+exact"):
        with pytest.raises(UnknownAlgorithmError):
            Search(game, game.initial(), 1, algorithm=algorithm)
