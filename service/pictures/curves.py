"""Curves as SVG: the values over a game that was played, the numbers of a search over its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log10

from proofbase.service.answers import Analysis, Value
from proofbase.service.pictures.boards import side_text
from proofbase.service.pictures.markup import Markup, joined, tag
from proofbase.service.words.values import OUTCOMES

__all__ = ["Sample", "analysis_curve", "limits_over_game", "progress_curve"]

WIDTH, HEIGHT = 640.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 24.0, 34.0
WORDS = {1: "win", 0: "draw", -1: "loss"}
Limits = tuple[list[int | None], list[int | None]]


def limits_over_game(analysis: Analysis) -> Limits:
    """The limits of the game's result after each move, for the player of the first move; None where nothing is known.

    One entry more than moves: the first is that of the position in which the game starts.
    """
    first = analysis.moves[0].side if analysis.moves else 0
    lows, highs = list[int | None](), list[int | None]()

    def add(value: Value, score: int, own: bool) -> None:
        low = value.lower + score if value.lower_known else None
        high = value.upper + score if value.upper_known else None
        if not own:
            low, high = (None if high is None else -high), (None if low is None else -low)
        lows.append(low)
        highs.append(high)

    for move in analysis.moves:
        add(move.value, move.score, move.side == first)
    if analysis.moves:  # the position after the last move has the value of that move
        last = analysis.moves[-1]
        add(last.value_of_move, last.score, last.side == first)
    return lows, highs


@dataclass(frozen=True, slots=True)
class _Axes:
    """From plies and values to places in the picture."""

    plies: int
    low: int
    high: int

    def x(self, ply: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(1, self.plies)

    def y(self, value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (self.high - value) / max(1, self.high - self.low)


def analysis_curve(
    analysis: Analysis, highest: int, *, link: Callable[[int], str] | None = None, name: str = "curve-of-game"
) -> Markup:
    """The result of the game after each of its moves, as far as it is known, for the player of the first move.

    Args:
        analysis: the game.
        highest: limit of the game's values; 1: the axis has words.
        link: where a point leads to, by the number of moves played.
        name: that begins the ids of title and description; another one for each picture of a page.
    """
    lows, highs = limits_over_game(analysis)
    known = [value for value in (*lows, *highs) if value is not None]
    reach = 1 if highest == 1 else max(1, *map(abs, known)) if known else 1
    axes = _Axes(len(analysis.moves), -reach, reach)
    parts = [_levels(axes, reach, words=highest == 1)]
    points = []
    for ply, (low, high) in enumerate(zip(lows, highs, strict=True)):
        if low is not None and low == high:
            points.append((ply, low))
        elif low is not None or high is not None:
            top, bottom = (reach if high is None else high), (-reach if low is None else low)
            x, y = axes.x(ply) - 3, axes.y(top)
            parts.append(tag("rect", class_="range", x=x, y=y, width=6, height=axes.y(bottom) - y, rx=3))
    for (ply, value), (following, after) in pairwise(points):
        if following == ply + 1:
            ends = {"x1": axes.x(ply), "y1": axes.y(value), "x2": axes.x(following), "y2": axes.y(after)}
            parts.append(tag("line", class_="curve", **ends))
    changed = {number: move for number, move in enumerate(analysis.moves, 1) if move.changes_outcome}
    for ply, value in points:
        words = _state(analysis, ply, value, highest)
        dot = tag("circle", class_="changed" if ply in changed else "dot", cx=axes.x(ply), cy=axes.y(value), r=4.5)
        target = tag("circle", class_="area", cx=axes.x(ply), cy=axes.y(value), r=11)
        title = tag("title", words)
        if link is None:
            parts.append(tag("g", title, dot))
        else:
            parts.append(tag("a", title, target, dot, href=link(ply), aria_label=words))
    for row, (number, move) in enumerate(changed.items()):
        x = min(max(axes.x(number), LEFT + 20), WIDTH - RIGHT - 20)
        parts.append(_label(x, 10 + 11 * (row % 2), f"{number}. {move.move}", "middle"))
    parts.append(_label(WIDTH / 2, HEIGHT - 4, "moves played", "middle"))
    step = max(1, ceil(axes.plies / 14))
    parts += [_label(axes.x(ply), HEIGHT - 18, str(ply), "middle") for ply in range(0, axes.plies + 1, step)]
    player = side_text(analysis.moves[0].side if analysis.moves else 0, analysis.game)
    turning_points = [
        f"move {n}, {m.move}: {OUTCOMES[m.outcome]} became {OUTCOMES[m.outcome_of_move]}" for n, m in changed.items()
    ]
    description = "; ".join(turning_points) or "No move is known to have changed the outcome."
    return _figure(f"Result over the game for {player}", description, parts, name)


def _state(analysis: Analysis, ply: int, value: int, highest: int) -> str:
    result = WORDS[value] if highest == 1 and abs(value) <= 1 else f"{value:+d}"
    return f"{f'after move {ply}, {analysis.moves[ply - 1].move}' if ply else 'at the start'}: {result}"


def _levels(axes: _Axes, reach: int, *, words: bool) -> Markup:
    levels = [-1, 0, 1] if words else sorted({-reach, -(reach // 2), 0, reach // 2, reach})
    parts = []
    for level in levels:
        y = axes.y(level)
        kind = "zero" if level == 0 else "level"
        parts.append(tag("line", class_=kind, x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y))
        parts.append(_label(LEFT - 6, y + 4, WORDS[level] if words else f"{level:+d}" if level else "0", "end"))
    return joined(*parts)


@dataclass(frozen=True, slots=True)
class Sample:
    """A search at one moment. A number below 0 is infinite."""

    seconds: float
    proof: int
    disproof: int
    nodes: int


def progress_curve(samples: Sequence[Sample], *, name: str = "curve-of-search") -> Markup:
    """Proof number, disproof number and nodes of a search over its seconds, on a logarithmic axis."""
    span = max(1e-9, samples[-1].seconds - samples[0].seconds) if samples else 1.0
    finite = [n for sample in samples for n in (sample.proof, sample.disproof, sample.nodes) if n > 0]
    top = max(1.0, log10(max([10, *finite])))

    def x(sample: Sample) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (sample.seconds - samples[0].seconds) / span

    def y(number: int) -> float:
        scaled = 1.0 if number < 0 else log10(max(1, number)) / top
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - scaled)

    parts = []
    for power in range(ceil(top) + 1 if top == int(top) else int(top) + 1):
        parts.append(tag("line", class_="level", x1=LEFT, y1=y(10**power), x2=WIDTH - RIGHT, y2=y(10**power)))
        parts.append(_label(LEFT - 6, y(10**power) + 4, _power(power), "end"))
    for number, name in enumerate(("proof", "disproof", "nodes")):
        points = " ".join(f"{x(sample):.1f},{y(getattr(sample, name)):.1f}" for sample in samples)
        parts.append(tag("polyline", class_=f"series {name}", points=points))
        parts.append(
            tag("line", class_=f"series {name}", x1=LEFT + 110 * number, y1=10, x2=LEFT + 24 + 110 * number, y2=10)
        )
        parts.append(_label(LEFT + 30 + 110 * number, 14, name, "start"))
    parts.append(_label(WIDTH - RIGHT, HEIGHT - 12, f"{span:.3g} seconds" if samples else "", "end"))
    last = samples[-1] if samples else None
    description = (
        "" if last is None else f"{last.nodes:,} nodes, proof number {last.proof}, disproof number {last.disproof}"
    )
    return _figure("Numbers of the search over time", description, parts, name)


def _power(power: int) -> str:
    return {0: "1", 1: "10", 2: "100", 3: "1 k", 4: "10 k", 5: "100 k", 6: "1 M"}.get(power, f"10^{power}")


def _label(x: float, y: float, content: str, anchor: str) -> Markup:
    return tag("text", content, class_="label", x=x, y=y, font_size=11, text_anchor=anchor)


def _figure(title: str, description: str, parts: list[Markup], name: str) -> Markup:
    linked = any("<a " in part for part in parts)
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", description, id=f"{name}-description"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        class_="chart",
        viewBox=f"0 0 {WIDTH:.6g} {HEIGHT:.6g}",
        width=WIDTH,
        height=HEIGHT,
        role="group" if linked else "img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-description",
    )
