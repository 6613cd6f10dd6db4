"""Pairings: the payload of claims that the other side cannot win (docs/record-encoding.md, docs/strategies.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from proofbase.engine.records.varint import LIMIT, VarintError, encode_varint, read_varint

__all__ = ["Pair", "pairing_payload", "read_pairing"]


class Pair(NamedTuple):
    """Two squares of the canonical position, by the numbers of the moves that take them; first < second."""

    first: int
    second: int


def pairing_payload(pairs: Iterable[tuple[int, int]]) -> bytes:
    """Payload of a claim that rests on a pairing.

    Args:
        pairs: squares below 2**31, each pair and the pairs themselves in ascending order.

    Raises:
        ValueError: they are not in order, or a square is in two pairs.
    """
    numbers: list[int] = []
    last, squares = -1, set[int]()
    for first, second in pairs:
        if not last < first < second or not squares.isdisjoint((first, second)):
            raise ValueError("pairs ascend, and a square is in one of them")
        numbers += [first - last - 1, second - first - 1]
        squares.update((first, second))
        last = first
    data = b"".join(map(encode_varint, numbers))
    return encode_varint(len(data)) + data


def read_pairing(data: bytes) -> tuple[Pair, ...]:
    """Reads what `pairing_payload` writes, without the length.

    Raises:
        VarintError: the bytes are no pairing.
    """
    offset, last = 0, -1
    pairs: list[Pair] = []
    squares: set[int] = set()
    while offset < len(data):
        start = offset
        skipped, offset = read_varint(data, offset)
        if offset >= len(data):
            raise VarintError("a pair is cut off", start)
        between, offset = read_varint(data, offset)
        first = last + skipped + 1
        second = first + between + 1
        if second >= LIMIT:
            raise VarintError("a square is 2**31 or more", start)
        if first in squares or second in squares:
            raise VarintError("a square is in two pairs", start)
        squares.update((first, second))
        pairs.append(Pair(first, second))
        last = first
    return tuple(pairs)
