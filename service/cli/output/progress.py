"""How far long work is: a bar on a terminal, plain lines elsewhere. Both go to standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from proofbase.service.cli import screen
from proofbase.service.cli.output.show import Show
from proofbase.service.words.amounts import duration_text

__all__ = ["FIRST_LINE_SECONDS", "LINE_SECONDS", "showing_progress"]

FIRST_LINE_SECONDS = 10.0
"""Where there is no terminal, work that ends earlier prints nothing."""
LINE_SECONDS = 30.0
"""Time between two plain lines."""


@contextmanager
def showing_progress(what: str) -> Iterator[Show]:
    """A function that shows how far the work is, as often as it is called.

    Args:
        what: the work, as a verb: `solve`, `import`.
    """
    if sys.stderr.isatty():
        from proofbase.service.cli.output.progress_bar import showing_bar  # noqa: PLC0415

        with showing_bar(what) as show:
            yield show
    else:
        with _lines(what) as show:
            yield show


@contextmanager
def _lines(what: str) -> Iterator[Show]:
    started = time.monotonic()
    next_line = started + FIRST_LINE_SECONDS

    def show(text: str, done: float = 0, total: float | None = None) -> None:
        nonlocal next_line
        now = time.monotonic()
        if now < next_line:
            return
        next_line = now + LINE_SECONDS
        seconds = now - started
        time_left = f", about {duration_text(seconds * (total - done) / done)} left" if total and done else ""
        screen.note(f"proofbase: {what}: {text} ({duration_text(seconds)}{time_left})")

    yield show
