"""The part of the conformance suite that is about changes: generations, quarantine, many threads, the end."""

from __future__ import annotations

import random
import threading
from collections.abc import Collection, Mapping

import pytest

from proofbase.engine.records import Claim, ContradictionError, Record, encode_record, without_sources
from proofbase.storage.capabilities import Capability
from proofbase.storage.entries import PutResult
from proofbase.storage.errors import RecordsRemovedError, StoreClosedError
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.testing.claims import encoded, lower, upper
from proofbase.storage.testing.model import StoreModel

__all__ = ["ChangeConformance"]


class ChangeConformance(ConformanceBase):
    """What every store must do when its records change, and when it is closed."""

    def test_generations_grow_with_changes_only(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.GENERATION)
        game, key = self.games[0], self.key(1)
        self.put(store, (key, encoded(lower(0, 7))))
        first = store.generation(game)
        assert first > 0
        self.put(store, (key, encoded(lower(0, 7))))
        self.put(store)
        assert store.generation(game) == first
        self.put(store, (key, encoded(lower(0, 6))))
        assert store.generation(game) > first

    def test_quarantine_sets_records_aside(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.QUARANTINE, Capability.GENERATION)
        game, record = self.games[0], encoded(lower(0, 7))
        self.put(store, *((self.key(number), record) for number in (1, 2, 4)))
        generation = store.generation(game)
        assert store.quarantine(game, [self.key(2), self.key(9), self.key(1), self.key(2)], "rank") == 2
        assert store.generation(game) > generation
        assert store.count(game) == 1
        assert store.get_many(game, [self.key(1), self.key(2)]) == [None, None]
        aside = [(key, without_sources(data), reason) for key, data, reason in store.quarantined(game)]
        assert aside == sorted([(self.key(1), record, "rank"), (self.key(2), record, "rank")])
        generation = store.generation(game)
        assert store.quarantine(game, [self.key(2)], "again") == 0
        assert store.quarantine("conformance:none", [self.key(2)], "again") == 0
        assert store.generation(game) == generation
        self.put(store, (self.key(2), encoded(upper(0, 1))))
        assert store.quarantine(game, iter([self.key(2)]), "anew") == 1
        reasons = {key: (without_sources(data), reason) for key, data, reason in store.quarantined(game)}
        assert reasons == {self.key(1): (record, "rank"), self.key(2): (encoded(upper(0, 1)), "anew")}
        (entry,) = [entry for entry in store.games() if entry.name == game]
        assert (entry.records, entry.quarantined, entry.generation) == (store.count(game), 2, store.generation(game))
        assert entry.fingerprint == store.fingerprint(game)

    def test_quarantine_of_some_claims_leaves_the_others(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.QUARANTINE, Capability.GENERATION, Capability.AUDIT)
        game, keys = self.games[0], [self.key(number) for number in (1, 2, 3, 4)]
        both = encoded(lower(0, 7), upper(0, 5))
        self.put(store, *((key, both) for key in keys))
        generation, removals = store.generation(game), store.removals(game)
        some = {keys[0]: [lower(0, 7)], keys[1]: [lower(0, 7), upper(0, 5)], keys[2]: [lower(0, 8)]}
        assert store.quarantine(game, keys, "some claims", claims=some) == 3
        assert store.generation(game) > generation and store.removals(game) == removals + 1
        generation = store.generation(game)
        records_left = [data and without_sources(data) for data in store.get_many(game, keys)]
        assert records_left == [encoded(upper(0, 5)), None, both, None] and store.count(game) == 2
        aside = {key: without_sources(data) for key, data, _ in store.quarantined(game)}
        assert aside == {keys[0]: encoded(lower(0, 7)), keys[1]: both, keys[3]: both}
        assert store.audit(game).complete
        assert store.quarantine(game, keys[2:3], "no such claim", claims=some) == 0
        assert store.generation(game) == generation

    def test_a_put_is_refused_when_records_have_left_since(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.QUARANTINE)
        game, version = self.games[0], self.rules_version
        assert store.removals(game) == 0
        self.put(store, (self.key(1), encoded(lower(0, 7))), (self.key(2), encoded(lower(0, 7))))
        before = store.removals(game)

        def put(number: int, removals: int, **more: Mapping[bytes, Collection[Claim]]) -> PutResult:
            items = [(self.key(number), encoded(lower(0, 9)))]
            return store.put_many(
                game, items, source="a source", rules_version=version, whole=True, removals=removals, **more
            )

        assert put(4, before) == PutResult(added=1)
        store.quarantine(game, [self.key(1)], "rank")
        assert store.removals(game) == before + 1
        with pytest.raises(RecordsRemovedError):
            put(5, before)
        assert store.get(game, self.key(5)) is None
        assert put(2, before + 1, instead_of={self.key(2): [lower(0, 7)]}) == PutResult(improved=1)
        with pytest.raises(RecordsRemovedError):
            put(5, before + 1)
        assert put(5, before + 2) == PutResult(added=1)

    def test_random_calls_agree_with_a_model(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SCAN, Capability.PLAIN_GAMES)
        chance = random.Random(20261121)
        model = StoreModel()
        refused = 0
        for step in range(150):
            game = chance.choice(self.games)
            items = [
                (self.key(chance.randrange(1, 30)), self._random_record(chance)) for _ in range(chance.randrange(12))
            ]
            accepted = model.put(game, items)
            try:
                outcome = store.put_many(game, items, source=f"source {step % 7}", rules_version=1)
            except ContradictionError:
                assert not accepted, (step, items)
                refused += 1
            else:
                assert accepted, (step, items)
                assert outcome.added + outcome.improved + outcome.unchanged == len(items)
            for name in self.games if step % 10 == 9 else ():
                assert self.plain(store, name) == model.records(name), step
                assert store.count(name) == len(model.records(name))
                assert Capability.AUDIT not in store.capabilities or store.audit(name).complete
        assert 5 < refused < 145, "the calls should both succeed and fail"
        for name in self.games:
            assert self.plain(store, name) == model.records(name)

    def _random_record(self, chance: random.Random) -> bytes:
        # Bounds around a fixed value of the position: mostly true, sometimes not.
        reach = min(self.highest_value, 6)
        claims = []
        for _ in range(chance.randrange(1, 4)):
            rank, witness = chance.randrange(4), chance.randrange(3)
            if chance.random() < 0.5:
                bound = 1 if chance.random() < 0.03 else chance.randrange(-reach, 1)
                claims.append(lower(bound, rank, witness))
            else:
                claims.append(upper(chance.randrange(0, reach + 1), rank))
        record = Record.of(claims)
        return encode_record(record if record.contradiction() is None else Record.of(claims[:1]))

    def test_many_threads_read_and_write(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SCAN, Capability.PLAIN_GAMES)
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for step in range(10):
                    keys = [bytes([step, part]) for part in range(20)]
                    self.put(store, *((key, encoded(lower(number, number + 1))) for key in keys), source=f"{number}")
                    assert all(data is not None for data in store.get_many(self.games[0], keys))
                    assert sum(1 for _ in store.scan(self.games[0])) >= 20 * (step + 1)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        expected = encoded(*(lower(number, number + 1) for number in range(4)))
        assert {record for _, record in self.plain(store)} == {expected}
        assert store.count(self.games[0]) == 200
        assert len({source.number for source in store.sources()}) == 4

    def test_a_closed_store_says_so(self, store: SolutionStore) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreClosedError):
            store.count(self.games[0])
        with pytest.raises(StoreClosedError):
            store.get_many(self.games[0], [self.key(1)])
        if Capability.PUT in store.capabilities:
            with pytest.raises(StoreClosedError):
                self.put(store, (self.key(1), encoded(lower(0, 1))))
        if Capability.SCAN in store.capabilities:
            with pytest.raises(StoreClosedError):
                list(store.scan(self.games[0]))
