from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofbase.migrations import migrate
from proofbase.storage import SolutionStore, open_store
from proofbase.storage.testing import StoreConformance


class TestPostgresStore(StoreConformance):
    @pytest.fixture
    def store(self, postgres_database: str) -> Iterator[SolutionStore]:
        migrate(postgres_database)
        with open_store(postgres_database) as store:
            yield store
