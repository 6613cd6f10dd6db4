"""Tables beside records: evidence of claims, the local check in both languages, answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from awari_positions.endgames import endgames

from proofbase.engine._core import RecordTable, Tables, TableWork, open_game
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, table_payload
from proofbase.engine.rules import Awari
from proofbase.engine.tables import PythonTables

STONES = 5
GAME = open_game("awari")
RULES = Awari()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    assert TableWork(GAME, str(directory), STONES).build()
    return directory


def findings(folder: Path | None, records: dict[bytes, bytes]) -> list[tuple[bytes, str]]:
    """What the two checks find, which must be the same."""
    table = RecordTable(GAME)
    table.load(records.items())
    tables = None
    if folder is not None:
        table.attach(Tables(GAME, str(folder)))
        tables = PythonTables(RULES, folder)
    native = [(found.key, found.rule) for found in table.check().findings]
    check = LocalCheck(RULES, tables)
    found = check.findings(sorted(records.items()), lambda keys: [None] * len(keys))
    assert [(entry.key, entry.rule) for entry in found] == native
    return native


def claims_by_table() -> Iterator[tuple[bytes, Claim, Claim]]:
    """Every position of five stones that is not finished, with what its table says."""
    graph, positions = endgames(STONES)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    for key, position in positions.items():
        if sum(position.own) + sum(position.other) != STONES or RULES.terminal(position) is not None:
            continue
        gains = {
            m: RULES.reward(position, m) - worth[RULES.key(RULES.play(position, m))] for m in RULES.moves(position)
        }
        witness = max(gains, key=lambda move: gains[move])
        table = table_payload(RULES.table_entry(position)[0])
        lower = Claim(Side.LOWER, worth[key], 0, Evidence.TABLE, witness, table)
        yield key, lower, Claim(Side.UPPER, worth[key], 0, Evidence.TABLE, payload=table)


def test_claims_by_table_pass_with_their_table_only(folder: Path) -> None:
    records = {key: encode_record(Record.of([lower, upper])) for key, lower, upper in claims_by_table()}
    assert len(records) > 3000
    assert findings(folder, records) == []
    without = findings(None, records)
    assert len(without) == 2 * len(records)
    assert {rule for _, rule in without} == {"evidence"}


def test_changed_claims_by_table_are_found(folder: Path, thorough: bool) -> None:
    tables = PythonTables(RULES, folder)
    for key, lower, upper in Random(3).sample(list(claims_by_table()), 100 if thorough else 40):
        stronger = Claim(
            Side.LOWER, lower.bound + 1, int(lower.bound >= 0), Evidence.TABLE, lower.witness, lower.payload
        )
        assert findings(folder, {key: encode_record(Record.of([stronger]))}) == [(key, "table")]
        other = Claim(Side.UPPER, upper.bound, 0, Evidence.TABLE, payload=table_payload("awari-4"))
        assert findings(folder, {key: encode_record(Record.of([other]))}) == [(key, "table")]
        for claim in (lower, upper):
            later = Claim(claim.side, claim.bound, 5, Evidence.TABLE, claim.witness, claim.payload)
            found = findings(folder, {key: encode_record(Record.of([later]))})
            assert found in ([(key, "table")], [(key, "safety-rank")]), "a table of values says nothing of plies"
        position = RULES.position(key)
        for move in RULES.moves(position):
            claim = Claim(Side.LOWER, lower.bound, 0, Evidence.TABLE, move, lower.payload)
            child = RULES.play(position, move)
            after = RULES.terminal(child)
            after = tables.value(child) if after is None else after
            assert after is not None
            worse = RULES.reward(position, move) - after < lower.bound
            assert findings(folder, {key: encode_record(Record.of([claim]))}) == ([(key, "table")] if worse else [])


def test_children_in_tables_carry_claims_without_records(folder: Path) -> None:
    """Positions of six stones all of whose moves leave five or fewer, or finish the game."""
    tables, checked = PythonTables(RULES, folder), 0
    for entry in range(0, 12_376, 7):
        position = RULES.table_position("awari-6", entry)
        if RULES.terminal(position) is not None:
            continue
        gains = {}
        for move in RULES.moves(position):
            child = RULES.play(position, move)
            after = RULES.terminal(child)
            after = tables.value(child) if after is None else after
            if after is not None:
                gains[move] = RULES.reward(position, move) - after
        if len(gains) < len(RULES.moves(position)):
            continue
        best = max(gains.values())
        witness = next(move for move, gain in gains.items() if gain == best)
        key = RULES.key(position)
        claims = [Claim(Side.LOWER, best, int(best > 0), witness=witness), Claim(Side.UPPER, best, int(best < 0))]
        assert findings(folder, {key: encode_record(Record.of(claims))}) == []
        if best < 6:
            false = [Claim(Side.LOWER, best + 1, int(best >= 0), witness=witness)]
            assert findings(folder, {key: encode_record(Record.of(false))}) == [(key, "child")]
        table = RecordTable(GAME)
        table.put(key, encode_record(Record.of(claims)))
        table.attach(Tables(GAME, str(folder)))
        assert table.missing() == []
        checked += 1
    assert checked > 20


def test_the_checker_reads_tables_by_itself(folder: Path, tmp_path: Path) -> None:
    for key, lower, upper in Random(5).sample(list(claims_by_table()), 40):
        for bound, valid in ((lower.bound, True), (lower.bound + 1, False)):
            if valid:
                claims = [lower, upper]
            else:
                claims = [Claim(Side.LOWER, bound, int(bound > 0), Evidence.TABLE, lower.witness, lower.payload)]
            data = b"".join(certificate_chunks(RULES, RULES.position(key), [(key, encode_record(Record.of(claims)))]))
            assert check_certificate(data, RULES, folder).valid is valid
            assert not check_certificate(data, RULES).valid
            assert not check_certificate(data, RULES, tmp_path).valid
        later = [Claim(Side.LOWER, lower.bound, 5, Evidence.TABLE, lower.witness, lower.payload)]
        data = b"".join(certificate_chunks(RULES, RULES.position(key), [(key, encode_record(Record.of(later)))]))
        assert not check_certificate(data, RULES, folder).valid


def test_answers_come_from_tables(folder: Path) -> None:
    table = RecordTable(GAME)
    table.attach(Tables(GAME, str(folder)))
    for key, lower, _ in Random(4).sample(list(claims_by_table()), 100):
        states, lowers, uppers, *_ = table.answers(key)
        assert states[0] == 1 + 2 + 32
        assert lowers == uppers == lower.bound.to_bytes(4, "little", signed=True)


def test_an_exact_record_comes_before_a_table_and_an_open_one_after_it(folder: Path) -> None:
    table = RecordTable(GAME)
    table.attach(Tables(GAME, str(folder)))
    for key, lower, upper in Random(6).sample(list(claims_by_table()), 100):
        value, limit = lower.bound, GAME.limit(GAME.position(key))
        low, up = Claim(Side.LOWER, value, 7, witness=lower.witness), Claim(upper.side, value, 4)
        exact = [claim for claim, limited in ((low, value > -limit), (up, value < limit)) if limited]
        table.put(key, encode_record(Record.of(exact)))
        states, lowers, uppers, lower_ranks, upper_ranks = table.answers(key)
        assert states[0] == 1 + 2 + 8
        assert lowers == uppers == value.to_bytes(4, "little", signed=True)
        ranks = {claim.side: claim.rank for claim in exact}
        assert lower_ranks[0] == ranks.get(Side.LOWER, 0) and upper_ranks[0] == ranks.get(upper.side, 0)
        table.remove([key])
        if len(exact) == 2:
            table.put(key, encode_record(Record.of(exact[:1])))
            assert table.answers(key)[0][0] == 1 + 2 + 8 + 32, "the record is open: the value is the table's"
            assert table.answers(key)[3] == table.answers(key)[4] == bytes(4)


def test_tables_of_another_game_are_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="another game"):
        RecordTable(open_game("tic-tac-toe")).attach(Tables(GAME, str(folder)))
