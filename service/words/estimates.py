"""Estimates in words: what is open, and how much work it has taken."""

from __future__ import annotations

from proofbase.service.answers import Estimate
from proofbase.storage.estimates import INFINITE

__all__ = ["count_text", "estimate_text", "number_text"]

_LARGE = ((10**15, "10^15"), (10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


def count_text(number: int) -> str:
    """A count with three digits or so: `9,540`, `179 million`, `2.31 billion`."""
    for size, name in _LARGE:
        if number >= size:
            share = number / size
            digits = f"{share:.0f}" if share >= 99.95 else f"{share:.1f}" if share >= 9.995 else f"{share:.2f}"
            return f"{digits} {name}"
    return f"{number:,}"


def number_text(number: int) -> str:
    """A proof or disproof number: `41,291`, or `∞` where a search has answered and no record shows it yet."""
    return "∞" if number >= INFINITE - 1 else f"{number:,}"


def estimate_text(estimate: Estimate) -> str:
    """`at least 1? open: 41,291 / 263,017 after 179 million nodes (pn-dag+effort, job 4f2a)`."""
    by = [estimate.algorithm, None if estimate.job is None else f"job {estimate.job}"]
    named = ", ".join(part for part in by if part)
    pair = f"{number_text(estimate.proof)} / {number_text(estimate.disproof)}"
    numbers = f"{pair} after {count_text(estimate.nodes)} nodes"
    return f"at least {estimate.at_least}? open: {numbers}{f' ({named})' if named else ''}"
