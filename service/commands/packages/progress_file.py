"""How far the check of a package is, kept in a file, so that the same command goes on after a stop."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["ProgressFile", "RecordsDone"]

SAVE_SECONDS = 2.0


class RecordsDone(NamedTuple):
    """How far the check of a game's records is.

    Attributes:
        last_key: the key of the last record that was looked at; None where none was.
        checked: how many records were checked.
        failed: how many of them fail.
        resting: how many were left out, since they rest on tables that were not verified.
    """

    last_key: bytes | None = None
    checked: int = 0
    failed: int = 0
    resting: int = 0


class ProgressFile:
    """The progress of one check. Where there is no path, nothing is kept.

    Args:
        path: of the file; one of another package or of another question counts as none.
        manifest: checksum of the manifest.
        sample, seed: the question.
    """

    def __init__(self, path: Path | None, manifest: str, sample: int | None, seed: int) -> None:
        self._path = path
        self._question: dict[str, Any] = {"manifest": manifest, "sample": sample, "seed": seed}
        self._games: dict[str, RecordsDone] = {}
        self._seconds = 0.0
        self._began = self._saved = time.monotonic()
        if path is None:
            return
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["question"] == self._question:
                self._games = {
                    name: RecordsDone(bytes.fromhex(key) or None, int(checked), int(failed), int(resting))
                    for name, (key, checked, failed, resting) in kept["games"].items()
                }
                self._seconds = float(kept["seconds"])

    def of(self, game: str) -> RecordsDone:
        """How far the check of a game is."""
        return self._games.get(game, RecordsDone())

    def save(self, game: str, done: RecordsDone) -> None:
        """Keeps how far the check of a game is; it is written every two seconds."""
        self._games[game] = done
        if self._path is None or time.monotonic() - self._saved < SAVE_SECONDS:
            return
        self._saved = time.monotonic()
        games = {
            name: ((done.last_key or b"").hex(), done.checked, done.failed, done.resting)
            for name, done in self._games.items()
        }
        seconds = self._seconds + self._saved - self._began
        new = _new(self._path)
        new.write_text(json.dumps({"question": self._question, "games": games, "seconds": seconds}), encoding="utf-8")
        new.replace(self._path)

    def finish(self, seconds: float) -> float:
        """Removes the file. Returns the seconds of the check with those before a stop."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            _new(self._path).unlink(missing_ok=True)  # of a process that was killed
        return self._seconds + seconds


def _new(path: Path) -> Path:
    return path.with_name(path.name + ".new")
