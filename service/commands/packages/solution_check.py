"""Checks what a package has of one game by the rules: its tables, its records, its value and its certificate."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from proofbase.engine.checking.local_check import Finding as BrokenRule
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import EngineError
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.commands.packages.described import PROGRAM
from proofbase.service.commands.packages.progress_file import ProgressFile, RecordsDone
from proofbase.service.commands.packages.table_check import TABLE_ENTRIES, CheckedTables, TableCheck
from proofbase.service.commands.stores.check_store import StoreCheck
from proofbase.service.commands.transfer.import_formats import RecordFile, open_certificate
from proofbase.service.errors import LimitExceededError
from proofbase.service.jobs.local_checks import (
    Check,
    Finding,
    NativeCheck,
    PythonCheck,
    WholeGame,
    finding_of,
    position_text,
)
from proofbase.service.jobs.record_selection import chunks_of
from proofbase.service.positions.probe import probe_position
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.words.amounts import amount
from proofbase.storage import MalformedRecordError, OnProgress, RulesVersionError, StoreDamagedError
from proofbase.storage.checksums import FINGERPRINT_LIMIT, fingerprint_of, game_seed
from proofbase.storage.package import PackageStore
from proofbase.storage.package.coding import claims_in
from proofbase.storage.package.folders import LocalFolder
from proofbase.storage.package.manifest import PackedSolution

__all__ = ["PackageCheck", "PackageQuestion", "SolutionCheck"]

LOAD = 20_000
RECORD_BYTES = 48
"""The size of a usual record in a table of records, at most."""
Item = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class PackageQuestion:
    """How a package is to be checked.

    Attributes:
        sample: so many records of each game; None for all, and all files.
        seed: of the samples.
        keep: where to copy a package from afar, to go on there after a stop; None: a temporary directory.
        progress: a file that keeps how far the check is; None: nobody does.
        by: who checks, for the manifest.
    """

    sample: int | None = None
    seed: int = 0
    keep: Path | None = None
    progress: Path | None = None
    by: str | None = None


@dataclass(slots=True)
class PackageCheck:
    """What a check has found.

    Attributes:
        url: of the package.
        found: everything that is wrong, how much was checked, and what was not.
        whole: whether everything was checked that the package says of values.
        seconds: how long it took, with those before a stop.
        checks: a block for the manifest for each game that was checked.
    """

    url: str
    found: StoreCheck = field(default_factory=StoreCheck)
    whole: bool = True
    seconds: float = 0.0
    checks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return self.found.failed == 0

    def leave_out(self, what: str) -> None:
        """Something of the package's values that was not checked."""
        self.whole = False
        self.found.passed_over.append(what)


