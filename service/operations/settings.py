"""How a server is operated, beside what it serves and whom it answers."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Operation"]


@dataclass(frozen=True, slots=True)
class Operation:
    """How a server is operated.

    Attributes:
        metrics_listen: `host:port` for metrics, liveness and readiness; None for none.
        drain_seconds: how long it still answers once it was told to stop, and says that it is not ready: so long may
            whoever balances the load need to notice.
        shared_ports: other processes listen on the same ports, and the kernel deals out the connections.
        refused: why no job may be started or changed here; None: they may.
        secret: with which these processes sign continuations; None for one of this process.
    """

    metrics_listen: str | None = None
    drain_seconds: float = 0.0
    shared_ports: bool = False
    refused: str | None = None
    secret: bytes | None = field(default=None, repr=False)
