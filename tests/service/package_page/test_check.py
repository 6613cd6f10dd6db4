"""The check in JavaScript against that in Python: records as they are stored, and changed ones."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from looking import Looked, OpenPage
from range_server import FileServer
from threat_claims import VARIANTS, changed_threats, game_of, random_example, upper_claim
from unoffered_evidence import PAGE_GAMES, plain_and_unoffered

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable
from proofbase.engine.checking import checker
from proofbase.engine.errors import MalformedRecordError
from proofbase.engine.records import Record, decode_record, encode_record, pairing_payload
from proofbase.engine.rules import Game
from proofbase.storage import open_store

sys.path.append(str(Path(__file__).parents[2] / "engine" / "checks"))
from certificate_mutants import SUBJECTS, items_of, record_changed

CHECK = """async ([game, records, asked]) => {
  const { modules } = await import("/page.js");
  const { openRules } = modules["page-rules.js"], { fromHex } = modules["page-bytes.js"];
  const { readRecord } = modules["page-records.js"], { checkRecord } = modules["page-check.js"];
  const rules = openRules(game), values = new Map();
  const claims = new Map(records.map(([key, record]) => [key, readRecord(fromHex(record))]));
  return asked.map(([key, record]) => {
    const start = performance.now();
    let found = "refused";
    try {
      const states = checkRecord(rules, key, readRecord(fromHex(record)), { claims, values }).map(({ state }) => state);
      found = ["broken", "unchecked"].find((state) => states.includes(state)) ?? "holds";
    } catch { }
    return [found, performance.now() - start];
  });
}"""
Items = dict[bytes, bytes]


def by_python(game: Game[Any], key: bytes, data: bytes, claims: dict[bytes, list[checker.Claim]]) -> str:
    """What the checker in Python says: the record is refused, broken, or holds."""
    try:
        record = Record(tuple(claim.with_source(None) for claim in decode_record(data).claims))
        read = checker.read_record(encode_record(record))
    except (MalformedRecordError, ValueError):
        return "refused"
    return "broken" if any(checker.check_record(game, key, read, claims)) else "holds"


def compared(page: Looked, game: Game[Any], records: Items, asked: list[tuple[bytes, bytes]]) -> Counter[str]:
    """Checks records in the browser and in Python, and counts what was found; both find the same."""
    hexed = [[key.hex(), data.hex()] for key, data in records.items()]
    found = page.page.evaluate(CHECK, [game.name, hexed, [[key.hex(), data.hex()] for key, data in asked]])
    claims = {key: checker.read_record(data) for key, data in records.items()}
    counts = Counter[str]()
    for (key, data), (state, milliseconds) in zip(asked, found, strict=True):
        wanted = by_python(game, key, data, claims)
        allowed = {wanted, "unchecked"} if state == "unchecked" else {wanted}
        assert state in allowed, (game.name, key.hex(), data.hex(), state, wanted)
        counts[state] += 1
        counts["slowest"] = max(counts["slowest"], int(milliseconds))
    return counts


def without_sources(data: bytes) -> bytes:
    return encode_record(Record(tuple(claim.with_source(None) for claim in decode_record(data).claims)))


@pytest.fixture
def page(open_page: OpenPage, served: FileServer) -> Looked:
    looked = open_page(served.url)
    looked.go("/")
    return looked


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four:5x4", "gomoku", "awari"])
def test_stored_records_hold(page: Looked, filled: str, game: str) -> None:
    with open_store(filled, read_only=True) as store:
        records = {key: without_sources(data) for key, data in store.scan(game)}
    asked = Random(game).sample(sorted(records.items()), min(60, len(records)))
    counts = compared(page, open_rules(game), records, asked)
    assert counts["holds"] == len(asked) > 30 and counts["slowest"] < 1000


CHANGED = (
    "tic-tac-toe",
    "forcing lines",
    "connect-four",
    "connect-four with scores",
    "strategies",
    "strategies on nine cells",
    "pairings",
    "gomoku",
    "awari",
)


@pytest.mark.slow("1400")
@pytest.mark.parametrize("number", [60, 1400])
def test_changed_records_are_refused_or_true(page: Looked, number: int) -> None:
    """10,000 with `--all`, those of the next test included. The changed record stands among those that hold."""
    total = Counter[str]()
    for name in CHANGED:
        subject, random = SUBJECTS[name](), Random(f"{name} {number}")
        records = dict(items_of(subject.data))
        asked = []
        for _ in range(number):
            key = random.choice(sorted(records))
            data = bytearray(record_changed(records[key], random))
            if data and random.random() < 0.2:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            asked.append((key, bytes(data)))
        total += compared(page, subject.game, records, asked)
    assert total["holds"] > number // 4 and total["broken"] > number and total["refused"] > number
    assert total["unchecked"] < number  # tables that are not there


@pytest.mark.parametrize("name", ["qubic", "gomoku:5x5", "gomoku:7x7-6,standard"])
def test_pairings_hold_and_fail_without_a_pair(page: Looked, name: str) -> None:
    game, native, random = open_rules(name), open_game(name), Random(name)
    table, asked = RecordTable(native), list[tuple[bytes, bytes]]()
    while len(asked) < 12:
        position = native.initial()
        for _ in range(random.randrange(32, 48) if name == "qubic" else random.randrange(8)):
            if native.terminal(position) is None:
                position = native.play(position, random.choice(native.moves(position)))
        key = native.key(position)
        record = table.by_pairing(key, random.randrange(2)) if native.terminal(position) is None else None
        if record is not None:
            (claim,) = decode_record(record).claims
            fewer = replace(claim, payload=pairing_payload((claim.pairing or ())[1:]))
            asked += [(key, record), (key, encode_record(Record.of([fewer])))]
    counts = compared(page, game, dict(asked), asked)
    assert counts["holds"] >= 6 and counts["holds"] + counts["broken"] == len(asked)


@pytest.mark.parametrize("name", PAGE_GAMES)
def test_evidence_that_the_game_does_not_offer_is_refused(page: Looked, name: str) -> None:
    """As by the other readers, also where the claim is true."""
    game = open_rules(name)
    plain, unoffered = (
        [(game.key(at), data) for at, data in found] for found in plain_and_unoffered(game, Random(name))
    )
    assert compared(page, game, {}, plain)["holds"] == len(plain) > 0
    assert compared(page, game, {}, unoffered)["broken"] == len(unoffered) > 0


@pytest.mark.slow("200")
@pytest.mark.parametrize("number", [4, 200])
def test_changed_threat_trees_are_refused_or_true(page: Looked, number: int) -> None:
    total = Counter[str]()
    for name in VARIANTS:
        game, random = game_of(name), Random(f"{name} {number}")
        for _ in range(max(1, number // 40)):
            example = random_example(game, random)
            key = game.key(example.position)
            asked = [(key, encode_record(Record.of([example.claim])))]
            for _ in range(number // max(1, number // 40) // 4 or 1):
                threats = changed_threats(example, random)
                asked.append((key, encode_record(Record.of([upper_claim(game, example.position, threats)]))))
            tree = example.threats.passed
            assert tree is not None
            for child_key, data in example.children.items():
                asked.append((child_key, data))
            total += compared(page, game, example.children, asked)
    assert total["holds"] >= len(VARIANTS) and total["unchecked"] == 0
