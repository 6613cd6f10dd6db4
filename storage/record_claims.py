"""Stored records without some of their claims."""

from __future__ import annotations

from collections.abc import Collection

from proofbase.engine.records import Claim, Record, decode_record, encode_record


def has_any_claim(record: bytes, claims: Collection[Claim]) -> bool:
    """Whether a stored record has one of some claims, whatever its source."""
    return bool(claims) and any(claim.with_source(None) in claims for claim in decode_record(record).claims)


def without_claims(record: bytes, gone: Collection[Claim]) -> bytes | None:
    """A stored record without some of its claims; None where nothing stays.

    Raises:
        MalformedRecordError: it is damaged.
    """
    claims_left = [claim for claim in decode_record(record).claims if claim.with_source(None) not in gone]
    return encode_record(Record(tuple(claims_left))) if claims_left else None


def split_record(record: bytes, gone: Collection[Claim] | None) -> tuple[bytes | None, bytes | None]:
    """A stored record as two: what goes, and what stays; None where that is nothing.

    Args:
        record: the record.
        gone: claims that go, without sources; None for all of them.

    Raises:
        MalformedRecordError: it is damaged.
    """
    if gone is None:
        return record, None
    stays = without_claims(record, gone)
    went = [claim for claim in decode_record(record).claims if claim.with_source(None) in gone]
    return encode_record(Record(tuple(went))) if went else None, stays
