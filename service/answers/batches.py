"""Answers to many positions at once: a list of items for texts, columns for keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import iter_unpack, unpack_from
from typing import Any, Literal

from proofbase.service.answers import Searched, Value
from proofbase.service.answers.tabular import Tabular, pyarrow

__all__ = [
    "DAMAGED",
    "INVALID",
    "LOWER_KNOWN",
    "SEARCHED",
    "STORED",
    "TABLED",
    "TERMINAL",
    "UPPER_KNOWN",
    "BatchItem",
    "BatchItems",
    "PackedAnswers",
]


@dataclass(frozen=True, slots=True)
class BatchItem:
    """The answer to one text of a batch. `value` is None when the text is invalid, `rank` as in `PositionAnswer`."""

    status: Literal["stored", "unknown", "invalid"]
    key: bytes = b""
    value: Value | None = None
    rank: int | None = None
    witness: str | None = None
    reason: str | None = None
    message: str | None = None
    searched: Searched | None = None
    package: str | None = None


class BatchItems(list[BatchItem], Tabular):
    """The answers to the texts of a batch, in their order."""

    __slots__ = ()

    def to_arrow(self) -> Any:
        """A row for each text.

        Columns: `status` (`stored`, `unknown`, `invalid`), `key`, `known`, `lower`, `upper`, `rank`, `best_move`,
        `reason` and `message` of those that are invalid, `searched_nodes`, `package`. Bounds are those of the value for
        the side to move. What does not apply is null.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """
        arrow = pyarrow()
        values = [item.value for item in self]
        searches = [item.searched for item in self]
        columns = {
            "status": arrow.array([item.status for item in self], arrow.string()),
            "key": arrow.array([item.key or None for item in self], arrow.binary()),
            "known": arrow.array([None if value is None else value.exact for value in values], arrow.bool_()),
            "lower": arrow.array([None if value is None else value.lower for value in values], arrow.int32()),
            "upper": arrow.array([None if value is None else value.upper for value in values], arrow.int32()),
            "rank": arrow.array(
                [item.rank if item.value is not None and item.value.exact else None for item in self], arrow.uint32()
            ),
            "best_move": arrow.array([item.witness for item in self], arrow.string()),
            "reason": arrow.array([item.reason for item in self], arrow.string()),
            "message": arrow.array([item.message for item in self], arrow.string()),
            "searched_nodes": arrow.array(
                [None if search is None else search.nodes for search in searches], arrow.uint64()
            ),
            "package": arrow.array([item.package for item in self], arrow.string()),
        }
        return arrow.table(columns)


LOWER_KNOWN, UPPER_KNOWN, INVALID, STORED, TERMINAL, TABLED, DAMAGED, SEARCHED = 1, 2, 4, 8, 16, 32, 64, 128
"""The bits of `PackedAnswers.states` (protos/proofbase/v1/solutions.proto)."""


@dataclass(frozen=True, slots=True)
class PackedAnswers(Tabular):
    """Answers in columns: for each key one byte of `states`, and four bytes (little-endian) of each other column."""

    count: int
    states: bytes
    lowers: bytes
    uppers: bytes
    lower_ranks: bytes
    upper_ranks: bytes
    package: str | None = None

    def __len__(self) -> int:
        return self.count

    def invalid(self, index: int) -> bool:
        """Whether the key of this index is no canonical key of a legal position."""
        return bool(self.states[index] & INVALID)

    def stored(self, index: int) -> bool:
        """Whether the key of this index has a record."""
        return bool(self.states[index] & STORED)

    def damaged(self, index: int) -> bool:
        """Whether the record of the key of this index is damaged: then nothing is known of the position."""
        return bool(self.states[index] & DAMAGED)

    def searched(self, index: int) -> bool:
        """Whether the position of this key was searched: then its bounds are also those that the search proved."""
        return bool(self.states[index] & SEARCHED)

    def value(self, index: int) -> Value:
        """The interval of the key of this index; the game's range where nothing is known."""
        (lower,) = unpack_from("<i", self.lowers, 4 * index)
        (upper,) = unpack_from("<i", self.uppers, 4 * index)
        state = self.states[index]
        return Value(lower, upper, bool(state & LOWER_KNOWN), bool(state & UPPER_KNOWN))

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Lower and upper of every key, in order."""
        for (lower,), (upper,) in zip(iter_unpack("<i", self.lowers), iter_unpack("<i", self.uppers), strict=True):
            yield lower, upper

    def to_arrow(self) -> Any:
        """A row for each key, without a copy of the bounds.

        Columns: `invalid`, `damaged`, `stored`, `terminal`, `searched`, `known`, `lower`, `upper` (of the value for the
        side to move; the game's range where nothing is known, null for invalid keys and damaged records),
        `lower_rank`, `upper_rank` (null where the bound is not known, or a table gives it without plies). The metadata
        of the schema have the `package`.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """
        arrow, compute = pyarrow(), pyarrow("pyarrow.compute")

        def column(data: bytes, item_type: Any) -> Any:
            return arrow.Array.from_buffers(item_type, self.count, [None, arrow.py_buffer(data)])

        states = column(self.states, arrow.uint8())

        def bit(number: int) -> Any:
            return compute.not_equal(compute.bit_wise_and(states, arrow.scalar(number, arrow.uint8())), 0)

        def where(mask: Any, data: bytes, item_type: Any) -> Any:
            return compute.if_else(mask, column(data, item_type), arrow.scalar(None, item_type))

        answered = compute.invert(compute.or_(bit(INVALID), bit(DAMAGED)))
        lower, upper = (where(answered, bounds, arrow.int32()) for bounds in (self.lowers, self.uppers))
        # The plies of a value from a table are known where they are not 0.
        ranks = [column(data, arrow.uint32()) for data in (self.lower_ranks, self.upper_ranks)]
        ended = compute.equal(compute.max_element_wise(*ranks), arrow.scalar(0, arrow.uint32()))
        ranked = compute.invert(compute.and_(bit(TABLED), ended))
        lower_ranked, upper_ranked = (compute.and_(ranked, bit(known)) for known in (LOWER_KNOWN, UPPER_KNOWN))
        answers = arrow.table(
            {
                "invalid": bit(INVALID),
                "damaged": bit(DAMAGED),
                "stored": bit(STORED),
                "terminal": bit(TERMINAL),
                "searched": bit(SEARCHED),
                "known": compute.equal(lower, upper),
                "lower": lower,
                "upper": upper,
                "lower_rank": where(lower_ranked, self.lower_ranks, arrow.uint32()),
                "upper_rank": where(upper_ranked, self.upper_ranks, arrow.uint32()),
            }
        )
        return answers.replace_schema_metadata({"proofbase.package": self.package or ""})
