"""The processes that run jobs of one store: which one this is, and which ones have died.

A shared store (a database) keeps one entry for each process that runs its jobs; the process renews the entry every few
seconds. A process whose entry is gone, or was not renewed for long enough by the clock of the database, has died, and
its jobs are free. A process that has died on this very machine is noticed at once.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from typing import Any

from proofbase.engine.system import running_system, start_of_process
from proofbase.service.jobs.model import Job, JobServer
from proofbase.storage import SolutionStore, StoreError
from proofbase.storage.entries import ServerEntry

__all__ = ["RENEWAL_SECONDS", "SILENT_SECONDS", "JobServers"]

_log = logging.getLogger(__name__)
RENEWAL_SECONDS = 10.0
SILENT_SECONDS = 45.0
"""A process that has not renewed its entry for so long is taken for dead."""


class JobServers:
    """The servers of one store's jobs. Thread-safe.

    Attributes:
        own: this process.
    """

    def __init__(self, store: SolutionStore) -> None:
        self._store = store
        self._active = store.shared and not store.read_only
        self._lock = threading.Lock()
        self._entered = False
        self._renewed = 0.0
        """When the own entry was renewed last."""
        self._unbroken = 0.0
        """Since when no renewal has failed or come too late."""
        pid = os.getpid()
        self.own = JobServer(secrets.token_hex(8), socket.gethostname(), pid)
        self._about: dict[str, Any] = {"machine": running_system(), "started": start_of_process(pid)}

    def enter(self, address: str | None = None) -> None:
        """Tells the other processes of this one; called before it runs its first job.

        Args:
            address: `host:port` where it answers calls.

        Raises:
            TransientStoreError: the store cannot be written now; `renew` makes up for it.
        """
        with self._lock:
            if address is not None and address != self.own.address:
                self.own = JobServer(self.own.id, self.own.host, self.own.pid, address)
            elif self._entered:
                return
        self.renew()

    def renew(self) -> None:
        """Renews the entry of this process, if that is due soon.

        Raises:
            StoreError: the entry cannot be stored.
        """
        if not self._active:
            return
        about = {**self._about, "host": self.own.host, "pid": self.own.pid, "address": self.own.address}
        self._store.renew_server(self.own.id, about)
        with self._lock:
            now = time.monotonic()
            if not self._entered:
                self._entered = True
            elif now - self._renewed > SILENT_SECONDS / 2:
                # The store was out of reach, perhaps for the others as well: wait until they have renewed theirs.
                self._unbroken = now
            self._renewed = now

    @property
    def due(self) -> bool:
        """Whether it is time to renew the entry."""
        return self._active and self._entered and time.monotonic() - self._renewed >= RENEWAL_SECONDS

    def leave(self) -> None:
        """Removes the entry of this process: what it has left unfinished is free at once."""
        if not self._entered:
            return
        try:
            self._store.drop_server(self.own.id)
        except StoreError as error:
            _log.warning("the other servers of the database will notice the end of this one late: %s", error)

    def dead(self, jobs: list[Job]) -> list[Job]:
        """The jobs, of those that do not run in this process, that no process works on.

        Raises:
            StoreError: the store cannot be read.
        """
        if not self._store.shared:
            return jobs
        servers = {entry.id: entry for entry in self._store.servers()}
        return [job for job in jobs if job.resting or self._has_died(job, servers)]

    def has_no_server(self, job: Job) -> bool:
        """Whether no other process works on a job that does not run in this one."""
        return job.resting or not self._store.shared or bool(self.dead([job]))

    def forget_dead(self) -> None:
        """Removes the entries of processes that died long ago."""
        for entry in self._store.servers():
            if entry.silent > 100 * SILENT_SECONDS:
                self._store.drop_server(entry.id)

    def _has_died(self, job: Job, servers: dict[str, ServerEntry]) -> bool:
        if job.server is None:  # left in the queue, or by a release that kept no list of servers
            return not job.created or time.time() - job.updated > SILENT_SECONDS
        if job.server.id == self.own.id:
            return True
        entry = servers.get(job.server.id)
        if entry is None or self._is_gone_from_here(entry):
            return True
        settled = time.monotonic() - self._unbroken > SILENT_SECONDS
        return entry.silent > SILENT_SECONDS and settled

    def _is_gone_from_here(self, entry: ServerEntry) -> bool:
        """Whether that process ran on this machine and is gone, or has given its address to this process."""
        about = entry.about
        own_address = self.own.address
        if own_address is not None and (about.get("host"), about.get("address")) == (self.own.host, own_address):
            return True
        machine, pid = about.get("machine"), about.get("pid")
        if not machine or machine != self._about["machine"] or not isinstance(pid, int):
            return False
        return start_of_process(pid) != about.get("started")
