"""Numbers with their units: counts, bytes, times and rates."""

from __future__ import annotations

from itertools import pairwise

__all__ = ["age_text", "amount", "bytes_text", "duration_text", "rate_text"]

_TIME_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def amount(number: int, noun: str) -> str:
    """`1 record`, `2 records`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def bytes_text(number: float) -> str:
    """A number of bytes with three digits or so."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} TiB"


def duration_text(seconds: float) -> str:
    """A time span with two units at most: `0.31 s`, `12 s`, `4 min 10 s`, `3 h 5 min`, `2 d 4 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{whole} s"
    for (name, size), (smaller, smaller_size) in pairwise(_TIME_UNITS):
        if whole >= size:
            rest = whole % size // smaller_size
            return f"{whole // size} {name}" + (f" {rest} {smaller}" if rest else "")
    raise AssertionError("60 seconds or more are a minute")


def rate_text(count: int, seconds: float) -> str:
    """How many in which time: `12 a second`, `3.4 a minute`, `2 an hour`."""
    rate = count / max(seconds, 1e-9)
    units = {"a second": 1, "a minute": 60, "an hour": 3_600}
    unit = next((name for name, size in units.items() if rate * size >= 1), "an hour")
    rate *= units[unit]
    return f"{rate:,.0f} {unit}" if rate >= 10 else f"{rate:.2g} {unit}"


def age_text(seconds: float) -> str:
    """How long ago something was, with one unit: `12 s`, `4 min`, `3 h`, `2 d`."""
    whole = max(0, round(seconds))
    name, size = next((unit for unit in _TIME_UNITS if whole >= unit[1]), _TIME_UNITS[-1])
    return f"{whole // size} {name}"
