"""Small bars of how the positions of a table end: wins upwards and losses downwards, by distance or by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log1p

from proofbase.service.answers import TableCount
from proofbase.service.pictures.markup import Markup, tag

__all__ = ["counts_text", "table_histogram"]

WIDTH, HEIGHT = 192.0, 44.0
MOST_BARS, WIDEST = 48, 16.0


def table_histogram(counts: Sequence[TableCount]) -> Markup:
    """Bars for the counts of a table, on a logarithmic scale.

    Tables of plies have a bar for each distance: wins above the line, losses below it. Tables of values have a bar for
    each value, those of the losing side at the left.
    """
    by_plies = any(count.plies for count in counts)
    plies_per_bar = 1 + max((count.plies or 0 for count in counts), default=0) // MOST_BARS if by_plies else 1
    bars = Counter[tuple[int, int]]()
    for count in counts:
        outcome = (count.value > 0) - (count.value < 0)
        if not by_plies:
            bars[outcome, count.value] += count.entries
        elif outcome:
            bars[outcome, (count.plies or 0) // plies_per_bar] += count.entries
    places = sorted({place for _, place in bars})
    first, last = (places[0], places[-1]) if places else (0, 0)
    step = min(WIDTH / (last - first + 1), WIDEST)
    scale = HEIGHT / (2 if by_plies else 1) / log1p(max(bars.values(), default=1))
    middle = HEIGHT / 2 if by_plies else HEIGHT
    parts = []
    for (outcome, place), number in sorted(bars.items()):
        length = max(1.0, log1p(number) * scale)
        parts.append(
            tag(
                "rect",
                class_=("loss", "draw", "win")[outcome + 1],
                x=f"{(place - first) * step:.2f}",
                y=f"{middle if outcome < 0 and by_plies else middle - length:.2f}",
                width=f"{max(1.0, 0.84 * step):.2f}",
                height=f"{length:.2f}",
            )
        )
    if by_plies:
        parts.append(tag("rect", class_="axis", x=0, y=f"{middle - 0.25:.2f}", width=WIDTH, height=0.5))
    return tag(
        "svg",
        tag("title", counts_text(counts)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        class_="histogram",
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        aria_label=counts_text(counts),
    )


def counts_text(counts: Sequence[TableCount]) -> str:
    """The same in words: `3,448 wins in 4 to 7 plies, 2,310 losses in 0 to 6 plies, 400 draws`."""
    parts = []
    for name, outcome in (("win", 1), ("loss", -1), ("draw", 0)):
        of_outcome = [count for count in counts if (count.value > 0) - (count.value < 0) == outcome]
        number = sum(count.entries for count in of_outcome)
        if not number:
            continue
        plural = {"win": "wins", "loss": "losses", "draw": "draws"}[name]
        text = f"{number:,} {name if number == 1 else plural}"
        plies = [count.plies for count in of_outcome if count.plies is not None]
        values = sorted({count.value for count in of_outcome})
        if outcome and plies:
            text += f" in {min(plies)} to {max(plies)} plies" if min(plies) < max(plies) else f" in {plies[0]} plies"
        elif len(values) > 1:
            text += (
                f" by {abs(values[0])} to {abs(values[-1])}" if outcome > 0 else f" by {-values[-1]} to {-values[0]}"
            )
        parts.append(text)
    return ", ".join(parts) or "no positions"
