from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofbase.storage import SolutionStore, open_store
from proofbase.storage.testing import StoreConformance


class TestMemoryStore(StoreConformance):
    @pytest.fixture
    def store(self) -> Iterator[SolutionStore]:
        with open_store("memory:") as store:
            yield store
