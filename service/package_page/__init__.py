"""The page of a package: static files that show and check its positions in a browser, without a server of ours."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["MODULES", "page_files"]

MODULES = (
    "page.js",
    "page-answers.js",
    "page-boards.js",
    "page-bytes.js",
    "page-check.js",
    "page-elements.js",
    "page-files.js",
    "page-lines.js",
    "page-package.js",
    "page-records.js",
    "page-rules.js",
    "page-strategies.js",
    "page-threats.js",
    "page-words.js",
    "rules-awari.js",
    "rules-connect-four.js",
    "rules-gomoku.js",
    "rules-tic-tac-toe.js",
)
"""The modules of the script, the first one is the page itself. A browser loads all of them at once."""


@cache
def page_files() -> dict[str, bytes]:
    """The files that a package has of the page, by name: the script, and the style sheets of the page of a server."""
    service = files("proofbase.service")
    found = {name: service.joinpath("package_page", "static", name) for name in MODULES}
    found["page.css"] = service.joinpath("explorer", "static", "explorer.css")
    found["page-boards.css"] = service.joinpath("pictures", "pictures.css")
    found["page-icon.svg"] = service.joinpath("explorer", "static", "icon.svg")
    return {name: _content(place) for name, place in found.items()}


def _content(place: Traversable) -> bytes:
    return place.read_bytes()
