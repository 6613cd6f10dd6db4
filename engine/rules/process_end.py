"""The end of a process in which a user's rules may still run.

Nobody can stop a thread. At its end Python waits for some threads, perhaps for ever, and aborts the process when
another one goes on with rules. So the process waits a little, and leaves without Python's end.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
from contextlib import suppress
from weakref import WeakSet

__all__ = ["leave_if_rules_run", "may_outlast"]

PATIENCE = 2.0
STATUS = 3
"""The status of a process that ends elsewhere than in `proofbase.service.cli`: nobody can ask Python for its own."""
_threads: WeakSet[threading.Thread] = WeakSet()


def may_outlast(thread: threading.Thread) -> None:
    """Says that a thread runs rules of users, or other work that may not return."""
    _threads.add(thread)


def leave_if_rules_run(status: int, level: int = logging.INFO) -> None:
    """Ends the process at once if such a thread does not end soon.

    To be called at the end of a process, when everything is closed.

    Args:
        status: of the process.
        level: of the log line that names the threads.
    """
    deadline = time.monotonic() + PATIENCE
    hanging = [thread for thread in threading.enumerate() if thread in _threads]
    for thread in hanging:
        thread.join(max(0.0, deadline - time.monotonic()))
    names = ", ".join(thread.name for thread in hanging if thread.is_alive())
    if names:
        log = logging.getLogger(__name__)
        log.log(level, "the process ends with status %d, though work has not: %s", status, names)
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(status)


atexit.register(leave_if_rules_run, STATUS, logging.WARNING)
