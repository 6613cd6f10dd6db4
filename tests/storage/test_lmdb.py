from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from proofbase.storage import SolutionStore, open_store
from proofbase.storage.testing import StoreConformance


class TestLmdbStore(StoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SolutionStore]:
        with open_store(str(tmp_path / "store")) as store:
            yield store
