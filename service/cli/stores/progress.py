"""How far work on a store is: how much, at which rate, and the time that is left."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.words.amounts import bytes_text, rate_text

if TYPE_CHECKING:
    from proofbase.storage import OnProgress

__all__ = ["store_progress"]


@contextmanager
def store_progress(what: str) -> Iterator[OnProgress]:
    """A function that is told how far the work is, from any thread, and shows it.

    Args:
        what: the work, as a verb.
    """
    began: dict[str, float] = {}
    lock = threading.Lock()
    with showing_progress(what) as show:

        def on_progress(phase: str, done: int, total: int | None, unit: str) -> None:
            with lock:
                seconds = time.monotonic() - began.setdefault(phase, time.monotonic())
                if unit == "bytes":
                    amounts = bytes_text(done) + ("" if total is None else f" of {bytes_text(total)}")
                    rate = f", {bytes_text(done / seconds)} a second" if seconds > 1 and done else ""
                else:
                    amounts = f"{done:,}" + ("" if total is None else f" of {total:,}") + f" {unit}"
                    rate = f", {rate_text(done, seconds)}" if seconds > 1 and done else ""
                show(f"{phase}, {amounts}{rate}" if done or total else phase, done, total)

        yield on_progress
