"""The part of the conformance suite that is about estimates of open questions."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from proofbase.storage.capabilities import Capability
from proofbase.storage.errors import KeySizeError, RulesVersionError
from proofbase.storage.estimates import Estimate
from proofbase.storage.store import SolutionStore
from proofbase.storage.testing.base import ConformanceBase, need
from proofbase.storage.testing.claims import encoded, lower

__all__ = ["EstimateConformance"]

LARGEST = 2**63 - 1


class EstimateConformance(ConformanceBase):
    """What every store must do with estimates."""

    def estimate(self, number: int, bound: int = 0, *, work: int = 1000, updated: float = 1.5) -> Estimate:
        """An estimate of a position."""
        return Estimate(self.key(number), bound, 7, 11, work, updated, "pn-dag+effort", "job-1")

    def test_estimates_come_back(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        estimates, game = store.estimates(), self.games[0]
        assert estimates.count() == 0 and estimates.of_position(game, self.key(1)) == list(estimates.scan(game)) == []
        given = [
            self.estimate(1, 3),
            self.estimate(1, -(2**31)),
            self.estimate(1, 2**31 - 1),
            replace(self.estimate(2), proof=LARGEST, disproof=1, work=LARGEST, algorithm="", job="\u00e9"),
            Estimate(b"k" * 500, -1, 1, LARGEST, 0, -0.25),
        ]
        assert estimates.put_many(game, given, rules_version=self.rules_version) == 5
        again = store.estimates()
        assert again.get_many(game, [entry.question for entry in given]) == given
        assert again.get_many(game, [(self.key(1), 4), (b"", 3), (b"k" * 501, -1)]) == [None] * 3
        assert again.get_many(self.games[1], [given[0].question]) == [None]
        assert again.get_many("\0", [given[0].question]) == [None]
        assert again.of_position(game, self.key(1)) == [given[1], given[0], given[2]]
        assert sorted(again.scan(game), key=lambda entry: entry.question) == sorted(
            given, key=lambda entry: entry.question
        )
        assert again.count() == 5 and list(again.scan(self.games[1])) == []

    def test_an_estimate_is_no_record(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES, Capability.PUT, Capability.SCAN)
        estimates, game = store.estimates(), self.games[0]
        estimates.put_many(game, [self.estimate(1)], rules_version=self.rules_version)
        assert store.get(game, self.key(1)) is None and list(store.scan(game)) == []
        assert store.count(game) == store.generation(game) == store.fingerprint(game) == 0
        assert [(entry.name, entry.records) for entry in store.games()] == [(game, 0)]
        self.put(store, (self.key(1), encoded(lower(0, 7, 3))))
        fingerprint = store.fingerprint(game)
        estimates.put_many(game, [self.estimate(1, work=2000)], rules_version=self.rules_version)
        assert store.fingerprint(game) == fingerprint and store.count(game) == 1
        assert store.audit(game).complete and estimates.count() == 1

    def test_the_estimate_of_more_work_stays(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        estimates, game = store.estimates(), self.games[0]
        chance = random.Random(3)
        given = [self.estimate(1, work=chance.randrange(5), updated=float(chance.randrange(5))) for _ in range(40)]
        for _ in range(3):
            chance.shuffle(given)
            for entry in given[:20]:
                estimates.put_many(game, [entry], rules_version=self.rules_version)
            estimates.put_many(game, given[20:], rules_version=self.rules_version)
            most = max(given, key=lambda entry: (entry.work, entry.updated))
            assert estimates.of_position(game, self.key(1)) == [most]
        assert estimates.put_many(game, given, rules_version=self.rules_version) == 0

    def test_estimates_of_settled_questions_are_dropped(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        estimates, game = store.estimates(), self.games[0]
        given = [self.estimate(number, bound) for number in (1, 2, 3) for bound in (-1, 0)]
        estimates.put_many(game, given, rules_version=self.rules_version)
        assert estimates.drop(game, [given[0].question, given[3].question, given[0].question, (b"none", 0)]) == 2
        assert estimates.drop(game, []) == estimates.drop(self.games[1], [given[1].question]) == 0
        assert estimates.count() == 4 and estimates.get_many(game, [given[0].question]) == [None]

    def test_the_estimates_of_least_work_give_way(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        estimates = store.estimates()
        estimates.limit = 20
        chance = random.Random(5)
        works = chance.sample(range(1000), 60)
        for number, work in enumerate(works):
            game = self.games[number % 2]
            estimates.put_many(game, [self.estimate(number, work=work)], rules_version=self.rules_version)
            assert estimates.count() <= 20
        works_left = {entry.work for game in self.games for entry in estimates.scan(game)}
        assert works_left >= set(sorted(works)[-15:]) and 18 <= len(works_left) <= 20
        many = [self.estimate(number, 5, work=2000 + number) for number in range(60)]
        estimates.put_many(self.games[0], many, rules_version=self.rules_version)
        assert {entry.work for game in self.games for entry in estimates.scan(game)} == set(range(2042, 2060))

    def test_estimates_by_other_rules_are_refused(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        estimates, game = store.estimates(), self.games[0]
        estimates.put_many(game, [self.estimate(1)], rules_version=self.rules_version)
        with pytest.raises(RulesVersionError):
            estimates.put_many(game, [self.estimate(2)], rules_version=self.rules_version + 1)
        with pytest.raises(RulesVersionError):
            estimates.hold(game, (self.key(1), 0), "a", instead_of=None, rules_version=self.rules_version + 1)
        assert estimates.count() == 1

    def test_what_is_no_estimate_is_refused(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        wrong: list[dict[str, Any]] = [{"proof": 0}, {"disproof": LARGEST + 1}, {"work": -1}, {"bound": 2**31}]
        for entries in [*wrong, {"job": "a\0"}, {"updated": float("nan")}]:
            with pytest.raises(ValueError, match=r"estimate|numbers"):
                replace(self.estimate(1), **entries)
        for key in (b"", b"k" * 501):
            with pytest.raises(KeySizeError):
                replace(self.estimate(1), key=key)
        with pytest.raises(ValueError, match="name of a game"):
            store.estimates().put_many("", [], rules_version=self.rules_version)

    def test_one_job_manages_a_question(self, store: SolutionStore) -> None:
        need(store, Capability.ESTIMATES)
        estimates, game, question = store.estimates(), self.games[0], (self.key(1), 0)

        def hold(job: str, instead_of: str | None = None) -> str:
            return estimates.hold(game, question, job, instead_of=instead_of, rules_version=self.rules_version)

        with ThreadPoolExecutor(4) as threads:
            holders = set(threads.map(hold, [f"job-{number}" for number in range(8)]))
        assert len(holders) == 1
        [holder] = holders
        assert hold(holder) == holder and hold("other") == holder and hold("other", "job-9") == holder
        estimates.release(game, question, "other")
        assert hold("other", holder) == "other" and hold(holder, holder) == "other"
        other_question = (self.key(1), 1)
        assert estimates.hold(game, other_question, holder, instead_of=None, rules_version=self.rules_version) == holder
        estimates.release(game, question, "other")
        estimates.release(self.games[1], question, "other")
        assert hold("third") == "third"
