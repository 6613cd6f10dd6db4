"""Solves games, publishes them as one package, serves it by a plain server of files, looks them up there and checks it.

    python scripts/demonstrate_packages.py DIRECTORY [--small] [--serve]

`DIRECTORY/store` has the solutions: the same command goes on where it was stopped. `DIRECTORY/oracle` is the package.
With `--small` the inputs take seconds. With `--serve` the server stays, for a browser, until Ctrl-C. Needs
`pip install ".[server]"`.
"""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from starlette.staticfiles import StaticFiles

from proofbase.service.cli import run


class Step(NamedTuple):
    """A game: the command that solves it, and a position that is looked up."""

    game: str
    command: tuple[str, ...]
    position: str = "-"


AWARI = "0,0,0,0,1,1/0,1,0,0,1,0/S"
SMALL = (
    Step("tic-tac-toe", ("solve", "tic-tac-toe", "--all-moves")),
    Step("connect-four:4x4", ("solve", "connect-four:4x4")),
    Step("connect-four:5x4", ("solve", "connect-four:5x4")),
    Step("qubic", ("solve", "qubic", "moves:0 21 1 22 2 26"), "moves:0 21 1 22 2 26"),
    Step("mens-morris:3", ("tables", "build", "mens-morris:3", "--men", "6")),
    Step("awari", ("tables", "build", "awari", "--stones", "4"), AWARI),
    Step("chess", ("tables", "build", "chess", "--men", "2"), "8/8/8/8/8/2k5/8/K7 w - - 0 1"),
)
FULL = (
    SMALL[0],
    Step("connect-four:6x5", ("solve", "connect-four:6x5")),
    Step("connect-four", ("solve", "connect-four")),
    Step("qubic", ("solve", "qubic", "--at-least", "1")),
    Step("mens-morris:6", ("tables", "build", "mens-morris:6", "--men", "12")),
    Step("awari", ("tables", "build", "awari", "--stones", "18"), AWARI),
    Step("chess", ("tables", "build", "chess", "--men", "3"), "8/8/8/8/8/2k5/7Q/K7 w - - 0 1"),
)


class CountedFiles:
    """The files of a directory over HTTP, with the number of requests and bytes of all answers."""

    def __init__(self, directory: Path) -> None:
        self._files = StaticFiles(directory=directory, html=True)
        self.requests = self.bytes = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def counted(message: Any) -> None:
            self.bytes += len(message.get("body", b""))
            await send(message)

        self.requests += scope["type"] == "http"
        await self._files(scope, receive, counted)


@contextmanager
def served(files: CountedFiles) -> Iterator[str]:
    """A server on a free port of this machine; gives its address."""
    config = uvicorn.Config(files, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def command(*arguments: str) -> float:
    """Runs a command of proofbase, and gives its seconds.

    Raises:
        SystemExit: it failed.
    """
    print("$ proofbase", *arguments, flush=True)
    start = time.monotonic()
    status = run([*arguments])
    if status not in (0, 1):  # 1: the first position of a game is in none of its tables
        raise SystemExit(status)
    return time.monotonic() - start


def main() -> None:
    """The demonstration."""
    parser = argparse.ArgumentParser(description="Solves, publishes, serves, looks up and checks games.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--small", action="store_true", help="inputs that take seconds")
    parser.add_argument("--serve", action="store_true", help="stay, for a browser, until Ctrl-C")
    options = parser.parse_args()
    store, oracle = str(options.directory / "store"), options.directory / "oracle"
    about = ("--licence", "CC0-1.0", "--title", "Solved games", "--author", "proofbase")
    rows = []
    for game, solving, position in SMALL if options.small else FULL:
        solved = command(*solving, "--store", store)
        published = command("publish", game, str(oracle), "--store", store, *about)
        size = sum(path.stat().st_size for path in oracle.glob(f"{game.replace(':', '_')}.*"))
        rows.append((game, position, solved, published, size))
    files = CountedFiles(oracle)
    shown = [f"{'game':20}{'solved, s':>12}{'published, s':>14}{'bytes':>14}{'requests':>10}{'bytes asked':>13}"]
    with served(files) as url:
        for game, position, solved, published, size in rows:
            files.requests = files.bytes = 0
            command("lookup", game, position, "--store", url)
            numbers = f"{size:>14,}{files.requests:>10}{files.bytes:>13,}"
            shown.append(f"{game:20}{solved:>12.1f}{published:>14.1f}{numbers}")
        checked = command("check-package", url)
        print("\n".join(shown))
        ended = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: ended.set())
        print(f"checked from there in {checked:.1f} s; a browser reads it at {url}", flush=True)
        if options.serve:
            ended.wait()


if __name__ == "__main__":
    main()
