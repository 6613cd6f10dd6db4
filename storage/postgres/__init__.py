"""The PostgreSQL backend: a store in a database."""

from __future__ import annotations

from proofbase.storage.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
