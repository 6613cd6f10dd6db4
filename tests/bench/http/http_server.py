"""A server with its HTTP port in a process of its own, and requests over a connection that stays open."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Answer", "http_server", "processor_seconds", "read_answer", "resident_mib"]

Answer = tuple[int, bytes, bool]


@contextmanager
def http_server(store: Path, *options: str) -> Iterator[tuple[str, str, int]]:
    """A server on a store: its addresses for gRPC and for HTTP, and the number of its process."""
    ports = ("--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0")
    command = [sys.executable, "-m", "proofbase", "serve", "--store", str(store), *ports, "--json", *options]
    log = store.with_suffix(".log")
    with (
        log.open("ab") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, f"the server did not start: {log.read_text()[-1000:]}"
            ready = json.loads(line)
            yield ready["address"], ready["http"], process.pid
            ended = process.poll()
            assert ended is None, f"the server has ended with {ended}: {log.read_text()[-3000:]}"
        finally:
            process.terminate()
            process.wait(30)


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    """The status and the body of an answer, and whether the server closes the connection after it.

    Raises:
        asyncio.IncompleteReadError: the connection was closed before its end.
    """
    status = 100
    while status < 200:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status, closes = int(head.split(b" ", 2)[1]), b"\r\nconnection: close" in head
    if b"\r\ntransfer-encoding: chunked" in head:
        body = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readexactly(2)
        return status, body, closes
    _, _, length = head.partition(b"\r\ncontent-length: ")
    body = await reader.readexactly(int(length.split(b"\r\n")[0])) if length else b""
    return status, body, closes


def processor_seconds(process: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(process: int) -> float:
    """The memory of a process."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError("the process has no memory")
