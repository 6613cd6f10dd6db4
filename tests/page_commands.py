"""Runs the commands of a page of the documents as a reader would type them, in one folder.

* `proofbase` runs in this process, for speed; in pipes and redirections it is a program of its own.
* `proofbase serve` runs until the page is over. The ports of the page stand for free ones.
* Everything else is for one shell (`sh`), which keeps its variables from command to command.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from proofbase.service.cli import run

__all__ = ["PROGRAMS", "Command", "PageCommands", "Printed", "commands_of"]

PROGRAMS = ("curl", "openssl")
"""What commands of pages need besides proofbase and a shell."""
SECONDS = 60.0
"""For one command."""
DEFAULT_PORT = "50051"
_ADDRESS = re.compile(r"\b(127\.0\.0\.1|0\.0\.0\.0|localhost):(\d{4,5})\b")
_SHELL_SIGNS = re.compile(r"[|<>&;$`]|\bsh\b")
_END = "END-OF-COMMAND"


class Command(NamedTuple):
    """A command of a page, and what the page shows of its output."""

    text: str
    expected: str


class Printed(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def commands_of(block: str) -> list[Command]:
    """The commands of a console block. A line that ends with a backslash goes on in the next one."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = re.sub(r"\\\n\s*", " ", part).partition("\n")
        found.append(Command(command, expected))
    return found


class PageCommands:
    """The commands of one page. A context manager: its end stops the servers and the shell.

    Args:
        folder: where they run.
        capfd: reads what they print in this process.
    """

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self._folder = folder
        self._capfd = capfd
        self._ports: dict[str, str] = {}
        self._servers: list[subprocess.Popen[str]] = []
        self._shell: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self._servers, *([self._shell] if self._shell else [])):
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    def run(self, command: Command) -> Printed:
        """Runs a command; addresses in what it printed are those of the page."""
        text = _ADDRESS.sub(lambda found: f"127.0.0.1:{self._port(found[2])}", command.text)
        words = shlex.split(text, comments=True)
        if words[:2] == ["proofbase", "serve"] and "--check" not in words:
            printed = self._serve(words[2:], len(command.expected.splitlines()))
        elif words[0] == "proofbase" and not _SHELL_SIGNS.search(text):
            self._capfd.readouterr()
            status = run(words[1:])
            captured = self._capfd.readouterr()
            printed = Printed(status, captured.out, captured.err)
        else:
            printed = self._run_in_shell(text)
        return printed._replace(out=self._with_ports_of_page(printed.out))

    def _port(self, port: str) -> str:
        if port not in self._ports:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self._ports[port] = str(free.getsockname()[1])
        return self._ports[port]

    def _with_ports_of_page(self, text: str) -> str:
        for shown, used in self._ports.items():
            text = text.replace(f":{used}", f":{shown}")
        return text

    def _serve(self, options: list[str], lines: int) -> Printed:
        if "--listen" not in options:
            options = [*options, "--listen", f"127.0.0.1:{self._port(DEFAULT_PORT)}"]
        log = self._folder / f"server-{len(self._servers)}.log"
        with log.open("w") as errors:
            server = subprocess.Popen(
                [sys.executable, "-m", "proofbase", "serve", *options],
                cwd=self._folder,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self._servers.append(server)
        assert server.stdout is not None
        with _Watchdog(server):
            said = [server.stdout.readline() for _ in range(max(lines, 1))]
        return Printed(0 if said[0] else server.wait(), "".join(said), log.read_text())

    def _run_in_shell(self, command: str) -> Printed:
        if self._shell is None:
            self._shell = self._new_shell()
        shell = self._shell
        assert shell.stdin is not None and shell.stdout is not None
        errors = self._folder / "shell.errors"
        shell.stdin.write(f"{{ {command}\n}} 2>{errors}\nprintf '\\n{_END} %d\\n' $?\n")
        shell.stdin.flush()
        lines: list[str] = []
        with _Watchdog(shell):
            while not (lines and lines[-1].startswith(_END)):
                line = shell.stdout.readline()
                assert line, f"the shell ended in {command}"
                lines.append(line)
        return Printed(int(lines[-1].split()[1]), "".join(lines[:-1]), errors.read_text())

    def _new_shell(self) -> subprocess.Popen[str]:
        programs = self._folder / ".programs"
        programs.mkdir()
        program = programs / "proofbase"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m proofbase "$@"\n')
        program.chmod(0o755)
        return subprocess.Popen(
            [shutil.which("sh") or "/bin/sh"],
            cwd=self._folder,
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


class _Watchdog:
    """Ends a process that has said nothing for too long, so that a page cannot hang."""

    def __init__(self, process: subprocess.Popen[Any]) -> None:
        self._timer = threading.Timer(SECONDS, process.kill)

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
