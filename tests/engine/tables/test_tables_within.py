"""Tables of plies as tables of `within:N:GAME`, and as evidence: a rank counts plies to the end of the game."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from values_by_definition import minimax

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, Search, Tables, TableWork
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.checking.plain_records import plain_records
from proofbase.engine.errors import NoTablesError
from proofbase.engine.records import Claim, Evidence, Record, Side, decode_record, encode_record, table_payload
from proofbase.engine.rules import Game, Within
from proofbase.engine.tables import PythonTables, move_by_table

CHESS = open_rules("chess")
TAKES_A_KNIGHT = "5k2/8/8/8/n6R/8/8/K7 w - - 0 1"
"""Four men: taking the knight leads into a table of three."""
SEARCHES = ("df-pn", "pn-dag", "pn-tree", "pn2", "alpha-beta+table-1", "pn-base-twin", "pn-cyclic")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    assert TableWork(open_game("chess"), str(directory), 3).build()
    return directory


LONG = Within(60, CHESS)
"""No ending of three men takes more plies."""


@cache
def python_tables(game: Game[Any], folder: Path) -> PythonTables:
    return PythonTables(game, folder)


@cache
def native_tables(name: str, folder: Path) -> Tables:
    return Tables(open_game(name), str(folder))


def some_endings(count: int) -> list[Any]:
    """Positions with a rook or a queen against a king, or a pawn, where the game goes on."""
    random, found = Random(5), list[Any]()
    while len(found) < count:
        squares = random.sample(range(64), 3)
        rows = [["." for _ in range(8)] for _ in range(8)]
        for square, man in zip(squares, "kK" + random.choice("RQP"), strict=True):
            rows[square // 8][square % 8] = man
        text = "/".join("".join("1" if man == "." else man for man in row) for row in rows)
        try:
            position = CHESS.parse(f"{text} {random.choice('wb')} - - 0 1")
        except ValueError:
            continue
        if CHESS.terminal(position) is None:
            found.append(position)
    return found


def findings(game: Game[Any], folder: Path | None, records: dict[bytes, bytes]) -> list[str]:
    """The rules that the two checks find broken, which must be the same."""
    native = open_game(game.name)
    table, tables = RecordTable(native), None
    table.load(records.items())
    if folder is not None:
        table.attach(native_tables(game.name, folder))
        tables = python_tables(game, folder)
    found = [(finding.key, finding.rule) for finding in table.check().findings]
    python = LocalCheck(game, tables).findings(sorted(records.items()), lambda keys: [records.get(k) for k in keys])
    assert [(finding.key, finding.rule) for finding in python] == found
    return [rule for _, rule in found]


def test_a_win_of_a_table_is_one_within_its_plies_and_none_within_fewer(folder: Path) -> None:
    plain, decided = python_tables(CHESS, folder), 0
    for position in some_endings(40):
        value, plies = plain.value(position), plain.plies(position)
        assert value is not None
        assert plies is not None
        decided += value != 0
        for left in {0, 1, max(plies - 1, 0), plies, plies + 1}:
            native = open_game(LONG.name)
            text = f"{CHESS.text(position)} plies={left}"
            expected = value if plies <= left else 0
            for tables, entry in (
                (python_tables(LONG, folder), LONG.parse(text)),
                (native_tables(LONG.name, folder), native.parse(text)),
            ):
                assert tables.value(entry) == expected
                assert tables.plies(entry) == (plies if expected else 0)
                assert tables.name(entry) == plain.name(position)
            keys = native.key(native.parse(text))
            known, values = native_tables(LONG.name, folder).values(keys)
            assert (known, int.from_bytes(values, "little", signed=True)) == (b"\1", expected)
    assert decided > 20


def test_it_is_the_value_by_brute_force(folder: Path) -> None:
    tables, known, compared = python_tables(LONG, folder), dict[bytes, int](), 0
    left = 3
    for position in some_endings(400):
        if not tables.plies(LONG.parse(f"{CHESS.text(position)} plies={left}")):
            continue
        compared += 1
        for plies in range(left + 1):
            entry = LONG.parse(f"{CHESS.text(position)} plies={plies}")
            assert minimax(LONG, entry, known) == (0 if plies == 0 else tables.value(entry))
        if compared == 5:
            return
    raise AssertionError("too few short wins among the positions")


def test_games_without_tables_of_plies_have_none_within_plies(folder: Path) -> None:
    game = open_game("within:5:awari")
    with pytest.raises(NoTablesError, match="awari has no tables of plies"):
        Tables(game, str(folder))
    rules = open_rules("within:5:awari")
    assert rules.table_entry(rules.initial()) is None


def test_claims_by_table_need_the_plies_as_their_rank(folder: Path) -> None:
    """In the plain game and within plies: one rank less, or one ply less, and both checks name the rule."""
    plain, compared = python_tables(CHESS, folder), 0
    for position in some_endings(60):
        value, plies = plain.value(position), plain.plies(position)
        if not value or plies is None or plies < 2:
            continue
        compared += 1
        for game, text in ((CHESS, CHESS.text(position)), (LONG, f"{CHESS.text(position)} plies={plies}")):
            tables = python_tables(game, folder)
            start = game.position(game.key(game.parse(text)))
            name = tables.name(start)
            assert name is not None
            side = Side.LOWER if value > 0 else Side.UPPER
            move = move_by_table(game, start, value, plies, tables) if value > 0 else None
            claim = Claim(side, value, plies, Evidence.TABLE, move, table_payload(name))
            key = game.key(start)
            assert findings(game, folder, {key: encode_record(Record.of([claim]))}) == []
            assert findings(game, None, {key: encode_record(Record.of([claim]))}) == ["evidence"]
            sooner = Claim(side, value, plies - 1, Evidence.TABLE, move, table_payload(name))
            assert findings(game, folder, {key: encode_record(Record.of([sooner]))}) == ["table"]
        early = LONG.position(LONG.key(LONG.parse(f"{CHESS.text(position)} plies={plies - 1}")))
        claim = Claim(side, value, plies, Evidence.TABLE, move, table_payload(name))
        assert findings(LONG, folder, {LONG.key(early): encode_record(Record.of([claim]))}) == ["table"]
    assert compared > 20


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_searches_count_plies_through_tables(folder: Path, algorithm: str) -> None:
    """A win that leads into a table: its claims have the plies to the mate as rank, and are checked by both rules."""
    plain = python_tables(CHESS, folder)
    start = CHESS.parse(TAKES_A_KNIGHT)
    plies = plain.plies(CHESS.play(start, CHESS.parse_move(start, "Rxa4")))
    assert plies is not None
    distance = plies + 1
    for name, text in (("chess", TAKES_A_KNIGHT), (f"within:{distance}:chess", f"{TAKES_A_KNIGHT} plies={distance}")):
        if (name, algorithm) == ("chess", "pn-dag"):
            continue  # chess has cycles
        game, rules = open_game(name), open_rules(name)
        known = RecordTable(game)
        known.attach(Tables(game, str(folder)))
        search = Search(game, game.parse(text), 1, algorithm=algorithm, known=known)
        search.run(nodes=200_000)
        assert search.status == "proved", (name, algorithm)
        solution = search.solution()
        solution.attach(Tables(game, str(folder)))
        assert solution.check().failed == 0
        key = game.key(game.parse(text))
        record = solution.get(key)
        assert record is not None
        claims = decode_record(record).claims
        assert min(claim.rank for claim in claims if claim.bound > 0) == distance
        records = {item_key: data for chunk in solution.chunks(1000) for item_key, data in chunk}
        assert findings(rules, folder, records) == []
        data = b"".join(certificate_chunks(rules, rules.position(key), sorted(records.items())))
        assert check_certificate(data, rules, folder).findings == []
        assert not check_certificate(data, rules).valid
        if name != "chess":
            follows = dict(plain_records(CHESS, records.items()))
            assert findings(CHESS, folder, follows) == []


def test_a_rank_that_counts_to_the_table_only_is_refused(folder: Path) -> None:
    """What searches wrote before tables of plies counted: "mate in 1" of a capture."""
    start = CHESS.position(CHESS.key(CHESS.parse(TAKES_A_KNIGHT)))
    plies = [python_tables(CHESS, folder).plies(CHESS.play(start, move)) for move in CHESS.moves(start)]
    [(witness, below)] = [(m, n) for m, n in zip(CHESS.moves(start), plies, strict=True) if n]
    key = CHESS.key(start)
    for rank, rules in ((1, ["child"]), (below, ["child"]), (below + 1, []), (below + 9, [])):
        record = encode_record(Record.of([Claim(Side.LOWER, 1, rank, witness=witness)]))
        assert findings(CHESS, folder, {key: record}) == rules
