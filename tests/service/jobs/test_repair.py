"""Claims whose support is missing: proved anew by a repair, or set aside by the admin."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from damage_records import flip_bits
from services import MakeService, Service

from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record
from proofbase.service.client import VerificationResult
from proofbase.service.jobs import failing_claims, verification
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.model import Job
from proofbase.service.jobs.record_selection import Chunk, chunks_of
from proofbase.service.jobs.repair import repair
from proofbase.service.jobs.verification import VerificationSpec, VerificationWork
from proofbase.storage import SolutionStore, StoreReadOnlyError

GAMES = [
    "connect-four:4x4",
    "random-graph:nodes=20000,degree=4,span=300,ends=2,group=2000,repetition=1,seed=1",
    "within:9:tic-tac-toe",
]


def verified(service: Service, **asked: bool) -> VerificationResult:
    result = service.client.verify(**asked).result
    assert isinstance(result, VerificationResult)
    return result


def tear_holes(service: Service, game: str) -> list[bytes]:
    """Takes every fourth record away, as if it had never been stored; gives the keys of those that are left."""
    records = [key for key, _ in service.store.scan(open_game(game).name)]
    service.store.quarantine(open_game(game).name, records[1::4], "it was never stored")
    return [key for key in records if key not in set(records[1::4])]


@pytest.mark.parametrize("game", GAMES)
def test_a_repair_proves_what_is_missing(make_service: MakeService, game: str) -> None:
    service = make_service()
    value = service.client.solve(game).result
    kept = tear_holes(service, game)
    before = verified(service)
    assert before.failed > 0 and before.repaired == 0
    added = verified(service, repair=True)
    assert added.quarantined == 0, "alone it only adds"
    assert added.repaired > 0 and added.repaired + added.failed == before.failed
    assert added.failed == verified(service).failed
    found = verified(service, repair=True, quarantine=True)
    assert (found.failed, found.findings) == (0, ()) and found.repaired == added.failed
    assert verified(service).failed == 0
    assert set(kept) <= {key for key, _ in service.store.scan(open_game(game).name)}, "nothing went"
    assert service.client.solve(game).result.value == value.value  # type: ignore[union-attr]


def test_false_claims_are_left_for_the_quarantine(make_service: MakeService) -> None:
    service, game = make_service(), open_game("tic-tac-toe")
    service.client.solve(game.name)
    root = game.key(game.initial())
    child = game.key(game.play(game.initial(), 4))
    service.store.quarantine(game.name, [root, child], "made room")
    false = encode_record(Record.of([Claim(Side.LOWER, 1, 9, witness=4)]))
    service.store.put_many(game.name, [(root, false)], source="a liar", rules_version=game.rules_version)
    found = verified(service, repair=True)
    assert found.failed == 1 and found.findings[0].position == game.text(game.initial())
    found = verified(service, repair=True, quarantine=True)
    assert (found.failed, found.quarantined) == (1, 1)
    assert verified(service).failed == 0


@pytest.mark.parametrize("fits", [True, False])
def test_what_fails_and_what_rests_on_it_goes_in_one_step(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch, fits: bool
) -> None:
    """Also of a game whose records do not fit in memory."""
    service, game = make_service(), open_game("connect-four:4x4")
    service.client.solve(game.name)
    tear_holes(service, game.name)
    if not fits:
        monkeypatch.setattr(failing_claims, "whole_game", lambda *_: None)
    steps = []
    move_aside = service.store.quarantine
    monkeypatch.setattr(
        service.store, "quarantine", lambda *asked, **claims: steps.append(1) or move_aside(*asked, **claims)
    )
    found = verified(service, quarantine=True)
    assert len(steps) == 1 and found.quarantined > found.failed > 0
    assert verified(service).failed == 0


@pytest.mark.parametrize("fits", [True, False])
def test_sound_claims_stay_beside_failing_ones(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch, fits: bool
) -> None:
    """Also where others rest on them."""
    service, game = make_service(), open_game("connect-four:4x4")
    service.client.solve(game.name)
    root = game.key(game.initial())
    sound = service.store.get(game.name, root)
    assert sound is not None
    (lower,) = [claim for claim in sound.claims if claim.side == Side.LOWER]
    false = Claim(Side.LOWER, lower.bound, lower.rank - 1, lower.evidence, lower.witness, lower.payload)
    record = encode_record(Record.of([false, *(claim.with_source(None) for claim in sound.claims if claim != lower)]))
    service.store.quarantine(game.name, [root], "made room")
    service.store.put_many(game.name, [(root, record)], source="a liar", rules_version=game.rules_version)
    if not fits:
        monkeypatch.setattr(failing_claims, "whole_game", lambda *_: None)
    before = service.store.count(game.name)
    found = verified(service, quarantine=True)
    assert (found.failed, found.quarantined) == (1, 1) and service.store.count(game.name) == before
    left = service.store.get(game.name, root)
    assert left is not None and {claim.side for claim in left.claims} == {Side.UPPER}
    (aside,) = [data for key, data, _ in service.store.quarantined(game.name) if key == root]
    assert [claim.with_source(None) for claim in decode_record(aside).claims] == [false]
    assert verified(service).failed == 0
    answer = service.client.lookup(game.name)
    assert (answer.value.upper, answer.value.lower_known) == (lower.bound, False), "the copy in memory has it, too"


def test_a_sample_that_fails_moves_what_is_damaged_elsewhere(make_service: MakeService, directory: Path) -> None:
    service, game = make_service(str(directory)), open_game("connect-four:4x4")
    service.client.solve(game.name)
    keys = [key for key, _ in service.store.scan(game.name)]
    damaged = keys[len(keys) // 2]
    flip_bits(service.store, service.store.url, [(game.name, damaged)], random.Random(1))
    root = game.key(game.initial())
    service.store.quarantine(game.name, [root], "made room")
    false = encode_record(Record.of([Claim(Side.LOWER, 1, 1, witness=0)]))
    service.store.put_many(game.name, [(root, false)], source="a liar", rules_version=game.rules_version)
    found = service.client.verify(game.name, position="-", quarantine=True).result
    assert isinstance(found, VerificationResult) and found.failed >= 1
    assert damaged in {key for key, _, _ in service.store.quarantined(game.name)}
    assert verified(service).failed == 0


class _Chunks:
    """The records of a store in chunks of seven; asks the work to stop after some of those that come after a repair."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.control: JobControl | None = None
        self.repaired = False

    def repair(self, *asked: Any, **options: Any) -> int:
        replaced = repair(*asked, **options)
        self.repaired = True
        return replaced

    def __call__(self, store: SolutionStore, game: str, keys: list[bytes] | None, *rest: Any) -> Iterator[Chunk]:
        for chunk in chunks_of(store, game, keys, rest[0], 7):
            yield chunk
            self.left -= self.repaired
            if self.repaired and self.left == 0 and self.control is not None:
                self.control.request_stop("pause")


