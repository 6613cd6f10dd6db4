"""Tables go from one service to another, servers among them: each entry verified by who takes them."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cli_runs import Run, cli
from services import MakeService, Service, serving
from waits import until

from proofbase.engine.errors import DamagedTableError
from proofbase.service.application import Application, open_application
from proofbase.service.client import InvalidRequestError, LimitExceededError, Limits
from proofbase.service.client.exchange import exchange_tables
from proofbase.service.commands.transfer import new_tables
from proofbase.service.commands.transfer.new_tables import NewTables, directory_for_tables, import_tables
from proofbase.service.commands.transfer.read_table import read_table
from proofbase.service.errors import CallCancelledError
from proofbase.service.resources import Resources
from proofbase.storage import open_store

__all__ = ["cli"]

NAMES = [f"awari-{stones}" for stones in range(4)]
FILES = [f"{name}.table" for name in NAMES]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a store with the tables of awari to three stones."""
    directory = tmp_path_factory.mktemp("tables") / "home"
    with open_application(str(directory)) as app:
        work = app.resources.tables.new_work(app.resources.games.open("awari"), 3, 1)
        app.resources.tables.directory.mkdir()  # type: ignore[union-attr]
        assert work.build()
    return directory


@pytest.fixture
def source(make_service: MakeService, home: Path) -> Service:
    return make_service(open_store(str(home), read_only=True))


def files(directory: Path) -> list[str]:
    return sorted(path.name for path in (directory / "tables").iterdir())