class SolutionCheck:
    """The check of the records and tables of one game."""

    def __init__(
        self,
        resources: Resources,
        store: PackageStore,
        solution: PackedSolution,
        question: PackageQuestion,
        check: PackageCheck,
        progress: ProgressFile,
        on_progress: OnProgress,
        scratch: Path,
    ) -> None:
        self._resources, self._store, self._solution = resources, store, solution
        self._question, self._check, self._progress = question, check, progress
        self._found = check.found
        self._on_progress = on_progress
        self._scratch = scratch
        self._tables = CheckedTables()
        self._resting: bytes | None = None
        """The key of a record that rests on a table that was not verified."""

    def run(self) -> None:
        """Checks it, and adds the block for the manifest."""
        solution, before = self._solution, self._found.failed
        try:
            game = self._resources.games.open(solution.game)
            rules = self._resources.games.open_python(solution.game)
        except EngineError as error:
            self._check.leave_out(f"{amount(solution.records, 'record')} of {solution.game}: {error}")
            return
        if game.rules_version != solution.rules_version:
            detail = (
                f"it follows rules version {solution.rules_version}, the rules here are version {game.rules_version}"
            )
            self._found.add("records", solution.game, detail)
            return
        records = 0
        try:
            self._tables = self._checked_tables(game, rules)
            records = self._records(game, rules) if solution.records else 0
            of_tables = game if is_native(game) and self._question.sample is None else rules
            self._stated(of_tables)
        except StoreDamagedError as error:
            self._found.add("blocks", solution.game, str(error))
            records = 0
            self._tables = CheckedTables()
        sample = self._question.sample
        self._check.checks.append(
            {
                "game": solution.game,
                "by": self._question.by,
                "when": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "program": PROGRAM,
                "rules": "native" if is_native(game) else "python",
                "rules_version": game.rules_version,
                "fingerprint": f"{solution.fingerprint:016x}",
                "records": records,
                "sample": None if sample is None else {"records": sample, "seed": self._question.seed},
                "table_entries": self._tables.entries,
                "failed": self._found.failed - before,
            }
        )

    def _checked_tables(self, game: Game[Any], rules: Game[Any]) -> CheckedTables:
        """The tables, verified where that is possible."""
        blocks, question = self._store.packed_tables(game.name), self._question
        if blocks is None:
            return CheckedTables()
        check = TableCheck(rules, blocks, question.seed, self._found, self._on_progress)
        if question.sample is None and is_native(game):
            scratch = self._scratch / f"tables{len(self._check.checks)}"
            tables = check.verified(game, scratch, self._resources.limits)
        else:
            why = "only a sample was asked for" if question.sample else "its rules are in Python"
            tables = check.sampled(question.sample or TABLE_ENTRIES, why)
        if tables.left_out:
            self._check.leave_out(tables.left_out)
        return tables

    # Records

    def _records(self, game: Game[Any], rules: Game[Any]) -> int:
        """Checks the records. Returns how many were checked: not those that rest on tables that were not verified."""
        if self._question.sample is not None:
            return self._sampled_records(game, rules)
        after, checked, failed, resting = self._progress.of(game.name)
        if failed:
            self._found.failed += failed
        whole = self._loaded(game, self._tables.verified)
        check = self._new_check(game, rules, self._tables.verified, whole)
        total = self._solution.records
        for items, damaged in self._chunks(game, whole, after, check.chunk):
            findings, unverified = self._findings(game, rules, check, items)
            self._add(findings)
            for error in damaged:
                self._found.add("records", game.name, str(error))
            resting += len(unverified)
            checked += len(items) + len(damaged) - len(unverified)
            failed += len({finding.key for finding in findings}) + len(damaged)
            if items:
                self._progress.save(game.name, RecordsDone(items[-1][0], checked, failed, resting))
            self._on_progress(f"records of {game.name}", checked + resting, total, "records")
        return self._counted(game, checked, resting)

    def _counted(self, game: Game[Any], checked: int, resting: int) -> int:
        """Says how many records were checked, and how many were not."""
        if resting:
            such = "" if self._resting is None else f", such as {position_text(game, self._resting)}"
            self._check.leave_out(
                f"{amount(resting, 'record')} of {game.name} resting on tables that were not verified{such}"
            )
        self._found.count_checked("records", checked)
        return checked

    def _new_check(
        self, game: Game[Any], rules: Game[Any], tables: ValueTables | None, whole: WholeGame | None = None
    ) -> Check:
        """The check of records, with these tables."""
        if is_native(game) and (self._question.sample is None or tables is None):
            return NativeCheck(game, self._store, whole, tables)
        return PythonCheck(rules, self._store, tables)

    def _findings(
        self, game: Game[Any], rules: Game[Any], check: Check, items: list[Item]
    ) -> tuple[list[Finding], set[bytes]]:
        """What is wrong with some records, and which of them pass only with tables that were not verified."""
        findings, offered = check.findings(items), self._tables.offered
        if offered is None or not findings:
            return findings, set()
        failing = {finding.key for finding in findings}
        failing_items = [item for item in items if item[0] in failing]
        findings = self._new_check(game, rules, offered).findings(failing_items)
        unverified = failing - {finding.key for finding in findings}
        self._resting = self._resting or min(unverified, default=None)
        return findings, unverified

    def _loaded(self, game: Game[Any], tables: ValueTables | None) -> WholeGame | None:
        """All records in memory, if they fit; compares their count and fingerprint in any case."""
        solution, limit = self._solution, self._resources.limits.job_memory_bytes
        table, faults = None, dict[bytes, BrokenRule]()
        if is_native(game) and solution.records * RECORD_BYTES <= limit:
            table = new_record_table(game, tables)
        damaged: list[MalformedRecordError] = []
        count, claims, mark, seed = 0, 0, 0, game_seed(game.name)
        items = self._store.scan(game.name, faults=damaged)
        while chunk := list(islice(items, LOAD)):
            try:
                mark += fingerprint_of(seed, chunk)
            except MalformedRecordError as error:
                self._found.add("records", game.name, str(error))
            if table is not None:
                broken: list[BrokenRule] = []
                table.load(chunk, broken)
                faults.update((fault.key, fault) for fault in broken)
                if table.nbytes > limit:
                    table = None
            count += len(chunk)
            claims += sum(map(claims_in, chunk))
            self._on_progress(f"read {game.name}", count, solution.records, "records")
        stated = solution.records, solution.claims, solution.fingerprint
        if not damaged and (count, claims, mark % FINGERPRINT_LIMIT) != stated:
            self._found.add(
                "records",
                game.name,
                f"the manifest says {amount(solution.records, 'record')} with {amount(solution.claims, 'claim')} and "
                f"the fingerprint {solution.fingerprint:016x}, and there are {count:,} with {claims:,} and "
                f"{mark % FINGERPRINT_LIMIT:016x}",
            )
        return None if table is None else WholeGame(table, faults, tuple(error.key or b"" for error in damaged))

    def _chunks(
        self, game: Game[Any], whole: WholeGame | None, after: bytes | None, most: int
    ) -> Iterator[tuple[list[Item], list[MalformedRecordError]]]:
        """The records to check, behind a key; from memory where they are there: then damaged ones are named first."""
        if whole is None:
            for chunk in chunks_of(self._store, game.name, None, after, most):
                yield chunk.items, chunk.damaged
            return
        if whole.damaged:
            damaged: list[MalformedRecordError] = []
            self._store.get_many(game.name, whole.damaged, damaged)
            yield [], damaged
        for items in whole.records.chunks(most):
            items_left = items if after is None or items[0][0] > after else [item for item in items if item[0] > after]
            if items_left:
                yield items_left, []

    def _sampled_records(self, game: Game[Any], rules: Game[Any]) -> int:
        """Checks records that were drawn, and that of the value which the manifest states.

        Only their blocks are read, and those of the records that they rest on.
        """
        solution, size = self._solution, self._question.sample or 0
        chance = random.Random(f"{self._question.seed} {game.name}")
        wanted = sorted(chance.sample(range(solution.records), min(size, solution.records)))
        blocks, before, keys = list(self._store.reader.blocks(solution.index)), 0, list[bytes]()
        if sum(block.records for block in blocks) != solution.records:
            self._found.add("records", game.name, "the index has another number of records than the manifest says")
        chosen = iter(wanted)
        number = next(chosen, None)
        for block in blocks:
            places = []
            while number is not None and number < before + block.records:
                places.append(number - before)
                number = next(chosen, None)
            before += block.records
            if places:
                block_keys = self._store.reader.block_keys(solution.index, block)
                keys += [block_keys[place] for place in places]
        root = self._root(rules)
        if (
            root is not None
            and rules.key(root) not in keys
            and self._store.get_many(game.name, [rules.key(root)], [])[0]
        ):
            keys.append(rules.key(root))
        check, resting = self._new_check(game, rules, None), 0
        for chunk in chunks_of(self._store, game.name, keys, None, min(check.chunk, 1000)):
            findings, unverified = self._findings(game, rules, check, chunk.items)
            self._add(findings)
            resting += len(unverified)
            for error in chunk.damaged:
                self._found.add("records", game.name, str(error))
            self._on_progress(f"records of {game.name}", 0, len(keys), "records")
        return self._counted(game, len(keys) - resting, resting)

    def _add(self, findings: list[Finding], part: str = "records") -> None:
        for finding in findings:
            where = finding.position or finding.key.hex()
            claim = f"{finding.claim}: " if finding.claim else ""
            self._found.add(part, finding.game, f"{where}: {claim}{finding.rule}: {finding.detail}")

    # What the package says of its records and tables

    def _stated(self, game: Game[Any]) -> None:
        """Compares the value and the certificate with the records and tables, and who has checked them.

        Args:
            game: the rules whose positions the tables take.
        """
        solution, name = self._solution, self._solution.game
        of_others = [
            check.get("fingerprint") != f"{solution.fingerprint:016x}"
            or check.get("records") not in range(solution.records + 1)
            for check in solution.checks
        ]
        if any(of_others):
            self._found.add("checks", name, "the manifest names a check of other records than the package has")
        elif of_others:
            checks = amount(len(of_others), "check")
            self._found.passed_over.append(f"who has checked {name} before: the package says so ({checks})")
        position = self._root(game)
        if position is None:
            self._found.add("values", name, f"its root is no position: {str(solution.root)[:200]}")
            return
        data = self._store.get_many(name, [game.key(position)], [])[0]
        self._compare_value(game, position, data, "values", "the records and tables")
        if solution.certificate is not None and self._question.sample is None:
            self._certificate(game, position, solution.certificate)

    def _root(self, game: Game[Any]) -> Any:
        """The position whose value the manifest states; None where it names none."""
        try:
            return game.initial() if self._solution.root is None else game.parse(self._solution.root)
        except (ValueError, EngineError):
            return None

    def _compare_value(self, game: Game[Any], position: Any, data: bytes | None, part: str, what: str) -> None:
        """Compares the value that the manifest states with the one of a record, or of a table."""
        (lower, upper), tables = self._solution.value, self._tables.offered or self._tables.verified
        try:
            low, high = probe_position(game, position, data, tables, witness=False).value.known_bounds
        except MalformedRecordError as error:
            self._found.add(part, self._solution.game, str(error))
            return
        if (low, high) != (lower, upper):
            detail = f"the manifest states the bounds {lower} and {upper}, {what} have {low} and {high}"
            self._found.add(part, self._solution.game, detail)

    def _certificate(self, game: Game[Any], position: Any, name: str) -> None:
        """Makes the local check of every claim of a certificate, by itself, and compares its root and value."""
        assert isinstance(self._store.folder, LocalFolder)
        try:
            with (self._store.folder.directory / name).open("rb") as stream:
                file = open_certificate(stream, self._resources.games)
                broken = self._broken(game, file, self._tables.verified)
                resting = bool(broken) and self._tables.offered is not None
                if resting:
                    broken = self._broken(game, file, self._tables.offered)
                file.fingerprint.check()
                root = game.key(position)
                if file.game.name != game.name or game.key(game.parse(str(file.root))) != root:
                    self._found.add("certificates", name, "it is of another game or position than the manifest says")
                    return
                data = next((record for key, record in file.items() if key == root), None)
        except LimitExceededError as error:
            self._check.leave_out(f"{name}: {error}")
            return
        except (EngineError, MalformedRecordError, RulesVersionError, OSError) as error:
            self._found.add("certificates", name, str(error))
            return
        self._add([finding_of(game, entry) for entry in broken], "certificates")
        self._compare_value(game, position, data, "certificates", f"the claims of {name}")
        if resting:
            self._check.leave_out(f"{name}, which rests on tables that were not verified")
        else:
            self._found.count_checked("certificates", 1)

    def _broken(self, game: Game[Any], file: RecordFile, tables: ValueTables | None) -> Sequence[BrokenRule]:
        """What is wrong with the records of a file, which have to prove each other."""
        if not is_native(game):
            return list(LocalCheck(game, tables).findings(list(file.items()), lambda keys: [None] * len(keys)))
        limit = self._resources.limits.job_memory_bytes
        table, faults, items = new_record_table(game, tables), list[BrokenRule](), file.items()
        while chunk := list(islice(items, LOAD)):
            table.load(chunk, faults)
            if table.nbytes > limit:
                message = f"its records need more than {limit:,} bytes of memory (job_memory_bytes)"
                raise LimitExceededError(message, limit="job_memory_bytes", largest=limit)
        return [*faults, *table.check().findings]
