"""A directory for files that do not count yet. It goes with the process that made it, a killed one included."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from proofbase.storage.closing import Closing

__all__ = ["PREFIX", "ScratchDirectory"]

PREFIX = ".proofbase-"
"""What their names begin with."""


class ScratchDirectory(Closing):
    """Makes a directory inside of another one, and holds a lock on it.

    Directories of processes that have ended without closing them are removed.

    Args:
        parent: where it is made, and from where its files can be renamed into their places. None: where temporary files
            are.

    Raises:
        OSError: it cannot be made.

    Attributes:
        path: the directory.
    """

    def __init__(self, parent: Path | None = None) -> None:
        self._parent = parent = parent or Path(tempfile.gettempdir())
        for abandoned in parent.glob(f"{PREFIX}*"):
            with suppress(OSError), _locked(abandoned, fcntl.LOCK_EX | fcntl.LOCK_NB):
                shutil.rmtree(abandoned)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            try:
                self._lock = _locked(self.path, fcntl.LOCK_EX)
                self._lock.__enter__()
            except FileNotFoundError:
                continue  # another process took it for one that was left
            if self.path.exists():
                break
            self._lock.__exit__(None, None, None)

    def put(self, names: Iterable[str]) -> None:
        """Renames files into the directory in which this one is, in this order and durably.

        Raises:
            OSError: one cannot be renamed.
        """
        with _locked(self._parent, fcntl.LOCK_EX) as parent:
            for name in names:
                (self.path / name).replace(self._parent / name)
            os.fsync(parent)

    def close(self) -> None:
        """Removes the directory with what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.__exit__(None, None, None)


@contextmanager
def _locked(directory: Path, how: int) -> Iterator[int]:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, how)
        yield descriptor
    finally:
        os.close(descriptor)
