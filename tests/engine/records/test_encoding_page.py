"""Runs the examples of docs/record-encoding.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofbase.storage import Claim, MalformedRecordError, decode_record, encode_record

TEXT = (Path(__file__).parents[3] / "docs" / "record-encoding.md").read_text(encoding="utf-8")
RECORDS = re.findall(r"```record\n(.*?)```", TEXT, re.DOTALL)
MALFORMED = [line for block in re.findall(r"```malformed\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]


def leading_bytes(line: str) -> bytes:
    """The bytes in hexadecimal that a line begins with."""
    found = re.match(r"((?:[0-9a-f]{2}\s+)+)", line)
    assert found is not None, line
    return bytes.fromhex(found[1])


def in_words(claim: Claim) -> str:
    return str(claim.with_source(None)) + ("" if claim.source is None else f"; source {claim.source}")


def test_there_are_examples() -> None:
    assert len(RECORDS) >= 5
    assert len(MALFORMED) >= 10


@pytest.mark.parametrize("block", RECORDS)
def test_examples_mean_what_the_page_says(block: str) -> None:
    lines = block.splitlines()
    data = b"".join(leading_bytes(line) for line in lines if not line.startswith("="))
    record = decode_record(data)
    assert [in_words(claim) for claim in record.claims] == [line[2:] for line in lines if line.startswith("=")]
    assert encode_record(record) == data


@pytest.mark.parametrize("line", MALFORMED)
def test_malformed_examples_are_refused_for_the_reason_given(line: str) -> None:
    data = leading_bytes(line)
    reason = re.sub(r"^(?:[0-9a-f]{2} +)+", "", line).split(":")[0]
    with pytest.raises(MalformedRecordError) as caught:
        decode_record(data)
    assert reason in str(caught.value)
