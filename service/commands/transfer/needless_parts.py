"""Lines and threat trees that a claim does not need (docs/fact-model.md, docs/zones.md), for `export --smallest`."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from proofbase.engine.records import Evidence, ThreatNode, ThreatTrees, decode_record, threats_payload
from proofbase.engine.records.varint import encode_varint, read_varint
from proofbase.service.resources.stop_signal import StopSignal

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["drop_needless_parts"]

BATCH = 250
"""Records that are checked in one call."""
PASS, LINE = -1, -2
"""Stand in the place of a reply: before the tree that answers a pass, and before a line."""


def drop_needless_parts(table: RecordTable, stop: StopSignal) -> int:
    """Takes lines and trees out of upper claims whose moves the other ones, or records of the table, refute as well.

    The longest ones are tried first. At the end, and where it is stopped, every claim passes its check that passed it
    before.

    Args:
        table: closed records; changed in place.
        stop: ends it; asked before every batch.

    Returns:
        The lines and trees that were taken out.
    """
    keys = [key for chunk in table.chunks(BATCH) for key, _ in chunk]
    dropped = 0
    for start in range(0, len(keys), BATCH):
        claims = dict[bytes, _Claim]()
        for key in keys[start : start + BATCH]:
            if stop.is_set:
                return dropped
            claims[key] = _Claim(table.get(key) or b"")
        while claims := {key: claim for key, claim in claims.items() if claim.is_reducible}:
            if stop.is_set:
                return dropped
            for key, claim in claims.items():
                _put(table, key, claim.without_the_longest())
            failing = {finding.key for finding in table.check(list(claims)).findings}
            for key in failing:
                _put(table, key, claims[key].with_it_again())
            dropped += len(claims) - len(failing)
    return dropped


class _Claim:
    """The strongest upper claim of a record, if it rests on several parts: lines, or trees with the replies to them.

    Encoded parts are put together anew, so that nothing is decoded twice.

    Attributes:
        kept: numbers of the parts that it has.
        untried: numbers of those that were not left out yet, by ascending size.
    """

    def __init__(self, data: bytes) -> None:
        self._before = self._after = self._named = b""
        self._parts: list[tuple[int, bytes]] = []
        self._tried = 0
        claim = decode_record(data).upper
        if claim is not None and data.count(claim.payload) == 1:
            self._before, self._after = data.split(claim.payload)
            if claim.evidence == Evidence.LINE:
                self._parts = [(LINE, _encoded(len(line), *line)) for line in claim.lines]
            elif (threats := claim.threats) is not None:
                steps = [after - before for before, after in pairwise((0, *threats.named))]
                self._named = _encoded(len(steps), *steps)
                passed = [] if threats.passed is None else [(PASS, threats.passed)]
                self._parts = [(reply, _encoded_tree(tree)) for reply, tree in chain(passed, threats.trees)]
        self.kept = set(range(len(self._parts)))
        self.untried = sorted(self.kept, key=lambda number: len(self._parts[number][1]))

    @property
    def is_reducible(self) -> bool:
        """Whether there is a part to try without."""
        return bool(self.untried) and len(self.kept) > 1

    def without_the_longest(self) -> bytes:
        """The record without the longest part that was not tried, which is now."""
        self._tried = self.untried.pop()
        self.kept.remove(self._tried)
        return self._data()

    def with_it_again(self) -> bytes:
        """The record with the part that was tried last."""
        self.kept.add(self._tried)
        return self._data()

    def _data(self) -> bytes:
        parts = [self._parts[number] for number in sorted(self.kept)]
        passed = [tree for reply, tree in parts if reply == PASS]
        trees = [_encoded(reply) + tree for reply, tree in parts if reply >= 0]
        if self._named:
            numbers = b"".join((self._named, _encoded(len(passed)), *passed, _encoded(len(trees)), *trees))
        else:
            numbers = b"".join(line for _, line in parts)
        return self._before + _encoded(len(numbers)) + numbers + self._after


def _encoded(*numbers: int) -> bytes:
    return b"".join(map(encode_varint, numbers))


def _encoded_tree(tree: ThreatNode) -> bytes:
    """A tree alone: between what stands before and behind it in the payload of a claim that has no other."""
    payload = threats_payload(ThreatTrees((), tree, ()))
    return payload[read_varint(payload, 0)[1] + 2 : -1]


def _put(table: RecordTable, key: bytes, data: bytes) -> None:
    """Puts a record in the place of another, with which it is not merged."""
    table.remove([key])
    table.put(key, data)
