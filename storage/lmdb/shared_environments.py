"""One environment a directory: all stores of a process that use one directory share it.

LMDB forbids opening one environment twice in a process.
"""

from __future__ import annotations

import os
import threading

from proofbase.storage.lmdb.environment import Environment

_OPEN: dict[str, Environment] = {}
_OPENING = threading.Lock()


def open_environment(directory: str, *, read_only: bool, create: bool, map_size: int, max_map_size: int) -> Environment:
    """The one environment of this process for a directory, opened if need be; release it with `close_environment`."""
    path = os.path.realpath(directory)
    with _OPENING:
        environment = _OPEN.get(path)
        if environment is None:
            environment = Environment(
                path, read_only=read_only, create=create, map_size=map_size, max_map_size=max_map_size
            )
            _OPEN[path] = environment
            return environment
        if environment.read_only and not read_only:
            environment.make_writable()
        environment.users += 1
        return environment


def close_environment(environment: Environment) -> None:
    """Releases an environment; the last user closes it."""
    with _OPENING:
        environment.users -= 1
        if environment.users == 0:
            _OPEN.pop(environment.directory, None)
            environment.close()


def _forget_after_fork() -> None:
    global _OPENING
    _OPENING = threading.Lock()
    for environment in _OPEN.values():
        environment.close(forked=True)
    _OPEN.clear()


os.register_at_fork(after_in_child=_forget_after_fork)
