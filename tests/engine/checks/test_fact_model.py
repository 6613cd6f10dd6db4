"""The fact model (docs/fact-model.md): local checks imply truth. The long trial is trial_fact_model.py."""

from __future__ import annotations

from random import Random

import pytest
from trials import load_trial

from proofbase.engine import checker, open_rules
from proofbase.engine.errors import ContradictionError, MalformedRecordError
from proofbase.engine.evidence import small_search_visits
from proofbase.engine.local_check import LocalCheck
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    line_payload,
    merge_claims,
    merge_records,
    search_payload,
    table_payload,
)
from proofbase.engine.reference import (
    ExplicitGame,
    Graph,
    PnSearch,
    exact_records,
    explore,
    merge_record_sets,
    minimax,
    multi_valued_pn_search,
    random_graph,
    values,
)
from proofbase.engine.reference.graph import Edge
from proofbase.engine.rules import Game, TicTacToe


def findings(game: Game[int], records: dict[bytes, bytes]) -> list[tuple[bytes, str]]:
    found = LocalCheck(game).findings(list(records.items()), lambda keys: [None] * len(keys))
    return [(finding.key, finding.rule) for finding in found]


def graph_of(edges: list[list[tuple[int, int]]], terminal: dict[int, int], rho: list[int] | None = None) -> Graph:
    """Edges as (child, reward)."""
    return Graph(
        [[Edge(number, *edge) for number, edge in enumerate(out)] for out in edges],
        [terminal.get(node) for node in range(len(edges))],
        [None] * len(edges) if rho is None else rho,
        [node.to_bytes(4, "big") for node in range(len(edges))],
    )


def key(node: int) -> bytes:
    return node.to_bytes(4, "big")


def test_whatever_passes_every_local_check_is_true() -> None:
    counts = load_trial("checks/trial_fact_model").run(graphs=800, seed=2026, mutations=12)
    assert counts.graphs == 800
    # The trial only says something if it saw all kinds of sets, passing and false ones above all.
    assert counts.cyclic > 500
    assert counts.with_rewards > 300
    assert counts.by_strategies > 300
    assert counts.mutated_passing > 1500
    assert counts.mutated_false > 2000
    assert counts.random_claims_false > 5000
    assert counts.random_claims_passing > 10_000
    assert counts.merged_records_with_several_claims > 1000


