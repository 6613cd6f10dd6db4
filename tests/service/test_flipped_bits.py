"""A changed bit of a stored record is noticed by everything that reads the record."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from damage_records import flip_bits, remove_record, replace_with_checksum
from flipped_bits import damage_and_read, solve_games
from services import MakeService, Service, fill_tic_tac_toe

from proofbase.engine.checking.checker import read_certificate
from proofbase.engine.games import open_game
from proofbase.service.client import SolveResult, VerificationResult
from proofbase.storage import (
    Claim,
    MalformedRecordError,
    Record,
    Side,
    decode_stored,
    encode_record,
    open_store,
    without_sources,
)

GAME = "tic-tac-toe"


@pytest.fixture(params=["lmdb", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store of each kind that has checksums is."""
    if request.param == "lmdb":
        return str(tmp_path / "store")
    database: str = request.getfixturevalue("migrated_database")
    return database


@pytest.fixture
def filled(url: str, make_service: MakeService) -> Service:
    """A service that knows all of tic-tac-toe, on such a store."""
    service = make_service(url)
    fill_tic_tac_toe(service.store)
    return service


def keys_of(service: Service) -> list[bytes]:
    return [key for key, _ in service.store.scan(GAME)]


def wait_for_copy(service: Service) -> None:
    """Until the records of the game are in memory."""
    end = time.monotonic() + 30
    while not service.app.resources.cache.cached(GAME):
        assert time.monotonic() < end
        time.sleep(0.01)


def findings(service: Service, **options: object) -> dict[str, list[bytes]]:
    """The keys of a verification's findings, by rule."""
    result = service.client.verify(GAME, **options).result  # type: ignore[arg-type]
    assert isinstance(result, VerificationResult)
    found: dict[str, list[bytes]] = {}
    for finding in result.findings:
        found.setdefault(finding.rule, []).append(finding.key)
    return found


def test_no_record_with_a_changed_bit_is_served_and_all_are_found(url: str) -> None:
    solve_games(url, [GAME, "connect-four:4x4"])
    outcome = damage_and_read(url, 60, seed=20261122)
    assert outcome.damaged == 60
    assert (outcome.served, outcome.changed, outcome.missed) == ([], [], [])


def test_a_batch_names_its_damaged_records_and_answers_the_others(filled: Service) -> None:
    keys = keys_of(filled)
    before = filled.client.batch_lookup_keys(GAME, keys)
    wait_for_copy(filled)  # one that is still being made would be of the records before the damage
    flip_bits(filled.store, filled.store.url, [(GAME, keys[7])], random.Random(1))
    filled.app.resources.cache._copies.clear()
    for _ in range(2):  # from the store, and from the copy that is made meanwhile
        after = filled.client.batch_lookup_keys(GAME, keys)
        assert [after.damaged(index) for index in range(len(keys))] == [index == 7 for index in range(len(keys))]
        assert [after.value(index) for index in range(len(keys)) if index != 7] == [
            before.value(index) for index in range(len(keys)) if index != 7
        ]
        assert filled.app.resources.cache.records(GAME) is not None
    game = open_game(GAME)
    items = filled.client.batch_lookup(GAME, [game.text(game.position(key)) for key in keys[6:9]])
    assert [item.status for item in items] == ["stored", "invalid", "stored"]
    assert items[1].reason == "MALFORMED_STORED_RECORD" and keys[7].hex() in (items[1].message or "")


def test_a_solve_proves_a_damaged_record_anew(filled: Service) -> None:
    game = open_game(GAME)
    root = game.key(game.initial())
    before = without_sources(filled.store.get_many(GAME, [root])[0] or b"")
    flip_bits(filled.store, filled.store.url, [(GAME, root)], random.Random(2))
    with pytest.raises(MalformedRecordError):
        filled.client.lookup(GAME)
    job = filled.client.solve(GAME)
    assert isinstance(job.result, SolveResult) and job.result.status == "exact" and job.result.value.lower == 0
    found = filled.client.lookup(GAME)
    assert found.value.exact and found.stored
    assert decode_stored(GAME, root, before).value(1) == 0
    assert [key for key, _, _ in filled.store.quarantined(GAME)] == [root]
    assert findings(filled) == {}
    assert filled.store.fingerprint(GAME) is not None, "the verification has counted anew"


