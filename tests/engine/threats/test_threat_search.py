"""The search `threats`: answers as of proof-number search, solutions that pass every check, stops and checkpoints."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from search_combinations import assert_settled

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, Search, choose_algorithm
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.records import Evidence, Record, decode_record, encode_record

WON = "h8 o15 i7 a1 g9"  # o, to move, has no defence


def after(game: Any, moves: str) -> Any:
    position = game.initial()
    for move in moves.split():
        position = game.play(position, game.parse_move(position, move))
    return position


def searched(game: Any, position: Any) -> Search:
    search = Search(game, position, 1, algorithm="threats")
    search.run(nodes=30_000_000)
    return search


def items_of(table: Any) -> list[tuple[bytes, bytes]]:
    return [item for chunk in table.chunks(1000) for item in chunk]


def random_position(game: Any, random: Random, plies: int) -> Any:
    while True:
        position = game.initial()
        for _ in range(plies):
            position = game.play(position, random.choice(game.moves(position)))
            if game.terminal(position) is not None:
                break
        else:
            return position


@pytest.mark.parametrize("name", ["gomoku:6x6-4", "gomoku:6x6-4,standard", "gomoku:5x5-4", "gomoku:7x6"])
def test_no_answer_contradicts_proof_number_search(name: str) -> None:
    game, rules, random = open_game(name), open_rules(name), Random(name)
    settled = 0
    for number in range(40):
        position = random_position(game, random, random.randrange(8, 24))
        for at_least in (0, 1):
            search = Search(game, position, at_least, algorithm="threats" if number % 2 else "threats+threads-3")
            search.run(nodes=20_000)  # may be exhausted before
            if search.status == "unknown":
                continue
            plain = Search(game, position, at_least, algorithm="pn-dag")
            plain.run(nodes=300_000)
            assert plain.status in (search.status, "unknown")
            table = search.solution()
            if not len(table):  # the rules settle it
                continue
            settled += 1
            assert_settled(table, game.key(position), at_least, search.status)
            records = dict(items_of(table))
            check = LocalCheck(rules)
            assert not list(
                check.findings(list(records.items()), lambda keys, stored=records: [stored.get(k) for k in keys])
            )
    assert settled > 10


@pytest.mark.parametrize("name", ["gomoku", "gomoku:standard", "gomoku:19x19"])
def test_a_position_on_a_large_board_is_proved_and_its_certificate_passes(name: str) -> None:
    game = open_game(name)
    position = after(game, WON)
    search = Search(game, position, 0, algorithm="threats")
    search.run(nodes=3_000_000)
    assert search.status == "disproved"
    table = search.solution()
    assert_settled(table, game.key(position), 0, "disproved")
    assert any(
        claim.evidence == Evidence.THREATS for _, data in items_of(table) for claim in decode_record(data).claims
    )
    if name == "gomoku":
        found = check_certificate(b"".join(certificate_chunks(game, position, items_of(table))))
        assert found.findings == []


def test_a_search_goes_on_after_stops_and_from_its_checkpoints() -> None:
    game = open_game("gomoku")
    position = after(game, "h8 k11 h7 h9")
    whole = searched(game, position)
    assert whole.status == "proved"
    stopped = Search(game, position, 1, algorithm="threats")
    chunks, nodes = b"", whole.progress().nodes
    for share in (0.2, 0.4, 0.6):
        stopped.run(nodes=int(nodes * share))
        chunks += stopped.checkpoint()
    restored = Search(game, position, 1, algorithm="threats")
    restored.restore([chunks])
    assert restored.progress().nodes == stopped.progress().nodes
    for search in (stopped, restored):
        search.run(nodes=10 * nodes + 30_000_000)
        assert search.status == "proved"
        assert_settled(search.solution(), game.key(position), 1, "proved")


def test_a_checkpoint_keeps_the_smaller_proof_of_a_position() -> None:
    """A proof is made smaller when it is complete; by then checkpoints have parts of the larger one."""
    game = open_game("gomoku")
    position = after(game, "h8 i10 g7 j9")
    whole = searched(game, position)
    nodes = whole.progress().nodes
    stopped = Search(game, position, 1, algorithm="threats")
    stopped.run(nodes=int(0.96 * nodes))
    assert stopped.status == "unknown"
    chunks = stopped.checkpoint()
    stopped.run(nodes=nodes)
    assert stopped.status == "proved"
    chunks += stopped.checkpoint()
    restored = Search(game, position, 1, algorithm="threats")
    restored.restore([chunks])
    assert restored.status == "proved"
    assert len(restored.solution()) == len(stopped.solution()) == len(whole.solution())
    assert_settled(restored.solution(), game.key(position), 1, "proved")


@pytest.mark.slow
def test_a_limit_of_nodes_does_not_keep_a_proof_from_being_made_smaller() -> None:
    game = open_game("gomoku")
    position = after(game, "h8 i10 g7 j9")
    whole = searched(game, position)
    nodes = whole.progress().nodes
    for share in (0.985, 0.99, 0.995):  # the proof is complete, and being made smaller
        search = Search(game, position, 1, algorithm="threats")
        search.run(nodes=int(share * nodes))
        assert (search.status, search.progress().nodes) == ("proved", nodes)
        assert len(search.solution()) == len(whole.solution())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), [("gomoku:9x9-4", ""), ("gomoku", "h8 i10 g7 j9")])
def test_several_threads_search_the_same_nodes(name: str, moves: str) -> None:
    game, rules = open_game(name), open_rules(name)
    position = after(game, moves)
    for threads in (1, 2, 5):
        search = Search(game, position, 1, algorithm=f"threats+threads-{threads}")
        chunks = b""
        for _ in range(400):  # left and taken up again all the time
            outcome = search.run(seconds=0.05)
            chunks += search.checkpoint()
            if outcome.reason != "seconds":
                break
        assert search.status == "proved", threads
        table = search.solution()
        assert_settled(table, game.key(position), 1, "proved")
        records = dict(items_of(table))
        check = LocalCheck(rules, zones=True)
        assert not list(
            check.findings(list(records.items()), lambda keys, stored=records: [stored.get(k) for k in keys])
        )
        restored = Search(game, position, 1, algorithm=f"threats+threads-{threads}")
        restored.restore([chunks])
        restored.run(seconds=30)
        assert restored.status == "proved"


def test_several_threads_end_together_when_a_search_is_cancelled_or_given_up() -> None:
    game = open_game("gomoku")
    search = Search(game, game.initial(), 1, algorithm="threats+threads-2")
    assert search.run(nodes=2_000_000).reason == "nodes"
    assert 2_000_000 <= search.progress().nodes < 2_200_000
    assert search.progress().replies == 35
    threading.Timer(0.3, search.cancel).start()
    assert search.run(seconds=60).reason == "cancelled"
    assert search.run(memory=1 << 20).reason == "memory"
    del search  # in the midst of the search


def test_what_is_stored_settles_replies_and_the_proof_rests_on_it() -> None:
    game, rules = open_game("gomoku"), open_rules("gomoku")
    position = after(game, "h8 i10 g7 j9")
    whole = searched(game, position)
    root = game.key(position)
    below = [(key, data) for key, data in items_of(whole.solution()) if key != root]
    won = {key: decode_record(data) for key, data in below if decode_record(data).lower is not None}
    assert len(won) > 10
    known = RecordTable(game)
    known.load(below)
    search = Search(game, position, 1, algorithm="threats", known=known)
    for nodes in range(1_000, 30_000_000, 20_000):  # left several times, too
        search.run(nodes=nodes)
        if search.status == "proved":
            break
    assert search.status == "proved" and search.progress().nodes < whole.progress().nodes / 2
    found = dict(items_of(search.solution()))
    assert root in found and not won.keys() & found.keys()
    records = dict(below) | found
    check = LocalCheck(rules)
    assert not list(check.findings(list(found.items()), lambda keys: [records.get(key) for key in keys]))
    checkpoint = search.checkpoint()
    restored = Search(game, position, 1, algorithm="threats", known=known)
    restored.restore([checkpoint])
    assert restored.status == "proved"
    without = Search(game, position, 1, algorithm="threats")
    without.restore([checkpoint])
    assert without.status == "unknown"


def test_stored_claims_that_take_longer_than_the_board_has_squares_are_not_built_upon() -> None:
    game = open_game("gomoku")
    position = after(game, "h8 i10 g7 j9")
    whole = searched(game, position)
    known = RecordTable(game)
    for key, data in items_of(whole.solution()):
        lower = decode_record(data).lower
        if lower is not None and key != game.key(position):
            known.put(key, encode_record(Record((replace(lower, rank=400),))))
    assert len(known) > 10
    search = Search(game, position, 1, algorithm="threats", known=known)
    search.run(nodes=30_000_000)
    assert (search.status, search.progress().nodes) == ("proved", whole.progress().nodes)


@pytest.mark.slow
def test_a_search_takes_the_same_course_however_often_it_is_left() -> None:
    """Runs that end by their nodes, by their time or by cancel() leave a search at any point of its course."""
    game = open_game("gomoku")
    position = after(game, "h8 o15")
    whole = searched(game, position)
    assert whole.status == "proved"
    by_nodes, by_seconds, by_cancel = (Search(game, position, 1, algorithm="threats") for _ in range(3))
    while by_nodes.status == "unknown":
        by_nodes.run(nodes=by_nodes.progress().nodes + 1_000)
    while by_seconds.status == "unknown":
        by_seconds.run(seconds=0.01)
    while by_cancel.status == "unknown":
        timer = threading.Timer(0.05, by_cancel.cancel)
        timer.start()
        by_cancel.run(nodes=30_000_000)
        timer.join()
    for search in (by_nodes, by_seconds, by_cancel):
        assert search.status == "proved"
        assert search.progress().nodes == whole.progress().nodes
        assert search.progress().expansions == whole.progress().expansions


def test_a_search_that_was_left_can_be_dropped_with_its_thread() -> None:
    threads = Path("/proc/self/task")
    if not threads.is_dir():
        pytest.skip("this system does not list the threads of a process")
    game = open_game("gomoku")
    before = len(list(threads.iterdir()))
    for nodes in range(1_000, 200_000, 10_000):
        Search(game, game.initial(), 1, algorithm="threats").run(nodes=nodes)
    assert len(list(threads.iterdir())) <= before


def test_progress_tells_which_replies_are_proved_and_what_is_searched() -> None:
    game = open_game("gomoku")
    search = Search(game, game.initial(), 1, algorithm="threats")
    while search.progress().replies_proved < 2 and search.progress().nodes < 60_000_000:
        search.run(nodes=search.progress().nodes + 500_000)
    progress = search.progress()
    assert (progress.replies_proved, progress.replies) == (2, 35)
    first, answered, *_ = line = progress.best_line
    assert game.move_text(game.initial(), first) == "h8" and 3 <= len(line) <= 4
    position = game.initial()
    for move in line:
        position = game.play(position, move)  # every move of the line is legal
    assert answered != first


def test_cancel_ends_a_run_at_once() -> None:
    game = open_game("gomoku")
    search = Search(game, game.initial(), 1, algorithm="threats")
    thread = threading.Timer(0.3, search.cancel)
    thread.start()
    search.run(seconds=60)
    assert search.status == "unknown" and search.progress().seconds < 5


def test_the_empty_board_is_proved_where_threats_win_soon() -> None:
    game = open_game("gomoku:7x7-4")
    search = Search(game, game.initial(), 1, algorithm="threats")
    search.run(nodes=50_000_000)
    assert search.status == "proved"
    table = search.solution()
    assert_settled(table, game.key(game.initial()), 1, "proved")


def test_other_games_have_no_trees_of_threats() -> None:
    game = open_game("tic-tac-toe")
    with pytest.raises(UnknownAlgorithmError, match="tic-tac-toe is not won by threats with several replies"):
        Search(game, game.initial(), 1, algorithm="threats")


def test_auto_asks_threats_on_large_boards_only() -> None:
    assert choose_algorithm(open_game("gomoku"), nodes_used_up=True)[0] == "threats"
    assert choose_algorithm(open_game("gomoku:6x6"), nodes_used_up=True)[0] != "threats"
