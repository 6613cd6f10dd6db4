"""The check of a report that a value is wrong: the records below the position by two rule sets, and the evidence."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from proofbase.engine.checking import checker
from proofbase.engine.errors import EngineError, InvalidPositionError
from proofbase.engine.rules import Game
from proofbase.service.answers import Cut, Value
from proofbase.service.answers.annotations import ReportStatus
from proofbase.service.answers.bounds import cut_text, first_page
from proofbase.service.jobs.control import JobControl, Stopped
from proofbase.service.jobs.local_checks import Check, Finding, NativeCheck, PythonCheck, damage
from proofbase.service.jobs.record_selection import below, chunks_of
from proofbase.service.limits import FINDING_BYTES
from proofbase.service.positions import find_position
from proofbase.service.positions.probe import Probe, probe_position
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native
from proofbase.service.words.amounts import amount
from proofbase.storage import MalformedRecordError

__all__ = ["ReportProgress", "ReportResult", "ReportSpec", "ReportWork"]

BY_OTHER_RULES = 2_000
"""Records that are checked by the rules in plain Python: all, or that of the position and a sample of the others."""
EVIDENCE_SECONDS = 60.0
"""For the check of a certificate. It may name small searches that take any time."""
SAVE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """Somebody says that a position has this value, for the side to move; `report` is the id of the report."""

    game: str
    position: str
    value: int
    report: str

    @property
    def action(self) -> str:
        """What the job does."""
        return "check report"

    @property
    def subject(self) -> str:
        """The game, the position and the value."""
        return f"{self.game} {self.position} value {self.value}"


@dataclass(frozen=True, slots=True)
class ReportProgress:
    """How far the check is, in records; `total` is 0 while it is not known."""

    checked: int = 0
    total: int = 0
    failed: int = 0
    seconds: float = 0.0

    @property
    def text(self) -> str | None:
        """How many records were checked, and how many of them fail."""
        return f"{self.checked:,} records, {self.failed:,} fail" if self.checked else None

    @property
    def share(self) -> tuple[int, int] | None:
        """Records checked, of all that are to be checked."""
        return (self.checked, self.total) if self.total else None


@dataclass(frozen=True, slots=True)
class ReportResult:
    """What came of a report."""

    status: ReportStatus
    verdict: str
    checked: int
    checked_by_other_rules: int
    seconds: float
    findings: tuple[Finding, ...] = ()
    failed: int = 0
    cut: Cut | None = None

    def __post_init__(self) -> None:
        shown, more = first_page(self.findings, room=FINDING_BYTES)
        if more or len(shown) < self.failed:
            object.__setattr__(self, "findings", tuple(shown))
            object.__setattr__(self, "cut", Cut("count", f"{len(shown)} findings are kept; there are {self.failed}"))

    @property
    def outcome(self) -> str:
        """The answer in a few words."""
        return f"{self.status}: {self.verdict}"


@dataclass
class _Found:
    """What has been found so far. After a stop the work begins anew: it is short beside a solve."""

    checked: int = 0
    by_other_rules: int = 0
    keys: set[bytes] = field(default_factory=set)
    """Of the records that fail."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """How many records fail."""
        return len(self.keys)


class ReportWork:
    """The work of one report.

    It reads the store itself, not the service's copies of its records.
    """

    def __init__(self, resources: Resources, control: JobControl, spec: ReportSpec) -> None:
        self._resources = resources
        self._control = control
        self._spec = spec
        self._found = _Found()
        self._total = 0
        self._started = self._saved = time.monotonic()

    def run(self) -> ReportResult:
        """Checks what the value rests on, and compares it with what was reported."""
        self._started = self._saved = time.monotonic()
        spec = self._spec
        game = self._resources.games.open(spec.game)
        key = game.key(find_position(game, spec.position))
        try:
            probe, terminal, evidence = self._checked(game, key)
        except Stopped:
            raise
        except Exception as error:
            self._note(key, self._result("undecided", f"the check failed: {error}"))
            raise
        result = self._result(*_verdict(spec, probe, self._found, evidence, terminal=terminal))
        self._note(key, result)
        return result

    def _checked(self, game: Game[Any], key: bytes) -> tuple[Probe, bool, _Evidence]:
        """Checks all that the value rests on: what is known, whether the game is over, and what the evidence shows."""
        native = self._resources.games.rules != "python"
        python = self._resources.games.open_python(game.name)
        position = game.position(key)
        tables = self._resources.tables.of(game)
        damaged: list[MalformedRecordError] = []
        data = self._resources.store.get_many(game.name, [key], damaged)[0]
        probe = probe_position(game, position, data, tables)
        keys = [] if game.terminal(position) is not None else self._keys(game, key, damaged)
        others = self._sample(keys, key)
        self._total = (len(keys) if native and is_native(game) else 0) + len(others)
        self._keep([damage(game, error) for error in damaged])
        if native and is_native(game):
            store = self._resources.store
            self._found.checked = self._check(game, NativeCheck(game, store, None, tables), keys)
        self._found.by_other_rules = self._check(python, PythonCheck(python, self._resources.store, tables), others)
        return probe, game.terminal(position) is not None, self._evidence(python, key)

    def progress(self) -> ReportProgress:
        """How far the check is."""
        found = self._found
        checked = found.checked + found.by_other_rules
        return ReportProgress(checked, self._total, found.failed, time.monotonic() - self._started)

    def _keys(self, game: Game[Any], root: bytes, damaged: list[MalformedRecordError]) -> list[bytes]:
        """The keys of the records that the claims of the position rest on, ascending."""
        keys: list[bytes] = []
        for key, _ in below(self._resources.store, game, root, damaged):
            keys.append(key)
            if len(keys) % 1000 == 0:
                self._stop_if_asked()
        return sorted(keys)

    def _sample(self, keys: list[bytes], root: bytes) -> list[bytes]:
        """The keys that are checked by the other rules: that of the position is among them."""
        if len(keys) <= BY_OTHER_RULES:
            return keys
        others = [key for key in keys if key != root]
        return sorted([root, *random.Random(self._spec.report).sample(others, BY_OTHER_RULES - 1)])

    def _check(self, game: Game[Any], check: Check, keys: list[bytes]) -> int:
        """Checks records; gives how many."""
        checked = 0
        for chunk in chunks_of(self._resources.store, game.name, keys, None, check.chunk):
            self._stop_if_asked()
            self._keep(check.findings(chunk.items))
            checked += len(chunk.items)
            self._control.begin_work()
            if time.monotonic() - self._saved > SAVE_SECONDS:
                self._saved = time.monotonic()
                self._control.save(self.progress())
        return checked

    def _keep(self, findings: list[Finding]) -> None:
        """Keeps what is wrong: of a record that fails by both rule sets what the first has found."""
        found = self._found
        new = [finding for finding in findings if finding.key not in found.keys]
        found.keys.update(finding.key for finding in new)
        found.findings += new[: max(0, self._resources.limits.findings - len(found.findings))]

    def _evidence(self, game: Game[Any], key: bytes) -> _Evidence:
        """What the certificate shows that came with the report."""
        for entry in self._resources.store.annotations().of_keys(game.name, [key]):
            text = entry.body.get("certificate") if entry.id == self._spec.report else None
            if isinstance(text, str):
                return _checked(base64.b64decode(text), game, key, self._stopping(EVIDENCE_SECONDS))
        return _Evidence()

    def _stopping(self, seconds: float) -> Iterator[bool]:
        """Whether the check of the evidence has to end; asked between two records."""
        end = time.monotonic() + seconds
        while True:
            self._stop_if_asked()
            yield time.monotonic() > end

    def _result(self, status: ReportStatus, verdict: str) -> ReportResult:
        found = self._found
        return ReportResult(
            status,
            cut_text(verdict),
            found.checked,
            found.by_other_rules,
            time.monotonic() - self._started,
            tuple(found.findings),
            found.failed,
        )

    def _note(self, key: bytes, result: ReportResult) -> None:
        """Keeps the verdict with the report."""
        annotations = self._resources.store.annotations()
        for entry in annotations.of_keys(self._spec.game, [key]):
            if entry.id == self._spec.report:
                found = asdict(result)
                said = {name: found[name] for name in ("status", "verdict", "checked", "checked_by_other_rules")}
                body = {**entry.body, **said, "finished": time.time()}
                body.pop("certificate", None)
                self._control.with_retries(lambda: annotations.put(replace(entry, body=body)))  # noqa: B023

    def _stop_if_asked(self) -> None:
        if self._control.reason is not None:
            raise Stopped


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What a certificate shows of the position: its bounds, or why it shows nothing. Neither: there is none."""

    lower: int | None = None
    upper: int | None = None
    fault: str | None = None

    @property
    def text(self) -> str:
        """The same as a part of a sentence."""
        if self.fault is not None:
            return f"; the certificate shows nothing: {self.fault}"
        known = {"lower": self.lower, "upper": self.upper}
        bounds = [f"{name} {bound}" for name, bound in known.items() if bound is not None]
        return f"; the certificate proves {' and '.join(bounds)}" if bounds else ""


