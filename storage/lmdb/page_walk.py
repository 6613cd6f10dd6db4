"""How far the pages in use reach, in an LMDB 0.9 file whose pages are sound."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable

_HEAD = struct.Struct("=QHHHH")  # page number, pad, flags, lower, upper
_NODE = struct.Struct("=HHHH")  # low and high half of the size, flags, size of the key; a page number in a branch
_ROOT_OFFSETS = (16 + 24 + 40, 16 + 24 + 48 + 40)
"""Where a meta page has the root of the tree of free pages, and the root of the main tree."""
_ROOT_OFFSET = 40
"""Where the description of a tree has its root."""
_BRANCH = 1
_BIG_DATA, _SUB_TREE = 1, 2
_NO_PAGE = (1 << 64) - 1


def pages_in_use(meta: bytes, page_size: int, read: Callable[[int], bytes]) -> int:
    """The number of the last page that can be reached, plus one.

    LMDB frees pages at the end of a transaction without having written them, so a sound file may be shorter than its
    meta page says. `lmdb.verify` does not look at the later pages of values that fill several.

    Args:
        meta: the meta page.
        page_size: bytes of a page.
        read: gives the page of a number.
    """
    last = 1
    left = [int.from_bytes(meta[offset : offset + 8], sys.byteorder) for offset in _ROOT_OFFSETS]
    while left:
        number = left.pop()
        if number == _NO_PAGE:
            continue
        last = max(last, number)
        page = read(number)
        _, _, flags, lower, _ = _HEAD.unpack_from(page)
        for place in struct.unpack_from(f"={(lower - _HEAD.size) // 2}H", page, _HEAD.size):
            low, high, node_flags, key_size = _NODE.unpack_from(page, place)
            if flags & _BRANCH:
                left.append(low | high << 16 | node_flags << 32)
                continue
            data = place + _NODE.size + key_size
            if node_flags & _BIG_DATA:
                first = int.from_bytes(page[data : data + 8], sys.byteorder)
                last = max(last, first + (_HEAD.size - 1 + (low | high << 16)) // page_size)
            elif node_flags & _SUB_TREE:
                left.append(int.from_bytes(page[data + _ROOT_OFFSET : data + _ROOT_OFFSET + 8], sys.byteorder))
    return last + 1