def test_an_import_replaces_damaged_records(filled: Service) -> None:
    certificate = b"".join(filled.client.export(GAME, "-"))
    fingerprint, chance = filled.store.fingerprint(GAME), random.Random(3)
    brought = set(read_certificate(certificate)[2])
    others = chance.sample([key for key in keys_of(filled) if key not in brought], 200)
    flip_bits(filled.store, filled.store.url, [(GAME, key) for key in (*sorted(brought), *others)], chance)
    result = filled.client.import_([certificate])
    assert (result.improved, result.added) == (len(brought), 0) and brought
    # Damaged records that the certificate does not need stay damaged.
    assert sorted(findings(filled).get("damaged", [])) == sorted(others)
    assert filled.client.lookup(GAME).value.exact
    assert filled.store.count(GAME) == 627
    assert fingerprint is not None and filled.store.fingerprint(GAME) is None


@pytest.mark.parametrize("rules", ["native", "python"])
def test_quarantine_takes_damaged_records_out_of_use(filled: Service, rules: str) -> None:
    keys, chance = keys_of(filled), random.Random(4)
    doomed = sorted(chance.sample(keys, 5))
    flip_bits(filled.store, filled.store.url, [(GAME, key) for key in doomed], chance)
    assert sorted(findings(filled, rules=rules, quarantine=True)["damaged"]) == doomed
    assert findings(filled, rules=rules) == {}
    assert set(doomed) <= {key for key, _, _ in filled.store.quarantined(GAME)}
    assert filled.store.fingerprint(GAME) == filled.store.audit(GAME).fingerprint
    assert all(state & 64 == 0 for state in filled.client.batch_lookup_keys(GAME, keys).states)


@pytest.mark.parametrize("rules", ["native", "python"])
def test_verify_finds_a_lost_record(filled: Service, rules: str) -> None:
    """The initial position: no other record rests on it, so that what is left is true."""
    game = open_game(GAME)
    remove_record(filled.store, filled.store.url, GAME, game.key(game.initial()))
    result = filled.client.verify(GAME, rules=rules).result  # type: ignore[arg-type]
    assert isinstance(result, VerificationResult)
    assert [(finding.rule, finding.detail) for finding in result.findings] == [
        ("count", "the store counts 627 records and holds 626: 1 lost")
    ]
    assert result.failed == 1
    assert list(findings(filled, quarantine=True)) == ["count"]
    assert findings(filled) == {}
    assert filled.store.count(GAME) == 626


def test_verify_finds_a_true_record_that_was_not_written(filled: Service) -> None:
    game = open_game(GAME)
    root = game.key(game.initial())
    (record,) = filled.store.get_many(GAME, [root])
    weaker = Record(decode_stored(GAME, root, record or b"").claims[:1]).with_source(None)
    replace_with_checksum(filled.store, filled.store.url, GAME, root, encode_record(weaker))
    assert list(findings(filled)) == ["fingerprint"]
    assert list(findings(filled, quarantine=True)) == ["fingerprint"]
    assert findings(filled) == {}


def test_statistics_show_the_fingerprint(filled: Service, tmp_path: Path) -> None:
    (entry,) = filled.client.statistics().games
    assert entry.fingerprint == f"{filled.store.fingerprint(GAME):016x}"
    with open_store(str(tmp_path / "copy")) as copy:
        items = [(key, without_sources(record)) for key, record in filled.store.scan(GAME)]
        copy.put_many(GAME, reversed(items), source="another", rules_version=1)
        assert copy.fingerprint(GAME) == filled.store.fingerprint(GAME)
    flip_bits(filled.store, filled.store.url, [(GAME, keys_of(filled)[0])], random.Random(5))
    filled.client.verify(GAME, sample=10, quarantine=True)
    filled.store.quarantine(GAME, [items[0][0]], "damaged")
    assert filled.client.statistics().games[0].fingerprint is None


def test_bounds_that_a_value_cannot_have_are_refused(make_service: MakeService) -> None:
    service = make_service("memory:")
    game = open_game("awari")
    key = game.key(game.initial())
    record = encode_record(Record.of([Claim(Side.LOWER, 60, 3, witness=0)]))
    service.store.put_many("awari", [(key, record)], source="s", rules_version=game.rules_version)
    for read in (lambda: service.client.lookup("awari", key), lambda: service.client.line("awari", key)):
        with pytest.raises(MalformedRecordError, match=r"outside of the values -48 to 48"):
            read()
    for _ in range(2):
        answers = service.client.batch_lookup_keys("awari", [key])
        assert answers.damaged(0) and answers.value(0).upper == 48 and not answers.value(0).exact
        assert service.app.resources.cache.records("awari") is not None
