"""One service without a transport: the resources, the jobs that run on them, and the proofs that are read in pages."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from proofbase.service.limits import Limits
from proofbase.service.resources import Resources
from proofbase.service.resources.cluster import Cluster
from proofbase.storage import SolutionStore, open_store
from proofbase.storage.closing import Closing

if TYPE_CHECKING:
    from proofbase.service.commands.solutions.get_proof import ProofPages
    from proofbase.service.jobs.runner import JobRunner

__all__ = ["Application", "open_application"]


class Application(Closing):
    """What a server, or a client in this process, calls the commands with. Close it, or use it as a context manager.

    The commands know nothing of this class: each takes the parts that it needs.

    Args:
        store: an open store; the application closes it.
        limits: what is accepted.
        rules: the rules that answer; `python` needs no compiled core but cannot search. None: the native ones where the
            core is installed.
        tables: directory of tables; None for the one beside the store.
        cluster: searches for the jobs with workers; None for threads and processes of this machine.

    Attributes:
        resources: the store with its games, tables, copies of records, and the limits.
    """

    def __init__(
        self,
        store: SolutionStore,
        limits: Limits | None = None,
        *,
        rules: Literal["native", "python"] | None = None,
        tables: Path | str | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        self.resources = Resources(store, limits, rules=rules, tables=tables, cluster=cluster)
        self._jobs: JobRunner | None = None
        self._proof_pages: ProofPages | None = None
        self._lock = threading.Lock()

    # Whoever reads positions needs neither of both: they are imported when they are first asked for.

    @property
    def jobs(self) -> JobRunner:
        """Runs the jobs of the store."""
        from proofbase.service.jobs.runner import JobRunner  # noqa: PLC0415

        with self._lock:
            self._jobs = self._jobs or JobRunner(self.resources)
            return self._jobs

    @property
    def proof_pages(self) -> ProofPages:
        """Proofs of which somebody has read the first pages."""
        from proofbase.service.commands.solutions.get_proof import ProofPages  # noqa: PLC0415

        with self._lock:
            self._proof_pages = self._proof_pages or ProofPages()
            return self._proof_pages

    def close(self) -> None:
        """Stops the jobs (they can be resumed) and closes the store."""
        if self._jobs is not None:
            self._jobs.close()
        self.resources.close()


def open_application(
    url: str, *, limits: Limits | None = None, read_only: bool = False, create: bool = True, **settings: Any
) -> Application:
    """Opens a store and an application on it.

    Raises:
        StoreError: the store cannot be opened; its subclass says why.
    """
    store = open_store(url, read_only=read_only, create=create)
    try:
        return Application(store, limits, **settings)
    except BaseException:
        store.close()
        raise
