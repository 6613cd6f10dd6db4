"""Fixtures of the storage tests.

Test modules are imported by path (pyproject.toml), so what they share is put on the path here. Other folders that need
a PostgreSQL server do the same two lines.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# The shipped suite explains its failed assertions as test modules do.
pytest.register_assert_rewrite("proofbase.storage.testing")

from postgres_server import migrated_database, migrated_template, postgres_database, postgres_server  # noqa: E402

__all__ = ["migrated_database", "migrated_template", "postgres_database", "postgres_server"]
