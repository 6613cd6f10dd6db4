"""How numbers went over time, in one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

__all__ = ["sparkline"]

BLOCKS = "▁▂▃▄▅▆▇█"


def sparkline(numbers: Sequence[int], smallest: int, largest: int) -> str:
    """A block for each number, on a logarithmic scale; infinite numbers (below 0) reach the top.

    Args:
        numbers: in their order.
        smallest, largest: the ends of the scale, at least 1. Several lines with the same ends can be compared.
    """
    low = log(max(1, smallest))
    span = max(1e-9, log(max(1, largest)) - low)

    def height(number: int) -> int:
        return max(0, min(7, int(8 * (log(max(1, number)) - low) / span + 1e-9)))

    return "".join(BLOCKS[-1] if number < 0 else BLOCKS[height(number)] for number in numbers)
