"""The page of a package: static files that show and check its positions in a browser, without a server of ours."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from proofbase.service.package_page.bundle import bundled

__all__ = ["MODULES", "SCRIPT", "STYLES", "page_files"]

SCRIPT, STYLES = "page.js", "page.css"

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
    "page-pairings.js",
    "page-records.js",
    "page-rules.js",
    "page-strategies.js",
    "page-threats.js",
    "page-words.js",
    "rules-awari.js",
    "rules-connect-four.js",
    "rules-gomoku.js",
    "rules-qubic.js",
    "rules-tic-tac-toe.js",
)
"""The modules of the script; the first one is the page itself."""


@cache
def page_files() -> dict[str, bytes]:
    """The files that a package has of the page, by name: few of them, so that a browser asks seldom."""
    service = files("proofbase.service")
    static = service.joinpath("package_page", "static")
    # The style sheets of the page of a server.
    styles = [service.joinpath("pictures", "pictures.css"), service.joinpath("explorer", "static", "explorer.css")]
    return {
        SCRIPT: bundled({name: static.joinpath(name).read_text("utf-8") for name in MODULES}).encode(),
        STYLES: b"\n".join(place.read_bytes() for place in styles),
        "page-icon.svg": service.joinpath("explorer", "static", "icon.svg").read_bytes(),
    }
