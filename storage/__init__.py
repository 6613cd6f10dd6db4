"""Where records, jobs and checkpoints are kept.

`open_store` opens a store; `SolutionStore` is its contract.
"""

from __future__ import annotations

from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    decode_stored,
    encode_record,
    line_payload,
    merge_records,
    search_payload,
    table_payload,
    without_sources,
)
from proofbase.storage.entries import JOB_KINDS, JOB_STATES, Audit, GameEntry, Job, PutResult, Source
from proofbase.storage.errors import (
    ContradictionError,
    JobNotFoundError,
    KeySizeError,
    MalformedRecordError,
    NotAStoreError,
    RecordError,
    RecordOverflowError,
    RulesVersionError,
    StoreClosedError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    UnsupportedOperationError,
)
from proofbase.storage.store import Capability, SolutionStore, tables_directory
from proofbase.storage.urls import open_store, store_class, store_directory

__all__ = [
    "JOB_KINDS",
    "JOB_STATES",
    "Audit",
    "Capability",
    "Claim",
    "ContradictionError",
    "Evidence",
    "GameEntry",
    "Job",
    "JobNotFoundError",
    "KeySizeError",
    "MalformedRecordError",
    "NotAStoreError",
    "PutResult",
    "Record",
    "RecordError",
    "RecordOverflowError",
    "RulesVersionError",
    "Side",
    "SolutionStore",
    "Source",
    "StoreClosedError",
    "StoreError",
    "StoreFullError",
    "StoreLockedError",
    "StoreNotFoundError",
    "StoreReadOnlyError",
    "StoreUnavailableError",
    "StoreVersionError",
    "UnsupportedOperationError",
    "decode_record",
    "decode_stored",
    "encode_record",
    "line_payload",
    "merge_records",
    "open_store",
    "search_payload",
    "store_class",
    "store_directory",
    "table_payload",
    "tables_directory",
    "without_sources",
]
