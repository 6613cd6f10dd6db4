"""How many threads or worker processes a job uses at a time."""

from __future__ import annotations

import re

from proofbase.engine.system import usable_cores

__all__ = ["MOST_CLUSTER_WORKERS", "MOST_WORKERS", "threads_of", "threads_of_algorithm"]

MOST_WORKERS = 64
"""Workers of one job on this machine: more than its processors do not help."""
MOST_CLUSTER_WORKERS = 4_096
"""Workers of one job on a cluster, as many as were simulated. Far fewer are worth it (docs/proof-manager.md)."""
_THREADS = re.compile(r"\+threads-(\d{1,9})(?:\+|$)")


def threads_of_algorithm(algorithm: str) -> int:
    """The threads of one search by an algorithm, which its name tells: 4 of `df-pn+threads-4`."""
    number = _THREADS.search(algorithm)
    return max(1, int(number[1])) if number else 1


def threads_of(spec: object) -> int:
    """The threads and worker processes of a job, as its spec asks for them."""
    if hasattr(spec, "threads"):  # tables: 0 is one for every processor
        return int(spec.threads) or usable_cores()
    return max(1, getattr(spec, "workers", 0)) * threads_of_algorithm(getattr(spec, "algorithm", ""))
