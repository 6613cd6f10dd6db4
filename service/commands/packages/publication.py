"""A game while it is published: what all parts of its package are made from, and what they have written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.commands.packages.citation import Citation
from proofbase.service.resources import Resources
from proofbase.storage import OnProgress
from proofbase.storage.package.manifest import Manifest, file_name
from proofbase.storage.package.source_numbers import SourceNumbers

__all__ = ["Publication", "named_files"]


@dataclass(slots=True)
class Publication:
    """A game, and the package that it is published in.

    Attributes:
        resources: the store and what belongs to it.
        game: the game.
        position: the root of the records; the initial position where all records are published.
        root: the text of that position; None where all records are published.
        folder: where the new files are written.
        directory: of the package.
        citation: licence, title and authors.
        other_games: what the old manifest says of the other games of the package.
        with_tables: whether the game's tables of values are published.
        table_names: names of the tables to publish; None: all.
        sources: numbers of the sources in the package.
        on_progress: told how far it is.
        about: what the manifest says of the package as a work.
        entry: what the manifest says of the game. Each part adds what it has written.
        files: names of the new files.
        manifest: the new manifest.
    """

    resources: Resources
    game: Game[Any]
    position: Any
    root: str | None
    folder: Path
    directory: Path
    citation: Citation
    other_games: list[dict[str, Any]]
    with_tables: bool
    table_names: frozenset[str] | None
    sources: SourceNumbers
    on_progress: OnProgress
    about: dict[str, Any] = field(init=False)
    entry: dict[str, Any] = field(init=False)
    files: list[str] = field(init=False, default_factory=list)
    manifest: Manifest = field(init=False)

    def __post_init__(self) -> None:
        self.entry = {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "root": self.root,
            "value": {"lower": None, "upper": None},
            "file": "",
            "records": {},
            "tables": [],
            "certificate": None,
            "checks": [],
        }

    @property
    def root_key(self) -> bytes | None:
        """The key of the position that the records are about; None: all records."""
        return None if self.root is None else self.game.key(self.position)

    @property
    def games(self) -> list[dict[str, Any]]:
        """What the manifest says of every game, by name."""
        return sorted([*self.other_games, self.entry], key=lambda entry: str(entry["game"]))

    @property
    def stem(self) -> str:
        """What the names of the game's files begin with, and those of no other game of the package.

        Names of games may differ only in signs that names of files have not.
        """
        stem = file_name(self.game.name)
        if self.root_key is not None:
            stem += f"-{_digest(self.root_key)}"
        if any(entry["file"] == f"{stem}.blocks" for entry in self.other_games):
            stem += f"-{_digest(self.game.name.encode())}"
        return stem


def named_files(games: Iterable[dict[str, Any]]) -> list[str]:
    """The files of games, by what the manifest says of them."""
    return [
        name
        for entry in games
        for name in (entry["file"], *entry.get("more_files", ()), entry["certificate"])
        if name is not None
    ]


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:8]
