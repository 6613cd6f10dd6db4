"""The client of a server."""

from __future__ import annotations

from proofbase.service.client.client import Client
from proofbase.service.client.remote_service import RemoteService

__all__ = ["RemoteClient"]


class RemoteClient(RemoteService, Client):
    """Calls the server at `host:port`. Nothing is sent before the first call."""
