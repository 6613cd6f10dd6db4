"""What was made of objects that never change, kept for those that were asked for last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Recent", "RecentOf"]

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The values that were made for the last keys. Thread-safe.

    Args:
        size: how many are kept.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value of a key; None if it was never kept, or not lately."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def keep(self, key: K, value: V) -> None:
        """Keeps a value; the one that was not asked for the longest makes room."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)


class RecentOf(Generic[K, V]):
    """The values that a function gave for the last objects, which never change. An object is known by its identity.

    Args:
        make: the function.
        size: how many values are kept.
    """

    def __init__(self, make: Callable[[K], V], size: int) -> None:
        self._make = make
        # The object is kept as well, so that its identity is not another object's.
        self._recent: Recent[int, tuple[K, V]] = Recent(size)

    def __call__(self, key: K) -> V:
        found = self._recent.get(id(key))
        if found is not None and found[0] is key:
            return found[1]
        value = self._make(key)
        self._recent.keep(id(key), (key, value))
        return value