def test_a_trial_finds_the_fault_when_ranks_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial can fail: without the falling rank, false claims carry each other around a cycle."""
    trial = load_trial("checks/trial_fact_model")

    class WithoutRanks(LocalCheck[int]):
        def _known_bounds(
            self, child: int, records: dict[bytes, bytes | None]
        ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
            lowers, uppers = super()._known_bounds(child, records)
            return [(bound, -1) for bound, _ in lowers], [(bound, -1) for bound, _ in uppers]

    def passes(game: ExplicitGame, claims: dict[int, tuple[Claim, ...]]) -> bool:
        records = {game.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()}
        return not list(WithoutRanks(game).findings(list(records.items()), lambda keys: [None] * len(keys)))

    monkeypatch.setattr(trial, "passes", passes)
    monkeypatch.setattr(trial, "passing_claims", lambda game, claims: {})
    with pytest.raises(AssertionError):
        trial.run(graphs=300, seed=1, mutations=30)


def test_a_progress_claim_cannot_rest_on_a_cycle() -> None:
    # 0 <-> 1, and 0 may give up. Endless play is worth 0; "0 wins" would carry itself round the cycle.
    game = ExplicitGame(graph_of([[(1, 0), (2, 0)], [(0, 0)], []], {2: 1}, [0, 0, 0]))
    assert values(game.graph) == [0, 0, 1]
    for ranks in ((1, 1), (1, 2), (2, 1), (9, 8), (0, 0)):
        false = {
            key(0): encode_record(Record.of([Claim(Side.LOWER, 1, ranks[0], witness=0)])),
            key(1): encode_record(Record.of([Claim(Side.UPPER, -1, ranks[1])])),
        }
        assert findings(game, false)
    true = {
        key(0): encode_record(Record.of([Claim(Side.LOWER, 0, 0, witness=0), Claim(Side.UPPER, 0, 0)])),
        key(1): encode_record(Record.of([Claim(Side.LOWER, 0, 0, witness=0), Claim(Side.UPPER, 0, 0)])),
    }
    assert findings(game, true) == []
    assert exact_records(game) == true


def test_repetition_may_be_worth_something() -> None:
    # Endless play is worth 1 to the side that moves at 0. The other side moves at 1, and can only give up in 3.
    edges = [[(1, 0), (2, 0)], [(0, 0), (3, 0)], [], []]
    game = ExplicitGame(graph_of(edges, {2: 0, 3: 1}, [1, -1, 1, 1]))
    assert values(game.graph) == [1, -1, 0, 1]
    assert findings(game, exact_records(game)) == []
    drawn = ExplicitGame(graph_of(edges, {2: 0, 3: 1}, [0, 0, 0, 0]))
    assert values(drawn.graph) == [0, 0, 0, 1]
    assert findings(drawn, exact_records(game)) != []


def test_rewards_are_counted_and_progress_may_rest_on_safety() -> None:
    # 0 takes 2 and enters the drawn cycle 1 <-> 2: a progress claim on top of a safety claim.
    game = ExplicitGame(graph_of([[(1, 2)], [(2, 0)], [(1, 0)]], {}, [0, 0, 0]), highest_value=2)
    records = exact_records(game)
    assert values(game.graph) == [2, 0, 0]
    assert decode_record(records[key(0)]).claims == (Claim(Side.LOWER, 2, 1, witness=0), Claim(Side.UPPER, 2, 0))
    assert findings(game, records) == []


def test_safety_claims_have_rank_0() -> None:
    game = ExplicitGame(graph_of([[(1, 0)], [(0, 0)]], {}, [0, 0]))
    records = {
        key(0): encode_record(Record.of([Claim(Side.LOWER, 0, 3, witness=0)])),
        key(1): encode_record(Record.of([Claim(Side.UPPER, 0, 0)])),
    }
    assert findings(game, records) == [(key(0), "safety-rank")]


def test_every_broken_rule_is_named() -> None:
    game = ExplicitGame(graph_of([[(1, 0), (2, 0)], [(2, 0), (3, 0)], [], []], {2: -1, 3: 1}))
    good = exact_records(game)
    assert findings(game, good) == []
    lower, upper = decode_record(good[key(0)]).claims

    def broken(*claims: Claim, at: bytes = key(0)) -> list[str]:
        return [rule for _, rule in findings(game, {**good, at: encode_record(claims)})]

    assert broken(Claim(Side.LOWER, 1, 1, witness=7)) == ["witness"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=0)) == ["child"]
    assert broken(Claim(Side.LOWER, 1, 0, witness=1)) == ["child"]
    assert broken(Claim(Side.UPPER, 0, 5)) == ["child"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=1, evidence=Evidence.TABLE, payload=table_payload("pieces"))) == [
        "evidence"
    ]
    assert broken(Claim(Side.LOWER, 1, 1, witness=1, evidence=Evidence.LINE, payload=line_payload([1]))) == []
    assert broken(Claim(Side.LOWER, 1, 2, witness=1, evidence=Evidence.LINE, payload=line_payload([1]))) == ["line"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=0, evidence=Evidence.LINE, payload=line_payload([1]))) == ["line"]
    assert broken(Claim(Side.UPPER, 0, 5, evidence=Evidence.LINE, payload=line_payload([1, 1]))) == ["child"]
    assert broken(Claim(Side.LOWER, 1, 1, witness=1, evidence=Evidence.SEARCH, payload=search_payload(1))) == []
    assert broken(Claim(Side.LOWER, 1, 2, witness=0, evidence=Evidence.SEARCH, payload=search_payload(9))) == ["search"]
    assert broken(Claim(Side.LOWER, 1, 0, witness=1, evidence=Evidence.SEARCH, payload=search_payload(9))) == ["search"]
    assert broken(lower, upper, at=key(2)) == ["terminal"]
    assert broken(lower, upper, at=key(9)) == ["malformed"]
    assert "contradiction" in broken(lower, Claim(Side.UPPER, 0, 2))
    assert findings(game, {**good, key(0): b"\x11"}) == [(key(0), "malformed")]
    del good[key(1)]
    assert findings(game, good) == []  # 0 wins by its second move at once, and 1 is the limit of all values
    assert broken(Claim(Side.UPPER, 0, 2)) == ["child"]


def test_records_are_checked_in_chunks() -> None:
    game = open_rules("connect-four:3x3")
    records = exact_records(game)
    items, asked = list(records.items()), list[bytes]()

    def get_many(keys: list[bytes]) -> list[bytes | None]:
        asked.extend(keys)
        return [records.get(key) for key in keys]

    check = LocalCheck(game)
    for start in range(0, len(items), 50):
        assert list(check.findings(items[start : start + 50], get_many)) == []
    assert check.checked == len(items) > 300
    assert asked
    broken = [
        finding
        for start in range(0, len(items), 50)
        for finding in LocalCheck(game).findings(items[start : start + 50], lambda keys: [None] * len(keys))
    ]
    assert {finding.rule for finding in broken} == {"child"}


def test_rules_that_raise_are_a_finding() -> None:
    class Raising(ExplicitGame):
        def play(self, position: int, move: int) -> int:
            raise ZeroDivisionError

    graph = graph_of([[(1, 0)], []], {1: 0})
    assert set(findings(Raising(graph), exact_records(ExplicitGame(graph)))) == {(key(0), "rules")}


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:3x3", "connect-four:4x3", "connect-four:2x5"])
def test_exact_records_of_games_pass_and_agree_with_pn_search(name: str) -> None:
    game = open_rules(name)
    records = exact_records(game)
    assert findings(game, records) == []
    lower, upper = decode_record(records[game.key(game.initial())]).claims
    assert lower.bound == upper.bound == 0
    random = Random(name)
    for key in random.sample(sorted(records), 12):
        position = game.position(key)
        if len(game.moves(position)) <= 5:
            exact = decode_record(records[key]).claims[0].bound
            assert multi_valued_pn_search(game, position, -1, 1) == exact


def test_pn_search_answers_as_brute_force_on_random_trees() -> None:
    for number in range(150):
        random = Random(f"pn {number}")
        graph = random_graph(random, random.randint(3, 12), rewards=random.choice((0, 2)), rho=None, highest_terminal=2)
        game, worth = ExplicitGame(graph, 99), values(graph)
        for v in range(worth[0] - 1, worth[0] + 2):
            assert PnSearch(game, 0, v).run() is (worth[0] >= v)
        assert multi_valued_pn_search(game, 0, -40, 40) == worth[0]


def test_pn_search_needs_as_many_nodes_as_printed() -> None:
    """Schijf (1993), Table 4.1: 17,086 nodes on average over random orders of the moves of tic-tac-toe, as a tree."""

    class Shuffled(TicTacToe):
        def __init__(self, seed: int) -> None:
            self.random = Random(seed)

        def moves(self, position: str) -> list[int]:
            moves = list(super().moves(position))
            self.random.shuffle(moves)
            return moves

    searches = [PnSearch(game, game.initial(), 1) for game in map(Shuffled, range(30))]
    assert not any(search.run() for search in searches)
    average = sum(search.nodes for search in searches) / len(searches)
    assert abs(average / 17_086 - 1) < 0.05


def test_minimax_agrees_with_brute_force() -> None:
    for name in ("tic-tac-toe", "connect-four:3x3", "connect-four:2x6"):
        game = open_rules(name)
        known: dict[bytes, int] = {}
        minimax(game, game.initial(), known)
        graph = explore(game)
        worth = dict(zip(graph.keys, values(graph), strict=True))
        assert known == {key: worth[key] for key in known}
        assert len(known) == len(exact_records(game))
    for number in range(200):
        graph = random_graph(Random(number), 10, rewards=2, rho=None, highest_terminal=3)
        assert [minimax(ExplicitGame(graph, 99), node) for node in range(10)] == values(graph)
    with pytest.raises(ValueError, match="endless lines"):
        minimax(ExplicitGame(graph_of([[(0, 0)]], {}, [0])), 0)


def test_pn_search_gives_figure_5() -> None:
    """The tree of Figs. 3 and 5 of Allis et al.: a's numbers, and the most-proving node l."""
    a, b, c, d, e, f, g, h, i, j, k, ell = range(12)
    edges = [[b, c], [d, e], [f, g], [h, i, j], [k, ell], [], [], [], [], [], [], []]
    unknown = {g, i, j, ell}
    graph = graph_of([[(child, 0) for child in out] for out in edges], dict.fromkeys({f, h, k}, 2))

    class Figure(ExplicitGame):
        def terminal(self, position: int) -> int | None:
            return None if position in unknown else super().terminal(position)

    # f lies at an even depth (c is the other side's node), h and k at an odd one: all below 3 for the side that asks.
    game = Figure(Graph(graph.edges, [{f: 2, h: -2, k: -2}.get(n) for n in range(12)], graph.rho, graph.keys), 3)
    search = PnSearch(game, a, 3)
    for _ in range(5):  # expands a, then all its inner nodes but the unknown leaves
        node = search._select_most_proving_node()
        if not game.moves(node.position):
            break
        search._expand(node)
        search._update_proof_numbers(node)
    by_position = {}
    stack = [search.root]
    while stack:
        node = stack.pop()
        by_position[node.position] = node
        stack += node.children
    assert (search.root.proof, search.root.disproof) == (2, 1)
    assert search._select_most_proving_node().position == ell
    assert [(by_position[n].proof, by_position[n].disproof) for n in (b, d, e)] == [(2, 1), (1, 2), (1, 1)]


