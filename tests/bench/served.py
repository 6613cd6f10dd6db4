"""A server in a process of its own, for benchmarks that ask it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from proofbase.service.client import Client, connect

PROGRAM = """\
import sys
from proofbase.service.server import serve
read_only = sys.argv[2] == "True"
serve(sys.argv[1], "127.0.0.1:0", read_only=read_only, on_ready=lambda at: print(at.grpc, flush=True))
"""


@contextmanager
def served(directory: Path, *, read_only: bool = True) -> Iterator[Client]:
    """A client of a server of the store in `directory`; the server ends with the block."""
    command = [sys.executable, "-c", PROGRAM, str(directory), str(read_only)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            with connect(server.stdout.readline().strip()) as client:
                yield client
        finally:
            server.terminate()
