"""Requests to a server: their fields from the arguments of a client's methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message

from proofbase.service.convert import enum_number
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where
from proofbase.v1 import solutions_pb2 as solutions

__all__ = ["batch_request", "enum_value", "make", "positive", "search_fields", "where"]

M = TypeVar("M", bound=Message)


def make(kind: Callable[..., M], **fields: Any) -> M:
    """A request. What does not fit its fields raises the same error as what the server refuses."""
    try:
        return kind(**{name: value for name, value in fields.items() if value is not None})
    except (ValueError, TypeError, UnicodeError) as error:
        raise InvalidRequestError(f"the request cannot be written: {error}") from None


def where(position: Where) -> dict[str, Any]:
    """The fields of a request that name a position."""
    return {"key": position} if isinstance(position, bytes) else {"position": position or ""}


def search_fields(search: int | None, search_seconds: float | None) -> dict[str, Any]:
    """The fields of a lookup that allow a search."""
    if search_seconds is not None and not search_seconds > 0:
        raise InvalidRequestError(
            f"a search of {search_seconds} seconds: more than 0 are needed", field="search_seconds"
        )
    return {"search_nodes": positive("search_nodes", search), "search_seconds": search_seconds}


def batch_request(
    game: str, batch: Sequence[str] | Sequence[bytes], search: dict[str, Any]
) -> solutions.BatchLookupRequest:
    """A batch of texts or of keys, with `search_fields`."""
    if batch and isinstance(batch[0], str):
        return make(solutions.BatchLookupRequest, game=game, texts=make(solutions.Texts, positions=batch), **search)
    return make(solutions.BatchLookupRequest, game=game, keys=make(solutions.Keys, keys=batch), **search)


def positive(name: str, number: int | None) -> int:
    """A number as the wire has it: there 0 means "not given", so the number 0 itself is refused."""
    if number is not None and number < 1:
        raise InvalidRequestError(f"{name} is {number}: at least 1 is needed", field=name)
    return number or 0


def enum_value(kind: Any, name: str, field: str) -> int:
    """The number of an enum value.

    Raises:
        InvalidRequestError: there is none of this name.
    """
    try:
        return enum_number(kind, name)
    except ValueError as error:
        raise InvalidRequestError(str(error), field=field) from None
