"""The part of the conformance suite that is about annotations, and about sources that verifications close."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from proofbase.storage.annotations import MAX_BODY_BYTES, Annotation
from proofbase.storage.capabilities import Capability
from proofbase.storage.errors import StoreReadOnlyError
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.testing.claims import encoded, lower, upper

__all__ = ["AnnotationConformance"]


class AnnotationConformance(ConformanceBase):
    """What every store must do with annotations and closed sources."""

    def checked(self, number: int, annotation_id: str, created: float = 1.5) -> Annotation:
        """A verification of a position."""
        body = {"by": f"ä {number}"}
        return Annotation(annotation_id, "verification", self.games[0], self.key(number), created, body)

    def test_annotations_come_back_newest_first(self, store: SolutionStore) -> None:
        need(store, Capability.ANNOTATIONS)
        annotations, game = store.annotations(), self.games[0]
        assert annotations.of_keys(game, [self.key(1), b""]) == []
        given = [self.checked(1, "b", 1.5), self.checked(1, "a", 2.5), self.checked(2, "b"), self.checked(1, "c", 1.5)]
        given.append(Annotation("b", "verification", game, b"", 7.0, {"n": [1, None, 2.5, {"x": True}]}))
        given.append(Annotation("long." + "i" * 95, "verification", game, b"k" * 500, -3.0))
        for entry in given:
            annotations.put(entry)
        again = store.annotations()
        assert again.of_keys(game, [self.key(1)]) == [given[1], given[3], given[0]]
        assert again.of_keys(game, [b"", self.key(2), b"none"]) == [given[4], given[2]]
        assert again.of_keys(game, [b"k" * 500]) == [given[5]]
        assert again.of_keys(self.games[1], [self.key(1), b""]) == again.of_keys("\0", [b""]) == []

    def test_an_annotation_is_replaced_and_dropped(self, store: SolutionStore) -> None:
        need(store, Capability.ANNOTATIONS)
        annotations, game = store.annotations(), self.games[0]
        first, second = self.checked(1, "one"), self.checked(1, "two", 0.5)
        for entry in (first, second, self.checked(2, "one")):
            annotations.put(entry)
        changed = replace(first, created=9.0, body={})
        annotations.put(changed)
        assert annotations.of_keys(game, [self.key(1)]) == [changed, second]
        assert annotations.drop(game, self.key(1), "one") and not annotations.drop(game, self.key(1), "one")
        assert not annotations.drop(game, self.key(1), "x\0") and not annotations.drop(self.games[1], b"", "two")
        assert not annotations.drop(game, self.key(1), "i" * 600)
        assert annotations.of_keys(game, [self.key(1)]) == [second]
        assert annotations.of_keys(game, [self.key(2)]) == [self.checked(2, "one")]

    def test_an_annotation_is_no_record(self, store: SolutionStore) -> None:
        need(store, Capability.ANNOTATIONS, Capability.PUT, Capability.SCAN)
        store.annotations().put(self.checked(1, "one"))
        game = self.games[0]
        assert store.get(game, self.key(1)) is None and list(store.scan(game)) == [] and store.games() == []
        assert store.count(game) == store.generation(game) == store.fingerprint(game) == 0

    def test_what_is_no_annotation_is_refused(self, store: SolutionStore) -> None:
        need(store, Capability.ANNOTATIONS)
        wrong: list[dict[str, Any]] = [
            {"id": ""}, {"id": "a/b"}, {"id": "x" * 101}, {"kind": "note"}, {"game": ""}, {"game": "a\0"},
            {"game": "g" * 101}, {"key": b"k" * 501}, {"created": float("nan")}, {"created": "now"}, {"body": []},
            {"body": {"x": float("inf")}}, {"body": {"x": b""}}, {"body": {"x": "a\0"}},
            {"body": {"x": "x" * MAX_BODY_BYTES}},
        ]  # fmt: skip
        for entries in wrong:
            with pytest.raises(ValueError, match=r"annotation|game|key|said"):
                replace(self.checked(1, "one"), **entries)
        assert replace(self.checked(1, "one"), body={"x": "\\u0000"}).body == {"x": "\\u0000"}

    def test_claims_after_closed_sources_have_higher_numbers(self, store: SolutionStore) -> None:
        need(store, Capability.CLOSED_SOURCES, Capability.PUT, Capability.SOURCES)
        game, other = self.games
        assert store.close_sources(game) == 0
        self.put(store, (self.key(1), encoded(lower(0, 7))), (self.key(2), encoded(lower(0, 7))), source="first")
        self.put(store, (self.key(3), encoded(lower(0, 7))), source="second")
        closed, generation = store.close_sources(game), store.generation(game)
        assert closed == store.close_sources(game) == 2 and store.generation(game) == generation
        # A claim that stays keeps its source; one that comes, or comes instead, has a source of a higher number.
        self.put(
            store,
            (self.key(1), encoded(lower(0, 7), upper(1, 2))),
            (self.key(2), encoded(lower(0, 5))),
            (self.key(4), encoded(lower(0, 7))),
            source="first",
        )
        numbers = []
        for number in (1, 2, 3, 4):
            record = store.get(game, self.key(number))
            assert record is not None
            numbers.append([claim.source for claim in record.claims])
        assert numbers == [[1, 3], [3], [2], [3]]
        store.put_many(other, [(b"k", encoded(lower(0, 1)))], source="second", rules_version=1)
        stored = store.get(other, b"k")
        assert stored is not None and stored.claims[0].source == 2
        assert [(entry.number, entry.text) for entry in store.sources()] == [(1, "first"), (2, "second"), (3, "first")]
        assert store.close_sources(game) == 3
        self.put(store, (self.key(5), encoded(lower(0, 7))), source="first")
        assert [entry.text for entry in store.sources(4)] == ["first"]

    def test_a_store_that_is_read_only_closes_no_sources(self, store: SolutionStore) -> None:
        need(store, Capability.CLOSED_SOURCES)
        if store.read_only:
            with pytest.raises(StoreReadOnlyError):
                store.close_sources(self.games[0])
        else:
            assert store.close_sources("no such game") == 0
