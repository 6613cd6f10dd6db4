"""The named databases of an LMDB store."""

from __future__ import annotations

from dataclasses import dataclass

import lmdb

__all__ = ["LATER_DATABASES", "Databases"]


@dataclass(frozen=True)
class Databases:
    """The named databases of an environment, with their keys and values."""

    meta: lmdb._Database  # magic, format, creator, how far an upgrade is
    games: lmdb._Database  # name -> number, rules version, records, generation, fingerprint
    sources: lmdb._Database  # number -> text, created
    records: lmdb._Database  # game number and key -> record, checksum
    quarantine: lmdb._Database  # game number and key -> record, reason
    jobs: lmdb._Database  # id -> job
    checkpoints: lmdb._Database  # id, NUL, sequence number -> chunk
    job_index: lmdb._Database | None  # state, kind, created, id; None in a store of 0.1.0 that is open for reading

    estimates: lmdb._Database | None  # game number, length of the key, key, bound -> estimate; None likewise
    question_holders: lmdb._Database | None  # the same -> id of the job that manages the question; None likewise
    annotations: lmdb._Database | None  # hashes of game and key, id -> annotation; None likewise


LATER_DATABASES = ("job_index", "estimates", "question_holders", "annotations")
"""Databases that stores of earlier releases lack: a writer makes them, a reader does without."""
