"""Plots of measured figures, as SVG. They need matplotlib, which comes with `pip install proofbase[plots]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

__all__ = ["Curve", "Plot"]


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one curve.

    Attributes:
        label: for the legend.
        x, y: of the points, equally many; a y of None is a gap.
        style: matplotlib's format, such as `o-` (points and lines) or `--`.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float | None]
    style: str = "o-"


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure with one pair of axes."""

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False
    marks: Sequence[tuple[float, str]] = ()
    """Vertical lines: x coordinate and text."""
    levels: Mapping[float, str] = field(default_factory=dict)
    """Names of the y coordinates that mean something; with them the axis shows these and no numbers."""
    whole_x: bool = False
    """The x coordinates are counts: the axis has whole numbers only."""

    def svg(self) -> bytes:
        """The image. Equal plots give equal bytes.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
        """
        try:
            from matplotlib import rc_context
            from matplotlib.figure import Figure
            from matplotlib.ticker import MaxNLocator
        except ModuleNotFoundError:
            raise ModuleNotFoundError("plots need matplotlib: pip install 'proofbase[plots]'") from None
        with rc_context({"svg.hashsalt": "proofbase", "svg.fonttype": "none"}):
            figure = Figure(figsize=(9, 5.5), layout="constrained")
            axes = figure.add_subplot()
            for curve in self.curves:
                y = [float("nan") if value is None else value for value in curve.y]
                axes.plot(curve.x, y, curve.style, label=curve.label, markersize=5, linewidth=1.5)
            for number, (x, text) in enumerate(self.marks):
                axes.axvline(x, color="0.6", linewidth=1, zorder=0)
                # Above the figure, in two rows by turns: neighbours do not overlap each other or the curves.
                where = (x, 1.015 + 0.045 * (number % 2))
                axes.annotate(text, where, xycoords=("data", "axes fraction"), ha="center", fontsize=10)
            axes.set_title(self.title, fontsize=13, pad=34 if self.marks else 8)
            axes.set_xlabel(self.x_label, fontsize=11)
            axes.set_ylabel(self.y_label, fontsize=11)
            axes.tick_params(labelsize=10)
            if self.log_x:
                axes.set_xscale("log")
            if self.log_y:
                axes.set_yscale("log")
            if any(curve.label for curve in self.curves):
                axes.legend(fontsize=10)
            if self.levels:
                axes.set_yticks(list(self.levels), list(self.levels.values()), fontsize=11)
                axes.set_ylim(min(self.levels) - 0.4, max(self.levels) + 0.4)
            if self.whole_x:
                axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.grid(alpha=0.3)
            image = BytesIO()
            figure.savefig(image, format="svg", metadata={"Date": None})
        return image.getvalue()
