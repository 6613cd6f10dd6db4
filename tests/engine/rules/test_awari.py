"""Awari against its paper, its recorded game, brute force, and outside tables; and its solution in the fact model."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from awari_positions.endgames import endgames, solution

from proofbase.engine import open_game, read_position
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.checking.certificate import CertificateReader, certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import EngineError, InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.papers.reference.graph import components_of, values
from proofbase.engine.records import Record, Side, decode_record, encode_record
from proofbase.engine.rules import Awari
from proofbase.engine.rules.awari import AwariPosition

GAME = Awari()
NATIVE: Any = open_game("awari")
FIG_11 = "7:0,0,1,3,1,1/1,0,4,19,4,2:5/S"
FIG_12 = "23:1,0,0,0,0,0/0,1,0,0,1,0:22/S"
STONES = 4
"""Endgames to this number of stones are solved here: 1,820 positions in about a second."""


def names(position: AwariPosition) -> list[str]:
    return [GAME.move_text(position, move) for move in GAME.moves(position)]


def played(position: AwariPosition, moves: str) -> AwariPosition:
    for move in moves.split():
        position = GAME.play(position, GAME.parse_move(position, move))
    return position


def test_no_line_of_play_is_worth_more_than_the_stones_that_are_left() -> None:
    random, captures = Random(4), 0
    for _ in range(30):
        position = GAME.initial()
        for _ in range(80):
            if (value := GAME.terminal(position)) is not None:
                assert abs(value) <= GAME.limit(position)
                break
            move = random.choice(GAME.moves(position))
            child, reward = GAME.play(position, move), GAME.reward(position, move)
            assert abs(GAME.repetition(position)) <= GAME.limit(position) == reward + GAME.limit(child)
            captures += reward > 0
            position = child
    assert captures > 100


def test_the_position_of_fig_11_has_the_moves_of_the_paper_and_is_drawn_like_it() -> None:
    position = GAME.parse(FIG_11)
    assert names(position) == ["A1", "C4x2", "D19x7", "E4", "F2x4"]
    assert [line.split() for line in GAME.draw(position).splitlines()] == [
        ["North"],
        ["f", "e", "d", "c", "b", "a"],
        ["7", "0", "0", "1", "3", "1", "1", "5"],
        ["1", "0", "4", "19", "4", "2"],
        ["A", "B", "C", "D", "E", "F"],
        ["South", "(to", "move)"],
    ]
    after = played(position, "D19x7")
    # 19 stones: once around without D, which stays empty, and eight more to north's f.
    assert GAME.text(after) == "7:0,0,0,5,3,3/2,1,5,0,6,4:12/N"


def test_the_two_lines_of_fig_12_go_as_the_paper_says() -> None:
    position = GAME.parse(FIG_12)
    lost = played(position, "B1 f1")
    assert names(lost) == ["A1", "C1", "E1"]
    for move in GAME.moves(lost):
        assert GAME.terminal(GAME.play(lost, move)) == -3  # North cannot move: South takes all three stones
    assert names(played(position, "E1 f1")) == ["F1"]  # the only move that feeds


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("0,0,0,0,0,0/1,0,0,0,0,0/S", "A1"),  # no move feeds: all are legal
        ("0,0,0,0,0,0/1,0,0,0,2,1/S", "E2 F1"),
        ("0,0,0,0,0,1/0,0,0,0,0,1/S", "F1x2"),  # nothing else to play, though it takes all that North has
        ("0,0,0,0,0,1/1,0,0,0,0,1/S", "A1"),  # F1 would take all that North has, A1 does not
        ("0,0,0,0,0,1/0,0,0,1,0,0/S", "D1"),
        ("0,0,0,0,0,2/0,0,0,0,0,1/S", "F1x3"),
        ("0,0,0,0,0,3/0,0,0,0,0,1/S", "F1"),  # four stones are too many
        ("0,0,0,0,1,1/1,0,0,0,0,2/S", "A1"),
        ("0,0,0,0,1,1/0,0,0,0,0,2/S", "F2x4"),
        ("12,0,0,0,0,0/0,0,0,0,0,0/N", "f12x2"),
        ("2,1,1,2,1,1/0,0,0,0,9,0/S", "E9"),  # ends in South's own row: no capture
        ("0,2,1,2,4,1/0,0,0,0,0,5/S", "F5x8"),
        ("0,2,3,2,2,1/0,0,0,0,0,5/S", "F5x3"),  # the chain stops at the four stones of d
    ],
)  # fmt: skip
def test_legal_moves_and_captures(text: str, moves: str) -> None:
    assert names(GAME.parse(text)) == moves.split()


def test_twelve_stones_leave_their_own_pit_empty() -> None:
    after = played(GAME.parse("12,0,0,0,0,0/0,0,0,0,0,0/N"), "f12")
    assert GAME.text(after) == "2:0,1,1,1,1,1/0,1,1,1,1,1:0/S"  # the twelfth falls into A, the second there


def test_moves_are_read_with_and_without_counts_and_captures() -> None:
    position = GAME.parse(FIG_11)
    for text in ("D", "D19", "D19x7", "D19\N{MULTIPLICATION SIGN}7", "Dx7"):
        assert GAME.parse_move(position, text) == 3
    for text, cause in (
        ("D18", "should be D19x7"), ("D19x6", "should be D19x7"), ("A1x2", "should be A1 "), ("d", "South is to move"),
        ("B", "the pit is empty"), ("G1", "not a move"), ("", "not a move"), ("D19x", "not a move"),
        ("D 19", "not a move"),
    ):  # fmt: skip
        with pytest.raises(InvalidMoveError, match=cause):
            GAME.parse_move(position, text)
    with pytest.raises(InvalidMoveError, match="leaves the opponent no move"):
        GAME.parse_move(GAME.parse("0,0,0,0,1,1/1,0,0,0,0,2/S"), "F2")


def test_move_lists_are_read_in_the_notation_of_the_paper() -> None:
    expected = played(GAME.initial(), "D4 b5 B4 e5x2")
    for text in ("D4 b5 B4 e5x2", "D4,b5,B4,e5", "moves:D b B e", "D4 b5 B4 e5\N{MULTIPLICATION SIGN}2"):
        assert read_position(GAME, text) == expected
        assert NATIVE.text(read_position(NATIVE, text)) == GAME.text(expected)
    with pytest.raises(InvalidPositionError, match="move 4 of"):
        read_position(GAME, "D4 b5 B4 e5\N{MULTIPLICATION SIGN}3")


def test_the_stores_and_the_side_do_not_matter_to_the_key() -> None:
    position = GAME.parse(FIG_11)
    turned = GAME.parse("2,4,19,4,0,1/1,1,3,1,0,0/N")
    assert (turned.own, turned.other) == (position.own, position.other)
    key = GAME.key(position)
    assert key == GAME.key(turned)
    assert GAME.text(GAME.position(key)) == "0,0,1,3,1,1/1,0,4,19,4,2/S"


def test_both_rules_agree_on_random_positions_and_refusals() -> None:
    native, random, refused = NATIVE, Random("awari"), 0
    for _ in range(3000):
        counts = [0] * 14
        for _ in range(random.choice((3, 10, 30, 48, 49))):
            counts[random.choice((random.randrange(14), random.randrange(4)))] += 1
        rows = ",".join(map(str, counts[:6])), ",".join(map(str, counts[6:12]))
        text = f"{counts[12]}:{rows[0]}/{rows[1]}:{counts[13]}/{random.choice('SN')}"
        try:
            position = GAME.parse(text)
        except InvalidPositionError:
            refused += 1
            with pytest.raises(InvalidPositionError):
                native.parse(text)
            continue
        same = native.parse(text)
        assert native.text(same) == GAME.text(position) and native.draw(same) == GAME.draw(position)
        assert native.key(same) == GAME.key(position) and native.terminal(same) == GAME.terminal(position)
        assert native.moves(same) == list(GAME.moves(position))
        for move in GAME.moves(position):
            assert native.reward(same, move) == GAME.reward(position, move)
            assert native.text(native.play(same, move)) == GAME.text(GAME.play(position, move))
    assert 300 < refused < 1000


def test_both_rules_refuse_the_same_keys_texts_and_moves() -> None:
    native, random, accepted = NATIVE, Random("refused"), Counter[str]()
    position = GAME.parse(FIG_11)
    same = native.parse(FIG_11)

    def both(kind: str, ours: object, theirs: object) -> None:
        assert ours == theirs
        accepted[kind] += ours is not None

    for _ in range(4000):
        bits = random.sample(
            range(random.choice((20, 40, 58, 60, 62, 64))), random.choice((3, 10, 30, 48, 49, 14)) % 20
        )
        key = sum(1 << bit for bit in bits).to_bytes(8, "big")
        both("keys", attempt(GAME, "position", key), attempt(native, "position", key))
        text = list(random.choice((FIG_11, FIG_12, "0,0,1,3,1,1/1,0,4,19,4,2/S", "0,0,1,3,1,1/1,0,4,19,4,2")))
        text[random.randrange(len(text))] = random.choice("019,:/SNx \N{ARABIC-INDIC DIGIT THREE}")
        both("texts", attempt(GAME, "parse", "".join(text)), attempt(native, "parse", "".join(text)))
        word = "".join(random.choice("ACDEFd1942x7\N{MULTIPLICATION SIGN}") for _ in range(random.randrange(6)))
        both("moves", attempt(GAME, "parse_move", word, position), attempt(native, "parse_move", word, same))
    assert min(accepted.values()) > 50 and accepted["keys"] < 4000
    for size in (0, 7, 9, 300):
        for game in (GAME, native):
            with pytest.raises(InvalidKeyError, match="8 bytes"):
                game.position(bytes(size))


def attempt(game: Any, method: str, given: object, position: object = None) -> object:
    """What a method says of an input, as text or number; None where it refuses."""
    try:
        if method == "parse_move":
            return game.parse_move(position, given)
        return game.text(getattr(game, method)(given))
    except EngineError:
        return None


def test_every_ply_of_game_5_is_as_recorded(shared_data: Path) -> None:
    record = json.loads((shared_data / "awari_game5.json").read_text())
    native = NATIVE
    position, same = GAME.initial(), native.initial()
    for ply in record["plies"]:
        south = (ply["captured_north"], ply["north"][::-1], ply["south"], ply["captured_south"])
        assert position == placed(*south, side=ply["side"])
        assert sorted(names(position)) == sorted(ply["legal"])
        move = GAME.parse_move(position, ply["played"])
        assert GAME.move_text(position, move) == ply["played"]
        assert native.parse_move(same, ply["played"]) == move
        position, same = GAME.play(position, move), native.play(same, move)
        assert native.text(same) == GAME.text(position)
    assert len(record["plies"]) == 194
    assert GAME.text(position) == "26:0,1,0,1,1,1/1,0,0,0,0,0:17/S"
    moves = " ".join(ply["played"] for ply in record["plies"])
    assert read_position(GAME, moves) == position


def placed(north_store: int, north: list[int], south: list[int], south_store: int, side: str) -> AwariPosition:
    rows = ",".join(map(str, north)) + "/" + ",".join(map(str, south))
    return GAME.parse(f"{north_store}:{rows}:{south_store}/{side}")


def test_one_stone_is_worth_what_the_rules_say_by_hand() -> None:
    # In A to E it is moved on, North cannot reply, and it is South's. In F it must be given away, and North keeps it.
    for pit, value in enumerate((1, 1, 1, 1, 1, -1)):
        graph, positions = endgames(1)
        position = AwariPosition(tuple(int(pit == i) for i in range(6)), (0,) * 6)
        assert values(graph)[list(positions).index(GAME.key(position))] == value


def test_in_a_cycle_every_reward_is_0_and_repetition_changes_its_sign() -> None:
    graph, positions = endgames(STONES)
    component = {node: number for number, part in enumerate(components_of(graph.edges)) for node in part}
    inside = rewards = 0
    for node, position in enumerate(positions.values()):
        for edge in graph.edges[node]:
            rewards += edge.reward > 0
            if component[node] == component[edge.child]:
                inside += 1
                assert edge.reward == 0
        for move in GAME.moves(position):
            assert GAME.repetition(GAME.play(position, move)) == -GAME.repetition(position)
    assert inside > 1000 and rewards > 50


def test_values_of_all_small_endgames_are_those_of_the_outside_tables(shared_data: Path) -> None:
    graph, positions = endgames(STONES)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    levels = json.loads((shared_data / "awari_db_histograms.json").read_text())["levels"]
    for level in levels[: STONES + 1]:
        found = Counter(str(worth[key]) for key, p in positions.items() if sum(p.own + p.other) == level["stones"])
        assert dict(found) == {value: count for value, count in level["hist"].items() if count}
    rows = 0
    for line in (shared_data / "awari_values_3to16.txt").read_text().splitlines():
        fields = line.split()
        if line.startswith("#") or sum(map(int, fields[:12])) > STONES:
            continue
        pits = tuple(map(int, fields[:12]))
        position = AwariPosition(pits[:6], pits[6:])
        assert worth[GAME.key(position)] == int(fields[13])
        moves = {
            f"{move}:{GAME.reward(position, move) - worth[GAME.key(GAME.play(position, move))]}"
            for move in GAME.moves(position)
        }
        assert moves == set(fields[15:])
        rows += 1
    assert rows == 132


def test_the_solution_of_all_small_endgames_passes_both_checks() -> None:
    records = solution(STONES)
    assert len(records) == 1610
    table = RecordTable(NATIVE)
    table.load(records.items())
    assert table.check().checked == 1610 and table.check().failed == 0
    assert dict(item for chunk in table.chunks(500) for item in chunk) == records
    assert not list(LocalCheck(GAME).findings(list(records.items()), lambda keys: [None] * len(keys)))
    bounds = [claim for record in records.values() for claim in decode_record(record).claims]
    assert {claim.bound for claim in bounds} == set(range(-STONES, STONES + 1))
    for claim in bounds:  # repetition is worth 0: what it gives by itself is a safety claim
        assert (claim.rank == 0) == (claim.bound <= 0 if claim.side == Side.LOWER else claim.bound >= 0)
    assert max(claim.rank for claim in bounds) == 39


def test_no_stronger_bound_passes_either_check(thorough: bool) -> None:
    records, native, random = solution(STONES), NATIVE, Random("stronger")
    graph, _ = endgames(STONES)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    for key in random.sample(sorted(records), 25 if thorough else 10):
        lower, upper = decode_record(records[key]).claims
        side = random.choice((Side.LOWER, Side.UPPER))
        bound = worth[key] + (1 if side == Side.LOWER else -1)
        safe = bound <= 0 if side == Side.LOWER else bound >= 0
        wrong = replace(lower if side == Side.LOWER else upper, bound=bound, rank=0 if safe else 99)
        changed = {**records, key: encode_record(Record.of([wrong]))}
        table = RecordTable(native)
        table.load(changed.items())
        by_native = {finding.key for finding in table.check().findings}
        found = LocalCheck(GAME).findings(list(changed.items()), lambda keys: [None] * len(keys))
        assert by_native == {finding.key for finding in found} and by_native


def test_a_certificate_of_a_cyclic_game_with_rewards_is_checked_and_read_back() -> None:
    records = solution(STONES)
    table = RecordTable(NATIVE)
    table.load(records.items())
    root = GAME.parse("24:0,0,1,0,1,0/1,0,0,0,0,1:20/S")
    below = sorted(table.below(GAME.key(root)))
    assert len(below) > 800
    data = b"".join(certificate_chunks(GAME, root, [(key, records[key]) for key in below]))
    result = check_certificate(data)
    assert result.valid and result.records == len(below)
    assert (result.header["root"], result.header["lower"], result.header["upper"]) == (GAME.text(root), -4, -4)
    reader = CertificateReader(BytesIO(data))
    assert [key for key, _ in reader] == below
    without = b"".join(certificate_chunks(GAME, root, [(key, records[key]) for key in below if key != below[7]]))
    assert not check_certificate(without).valid


def test_a_search_for_acyclic_games_names_those_that_can_treat_awari() -> None:
    native = NATIVE
    with pytest.raises(ValueError, match="awari has cycles, which pn-dag cannot treat; pn-base-twin and pn-cyclic can"):
        Search(native, native.initial(), 1, algorithm="pn-dag")
    assert Search(native, native.initial(), 1).algorithm.startswith("pn-base-twin")
