"""The check of a certificate by several processes, with progress. What is checked, and how, is checker.py's alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofbase.engine.checking.checker import Finding, Records, Result, check_record, read_certificate
from proofbase.engine.errors import CheckStoppedError
from proofbase.engine.rules import Game
from proofbase.engine.rules.tables.table_values import TableValues
from proofbase.engine.system import has_other_threads, usable_cores

__all__ = ["CheckProgress", "check_with_processes", "end_with_parent"]

SAMPLE_SECONDS = 1.0
"""The first records are checked in this process for so long: they tell how long the others will take."""
CHUNK_SECONDS = 0.25
"""How long a process works before it reports."""
SPREAD = 64
"""The records are checked in so many rounds through all of them, so that each part has easy and hard ones."""


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """How far a check is.

    Attributes:
        done, total: records.
        seconds: since the first record.
        seconds_left: estimated from the records that were checked.
        processes: that check the rest.
    """

    done: int
    total: int
    seconds: float
    seconds_left: float
    processes: int


OnProgress = Callable[[CheckProgress], None]


def check_with_processes(
    data: bytes,
    game: Game[Any] | None = None,
    tables: Path | None = None,
    *,
    processes: int | None = None,
    on_progress: OnProgress | None = None,
    zones: bool = False,
) -> Result:
    """The result of `check_certificate`, the findings of records by ascending key.

    Processes are forked: they share the memory of the records, and users' games need not be pickled. A certificate that
    takes a second at most is checked in this process. So is any other where a fork is not safe: on a system without
    fork, and in a program that has threads already, such as those of gRPC, whose locks a forked process would wait for.

    Args:
        data, game, tables, zones: as of `check_certificate`.
        processes: at most so many; as many as there are usable cores by default.
        on_progress: told how far the check is, for the first time after the sample, then several times a second; not
            at all for a certificate that the sample has checked.

    Raises:
        ValueError: less than one process.
        CheckStoppedError: a process was killed.
    """
    processes = usable_cores() if processes is None else processes
    if processes < 1:
        raise ValueError(f"{processes} processes: at least one checks")
    if "fork" not in multiprocessing.get_all_start_methods() or has_other_threads():
        processes = 1
    result, game, records = read_certificate(data, game)
    if game is None:
        return result
    shared = game, records, TableValues(game, tables), zones
    check = _Check(shared, processes, on_progress or (lambda progress: None))
    result.findings.extend(sorted(check.findings()))
    return result


_Shared = tuple[Game[Any], Records, TableValues, bool]
"""What all processes check by: the rules, the records, the tables, and whether zones are used."""


class _Check:
    def __init__(self, shared: _Shared, processes: int, on_progress: OnProgress) -> None:
        self._records = shared
        self._processes = processes
        self._on_progress = on_progress
        keys = list(shared[1])
        rounds = min(SPREAD, len(keys))
        self._keys = [key for first in range(rounds) for key in keys[first::rounds]]
        self._done = 0
        self._started = time.perf_counter()

    def findings(self) -> list[Finding]:
        broken = self._check_here(SAMPLE_SECONDS)
        rest = self._keys[self._done :]
        if rest:
            size = max(1, min(1000, int(CHUNK_SECONDS * self._done / self._seconds())))
            chunks = [rest[start : start + size] for start in range(0, len(rest), size)]
            self._processes = min(self._processes, len(chunks))
            broken += self._check_in_processes(chunks) if self._processes > 1 else self._check_here()
        return broken

    def _check_here(self, seconds: float | None = None) -> list[Finding]:
        """Checks records in this process, until the time is up or all are checked."""
        broken: list[Finding] = []
        last_report = time.perf_counter()
        if seconds is None:
            self._tell()
        for key in self._keys[self._done :]:
            broken += _findings(key, *self._records)
            self._done += 1
            now = time.perf_counter()
            if seconds is not None and now - self._started >= seconds:
                break
            if now - last_report >= CHUNK_SECONDS and seconds is None:
                last_report = now
                self._tell()
        return broken

    def _check_in_processes(self, chunks: Sequence[list[bytes]]) -> list[Finding]:
        broken: list[Finding] = []
        context = multiprocessing.get_context("fork")
        before = self._done, time.perf_counter()
        with ProcessPoolExecutor(self._processes, context, _start, self._records) as pool:
            futures = [pool.submit(_check_chunk, chunk) for chunk in chunks]
            try:
                self._tell()  # only now, when all processes are forked: whoever is told may start threads
                for future in as_completed(futures):
                    checked, chunk_findings = future.result()
                    broken += chunk_findings
                    self._done += checked
                    self._tell(before)
            except BrokenProcessPool:
                raise CheckStoppedError(
                    f"a process of the check was killed, perhaps for want of memory: {self._done} of "
                    f"{len(self._keys)} records were checked, and nothing is known of the others"
                ) from None
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return broken

    def _seconds(self) -> float:
        return max(time.perf_counter() - self._started, 1e-6)

    def _tell(self, since: tuple[int, float] | None = None) -> None:
        """Reports; the time left follows from the records and the time `since`, or else from all of this process."""
        done, total = self._done, len(self._keys)
        if since is None:
            pace = self._seconds() / done / self._processes
        else:
            pace = (time.perf_counter() - since[1]) / (done - since[0])
        self._on_progress(CheckProgress(done, total, self._seconds(), pace * (total - done), self._processes))


_shared: _Shared | None = None
"""What a process of the pool checks."""


def end_with_parent() -> None:
    """Has this process end at once when the one that started it is gone. For processes of a pool: they would wait on.

    Each of them holds both ends of the pipe that their tasks come through, so none hears that its parent was killed.
    """
    parent = multiprocessing.parent_process()

    def end() -> None:
        assert parent is not None
        parent.join()
        os._exit(1)

    if parent is not None:
        threading.Thread(target=end, name="end with the parent", daemon=True).start()


def _start(*shared: *_Shared) -> None:
    global _shared
    _shared = shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, and the parent ends the pool
    end_with_parent()


def _check_chunk(keys: list[bytes]) -> tuple[int, list[Finding]]:
    assert _shared is not None, "a process of the pool is started by _start"
    return len(keys), [finding for key in keys for finding in _findings(key, *_shared)]


def _findings(key: bytes, game: Game[Any], records: Records, values: TableValues, zones: bool) -> list[Finding]:
    return list(check_record(game, key, records[key], records, values, zones))