def _checked(data: bytes, game: Game[Any], key: bytes, stopping: Iterator[bool]) -> _Evidence:
    """Checks a certificate of a position by the rules in plain Python."""
    result, rules, records = checker.read_certificate(data, game)
    if rules is None or not result.valid:
        return _Evidence(fault=result.findings[0].rule)
    try:
        other = rules.key(rules.parse(result.header["root"])) != key
    except InvalidPositionError:
        other = True
    if other:
        return _Evidence(fault=f"it is about another position, {result.header['root']}")
    for of_record, claims in records.items():
        if next(stopping):
            return _Evidence(fault=f"it could not be checked within {EVIDENCE_SECONDS:g} s")
        try:
            found = list(checker.check_record(rules, of_record, claims, records, None, False))
        except (EngineError, ValueError, RecursionError) as error:
            return _Evidence(fault=str(error))
        if found:
            return _Evidence(fault=f"a record of it fails: {found[0].rule}")
    return _Evidence(result.header["lower"], result.header["upper"])


def _verdict(
    spec: ReportSpec, probe: Probe, found: _Found, evidence: _Evidence, *, terminal: bool
) -> tuple[ReportStatus, str]:
    """What comes of a report, with the reason."""
    reported = spec.value
    value: Value = probe.value
    if found.failed:
        first = found.findings[0]
        return "confirmed", (
            f"{amount(found.failed, 'record')} below it {'fails' if found.failed == 1 else 'fail'} the check, such as "
            f"{first.position or first.key.hex()} ({first.rule}: {first.detail})"
        )
    if (evidence.lower is not None and evidence.lower > value.upper) or (
        evidence.upper is not None and evidence.upper < value.lower
    ):
        return "confirmed", f"the store says {_text(value)}{evidence.text}"
    checked = _reason(probe, found, terminal=terminal)
    if value.exact and value.lower == reported:
        return "agrees", f"the value is {reported}: {checked}{evidence.text}"
    if not value.lower <= reported <= value.upper:
        if probe.table is not None:
            said = f"the table {probe.table} says {value.lower}; `proofbase tables verify {spec.game}` proves it"
            return "undecided", f"{said}{evidence.text}"
        return "refuted", f"the value is {_text(value)}: {checked}{evidence.text}"
    return "undecided", f"the store knows of the value: {_text(value)}; a solve may tell more{evidence.text}"


def _reason(probe: Probe, found: _Found, *, terminal: bool) -> str:
    """What the value rests on."""
    if terminal:
        return "the game is over, and the rules say so"
    if probe.table is not None:
        return f"the table {probe.table} says so"
    by = [f"{found.checked:,} by the native rules"] if found.checked else []
    return f"all records below it pass, {', '.join([*by, f'{found.by_other_rules:,} by the rules in Python'])}"


def _text(value: Value) -> str:
    if value.exact:
        return str(value.lower)
    known = [f"at least {value.lower}"] if value.lower_known else []
    known += [f"at most {value.upper}"] if value.upper_known else []
    return " and ".join(known) or "nothing"
