"""Requests to a server: their fields from the arguments of a client's methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message

from proofbase.service.client.options import QuestionOptions, SearchOptions, TableOptions, VerificationOptions
from proofbase.service.convert import enum_number, to_message
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where
from proofbase.v1 import jobs_pb2 as jobs
from proofbase.v1 import lookups_pb2 as lookups

__all__ = [
    "batch_request",
    "enum_value",
    "make",
    "positions_requests",
    "positive",
    "question_fields",
    "search_fields",
    "table_fields",
    "verification_fields",
    "where",
]

M = TypeVar("M", bound=Message)
PART_BYTES = 400_000
"""A message with a part of a list has about so many bytes, at most."""


def make(kind: Callable[..., M], **fields: Any) -> M:
    """A request. What does not fit its fields raises the same error as what the server refuses."""
    try:
        return kind(**{name: value for name, value in fields.items() if value is not None})
    except (ValueError, TypeError, UnicodeError) as error:
        raise InvalidRequestError(f"the request cannot be written: {error}") from None


def where(position: Where) -> dict[str, Any]:
    """The fields of a request that name a position."""
    return {"key": position} if isinstance(position, bytes) else {"position": position or ""}


def search_fields(options: SearchOptions) -> dict[str, Any]:
    """The fields of a lookup that allow a search."""
    search, search_seconds = options.get("search"), options.get("search_seconds")
    if search_seconds is not None and not search_seconds > 0:
        raise InvalidRequestError(
            f"a search of {search_seconds} seconds: more than 0 are needed", field="search_seconds"
        )
    return {"search_nodes": positive("search_nodes", search), "search_seconds": search_seconds}


def batch_request(
    game: str, batch: Sequence[str] | Sequence[bytes], search: dict[str, Any]
) -> lookups.BatchLookupRequest:
    """A batch of texts or of keys, with `search_fields`."""
    if batch and isinstance(batch[0], str):
        return make(lookups.BatchLookupRequest, game=game, texts=make(lookups.Texts, positions=batch), **search)
    return make(lookups.BatchLookupRequest, game=game, keys=make(lookups.Keys, keys=batch), **search)


def question_fields(asked: QuestionOptions) -> dict[str, Any]:
    """The fields of a request that say what is asked about a position, and how it is to be solved."""
    thresholds: dict[str, Any] = {
        name: asked[name] for name in ("at_least", "result_at_least") if asked.get(name) is not None
    }
    if len(thresholds) == 2:  # the wire has room for one only
        raise InvalidRequestError("at_least and result_at_least are two questions", field="result_at_least")
    budget = asked.get("budget")
    return {
        **(thresholds or {"exact": True}),
        "algorithm": asked.get("algorithm", "auto"),
        "thresholds": enum_value(jobs.Thresholds.DESCRIPTOR, asked.get("thresholds", "auto"), "thresholds"),
        "budget": None if budget is None else to_message(budget, jobs.Budget),
    }


def verification_fields(options: VerificationOptions) -> dict[str, Any]:
    """The fields of a request that say how records are checked."""
    rules = enum_value(jobs.Rules.DESCRIPTOR, options.get("rules", "native"), "rules")
    return {**options, "rules": rules}


def table_fields(options: TableOptions) -> dict[str, Any]:
    """The fields of a request that say what is done with tables."""
    action = enum_value(jobs.TableAction.DESCRIPTOR, options.get("action", "build"), "action")
    return {**options, "action": action}


def positions_requests(
    positions: Sequence[str] | Sequence[bytes], lines: Sequence[int], **header: Any
) -> Iterator[jobs.StartPositionsRequest]:
    """A list of positions as messages of some 100 KB, behind the header with these fields."""
    yield make(jobs.StartPositionsRequest, header=make(jobs.PositionsHeader, **header))
    start = 0
    while start < len(positions):
        end, room = start, PART_BYTES
        while end < len(positions) and room > 0:
            room -= 4 * len(positions[end]) + 10
            end += 1
        part = positions[start:end]
        if isinstance(part[0], str):
            fields: dict[str, Any] = {"texts": make(lookups.Texts, positions=part)}
        else:
            fields = {"keys": make(lookups.Keys, keys=part)}
        yield make(jobs.StartPositionsRequest, lines=lines[start:end], **fields)
        start = end


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
