"""Rules of a user that do not return: no budget, Ctrl-C or end of a process aborts it, and the store is sound."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_runs import default_interruptions
from waits import until

from proofbase.service.cli import run

RULES = '''
    """A tree of moves 0 to 3. After its first 300 calls moves() takes a while, or does not return."""
    import atexit
    import time
    from pathlib import Path
    from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
    from proofbase.engine.rules import Game, process_end
    from proofbase.service.jobs import runner

    process_end.PATIENCE, runner.STOP_SECONDS = 0.5, 1.0  # what ends is waited for, though it never will

    class Slow(Game):
        name = "slow"
        calls = 0
        def __init__(self, seconds):
            self.name, self.seconds = f"slow:{seconds}", float(seconds)
        def initial(self):
            return "-"
        def terminal(self, position):
            return (1 if position.count("0") % 3 else -1) if len(position) > 10 else None
        def moves(self, position):
            Slow.calls += 1
            end = time.monotonic() + (self.seconds if Slow.calls > 300 else 0)
            while time.monotonic() < end:
                Path(__file__).with_name("waits").touch()
                try:
                    time.sleep(min(self.seconds, 0.005))
                except BaseException:
                    pass
            return range(4)
        def play(self, position, move):
            return position + str(move)
        def key(self, position):
            return position.encode()
        def position(self, key):
            if key[:1] != b"-" or set(key[1:]) - set(b"0123") or len(key) > 11:
                raise InvalidKeyError("no path")
            return key.decode()
        def text(self, position):
            return position
        def parse(self, text):
            if text[:1] != "-" or set(text[1:]) - set("0123") or len(text) > 11:
                raise InvalidPositionError("no path")
            return text

    atexit.register(Path(__file__).with_name("python-ends").touch)
    '''
HANGS, SLOW = "slow:100", "slow:0.02"
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    file = tmp_path / "slow.py"
    file.write_text(textwrap.dedent(RULES))
    return file


@pytest.fixture
def start(tmp_path: Path, plugin: Path) -> Start:
    """Starts a command on the store `tmp_path / "store"`."""

    def begin(*arguments: str) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "proofbase",
            *arguments,
            "--plugin",
            str(plugin),
            "--store",
            str(tmp_path / "store"),
        ]
        with default_interruptions():
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return begin


def check_end(folder: Path, errors: str) -> None:
    """The process has left without the end of Python, where it may abort; its store is sound and takes records."""
    assert not (folder / "python-ends").exists() and "Fatal" not in errors
    check_store(folder)


def check_store(folder: Path) -> None:
    assert run(["store", "check", "--store", str(folder / "store")]) == 0
    assert run(["solve", "tic-tac-toe", "--store", str(folder / "store")]) == 0


def messages(errors: str) -> list[str]:
    """The last is how the command ended; on a busy machine lines of its progress may come before."""
    return [line for line in errors.splitlines() if line.startswith("proofbase: ")]


def test_a_budget_ends_rules_that_do_not_return(start: Start, tmp_path: Path) -> None:
    process = start("solve", HANGS, "--seconds", "1")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert [line.partition(" for ")[0] for line in messages(errors)[-1:]] == [
        f"proofbase: {HANGS}: its rules have not returned"
    ]
    assert errors.count("its rules have not returned") == 1  # the log of the job does not say it a second time
    check_end(tmp_path, errors)


def test_a_budget_ends_slow_rules_and_keeps_their_work(start: Start, tmp_path: Path) -> None:
    process = start("solve", SLOW, "--seconds", "1")
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 1, errors
    assert "unknown (stopped by: seconds)" in printed and not messages(errors)
    check_store(tmp_path)


def test_ctrl_c_ends_rules_that_do_not_return(start: Start, tmp_path: Path) -> None:
    process = start("solve", HANGS)
    until((tmp_path / "waits").exists, seconds=60)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    message = messages(errors)[-1]
    assert process.returncode == 130 and " is paused; `proofbase jobs resume " in message, errors
    check_end(tmp_path, errors)


def test_a_server_ends_while_rules_do_not_return(start: Start, tmp_path: Path) -> None:
    server = start("serve", "--listen", "127.0.0.1:0", "--json")
    assert server.stdout is not None
    address = json.loads(server.stdout.readline())["address"]
    command = [sys.executable, "-m", "proofbase", "solve", HANGS, "--server", address]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
        until((tmp_path / "waits").exists, seconds=60)
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=60)
        client.kill()
    assert server.returncode == 0, errors
    assert "though work has not: job " in errors
    check_end(tmp_path, errors)


def test_a_program_ends_with_a_message_while_rules_do_not_return(tmp_path: Path, plugin: Path) -> None:
    program = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from slow import Slow
        from proofbase.engine import register
        from proofbase.engine.errors import GameFailedError
        from proofbase.service.client import Budget, connect
        register("slow", Slow)
        with connect(sys.argv[1] + "/store") as client:
            try:
                client.solve("slow:100", budget=Budget(seconds=1))
            except GameFailedError as error:
                print(error)
        """
    command = [sys.executable, "-c", textwrap.dedent(program), str(tmp_path)]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert time.monotonic() - began < 50
    assert (done.returncode, done.stdout.count("have not returned")) == (3, 1), done.stderr
    assert "the process ends with status 3, though work has not: rules of slow:100" in done.stderr
    check_store(tmp_path)
