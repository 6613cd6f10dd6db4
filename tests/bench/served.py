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
serve(sys.argv[1], "127.0.0.1:0", read_only=True, on_ready=lambda at: print(at.grpc, flush=True))
"""


@contextmanager
def served(directory: Path) -> Iterator[Client]:
    """A client of a server that reads the store in `directory`; the server ends with the block."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM, str(directory)], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            with connect(server.stdout.readline().strip()) as client:
                yield client
        finally:
            server.terminate()
