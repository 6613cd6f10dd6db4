"""One changed bit in each of many stored records: no answer may rest on any of them, and a verification finds them all.

Used by test_flipped_bits.py, and by trial_flipped_bits.py with more records.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from damage_records import flip_bits

from proofbase.engine.games import open_game
from proofbase.service.application import Application
from proofbase.service.client import Client
from proofbase.service.client.local import LocalClient
from proofbase.storage import MalformedRecordError, SolutionStore, open_store

__all__ = ["Outcome", "damage_and_read", "solve_games"]


@dataclass
class Outcome:
    """What a run saw.

    Attributes:
        damaged: records with a changed bit.
        served: ways of reading, with the keys of damaged records, that gave an answer.
        changed: keys of sound records whose answer in a batch is not what it was before.
        missed: damaged records that a verification did not find, by its rules.
    """

    damaged: int = 0
    served: list[tuple[str, str, str]] = field(default_factory=list)
    changed: list[tuple[str, str]] = field(default_factory=list)
    missed: list[tuple[str, str]] = field(default_factory=list)


def solve_games(url: str, names: list[str]) -> None:
    """Solves games into a store."""
    with Application(open_store(url)) as app:
        client = LocalClient(app, url)
        for name in names:
            assert client.solve(name).state == "done"


def damage_and_read(url: str, count: int, seed: int, rules: tuple[str, ...] = ("native", "python")) -> Outcome:
    """Changes a bit in each of `count` records of a store, and reads them in every way that there is."""
    outcome, chance = Outcome(), random.Random(seed)
    with open_store(url) as store:
        everything = [(entry.name, key) for entry in store.games() for key, _ in store.scan(entry.name)]
        chosen = sorted(chance.sample(everything, min(count, len(everything))))
        games = sorted({game for game, _ in everything})
        with Application(store) as app:
            before = {game: _packed(app, game, _keys(everything, game), warm=False) for game in games}
            flip_bits(store, url, chosen, chance)
            outcome.damaged = len(chosen)
            client = LocalClient(app, url)
            for game in games:
                damaged = _keys(chosen, game)
                _read_game(client, app, game, _keys(everything, game), damaged, before[game], outcome)
                for kind in rules:
                    result = client.verify(game, rules=kind).result  # type: ignore[arg-type]
                    found = {finding.key for finding in result.findings if finding.rule == "damaged"}  # type: ignore[union-attr]
                    limit = app.resources.limits.findings
                    assert len(result.findings) <= limit, "the findings are cut"  # type: ignore[union-attr]
                    outcome.missed += [(kind, key.hex()) for key in damaged if key not in found]
    return outcome


def _keys(pairs: list[tuple[str, bytes]], game: str) -> list[bytes]:
    return [key for name, key in pairs if name == game]


def _packed(app: Application, game: str, keys: list[bytes], *, warm: bool) -> list[tuple[int, int, int]]:
    """State and bounds of each key, from the copy in memory or from the store."""
    cache = app.resources.cache
    if warm:
        assert cache.records(game) is not None
    else:
        cache._copies.clear()
        cache._cannot_be_copied[game] = app.resources.store.generation(game)
    client, rows = LocalClient(app, ""), list[tuple[int, int, int]]()
    for start in range(0, len(keys), 1000):
        answers = client.batch_lookup_packed(game, b"".join(keys[start : start + 1000]))
        rows += [(state, *bounds) for state, bounds in zip(answers.states, answers.bounds(), strict=True)]
    cache._cannot_be_copied.pop(game, None)
    return rows


def _read_game(
    client: Client,
    app: Application,
    game: str,
    keys: list[bytes],
    damaged: list[bytes],
    before: list[tuple[int, int, int]],
    outcome: Outcome,
) -> None:
    """Reads records in all ways."""
    doomed = set(damaged)
    highest = open_game(game).highest_value
    for warm in (False, True):
        for key, then, now in zip(keys, before, _packed(app, game, keys, warm=warm), strict=True):
            if key not in doomed and now != then:
                outcome.changed.append((f"batch, warm {warm}", key.hex()))
            if key in doomed and now != (64, -highest, highest):
                outcome.served.append((f"batch, warm {warm}", game, key.hex()))
    for way, key in _ways(client, app.resources.store, game, damaged):
        try:
            way()
        except MalformedRecordError as error:
            if error.game != game or error.key not in doomed:
                raise
        else:
            outcome.served.append((way.__name__, game, key.hex()))
    faults: list[MalformedRecordError] = []
    scanned = {key for key, _ in app.resources.store.scan(game, faults=faults)}
    outcome.served += [("scan", game, key.hex()) for key in doomed & scanned]
    assert {error.key for error in faults} == doomed


def _ways(
    client: Client, store: SolutionStore, game: str, damaged: list[bytes]
) -> Iterator[tuple[Callable[[], object], bytes]]:
    rules = open_game(game)
    for key in damaged:
        text = rules.text(rules.position(key))

        def get(key: bytes = key) -> object:
            return store.get(game, key)

        def get_many(key: bytes = key) -> object:
            return store.get_many(game, [key])

        def lookup(key: bytes = key) -> object:
            return client.lookup(game, key)

        def text_batch(text: str = text, key: bytes = key) -> object:
            (item,) = client.batch_lookup(game, [text])
            assert item.reason == "MALFORMED_STORED_RECORD" and item.value is None and item.key == key, item
            raise MalformedRecordError(item.message or "", game=game, key=key)

        def line(key: bytes = key) -> object:
            return client.line(game, key)

        def proof(key: bytes = key) -> object:
            return client.proof(game, key)

        def certificate(text: str = text) -> object:
            return b"".join(client.export(game, text))

        for way in (get, get_many, lookup, text_batch, line, proof, certificate):
            yield way, key

    def scan() -> object:
        return list(store.scan(game))

    def export() -> object:
        return b"".join(client.export(game, form="jsonl"))

    for way in (scan, export) if damaged else ():
        yield way, damaged[0]
