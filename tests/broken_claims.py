"""What the checks in Python and in native code say of a single claim."""

from __future__ import annotations

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import Claim, Record, decode_record, encode_record

__all__ = ["broken"]


def broken(name: str, text: str, claim: Claim) -> list[str]:
    """The rules that a claim breaks, the same in Python and in native code."""
    game = open_rules(name)
    position = game.parse(text)
    key = game.key(position)
    assert position == game.position(key), "the text is that of the canonical position"
    data = encode_record(Record.of([claim]))
    assert decode_record(data).claims == (claim,)
    table = RecordTable(open_game(name))
    table.load([(key, data)])
    native = [finding.rule for finding in table.check([key]).findings]
    python = [finding.rule for finding in LocalCheck(game).findings([(key, data)], lambda keys: [None] * len(keys))]
    assert native == python
    return native
