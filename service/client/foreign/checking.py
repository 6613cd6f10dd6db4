"""Checks claims of a foreign file: what is known is looked up, the rest is searched, and what is proved is stored.

The claims are looked at in parts. For each part one job asks for every claimed limit whether it holds; the jobs store
what they prove as all solves do, with the name of the file as their source. So a run that was broken off goes on: what
it has settled is looked up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Protocol

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.claim import ForeignClaim
from proofbase.service.answers import Value
from proofbase.service.client.contract import Service
from proofbase.service.client.foreign.report import LISTED, CheckedClaim, ForeignReport, Verdict
from proofbase.service.errors import InvalidRequestError, JobStateError
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.model import Job

__all__ = ["OnReport", "TriedClaims", "check_claims"]

LOOKED_UP = 1_000
"""Claims that are looked up at a time."""
SEARCHED = 100
"""Claims that are searched by one job, or by one for each claimed limit."""
LINE_PLIES = 40
OnReport = Callable[[ForeignReport], None]


class TriedClaims(Protocol):
    """Remembers which claims were searched in vain, from run to run."""

    def nodes(self, number: int) -> int:
        """With how many nodes a claim was searched before; 0 for one that was not."""

    def note(self, numbers: Sequence[int], nodes: int) -> None:
        """These claims have been searched with so many nodes."""


class _ForgetsAll:
    def nodes(self, number: int) -> int:
        return 0

    def note(self, numbers: Sequence[int], nodes: int) -> None:
        pass


def check_claims(
    client: Service,
    game: str,
    claims: Iterable[ForeignClaim],
    *,
    source: str | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    tried: TriedClaims | None = None,
    on_report: OnReport | None = None,
) -> ForeignReport:
    """Checks claims.

    Args:
        client: the service.
        game: any name of the game.
        claims: the claims.
        source: where they are from; it goes into the sources of the records.
        nodes: a claim that is not settled is searched with so many nodes for each limit; None: nothing is searched.
        seconds: of all searches; afterwards claims are only looked up.
        tried: claims that need no search, since they were searched with as many nodes before.
        on_report: is called with the report so far, after each part and now and then.

    Raises:
        InvalidPositionError: a claim is about no position of the game; the message has its place.
        Exception: what the client raises.
    """
    return _Checking(client, game, source, nodes, seconds, tried or _ForgetsAll(), on_report).run(claims)


class _Entry:
    """A claim that is being checked, and what is proved of its position so far."""

    def __init__(self, number: int, claim: ForeignClaim, value: Value) -> None:
        self.number = number
        self.claim = claim
        self.value = value
        self.searched = False

    @property
    def verdict(self) -> Verdict:
        lower, upper, value = self.claim.lower, self.claim.upper, self.value
        if (lower is not None and value.upper < lower) or (upper is not None and value.lower > upper):
            return "refuted"
        holds = (lower is None or value.lower >= lower) and (upper is None or value.upper <= upper)
        return "proved" if holds else "open"

    def threshold(self, side: str) -> int | None:
        """The question whose answer settles one of the claimed limits; None where nothing is left to ask."""
        if self.verdict != "open":
            return None
        lower, upper = self.claim.lower, self.claim.upper
        if side == "lower":
            return lower if lower is not None and self.value.lower < lower else None
        return upper + 1 if upper is not None and self.value.upper > upper else None

    def add(self, value: Value) -> None:
        """What else is proved."""
        lower, upper = max(self.value.lower, value.lower), min(self.value.upper, value.upper)
        known = (self.value.lower_known or value.lower_known, self.value.upper_known or value.upper_known)
        self.value = Value(lower, upper, *known)


class _Checking:
    def __init__(
        self,
        client: Service,
        game: str,
        source: str | None,
        nodes: int | None,
        seconds: float | None,
        tried: TriedClaims,
        on_report: OnReport | None,
    ) -> None:
        if seconds is not None and not seconds > 0:
            raise InvalidRequestError(f"{seconds} seconds: more than 0 are needed", field="seconds")
        if nodes is not None and nodes < 1:
            raise InvalidRequestError(f"searches of {nodes} nodes: at least 1 is needed", field="nodes")
        self._client = client
        self._game = client.game(game).name
        self._source = source
        self._nodes = nodes
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._tried = tried
        self._on_report = on_report or (lambda report: None)
        self._report = ForeignReport(self._game, source)
        self._size = min(LOOKED_UP, client.limits().batch_size)

    def run(self, claims: Iterable[ForeignClaim]) -> ForeignReport:
        """Checks all claims, part by part."""
        number, left = 0, iter(claims)
        while part := list(islice(left, self._size)):
            entries = self._looked_up(part, number)
            while searched := list(islice(entries, SEARCHED)):
                self._check(searched)
                self._on_report(self._report)
            number += len(part)
        return self._report

    def _check(self, entries: Sequence[_Entry]) -> None:
        self._report.known_before += sum(entry.verdict != "open" for entry in entries)
        if self._nodes is not None:
            self._settle(entries, self._nodes)
        for entry in entries:
            self._report.add(self._checked(entry))

    def _looked_up(self, claims: list[ForeignClaim], first: int) -> Iterator[_Entry]:
        items = self._client.batch_lookup(self._game, [claim.position for claim in claims])
        for number, (claim, item) in enumerate(zip(claims, items, strict=True), first):
            if item.value is None:
                raise InvalidPositionError(f"{claim.place}: {item.message}")
            yield _Entry(number, claim, item.value)

    def _settle(self, entries: Sequence[_Entry], nodes: int) -> None:
        """Searches what is not settled; then the refuted claims once more, for their values and so for best play."""
        for entry in entries:
            entry.searched = self._tried.nodes(entry.number) >= nodes
        wanted = [entry for entry in entries if not entry.searched]
        for side in ("lower", "upper"):
            by_threshold: dict[int | None, list[_Entry]] = {}
            for entry in wanted:
                threshold = entry.threshold(side)
                if threshold is not None:
                    by_threshold.setdefault(threshold, []).append(entry)
            if not self._ask(by_threshold, nodes):
                return
        in_vain = [entry for entry in wanted if entry.verdict == "open"]
        self._tried.note([entry.number for entry in in_vain], nodes)
        for entry in in_vain:
            entry.searched = True
        refuted = [entry for entry in entries if entry.verdict == "refuted" and not entry.value.exact]
        self._ask({None: refuted[: LISTED - len(self._report.refuted)]}, nodes)

    def _ask(self, asked: Mapping[int | None, Sequence[_Entry]], nodes: int) -> bool:
        """Asks by one job each whether values are at least so much, None: what they are; False if the time was over."""
        for threshold, group in asked.items():
            left = None if self._deadline is None else self._deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            if not group:
                continue
            lines = [entry.claim.line for entry in group]
            job = self._client.start_positions(
                self._game,
                [entry.claim.position for entry in group],
                lines=[line for line in lines if line is not None] if None not in lines else (),
                source=self._source,
                at_least=threshold,
                budget=Budget(nodes, left),
            )
            in_time = self._waited(job)
            for entry, outcome in zip(group, self._client.position_outcomes(job.id), strict=False):
                entry.add(outcome.value)
            if not in_time:
                return False
        return self._deadline is None or time.monotonic() < self._deadline

    def _waited(self, job: Job) -> bool:
        """Waits for a job; False if the time was over and it was cancelled. Interrupted, it cancels the job."""

        def look(job: Job) -> None:
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise _TimeOver
            self._report.searching = (job.progress.text if job.progress is not None else None) or job.state
            self._on_report(self._report)

        try:
            self._client.wait(job.id, on_progress=look)
        except _TimeOver:
            self._ended(job)
            return False
        finally:
            self._report.searching = ""
        return True

    def _ended(self, job: Job) -> None:
        """Waits until a cancelled job has stored what it has found."""
        try:
            for _ in self._client.watch(job.id):
                pass
        except JobStateError:
            return

    def _checked(self, entry: _Entry) -> CheckedClaim:
        checked = CheckedClaim(entry.claim, entry.value, entry.verdict, searched=entry.searched)
        if checked.verdict == "refuted" and len(self._report.refuted) < LISTED:
            checked = replace(checked, line=self._line(entry.claim.position))
        if checked.verdict == "proved" and entry.claim.plies is not None:
            plies, verdict = self._plies(entry.claim, entry.claim.plies)
            checked = replace(checked, plies=plies, verdict_of_plies=verdict)
        return checked

    def _line(self, position: str) -> tuple[str, ...]:
        """Best play as far as it is known; only the move that guarantees the proved limit where the value is not."""
        steps = self._client.line(self._game, position, max_plies=LINE_PLIES).steps
        if steps:
            return tuple(step.move for step in steps)
        witness = self._client.lookup(self._game, position).witness
        return () if witness is None else (witness,)

    def _plies(self, claim: ForeignClaim, claimed: int) -> tuple[int | None, Verdict]:
        """The plies within which the value is proved, and what follows for the claimed ones."""
        answer = self._client.lookup(self._game, claim.position, distances=True)
        plies = 0 if answer.terminal else answer.rank
        not_within = answer.no_win_within if answer.value.lower > 0 else answer.no_loss_within
        if not_within >= claimed > 0 or (claim.shortest and plies is not None and plies < claimed):
            return plies, "refuted"
        if plies is None or plies > claimed:
            return plies, "open"
        exact = claimed == 0 or not_within >= claimed - 1
        return plies, "proved" if exact or not claim.shortest else "open"


class _TimeOver(Exception):
    """Ends the waiting for a job."""
