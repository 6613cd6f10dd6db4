"""docs/python.md has every method of a client, with its arguments and defaults as they are."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from proofbase.service.client import Client
from proofbase.service.client.local import LocalClient

PAGE = (Path(__file__).parents[3] / "docs" / "python.md").read_text(encoding="utf-8")


def signature_text(name: str) -> str:
    """Such as `line(game, position=None, *, max_plies=None)`."""
    parts, named = list[str](), False
    for entry in list(inspect.signature(getattr(LocalClient, name)).parameters.values())[1:]:
        if entry.kind is entry.KEYWORD_ONLY and not named:
            parts.append("*")
            named = True
        parts.append(entry.name if entry.default is entry.empty else f"{entry.name}={entry.default!r}")
    return f"{name}({', '.join(parts)})"


def test_the_page_has_every_method_as_it_is() -> None:
    methods = [name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")]
    shown = re.findall(r"^\| `(\w+\(.*?\))` \|", PAGE, re.MULTILINE)
    for short, options in re.findall(r"^\| `([A-Z]+)` \| `(.*?)` \|", PAGE, re.MULTILINE):
        shown = [re.sub(rf"\b{short}\b", options, signature) for signature in shown]
    assert sorted(shown) == sorted(map(signature_text, methods))
