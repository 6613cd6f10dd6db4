"""A disk that is full under PostgreSQL: what a job, an import and a token tell, and whether anything is lost.

    python tests/bench/stores/trial_full_database.py [--mib 64]

The database lies in a tablespace on a small file system in memory, which is made here: that needs root. It is filled
while a solve stores. The job must wait and say so, its log line must come once, lookups must go on, an import must be
refused, and every record that was stored must pass its check. Then there is room again: the job must end with the right
value. Exit status 1 otherwise.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parents[2] / "storage"))

from postgres_server import run_server, shared_folder

from proofbase.migrations import migrate
from proofbase.service.client import Client, SolveResult, VerificationResult, connect
from proofbase.storage import StoreFullError

GAME, RECORDS = "connect-four:6x5", 40_000
PATIENCE = 300.0
UNPRIVILEGED = 65534


@contextmanager
def small_file_system(mib: int) -> Iterator[Path]:
    """A file system of that size, in memory, which the database's user owns."""
    folder = Path(tempfile.mkdtemp(prefix="proofbase-full-", dir=shared_folder()))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=0700", "proofbase", str(folder)], check=True)
    try:
        os.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


class Lines(logging.Handler):
    """Collects the lines of the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
        assert not record.exc_info, f"a traceback: {record.getMessage()}"


def until_full(client: Client, job_id: str) -> str:
    """Waits until a job waits for its store; gives its message."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        job = client.job(job_id)
        assert not job.resting, (job.state, job.error, job.result)
        if job.message:
            return job.message
        time.sleep(0.05)
    raise AssertionError("the disk is not full")


def run(mib: int) -> str:
    """The trial; what was seen, in a line.

    Raises:
        AssertionError: something was lost, is false, or did not go on.
    """
    with connect("memory:") as other:
        other.solve("connect-four:4x4")
        exported = b"".join(other.export("connect-four:4x4", form="jsonl"))
    log = Lines()
    logging.getLogger("proofbase").addHandler(log)
    with run_server() as server, small_file_system(mib) as folder:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{folder}'".encode())
            connection.execute(b"CREATE DATABASE small TABLESPACE small")
        url = server.url.rpartition("/")[0] + "/small"
        migrate(url)
        with connect(url) as client:
            client.solve("tic-tac-toe")
            filler = folder / "filler"
            job = client.start_solve(GAME)
            deadline = time.monotonic() + PATIENCE
            while not _records(client) and time.monotonic() < deadline:
                time.sleep(0.02)
            _fill(filler)
            message = until_full(client, job.id)
            stored = _records(client)
            assert client.lookup("tic-tac-toe").value.exact, "lookups go on"
            try:
                client.import_([exported], form="jsonl")
            except StoreFullError as error:
                refused = str(error)
            else:
                raise AssertionError("an import was stored")
            verified = client.verify(GAME).result
            assert isinstance(verified, VerificationResult) and verified.failed == 0, verified
            filler.unlink()
            subprocess.run(["mount", "-o", "remount,size=1g", str(folder)], check=True)
            done = client.wait(job.id).result
            assert isinstance(done, SolveResult) and done.status == "exact" and done.value.lower == 0, done
            verified = client.verify().result
            assert isinstance(verified, VerificationResult) and verified.failed == 0
            assert verified.checked > RECORDS, verified.checked
        lines = [text for text in log.texts if "waits for the store" in text and job.id in text]
        assert len(lines) == 1, log.texts
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(b"DROP DATABASE small WITH (FORCE)")
            connection.execute(b"DROP TABLESPACE small")
    return f"full at {stored} records: {message!r}; an import: {refused!r}; then {verified.checked} records, all pass"


def _records(client: Client) -> int:
    return sum(game.records for game in client.games() if game.name == GAME)


def _fill(file: Path) -> None:
    """Takes all that is left of a file system."""
    with file.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(1 << 16))
        except OSError:
            return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=64)
    asked = parser.parse_args()
    if os.getuid() != 0 or shutil.which("mount") is None:
        print("this needs root: it mounts a file system")
        return 1
    print(run(asked.mib))
    return 0


if __name__ == "__main__":
    sys.exit(main())
