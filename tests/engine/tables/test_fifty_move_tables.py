"""Tables of chess:fifty: entries beside brute force over positions and counters, in both languages; their use."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import chess
import numpy as np
import pytest
from table_files import read_values, rewrite

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import ClassMoves, Tables, TableWork
from proofbase.engine.rules.tables.table_values import TableValues
from proofbase.engine.tables import PythonTables, table_counts

NAME = "chess:fifty"
GAME, RULES = open_game(NAME), open_rules(NAME)
MOST = 100
NO_POSITION = 1
BITS, GOES_ON, NO_POSITION_END = 48, 32767, 32766
PIECES = ("kn-k", "kb-k", "kr-k", "kq-k")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables of three men."""
    directory = tmp_path_factory.mktemp("fifty")
    assert TableWork(GAME, str(directory), 3, threads=2).build()
    return directory


class Moves(NamedTuple):
    """The positions of a class of chess, and their moves one behind the other."""

    size: int
    ends: Any
    starts: Any
    """Where the moves of each position that goes on begin."""
    going_on: Any
    classes: Any
    numbers: Any
    resets: Any


@cache
def classes() -> dict[str, tuple[int, int]]:
    return {name: (number, size) for number, name, size, _ in ClassMoves("chess").classes(3)}


def moves_of(name: str) -> Moves:
    """By the rules of chess, natively; which moves are resets is seen by the squares of the pawn."""
    number, size = classes()[name]
    numbers = np.arange(size, dtype=np.uint64).tobytes()
    ends, _, starts, children, _ = ClassMoves("chess").list(number, numbers, moves=True)
    ends, places = np.frombuffer(ends, np.int16), np.frombuffer(children, np.uint64)
    to_class, to = (places >> BITS).astype(np.int64), (places & ((1 << BITS) - 1)).astype(np.int64)
    going_on = np.flatnonzero(ends == GOES_ON)
    starts = np.frombuffer(starts, np.uint32).astype(np.int64)
    resets = to_class != number
    if "p" in name:
        pawn = pawn_ranks(name)
        parents = np.repeat(np.arange(size), np.diff(starts, append=len(to)))
        resets |= pawn[np.where(resets, 0, to)] != pawn[parents]
    return Moves(size, ends, starts[going_on], going_on, to_class, to, resets)


def pawn_ranks(name: str) -> Any:
    """The rank of the pawn of each position, seen by its own side."""
    number, size = classes()[name]
    numbers = np.arange(size, dtype=np.uint64).tobytes()
    ends, packed, *_ = ClassMoves("chess").list(number, numbers, moves=False)
    chess_game, held = open_game("chess"), np.flatnonzero(np.frombuffer(ends, np.int16) == GOES_ON)
    width, out = len(packed) // len(held), np.zeros(size, np.int8)
    for place, at in enumerate(held):
        ranks = chess_game.text(packed[place * width : (place + 1) * width]).split()[0].split("/")
        rank = next(rank for rank, men in enumerate(ranks) if "p" in men.lower())
        out[at] = 7 - rank if "P" in "".join(ranks) else rank
    return out


def by_brute_force(name: str, values_at_counter_0: dict[int, Any]) -> Any:
    """The values with the counters 0 to 100 (rows) of a class, by the definition, without entries.

    Args:
        name: of the class.
        values_at_counter_0: values with the counter 0 of the classes that moves lead to.
    """
    moves, (number, _) = moves_of(name), classes()[name]
    values = np.zeros((MOST + 1, moves.size), np.int8)
    finished = np.where(moves.ends == -1, np.int8(-1), np.int8(0))
    while True:  # moves of the pawn lead to values with the counter 0 of the class itself
        known = {**values_at_counter_0, number: values[0].copy()}
        after_reset = np.zeros(len(moves.numbers), np.int8)
        for c in np.unique(moves.classes):
            there = (moves.classes == c) & moves.resets
            after_reset[there] = known[int(c)][moves.numbers[there]]
        values[MOST] = finished
        quiet = np.where(moves.resets, 0, moves.numbers)
        for counter in range(MOST - 1, -1, -1):
            after = np.where(moves.resets, after_reset, values[counter + 1][quiet])
            values[counter] = finished
            values[counter][moves.going_on] = np.maximum.reduceat(-after, moves.starts)
        if (values[0] == known[number]).all():
            return values


