"""Every way to ask for a position gives the same answer: the order of rules, record and table is the same on all ways.

The ways: single lookups, batches of texts, of keys and of packed keys, streams; from the store, from the copy of the
records in memory, and from a copy that was made anew; by the native rules and by those in plain Python; in this
process and over gRPC; with tables and without.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from struct import unpack
from typing import Any, NamedTuple

import pytest
from services import serving

from proofbase.engine._core import Tables, TableWork
from proofbase.engine.errors import InvalidKeyError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.service.answers import Claim as ClaimAnswer
from proofbase.service.answers import PositionAnswer
from proofbase.service.answers.batches import (
    INVALID,
    LOWER_KNOWN,
    STORED,
    TABLED,
    TERMINAL,
    UPPER_KNOWN,
    BatchItem,
    PackedAnswers,
)
from proofbase.service.application import Application
from proofbase.service.client import Client, Limits, connect
from proofbase.service.client.local import LocalClient
from proofbase.storage import Claim, Record, Side, SolutionStore, encode_record, open_store

AWARI: Any = open_game("awari")
BOTH = LOWER_KNOWN | UPPER_KNOWN


class Row(NamedTuple):
    """An answer as packed batches have it."""

    state: int
    lower: int
    upper: int
    lower_rank: int
    upper_rank: int


@dataclass
class Ways:
    """Services on one store that answer in different ways, each with its clients."""

    store: SolutionStore
    apps: dict[str, Application]
    clients: dict[str, list[Client]]
    states: set[int] = field(default_factory=set)
    """All states that have been seen."""
    tables_of_values: set[str] = field(default_factory=set)
    """Games that have tables now, without plies to the end."""

    def check(self, game_name: str, keys: Sequence[bytes], singles: int = 16) -> dict[bytes, Row]:
        """Asks for the keys in every way and compares all fields of the answers. Returns the answers."""
        game = open_game(game_name)
        packed = b"".join(keys)
        assert self.apps["copy"].resources.cache.records(game_name) is not None
        assert self.apps["copy"].resources.cache.answers(game_name, packed) is not None, "the copy answers"
        for name in ("store", "python"):
            assert self.apps[name].resources.cache.answers(game_name, packed) is None, "the store answers"
        expected = rows(self.clients["copy"][0].batch_lookup_packed(game_name, packed))
        self.states |= {row.state for row in expected}
        chosen = Random(len(keys)).sample(range(len(keys)), min(singles, len(keys)))
        for name, clients in self.clients.items():
            for client in clients:
                if name != "python":  # the rules in Python do not say how long keys are
                    assert rows(client.batch_lookup_packed(game_name, packed)) == expected, name
                assert rows(client.batch_lookup_keys(game_name, keys)) == expected, name
                (streamed,) = client.stream_lookup(game_name, [keys])
                assert isinstance(streamed, PackedAnswers)
                assert rows(streamed) == expected, name
        for index in chosen:
            self._check_single(game_name, game, keys[index], expected[index])
        return dict(zip(keys, expected, strict=True))

    def _check_single(self, game_name: str, game: Any, key: bytes, row: Row) -> None:
        clients = [client for clients in self.clients.values() for client in clients]
        if row.state & INVALID:
            for client in clients:
                with pytest.raises(InvalidKeyError):
                    client.lookup(game_name, key)
            return
        text = game.text(game.position(key))
        first, *others = [client.lookup(game_name, key) for client in clients]
        assert row_of(first, above_tables=game_name in self.tables_of_values) == row
        for answer in others:
            assert answer == first
        for client in clients:
            assert client.lookup(game_name, text) == first
            (item,) = client.batch_lookup(game_name, [text])
            assert item == item_of(first)
            (streamed,) = client.stream_lookup(game_name, [[text]])
            assert streamed == [item]


def rows(answers: PackedAnswers) -> list[Row]:
    numbers = [
        unpack(f"<{len(answers)}{code}", column)
        for code, column in zip(
            "iiII", (answers.lowers, answers.uppers, answers.lower_ranks, answers.upper_ranks), strict=True
        )
    ]
    return [Row(*row) for row in zip(answers.states, *numbers, strict=True)]


def row_of(answer: PositionAnswer, *, above_tables: bool) -> Row:
    """What a packed batch has to say where a single lookup says this.

    Args:
        answer: of the lookup.
        above_tables: progress claims by children may count the plies to a table of values, so the lookup has no rank.
    """
    value = answer.value
    tabled = bool(answer.claims) and answer.claims[0].evidence == "table" and not answer.sources
    state = (
        (LOWER_KNOWN if value.lower_known else 0)
        | (UPPER_KNOWN if value.upper_known else 0)
        | (STORED if answer.stored else 0)
        | (TERMINAL if answer.terminal else 0)
        | (TABLED if tabled else 0)
    )
    ranks = {(claim.side, claim.bound): claim.rank or 0 for claim in answer.claims}
    row = Row(
        state, value.lower, value.upper, ranks.get(("lower", value.lower), 0), ranks.get(("upper", value.upper), 0)
    )
    known = [("lower", value.lower)] * value.lower_known + [("upper", value.upper)] * value.upper_known
    by_table = any((claim.side, claim.bound) in known and claim.evidence == "table" for claim in answer.claims)
    by_children = above_tables and any(
        (claim.side, claim.bound) in known
        and claim.evidence == "children"
        and claim.rank
        and not ends_game(answer, claim)
        for claim in answer.claims
    )
    without_rank = by_table or by_children or not answer.value.anything_known
    assert answer.rank == (None if without_rank else max(row.lower_rank, row.upper_rank))
    return row


def ends_game(answer: PositionAnswer, claim: ClaimAnswer) -> bool:
    """Whether the game is over after the witness of a lower claim, and after every move of an upper one."""
    moves = [move for move in answer.moves if claim.side == "upper" or move.move == claim.witness]
    return claim.rank == 1 and all(move.terminal for move in moves)


def item_of(answer: PositionAnswer) -> BatchItem:
    """What a batch of texts has to say where a single lookup says this: its witness is that of the strongest claim."""
    known = answer.stored or answer.terminal or bool(answer.claims)
    witness = next((c.witness for c in answer.claims if c.side == "lower" and c.bound == answer.value.lower), None)
    return BatchItem("stored" if known else "unknown", answer.key, answer.value, answer.rank, witness)


@pytest.fixture
def ways(directory: Path) -> Iterator[Ways]:
    with all_ways(open_store(str(directory))) as found:
        yield found


@contextmanager
def all_ways(store: SolutionStore) -> Iterator[Ways]:
    with ExitStack() as stack:
        apps = {
            "copy": Application(store),
            "store": Application(store, Limits(cache_bytes=1)),
            "python": Application(store, rules="python"),
        }
        clients: dict[str, list[Client]] = {}
        for name, app in apps.items():
            stack.callback(app.close)
            remote = stack.enter_context(connect(stack.enter_context(serving(app))))
            clients[name] = [LocalClient(app, name), remote]
        yield Ways(store, apps, clients)


def awari_keys(tables: Tables) -> list[bytes]:
    """Keys of all positions of up to 3 stones, of some of 4, and bytes that are no key."""
    keys = {
        AWARI.key(tables.position(stones, entry)) for stones in range(4) for entry in range((1, 12, 78, 364)[stones])
    }
    keys |= {AWARI.key(tables.position(4, entry)) for entry in range(0, 1365, 20)}
    return [*sorted(keys), b"\xff" * AWARI.key_size, b"\x01" * AWARI.key_size]


@pytest.mark.slow
def test_rules_records_and_tables_of_awari(ways: Ways, directory: Path, tmp_path: Path) -> None:
    assert TableWork(AWARI, str(tmp_path / "other"), 4).build()
    elsewhere = Tables(AWARI, str(tmp_path / "other"))
    keys = awari_keys(elsewhere)
    solved = [key for key in keys[100:-2] if AWARI.terminal(AWARI.position(key)) is None][::40][:4]
    for key in solved:
        ways.clients["copy"][0].solve("awari", AWARI.text(AWARI.position(key)))
    halves = [key for key in keys[120:-2] if half_known(ways.store, elsewhere, key)][:20]
    without = ways.check("awari", keys)
    assert all(without[key].state == BOTH | STORED for key in solved)
    assert all(without[key].state in (LOWER_KNOWN | STORED, UPPER_KNOWN | STORED) for key in halves)

    assert TableWork(AWARI, str(directory / "tables"), 3).build()
    ways.tables_of_values.add("awari")
    with_tables = ways.check("awari", keys)
    for key in keys:
        before, after = without[key], with_tables[key]
        if before.lower == before.upper or before.state & INVALID:
            assert after == before, "what rules or records know exactly stays as it was, with its ranks"
        elif AWARI.limit(AWARI.position(key)) <= 3:
            value = elsewhere.value(AWARI.position(key))
            assert value is not None
            assert after == Row(before.state | BOTH | TABLED, value, value, 0, 0)
        else:
            assert after == before, "no table has the position"
    assert max(with_tables[key].lower_rank + with_tables[key].upper_rank for key in solved) > 0
    assert ways.states >= {
        0,
        BOTH | STORED,
        BOTH | TABLED,
        BOTH | STORED | TABLED,
        BOTH | TERMINAL,
        LOWER_KNOWN | STORED,
        UPPER_KNOWN | STORED,
        INVALID,
    }

    # A copy that is out of date: something was written by others, or a service has moved records away.
    ways.store.quarantine("awari", solved[:2], "a test")
    again = ways.check("awari", keys)
    assert all(again[key].state == BOTH | TABLED for key in solved[:2] if AWARI.limit(AWARI.position(key)) <= 3)
    ways.apps["copy"].resources.writer.quarantine("awari", lambda: {solved[2]: None}, "a test")
    assert not ways.check("awari", keys)[solved[2]].state & STORED
    shutil.rmtree(directory / "tables")
    ways.tables_of_values.clear()
    assert not any(row.state & TABLED for row in ways.check("awari", keys).values())


def test_the_fewer_plies_of_record_and_table(ways: Ways, directory: Path) -> None:
    """Records with more plies than the table says, and with as many: these come before the table."""
    giveaway: Any = open_game("giveaway")
    assert TableWork(giveaway, str(directory / "tables"), 2).build()
    tables, random, plies_of = Tables(giveaway, str(directory / "tables")), Random(5), dict[bytes, int]()
    for table in tables.entries():
        for entry in random.sample(range(table.entries), min(table.entries, 40)):
            position = tables.position(table.table_class, entry)
            plies = None if position is None else tables.plies(position)
            if plies is not None and plies > 2:
                plies_of[giveaway.key(position)] = plies
    keys = sorted(random.sample(sorted(plies_of), 60))
    records, ranks = list[tuple[bytes, bytes]](), dict[bytes, int]()
    for number, key in enumerate(keys):
        position = giveaway.position(key)
        rank = ranks[key] = plies_of[key] + (3, 0)[number % 2]
        witness = giveaway.moves(position)[0]
        won = Claim(Side.LOWER, 1, rank, witness=witness)
        claim = won if tables.value(position) == 1 else Claim(Side.UPPER, -1, rank)
        records.append((key, encode_record(Record.of([claim]))))
    ways.store.put_many("giveaway", records, source="a test", rules_version=giveaway.rules_version)
    assert ways.apps["copy"].resources.cache.records("giveaway") is not None
    for name, clients in ways.clients.items():
        for client in clients:
            packed = b"".join(keys)
            answers = [rows(client.batch_lookup_keys("giveaway", keys))]
            answers += [] if name == "python" else [rows(client.batch_lookup_packed("giveaway", packed))]
            items = client.batch_lookup("giveaway", [giveaway.text(giveaway.position(key)) for key in keys])
            for number, key in enumerate(keys):
                position, plies = giveaway.position(key), plies_of[key]
                won = tables.value(position) == 1
                by_table = TABLED if ranks[key] > plies else 0
                row = Row(BOTH | STORED | by_table, *((1, 1, plies, 0) if won else (-1, -1, 0, plies)))
                assert all(answer[number] == row for answer in answers), name
                assert items[number].rank == plies
                if number % 6:
                    continue
                single = client.lookup("giveaway", key)
                assert single.rank == plies and single.claims[0].evidence == ("table" if by_table else "children")
                for move in single.moves:
                    after = giveaway.play(position, move.number)
                    if not move.terminal and tables.value(after):
                        assert move.rank == (tables.plies(after) or 0) + 1
                assert len(client.line("giveaway", key).steps) == plies
    (table,) = [answers.to_arrow() for answers in [ways.clients["copy"][0].batch_lookup_packed("giveaway", keys[0])]]
    assert max(table["lower_rank"][0].as_py() or 0, table["upper_rank"][0].as_py() or 0) == plies_of[keys[0]]


def half_known(store: SolutionStore, tables: Tables, key: bytes) -> bool:
    """Stores one true bound of a position that has no record. Returns whether that leaves the value open."""
    position = AWARI.position(key)
    value, limit = tables.value(position), AWARI.limit(position)
    if AWARI.terminal(position) is not None or value is None or store.get("awari", key) is not None:
        return False
    lower = key[-1] % 2 == 0
    if not (-limit < value if lower else value < limit) or (value == limit if lower else value == -limit):
        return False
    claim = Claim(Side.LOWER, value, 7, witness=AWARI.moves(position)[0]) if lower else Claim(Side.UPPER, value, 7)
    record = encode_record(Record.of([claim]))
    store.put_many("awari", [(key, record)], source="a test", rules_version=AWARI.rules_version)
    return True


def test_rules_and_records_of_a_game_of_win_draw_and_loss(ways: Ways) -> None:
    game: Any = open_game("connect-four:4x4")
    random, keys = Random(1), set[bytes]()
    while len(keys) < 400:
        position = game.initial()
        for _ in range(random.randrange(17)):
            if game.terminal(position) is not None:
                break
            position = game.play(position, random.choice(game.moves(position)))
        keys.add(game.key(position))
    client = ways.clients["copy"][0]
    client.solve(game.name, "12", at_least=1)
    client.solve(game.name, "23", at_least=0)
    some = [*sorted(keys), b"\xff" * game.key_size, game.key(read_position(game, "12"))]
    ways.check(game.name, some, 24)
    client.solve(game.name)  # the service adds its own writes to the copy
    known = ways.check(game.name, some, 24)
    assert known[some[-1]].state & STORED
    assert ways.states >= {0, BOTH | STORED, BOTH | TERMINAL, UPPER_KNOWN | STORED, INVALID}


@pytest.mark.slow
def test_a_damaged_table_has_one_answer_in_every_way(ways: Ways, directory: Path, tmp_path: Path) -> None:
    """Its positions are answered by their records, those of other tables as before; repaired, it answers again."""
    whole = tmp_path / "whole"
    assert TableWork(AWARI, str(whole), 4).build()
    shutil.copytree(whole, directory / "tables", ignore=shutil.ignore_patterns("awari-4.table"))
    keys = awari_keys(Tables(AWARI, str(whole)))
    ways.clients["copy"][0].solve("awari", "0,0,0,0,2,1/0,2,1,0,1,0/S")
    before = ways.check("awari", keys)
    path = directory / "tables" / "awari-3.table"
    for damaged in (path.read_bytes()[:-100], flipped(path.read_bytes(), -100), flipped(path.read_bytes(), 20), b""):
        path.write_bytes(damaged)  # in place: the directory does not change
        after = ways.check("awari", keys)
        for key, row in before.items():
            of_three = not row.state & INVALID and AWARI.limit(AWARI.position(key)) == 3
            if of_three and row.state & TABLED and row.state & STORED:
                assert after[key].state & (STORED | TABLED) == STORED, "the bound of the record is left"
            elif of_three and row.state & TABLED:
                assert after[key] == Row(0, -3, 3, 0, 0)
            else:
                assert after[key] == row
        path.write_bytes((whole / path.name).read_bytes())
        assert ways.check("awari", keys) == before


def flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def test_an_import_and_the_writes_of_another_process_are_seen_in_every_way(directory: Path, tmp_path: Path) -> None:
    """The store is open for reading here, while other processes import and build tables."""
    text = "0,0,0,1,0,1/0,2,0,0,1,0/S"
    certificate = tmp_path / "solution"
    with connect(str(tmp_path / "elsewhere")) as client:
        client.solve("awari", text)
        client.export_to(certificate, "awari", text)
    proofbase = [sys.executable, "-m", "proofbase"]
    run = lambda *arguments: subprocess.run([*proofbase, *map(str, arguments)], check=True, capture_output=True)  # noqa: E731
    with connect(str(directory)) as client:
        client.solve("awari", "0,0,0,0,0,1/0,1,0,0,1,0/S")
    assert TableWork(AWARI, str(tmp_path / "tables"), 4).build()
    keys = awari_keys(Tables(AWARI, str(tmp_path / "tables")))
    keys.append(AWARI.key(AWARI.parse(text)))
    with all_ways(open_store(str(directory), read_only=True)) as ways:
        assert not ways.check("awari", keys)[keys[-1]].state & STORED
        run("import", certificate, "--store", directory)
        assert ways.check("awari", keys)[keys[-1]].state == BOTH | STORED
        run("tables", "build", "awari", "--stones", 4, "--store", directory)
        ways.tables_of_values.add("awari")
        with_tables = ways.check("awari", keys)
        assert sum(row.state == BOTH | TABLED for row in with_tables.values()) > 50
        assert with_tables[keys[-1]].state == BOTH | STORED
