"""`export --smallest` keeps no line that a claim does not need."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import chain

import pytest
from services import Service

from proofbase.engine._core import RecordTable
from proofbase.engine.certificate import CertificateReader
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Evidence, Record, decode_record, encode_record, line_payload
from proofbase.service.commands.transfer.needless_lines import drop_needless_lines

POSITION = "moves:0 1 21 2 42"
"""Of qubic: the side to move does not win, which many lines show."""


class Interrupted(Exception):
    pass


def items_of(data: bytes) -> dict[bytes, bytes]:
    return dict(CertificateReader([data]))


def table_of(items: dict[bytes, bytes]) -> RecordTable:
    table = RecordTable(open_game("qubic"))
    table.load(items.items())
    return table


def records_without_a_line(data: bytes) -> list[bytes]:
    """For each line of an upper claim with several: the record without it."""
    claims = decode_record(data).claims
    return [
        encode_record(Record.of([replace(claim, payload=payload) if other == claim else other for other in claims]))
        for claim in claims
        if claim.evidence == Evidence.LINE and len(claim.lines) > 1
        for payload in payloads_without_a_line(claim)
    ]


def payloads_without_a_line(claim: Claim) -> list[bytes]:
    return [
        line_payload(chain.from_iterable((len(line), *line) for line in claim.lines if line != left_out))
        for left_out in claim.lines
    ]


@pytest.fixture
def certificate(service: Service) -> bytes:
    service.client.solve("qubic", POSITION, at_least=1)
    return b"".join(service.client.export("qubic", POSITION))


def test_every_line_of_a_smallest_certificate_is_needed(service: Service, certificate: bytes) -> None:
    small = b"".join(service.client.export("qubic", POSITION, strategy_seconds=60))
    assert check_certificate(small).valid and len(small) < 0.9 * len(certificate)
    items = items_of(small)
    assert items.keys() == items_of(certificate).keys()
    changed = [(key, record) for key, data in items.items() for record in records_without_a_line(data)]
    assert len(changed) > 20
    table = table_of(items)
    for key, record in changed:
        table.remove([key])
        table.put(key, record)
        assert table.check([key]).failed == 1
        table.remove([key])
        table.put(key, items[key])


def test_the_records_stay_closed_where_it_ends_early(certificate: bytes) -> None:
    items = items_of(certificate)

    def interrupt() -> None:
        raise Interrupted

    broken_off = table_of(items)
    with pytest.raises(Interrupted):
        drop_needless_lines(broken_off, time.monotonic() + 60, interrupt)
    late = table_of(items)
    assert drop_needless_lines(late, time.monotonic(), lambda: None) == 0
    assert {key: late.get(key) for key in items} == items
    assert {key: broken_off.get(key) for key in items} != items
    assert broken_off.missing() == [] and broken_off.check().failed == 0
