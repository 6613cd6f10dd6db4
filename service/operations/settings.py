"""Settings of a server's operation: metrics, shutdown, processes."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Operation"]


@dataclass(frozen=True, slots=True)
class Operation:
    """How a server is operated.

    Attributes:
        metrics_listen: `host:port` for metrics, liveness and readiness; None for none.
        drain_seconds: how long the server still answers after the signal to stop, while readiness already fails. A
            load balancer needs this time to notice.
        shared_ports: whether other processes listen on the same ports; the kernel then distributes the connections.
        refused: why this server refuses to start or change jobs; None if it does not.
        contact: where visitors of the page write to: an address of the web or of mail; None for nowhere.
        secret: the key with which the processes of this server sign continuations; None for a random one.
    """

    metrics_listen: str | None = None
    drain_seconds: float = 0.0
    shared_ports: bool = False
    refused: str | None = None
    contact: str | None = None
    secret: bytes | None = field(default=None, repr=False)