def by_entries(path: Path, ends: Any) -> Any:
    """The values with all counters as docs/endgame-tables.md reads them."""
    entries = np.array(read_values(path))
    assert ((entries == NO_POSITION) == (ends == NO_POSITION_END)).all()
    plies = np.where(entries > NO_POSITION, (entries - 2) // 2, MOST + 1)
    signs = np.where(entries % 2 == 1, 1, -1).astype(np.int8)
    return np.array([np.where(plies + counter <= MOST, signs, 0) for counter in range(MOST + 1)], np.int8)


def compare_with_brute_force(folder: Path, names: tuple[str, ...]) -> None:
    values_at_counter_0 = {classes()["k-k"][0]: np.zeros(classes()["k-k"][1], np.int8)}
    for name in names:
        moves, values = moves_of(name), by_brute_force(name, values_at_counter_0)
        assert (values == by_entries(folder / f"chess_fifty-{name}.table", moves.ends)).all(), name
        values_at_counter_0[classes()[name][0]] = values[0]
        assert (name in ("kn-k", "kb-k")) == (not values.any())


def test_entries_are_the_values_with_every_counter(folder: Path) -> None:
    compare_with_brute_force(folder, ("kr-k",))


@pytest.mark.slow
def test_entries_with_a_pawn_are_the_values_with_every_counter(folder: Path) -> None:
    compare_with_brute_force(folder, (*PIECES, "kp-k"))


def test_a_verification_finds_changed_entries(folder: Path, tmp_path: Path) -> None:
    work = TableWork(GAME, str(folder), 3)
    for entry in work.plan():
        report = work.verify(entry.table_class)
        assert report is not None and (report.checked, report.failed) == (entry.entries, 0)
        assert report.longest <= MOST
    for path in folder.glob("*.table"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    number, _ = classes()["kq-k"]
    values = read_values(tmp_path / "chess_fifty-kq-k.table")
    random = Random(4)
    for _ in range(12):
        at = random.randrange(len(values))
        changed = list(values)
        changed[at] = random.choice([one for one in (0, 1, 2, 3, 4, 5, 20, 21) if one != values[at]])
        rewrite(tmp_path / "chess_fifty-kq-k.table", changed)
        report = TableWork(GAME, str(tmp_path), 3).verify(number)
        assert report is not None and report.failed > 0
        assert at in [one.entry for one in report.findings]


def drawn_fen(random: Random, men: str, counter: int) -> str:
    while True:
        board = chess.Board(None)
        for square, man in zip(random.sample(chess.SQUARES, len(men)), men, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn, board.halfmove_clock = random.random() < 0.5, counter
        if board.is_valid() and any(board.legal_moves):
            return board.fen()


def test_both_readers_say_the_value_with_the_counter(folder: Path) -> None:
    native, python, plain = Tables(GAME, str(folder)), PythonTables(RULES, folder), TableValues(RULES, folder)
    random, seen = Random(5), set[tuple[int, bool]]()
    for men in ("KQk", "KRk", "KPk", "KBk"):
        for _ in range(60):
            fen = drawn_fen(random, men, random.choice((0, 60, 85, 92, 97, 99)))
            position, own = RULES.parse(fen), GAME.parse(fen)
            value = native.value(own)
            best = []
            for move in RULES.moves(position):
                child = RULES.play(position, move)
                after = RULES.terminal(child)
                best.append(-(python.value(child) if after is None else after))
            assert value == python.value(position) == max(best), fen
            assert plain.of(position, 1, upper=False) == (value, 0)
            assert native.plies(own) is native.own_plies(own) is python.plies(position) is None
            assert native.values(GAME.key(own)) == (b"\1", (value or 0).to_bytes(4, "little", signed=True))
            seen.add((value or 0, position.counter > 80))
    assert len(seen) == 6


def test_counts_are_those_with_the_counter_0(folder: Path) -> None:
    tables, python = Tables(GAME, str(folder)), PythonTables(RULES, folder)
    for entry in tables.entries():
        assert not entry.plies and not tables.plies_histogram(entry.table_class)
        counts = tables.histogram(entry.table_class)
        found = table_counts(RULES, folder / f"{entry.name}.table")
        assert {(value, None): count for value, count in counts.items()} == found
        if entry.class_name == "k-k":
            assert python.histogram(entry.table_class) == counts
    with pytest.raises(ValueError, match="holds no plies"):
        tables.won_in(tables.entries()[0].table_class, 1, one_key=False, no_duals=False, first=0, last=1)


def test_nothing_is_won_or_lost_there_that_is_not_so_in_chess(folder: Path, tmp_path: Path) -> None:
    """No three men take more than fifty moves: with the counter 0 the values are those of chess."""
    assert TableWork(open_game("chess"), str(tmp_path), 3, threads=2).build()
    of_chess, fifty = Tables(open_game("chess"), str(tmp_path)), Tables(GAME, str(folder))
    for entry in fifty.entries():
        assert of_chess.histogram(entry.table_class) == fifty.histogram(entry.table_class)
