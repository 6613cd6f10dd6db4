"""The part of the conformance suite that is about puts, merging and reading back."""

from __future__ import annotations

import itertools

import pytest

from proofbase.engine.records import (
    ENDS,
    Claim,
    ContradictionError,
    Evidence,
    MalformedRecordError,
    Mark,
    Record,
    RecordOverflowError,
    Side,
    Strategy,
    ThreatNode,
    ThreatTrees,
    decode_record,
    encode_record,
    line_payload,
    pairing_payload,
    search_payload,
    strategy_payload,
    table_payload,
    threats_payload,
    without_sources,
)
from proofbase.storage import chunks
from proofbase.storage.capabilities import Capability
from proofbase.storage.entries import PutResult
from proofbase.storage.errors import KeySizeError, RulesVersionError
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.testing.claims import encoded, lower, upper

__all__ = ["RecordConformance"]


class RecordConformance(ConformanceBase):
    """What every store must do with records."""

    def test_an_empty_store_knows_nothing(self, store: SolutionStore) -> None:
        game = self.games[0]
        assert store.get(game, self.key(1)) is None
        assert store.get_many(game, [self.key(1), self.key(2)]) == [None, None]
        assert store.get_many(game, []) == []
        assert store.count(game) == 0
        if Capability.SCAN in store.capabilities:
            assert list(store.scan(game)) == []
        if Capability.GENERATION in store.capabilities:
            assert store.generation(game) == 0
        if Capability.SOURCES in store.capabilities:
            assert store.sources() == []

    def test_a_record_comes_back(self, store: SolutionStore) -> None:
        need(store, Capability.PUT)
        record = encoded(lower(0, 7, 3), upper(1, 2))
        assert self.put(store, (self.key(1), record)) == PutResult(added=1)
        stored = store.get(self.games[0], self.key(1))
        assert stored is not None
        assert stored.with_source(None) == decode_record(record)
        assert [(entry.name, entry.records) for entry in store.games() if entry.records] == [(self.games[0], 1)]
        assert [entry.rules_version for entry in store.games() if entry.records] == [self.rules_version]

    def test_all_kinds_of_evidence_come_back(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        top = (1 << 30) - 1
        strategy = Strategy((3, 300), ((0, Mark.URGENT), (40, Mark.PAIR)))
        tree = ThreatNode(6, ((1, ENDS), (300, ThreatNode(4))))
        claims = [
            Claim(Side.LOWER, top, (1 << 31) - 1, Evidence.TABLE, (1 << 31) - 1, table_payload("awari-8 \u00e9")),
            Claim(Side.UPPER, -top - 1, 0, Evidence.LINE, None, line_payload([300, *range(300)])),
            Claim(Side.LOWER, -5, 200, Evidence.SEARCH, 9, search_payload(10_000)),
            Claim(Side.UPPER, 0, 3, Evidence.SEARCH, None, search_payload(1)),
            Claim(Side.LOWER, -5, 200, Evidence.SEARCH_TO_LIMITS, 9, search_payload(7)),
            Claim(Side.LOWER, -9, 5, Evidence.THREATS, 7, threats_payload(ThreatTrees(passed=ThreatNode(7)))),
            Claim(Side.UPPER, 0, 2, Evidence.THREATS, None, threats_payload(ThreatTrees((3, 300), ENDS, ((8, tree),)))),
            Claim(Side.LOWER, 0, 9, Evidence.PAIRING, 4, pairing_payload([(0, 300), (2, 3)])),
            Claim(Side.UPPER, 0, 9, Evidence.STRATEGY, None, strategy_payload(strategy, lower=False)),
        ]
        items = [(self.key(number), encoded(claim)) for number, claim in enumerate(claims)]
        self.put(store, *items)
        stored = store.get_many(self.games[0], [key for key, _ in items])
        assert [without_sources(data) for data in stored if data] == [record for _, record in items]

    def test_get_many_answers_in_the_order_asked(self, store: SolutionStore) -> None:
        need(store, Capability.PUT)
        items = {self.key(number): encoded(lower(0, number + 1)) for number in range(1, 40)}
        self.put(store, *items.items())
        keys = [self.key(number) for number in (50, 3, 1, 39, 3, 60, 20)]
        stored = store.get_many(self.games[0], iter(keys))
        assert [None if data is None else without_sources(data) for data in stored] == [items.get(key) for key in keys]

    def test_games_do_not_mix(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        one, two = self.games
        store.put_many(one, [(b"k", encoded(lower(1, 5)))], source="s", rules_version=1)
        store.put_many(two, [(b"k", encoded(upper(0, 5))), (b"l", encoded(upper(0, 5)))], source="s", rules_version=3)
        assert [(entry.name, entry.rules_version, entry.records) for entry in store.games()] == [
            (one, 1, 1),
            (two, 3, 2),
        ]
        assert self.plain(store, one) == [(b"k", encoded(lower(1, 5)))]
        assert self.plain(store, two) == [(b"k", encoded(upper(0, 5))), (b"l", encoded(upper(0, 5)))]

    def test_merging_keeps_the_undominated_claims(self, store: SolutionStore) -> None:
        need(store, Capability.PUT)
        key = self.key(1)
        assert self.put(store, (key, encoded(lower(0, 7)))) == PutResult(added=1)
        assert self.put(store, (key, encoded(lower(0, 9)))) == PutResult(unchanged=1)
        assert self.put(store, (key, encoded(lower(1, 9)))) == PutResult(improved=1)
        assert self.put(store, (key, encoded(lower(-1, 3), upper(1, 4)))) == PutResult(improved=1)
        assert self.put(store, (key, encoded(lower(0, 7), upper(1, 4)))) == PutResult(unchanged=1)
        expected = encoded(lower(1, 9), lower(0, 7), lower(-1, 3), upper(1, 4))
        assert [without_sources(data or b"") for data in store.get_many(self.games[0], [key])] == [expected]
        assert self.put(store, (key, encoded(lower(1, 2), upper(1, 1)))) == PutResult(improved=1)
        expected = encoded(lower(1, 2), upper(1, 1))
        assert [without_sources(data or b"") for data in store.get_many(self.games[0], [key])] == [expected]

    def test_ties_go_to_the_smallest_evidence_witness_and_payload(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        falling = [
            Claim(Side.LOWER, 1, 4, Evidence.SEARCH, 2, search_payload(300)),
            Claim(Side.LOWER, 1, 4, Evidence.LINE, 2, line_payload([2, 1])),
            Claim(Side.LOWER, 1, 4, Evidence.LINE, 2, line_payload([1, 9])),
            Claim(Side.LOWER, 1, 4, Evidence.LINE, 1, line_payload([5, 5])),
            Claim(Side.LOWER, 1, 4, Evidence.TABLE, 9, table_payload("b")),
            Claim(Side.LOWER, 1, 4, Evidence.TABLE, 9, table_payload("a")),
            lower(1, 4, 300),
            lower(1, 4, 6),
        ]
        for claim, better in itertools.pairwise(falling):
            self.put(store, (b"up", encoded(claim)))
            assert self.put(store, (b"up", encoded(better))) == PutResult(improved=1), better
            assert self.put(store, (b"up", encoded(claim))) == PutResult(unchanged=1), claim
        uppers = [Claim(Side.UPPER, 1, 4, Evidence.SEARCH, None, search_payload(nodes)) for nodes in (7, 5)]
        self.put(store, (b"down", encoded(uppers[0])))
        assert self.put(store, (b"down", encoded(uppers[1]))) == PutResult(improved=1)
        assert self.plain(store) == [(b"down", encoded(uppers[1])), (b"up", encoded(falling[-1]))]

    def test_repeated_keys_of_one_put_are_merged(self, store: SolutionStore) -> None:
        need(store, Capability.PUT)
        key = self.key(1)
        outcome = self.put(store, (key, encoded(lower(0, 7))), (key, encoded(upper(1, 2))), (key, encoded(lower(0, 7))))
        assert outcome == PutResult(added=1, unchanged=2)
        stored = store.get(self.games[0], key)
        assert stored is not None
        assert stored.with_source(None) == Record.of([lower(0, 7), upper(1, 2)])

    def test_a_claim_keeps_its_first_source(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.SOURCES)
        key = self.key(1)
        self.put(store, (key, encoded(lower(0, 7))), source="first")
        self.put(store, (key, encoded(lower(0, 7), upper(1, 2))), source="second")
        self.put(store, (key, encoded(lower(0, 7), upper(1, 2))), source="third")
        self.put(store, (self.key(2), encoded(upper(1, 2))), source="first")
        assert [(source.number, source.text) for source in store.sources()] == [(1, "first"), (2, "second")]
        assert store.sources(2) == store.sources()[1:] and store.sources(3) == []
        stored = store.get(self.games[0], key)
        assert stored is not None
        assert [claim.source for claim in stored.claims] == [1, 2]

    def test_a_contradiction_is_refused_with_both_sources(self, store: SolutionStore) -> None:
        need(store, Capability.PUT)
        key, other = self.key(1), self.key(2)
        self.put(store, (key, encoded(upper(0, 3))), source="the old source")
        with pytest.raises(ContradictionError) as caught:
            self.put(store, (other, encoded(lower(0, 1))), (key, encoded(lower(1, 5))), source="the new source")
        error = caught.value
        assert error.lower is not None and error.upper is not None
        assert (error.game, error.key) == (self.games[0], key)
        assert (error.lower.with_source(None), error.upper.with_source(None)) == (lower(1, 5), upper(0, 3))
        assert (error.lower_source, error.upper_source) == ("the new source", "the old source")
        assert "the new source" in str(error)
        assert "the old source" in str(error)
        assert key.hex() in str(error)
        assert store.get(self.games[0], other) is None
        stored = store.get(self.games[0], key)
        assert stored is not None
        assert stored.with_source(None) == Record.of([upper(0, 3)])

    def test_a_whole_put_is_stored_or_not_at_all(self, store: SolutionStore, monkeypatch: pytest.MonkeyPatch) -> None:
        """Also where it has more items than a chunk."""
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        monkeypatch.setattr(chunks, "CHUNK_ITEMS", 10)
        game, last = self.games[0], self.key(255)
        items = [(self.key(number), encoded(lower(0, 7))) for number in range(100)]
        self.put(store, (last, encoded(upper(0, 3))))

        def put(*more: tuple[bytes, bytes]) -> PutResult:
            given = iter([*items, *more, items[0]])
            return store.put_many(game, given, source="all", rules_version=self.rules_version, whole=True)

        with pytest.raises(ContradictionError):
            put((last, encoded(lower(1, 5))))
        assert store.count(game) == 1
        assert put((last, encoded(lower(0, 5)))) == PutResult(added=100, improved=1, unchanged=1)
        assert [key for key, _ in self.plain(store)] == sorted(key for key, _ in [*items, (last, b"")])

    def test_a_put_takes_the_place_of_claims_that_fail(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.QUARANTINE, Capability.AUDIT, Capability.SOURCES)
        game, one, two = self.games[0], self.key(1), self.key(2)
        record = encoded(lower(0, 7), lower(-1, 3), upper(1, 4))
        self.put(store, (one, record), (two, encoded(lower(0, 7))), source="first")
        items = [(one, encoded(lower(0, 9))), (two, encoded(lower(0, 9)))]
        gone = {one: [lower(0, 7)], two: [lower(0, 7)]}
        version = self.rules_version
        put = store.put_many(game, items, source="second", rules_version=version, whole=True, instead_of=gone)
        assert put == PutResult(improved=2)
        both = [store.get(game, key) for key in (one, two)]
        assert [[(claim.with_source(None), claim.source) for claim in record.claims] for record in both if record] == [
            [(lower(0, 9), 2), (lower(-1, 3), 1), (upper(1, 4), 1)],
            [(lower(0, 9), 2)],
        ]
        assert [key for key, _, _ in store.quarantined(game)] == sorted([one, two])
        audit = store.audit(game)
        assert audit.complete and audit.stored_fingerprint is not None and store.count(game) == 2

    def test_a_record_that_contradicts_itself_is_refused(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        with pytest.raises(ContradictionError):
            self.put(store, (self.key(1), encode_record(Record((lower(1, 3), upper(0, 3))))))
        with pytest.raises(ContradictionError):
            self.put(store, (self.key(1), encoded(lower(1, 3))), (self.key(1), encoded(upper(0, 3))))
        assert store.count(self.games[0]) == 0
        assert store.games() == []

    def test_unacceptable_items_leave_the_store_as_it_was(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        good = (self.key(1), encoded(lower(0, 7)))
        self.put(store, good)
        before, generation = self.plain(store), store.generation(self.games[0])
        for item, error in (
            ((self.key(2), b""), MalformedRecordError),
            ((self.key(2), encoded(lower(1, 1)) + b"\1"), MalformedRecordError),
            ((b"", encoded(lower(1, 1))), KeySizeError),
            ((b"x" * 501, encoded(lower(1, 1))), KeySizeError),
        ):
            with pytest.raises(error):
                self.put(store, (self.key(3), encoded(upper(0, 1))), item)
        with pytest.raises(RulesVersionError):
            store.put_many(self.games[0], [good], source="s", rules_version=2)
        for source, version in (("", 1), ("s\0", 1), ("s" * 1001, 1), ("s", 0)):
            with pytest.raises(ValueError, match=r"source|version"):
                store.put_many(self.games[0], [good], source=source, rules_version=version)
        with pytest.raises(ValueError, match="name of a game"):
            store.put_many("", [good], source="s", rules_version=1)
        assert self.plain(store) == before
        assert store.generation(self.games[0]) == generation

    def test_sixteen_undominated_claims_are_refused(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        key = self.key(1)
        self.put(store, (key, encoded(*(lower(20 - n, 40 - n) for n in range(15)))))
        before = self.plain(store)
        with pytest.raises(RecordOverflowError):
            self.put(store, (self.key(2), encoded(lower(0, 0))), (key, encoded(lower(-1, 1))))
        assert self.plain(store) == before

    def test_the_longest_keys_and_names_are_kept(self, store: SolutionStore) -> None:
        need(store, Capability.PUT, Capability.PLAIN_GAMES)
        game, record = "\u4e00" * 100, encoded(lower(0, 7))
        keys = [b"\xff" * 500, b"\0", b"\xff" * 499]
        store.put_many(game, [(key, record) for key in keys], source="\u4e00" * 1000, rules_version=1)
        assert [key for key, _ in store.scan(game)] == sorted(keys)
        assert [key for key, _ in store.scan(game, after=b"\xff" * 499)] == [b"\xff" * 500]
        assert list(store.scan(game, after=b"\xff" * 600)) == []
        assert store.get_many(game, [b"\xff" * 600, b"", keys[0]])[:2] == [None, None]
