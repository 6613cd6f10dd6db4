"""A verification: the local check of every record that was asked for."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from proofbase.engine.errors import EngineError
from proofbase.engine.rules import Game
from proofbase.service.answers import Cut
from proofbase.service.jobs.checking import Check, NativeCheck, PythonCheck, WholeGame, load_sound
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.model import Finding, VerificationProgress, VerificationResult, VerificationSpec
from proofbase.service.jobs.selection import below, chunks_of, sample_keys
from proofbase.service.native import new_table
from proofbase.service.positions import find_position

if TYPE_CHECKING:
    from proofbase.service.application import Application

__all__ = ["VerificationWork"]

SAVE_SECONDS = 10.0
RECORD_BYTES = 48
"""Bytes of a record in a table, at the most in the usual case."""
LOAD_CHUNK = 20_000


@dataclass
class _Done:
    """How far it is; kept over restarts."""

    games: list[str] = field(default_factory=list)
    """Games that are done."""
    after: str | None = None
    """Hexadecimal key of the last record checked of the game under way."""
    checked: int = 0
    failed: int = 0
    quarantined: int = 0
    seconds: float = 0.0
    findings: list[dict[str, Any]] = field(default_factory=list)
    failed_keys: list[str] = field(default_factory=list)
    """Of the game under way, for the quarantine."""


class VerificationWork:
    """The work of one verification.

    It reads the store itself, not the service's copies of it: what is to be found may have been changed behind the
    store's back.
    """

    def __init__(self, app: Application, control: JobControl, spec: VerificationSpec) -> None:
        self._app = app
        self._control = control
        self._spec = spec
        self._done = _Done(**control.private.get("done", {}))
        self._game: str | None = None
        self._total = 0
        self._started = time.monotonic()
        self._saved = self._started

    def run(self) -> VerificationResult:
        """Checks game after game."""
        self._started = self._saved = time.monotonic()
        entries = {entry.name: entry for entry in self._app.store.games()}
        names = sorted(entries) if self._spec.game is None else [self._spec.game]
        self._total = sum(entries[name].records for name in names if name in entries)
        if self._spec.sample is not None:
            self._total = sum(min(self._spec.sample, self._app.store.count(name)) for name in names)
        for name in names:
            if name in self._done.games or name not in entries:
                continue
            self._game = name
            self._verify(name, entries[name].rules_version)
            self._done.games.append(name)
            self._done.after, self._done.failed_keys = None, []
            self._save()
        return self._result()

    def progress(self) -> VerificationProgress:
        """Counts over all games."""
        seconds = self._seconds()
        return VerificationProgress(
            game=self._game,
            checked=self._done.checked,
            total=self._total,
            failed=self._done.failed,
            seconds=seconds,
            records_per_second=self._done.checked / seconds if seconds > 0 else 0.0,
        )

    def _verify(self, name: str, rules_version: int) -> None:
        python = self._spec.rules == "python"
        try:
            game = self._app.games.specification(name) if python else self._app.games.open(name)
        except EngineError as error:
            self._fail_all(name, "unknown-game", str(error))
            return
        if game.rules_version != rules_version:
            detail = (
                f"the records follow rules version {rules_version}, the rules here are version {game.rules_version}"
            )
            self._fail_all(name, "rules-version", detail)
            return
        keys = self._keys(game)
        whole = self._whole_game(game) if not python and keys is None else None
        tables = self._app.tables.of(game)
        check: Check
        if python:
            check = PythonCheck(game, self._app.store, tables)
        else:
            check = NativeCheck(game, self._app.store, whole, tables)
        after = None if self._done.after is None else bytes.fromhex(self._done.after)
        for chunk in chunks_of(self._app.store, name, keys, after, check.chunk):
            self._stop_if_asked()
            self._count(check.findings(chunk), len(chunk))
            if chunk:
                self._done.after = chunk[-1][0].hex()
            if time.monotonic() - self._saved > SAVE_SECONDS:
                self._save()
        if self._spec.quarantine and self._done.failed_keys:
            self._quarantine(self._app.games.open(name))

    def _keys(self, game: Game[Any]) -> list[bytes] | None:
        """The keys to check, ascending; None for all."""
        store, spec = self._app.store, self._spec
        keys = None
        if spec.position is not None:
            root = game.key(find_position(game, spec.position))
            keys = []
            for key, _ in below(store, game, root):
                keys.append(key)
                if len(keys) % 1000 == 0:
                    self._stop_if_asked()
            keys.sort()
            self._total = len(keys)
            if spec.sample is not None and spec.sample < len(keys):
                import random

                keys = sorted(random.Random(spec.seed).sample(keys, spec.sample))
                self._total = len(keys)
        elif spec.sample is not None:
            keys = sample_keys(store, game.name, spec.sample, spec.seed)
        return keys

    def _whole_game(self, game: Game[Any]) -> WholeGame | None:
        """All records of a game in memory, when they fit."""
        store = self._app.store
        limit = self._app.limits.job_memory_bytes
        if store.count(game.name) * RECORD_BYTES > limit:
            return None
        table, faults = new_table(game, self._app.tables.of(game)), dict[bytes, Finding]()
        items = store.scan(game.name)
        while chunk := list(islice(items, LOAD_CHUNK)):
            self._stop_if_asked()
            faults.update((finding.key, finding) for finding in load_sound(game, table, chunk))
            if table.nbytes > limit:
                return None
        return WholeGame(table, faults)

    def _count(self, findings: list[Finding], checked: int) -> None:
        done = self._done
        done.checked += checked
        keys = list(dict.fromkeys(finding.key.hex() for finding in findings))
        done.failed += len(keys)
        if self._spec.quarantine:
            done.failed_keys += keys
        room = self._app.limits.findings - len(done.findings)
        for finding in findings[: max(0, room)]:
            done.findings.append({**asdict(finding), "key": finding.key.hex()})

    def _fail_all(self, name: str, rule: str, detail: str) -> None:
        """No record of this game can be checked: then none of them counts as sound."""
        self._count([Finding(name, b"", None, None, rule, detail)], 0)
        self._done.failed += self._app.store.count(name) - 1
        self._done.failed_keys = []

    def _quarantine(self, game: Game[Any]) -> None:
        """Moves what failed, and then whatever fails without it, until the rest stands on its own."""
        reason = f"verification {self._control.job.id}: "
        failed = [bytes.fromhex(key) for key in self._done.failed_keys]
        why = "fails the local check"
        while failed:
            self._done.quarantined += self._app.cache.quarantine(game.name, failed, reason + why)
            why = "rests on records that fail"
            failed = self._resting_on_nothing(game)

    def _resting_on_nothing(self, game: Game[Any]) -> list[bytes]:
        """Keys of records that fail now, of the whole game."""
        check = NativeCheck(game, self._app.store, self._whole_game(game), self._app.tables.of(game))
        failed: dict[bytes, None] = {}
        for chunk in chunks_of(self._app.store, game.name, None, None, check.chunk):
            self._stop_if_asked()
            failed.update(dict.fromkeys(finding.key for finding in check.findings(chunk)))
        return list(failed)

    def _result(self) -> VerificationResult:
        done, seconds = self._done, self._seconds()
        kept = tuple(Finding(**{**entry, "key": bytes.fromhex(entry["key"])}) for entry in done.findings)
        cut = None
        if len(kept) >= self._app.limits.findings:
            cut = Cut("count", f"{len(kept)} findings are kept; {done.failed} records failed in all")
        return VerificationResult(
            checked=done.checked,
            failed=done.failed,
            seconds=seconds,
            records_per_second=done.checked / seconds if seconds > 0 else 0.0,
            findings=kept,
            quarantined=done.quarantined,
            cut=cut,
        )

    def _stop_if_asked(self) -> None:
        if self._control.reason is not None:
            self._keep()
            raise Stopped(self._result() if self._control.reason == "cancel" else None)

    def _save(self) -> None:
        self._saved = time.monotonic()
        self._keep()
        self._control.save(self.progress())

    def _keep(self) -> None:
        self._control.private["done"] = {**asdict(self._done), "seconds": self._seconds()}

    def _seconds(self) -> float:
        return self._done.seconds + time.monotonic() - self._started
