"""Checks a package from end to end: its files, its indexes, and by the rules what it claims."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from proofbase import __version__
from proofbase.engine.checking.certificate import CertificateReader, check_seal
from proofbase.engine.checking.local_check import Finding as BrokenRule
from proofbase.engine.errors import DamagedTableError, EngineError, MalformedCertificateError
from proofbase.engine.rules import Game
from proofbase.engine.tables import ValueTables
from proofbase.service.commands.packages.mirror import copy_package, file_fault
from proofbase.service.commands.packages.progress_file import ProgressFile
from proofbase.service.commands.stores.check_store import StoreCheck
from proofbase.service.commands.transfer.packed_table_file import write_table_file
from proofbase.service.jobs.local_checks import Check, Finding, NativeCheck, PythonCheck, WholeGame
from proofbase.service.jobs.record_selection import chunks_of
from proofbase.service.limits import Limits
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table, open_tables
from proofbase.service.resources.packed_tables import StoredTables
from proofbase.storage import MalformedRecordError, Report, StoreDamagedError
from proofbase.storage.checksums import FINGERPRINT_LIMIT, fingerprint_of, game_seed
from proofbase.storage.package import PackageStore, open_folder
from proofbase.storage.package.folders import LocalFolder
from proofbase.storage.package.manifest import PackedSolution

__all__ = ["PackageCheck", "PackageQuestion", "check_package"]

LOAD = 20_000
TABLE_ENTRIES = 1_000
"""Entries of the tables of a game that are compared with their moves."""
TRIES_FOR_AN_ENTRY = 1_000
"""Numbers that are drawn for one of them where few numbers have a position (Othello)."""
RECORD_BYTES = 48
"""Of a usual record in a table of records, at the most."""
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
        found: everything that is wrong, and how much was read.
        seconds: how long it took, with those before a stop.
        checks: a block for the manifest for each game that was checked.
    """

    url: str
    found: StoreCheck = field(default_factory=StoreCheck)
    seconds: float = 0.0
    checks: list[dict[str, Any]] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return self.found.failed == 0


def check_package(url: str, question: PackageQuestion, limits: Limits, report: Report) -> PackageCheck:
    """Checks the package at a URL or in a directory.

    All of it: the size and the SHA-256 of each file, every block, counts and fingerprints, every record by the local
    check, a thousand entries of the tables of each game by their moves, and the seals of the certificates.
    With a sample: the index, and by the rules the records and entries that were drawn; only these are read.

    Args:
        url: of the package.
        question: what to check.
        limits: of memory.
        report: told how far it is.

    Raises:
        StoreNotFoundError, NotAStoreError, StoreVersionError, StoreUnavailableError: there is no such package.
    """
    folder = open_folder(url)
    check = PackageCheck(folder.url)
    began = time.monotonic()
    try:
        store = PackageStore(folder)
    except StoreDamagedError as error:
        folder.close()
        check.found.add("files", "manifest.json", str(error))
        return check
    with store, TemporaryDirectory(prefix="proofbase-check-") as scratch:
        progress = ProgressFile(question.progress, store.manifest.document["checksum"], question.sample, question.seed)
        local = store
        if question.sample is None:
            if folder.remote:
                directory = question.keep or Path(scratch) / "package"
                try:
                    copy_package(store, directory, report)
                except StoreDamagedError as error:
                    check.found.add("files", "", str(error))
                    return check
                local = PackageStore(LocalFolder(directory))
            else:
                _check_files(local, check.found, report)
        with local, Resources(local, limits) as resources:
            for solution in local.manifest.solutions.values():
                work = _SolutionCheck(resources, local, solution, question, check, progress, report, Path(scratch))
                work.run()
        check.seconds = progress.finish(time.monotonic() - began)
    return check


def _check_files(store: PackageStore, found: StoreCheck, report: Report) -> None:
    assert isinstance(store.folder, LocalFolder)
    for file in store.manifest.files.values():
        fault = file_fault(store.folder.directory, file, report)
        found.checked["files"] = found.checked.get("files", 0) + 1
        if fault is not None:
            found.add("files", file.name, fault)


