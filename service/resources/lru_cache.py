"""Caches of the values that were used last. Both are thread-safe."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, TypeVar

__all__ = ["LRUCache", "cached_by_identity"]

K = TypeVar("K")
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """Values by key, for callers that decide by themselves which values are worth keeping.

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


class _Identity:
    """An object as a key: equal to the same object only. It keeps the object, so no other one gets its identity."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.value is self.value


def cached_by_identity(function: Callable[[K], V], size: int) -> Callable[[K], V]:
    """The function, with its values for the last objects kept. The objects never change, and need no hash."""
    cached = lru_cache(size)(lambda key: function(key.value))
    return lambda value: cached(_Identity(value))
