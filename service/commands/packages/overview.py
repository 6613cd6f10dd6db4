"""The overview of a package for a browser: a page without any script, beside the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["OVERVIEW", "overview_page"]

OVERVIEW = "index.html"
_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}"
    "td{border-top:1px solid #ccc}"
)


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
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p>By {authors}{released}. Licence {licence}. <a href="CITATION.cff">How to cite it</a>,
<a href="manifest.json">what it holds</a>.</p>
<table>
<tr><th>game</th><th>position</th><th>value</th><th>records</th><th>entries of tables</th><th>certificate</th></tr>
{rows}
</table>
<p>proofbase reads and checks it from here: <code>proofbase lookup GAME --store {url}</code>,
<code>proofbase check {url}</code>.</p>
</body>
</html>
"""


def _row(entry: Mapping[str, Any]) -> str:
    lower, upper = entry["value"]["lower"], entry["value"]["upper"]
    if lower is not None and lower == upper:
        value = f"{lower}"
    else:
        known = [f"at least {lower}" if lower is not None else "", f"at most {upper}" if upper is not None else ""]
        value = ", ".join(part for part in known if part) or "not known"
    position = "all records" if entry["root"] is None else f"<code>{escape(entry['root'])}</code>"
    entries = sum(table["entries"] for table in entry["tables"])
    certificate = entry["certificate"]
    link = f'<a href="{escape(certificate)}">{escape(certificate)}</a>' if certificate else ""
    cells = [escape(entry["game"]), position, value, f"{entry['records']['count']:,}", f"{entries:,}", link]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
