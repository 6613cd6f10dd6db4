from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofbase.storage import SolutionStore, open_store
from proofbase.storage.testing import StoreConformance


class TestPostgresStore(StoreConformance):
    @pytest.fixture
    def store(self, migrated_database: str) -> Iterator[SolutionStore]:
        with open_store(migrated_database) as store:
            yield store
