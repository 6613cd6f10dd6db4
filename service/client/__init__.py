"""The client: `connect` opens a path, a store URL, `memory:` or `host:port`, and all of them behave the same.

Its other names are those of `names.py`, which is imported when one of them is asked for: a program that only connects
does not wait for the classes of all jobs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from proofbase.service.client.connect import connect

if TYPE_CHECKING:
    from proofbase.service.client.names import *  # noqa: F403


def __getattr__(name: str) -> Any:
    names = import_module("proofbase.service.client.names")
    if name == "__all__":
        return [*names.__all__, "connect"]
    if name in names.__all__:
        return getattr(names, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__all__"]
