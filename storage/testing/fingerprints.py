"""The part of the conformance suite that is about fingerprints and audits."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from proofbase.engine.records import decode_record
from proofbase.storage.capabilities import Capability
from proofbase.storage.checksums import fingerprint_of, game_seed
from proofbase.storage.entries import Audit
from proofbase.storage.errors import StoreClosedError
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.testing.claims import encoded, lower, upper

__all__ = ["FingerprintConformance"]


class FingerprintConformance(ConformanceBase):
    """What every store must do to notice lost and changed records."""

    def test_the_fingerprint_is_the_sum_over_the_claims(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.FINGERPRINT, Capability.SCAN)
        game = self.games[0]
        assert store.fingerprint(game) == 0
        chance = random.Random(20261122)
        for step in range(25):
            claims = [lower(-1, 9 - step % 5, step % 3), upper(1, 30 - step)][: 1 + step % 2]
            items = [(self.key(chance.randrange(1, 40)), encoded(*claims)) for _ in range(5)]
            self.put(store, *items, source=f"source {step % 3}")
            assert store.fingerprint(game) == fingerprint_of(game_seed(game), store.scan(game))
        assert store.fingerprint(game)

    def test_it_depends_on_neither_order_nor_source(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.FINGERPRINT, Capability.PLAIN_GAMES, Capability.QUARANTINE)
        game, claims = self.games[0], (lower(0, 3), upper(1, 4), lower(-1, 2), upper(0, 8))
        items = [(self.key(number), encoded(claim)) for number in range(1, 9) for claim in claims]
        seen = set()
        for seed in range(3):
            random.Random(seed).shuffle(items)
            for item in items:
                self.put(store, item, source=f"{seed} {decode_record(item[1]).claims[0]}")
            seen.add(store.fingerprint(game))
            assert store.quarantine(game, {key for key, _ in items}, "begin anew") == 8
            assert store.fingerprint(game) == 0
        assert len(seen) == 1

    def test_it_tells_games_and_keys_apart(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.FINGERPRINT, Capability.PLAIN_GAMES)
        one, two = self.games
        record, other = encoded(lower(0, 3)), encoded(lower(0, 4))
        store.put_many(one, [(b"a", record), (b"b", other)], source="s", rules_version=1)
        store.put_many(two, [(b"a", other), (b"b", record)], source="s", rules_version=1)
        store.put_many("a third", [(b"a", record), (b"b", other)], source="s", rules_version=1)
        assert len({store.fingerprint(game) for game in (one, two, "a third")}) == 3

    def test_puts_and_quarantines_that_change_nothing_leave_it(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.FINGERPRINT, Capability.QUARANTINE)
        game = self.games[0]
        self.put(store, (self.key(1), encoded(lower(0, 3), upper(1, 4))))
        before = store.fingerprint(game)
        self.put(store, (self.key(1), encoded(lower(0, 3))), source="another")
        self.put(store, (self.key(1), encoded(lower(0, 5))))
        store.quarantine(game, [self.key(2)], "not there")
        assert store.fingerprint(game) == before
        self.put(store, (self.key(1), encoded(lower(0, 2))))
        assert store.fingerprint(game) != before

    def test_an_audit_finds_all_records_and_their_fingerprint(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.FINGERPRINT, Capability.AUDIT, Capability.QUARANTINE)
        game = self.games[0]
        assert store.audit(game) == Audit(0, 0, 0, 0, 0, 0)
        self.put(store, *((self.key(number), encoded(lower(0, number))) for number in range(1, 20)))
        store.quarantine(game, [self.key(3), self.key(4)], "two less")
        read: list[int] = []
        audit = store.audit(game, read.append)
        assert audit == Audit(store.generation(game), 17, store.fingerprint(game), 17, audit.fingerprint, 0)
        assert audit.complete
        assert audit.fingerprint == store.fingerprint(game) != 0
        assert read[-1:] == [17]

    def test_what_the_progress_of_an_audit_raises_ends_it(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.AUDIT)

        def stop(_: int) -> None:
            raise InterruptedError

        self.put(store, (self.key(1), encoded(lower(0, 3))))
        with pytest.raises(InterruptedError):
            store.audit(self.games[0], stop)
        assert store.audit(self.games[0]).complete

    def test_a_recount_needs_the_records_of_the_audit(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.AUDIT, Capability.GENERATION)
        game = self.games[0]
        self.put(store, (self.key(1), encoded(lower(0, 3))))
        audit = store.audit(game)
        generation = store.generation(game)
        assert store.recount(game, audit)
        assert store.generation(game) == generation
        self.put(store, (self.key(2), encoded(lower(0, 3))))
        assert not store.recount(game, audit)
        assert not store.recount("conformance:none", audit)
        assert store.audit(game).complete
        with pytest.raises(ValueError, match="quarantine"):
            store.recount(game, Audit(audit.generation, 1, 1, 1, 1, 1))

    def test_readers_accept_lists_of_faults(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SCAN, Capability.SCAN_BELOW)
        game, items = self.games[0], [(self.key(number), encoded(lower(0, 3))) for number in (1, 2, 4)]
        self.put(store, *items)
        keys = [key for key, _ in items]
        answers = chain(
            store.get_many(game, keys, []),
            (data for _, data in store.scan(game, faults=[])),
            (data for _, data in store.scan_below(game, keys, lambda _: (), faults=[])),
        )
        assert len(set(answers)) == 1

    def test_a_closed_store_has_no_fingerprint(self, store: SolutionStore) -> None:
        need(store, Capability.FINGERPRINT, Capability.AUDIT)
        store.close()
        for call in (store.fingerprint, store.audit):
            with pytest.raises(StoreClosedError):
                call(self.games[0])
