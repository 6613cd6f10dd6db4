"""A verification: the local check of every record that was asked for."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from proofbase import __version__
from proofbase.engine.errors import EngineError
from proofbase.engine.rules import Game
from proofbase.service.answers import Cut
from proofbase.service.answers.bounds import first_page, message_bytes
from proofbase.service.answers.verifications import Verification
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.failing_claims import Failing, failing_among, failing_claims, whole_game
from proofbase.service.jobs.local_checks import (
    Check,
    Finding,
    NativeCheck,
    PythonCheck,
    audit_finding,
    damage,
)
from proofbase.service.jobs.record_selection import below, chunks_of, sample_keys
from proofbase.service.jobs.repair import repair
from proofbase.service.limits import FINDING_BYTES
from proofbase.service.positions import find_position
from proofbase.service.resources import Resources
from proofbase.service.resources.verifications import keep_verification
from proofbase.storage import Capability, MalformedRecordError

__all__ = ["Unchecked", "VerificationProgress", "VerificationResult", "VerificationSpec", "VerificationWork"]

SAVE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class VerificationSpec:
    """What is to be verified: everything, one game (`game`), or what a position's claims rest on (`position`)."""

    game: str | None = None
    position: str | None = None
    sample: int | None = None
    seed: int = 0
    rules: Literal["native", "python"] = "native"
    quarantine: bool = False
    zones: bool = False
    repair: bool = False

    @property
    def action(self) -> str:
        """What the job does."""
        return "verify"

    @property
    def subject(self) -> str:
        """The game and the position."""
        return f"{self.game or 'all games'} {self.position or ''}".strip()


@dataclass(frozen=True, slots=True)
class VerificationProgress:
    """How far a verification is; `total` is 0 while it is not known."""

    game: str | None = None
    checked: int = 0
    total: int = 0
    failed: int = 0
    seconds: float = 0.0
    records_per_second: float = 0.0

    @property
    def text(self) -> str | None:
        """How many records were checked, and how many of them fail."""
        if not self.checked:
            return None
        return f"{self.checked:,} records, {self.records_per_second:,.0f}/s, {self.failed:,} fail"

    @property
    def share(self) -> tuple[int, int] | None:
        """Records checked, of all that are to be checked."""
        return (self.checked, self.total) if self.total else None


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A game whose records could not be checked, because its rules could not be opened: they neither pass nor fail."""

    game: str
    records: int
    reason: str


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What a verification found."""

    checked: int
    failed: int
    seconds: float
    records_per_second: float
    findings: tuple[Finding, ...] = ()
    quarantined: int = 0
    cut: Cut | None = None
    unchecked: tuple[Unchecked, ...] = ()
    repaired: int = 0

    def __post_init__(self) -> None:
        kept, more = first_page(self.findings, room=FINDING_BYTES)
        if more:
            cut = Cut("bytes", f"{len(kept)} findings are kept; {self.failed} records failed in all")
            object.__setattr__(self, "findings", tuple(kept))
            object.__setattr__(self, "cut", cut)

    @property
    def outcome(self) -> str:
        """The answer in a few words."""
        moved = f", {self.repaired:,} repaired" if self.repaired else ""
        moved += f", {self.quarantined:,} in quarantine" if self.quarantined else ""
        unchecked = f", {sum(game.records for game in self.unchecked):,} not checked" if self.unchecked else ""
        return f"{self.checked:,} records, {f'{self.failed:,} fail' if self.failed else 'all pass'}{moved}{unchecked}"


@dataclass
class _Done:
    """How far the verification is; kept over restarts."""

    games: list[str] = field(default_factory=list)
    """Games that are done."""
    after: str | None = None
    """Hexadecimal key of the last record checked of the game that is being verified."""
    checked: int = 0
    failed: int = 0
    quarantined: int = 0
    repaired: int = 0
    seconds: float = 0.0
    findings: list[dict[str, Any]] = field(default_factory=list)
    unchecked: list[dict[str, Any]] = field(default_factory=list)
    failed_keys: list[str] = field(default_factory=list)
    """Hexadecimal keys of the records of that game that fail, for the quarantine."""
    repaired_keys: list[str] | None = None
    """Hexadecimal keys of the records that have to be checked once more, since a repair is done; None before it."""
    last_source: int | None = None
    """The highest number of a source when the check of that game began; None where the store is only read."""
    before: list[int] = field(default_factory=lambda: [0, 0])
    """Records that were checked, and that failed, in the games before that game."""