def test_a_small_search_counts_what_it_enters() -> None:
    game = open_rules("tic-tac-toe")
    assert small_search_visits(game, game.parse("xxx/oo./..."), -1, 0, 1) == 1
    assert small_search_visits(game, game.parse("xx./oo./..."), 0, 9, 10_000) is None  # x wins at once
    # Two cells are left, o to move: 8 loses to 9, 9 draws. Entered: the root, 8, 8-9, 9, 9-8.
    ending = game.parse("xox/xxo/o..")
    assert small_search_visits(game, ending, 0, 2, 5) == 5
    assert small_search_visits(game, ending, 0, 2, 4) is None
    assert small_search_visits(game, ending, 0, 1, 5) is None
    assert small_search_visits(game, ending, -1, 2, 5) is None
    position = game.parse("x../.o./...")
    visits = small_search_visits(game, position, 0, 7, 10_000)
    assert visits is not None
    assert small_search_visits(game, position, 0, 7, visits) == visits
    assert small_search_visits(game, position, 0, 7, visits - 1) is None
    assert small_search_visits(game, position, 0, 4, 10_000) is None


def test_both_small_searches_agree() -> None:
    agreed = passed = 0
    for number in range(400):
        random = Random(f"search {number}")
        rho = random.choice((None, 0))
        graph = random_graph(random, random.randint(3, 10), rewards=random.choice((0, 1)), rho=rho)
        game = ExplicitGame(graph, 99)
        for node in range(len(graph)):
            if graph.terminal[node] is not None:
                continue
            side = random.choice((Side.LOWER, Side.UPPER))
            witness = random.choice(game.moves(node)) if side == Side.LOWER else None
            claim = Claim(
                side,
                random.randint(-2, 2),
                random.randint(0, 6),
                witness=witness,
                evidence=Evidence.SEARCH,
                payload=search_payload(random.randint(1, 25)),
            )
            record = {game.key(node): encode_record(Record.of([claim]))}
            first = not findings(game, record)
            claims = {key: checker.read_record(data) for key, data in record.items()}
            second = not list(checker.check_record(game, game.key(node), claims[game.key(node)], claims))
            assert first == second
            agreed += 1
            passed += first
    assert agreed > 1000
    assert passed > 200


