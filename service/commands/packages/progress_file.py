"""How far the check of a package is, kept in a file, so that the same command goes on after a stop."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["ProgressFile"]

SAVE_SECONDS = 2.0


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
        self._games: dict[str, tuple[str, int, int, int]] = {}
        self._seconds = 0.0
        self._began = self._saved = time.monotonic()
        if path is None:
            return
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["question"] == self._question:
                self._games = {
                    name: (str(key), int(done), int(failed), int(resting))
                    for name, (key, done, failed, resting) in kept["games"].items()
                }
                self._seconds = float(kept["seconds"])

    def of(self, game: str) -> tuple[bytes | None, int, int, int]:
        """The last key of a game, how many records were checked, how many fail, how many rest on unverified tables."""
        key, checked, failed, resting = self._games.get(game, ("", 0, 0, 0))
        return bytes.fromhex(key) or None, checked, failed, resting

    def save(self, game: str, key: bytes, checked: int, failed: int, resting: int = 0) -> None:
        """Keeps how far the check of a game is; it is written every two seconds."""
        self._games[game] = key.hex(), checked, failed, resting
        if self._path is None or time.monotonic() - self._saved < SAVE_SECONDS:
            return
        self._saved = time.monotonic()
        seconds = self._seconds + self._saved - self._began
        new = _new(self._path)
        new.write_text(
            json.dumps({"question": self._question, "games": self._games, "seconds": seconds}), encoding="utf-8"
        )
        new.replace(self._path)

    def finish(self, seconds: float) -> float:
        """Removes the file. Returns the seconds of the check with those before a stop."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            _new(self._path).unlink(missing_ok=True)  # of a process that was killed
        return self._seconds + seconds


def _new(path: Path) -> Path:
    return path.with_name(path.name + ".new")
