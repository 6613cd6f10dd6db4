"""The report of a reproduced table: its printed figures beside the measured ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

__all__ = [
    "ALLIS_ET_AL",
    "MUELLER",
    "SCHIJF",
    "STOPPED",
    "THESIS",
    "TOLERANCE",
    "Options",
    "Progress",
    "Report",
    "Row",
    "average_row",
    "quiet",
    "until_stopped",
]

ALLIS_ET_AL = "Allis, van der Meulen, van den Herik, Proof-number search (1994)"
THESIS = "Allis, Searching for solutions in games and artificial intelligence (1994)"
MUELLER = "Müller, Proof-set search, Technical Report TR 01-09, University of Alberta (2001)"
SCHIJF = "Schijf, Proof-number search and transpositions (1993)"

TOLERANCE = 0.05
"""A measured figure agrees with the printed one when it differs by at most this share of it."""

STOPPED = "Stopped before the end: the figures are of what was measured by then."
"""The note of a report that Ctrl-C ended."""

Progress = Callable[[float, str], None]
"""Called while a table is measured: the share that is done, from 0 to 1, and what is being measured now."""


def quiet(share: float, what: str) -> None:
    """The progress that nobody looks at."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of a reproduction chooses.

    Attributes:
        orders: over how many random move orders averages are taken, at least 1; None is as many as the paper took.
            The seeds of the orders are 1, 2, 3..., so equal options give equal reports (times excepted).
        positions: how many positions to compare on, where the paper's own are lost; None is the table's default.
        nodes: a search is given up after so many nodes; None is the paper's limit.
        plot: whether the figure is wanted as an image; without it none needs to be drawn.
        data: a directory with sets of positions, for tables that are measured on them.
        seconds: for a row of times, at the most; None is the table's default.
    """

    orders: int | None = None
    plot: bool = False
    positions: int | None = None
    nodes: int | None = None
    data: Path | None = None
    seconds: float | None = None

    def orders_or(self, printed: int) -> int:
        """The number of move orders, where the paper took `printed` of them."""
        return printed if self.orders is None else self.orders


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        label: what it counts, in words that say which figure of the table it is.
        printed: as the paper prints it; None for a figure that it does not have, which is shown and not compared.
        measured: ours.
        unit: of both, such as `nodes` or `s`; empty for a plain number. Of `log10` both are powers of ten.
        error: standard error of `measured` where it is an average, else None.
        tolerance: the share of the printed figure by which ours may differ; None for a figure that depends on the
            machine, or on what the paper leaves open, which is compared but never off.
    """

    label: str
    printed: float | None
    measured: float
    unit: str = ""
    error: float | None = None
    tolerance: float | None = TOLERANCE

    @property
    def ratio(self) -> float | None:
        """Measured over printed; None where there is nothing to compare with."""
        if self.printed is None:
            return None
        if self.unit == "log10":
            return float(10 ** (self.measured - self.printed))
        if self.printed == 0:
            return 1.0 if self.measured == 0 else float("inf")
        return self.measured / self.printed

    @property
    def off(self) -> bool:
        """Whether it differs from the printed figure by more than the tolerance."""
        ratio = self.ratio
        return self.tolerance is not None and ratio is not None and abs(ratio - 1) > self.tolerance


def average_row(
    label: str, printed: float | None, counts: Sequence[float], unit: str = "", tolerance: float | None = TOLERANCE
) -> Row:
    """The average of counts, with its standard error where there are several."""
    error = stdev(counts) / sqrt(len(counts)) if len(counts) > 1 else None
    return Row(label, printed, fmean(counts), unit, error, tolerance)


@dataclass(frozen=True, slots=True)
class Report:
    """A table, measured.

    Attributes:
        source: the paper and the table in it.
        rows: its figures, in the order of the paper.
        notes: what a reader has to know to compare: algorithms by name, how nodes are counted, what the paper leaves
            open, why a row is off.
        plot: an SVG image of the paper's figure with our points in it, if it was asked for and there is one; of several
            figures the images by their numbers.
        name: of the table in the registry, such as `schijf-4.1`, once it is measured.
    """

    source: str
    rows: Sequence[Row]
    notes: Sequence[str] = field(default_factory=tuple)
    plot: bytes | Mapping[str, bytes] | None = None
    name: str = ""

    def figure(self, label: str) -> float:
        """Ours in the row of a label."""
        return next(row.measured for row in self.rows if row.label == label)

    @property
    def agrees(self) -> bool:
        """Whether no row is off."""
        return not any(row.off for row in self.rows)


@contextmanager
def until_stopped(measured: Sized) -> Iterator[list[str]]:
    """Ctrl-C ends the measurement, and the report has what there is by then. It ends all of it where that is nothing.

    Yields:
        A list that then gets a note of it for the report.
    """
    notes = list[str]()
    try:
        yield notes
    except KeyboardInterrupt:
        if not measured:
            raise
        notes.append(STOPPED)
