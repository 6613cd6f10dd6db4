"""The words in a chunk of a checkpoint (engine/native/search/run/checkpoint.hpp), and chunks with other words."""

from __future__ import annotations

import struct
from collections.abc import Sequence

__all__ = ["of_another_algorithm", "with_words", "words_of"]

FIRST = 9
"""Bytes before the fingerprint."""


def words_of(chunk: bytes) -> list[int]:
    """Of a search that expands a graph: the numbers of the nodes that were expanded."""
    start = FIRST + struct.unpack_from("<I", chunk, FIRST - 4)[0] + 8
    (count,) = struct.unpack_from("<I", chunk, start)
    return list(struct.unpack_from(f"<{count}I", chunk, start + 4))


def with_words(chunk: bytes, words: Sequence[int]) -> bytes:
    """The chunk with these words instead of its own."""
    start = FIRST + struct.unpack_from("<I", chunk, FIRST - 4)[0] + 8
    return _sealed(chunk[:start] + struct.pack(f"<I{len(words)}I", len(words), *words))


def of_another_algorithm(chunk: bytes, name: str, other: str) -> bytes:
    """The chunk as if another search had expanded the same nodes."""
    (length,) = struct.unpack_from("<I", chunk, FIRST - 4)
    fingerprint = chunk[FIRST : FIRST + length].replace(name.encode(), other.encode())
    return _sealed(chunk[:5] + struct.pack("<I", len(fingerprint)) + fingerprint + chunk[FIRST + length : -8])


def _sealed(body: bytes) -> bytes:
    return body + struct.pack("<Q", _hash_key(body))


def _hash_key(text: bytes) -> int:
    """The checksum: hash_key() of engine/native/keys.hpp."""
    low = (1 << 64) - 1

    def mix(x: int) -> int:
        x = (x ^ x >> 33) * 0xFF51AFD7ED558CCD & low
        x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53 & low
        return x ^ x >> 33

    value = 0x9E3779B97F4A7C15 ^ len(text)
    for start in range(0, len(text), 8):
        word = int.from_bytes(text[start : start + 8], "little")
        value = mix(value ^ word) + 0x9E3779B97F4A7C15 & low
    return value
