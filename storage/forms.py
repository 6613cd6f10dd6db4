"""The stored forms of the records of a chunk, each worked out once: positions share few distinct records."""

from __future__ import annotations

from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from proofbase.engine.records import add_source, merge_encoded
from proofbase.engine.records.varint import encode_varint
from proofbase.storage.checksums import claim_seeds

__all__ = ["MergedForms", "StoredForm", "StoredForms"]


class StoredForm(NamedTuple):
    """An incoming record as it is stored.

    Attributes:
        record: with its source.
        seed: what its checksum is seeded with.
        claim_seeds: what the key is hashed with for the fingerprint, a seed a claim.
    """

    record: bytes
    seed: int
    claim_seeds: tuple[int, ...]


class StoredForms(dict[bytes, StoredForm]):
    """By incoming record. These are well-formed and name no sources (`Chunk`).

    Args:
        seed: of the game (`game_seed`).
        source: number of the source.
    """

    def __init__(self, seed: int, source: int) -> None:
        super().__init__()
        self._seed = seed
        self._source = source
        self._source_bytes = encode_varint(source)

    def __missing__(self, record: bytes) -> StoredForm:
        if record[0] & 15 == 1:  # one claim: what the functions below would say of it
            stored = record + self._source_bytes
            seeds: tuple[int, ...] = (xxh3_64_intdigest(record, self._seed),)
        else:
            stored, seeds = add_source(record, self._source), claim_seeds(record, self._seed)
        self[record] = form = StoredForm(stored, xxh3_64_intdigest(stored, self._seed), seeds)
        return form


class MergedForms(dict[tuple[bytes, bytes], bytes | None]):
    """What merging an incoming record into a stored one gives (see `merge_encoded`), by this pair.

    Args:
        source: number of the source of the incoming one.
    """

    def __init__(self, source: int) -> None:
        super().__init__()
        self._source = source

    def __missing__(self, pair: tuple[bytes, bytes]) -> bytes | None:
        self[pair] = merged = merge_encoded(*pair, self._source)
        return merged
