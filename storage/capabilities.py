"""The parts of the contract of a store that some kinds of stores lack."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Capability"]


class Capability(StrEnum):
    """A part of the contract that a kind of store may lack.

    A method that is lacking raises `UnsupportedOperationError`. Every store reads records, games and counts.
    """

    PUT = "put"  # put_many
    PLAIN_GAMES = "plain-games"  # any name is accepted as a game and any bytes as a key
    SCAN = "scan"
    SCAN_BELOW = "scan-below"
    SNAPSHOT = "snapshot"  # a scan shows one moment
    GENERATION = "generation"
    FINGERPRINT = "fingerprint"
    AUDIT = "audit"  # audit(), recount()
    SOURCES = "sources"  # sources(), and claims that name theirs
    QUARANTINE = "quarantine"
    JOBS = "jobs"  # put_job, get_job, list_jobs, prune_jobs
    CHECKPOINTS = "checkpoints"
    TOKENS = "tokens"  # tokens()
    ESTIMATES = "estimates"  # estimates()
    ANNOTATIONS = "annotations"  # annotations()
    CLOSED_SOURCES = "closed-sources"  # close_sources()
