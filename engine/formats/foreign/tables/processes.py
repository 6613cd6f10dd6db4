"""Processes that ask a reader: one that ends itself, hangs or fails ends the work with one message."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Generator, Iterable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from signal import Signals
from typing import Any

from proofbase.engine.checking.parallel_check import end_with_parent
from proofbase.engine.formats.foreign.tables.reader import ReaderError

__all__ = ["Alive", "run_in_processes"]

Alive = Callable[[str], None]
"""What a task calls before each call of the reader, with what it is about to ask."""


class _Worker:
    def __init__(self, start: Callable[[], Callable[[Any, Alive], Any]]) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(theirs, start), daemon=True)
        self.process.start()
        theirs.close()
        self.asked, self.since = "its start", time.monotonic()


def _work(pipe: Connection, start: Callable[[], Callable[[Any, Alive], Any]]) -> None:
    end_with_parent()

    def alive(about: str) -> None:
        pipe.send(("alive", about))

    try:
        task_of = start()
        pipe.send(("done", None))
        while True:
            pipe.send(("done", task_of(pipe.recv(), alive)))
    except (EOFError, KeyboardInterrupt):
        return
    except Exception as error:
        pipe.send(("failed", error))


def run_in_processes(
    start: Callable[[], Callable[[Any, Alive], Any]], tasks: Iterable[Any], processes: int, seconds: float
) -> Generator[Any]:
    """The results of tasks, as they come.

    Args:
        start: called in each process; gives what does a task.
        tasks: what is to be done.
        processes: how many.
        seconds: of a call of the reader; a longer one ends the work.

    Raises:
        ReaderError: the reader fails, ends its process, or is too slow.
        Exception: what a task raises.
    """
    tasks_left = iter(tasks)
    workers = [_Worker(start) for _ in range(processes)]
    busy = {worker.pipe: worker for worker in workers}
    try:
        while busy:
            first = min(worker.since for worker in busy.values())
            ready = wait(list(busy), max(0.0, first + seconds - time.monotonic()))
            if not ready:
                slow = min(busy.values(), key=lambda worker: worker.since)
                raise ReaderError(
                    f"the reader has not answered in {seconds:g} s: {slow.asked} (--seconds gives it more)"
                )
            for pipe in ready:
                worker = busy[pipe]  # type: ignore[index]
                kind, content = _received(worker)
                worker.since = time.monotonic()
                if kind == "failed":
                    raise content
                if kind == "alive":
                    worker.asked = content
                    continue
                if content is not None:
                    yield content
                    worker.since = time.monotonic()
                task = next(tasks_left, None)
                if task is None:
                    del busy[worker.pipe]
                else:
                    worker.asked = "a part"
                    worker.pipe.send(task)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join()


def _received(worker: _Worker) -> tuple[str, Any]:
    try:
        return worker.pipe.recv()  # type: ignore[no-any-return]
    except (EOFError, ConnectionError):
        worker.process.join()
        code = worker.process.exitcode or 0
        how = f"with the exit status {code}" if code >= 0 else f"by {Signals(-code).name}"
        raise ReaderError(f"the reader ended its process {how}: {worker.asked}") from None
