"""JSON for programs: answers of the service as documents with the field names of the protocol."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from proofbase.service.answers import PositionAnswer, Value
from proofbase.service.words.visible_json import visible_json

__all__ = ["document", "lookup_document", "print_document"]


def print_document(data: Any) -> None:
    """Writes one JSON document on one line of standard output."""
    sys.stdout.write(visible_json(json.dumps(document(data), ensure_ascii=False)) + "\n")
    sys.stdout.flush()


def document(data: Any) -> Any:
    """Plain JSON values: a value becomes {lower, upper}, bytes hexadecimal text, other answers their fields."""
    if isinstance(data, Value):
        return {"lower": data.lower, "upper": data.upper}
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {field.name: document(getattr(data, field.name)) for field in dataclasses.fields(data)}
    if isinstance(data, bytes):
        return data.hex()
    if isinstance(data, dict):
        return {str(name): document(entry) for name, entry in data.items()}
    if isinstance(data, list | tuple):
        return [document(entry) for entry in data]
    return data


def lookup_document(answer: PositionAnswer) -> dict[str, Any]:
    """What is known of a position; the moves are best first, those of unknown value (known false) last."""
    return {
        "game": answer.game,
        "position": answer.position,
        "key": answer.key.hex(),
        "side": answer.side,
        "score": answer.score,
        "stored": answer.stored,
        "terminal": answer.terminal,
        "known": answer.known,
        "value": document(answer.value),
        "rank": answer.rank,
        "no_win_within": answer.no_win_within,
        "no_loss_within": answer.no_loss_within,
        "best_move": answer.witness,
        "moves": document(answer.moves),
        "claims": document(answer.claims),
        "sources": document(answer.sources),
        "searched": document(answer.searched),
        "verification": document(answer.verification),
        "package": answer.package,
    }