def test_merging_is_a_lattice() -> None:
    random = Random(7)
    for _ in range(2000):
        sets = [
            Record.of(
                [
                    *(
                        Claim(Side.LOWER, random.randint(-3, 0), random.randint(0, 5), witness=random.randint(0, 2))
                        for _ in range(3)
                    ),
                    *(Claim(Side.UPPER, random.randint(0, 3), random.randint(0, 5)) for _ in range(2)),
                ]
            )
            for _ in range(3)
        ]
        a, b, c = sets
        assert merge_records(a, a) == a
        assert merge_records(a, b) == merge_records(b, a)
        assert merge_records(merge_records(a, b), c) == merge_records(a, merge_records(b, c))
        every = merge_claims((*a.claims, *b.claims, *c.claims))
        assert decode_record(encode_record(every)) == every == merge_records(merge_records(a, b), c)


def test_a_lower_bound_above_an_upper_bound_is_refused_with_both_claims() -> None:
    with pytest.raises(ContradictionError, match=r"lower = 1, rank 3, .*contradicts upper = 0, rank 4"):
        merge_claims([Claim(Side.LOWER, 1, 3, witness=0), Claim(Side.UPPER, 0, 4)])
    with pytest.raises(ContradictionError):
        merge_record_sets(
            {b"k": encode_record(Record.of([Claim(Side.LOWER, 1, 3, witness=0)]))},
            {b"k": encode_record(Record.of([Claim(Side.UPPER, 0, 4)]))},
        )


