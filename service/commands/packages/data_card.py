"""The data card of a package: README.md, with the head in YAML that hubs of data sets read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

__all__ = ["CARD", "data_card"]

CARD = "README.md"
LICENCES = {
    **dict.fromkeys(("cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "mit", "apache-2.0", "bsd-3-clause")),
    "odbl-1.0": "odbl",
    "gpl-3.0-only": "gpl-3.0",
}
"""Identifiers of SPDX that hubs know, in small letters, with the name there where it is another one."""
SIZES = (
    "n<1K",
    "1K<n<10K",
    "10K<n<100K",
    "100K<n<1M",
    "1M<n<10M",
    "10M<n<100M",
    "100M<n<1B",
    "1B<n<10B",
    "10B<n<100B",
    "100B<n<1T",
)
"""Words of hubs for numbers of at most three digits, four, and so on."""


def data_card(about: Mapping[str, Any], solutions: Sequence[Mapping[str, Any]]) -> str:
    """The text of the card.

    Args:
        about: what the manifest says of the package.
        solutions: what it says of each game.
    """
    title, url = _plain(about["title"]), about["url"] or "https://host/folder"
    licence = about["licence"].lower()
    known = licence in LICENCES
    total = sum(_size(entry) for entry in solutions)
    year = str(about["released"] or "")[:4]
    game = solutions[0]["game"] if solutions else "GAME"
    head = [
        f"license: {LICENCES.get(licence) or licence}" if known else "license: other",
        *([] if known else [f"license_name: {json.dumps(about['licence'])}"]),
        f"pretty_name: {json.dumps(about['title'])}",
        "tags:",
        *(f"- {json.dumps(tag)}" for tag in ("game-solving", "proofbase", *_families(solutions))),
        "size_categories:",
        f"- {next((name for digits, name in enumerate(SIZES, 3) if total < 10**digits), 'n>1T')}",
    ]
    rows = [
        f"| {_plain(entry['game'])} | {_plain(entry['root'] or 'all records')} | {_contents(entry)} |"
        for entry in solutions
    ]
    cited = f"{_plain(', '.join(about['authors']))}{f' ({year})' if year else ''}: *{title}*."
    cited += f" <{about['url']}>" if about["url"] else ""
    mirrors = ", ".join(f"<{mirror}>" for mirror in about.get("mirrors", ()))
    lines = [
        *("---", *head, "---", "", f"# {title}", ""),
        "Solutions of games. Each value can be checked by the rules of its game alone.",
        *("", "| game | position | holds |", "|---|---|---|", *rows, ""),
        *("**Look up one position** (`pip install proofbase`); a few kilobytes are read:", ""),
        *("```sh", f"proofbase lookup {quote(game)} --store {quote(url)}", "```", ""),
        *("**Check all of it**, file by file and by the rules:", ""),
        *("```sh", "sha256sum -c SHA256SUMS", f"proofbase check-package {quote(url)}", "```", ""),
        *("`manifest.json` holds its own checksum, and is not in `SHA256SUMS`.", ""),
        *([f"Also at {mirrors}.", ""] if mirrors else []),
        *(f"**Licence**: {about['licence']}.", "", f"**Citation** (`CITATION.cff`): {cited}"),
    ]
    return "\n".join(lines) + "\n"


def _size(entry: Mapping[str, Any]) -> int:
    records: int = entry["records"]["count"]
    return records + _entries(entry)


def _entries(entry: Mapping[str, Any]) -> int:
    return sum(table["entries"] for table in entry["tables"])


def _families(solutions: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted({entry["game"].partition(":")[0] for entry in solutions})


def _contents(entry: Mapping[str, Any]) -> str:
    count, entries = entry["records"]["count"], _entries(entry)
    parts = [f"{count:,} records"] if count else []
    parts += [f"{len(entry['tables']):,} tables with {entries:,} entries"] if entries else []
    parts += [f"`{entry['certificate']}`"] if entry["certificate"] else []
    return ", ".join(parts)


def _plain(text: str) -> str:
    """A text that no sign of Markdown or HTML changes."""
    return re.sub(r"[\\`*_\[\]<>&|$~]", lambda sign: f"&#{ord(sign[0])};", text)
