"""The servers: one process (`single_process.py`), or several processes that only read one store (`processes.py`)."""

from __future__ import annotations

from proofbase.service.server.server import GRACE_SECONDS, SERVICES, Server
from proofbase.service.server.single_process import DEFAULT_LISTEN, Addresses, serve

__all__ = ["DEFAULT_LISTEN", "GRACE_SECONDS", "SERVICES", "Addresses", "Server", "serve"]