def sent(home: Path, *names: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    for name in names:
        yield name, iter([(home / "tables" / f"{name}.table").read_bytes()])


def test_a_table_is_read_as_its_file_is(source: Service, home: Path) -> None:
    assert b"".join(source.client.read_table("awari", "awari-3")) == (home / "tables" / "awari-3.table").read_bytes()
    for name in ("awari-9", "../tables/awari-3", "", "a" * 200):
        with pytest.raises(InvalidRequestError, match="awari has no table"):
            list(source.client.read_table("awari", name))
    with pytest.raises(InvalidRequestError, match="awari:oware has no table"):
        list(source.client.read_table("awari:oware", "awari-3"))


def test_entries_are_counted_once_where_plies_have_tables_of_their_own(
    cli: Run, make_service: MakeService, tmp_path: Path
) -> None:
    """As a check of the package counts them; and what its tables say of the initial position passes every check."""
    game, home, package = "mens-morris:3", str(tmp_path / "home"), tmp_path / "package"
    assert cli("tables", "build", game, "--men", "6", "--distances", "--store", home).status == 0
    assert cli("publish", game, package, "--licence", "CC0-1.0", "--store", home).status == 0
    checked = cli("check-package", package, "--json").json
    assert checked["valid"] and checked["found"]["checked"]["certificates"] == 1
    with open_application(home) as source:
        tables = source.resources.tables.files(source.resources.games)
        sent = [(file.name, read_table(source.resources, game, file.name)) for file, _ in tables]
        entries = make_service(str(tmp_path / "target")).client.import_tables(game, sent).entries
    assert entries == checked["checks"][0]["table_entries"] == sum(file.entries for file, _ in tables) == 2 * 565
    assert cli("import", package / "mens-morris_3.certificate", "--store", tmp_path / "target").status == 0


def test_missing_tables_are_taken_once(source: Service, make_service: MakeService, tmp_path: Path, home: Path) -> None:
    target = make_service(str(tmp_path / "mine"))
    steps: list[str] = []
    target.client.import_tables("awari", sent(home, "awari-0", "awari-1"))
    found = exchange_tables(source.client, target.client, on_progress=lambda what, *_: steps.append(what))
    assert [(entry.game, entry.table, entry.taken) for entry in found] == [
        ("awari", name, name not in NAMES[:2]) for name in NAMES
    ]
    assert steps == ["read awari-2", "read awari-3", "verify the tables of awari"]
    assert files(tmp_path / "mine") == FILES, "nothing else is left"
    assert not any(entry.taken for entry in exchange_tables(source.client, target.client, "awari"))
    assert exchange_tables(source.client, target.client, "chess") == []
    # One that is damaged is taken anew.
    path = tmp_path / "mine" / "tables" / "awari-3.table"
    path.write_bytes(path.read_bytes()[:300])
    again = exchange_tables(source.client, target.client)
    assert [entry.table for entry in again if entry.taken] == ["awari-3"]
    assert (
        target.client.lookup("awari", "0,0,0,0,1,1/0,0,0,0,1,0/S").value
        == source.client.lookup("awari", "0,0,0,0,1,1/0,0,0,0,1,0/S").value
    )


def test_nothing_is_believed(make_service: MakeService, tmp_path: Path, home: Path) -> None:
    target = make_service(str(tmp_path / "mine"))
    import_tables = target.client.import_tables
    wrong = bytearray((home / "tables" / "awari-3.table").read_bytes())
    wrong[-20] ^= 1
    with pytest.raises(DamagedTableError, match="awari-3"):
        import_tables("awari", [*sent(home, *NAMES[:3]), ("awari-3", iter([bytes(wrong)]))])
    with pytest.raises(DamagedTableError, match=r"^table awari-7.table: it is no table of"):
        import_tables("awari", [("awari-7", iter([b"nonsense"]))])
    with pytest.raises(DamagedTableError, match=r"^table awari-2.table: it is the table of awari, 3"):
        import_tables("awari", [("awari-2", iter([(home / "tables" / "awari-3.table").read_bytes()]))])
    with pytest.raises(InvalidRequestError, match=r"awari-3: .*awari-0"):
        import_tables("awari", sent(home, "awari-3"))
    with pytest.raises(InvalidRequestError, match=r"no table is named '\.\./awari-3'"):
        import_tables("awari", [("../awari-3", iter([b"x"]))])
    with pytest.raises(InvalidRequestError, match="awari-1 is there twice"):
        import_tables("awari", sent(home, "awari-1", "awari-1"))
    assert files(tmp_path / "mine") == []
    assert import_tables("awari", sent(home, *NAMES)).tables == tuple(NAMES)
    with pytest.raises(InvalidRequestError, match="this store is none"):
        make_service().client.import_tables("awari", sent(home, "awari-0"))


def test_their_bytes_are_bounded(make_service: MakeService, tmp_path: Path, home: Path) -> None:
    size = sum((home / "tables" / name).stat().st_size for name in FILES)
    target = make_service(str(tmp_path / "mine"), limits=Limits(import_bytes=size))
    for _ in range(2):  # the room is given back
        with pytest.raises(LimitExceededError, match="import"):
            target.client.import_tables("awari", [*sent(home, *NAMES), ("awari-4", iter([b"x"]))])
    assert target.client.import_tables("awari", sent(home, *NAMES)).entries == 1 + 12 + 78 + 364


def test_an_import_that_is_broken_off_leaves_nothing(make_service: MakeService, tmp_path: Path, home: Path) -> None:
    target = make_service(str(tmp_path / "mine"))

    def broken() -> Iterator[tuple[str, Iterator[bytes]]]:
        yield from sent(home, *NAMES)
        raise OSError("the source has gone")

    with pytest.raises(OSError, match="the source has gone"):
        target.client.import_tables("awari", broken())
    target.client.import_tables("awari", sent(home, "awari-0"))
    until(lambda: files(tmp_path / "mine") == FILES[:1])  # the server may still be removing what was broken off


def test_what_a_killed_import_has_left_is_removed_by_the_next_one(tmp_path: Path, home: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    program = f"""
import pathlib, time
from proofbase.storage.scratch_directory import ScratchDirectory
scratch = ScratchDirectory(pathlib.Path({str(tables)!r}))
(scratch.path / "awari-0.table").write_bytes(b"half")
print("made", flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"made\n"
            with open_application(str(tmp_path)) as app:
                assert import_tables(app.resources, "awari", sent(home, "awari-0")).tables == ("awari-0",)
                (left,) = tables.glob(".proofbase-*")  # its process is at work
                process.kill()
                process.wait(30)
                assert left.exists()
                assert import_tables(app.resources, "awari", sent(home, "awari-1")).tables == ("awari-1",)
        finally:
            process.kill()
    assert files(tmp_path) == FILES[:2]


@pytest.mark.filterwarnings("error")
def test_tables_may_be_closed_while_a_thread_opens_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    going, go_on = threading.Event(), threading.Event()

    def slow(resources: Resources) -> Path:
        going.set()
        assert go_on.wait(30)
        return directory_for_tables(resources)

    monkeypatch.setattr(new_tables, "directory_for_tables", slow)
    with open_application(str(tmp_path)) as app, ThreadPoolExecutor(2) as threads:
        new = NewTables(app.resources)
        opening = threads.submit(new.open, "awari")
        assert going.wait(30)
        closing = threads.submit(new.close)
        go_on.set()
        opening.result(30)
        closing.result(30)
        assert files(tmp_path) == []
        for late in (lambda: new.open("awari"), lambda: new.begin("awari-0"), lambda: new.write(b"x")):
            with pytest.raises(CallCancelledError):
                late()
        assert files(tmp_path) == []


def test_commands_pull_and_push_tables_of_servers(cli: Run, tmp_path: Path, home: Path) -> None:
    oracle, mine, other = (str(tmp_path / name) for name in ("oracle", "mine", "other"))
    assert cli("publish", "awari", oracle, "--licence", "CC0-1.0", "--store", home).status == 0
    for url in (str(home), oracle):  # a server of a package as well
        with Application(open_store(url, read_only=True)) as app, serving(app) as address:
            pulled = cli("pull", f"grpc://{address}", "awari", "--with-tables", "--store", tmp_path / address[-5:])
            assert pulled.status == 0
            assert pulled.out.endswith("table awari-3: taken and verified, 364 entries\n")
            assert files(tmp_path / address[-5:]) == FILES
            refused = cli("push", f"grpc://{address}", "--with-tables", "--store", home)
            assert refused.status == 0 and "there already" in refused.out
    with open_application(other) as app, serving(app) as address:
        target = f"grpc://{address}"
        assert cli("push", target, "--with-tables", "--store", oracle).status == 0
        tables = cli("pull", target, "--with-tables", "--store", mine, "--json").json["tables"]
        assert [(table["table"], table["taken"]) for table in tables] == [(name, True) for name in NAMES]
    assert files(Path(mine)) == files(Path(other)) == FILES
