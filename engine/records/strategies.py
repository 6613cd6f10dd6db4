"""Strategies: the payload of claims that rest on a diagram of marks (docs/record-encoding.md, docs/strategies.md)."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from proofbase.engine.records.varint import LIMIT, VarintError, encode_varint, read_varint

__all__ = ["MOST_STRATEGY_POSITIONS", "Mark", "Strategy", "read_strategy", "strategy_payload"]

MOST_STRATEGY_POSITIONS = 10_000
"""Positions with the other side to move that a check of a strategy meets at most."""


class Mark(IntEnum):
    """What a diagram says of a square. The strategy plays on an open square with the smallest mark."""

    URGENT = 0
    PAIR = 1
    """Only while it is the only open square with this mark."""
    ANSWER = 2
    HIGH = 3
    MIDDLE = 4
    LOW = 5


class Strategy(NamedTuple):
    """What a claim by a strategy rests on. Squares and moves are those of the canonical position.

    Attributes:
        named: replies whose positions have records of their own, ascending. None in a lower claim.
        marks: squares, ascending, each with its mark. Squares that are not named have the game's usual marks.
    """

    named: tuple[int, ...] = ()
    marks: tuple[tuple[int, Mark], ...] = ()


def strategy_payload(strategy: Strategy, *, lower: bool) -> bytes:
    """Payload of a claim that rests on a strategy.

    Args:
        strategy: the diagram.
        lower: whether the claim is a lower one. Its payload has no list of named replies.

    Raises:
        ValueError: named replies or squares do not ascend, or a lower claim names replies.
    """
    named, squares = strategy.named, [square for square, _ in strategy.marks]
    if list(named) != sorted(set(named)) or squares != sorted(set(squares)):
        raise ValueError("named replies and squares ascend")
    if lower and named:
        raise ValueError("a lower claim by a strategy names no replies")
    numbers = [] if lower else [len(named), *(move - last for last, move in zip((0, *named), named, strict=False))]
    last = -1
    for square, mark in strategy.marks:
        numbers.append((square - last - 1) * len(Mark) + mark)
        last = square
    data = b"".join(map(encode_varint, numbers))
    return encode_varint(len(data)) + data


def read_strategy(data: bytes, *, lower: bool) -> Strategy:
    """Reads what `strategy_payload` writes, without the length.

    Raises:
        VarintError: the bytes are no strategy.
    """
    offset = 0
    named: list[int] = []
    if not lower:
        count, offset = read_varint(data, 0)
        for index in range(count):
            start = offset
            if start >= len(data):
                raise VarintError("named replies are cut off", start)
            move, offset = read_varint(data, offset)
            if index and not move:
                raise VarintError("named replies do not ascend", start)
            named.append(move + (named[-1] if named else 0))
            if named[-1] >= LIMIT:
                raise VarintError("a named reply is 2**31 or more", start)
    marks: list[tuple[int, Mark]] = []
    last = -1
    while offset < len(data):
        start = offset
        number, offset = read_varint(data, offset)
        last += number // len(Mark) + 1
        if last >= LIMIT:
            raise VarintError("a square is 2**31 or more", start)
        marks.append((last, Mark(number % len(Mark))))
    return Strategy(tuple(named), tuple(marks))