@pytest.mark.parametrize(
    "record",
    [
        "",
        "10",
        "01000000",
        "20020100",
        "1100",
        "11020100",  # evidence `table` without a name
        "1108020100",  # an undefined bit
        "1100020100ff",
        "110082000100",  # not the shortest form
        "1100020100" + "0000",
        "11000280808080080 0".replace(" ", ""),  # rank 2^31
        "120002010000020100",  # the same claim twice
        "12000201000002020 0".replace(" ", ""),  # dominated: same bound, larger rank
        "12010201000201 00".replace(" ", ""),  # upper before lower
        "1106020100" + "00",  # a search of 0 nodes
        "1106020100" + "914e",  # a search of 10,001 nodes
        "110202010001ff",  # the table's name is not UTF-8
    ],
)
def test_malformed_records_are_refused_by_both_readers(record: str) -> None:
    data = bytes.fromhex(record)
    with pytest.raises(MalformedRecordError):
        decode_record(data)
    if record.startswith("1106020100") and record.endswith("00"):
        return  # the checker reads it and refuses the claim
    if record.endswith("ff") and record.startswith("1102"):
        return  # likewise: it accepts no table whatever its name
    with pytest.raises(ValueError, match=r".+"):
        checker.read_record(data)


def test_any_bytes_are_read_alike_by_both_readers() -> None:
    random = Random(3)
    read = 0
    for _ in range(60_000):
        data = bytes(
            [
                0x10 | random.randint(1, 3),
                *(random.choice((0, 1, 2, 3, 6, 7, 127, 129, 255)) for _ in range(random.randint(2, 11))),
            ]
        )
        try:
            record = decode_record(data)
        except MalformedRecordError:
            record = None
        try:
            others = checker.read_record(data)
        except ValueError:
            others = []
        if record is not None and not record.has_sources:
            read += 1
            assert [(c.bound, c.rank, c.witness) for c in record.claims] == [
                (c.bound, c.rank, c.witness) for c in others
            ]
            assert encode_record(record) == data
        elif others:
            assert any(other.evidence in ("table", "line", "search") for other in others)
    assert read > 1000


def test_exploring_has_a_limit() -> None:
    with pytest.raises(ValueError, match="more than 100 positions"):
        explore(open_rules("tic-tac-toe"), limit=100)
    assert len(explore(open_rules("tic-tac-toe"))) == 765


def test_claims_say_what_they_claim() -> None:
    assert str(Claim(Side.LOWER, 1, 7, witness=3)) == "lower = 1, rank 7, witness 3, by children"
    assert (
        str(Claim(Side.UPPER, -1, 2, evidence=Evidence.SEARCH, payload=search_payload(50)))
        == "upper = -1, rank 2, by search of 50 nodes"
    )
    assert Claim(Side.UPPER, 0, 1).evidence == Evidence.CHILDREN
