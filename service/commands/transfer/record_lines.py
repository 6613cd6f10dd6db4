"""Records as lines of text: JSON objects, and rows of CSV, one of each claim."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from proofbase.engine.rules import Game
from proofbase.service.answers import Claim
from proofbase.service.commands.claims import claim_answer
from proofbase.service.commands.transfer.export_chunks import Export, Item
from proofbase.service.positions.probe import value_of_record
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Record, Side, decode_stored

__all__ = ["csv_lines", "json_lines", "record_object"]

COLUMNS = ("key", "position", "side", "bound", "rank", "evidence", "witness", "sources")


def json_lines(game: Game[Any], export: Export, items: Iterable[Item]) -> Iterator[bytes]:
    """A line of each record; the last one has the fingerprint of all records of the export."""
    last: dict[str, Any] | None = None
    for key, data in items:
        if last is not None:
            yield _json_line(last)
        last = record_object(game, key, decode_stored(game.name, key, data))
    if last is not None:
        yield _json_line({**last, "fingerprint": export.stated_fingerprint()})


def csv_lines(game: Game[Any], items: Iterable[Item]) -> Iterator[bytes]:
    """The names of the columns, and a row of each claim."""
    yield _csv_line(COLUMNS)
    for key, data in items:
        position = game.position(key)
        for claim in decode_stored(game.name, key, data).claims:
            answer = claim_answer(game, position, key, claim)
            yield _csv_line(
                (
                    key.hex(),
                    game.text(position),
                    answer.side,
                    answer.bound,
                    "" if answer.rank is None else answer.rank,
                    _evidence_text(answer),
                    answer.witness or "",
                    " ".join(map(str, answer.sources)),
                )
            )


def _json_line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def record_object(game: Game[Any], key: bytes, record: Record) -> dict[str, Any]:
    """One record as JSON: readable (position, value), and exact (key, claims), so that it can be imported again."""
    position = game.position(key)
    value = value_of_record(record, game.limit(position))
    claims = []
    for claim in record.claims:
        entry: dict[str, Any] = {
            "side": "lower" if claim.side == Side.LOWER else "upper",
            "bound": claim.bound,
            "rank": claim.rank,
            "evidence": claim.evidence.name.lower(),
        }
        if claim.witness is not None:
            entry["witness"] = claim.witness
        entry |= _payload_field(claim)
        if claim.source is not None:
            entry["source"] = claim.source
        claims.append(entry)
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "key": key.hex(),
        "position": game.text(position),
        "value": {"lower": value.lower, "upper": value.upper},
        "claims": claims,
    }


def _payload_field(claim: StoredClaim) -> dict[str, Any]:
    """The payload of a claim as a field of its JSON object."""
    match claim.evidence:
        case Evidence.CHILDREN:
            return {}
        case Evidence.TABLE:
            return {"table": claim.table}
        case Evidence.LINE:
            return {"line": list(claim.line or ())}
        case Evidence.SEARCH | Evidence.SEARCH_TO_LIMITS:
            return {"nodes": claim.nodes}
        case Evidence.THREATS | Evidence.STRATEGY | Evidence.PAIRING:
            return {claim.evidence.name.lower(): claim.payload.hex()}
    assert_never(claim.evidence)


def _csv_line(fields: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue().encode()


def _evidence_text(claim: Claim) -> str:
    """The kind of evidence, and what it rests on in a few words."""
    if claim.threats is not None:
        return f"{claim.evidence} {claim.threats.nodes}"
    if claim.strategy is not None:
        return f"{claim.evidence} {claim.strategy.diagram}"
    if claim.pairing is not None:
        return f"{claim.evidence} {claim.pairing.diagram}"
    detail = claim.table or claim.search_nodes or " ".join(map(str, claim.line))
    return f"{claim.evidence} {detail}" if detail else claim.evidence
