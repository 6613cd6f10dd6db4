"""The servers: one process (`server.py`), or several processes that only read one store (`processes.py`)."""

from __future__ import annotations

from proofbase.service.server.server import DEFAULT_LISTEN, GRACE_SECONDS, SERVICES, Addresses, Server, serve

__all__ = ["DEFAULT_LISTEN", "GRACE_SECONDS", "SERVICES", "Addresses", "Server", "serve"]
