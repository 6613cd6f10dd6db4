"""What a verification of tables has found so far: the next one goes on from there if this one is stopped or killed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["VerifiedTables"]


class VerifiedTables:
    """The outcomes of the tables of a game that are verified already, kept in their directory until all are.

    They count as long as every table that the verification is about has the checksum that it had. A file that cannot be
    read or written costs the work of verifying again, and nothing else. (The class that is under way has a checkpoint
    of its own, which the core writes.)

    Args:
        directory: of the tables.
        game: its name.
        checksums: of the tables, by name.
    """

    def __init__(self, directory: Path, game: str, checksums: Mapping[str, int]) -> None:
        self._path = directory / f"{game.replace(':', '_')}.verified"
        self._new = self._path.with_name(f"{self._path.name}.new")
        self._checksums = dict(checksums)
        self.outcomes: dict[str, dict[str, Any]] = self._read()

    def add(self, table: str, outcome: dict[str, Any]) -> None:
        """Keeps the outcome of a table: what JSON can hold."""
        self.outcomes[table] = outcome
        content = {"checksums": self._checksums, "outcomes": self.outcomes}
        with suppress(OSError):
            self._new.write_text(json.dumps(content), encoding="utf-8")
            self._new.replace(self._path)

    def forget(self) -> None:
        """All tables are verified: the next verification begins anew."""
        for path in (self._path, self._new):  # a killed process may have left the second one
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            kept, outcomes = content["checksums"], content["outcomes"]
            same = all(self._checksums.get(name, checksum) == checksum for name, checksum in kept.items())
            return {name: dict(outcome) for name, outcome in outcomes.items() if same and name in self._checksums}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}