class VerificationWork:
    """The work of one verification.

    It reads the store itself, not the service's copies of its records: a verification has to find what was changed
    behind the store's back.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: VerificationSpec) -> None:
        self._resources = resources
        self._control = control
        self._spec = spec
        self._done = _Done(**control.private.get("done", {}))
        self._finding_bytes = 0
        self._game: str | None = None
        self._total = 0
        self._started = time.monotonic()
        self._saved = self._started

    def run(self) -> VerificationResult:
        """Checks game after game."""
        self._started = self._saved = time.monotonic()
        entries = {entry.name: entry for entry in self._resources.store.games()}
        names = sorted(entries) if self._spec.game is None else [self._spec.game]
        self._total = sum(entries[name].records for name in names if name in entries)
        if self._spec.sample is not None:
            self._total = sum(min(self._spec.sample, self._resources.store.count(name)) for name in names)
        for name in names:
            if name in self._done.games or name not in entries:
                continue
            self._game = name
            self._verify(name, entries[name].rules_version)
            self._done.games.append(name)
            self._done.after, self._done.failed_keys, self._done.repaired_keys = None, [], None
            self._done.last_source, self._done.before = None, [self._done.checked, self._done.failed]
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
            game = self._resources.games.open_python(name) if python else self._resources.games.open(name)
        except EngineError as error:
            unchecked = Unchecked(name, self._resources.store.count(name), str(error))
            self._done.unchecked.append(asdict(unchecked))
            return
        if game.rules_version != rules_version:
            detail = (
                f"the records follow rules version {rules_version}, the rules here are version {game.rules_version}"
            )
            self._fail_all(name, "rules-version", detail)
            return
        if self._done.last_source is None and self._is_kept():
            self._done.last_source = self._resources.store.close_sources(name)
        keys = self._keys(game)
        whole = whole_game(self._resources, game, self._stop_if_asked) if not python and keys is None else None
        tables = self._resources.tables.of(game)
        check: Check
        if python:
            check = PythonCheck(game, self._resources.store, tables, zones=self._spec.zones)
        else:
            check = NativeCheck(game, self._resources.store, whole, tables, zones=self._spec.zones)
        if self._done.repaired_keys is None:
            with self._control.giving_way():
                self._check_records(game, check, keys)
            if self._spec.repair and self._done.failed_keys:
                self._repair(self._resources.games.open(name))
        if self._done.repaired_keys:
            self._check_repaired(game, self._fresh(check, game))
        if self._spec.quarantine and self._done.failed_keys:
            self._quarantine(self._resources.games.open(name), self._fresh(check, game))
        if keys is None:
            self._audit(name)
        if self._done.last_source is not None:
            self._note(game, self._done.last_source)

    def _is_kept(self) -> bool:
        """Whether the store keeps what the verification finds."""
        store = self._resources.store
        return not store.read_only and {Capability.ANNOTATIONS, Capability.CLOSED_SOURCES} <= store.capabilities

    def _note(self, game: Game[Any], last_source: int) -> None:
        """Keeps the verification of one game with the store."""
        done, spec = self._done, self._spec
        checked, failed = done.checked - done.before[0], done.failed - done.before[1]
        verification = Verification(
            id=self._control.job.id,
            finished=time.time(),
            program=f"proofbase {__version__}",
            rules=spec.rules,
            rules_version=game.rules_version,
            checked=checked,
            failed=failed,
            position=spec.position,
            by=self._control.job.started_by,
        )
        key = b"" if spec.position is None else game.key(find_position(game, spec.position))
        # A quarantine moves what fails with all that rests on it: what is left has passed.
        passed = not failed or spec.quarantine
        keep_verification(
            self._resources.store.annotations(),
            game.name,
            key,
            verification,
            last_source=last_source,
            covered=passed and spec.sample is None,
            sample=spec.sample,
        )

    def _check_records(
        self, game: Game[Any], check: Check, keys: list[bytes] | None, *, once_more: bool = False
    ) -> None:
        """Checks those records, or all of them, that come after the last one that was checked."""
        after = None if self._done.after is None else bytes.fromhex(self._done.after)
        for chunk in chunks_of(self._resources.store, game.name, keys, after, check.chunk):
            self._stop_if_asked()
            damages = [damage(game, error) for error in chunk.damaged]
            self._count(damages + check.findings(chunk.items), 0 if once_more else len(chunk.items) + len(damages))
            if chunk.items or damages:
                self._done.after = chunk.last.hex()
            self._control.begin_work()
            if time.monotonic() - self._saved > SAVE_SECONDS:
                self._save()

    def _repair(self, game: Game[Any]) -> None:
        """Proves anew what failing records rest on. These are to be checked once more then, and no longer count."""
        done, control = self._done, self._control
        done.quarantined += repair(
            self._resources,
            game,
            self._stop_if_asked,
            lambda: control.reason is not None,
            may_replace=self._spec.quarantine,
        )
        done.repaired_keys, done.failed_keys, done.after = sorted(done.failed_keys), [], None
        done.failed -= len(done.repaired_keys)
        done.findings = [entry for entry in done.findings if entry["game"] != game.name]

    def _check_repaired(self, game: Game[Any], check: Check) -> None:
        """Checks once more what failed before the repair."""
        done = self._done
        repaired = done.repaired_keys or []
        self._check_records(game, check, [bytes.fromhex(key) for key in repaired], once_more=True)
        done.repaired += len(repaired) - len(done.failed_keys)
        done.repaired_keys = []

    def _fresh(self, check: Check, game: Game[Any]) -> Check:
        """The same check of the records as they are stored now, not of a copy."""
        if not isinstance(check, NativeCheck):
            return check
        tables = self._resources.tables.of(game)
        return NativeCheck(game, self._resources.store, None, tables, zones=self._spec.zones)

    def _keys(self, game: Game[Any]) -> list[bytes] | None:
        """The keys to check, ascending; None for all."""
        store, spec = self._resources.store, self._spec
        keys = None
        if spec.position is not None:
            root = game.key(find_position(game, spec.position))
            keys, damaged = [], list[MalformedRecordError]()
            for key, _ in below(store, game, root, damaged):
                keys.append(key)
                if len(keys) % 1000 == 0:
                    self._stop_if_asked()
            keys += [error.key or b"" for error in damaged]
            keys.sort()
            self._total = len(keys)
            if spec.sample is not None and spec.sample < len(keys):
                keys = sorted(random.Random(spec.seed).sample(keys, spec.sample))
                self._total = len(keys)
        elif spec.sample is not None:
            keys = sample_keys(store, game.name, spec.sample, spec.seed)
        return keys

    def _count(self, findings: list[Finding], checked: int) -> None:
        done = self._done
        done.checked += checked
        keys = list(dict.fromkeys(finding.key.hex() for finding in findings))
        done.failed += len(keys)
        if self._spec.quarantine or self._spec.repair:
            done.failed_keys = done.failed_keys + keys
        room = self._resources.limits.findings - len(done.findings)
        for finding in findings[: max(0, room)]:
            if self._finding_bytes >= FINDING_BYTES:
                break
            self._finding_bytes += message_bytes(finding)
            done.findings.append({**asdict(finding), "key": finding.key.hex()})

    def _fail_all(self, name: str, rule: str, detail: str) -> None:
        """No record of this game can be checked: then all of them fail."""
        self._add_finding(Finding(name, b"", None, None, rule, detail))
        self._done.failed += self._resources.store.count(name) - 1

    def _add_finding(self, finding: Finding) -> None:
        """Adds a finding that is about a game as a whole."""
        keys = self._done.failed_keys
        self._count([finding], 0)
        self._done.failed_keys = keys

    def _quarantine(self, game: Game[Any], check: Check) -> None:
        """Moves the claims that fail, and those that rest on them, in one step: all that are left pass then.

        What fails or is damaged elsewhere in the game goes as well.
        """
        keys = sorted(bytes.fromhex(key) for key in self._done.failed_keys)
        store, stop = self._resources.store, self._stop_if_asked

        def failing() -> Failing:
            first = failing_among(check, store, game.name, keys, stop)
            return failing_claims(self._resources, game, first, stop, zones=self._spec.zones)

        reason = f"verification {self._control.job.id}: fails the local check, or rests on claims that fail"
        self._done.quarantined += self._resources.writer.quarantine(game.name, failing, reason)

    def _audit(self, name: str) -> None:
        """Compares the records that are there with the count and the fingerprint that the store keeps of them."""
        store = self._resources.store
        audit = store.audit(name, lambda _: self._stop_if_asked())
        finding = audit_finding(name, audit)
        if finding is not None:
            self._add_finding(finding)
        unknown = finding is None and audit.stored_fingerprint is None
        if not audit.damaged and not store.read_only and (unknown or (finding is not None and self._spec.quarantine)):
            store.recount(name, audit)

    def _result(self) -> VerificationResult:
        done, seconds = self._done, self._seconds()
        kept = tuple(Finding(**{**entry, "key": bytes.fromhex(entry["key"])}) for entry in done.findings)
        cut = None
        if len(kept) >= self._resources.limits.findings or self._finding_bytes >= FINDING_BYTES:
            cut = Cut("count", f"{len(kept)} findings are kept; {done.failed} records failed in all")
        return VerificationResult(
            checked=done.checked,
            failed=done.failed,
            seconds=seconds,
            records_per_second=done.checked / seconds if seconds > 0 else 0.0,
            findings=kept,
            quarantined=done.quarantined,
            repaired=done.repaired,
            cut=cut,
            unchecked=tuple(Unchecked(**entry) for entry in done.unchecked),
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
