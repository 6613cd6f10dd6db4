"""What a verification of tables has found so far: the next one goes on from there if this one is stopped or killed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from proofbase.service.jobs.table import TableFinding, TableOutcome

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
        self.outcomes = self._read()
        """Of each table that is verified, with its findings."""

    def add(self, outcome: TableOutcome, findings: list[TableFinding]) -> None:
        """Keeps the outcome of a table."""
        self.outcomes[outcome.table] = outcome, findings
        outcomes = {
            name: {"row": asdict(row), "findings": [asdict(finding) for finding in its_findings]}
            for name, (row, its_findings) in self.outcomes.items()
        }
        content = {"checksums": self._checksums, "outcomes": outcomes}
        with suppress(OSError):
            self._new.write_text(json.dumps(content), encoding="utf-8")
            self._new.replace(self._path)

    def forget(self) -> None:
        """All tables are verified: the next verification begins anew."""
        for path in (self._path, self._new):  # a killed process may have left the second one
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _read(self) -> dict[str, tuple[TableOutcome, list[TableFinding]]]:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            checksums, outcomes = content["checksums"], content["outcomes"]
            if any(self._checksums.get(name, checksum) != checksum for name, checksum in checksums.items()):
                return {}
            rows = ((outcome["row"], outcome["findings"]) for outcome in outcomes.values())
            read = [(TableOutcome(**row), [TableFinding(**finding) for finding in findings]) for row, findings in rows]
            return {
                outcome.table: (outcome, findings) for outcome, findings in read if outcome.table in self._checksums
            }
        except (OSError, ValueError, TypeError, KeyError, AttributeError):  # none, or not what was written there
            return {}
