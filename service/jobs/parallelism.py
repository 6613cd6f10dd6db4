"""How many threads or worker processes a job uses at a time."""

from __future__ import annotations

import os
import re

__all__ = ["processors", "threads_of", "threads_of_algorithm"]

_THREADS = re.compile(r"\+threads-(\d{1,9})(?:\+|$)")


def processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0))


def threads_of_algorithm(algorithm: str) -> int:
    """The threads of one search by an algorithm, which its name tells: 4 of `df-pn+threads-4`."""
    number = _THREADS.search(algorithm)
    return max(1, int(number[1])) if number else 1


def threads_of(spec: object) -> int:
    """The threads and worker processes of a job, as its spec asks for them."""
    if hasattr(spec, "threads"):  # tables: 0 is one for every processor
        return int(spec.threads) or processors()
    return max(1, getattr(spec, "workers", 0)) * threads_of_algorithm(getattr(spec, "algorithm", ""))
