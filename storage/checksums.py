"""Checksums of stored records, and the fingerprint of a game's records (docs/store-format.md).

A checksum covers the game's name, the key and the stored bytes, sources included, so a record that turns up under
another key is noticed as well. The fingerprint is a sum over claims without their sources, so two stores that hold the
same claims have the same fingerprint, whatever their backends are and wherever the claims came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from xxhash import xxh3_64_digest, xxh3_64_intdigest

from proofbase.engine.records import Claim, MalformedRecordError, Record, decode_record, encode_record, plain_claims
from proofbase.engine.records.caching import cached_by_bytes

__all__ = [
    "CHECKSUM_BYTES",
    "FINGERPRINT_LIMIT",
    "checksum",
    "claim_seed",
    "claim_seeds",
    "damaged_record",
    "fingerprint_of",
    "game_seed",
    "seal",
    "seal_as_damaged",
    "unseal",
]

CHECKSUM_BYTES = 8
FINGERPRINT_LIMIT = 1 << 64
"""Fingerprints are sums modulo this number."""


@lru_cache(256)
def game_seed(game: str) -> int:
    """The seed of everything of a game: XXH3-64 of its name in UTF-8."""
    return xxh3_64_intdigest(game.encode())


def checksum(seed: int, key: bytes, record: bytes) -> bytes:
    """XXH3-64 of the key, seeded by XXH3-64 of the stored record, which is seeded by `game_seed`; big-endian."""
    return xxh3_64_digest(key, xxh3_64_intdigest(record, seed))


def seal(seed: int, key: bytes, record: bytes) -> bytes:
    """A stored record with its checksum behind it."""
    return record + xxh3_64_digest(key, xxh3_64_intdigest(record, seed))


def seal_as_damaged(seed: int, key: bytes, record: bytes) -> bytes:
    """A stored record with a checksum that does not match, for a record that was damaged before it had a checksum."""
    return record + bytes(byte ^ 0xFF for byte in checksum(seed, key, record))


def unseal(seed: int, key: bytes, sealed: bytes) -> bytes | None:
    """The record of `seal`, None where the checksum does not match."""
    record = sealed[:-CHECKSUM_BYTES]
    return record if sealed.endswith(xxh3_64_digest(key, xxh3_64_intdigest(record, seed))) else None


@cached_by_bytes
def claim_seeds(record: bytes, seed: int) -> tuple[int, ...]:
    """For each claim of a record what the key is hashed with for the fingerprint.

    This is XXH3-64, seeded by `game_seed`, of the encoded record that holds this claim alone and names no source.

    Raises:
        MalformedRecordError: the bytes are no record.
    """
    parts = plain_claims(record)
    if parts is not None:
        return tuple([xxh3_64_intdigest(part, seed) for part in parts])
    return tuple(claim_seed(claim, seed) for claim in decode_record(record).claims)


def claim_seed(claim: Claim, seed: int) -> int:
    """The seed of one claim (see `claim_seeds`)."""
    return xxh3_64_intdigest(encode_record(Record((claim.with_source(None),))), seed)


def fingerprint_of(seed: int, items: Iterable[tuple[bytes, bytes]]) -> int:
    """The fingerprint of records: the sum of XXH3-64 of the key, seeded by `claim_seeds`, over all their claims."""
    total = 0
    for key, record in items:
        for seed_of_claim in claim_seeds(record, seed):
            total += xxh3_64_intdigest(key, seed_of_claim)
    return total % FINGERPRINT_LIMIT


def damaged_record(game: str, key: bytes, data: bytes) -> MalformedRecordError:
    """The error for a stored record that is not as it was written."""
    return MalformedRecordError("the checksum does not match", data, game=game, key=key)
