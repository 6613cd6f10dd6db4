"""The client of a service in the same process."""

from __future__ import annotations

from proofbase.service.client.client import Client
from proofbase.service.client.local_service import LocalService

__all__ = ["LocalClient"]


class LocalClient(LocalService, Client):
    """Runs the commands on an application, and closes it in the end."""
