"""Solutions that rest on small searches: closed, valid by every check, smaller; and trimmed sets of records."""

from __future__ import annotations

import sys
import threading
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from awari_positions.endgames import endgames
from drawn_graphs import random_graph
from search_combinations import assert_settled, solved

from proofbase.engine import _core, open_rules
from proofbase.engine._core import RecordTable, StopFlag
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate, small_search_visits
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import InvalidKeyError, SearchCancelledError
from proofbase.engine.games import open_game
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.records import Claim, Evidence, Record, Side, decode_record, encode_record, search_payload

sys.path.insert(0, str(Path(__file__).parents[1] / "checks"))
independent: Any = import_module("independent_checker")

FAMILIES = ("pn-tree", "pn-tree+delete-solved", "pn2", "pn-dag", "pss", "df-pn", "alpha-beta+table-1", "pn-base-twin")


def items_of(table: RecordTable) -> list[tuple[bytes, bytes]]:
    return [item for chunk in table.chunks(1000) for item in chunk]


def claims_of(table: RecordTable) -> list[Claim]:
    return [claim for _, record in items_of(table) for claim in decode_record(record).claims]


def assert_valid_everywhere(game: Any, position: Any, table: RecordTable) -> None:
    """By the native check, the check in Python, the checker of certificates and the independent one."""
    assert table.missing() == [] and table.check().failed == 0
    items = items_of(table)
    records = dict(items)
    found = LocalCheck(open_rules(game.name)).findings(items, lambda keys: [records.get(key) for key in keys])
    assert list(found) == []
    data = b"".join(certificate_chunks(game, position, items))
    assert check_certificate(data).findings == []
    independent.check(data)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("at_least", [0, 1])
def test_a_solution_with_small_searches_is_smaller_and_passes_every_check(family: str, at_least: int) -> None:
    game = open_game("connect-four:4x3" if family == "pn-tree" else "connect-four:4x4")
    position = game.initial()
    search = solved(game, position, at_least, family)
    sizes = []
    for nodes in (0, 20, 400):
        table = search.solution(small_search_nodes=nodes)
        assert_settled(table, game.key(position), at_least, search.status)
        assert all((claim.nodes or 0) <= max(nodes, 20) for claim in claims_of(table))
        sizes.append(len(table))
    assert sizes[0] > sizes[1] > sizes[2]
    assert_valid_everywhere(game, position, table)


def test_awari_endgames_with_rewards_and_cycles() -> None:
    game, smaller = open_game("awari"), 0
    graph, _ = endgames(4)
    worth, random = values(graph), Random("small")
    for node in random.sample([n for n in range(len(graph)) if graph.terminal[n] is None], 25):
        key = graph.keys[node]
        for at_least in (worth[node], worth[node] + 1):
            if abs(at_least - 0.5) > game.limit(key):  # the limits of a value need no claim
                continue
            search = solved(game, key, at_least, "pn-base-twin")
            whole, small = search.solution(small_search_nodes=0), search.solution()
            assert len(small) <= len(whole)
            smaller += len(small) < len(whole)
            for claim in claims_of(small):
                assert claim.evidence != Evidence.SEARCH or claim.rank > 0
            assert_settled(small, key, at_least, search.status)
            records = dict(items_of(small))
            found = LocalCheck(open_rules("awari")).findings(
                list(records.items()), lambda keys, stored=records: [stored.get(k) for k in keys]
            )  # type: ignore[misc]
            assert not list(found)
    assert smaller > 3


@pytest.mark.parametrize(
    ("name", "at_least", "algorithm", "least_visits"),
    [
        ("connect-four:5x4", 1, "pn-dag", 200_000),  # results are kept from some 50,000 visits on
        ("connect-four:5x4", 0, "null-window", 50_000),
        ("connect-four:6x4,score", 1, "null-window", 50_000),
        ("connect-four:6x4,score", -2, "null-window", 50_000),
        ("connect-four:3x5", 0, "pn-dag", 100),
    ],
)
def test_numbers_of_visits_are_exact_although_searches_are_kept_or_told(
    name: str, at_least: int, algorithm: str, least_visits: int
) -> None:
    """One visit less than a claim says, and it fails: in both native checks, and by the rules in Python."""
    game, rules = open_game(name), open_rules(name)
    table = solved(game, game.initial(), at_least, algorithm).solution()
    records, changed = dict(items_of(table)), RecordTable(game)
    short, visits = [], 0
    for key, data in records.items():
        claims = []
        for claim in decode_record(data).claims:
            if claim.nodes is not None and claim.nodes > 1:
                visits += claim.nodes
                claim = Claim(
                    claim.side, claim.bound, claim.rank, claim.evidence, claim.witness, search_payload(claim.nodes - 1)
                )
                short.append(key)
            claims.append(claim)
        changed.load([(key, encode_record(Record.of(claims)))])
    assert visits > least_visits
    report = changed.check()
    assert {finding.key for finding in report.findings} == set(short)
    assert {finding.rule for finding in report.findings} == {"search"}
    some = Random(1).sample(sorted(short), min(10, len(short)))
    for part, broken in ((table, 0), (changed, len(some))):
        wanted = [(key, part.get(key) or b"") for key in some]
        check = LocalCheck(rules)
        assert sum(bool(list(check.findings([item], lambda keys: [None for _ in keys]))) for item in wanted) == broken


