"""Changed certificates of several games through every reader of records and every check of certificates.

    python tests/engine/checks/trial_check_and_import.py --mutants 20000 [--seed 1]

The three readers of records read the same bytes. `check` and `import` into an empty store, by the native check and by
the rules in plain Python, accept the same certificates; what they accept is true by brute force. Any deviation raises
AssertionError with the mutant.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

from certificate_mutants import SUBJECTS, Subject, is_true, items_of, mutants

from proofbase.engine._core import RecordTable
from proofbase.engine.checking import checker
from proofbase.engine.errors import ContradictionError, EngineError
from proofbase.engine.games import open_game, register
from proofbase.engine.records import MalformedRecordError, decode_record
from proofbase.engine.rules import FAMILIES
from proofbase.service.answers import ImportResult
from proofbase.service.commands.transfer.import_records import import_records
from proofbase.service.errors import ServiceError
from proofbase.service.resources import Resources
from proofbase.storage import StoreError, open_store

Rules = Literal["native", "python"]


class Importer:
    """Imports certificates, each into an empty store."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.resources = self._empty()

    def _empty(self) -> Resources:
        return Resources(open_store("memory:"), rules=self._rules)

    def take(self, data: bytes) -> ImportResult:
        """Imports a certificate and leaves it in the store."""
        return import_records(self.resources, [data])

    def refusal(self, data: bytes) -> str:
        """Why a certificate is refused; empty when it is taken. Then the next one comes into an empty store again."""
        before = self.resources.store.games()
        try:
            self.take(data)
        except (EngineError, StoreError, ServiceError) as error:
            assert self.resources.store.games() == before, "a refused certificate leaves nothing"
            return f"{type(error).__name__}: {error}"
        self.resources.close()
        self.resources = self._empty()
        return ""


def compare_readers(data: bytes, table: Any, key: bytes) -> bool:
    """Holds the three readers against each other on the bytes of a record; returns whether they read it."""
    try:
        record = decode_record(data)
    except MalformedRecordError:
        record = None
    try:
        claims = checker.read_record(data)
    except ValueError:
        claims = []
    try:
        table.put(key, data)
        native = True
    except MalformedRecordError:
        native = False
    except ContradictionError:  # it was read
        native = True
    table.remove([key])
    assert native == (record is not None), data.hex()
    assert bool(claims) == (record is not None and not record.has_sources), data.hex()
    if record is not None and claims:
        assert [str(claim.evidence).replace(" ", "_") for claim in claims] == [
            claim.evidence.name.lower() for claim in record.claims
        ]
        assert [(c.bound, c.rank, c.witness) for c in claims] == [(c.bound, c.rank, c.witness) for c in record.claims]
        assert [list(claim.lines) for claim in claims] == [claim.lines for claim in record.claims]
    return bool(claims)


def run(name: str, subject: Subject, number: int, seed: object) -> Counter[str]:
    """Tries so many mutants of one certificate."""
    game = subject.game
    family = game.name.partition(":")[0]
    if all(entry.name != family for entry in FAMILIES):
        register(family, lambda: game)
    native = open_game(game.name)
    table, key = RecordTable(native), native.key(native.initial())
    importers = [Importer("native"), Importer("python")]
    counts: Counter[str] = Counter()
    assert checker.check_certificate(subject.data, game).valid and not any(i.refusal(subject.data) for i in importers)
    original = {record for _, record in items_of(subject.data)}
    for data in mutants(subject, f"{name} {seed}", number):
        counts["mutants"] += 1
        for _, record in items_of(data):
            if record not in original:
                counts["records"] += 1
                counts["records read"] += compare_readers(record, table, key)
        result = checker.check_certificate(data, game)
        refusals = [importer.refusal(data) for importer in importers]
        if [not refusal for refusal in refusals] != [result.valid] * 2:
            raise AssertionError(f"{data!r}\ncheck: {result.findings[:1]}\nimport: {refusals}")
        if result.valid:
            counts["accepted"] += 1
            if not is_true(subject, data):
                raise AssertionError(f"a false certificate is accepted: {data!r}")
    return counts


def main() -> None:
    """Runs the trial and prints what was counted."""
    parser = argparse.ArgumentParser(description="Changed certificates through check and import.")
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for name, subject in SUBJECTS.items():
        started = time.perf_counter()
        counts = run(name, subject(), options.mutants // len(SUBJECTS), options.seed)
        total += counts
        print(f"{name}: {dict(counts)}, {time.perf_counter() - started:.0f} s", flush=True)
    print(f"all: {dict(total)}; check and import agree on each, and everything accepted is true")


if __name__ == "__main__":
    main()
