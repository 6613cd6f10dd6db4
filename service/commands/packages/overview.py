"""The first page of a package: an overview of its games, which needs no script; one shows their positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from proofbase.engine.rules import is_built_in
from proofbase.service.answers import Value
from proofbase.service.package_page import SCRIPT, STYLES
from proofbase.service.words.values import highest_value, value_text

__all__ = ["OVERVIEW", "overview_page"]

OVERVIEW = "index.html"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
"""What the page may load: nothing from other hosts, no script in the page itself."""
_IN_ADDRESS = {ord(sign): f"%{ord(sign):02X}" for sign in "%&+#="}
"""What separates the parts of an address, where it is a part of a name."""


def overview_page(about: Mapping[str, Any], solutions: Sequence[Mapping[str, Any]]) -> str:
    """The page.

    Args:
        about: what the manifest says of the package.
        solutions: what it says of each game.
    """
    title = escape(about["title"])
    authors, licence = escape(", ".join(about["authors"])), escape(about["licence"])
    released = f", {about['released']}" if about["released"] else ""
    rows = "\n".join(_row(entry) for entry in solutions)
    url = escape(about["url"] or "https://host/folder")
    heads = ("game", "position", "value", "records", "entries of tables", "certificate")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" type="image/svg+xml" href="page-icon.svg">
<link rel="stylesheet" href="{STYLES}">
<script type="module" src="{SCRIPT}"></script>
</head>
<body class="proofbase">
<header>
<a href="#content" class="skip">To the content</a>
<nav aria-label="main"><a href="#" class="brand">{title}</a></nav>
</header>
<main id="content">
<div id="overview">
<h1>{title}</h1>
<p>By {authors}{released}. Licence {licence}. <a href="CITATION.cff">How to cite it</a>,
<a href="manifest.json">what it holds</a>.</p>
<p class="error" id="no-page">The positions of these games are shown where a server of static files serves this folder,
to browsers with scripts.</p>
<div class="scroll">
<table id="store-games">
<thead><tr>{"".join(f'<th scope="col">{head}</th>' for head in heads)}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
<p>Values are what the publisher says. proofbase reads and checks them from here:
<code>proofbase lookup GAME --store {url}</code>, <code>proofbase check-package {url}</code>.</p>
</div>
<div id="shown"></div>
</main>
<p role="status" aria-live="polite" id="said"></p>
</body>
</html>
"""


def _row(entry: Mapping[str, Any]) -> str:
    name, root = entry["game"], entry["root"]
    game = f'<a href="#game={escape(name.translate(_IN_ADDRESS))}">{escape(name)}</a>'
    position = "all records" if root is None else f"<code>{escape(root)}</code>"
    entries = sum(table["entries"] for table in entry["tables"])
    certificate = entry["certificate"]
    link = f'<a href="{escape(certificate)}">{escape(certificate)}</a>' if certificate else ""
    numbers = f'<td class="right">{entry["records"]["count"]:,}</td><td class="right">{entries:,}</td>'
    return f"<tr><td>{game}</td><td>{position}</td><td>{_value(entry)}</td>{numbers}<td>{link}</td></tr>"


def _value(entry: Mapping[str, Any]) -> str:
    """What is known of the position, for its side to move: in words where a built-in game has only three values."""
    lower, upper = entry["value"]["lower"], entry["value"]["upper"]
    if lower is None and upper is None:
        return "not known"
    known = lower is not None, upper is not None
    value = Value(lower if known[0] else upper - 1, upper if known[1] else lower + 1, *known)
    return value_text(value, highest_value(entry["game"]) if is_built_in(entry["game"]) else 0)
