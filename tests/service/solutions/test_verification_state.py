"""When a value was verified, by what: a verification is kept, and covers what it has checked and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from services import MakeService, Service

from proofbase import __version__
from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Record, Side, encode_record
from proofbase.service.answers.verifications import Verification
from proofbase.service.client import Job, connect
from proofbase.service.resources.verifications import KEPT_VERIFICATIONS
from proofbase.storage import Annotation, open_store

GAME = "tic-tac-toe"


def state(service: Service, position: str = "-") -> Verification | None:
    return service.client.lookup(GAME, position).verification


def verify(service: Service, **options: Any) -> Job:
    position = options.pop("position", None)
    return service.client.verify(GAME, position, **options)


def test_an_answer_says_when_it_was_verified_by_what(solved: Service) -> None:
    assert state(solved) is None
    before = verify(solved, rules="python").created
    found = state(solved)
    assert found is not None and found.finished >= before
    count = solved.store.count(GAME)
    assert (found.rules, found.rules_version, found.checked, found.failed) == ("python", 1, count, 0)
    assert (found.program, found.position, found.by) == (f"proofbase {__version__}", None, None)
    later = verify(solved)
    newest = state(solved, "moves:51")
    assert newest is not None and (newest.id, newest.rules) == (later.id, "native")
    [game] = solved.client.statistics(GAME).games
    assert game.verification == newest
    assert state(solved, "xx./oo./...") is not None
    assert state(solved, "xxx/oo./...") is None, "the rules alone say who has won"


def test_what_is_stored_after_a_verification_is_not_verified(service: Service) -> None:
    service.client.solve(GAME, "xx./oo./...", at_least=1)
    verify(service)
    first = state(service, "xx./oo./...")
    assert first is not None
    service.client.solve(GAME)
    assert state(service) is None, "no verification has seen it"
    assert state(service, "xx./oo./...") == first, "it is still what was checked"
    game = open_game(GAME)
    key = game.key(game.parse("xx./oo./..."))
    stored = service.store.get(GAME, key)
    assert stored is not None
    assert all(claim.side != Side.UPPER for claim in stored.claims), "an upper claim is new"
    items = [(key, encode_record(Record.of([Claim(Side.UPPER, 1, 40)])))]
    service.store.put_many(GAME, items, source=service.store.sources()[0].text, rules_version=1)
    assert state(service, "xx./oo./...") is None, "one of its claims came later"


def test_a_sample_covers_nothing_and_a_position_only_itself(solved: Service) -> None:
    verify(solved, sample=5)
    assert state(solved) is None
    [game] = solved.client.statistics(GAME).games
    assert game.verification is None
    verify(solved, position="xx./oo./...")
    found = state(solved, "xx./oo./...")
    assert found is not None and found.position == "xx./oo./..." and found.checked < solved.store.count(GAME)
    assert state(solved) is None and state(solved, "xo./.../...") is None


def test_where_records_fail_nothing_is_verified_unless_they_are_moved_aside(solved: Service) -> None:
    game = open_game(GAME)
    key = game.key(game.parse("xx./oo./..."))
    wrong = Record.of([Claim(Side.LOWER, 1, 1, witness=8)])
    solved.store.quarantine(GAME, [key], "a test")
    solved.store.put_many(GAME, [(key, encode_record(wrong))], source="wrong", rules_version=1)
    verify(solved)
    assert state(solved) is None
    [statistics] = solved.client.statistics(GAME).games
    assert statistics.verification is not None and statistics.verification.failed > 0
    verify(solved, quarantine=True)
    found = state(solved, "xox/.../...")
    assert found is not None and found.failed > 0
    assert state(solved, "xx./oo./...") is None, "nothing is stored of it any more"


def test_the_newest_verifications_are_kept_and_the_last_that_covers(solved: Service) -> None:
    covering = verify(solved)
    for seed in range(KEPT_VERIFICATIONS + 3):
        verify(solved, sample=1, seed=seed)
    found = state(solved)
    assert found is not None and found.id == covering.id
    assert len(solved.store.annotations().of_keys(GAME, [b""])) == KEPT_VERIFICATIONS + 1


def test_a_verification_that_is_replaced_is_read_anew(solved: Service) -> None:
    verify(solved)
    annotations = solved.store.annotations()
    [entry] = annotations.of_keys(GAME, [b""])
    assert state(solved) == state(solved, "moves:51")
    annotations.put(replace(entry, body={**entry.body, "program": "another"}))
    found = state(solved)
    assert found is not None and (found.id, found.program) == (entry.id, "another")


@pytest.mark.parametrize("body", [{}, {"last_source": 1 << 40, "covers": True, "rules_version": 1}, {"covers": 3}])
def test_a_verification_that_cannot_be_read_covers_nothing(solved: Service, body: dict[str, Any]) -> None:
    solved.store.annotations().put(Annotation("x", "verification", GAME, b"", 1.0, body))
    assert state(solved) is None and solved.client.lookup(GAME).known


def test_a_store_that_is_read_only_is_verified_and_keeps_nothing(tmp_path: Path, make_service: MakeService) -> None:
    with connect(str(tmp_path / "store")) as client:
        client.solve(GAME, "xx./oo./...")
    service = make_service(open_store(str(tmp_path / "store"), read_only=True))
    assert verify(service).result is not None and state(service, "xx./oo./...") is None


def test_a_source_names_the_program(service: Service) -> None:
    service.client.solve(GAME, "xx./oo./...", at_least=1, algorithm="df-pn")
    [source] = service.client.lookup(GAME, "xx./oo./...").sources
    assert source.text.startswith("solve df-pn") and source.program == f"proofbase {__version__}"
