"""A directory for files that do not count yet. It goes with the process that made it, a killed one included."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from proofbase.storage.closing import Closing

__all__ = ["ScratchDirectory"]

PREFIX = ".new-"


class ScratchDirectory(Closing):
    """Makes a directory inside of another one, and holds a lock on it.

    Directories of processes that have ended without closing them are removed.

    Args:
        parent: where it is made, and from where its files can be renamed into their places.

    Raises:
        OSError: it cannot be made.

    Attributes:
        path: the directory.
    """

    def __init__(self, parent: Path) -> None:
        with _locked(parent, fcntl.LOCK_EX):  # nobody takes a new directory for one that was left
            for left in parent.glob(f"{PREFIX}*"):
                with suppress(OSError), _locked(left, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    shutil.rmtree(left)
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            self._lock = _locked(self.path, fcntl.LOCK_EX)
            self._lock.__enter__()

    def close(self) -> None:
        """Removes the directory with what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.__exit__(None, None, None)


@contextmanager
def _locked(directory: Path, how: int) -> Iterator[None]:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, how)
        yield
    finally:
        os.close(descriptor)