@pytest.mark.parametrize("chunks", [1, 2])
def test_a_verification_that_is_paused_after_its_repair_goes_on_from_there(
    make_service: MakeService, monkeypatch: pytest.MonkeyPatch, chunks: int
) -> None:
    service, game = make_service(), open_game(GAMES[1]).name
    service.client.solve(game)
    tear_holes(service, game)
    before = verified(service)
    assert before.failed > 14
    spec = VerificationSpec(game, repair=True)
    job, kept = Job("1", "verification", "running", 0.0, 0.0, spec), dict[str, Any]()
    reading = _Chunks(chunks)
    monkeypatch.setattr(verification, "chunks_of", reading)
    monkeypatch.setattr(verification, "repair", reading.repair)
    for resumed in (False, True):
        control = reading.control = JobControl(job, kept, lambda *_: True, lambda *_: None)
        work = VerificationWork(service.app.resources, control, spec)
        if resumed:
            found = work.run()
        else:
            with pytest.raises(Stopped):
                work.run()
            kept, reading.repaired = control.private, False
    assert found.checked == before.checked, "each record counts once"
    assert found.repaired > 0 and found.repaired + found.failed == before.failed
    assert found.failed == verified(service).failed and len(found.findings) == found.failed


def test_a_repair_needs_a_store_that_can_be_written(make_service: MakeService, directory: Path) -> None:
    service = make_service(str(directory))
    service.client.solve("tic-tac-toe")
    service.store.read_only = True
    try:
        with pytest.raises(StoreReadOnlyError, match="nothing can be repaired"):
            service.client.start_verification(repair=True)
    finally:
        service.store.read_only = False
