"""Claims and records: what they are, their encoding, their merging, and what can be wrong with them.

This package imports nothing else of proofbase. The engine, the stores and the service use it; it is the only part of
the engine that `proofbase.storage` may import. The native core (engine/native/records/) and the certificate checker
(engine/checking/checker.py) each have their own reader and writer, so that the three can be held against each other.
"""

from __future__ import annotations

from proofbase.engine.records.claim import (
    MAX_SEARCH_NODES,
    Claim,
    Evidence,
    Side,
    line_payload,
    search_payload,
    table_payload,
)
from proofbase.engine.records.encoding import (
    MAX_RECORD_BYTES,
    add_source,
    check_incoming,
    decode_incoming,
    decode_record,
    decode_stored,
    encode_record,
    is_one_claim,
    is_one_claim_of_zero,
    plain_claims,
    tables_in,
    without_sources,
)
from proofbase.engine.records.errors import (
    ContradictionError,
    EngineError,
    MalformedRecordError,
    RecordError,
    RecordOverflowError,
    StoreError,
)
from proofbase.engine.records.merging import merge_claims, merge_encoded, merge_records
from proofbase.engine.records.pairings import Pair, pairing_payload
from proofbase.engine.records.record import MAX_CLAIMS, Record
from proofbase.engine.records.strategies import MOST_STRATEGY_POSITIONS, Mark, Strategy, strategy_payload
from proofbase.engine.records.threat_trees import ENDS, MAX_TREE_DEPTH, ThreatNode, ThreatTrees, threats_payload

__all__ = [
    "ENDS",
    "MAX_CLAIMS",
    "MAX_RECORD_BYTES",
    "MAX_SEARCH_NODES",
    "MAX_TREE_DEPTH",
    "MOST_STRATEGY_POSITIONS",
    "Claim",
    "ContradictionError",
    "EngineError",
    "Evidence",
    "MalformedRecordError",
    "Mark",
    "Pair",
    "Record",
    "RecordError",
    "RecordOverflowError",
    "Side",
    "StoreError",
    "Strategy",
    "ThreatNode",
    "ThreatTrees",
    "add_source",
    "check_incoming",
    "decode_incoming",
    "decode_record",
    "decode_stored",
    "encode_record",
    "is_one_claim",
    "is_one_claim_of_zero",
    "line_payload",
    "merge_claims",
    "merge_encoded",
    "merge_records",
    "pairing_payload",
    "plain_claims",
    "search_payload",
    "strategy_payload",
    "table_payload",
    "tables_in",
    "threats_payload",
    "without_sources",
]
