"""Fixtures of the storage tests.

Test modules are imported by path (pyproject.toml), so what they share is put on the path here. Other folders that need
a PostgreSQL server do the same two lines.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from postgres_server import postgres_database, postgres_server

__all__ = ["postgres_database", "postgres_server"]
