"""Servers in processes of their own, started by the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Started", "fetch", "start"]


class Started:
    """A running server.

    Attributes:
        process: its process.
        about: what it said when it was ready.
        log: where its log goes.
    """

    def __init__(self, process: subprocess.Popen[str], about: dict[str, Any], log: Path) -> None:
        self.process = process
        self.about = about
        self.log = log

    @property
    def address(self) -> str:
        return str(self.about["address"])

    def get(self, path: str) -> tuple[int, str]:
        """The status and the text of a URL of the port for metrics."""
        return fetch(f"http://{self.about['metrics']}{path}")


def fetch(url: str, **headers: str) -> tuple[int, str]:
    """The status and the text of a URL."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@contextmanager
def start(log: Path, *arguments: object) -> Iterator[Started]:
    """`proofbase serve` with these arguments on free ports, until the end of the context."""
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--json"]
    command += ["--metrics-listen", "127.0.0.1:0", *map(str, arguments)]
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, log.read_text()
            yield Started(process, json.loads(line), log)
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
