"""Stores with everything that a store can hold, and a comparison of two of them."""

from __future__ import annotations

import random
from typing import Any

from proofbase.storage import (
    Annotation,
    Claim,
    Estimate,
    Evidence,
    Job,
    Record,
    Side,
    SolutionStore,
    Token,
    encode_record,
    table_payload,
)
from proofbase.storage.annotations import newest_first

__all__ = ["everything", "fill_store", "random_items", "unchecked"]


def unchecked(copy: SolutionStore) -> None:
    """For `copy_store`: the records of these stores are of no game."""


def random_items(number: int, seed: int, *, low: int = 0) -> list[tuple[bytes, bytes]]:
    """Records with claims of both sides, by children and by a table."""
    chance = random.Random(seed)
    items = []
    for _ in range(number):
        claims = [Claim(Side.LOWER, low - chance.randrange(2), chance.randrange(1, 9), witness=chance.randrange(7))]
        if chance.random() < 0.5:
            claims.append(Claim(Side.UPPER, 1, 0, Evidence.TABLE, payload=table_payload("t-1")))
        items.append((chance.randbytes(chance.choice((4, 9))), encode_record(Record.of(claims))))
    return items


def fill_store(store: SolutionStore, records: int = 2_000) -> None:
    """Two games, three sources, a quarantine, estimates, annotations, jobs with checkpoints, tokens."""
    first = random_items(records, 1)
    store.put_many("g", first, source="the first", rules_version=3)
    store.put_many("g", [(key, record) for key, record in random_items(records, 2, low=1)], source="b", rules_version=3)
    better = encode_record(Record.of([Claim(Side.LOWER, 1, 20, witness=5)]))
    store.put_many("g", [(key, better) for key, _ in first[::3]], source="the second", rules_version=3)
    store.put_many("höher:n=2", random_items(50, 3), source="the first", rules_version=1)
    store.quarantine("g", [key for key, _ in first[:5]], "does not hold")
    believed = [
        Estimate(key, bound, 5, 2**40, 10_000 + bound, 7.5, "ä", "job 1") for key, _ in first[:9] for bound in (-1, 2)
    ]
    store.estimates().put_many("g", believed, rules_version=3)
    store.estimates().put_many("z: estimates only", believed[:1], rules_version=2)
    store.close_sources("g")
    for game, key in (("g", first[0][0]), ("g", b""), ("elsewhere", b"k")):
        created = 8.25 + len(key)
        store.annotations().put(Annotation("1-x", "verification", game, key, created, {"text": "ä", "n": [1, None]}))
    for number in range(4):
        spec = {"game": "g", "text": "ä\n"}
        store.put_job(Job(f"job {number}", "solve", "paused" if number else "done", 10.0 + number, 20.0, spec=spec))
        for chunk in range(number):
            store.append_checkpoint(f"job {number}", bytes([chunk]) * 1_000)
    with store.tokens() as tokens:
        tokens.add(Token("0123456789abcdef", "alice", "solver", b"x" * 32, 5.0, ends=9.0))
        tokens.add(Token("1123456789abcdef", "bob", "admin", b"", 6.0, revoked=7.0))


def everything(store: SolutionStore) -> dict[str, Any]:
    """All that a store holds, as plain values."""
    games = store.games()
    with store.tokens() as kept:
        tokens = kept.all()
    with store.contents() as contents:
        annotations = newest_first(contents.annotations())
    return {
        "games": [(game, store.generation(game.name), store.fingerprint(game.name)) for game in games],
        "records": {game.name: list(store.scan(game.name)) for game in games},
        "quarantine": {game.name: list(store.quarantined(game.name)) for game in games},
        "estimates": {
            game.name: sorted(store.estimates().scan(game.name), key=lambda entry: entry.question) for game in games
        },
        "sources": store.sources(),
        "annotations": annotations,
        "jobs": [(job, list(store.checkpoint(job.id))) for job in store.list_jobs()],
        "tokens": tokens,
    }