class _SolutionCheck:
    """The check of the records and tables of one game."""

    def __init__(
        self,
        resources: Resources,
        store: PackageStore,
        solution: PackedSolution,
        question: PackageQuestion,
        check: PackageCheck,
        progress: ProgressFile,
        report: Report,
        scratch: Path,
    ) -> None:
        self._resources, self._store, self._solution = resources, store, solution
        self._question, self._check, self._progress = question, check, progress
        self._found = check.found
        self._report = report
        self._scratch = scratch

    def run(self) -> None:
        """Checks it, and adds the block for the manifest."""
        solution, before = self._solution, self._found.failed
        try:
            game = self._resources.games.open(solution.game)
            rules = self._resources.games.open_python(solution.game)
        except EngineError as error:
            self._found.passed_over.append(f"{solution.records:,} records of {solution.game} were not checked: {error}")
            return
        if game.rules_version != solution.rules_version:
            detail = (
                f"it follows rules version {solution.rules_version}, the rules here are version {game.rules_version}"
            )
            self._found.add("records", solution.game, detail)
            return
        try:
            tables = self._tables(game, rules)
            records = self._records(game, rules, tables) if solution.records else 0
            entries = self._entries(rules) if solution.tables else 0
            self._certificate()
        except StoreDamagedError as error:
            self._found.add("blocks", solution.game, str(error))
            records = entries = 0
        sample = self._question.sample
        self._check.checks.append(
            {
                "game": solution.game,
                "by": self._question.by,
                "when": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "program": f"proofbase {__version__}",
                "rules": "native" if is_native(game) else "python",
                "rules_version": game.rules_version,
                "fingerprint": f"{solution.fingerprint:016x}",
                "records": records,
                "sample": None if sample is None else {"records": sample, "seed": self._question.seed},
                "table_entries": entries,
                "failed": self._found.failed - before,
            }
        )

    # Tables

    def _tables(self, game: Game[Any], rules: Game[Any]) -> ValueTables | None:
        """The tables, as the records' check reads them. All blocks are read, unless a sample is asked for."""
        blocks = self._store.packed_tables(game.name)
        if blocks is None:
            return None
        if self._question.sample is not None or not is_native(game):
            return StoredTables(rules, blocks)
        directory = self._scratch / f"tables{len(self._check.checks)}"
        directory.mkdir()
        for about in blocks.tables.values():
            try:
                write_table_file(directory, rules, about, blocks, self._report)
            except (DamagedTableError, StoreDamagedError) as error:
                self._found.add("tables", about.name, str(error))
            self._found.checked["tables"] = self._found.checked.get("tables", 0) + 1
        return open_tables(game, directory)

    def _entries(self, rules: Game[Any]) -> int:
        """Compares entries that were drawn with the best of their moves. Returns how many."""
        blocks = self._store.packed_tables(rules.name)
        assert blocks is not None
        tables = StoredTables(rules, blocks)
        chance = random.Random(f"{self._question.seed} {rules.name}")
        abouts = list(blocks.tables.values())
        names = chance.choices(abouts, [about.entries for about in abouts], k=self._question.sample or TABLE_ENTRIES)
        positions = []
        for about in names:
            of_values = about.name if rules.table_game.table_class(about.name) else about.name.removesuffix("-plies")
            for _ in range(1 if rules.table_game.tables_by_size else TRIES_FOR_AN_ENTRY):
                position = rules.table_game.table_position(of_values, chance.randrange(about.entries))
                if position is not None and (rules.table_game.tables_by_size or tables.value(position) is not None):
                    positions.append((about.name, position))
                    break
        for done, (name, position) in enumerate(positions):
            self._report("entries of tables", done, len(positions), "entries")
            fault = _entry_fault(rules.table_game, tables, position)
            if fault is not None:
                self._found.add("tables", name, f"{rules.table_game.text(position)}: {fault}")
        known = {(finding.where, finding.detail) for finding in self._found.findings}
        for name, message in tables.damaged():
            if (name, message) not in known:
                self._found.add("tables", name, message)
        self._found.checked["entries of tables"] = self._found.checked.get("entries of tables", 0) + len(positions)
        return len(positions)

    # Records

    def _records(self, game: Game[Any], rules: Game[Any], tables: ValueTables | None) -> int:
        """Checks the records. Returns how many."""
        if self._question.sample is not None:
            return self._sampled_records(game, rules, tables)
        checked, failed = self._progress.of(game.name)[1:]
        if failed:
            self._found.failed += failed
        whole = self._loaded(game, tables)
        check: Check
        if is_native(game):
            check = NativeCheck(game, self._store, whole, tables)
        else:
            check = PythonCheck(rules, self._store, tables)
        after = self._progress.of(game.name)[0]
        total = self._solution.records
        for items, damaged in self._chunks(game, whole, after, check.chunk):
            findings = check.findings(items)
            self._add(findings)
            for error in damaged:
                self._found.add("records", game.name, str(error))
            checked += len(items) + len(damaged)
            failed += len({finding.key for finding in findings}) + len(damaged)
            if items:
                self._progress.save(game.name, items[-1][0], checked, failed)
            self._report(f"records of {game.name}", checked, total, "records")
        self._found.checked["records"] = self._found.checked.get("records", 0) + checked
        return checked

    def _loaded(self, game: Game[Any], tables: ValueTables | None) -> WholeGame | None:
        """All records in memory, if they fit; compares their count and fingerprint in any case."""
        solution, limit = self._solution, self._resources.limits.job_memory_bytes
        table, faults = None, dict[bytes, BrokenRule]()
        if is_native(game) and solution.records * RECORD_BYTES <= limit:
            table = new_record_table(game, tables)
        damaged: list[MalformedRecordError] = []
        count, mark, before, seed = 0, 0, b"", game_seed(game.name)
        items = self._store.scan(game.name, faults=damaged)
        while chunk := list(islice(items, LOAD)):
            if chunk[0][0] <= before:
                self._found.add("records", game.name, "the keys do not ascend from block to block")
            before = chunk[-1][0]
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
            self._report(f"read {game.name}", count, solution.records, "records")
        if not damaged and (count, mark % FINGERPRINT_LIMIT) != (solution.records, solution.fingerprint):
            self._found.add(
                "records",
                game.name,
                f"the manifest says {solution.records:,} records with the fingerprint {solution.fingerprint:016x}, and "
                f"there are {count:,} with {mark % FINGERPRINT_LIMIT:016x}",
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
            left = items if after is None or items[0][0] > after else [item for item in items if item[0] > after]
            if left:
                yield left, []

    def _sampled_records(self, game: Game[Any], rules: Game[Any], tables: ValueTables | None) -> int:
        """Checks records that were drawn; only their blocks are read, and those of the records that they rest on."""
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
                found = self._store.reader.block_keys(solution.index, block)
                keys += [found[place] for place in places]
        check: Check = PythonCheck(rules, self._store, tables)
        if is_native(game) and tables is None:
            check = NativeCheck(game, self._store)
        for chunk in chunks_of(self._store, game.name, keys, None, min(check.chunk, 1000)):
            self._add(check.findings(chunk.items))
            for error in chunk.damaged:
                self._found.add("records", game.name, str(error))
            self._report(f"records of {game.name}", 0, len(keys), "records")
        self._found.checked["records"] = self._found.checked.get("records", 0) + len(keys)
        return len(keys)

    def _add(self, findings: list[Finding]) -> None:
        for finding in findings:
            where = finding.position or finding.key.hex()
            claim = f"{finding.claim}: " if finding.claim else ""
            self._found.add("records", finding.game, f"{where}: {claim}{finding.rule}: {finding.detail}")

    def _certificate(self) -> None:
        """Compares the seal of the certificate, and what it is of."""
        name = self._solution.certificate
        if name is None or self._question.sample is not None:
            return
        assert isinstance(self._store.folder, LocalFolder)
        self._found.checked["certificates"] = self._found.checked.get("certificates", 0) + 1
        try:
            with (self._store.folder.directory / name).open("rb") as file:
                check_seal(file)
                file.seek(0)
                header = CertificateReader(file).header
        except (MalformedCertificateError, OSError) as error:
            self._found.add("certificates", name, str(error))
            return
        lower, upper = self._solution.value  # a bound that says nothing is known without a claim
        same = header.lower in (None, lower) and header.upper in (None, upper)
        if header.game != self._solution.game or not same:
            self._found.add("certificates", name, "it is of another game or value than the manifest says")


def _entry_fault(rules: Game[Any], tables: ValueTables, position: Any) -> str | None:
    """What is wrong with the entry of a position, by its moves; None where it is their best."""
    value, end = tables.value(position), rules.terminal(position)
    if end is not None or value is None:
        return None if value in (end, None) else f"the game is over and worth {end}, and the table says {value}"
    worths: list[int] = []
    for move in rules.moves(position):
        child = rules.play(position, move)
        after = rules.terminal(child)
        if after is None:
            after = tables.value(child)
        if after is None:
            return f"the move {rules.move_text(position, move)} leads to a position without a value"
        worths.append(rules.reward(position, move) - after)
    return None if max(worths) == value else f"the table says {value}, and the best move is worth {max(worths)}"
