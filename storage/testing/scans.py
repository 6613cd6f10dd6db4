"""The part of the conformance suite that is about scans."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from contextlib import suppress

import pytest

from proofbase.engine.records import without_sources
from proofbase.storage.capabilities import Capability
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.testing.claims import encoded, lower, upper

__all__ = ["ScanConformance"]


class ScanConformance(ConformanceBase):
    """What every store must do when it is scanned."""

    def test_scans_ascend_and_page(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SCAN)
        items = [(self.key(number), encoded(lower(0, number + 1))) for number in range(1, 60)]
        random.Random(3).shuffle(items)
        self.put(store, *items)
        game, ordered = self.games[0], sorted(items)
        assert self.plain(store) == ordered
        paged: list[tuple[bytes, bytes]] = []
        while page := list(store.scan(game, after=paged[-1][0] if paged else None, limit=7)):
            assert len(page) <= 7
            paged += page
        assert [(key, without_sources(record)) for key, record in paged] == ordered
        assert list(store.scan(game, limit=0)) == []
        assert list(store.scan(game, after=ordered[-1][0])) == []
        if Capability.PLAIN_GAMES in store.capabilities:
            between = ordered[10][0] + b"\0"
            assert next(store.scan(game, after=between))[0] == ordered[11][0]
        with pytest.raises(ValueError, match="limit"):
            list(store.scan(game, limit=-1))

    def test_a_scan_shows_one_moment(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SCAN, Capability.SNAPSHOT)
        items = [(self.key(number), encoded(lower(0, 9))) for number in range(1, 101)]
        self.put(store, *items)
        scan = store.scan(self.games[0])
        first = next(scan)
        writer = threading.Thread(
            target=self.put,
            args=(store, *((self.key(number), encoded(upper(0, 1))) for number in range(1, 121))),
        )
        writer.start()
        writer.join()
        seen = [first, *scan]
        assert [(key, without_sources(record)) for key, record in seen] == sorted(items)
        assert store.count(self.games[0]) == 120

    def test_reads_within_a_context_find_what_was_put_before_it(self, store: SolutionStore) -> None:
        need(store, Capability.PUT)
        game, key, other = self.games[0], self.key(1), self.key(2)
        self.put(store, (key, encoded(lower(0, 9))))
        with store.reading_together(), store.reading_together():
            assert store.get(game, key) is not None and store.get(game, other) is None
        self.put(store, (other, encoded(lower(0, 9))))
        with suppress(ZeroDivisionError), store.reading_together():
            assert store.get(game, other) is not None
            raise ZeroDivisionError
        self.put(store, (key, encoded(upper(0, 1))))
        record = store.get(game, key)
        assert record is not None and len(record.claims) == 2

    def test_scan_below_gives_each_reachable_record_once(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SCAN_BELOW, Capability.PLAIN_GAMES)
        numbers = [number for number in range(200) if number not in (11, 50)]
        self.put(store, *((self.key(number), encoded(lower(0, 9))) for number in numbers))
        number_of = {self.key(number): number for number in range(200)}
        keys_passed: list[bytes] = []

        def children(keys: list[bytes]) -> Iterable[bytes]:
            keys_passed.extend(keys)
            for key in keys:
                number = number_of[key]
                # A cycle, shared children, and keys without records.
                yield from (
                    self.key(following) for following in (number, 2 * number, 2 * number + 1, 5) if following < 200
                )

        reachable, frontier = set(), [5, 11]
        while frontier:
            number = frontier.pop()
            if number in numbers and number not in reachable:
                reachable.add(number)
                frontier += [n for n in (2 * number, 2 * number + 1, 5) if n < 200]
        scanned = [
            key for key, _ in store.scan_below(self.games[0], [self.key(5), self.key(11), self.key(5)], children)
        ]
        assert sorted(scanned) == sorted(self.key(number) for number in reachable)
        assert sorted(keys_passed) == sorted(scanned)
        assert list(store.scan_below(self.games[0], [], children)) == []
