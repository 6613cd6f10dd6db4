"""Opening a client for a target: a store, or the address of a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.service.application import open_application
from proofbase.service.client.contract import Service
from proofbase.service.client.credentials import Credentials
from proofbase.service.limits import Limits

if TYPE_CHECKING:
    from proofbase.service.client.client import Client
    from proofbase.service.resources.cluster import Cluster

__all__ = ["connect", "is_address", "open_service"]

_HOST_AND_PORT = r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[0-9]{1,5}"
_ADDRESS = re.compile(f"{_HOST_AND_PORT}(?:,{_HOST_AND_PORT})*")


def connect(
    target: str,
    *,
    read_only: bool = False,
    create: bool = True,
    limits: Limits | None = None,
    tables: Path | str | None = None,
    token: str | None = None,
    ca: Path | str | None = None,
    certificate: Path | str | None = None,
    key: Path | str | None = None,
    cluster: Cluster | None = None,
) -> Client:
    """Opens a service.

    Args:
        target: `host:port` of a server, or several of one store with commas between; or a directory, a store URL or
            `memory:`, which is then served in this process. A directory whose name looks like an address is written
            with a slash (`./data:8080`).
        read_only: for stores: refuse writes, and let another process be the writer.
        create: for stores: make a store that does not exist.
        limits: for stores: what is accepted.
        tables: for stores: directory of the tables of values; None for the one beside the store.
        token: for servers: who this client is (`proofbase tokens create`); else PROOFBASE_TOKEN.
        ca: for servers: PEM file of the authority of the server's certificate, or `system`; else PROOFBASE_CA. Without
            it there is no TLS.
        certificate, key: for servers: PEM files of this client's certificate and its key; else PROOFBASE_CERTIFICATE
            and PROOFBASE_KEY.
        cluster: for stores: workers that search for the jobs; `new_cluster()` of `known_records.py` makes one.

    Raises:
        UnsafeServerError: a token would be sent in the clear, or a file cannot be read.
        StoreError: the store cannot be opened; its subclass says why. (A server is asked at the first call only.)
    """
    if is_address(target):
        # Who opens a store needs no gRPC, who asks a server no stores and commands.
        from proofbase.service.client.remote import RemoteClient  # noqa: PLC0415

        return RemoteClient(target, Credentials.given(token, ca, certificate, key))
    from proofbase.service.client.local import LocalClient  # noqa: PLC0415

    return LocalClient(
        open_application(target, limits=limits, read_only=read_only, create=create, tables=tables, cluster=cluster),
        target,
    )


def open_service(
    target: str,
    *,
    token: str | None = None,
    ca: Path | str | None = None,
    certificate: Path | str | None = None,
    key: Path | str | None = None,
    **options_of_stores: Any,
) -> Service:
    """Opens a service as `connect()` does, with single calls only.

    What a `Client` makes of several calls is not imported: that takes longer than a call.
    """
    if is_address(target):
        from proofbase.service.client.remote_service import RemoteService  # noqa: PLC0415

        return RemoteService(target, Credentials.given(token, ca, certificate, key))
    from proofbase.service.client.local_service import LocalService  # noqa: PLC0415

    return LocalService(open_application(target, **options_of_stores), target)


def is_address(target: str) -> bool:
    """Whether a target is `host:port` (or `[v6 address]:port`), or several of them with commas between."""
    return _ADDRESS.fullmatch(target) is not None
