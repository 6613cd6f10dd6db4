"""What workers of a cluster know: the records of a game, read from a store or from a server."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from proofbase.service.client.connect import connect, is_address
from proofbase.service.commands.transfer.import_formats import open_json_lines
from proofbase.service.resources.cluster import Cluster
from proofbase.service.resources.games import GameCache
from proofbase.storage import open_store

__all__ = ["new_cluster", "read_records"]

SPOOLED_BYTES = 64 << 20


def new_cluster(address: str, reads: str | None = None) -> Cluster:
    """A cluster whose workers can read from stores and from servers.

    Args:
        address: of its scheduler.
        reads: URL of a store, or `host:port` of a server; None for the store of the service if others can open it, and
            else nowhere.

    Raises:
        ValueError: the address is none.
        ModuleNotFoundError: Dask is not installed.
    """
    return Cluster(address, reads, read_records)


def read_records(where: str, game: str) -> Iterator[tuple[bytes, bytes]]:
    """All sound records of a game; what was read of a damaged store is left out.

    Args:
        where: URL of a store, or `host:port` of a server. Credentials for the server are those of the environment.
        game: canonical name.
    """
    if not is_address(where):
        with open_store(where, read_only=True, create=False) as store:
            yield from store.scan(game, faults=[])
        return
    with connect(where) as client, tempfile.SpooledTemporaryFile(SPOOLED_BYTES) as file:
        with client.export(game, form="jsonl") as chunks:
            for chunk in chunks:
                file.write(chunk)
        if file.tell():
            file.seek(0)
            yield from open_json_lines(file, GameCache("native", lambda name: False)).items()
