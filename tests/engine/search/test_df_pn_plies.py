"""`df-pn-plies` of chess: its answers, its solutions by the rules in Python, and what the small searches visit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import chess
import pytest
from search_combinations import assert_settled

from proofbase.engine import open_rules
from proofbase.engine._core import Search, choose_algorithm, open_game
from proofbase.engine.checking.checker import small_search_visits
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.records import Evidence, Side, decode_record
from proofbase.engine.records.varint import read_varint

MATES = {
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": 3,  # Morphy
    "k7/2p5/2K5/8/8/8/8/6R1 w - - 0 1": 3,
    "2B2n2/8/8/8/8/5K1p/7p/5N1k w - - 0 1": 3,
    "5N1k/8/5K1p/7p/8/8/8/6R1 w - - 0 1": 3,
    "7k/P7/5K2/8/8/8/8/8 w - - 0 1": 3,
    "5b2/pp2r1pk/2pp1pRp/4rP1N/2P1P3/1P4QP/P3q1P1/5R1K w - - 0 1": 5,  # Reinfeld (1958), 143
}
"""Plies of the shortest win of the side to move, which pn-dag finds as well."""

LOST = ("k7/2p5/2K5/8/8/8/8/5R2 b - - 0 1", "8/8/8/8/8/1K6/7Q/k7 b - - 0 1")

ONLY_MATES = [
    "4BR2/8/8/5Pp1/3K1k2/8/1p1p2Q1/5B2 w - g6 0 1",  # a capture in passing
    "4B3/1K2N3/8/k4PpQ/4p3/1R4p1/6N1/8 w - g6 0 1",
    "1B5b/8/4p3/2N3p1/8/8/5R2/2k1K2R w K - 0 1",  # castling
    "4B1b1/5N2/3p4/8/8/8/5R2/2k1K2R w K - 0 1",
    "7K/5P1b/4k3/5R2/6Bp/B7/8/6N1 w - - 0 1",  # a pawn becomes a knight
    "2B2r2/p3P2k/6R1/4B3/8/8/8/2K5 w - - 0 1",
]
"""Positions with one move that mates."""


NODES = {11: 19_995, 19: 31_489}
"""Plies, and the nodes of the answer to the question about `HARD`."""
HARD = "8/8/8/7K/6Np/7p/7N/7k w - - 0 1"
"""A mate in ten: its last question is tried before the shorter ones are refuted, which takes 1,240,000 nodes."""


def search_of(fen: str, plies: int, at_least: int = 1, algorithm: str = "df-pn-plies") -> Search:
    game = open_game(f"within:{plies}:chess")
    return Search(game, game.parse(f"{fen} plies={plies}"), at_least, algorithm=algorithm)


def test_auto_chooses_it_within_plies_of_chess_and_nowhere_else() -> None:
    game = open_game("within:7:chess")
    assert choose_algorithm(game, game.initial())[0] == "df-pn-plies"
    for name in ("within:7:giveaway", "within:251:chess", "chess", "tic-tac-toe"):
        other = open_game(name)
        assert choose_algorithm(other, other.initial())[0] != "df-pn-plies"
        with pytest.raises(UnknownAlgorithmError, match="is not chess within at most 250 plies"):
            Search(other, other.initial(), 1, algorithm="df-pn-plies")


@pytest.mark.parametrize("table", ["", "+table-kib-1"])
@pytest.mark.parametrize("small_search_nodes", [0, 40, 10_000])
@pytest.mark.parametrize("fen", MATES)
def test_the_shortest_mate_is_proved_both_ways(fen: str, small_search_nodes: int, table: str) -> None:
    game = open_rules("within:9:chess")
    for plies in range(1, MATES[fen] + 2):
        search = search_of(fen, plies, algorithm=f"df-pn-plies{table}")
        search.run()
        assert search.status == ("proved" if plies >= MATES[fen] else "disproved"), plies
        native = open_game(f"within:{plies}:chess")
        solution = search.solution(small_search_nodes=small_search_nodes)
        assert_settled(solution, native.key(native.parse(f"{fen} plies={plies}")), 1, search.status)
        if len(solution) < 300:
            items = [item for chunk in solution.chunks(1000) for item in chunk]
            findings = LocalCheck(game).findings(items, lambda keys: [None] * len(keys))
            assert list(findings) == []


def test_a_lost_position_is_lost_in_as_many_plies_as_the_plain_search_says() -> None:
    for fen in LOST:
        for plies in range(1, 8):
            asked = [search_of(fen, plies, 0, algorithm) for algorithm in ("df-pn-plies", "pn-dag")]
            for search in asked:
                search.run(nodes=200_000)
                native = open_game(f"within:{plies}:chess")
                key = native.key(native.parse(f"{fen} plies={plies}"))
                assert_settled(search.solution(small_search_nodes=0), key, 0, search.status)
            assert asked[0].status == asked[1].status != "unknown", (fen, plies)


def positions(count: int) -> Iterator[chess.Board]:
    """Random ones, with men that mate often."""
    random = Random(1)
    while count > 0:
        board = chess.Board(None)
        squares = random.sample(range(64), 9)
        for square, man in zip(squares, ["K", "k", *random.sample("QRRBBNNPPprbn", 7)], strict=True):
            if man in "kKqQrRbBnN" or 8 <= square < 56:
                board.set_piece_at(square, chess.Piece.from_symbol(man))
        if board.is_valid():
            count -= 1
            yield board


def test_mates_at_once_are_those_of_another_program() -> None:
    mates = 0
    for board in (*map(chess.Board, ONLY_MATES), *positions(600)):
        mate = any(board.san(move).endswith("#") for move in board.legal_moves)
        search = search_of(board.fen(), 1)
        search.run()
        assert (search.status == "proved") == mate, board.fen()
        mates += mate
    assert mates > 40


def test_small_searches_visit_what_the_rules_in_python_visit() -> None:
    """The visits of a claim are as many as its check makes, and with one less it is refused."""
    game = open_rules("within:9:chess")
    searches = [search_of(fen, plies) for fen, most in MATES.items() for plies in range(1, most + 1)]
    searches += [search_of(fen, plies, 0) for fen in LOST for plies in range(1, 7)]
    sides, checked = set[tuple[Side, int]](), 0
    for search, nodes in product(searches, (20, 300)):
        search.run()
        items = [item for chunk in search.solution(small_search_nodes=nodes).chunks(1000) for item in chunk]
        for key, record in items[:40]:
            position = game.position(key)
            assert position is not None
            for claim in decode_record(record).claims:
                if claim.evidence != Evidence.SEARCH:
                    continue
                lower = claim.side == Side.LOWER
                assert not lower or claim.witness is not None
                start = game.play(position, claim.witness) if lower else position
                limit, depth = (-claim.bound, claim.rank - 1) if lower else (claim.bound, claim.rank)
                visits = read_varint(claim.payload, 0)[0]
                assert small_search_visits(game, start, limit, depth, visits) == visits
                sides.add((claim.side, claim.bound))
                checked += 1
    assert checked > 80 and sides == {(Side.LOWER, 0), (Side.LOWER, 1), (Side.UPPER, 0), (Side.UPPER, -1)}


def test_positions_that_a_small_search_comes_to_again_count_as_visited() -> None:
    """Both knights reach the same squares in either order, so what is kept of a position is used."""
    game, checked = open_rules("within:9:chess"), 0
    search = search_of(HARD, 9)
    search.run()
    for key, record in (item for chunk in search.solution(small_search_nodes=10_000).chunks(1000) for item in chunk):
        claim = decode_record(record).claims[0]
        visits = read_varint(claim.payload, 0)[0] if claim.evidence == Evidence.SEARCH else 0
        if claim.side == Side.LOWER and visits > 1_000 and checked < 8:
            position = game.position(key)
            assert position is not None and claim.witness is not None
            child = game.play(position, claim.witness)
            assert small_search_visits(game, child, -claim.bound, claim.rank - 1, visits) == visits
            checked += 1
    assert checked == 8


def test_a_restored_search_goes_on() -> None:
    first = search_of(HARD, 11)
    first.run(nodes=18_000)
    assert first.status == "unknown"
    chunk = first.checkpoint()
    second = search_of(HARD, 11)
    second.restore(chunk)
    assert second.progress().nodes == first.progress().nodes
    second.run()
    assert second.status == "disproved"
    assert second.progress().nodes < 18_000 + NODES[11] // 2, "anew it takes all nodes again"


@pytest.mark.parametrize("plies", NODES)
def test_the_nodes_are_those_that_were_measured(plies: int) -> None:
    """A change of the search states new ones."""
    search = search_of(HARD, plies)
    search.run(nodes=100_000)
    assert search.status == ("proved" if plies == 19 else "disproved")
    assert search.progress().nodes == NODES[plies]


def test_a_position_that_mates_at_once_is_never_taken_for_one_that_does_not() -> None:
    """A node whose children are not all made, since one is won, has refuted nothing."""
    fen = "3r2R1/1n6/1p1p1p2/1K1BkN2/1N3pP1/p4pB1/8/r1b5 w - - 0 1"
    search = search_of(fen, 5)
    search.run()
    game = open_game("within:5:chess")
    assert_settled(search.solution(small_search_nodes=0), game.key(game.parse(f"{fen} plies=5")), 1, "disproved")
