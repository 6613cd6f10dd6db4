"""`proofbase serve --http-listen`: what it says, and how it stops while somebody watches."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import ask, post

from proofbase.service.cli import run


def serve(store: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """The process, and the document by which it says that it is ready."""
    command = [sys.executable, "-m", "proofbase", "serve", "--store", str(store), "--listen", "127.0.0.1:0", "--json"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield process, json.loads(line) if line else None
        finally:
            if process.poll() is None:
                process.kill()


def test_it_says_where_and_stops_while_somebody_watches(tmp_path: Path) -> None:
    for process, ready in serve(tmp_path / "store", "--http-listen", "127.0.0.1:0"):
        http = ready["http"]
        assert http != ready["address"] and ask(http, "/v1/limits").status == 200
        job = post(http, "Jobs/StartSolve", {"game": "connect-four"}).json
        host, _, port = http.partition(":")
        with socket.create_connection((host, int(port)), timeout=20) as watching:
            watching.sendall(f"GET /v1/jobs/{job['id']}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert b" 200 " in watching.recv(1000)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            received = b""
            while part := watching.recv(65536):
                received += part
            assert received.endswith(b"0\r\n\r\n") and b"event: end" not in received
        assert process.wait(30) == 0
        assert time.monotonic() - began < 20
        assert process.stderr is not None
        log = process.stderr.read()
        assert "Traceback" not in log and "ERROR" not in log, log


def test_other_addresses_of_this_machine(tmp_path: Path) -> None:
    for process, ready in serve(tmp_path / "store", "--http-listen", "[::1]:0"):
        if ready is None:
            pytest.skip("there is no IPv6 here")
        assert ready["http"].startswith("[::1]:")
        port = int(ready["http"].rpartition(":")[2])
        with socket.create_connection(("::1", port), timeout=20) as connection:
            connection.sendall(f"GET /v1/limits HTTP/1.1\r\nHost: [::1]:{port}\r\n\r\n".encode())
            assert b" 200 " in connection.recv(1000)
        process.terminate()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--http-listen", "localhost:http"), "cannot listen on localhost:http"),
        (("--http-listen", "127.0.0.1:99999"), "cannot listen on 127.0.0.1:99999"),
        (("--http-listen", "0.0.0.0:0"), "0.0.0.0:0 can be reached from other machines"),
        (("--http-listen", "127.0.0.1:0", "--http-origin", "*"), "every page of the web"),
        (("--contact", "javascript:alert(1)"), "--contact javascript:alert(1): write https://host"),
        (("--http-listen", "127.0.0.1:0", "--http-origin", "example.org"), "an origin is https://host"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    status = run(["serve", "--store", str(tmp_path / "store"), "--listen", "127.0.0.1:0", "--json", *options])
    printed, log = capfd.readouterr()
    assert status in (2, 3) and printed == ""
    assert message in log and "Traceback" not in log, log
