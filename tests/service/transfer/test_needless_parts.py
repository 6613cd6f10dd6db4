"""`export --smallest` keeps no line and no threat tree that a claim does not need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import cast

import pytest
from services import Service

from proofbase.engine._core import RecordTable
from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.games import open_game
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    line_payload,
    threats_payload,
)
from proofbase.service.commands.transfer.needless_parts import drop_needless_parts
from proofbase.service.resources.stop_signal import StopSignal

LINES, TREES = ("qubic", "moves:0 1 21 2 42"), ("gomoku:8x8-4", "-")
"""Games and positions: the side to move does not win, which many lines show; the first player wins by threats."""


class SetByTheFirstChange:
    """A stop signal that is set when a table is no longer as it was."""

    def __init__(self, table: RecordTable, items: dict[bytes, bytes]) -> None:
        self._table, self._items = table, items

    @property
    def is_set(self) -> bool:
        return {key: self._table.get(key) for key in self._items} != self._items


def items_of(data: bytes) -> dict[bytes, bytes]:
    return dict(CertificateReader([data]))


def table_of(game: str, items: dict[bytes, bytes]) -> RecordTable:
    table = RecordTable(open_game(game))
    table.load(items.items())
    return table


def records_without_a_part(data: bytes) -> list[bytes]:
    """For each line or tree of an upper claim with several: the record without it."""
    claims = decode_record(data).claims
    return [
        encode_record(Record.of([replace(claim, payload=payload) if other == claim else other for other in claims]))
        for claim in claims
        if claim.side == Side.UPPER
        for payload in payloads_without_a_part(claim)
    ]


def payloads_without_a_part(claim: Claim) -> Iterator[bytes]:
    if claim.evidence == Evidence.LINE and len(claim.lines) > 1:
        for left_out in claim.lines:
            yield line_payload(chain.from_iterable((len(line), *line) for line in claim.lines if line != left_out))
    if (threats := claim.threats) is not None and threats.trees:
        for tree in threats.trees:
            if threats.passed is not None or len(threats.trees) > 1:
                yield threats_payload(threats._replace(trees=tuple(other for other in threats.trees if other != tree)))
        if threats.passed is not None:
            yield threats_payload(threats._replace(passed=None))


def certificate_of(service: Service, question: tuple[str, str], **options: float) -> bytes:
    service.client.solve(*question, at_least=1)
    return b"".join(service.client.export(*question, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("question", [LINES, TREES], ids=["lines", "trees"])
def test_every_part_of_a_smallest_certificate_is_needed(service: Service, question: tuple[str, str]) -> None:
    certificate = certificate_of(service, question)
    small = certificate_of(service, question, strategy_seconds=60)
    assert check_certificate(small).valid and len(small) < 0.9 * len(certificate)
    items = items_of(small)
    assert items.keys() == items_of(certificate).keys()
    changed = [(key, record) for key, data in items.items() for record in records_without_a_part(data)]
    assert len(changed) > (20 if question == LINES else 5)
    table = table_of(question[0], items)
    for key, record in changed:
        table.remove([key])
        table.put(key, record)
        assert table.check([key]).failed == 1
        table.remove([key])
        table.put(key, items[key])


@pytest.mark.parametrize("question", [LINES, TREES], ids=["lines", "trees"])
def test_the_records_stay_closed_where_it_ends_early(service: Service, question: tuple[str, str]) -> None:
    items = items_of(certificate_of(service, question))
    whole, broken_off, late = (table_of(question[0], items) for _ in range(3))
    stop, over = SetByTheFirstChange(broken_off, items), StopSignal()
    over.set()
    dropped = drop_needless_parts(broken_off, cast("StopSignal", stop))
    assert 0 < dropped < drop_needless_parts(whole, StopSignal())
    assert drop_needless_parts(late, over) == 0
    assert {key: late.get(key) for key in items} == items
    assert broken_off.missing() == [] and broken_off.check().failed == 0
