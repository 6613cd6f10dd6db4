"""How a package is cited, and under which licence it is published."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from proofbase.service.errors import InvalidRequestError
from proofbase.storage.package.http_folder import folder_at
from proofbase.storage.package.manifest import MIRROR, MOST_MIRRORS

__all__ = ["CITATION", "Citation", "citation_file"]

CITATION = "CITATION.cff"
_LICENCE = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*")
LONGEST = 500


@dataclass(frozen=True, slots=True)
class Citation:
    """What is said of a package as a work.

    Attributes:
        licence: an SPDX expression, such as `CC0-1.0`.
        title: None for one made of the names of the games.
        authors: people or groups; nobody: anonymous.
        url: where it is published.
        released: when, as YYYY-MM-DD.
        mirrors: where else it is published.

    Raises:
        InvalidRequestError: an attribute is not that.
    """

    licence: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    url: str | None = None
    released: str | None = None
    mirrors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _LICENCE.fullmatch(self.licence) or len(self.licence) > LONGEST:
            raise InvalidRequestError(
                f"{self.licence!r} is no licence: name an SPDX identifier such as CC0-1.0, CC-BY-4.0 or ODbL-1.0",
                field="licence",
            )
        for name, text in (("title", self.title), ("url", self.url), *(("author", author) for author in self.authors)):
            if text is not None and not (1 <= len(text) <= LONGEST and text.isprintable()):
                raise InvalidRequestError(f"the {name} has 1 to {LONGEST} printable characters", field=name)
        wrong = [f"{url!r} is no address: " for url in self.mirrors if not MIRROR.fullmatch(url) or not folder_at(url)]
        if len(self.mirrors) > MOST_MIRRORS or wrong:
            raise InvalidRequestError(
                f"{''.join(wrong[:1])}mirrors are up to {MOST_MIRRORS} URLs such as https://host/folder",
                field="mirrors",
            )
        try:
            if self.released is not None and date.fromisoformat(self.released).isoformat() != self.released:
                raise ValueError
        except ValueError:
            raise InvalidRequestError(f"{self.released!r} is no date: write YYYY-MM-DD", field="released") from None

    def entries(self, games: Sequence[str]) -> dict[str, object]:
        """What the manifest says.

        Args:
            games: names of the games of the package.
        """
        return {
            "title": self.title or f"Solutions of {', '.join(games)}",
            "authors": list(self.authors) or ["anonymous"],
            "licence": self.licence,
            "url": self.url,
            "released": self.released,
            **({"mirrors": list(self.mirrors)} if self.mirrors else {}),
        }


def citation_file(entries: Mapping[str, Any], contents: Sequence[str]) -> str:
    """The text of CITATION.cff (Citation File Format 1.2.0); texts in quotation marks of JSON are YAML as well.

    Args:
        entries: what the manifest says.
        contents: a line for each solution.
    """
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this solution, please cite it as below.",
        "type: dataset",
        f"title: {json.dumps(entries['title'])}",
        "authors:",
        *(f"  - name: {json.dumps(author)}" for author in entries["authors"]),
        f"license: {entries['licence']}" if " " not in str(entries["licence"]) else "",
        f"url: {json.dumps(entries['url'])}" if entries["url"] else "",
        f"date-released: {json.dumps(entries['released'])}" if entries["released"] else "",
        "abstract: |-",
        *(f"  {line}" for line in contents),
    ]
    return "\n".join(line for line in lines if line) + "\n"
