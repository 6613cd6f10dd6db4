"""A walk through all pages in use of an LMDB 0.9 file whose pages are sound: how far they reach, and their order.

`lmdb.verify` looks at neither: not at the later pages of values that fill several, and not at what lies between the
keys of a branch page. A lookup that a wrong separator leads astray would not find its key.
"""

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


class MisledSearchError(ValueError):
    """A separator of a branch page is not between the keys that it separates."""


def pages_in_use(meta: bytes, page_size: int, read: Callable[[int], bytes]) -> int:
    """The number of the last page that can be reached, plus one.

    LMDB frees pages at the end of a transaction without having written them, so a sound file may be shorter than its
    meta page says.

    Args:
        meta: the meta page.
        page_size: bytes of a page.
        read: gives the page of a number.

    Raises:
        MisledSearchError: a search for a key would end on a page that does not have it.
    """
    last, roots = 1, list[tuple[int, bool]]()

    def walk(number: int, ordered: bool) -> tuple[bytes, bytes] | None:
        """Goes through a tree. Returns its first and its last key, None if it has no keys."""
        nonlocal last
        last = max(last, number)
        page = read(number)
        _, _, flags, lower, _ = _HEAD.unpack_from(page)
        ends: tuple[bytes, bytes] | None = None
        for index, place in enumerate(struct.unpack_from(f"={(lower - _HEAD.size) // 2}H", page, _HEAD.size)):
            low, high, node_flags, key_size = _NODE.unpack_from(page, place)
            data = place + _NODE.size + key_size
            key = page[place + _NODE.size : data]
            if flags & _BRANCH:
                below = walk(low | high << 16 | node_flags << 32, ordered)
                misled = below is not None and (key > below[0] or (ends is not None and key <= ends[1]))
                if ordered and index and misled:
                    raise MisledSearchError(f"branch page {number} leads searches for some keys to other pages")
                if below is not None:
                    ends = below if ends is None else (ends[0], below[1])
                continue
            ends = (key, key) if ends is None else (ends[0], key)
            if node_flags & _BIG_DATA:
                first = int.from_bytes(page[data : data + 8], sys.byteorder)
                last = max(last, first + (_HEAD.size - 1 + (low | high << 16)) // page_size)
            elif node_flags & _SUB_TREE:
                roots.append((int.from_bytes(page[data + _ROOT_OFFSET : data + _ROOT_OFFSET + 8], sys.byteorder), True))
        return ends

    # Keys of the tree of free pages are numbers in the order of the machine's bytes; a search never misses one of them.
    for offset, ordered in zip(_ROOT_OFFSETS, (False, True), strict=True):
        roots.append((int.from_bytes(meta[offset : offset + 8], sys.byteorder), ordered))
    while roots:
        root, ordered = roots.pop()
        if root != _NO_PAGE:
            walk(root, ordered)
    return last + 1
