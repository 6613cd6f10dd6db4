"""How far long work is, as a bar on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from proofbase.service.cli.console import console
from proofbase.service.cli.output.show import Show

__all__ = ["showing_bar"]


@contextmanager
def showing_bar(what: str) -> Iterator[Show]:
    """A function that moves the bar of the work `what`."""
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=20),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(text: str, done: float = 0, total: float | None = None) -> None:
            bar.update(task, description=f"{what}: {text}", completed=done, total=total)

        yield show
