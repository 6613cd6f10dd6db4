"""What an installation can do that has neither the native core nor the packages of a server.

The installation is imitated in a process of its own, which runs one command after the other: the core and the packages
are there, and imports do not find them. A small installation finds engine/_core.py in place of the core.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import Outcome, Run, cli, store

import proofbase.engine

__all__ = ["cli", "store"]

SERVER_PACKAGES = (
    *("alembic", "connectrpc", "grpc_health", "grpc_reflection", "httptools", "prometheus_client", "protobuf"),
    *("psycopg", "sqlalchemy", "starlette", "uvicorn"),
)
STAND_IN = Path(proofbase.engine.__file__).with_name("_core.py")
SMALL = f"""
import sys
from importlib.util import spec_from_file_location

class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name == "proofbase.engine._core":
            return spec_from_file_location(name, {str(STAND_IN)!r})
        if name.partition(".")[0] in {SERVER_PACKAGES!r}:
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Without, sys.meta_path)
"""
COMMANDS = (
    SMALL
    + """
import io, json
from contextlib import redirect_stderr, redirect_stdout
from proofbase.service.cli import run

for line in sys.stdin:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = run(json.loads(line))
    print(json.dumps([status, out.getvalue(), err.getvalue()]), flush=True)
"""
)
ONE_COMMAND = (
    SMALL
    + """
from proofbase.service.cli import main
main()
"""
)
CLIENT = (
    SMALL
    + """
from proofbase.service.client import connect
with connect(sys.argv[1]) as client:
    solved, answer = client.solve("tic-tac-toe").result, client.lookup("tic-tac-toe")
    print(solved.value.lower, answer.value.lower, client.verify("tic-tac-toe").result.failed)
"""
)


@pytest.fixture(scope="module")
def small() -> Iterator[Run]:
    """Runs `proofbase` as a small installation does."""
    command = [sys.executable, "-c", COMMANDS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None

        def call(*arguments: object) -> Outcome:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps([str(argument) for argument in arguments]) + "\n")
            process.stdin.flush()
            return Outcome(*json.loads(process.stdout.readline()))

        yield call
        process.stdin.close()
        try:
            process.wait(60)
        finally:
            process.kill()
    assert process.returncode == 0


@pytest.fixture
def server() -> Iterator[str]:
    """A server with all that belongs to it, on an empty store; its address."""
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()


@pytest.mark.slow
def test_it_is_a_client_of_a_server(small: Run, server: str, cli: Run) -> None:
    assert small("solve", "tic-tac-toe", "--exact", "--server", server).status == 0
    looked_up = small("lookup", "tic-tac-toe", "-", "--server", server, "--json")
    assert (
        looked_up.status == 0 and looked_up.json == cli("lookup", "tic-tac-toe", "-", "--server", server, "--json").json
    )
    verified = small("verify", "tic-tac-toe", "--server", server, "--json")
    assert verified.status == 0 and verified.json["failed"] == 0
    assert small("tree", "tic-tac-toe", "-", "--server", server).status == 0
    done = subprocess.run([sys.executable, "-c", CLIENT, server], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0", "0"]


def test_it_reads_and_verifies_a_store(small: Run, store: str, cli: Run) -> None:
    for command in (["lookup", "tic-tac-toe", "-"], ["line", "tic-tac-toe", "-"], ["stats"]):
        answer = small(*command, "--store", store, "--json")
        assert answer.status == 0, answer
        assert answer.json == cli(*command, "--store", store, "--json").json
    verified = small("verify", "tic-tac-toe", "--rules", "python", "--store", store, "--json")
    assert verified.status == 0 and verified.json["checked"] > 100 and verified.json["failed"] == 0


def test_it_checks_certificates(small: Run, store: str, tmp_path: Path) -> None:
    certificate = tmp_path / "tic-tac-toe.pbc"
    assert small("export", "tic-tac-toe", "-", "--store", store, "--output", certificate).status == 0
    checked = small("check", certificate)
    assert checked.status == 0 and "valid" in checked.out


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "tic-tac-toe", "--store", "memory:"],
        ["verify", "tic-tac-toe", "--store", "STORE"],
        ["tables", "build", "awari", "--stones", "2", "--store", "STORE"],
        ["reproduce", "schijf-4.1"],
    ],
    ids=lambda command: command[0],
)
def test_what_needs_the_core_names_the_command_that_builds_it(small: Run, command: list[str], store: str) -> None:
    refused = small(*(store if word == "STORE" else word for word in command))
    assert refused.status == 3 and refused.err.count("\n") == 1, refused
    assert "`pip install .`" in refused.err and "core" in refused.err


@pytest.mark.parametrize(
    "command",
    [["serve", "--store", "memory:"], ["stats", "--store", "postgresql://me@127.0.0.1/games"]],
    ids=lambda command: command[0],
)
def test_what_needs_the_packages_of_a_server_names_the_extra(small: Run, command: list[str]) -> None:
    refused = small(*command)
    assert refused.status == 3 and refused.err.count("\n") == 1, refused
    assert "pip install 'proofbase[server]'" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["lookup", "tic-tac-toe", "-", "--store", "STORE", "--json"],
        ["line", "tic-tac-toe", "-", "--store", "STORE"],
        ["stats", "--store", "STORE"],
        ["verify", "tic-tac-toe", "--rules", "python", "--store", "STORE"],
        ["export", "tic-tac-toe", "-", "--store", "STORE", "--output", "FILE"],
        ["check", "CERTIFICATE"],
        ["solve", "tic-tac-toe", "--store", "memory:"],
        ["tables", "build", "awari", "--stones", "2", "--store", "STORE"],
        ["reproduce", "schijf-4.1"],
        ["serve", "--store", "memory:"],
        ["stats", "--store", "postgresql://me@127.0.0.1/games"],
    ],
    ids=" ".join,
)
def test_a_command_does_the_same_in_a_process_of_its_own(
    small: Run, command: list[str], store: str, tmp_path: Path
) -> None:
    certificate = tmp_path / "certificate.pbc"
    assert small("export", "tic-tac-toe", "-", "--store", store, "--output", certificate).status == 0

    def words(file: str) -> list[str]:
        return [
            {"STORE": store, "CERTIFICATE": str(certificate), "FILE": str(tmp_path / file)}.get(w, w) for w in command
        ]

    expected = small(*words("one.pbc"))
    own = subprocess.run(
        [sys.executable, "-c", ONE_COMMAND, *words("other.pbc")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert own.returncode == expected.status
    assert own.stderr.count("\n") == expected.err.count("\n") and bool(own.stdout) == bool(expected.out)
    if command[0] in ("lookup", "line", "stats", "check"):
        assert own.stdout == expected.out