def test_small_searches_of_the_core_are_those_of_python() -> None:
    random, settled = Random(2), 0
    for name in ("connect-four:5x4", "random-graph:nodes=300,rewards=2,values=3,group=6", "awari", "tic-tac-toe"):
        game = open_game(name)
        for _ in range(150):
            position = game.initial()
            for _ in range(random.randrange(24)):
                moves = game.moves(position)
                if not moves:
                    break
                position = game.play(position, random.choice(moves))
            bound, depth, nodes = random.randint(-2, 2), random.randrange(9), random.choice((5, 60, 2000))
            found = game.small_search_visits(position, bound, depth, nodes)
            assert found == small_search_visits(game, position, bound, depth, nodes)
            settled += found is not None
    assert settled > 100


def test_a_small_search_of_a_users_game() -> None:
    for seed in range(40):
        graph = random_graph(Random(seed), 20, rewards=1, rho=0)
        rules = ExplicitGame(graph, 100)
        game = _core.python_game(rules)
        for node in range(20):
            for bound in (-1, 0, 1):
                found = game.small_search_visits(node, bound, 5, 40)
                assert found == small_search_visits(rules, node, bound, 5, 40)


def test_trimmed_records_are_what_the_root_needs() -> None:
    """Out of the records of several searches: closed, valid, no larger than any of them, and the same once more."""
    game = open_game("connect-four:4x4")
    root, table = game.key(game.initial()), RecordTable(game)
    sizes = []
    for algorithm in ("pn-tree+unit", "pn-dag+effort", "df-pn", "pn-dag+unit+order-7"):
        solution = solved(game, game.initial(), 1, algorithm).solution(small_search_nodes=0)
        sizes.append(len(solution))
        table.load(items_of(solution))
    own = table.trimmed(root, 0)
    assert_valid_everywhere(game, game.initial(), own)
    assert len(own) < len(table) / 1.3 and min(sizes) < len(table)
    assert decode_record(own.get(root) or b"").upper == decode_record(table.get(root) or b"").upper
    assert items_of(table.trimmed(root, 0)) == items_of(own)
    assert len(own.trimmed(root, 0)) <= len(own)
    small = table.trimmed(root)
    assert_valid_everywhere(game, game.initial(), small)
    assert len(small) < len(own) / 10


def test_both_bounds_of_an_exact_root_are_kept() -> None:
    game = open_game("connect-four:4x4")
    root, table = game.key(game.initial()), RecordTable(game)
    for at_least in (0, 1):
        table.load(items_of(solved(game, game.initial(), at_least, "pn-dag").solution(small_search_nodes=0)))
    for nodes in (0, 100, 10_000):
        trimmed = table.trimmed(root, nodes)
        assert decode_record(trimmed.get(root) or b"").value(1) == 0
        assert_valid_everywhere(game, game.initial(), trimmed)


def test_trimming_leaves_what_is_wrong_as_it_is() -> None:
    """Records that the check refuses stay refused, and nothing breaks: moves that are illegal, games that are over."""
    game = open_game("tic-tac-toe")
    position = game.parse("xo./.x./..o")
    root = game.key(position)
    for claim in (
        Claim(Side.LOWER, 1, 3, witness=200),
        Claim(Side.LOWER, 1, 0, witness=2),
        Claim(Side.UPPER, -1, 4),
        Claim(Side.UPPER, -1, 4, Evidence.SEARCH, payload=search_payload(3)),
        Claim(Side.LOWER, 1, 1, Evidence.TABLE, witness=2, payload=b"\x01t"),
    ):
        table = RecordTable(game)
        table.load([(root, encode_record(Record.of([claim])))])
        trimmed = table.trimmed(root)
        assert items_of(trimmed) == items_of(table) and trimmed.check().failed == 1
    over = game.key(game.parse("xxx/oo./..."))
    for key in (over, b"\xff" * game.key_size):
        table = RecordTable(game)
        table.load([(key, encode_record(Record.of([Claim(Side.UPPER, 0, 3), Claim(Side.LOWER, 0, 3, witness=1)])))])
        assert items_of(table.trimmed(key)) == items_of(table)


def test_trimming_nothing_gives_nothing_and_arguments_are_checked() -> None:
    game = open_game("tic-tac-toe")
    table = RecordTable(game)
    assert len(table.trimmed(game.key(game.initial()))) == 0
    search = solved(game, game.initial(), 1, "pn-dag")
    for nodes in (-1, 10_001):
        with pytest.raises(ValueError, match=f"small_search_nodes is {nodes}: 0 to 10000 are possible"):
            table.trimmed(game.key(game.initial()), nodes)
        with pytest.raises(ValueError, match=f"small_search_nodes is {nodes}: 0 to 10000 are possible"):
            search.solution(small_search_nodes=nodes)
    with pytest.raises(TypeError, match="a whole number"):
        search.solution(small_search_nodes="many")  # type: ignore[arg-type]
    with pytest.raises(InvalidKeyError):
        table.trimmed(b"short key of no game")


def test_trimming_can_be_stopped() -> None:
    game = open_game("connect-four:5x4")
    table = solved(game, game.initial(), 1, "pn-dag").solution(small_search_nodes=0)
    flag = StopFlag()
    flag.set()
    with pytest.raises(SearchCancelledError):
        table.trimmed(game.key(game.initial()), stop=flag)
    later = StopFlag()
    timer = threading.Timer(0.001, later.set)
    timer.start()

    def trim_on_and_on() -> None:
        while True:
            table.trimmed(game.key(game.initial()), stop=later)

    with pytest.raises(SearchCancelledError):
        trim_on_and_on()
