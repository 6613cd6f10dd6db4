"""A kind of evidence that is added to records and forgotten in a format is refused: the file would lack its payload."""

from __future__ import annotations

from enum import IntEnum
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from proofbase.engine import open_rules
from proofbase.engine.errors import InvalidParametersError
from proofbase.engine.formats import coq_theorem
from proofbase.engine.records import Evidence, Side
from proofbase.service.client import connect
from proofbase.service.commands.transfer import import_formats, record_lines

GAME = "tic-tac-toe"
KINDS: Any = IntEnum  # mypy asks for literal names
MORE = KINDS("MORE", {**{kind.name: int(kind) for kind in Evidence}, "NEW": len(Evidence)})
PARTS = {"table": None, "line": None, "nodes": None, "threats": None, "strategy": None, "pairing": None}


class Claim(SimpleNamespace):
    """A claim by a kind of evidence that no format knows."""

    def __init__(self) -> None:
        super().__init__(
            side=Side.LOWER, bound=0, rank=9, evidence=MORE.NEW, witness=4, payload=b"\1\2", source=None, **PARTS
        )


RECORD: Any = SimpleNamespace(claims=[Claim()], lower=Claim(), upper=None)


def test_json_lines_are_not_written_without_the_payload() -> None:
    game = open_rules(GAME)
    with pytest.raises(AssertionError, match="NEW"):
        record_lines.record_object(game, game.key(game.initial()), RECORD)


def test_json_lines_are_not_read_without_the_payload(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_formats, "Evidence", MORE)
    monkeypatch.setattr(import_formats, "Claim", SimpleNamespace)
    with pytest.raises(AssertionError, match="NEW"):
        import_formats._read_claim({"side": "lower", "bound": 0, "rank": 9, "evidence": "new", "witness": 4})


def test_coq_gets_no_claim_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with connect("memory:") as client:
        client.solve(GAME, "5,1,9,2,3")
        certificate = b"".join(client.export(GAME, "5,1,9,2,3", form="certificate"))
    assert list(coq_theorem.coq_theorem(BytesIO(certificate)))
    monkeypatch.setattr(coq_theorem, "decode_record", lambda record: RECORD)
    with pytest.raises(InvalidParametersError, match="claims by new are not in engine/formal"):
        list(coq_theorem.coq_theorem(BytesIO(certificate)))
