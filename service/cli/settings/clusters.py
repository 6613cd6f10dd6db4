"""Options of a Dask cluster that searches for the jobs with workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.service.cli.exit_status import UsageError
from proofbase.service.client.known_records import new_cluster

if TYPE_CHECKING:
    from proofbase.service.resources.cluster import Cluster as ClusterSetting

__all__ = ["Cluster", "ClusterReads", "given_cluster"]

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="The scheduler of a Dask cluster, such as tcp://127.0.0.1:8786: its workers search "
        "(docs/proof-manager.md).",
        show_default=False,
    ),
]
ClusterReads = Annotated[
    str | None,
    typer.Option(
        "--cluster-reads",
        metavar="URL",
        help="Where workers of the cluster read what is known: this store (PostgreSQL), or HOST:PORT of its server. "
        "[default: this store if it is PostgreSQL; else it is sent to them]",
        show_default=False,
    ),
]


def given_cluster(address: str | None, reads: str | None) -> ClusterSetting | None:
    """The cluster that was named.

    Raises:
        UsageError: what was named is no address.
        ModuleNotFoundError: Dask is not installed.
    """
    if address is None:
        if reads is not None:
            raise UsageError("--cluster-reads goes with --cluster")
        return None
    try:
        return new_cluster(address, reads)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
