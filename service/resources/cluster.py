"""The cluster that searches for the jobs of a service: where its scheduler is, and where its workers read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec

__all__ = ["Cluster"]

_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}")
ReadRecords = Callable[[str, str], Iterable[tuple[bytes, bytes]]]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Dask cluster.

    Attributes:
        address: of its scheduler, such as `tcp://127.0.0.1:8786`; `tls://...` with the certificates of Dask's own
            configuration.
        reads: the store or the server where its workers read what is known; None: what is known is sent to them.
        read: gives the records of a game there. It runs on the workers: a function of a module.

    Raises:
        ValueError: the address is none.
        ModuleNotFoundError: Dask is not installed.
    """

    address: str
    reads: str | None = field(default=None, repr=False)
    """It may hold a password."""
    read: ReadRecords | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if _ADDRESS.fullmatch(self.address) is None:
            raise ValueError(
                f"cluster {self.address!r}: the address of a scheduler is written tcp://HOST:PORT or tls://HOST:PORT"
            )
        if find_spec("distributed") is None:
            raise ModuleNotFoundError("a cluster needs Dask: pip install 'proofbase[dask]'")
