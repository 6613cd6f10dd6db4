"""Unsigned LEB128 numbers of minimal length, below 2**31: the only integers of the record encoding."""

from __future__ import annotations

__all__ = ["LIMIT", "VarintError", "encode_varint", "read_varint", "unzigzag", "zigzag"]

LIMIT = 1 << 31


class VarintError(ValueError):
    """No acceptable varint at `offset`."""

    def __init__(self, rule: str, offset: int) -> None:
        super().__init__(rule)
        self.rule = rule
        self.offset = offset


def encode_varint(value: int) -> bytes:
    """The one encoding of `value` (0 <= value < 2**31)."""
    if not 0 <= value < LIMIT:
        raise ValueError(f"{value} is outside 0..2**31-1")
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data: bytes, offset: int) -> tuple[int, int]:
    """Reads one varint.

    Returns:
        The value and the offset after it.

    Raises:
        VarintError: the bytes end early, are longer than needed, or hold 2**31 or more.
    """
    value = 0
    for index in range(5):
        if offset + index >= len(data):
            raise VarintError("a number is cut off", len(data))
        byte = data[offset + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if byte == 0 and index:
                raise VarintError("a number is not in its shortest form", offset)
            if value >= LIMIT:
                raise VarintError("a number is 2**31 or more", offset)
            return value, offset + index + 1
    raise VarintError("a number is longer than 5 bytes", offset)


def zigzag(value: int) -> int:
    """Folds a signed integer so that small absolute values stay small: 0, -1, 1, -2 -> 0, 1, 2, 3."""
    return value * 2 if value >= 0 else -value * 2 - 1


def unzigzag(value: int) -> int:
    """Inverse of `zigzag`."""
    return value >> 1 if value & 1 == 0 else -(value >> 1) - 1
