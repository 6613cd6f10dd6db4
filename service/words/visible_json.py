"""JSON that others have written, as it is shown: no sign of it is invisible (`visible.py`)."""

from __future__ import annotations

import json

from proofbase.service.words.visible import with_escapes

__all__ = ["visible_json"]


def visible_json(text: str) -> str:
    """JSON on one line in which each sign is seen, by the escapes of JSON: its value stays the same."""
    return with_escapes(text, "", lambda sign: json.dumps(sign)[1:-1])
