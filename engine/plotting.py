"""Plots of measured figures, as SVG. They need matplotlib, which comes with `pip install proofbase[plots]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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

    def svg(self) -> bytes:
        """The image. Equal plots give equal bytes.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
        """
        try:
            from matplotlib import rc_context
            from matplotlib.figure import Figure
        except ModuleNotFoundError:
            raise ModuleNotFoundError("plots need matplotlib: pip install 'proofbase[plots]'") from None
        with rc_context({"svg.hashsalt": "proofbase", "svg.fonttype": "none"}):
            figure = Figure(figsize=(9, 5.5), layout="constrained")
            axes = figure.add_subplot()
            for curve in self.curves:
                y = [float("nan") if value is None else value for value in curve.y]
                axes.plot(curve.x, y, curve.style, label=curve.label, markersize=3, linewidth=1)
            for x, text in self.marks:
                axes.axvline(x, color="0.6", linewidth=0.8)
                axes.annotate(text, (x, 1), xycoords=("data", "axes fraction"), rotation=90, va="top", fontsize=7)
            axes.set(title=self.title, xlabel=self.x_label, ylabel=self.y_label)
            if self.log_x:
                axes.set_xscale("log")
            if self.log_y:
                axes.set_yscale("log")
            if any(curve.label for curve in self.curves):
                axes.legend(fontsize=8)
            axes.grid(alpha=0.3)
            image = BytesIO()
            figure.savefig(image, format="svg", metadata={"Date": None})
        return image.getvalue()
