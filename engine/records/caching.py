"""A cache for functions of small byte strings."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

__all__ = ["cached_by_bytes"]

# Records with long lines may be large: they are worked out every time and never kept.
_LARGEST_BYTES = 256
_ENTRIES = 1 << 12

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def cached_by_bytes(
    function: Callable[Concatenate[bytes, Arguments], Result],
) -> Callable[Concatenate[bytes, Arguments], Result]:
    """Caches a function of encoded records by all its arguments.

    Positions share few distinct records (a bound, a rank, a move), so most records that a store reads or merges have
    been seen before.
    """
    plain: Callable[..., Result] = function
    cached: Callable[..., Result] = lru_cache(_ENTRIES)(function)

    @wraps(function)
    def remembering(*args: Any) -> Result:
        return cached(*args) if len(args[0]) <= _LARGEST_BYTES else plain(*args)

    return cast("Callable[Concatenate[bytes, Arguments], Result]", remembering)
