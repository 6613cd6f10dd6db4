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
from proofbase.storage.annotations import Annotation, AnnotationStore
from proofbase.storage.capabilities import Capability
from proofbase.storage.copying import CopiedGame, copy_store
from proofbase.storage.entries import JOB_KINDS, JOB_STATES, Audit, GameEntry, Job, PutResult, Source
from proofbase.storage.errors import (
    ContradictionError,
    JobNotFoundError,
    KeySizeError,
    MalformedRecordError,
    NotAStoreError,
    RecordError,
    RecordOverflowError,
    RecordsRemovedError,
    RulesVersionError,
    StoreBusyError,
    StoreClosedError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    TransientStoreError,
    UnsupportedOperationError,
)
from proofbase.storage.estimates import Estimate, EstimateStore
from proofbase.storage.progress import OnProgress
from proofbase.storage.sizes import StoreSizes
from proofbase.storage.store import SolutionStore, tables_directory
from proofbase.storage.tokens import ROLES, Token, TokenStore
from proofbase.storage.urls import compact_store, open_store, open_tokens, shown_url, store_class, store_directory

__all__ = [
    "JOB_KINDS",
    "JOB_STATES",
    "ROLES",
    "Annotation",
    "AnnotationStore",
    "Audit",
    "Capability",
    "Claim",
    "ContradictionError",
    "CopiedGame",
    "Estimate",
    "EstimateStore",
    "Evidence",
    "GameEntry",
    "Job",
    "JobNotFoundError",
    "KeySizeError",
    "MalformedRecordError",
    "NotAStoreError",
    "OnProgress",
    "PutResult",
    "Record",
    "RecordError",
    "RecordOverflowError",
    "RecordsRemovedError",
    "RulesVersionError",
    "Side",
    "SolutionStore",
    "Source",
    "StoreBusyError",
    "StoreClosedError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreLockedError",
    "StoreNotFoundError",
    "StoreReadOnlyError",
    "StoreSizes",
    "StoreUnavailableError",
    "StoreVersionError",
    "Token",
    "TokenStore",
    "TransientStoreError",
    "UnsupportedOperationError",
    "compact_store",
    "copy_store",
    "decode_record",
    "decode_stored",
    "encode_record",
    "line_payload",
    "merge_records",
    "open_store",
    "open_tokens",
    "search_payload",
    "shown_url",
    "store_class",
    "store_directory",
    "table_payload",
    "tables_directory",
    "without_sources",
]
