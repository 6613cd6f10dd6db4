"""The conformance suite of solution stores: subclass `StoreConformance` and give it a `store` fixture.

    class TestMyStore(StoreConformance):
        @pytest.fixture
        def store(self, tmp_path):
            with MyStore(tmp_path) as store:
                yield store

A backend that lacks a `Capability` skips the tests that need it, and each skipped test says so. A store that knows
games (a server) sets `games` and `highest_value`, and overrides `key` with keys that it accepts. The suite needs
pytest; nothing else of proofbase imports it.
"""

from __future__ import annotations

from proofbase.storage.testing.annotations import AnnotationConformance
from proofbase.storage.testing.changes import ChangeConformance
from proofbase.storage.testing.claims import encoded, lower, upper
from proofbase.storage.testing.estimates import EstimateConformance
from proofbase.storage.testing.fingerprints import FingerprintConformance
from proofbase.storage.testing.jobs import JobConformance
from proofbase.storage.testing.model import StoreModel
from proofbase.storage.testing.records import RecordConformance
from proofbase.storage.testing.scans import ScanConformance
from proofbase.storage.testing.tokens import TokenConformance

__all__ = ["StoreConformance", "StoreModel", "encoded", "lower", "upper"]


class StoreConformance(
    RecordConformance,
    ScanConformance,
    ChangeConformance,
    FingerprintConformance,
    JobConformance,
    TokenConformance,
    EstimateConformance,
    AnnotationConformance,
):
    """What every store must do. Test names say what they assert."""
