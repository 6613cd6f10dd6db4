"""What can be wrong with the files of an LMDB store: one clear error each, and the files stay as they were."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import lmdb
import pytest
from kill_writer import run

from proofbase.storage import (
    Claim,
    MalformedRecordError,
    NotAStoreError,
    Record,
    Side,
    StoreClosedError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreNotFoundError,
    StoreReadOnlyError,
    StoreVersionError,
    encode_record,
    open_store,
)
from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb.environment import FORMAT

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
RECORD = encode_record(Record.of([Claim(Side.LOWER, 1, 5, witness=3)]))


def items(number: int, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
    for key in range(number):
        yield prefix + key.to_bytes(4, "big"), RECORD


def put(store: LmdbStore, number: int, prefix: bytes = b"") -> None:
    store.put_many("g", items(number, prefix), source="test", rules_version=1)


def fingerprint(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "lock.mdb"}


OPEN = """
import os, sys
import proofbase.storage.lmdb
from proofbase.storage import open_store, StoreError
if len(sys.argv) > 3:
    os.setgroups([])
    os.setgid(int(sys.argv[3]))
    os.setuid(int(sys.argv[3]))
try:
    store = open_store(sys.argv[1], read_only=sys.argv[2] == "read")
except StoreError as error:
    sys.exit(f"{type(error).__name__}: {error}")
print(store.count("g"))
"""


def in_another_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Opens a store to `read` or `write`, perhaps as another user, and prints the number of its records."""
    return subprocess.run(
        [sys.executable, "-c", OPEN, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=ENVIRONMENT,
        check=False,
    )


# Opening


def test_a_store_stays(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path / "deep" / "store")) as store:
        put(store, 10)
    with open_store(f"lmdb://{tmp_path}/deep/store", create=False) as store:
        assert store.count("g") == 10


def test_a_missing_store_is_not_made_unasked(tmp_path: Path) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreNotFoundError, match=str(tmp_path / "none")):
            open_store(str(tmp_path / "none"), **options)
        with pytest.raises(StoreNotFoundError, match=str(tmp_path)):
            open_store(str(tmp_path), **options)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("hello")
    for path in (file, file / "below"):
        with pytest.raises(NotAStoreError, match=str(file)):
            open_store(str(path))
    assert file.read_text() == "hello"


def test_a_directory_with_other_files_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("hello")
    with pytest.raises(NotAStoreError, match=r"thesis\.tex"):
        open_store(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("read_only", [False, True])
def test_an_environment_of_another_program_is_left_alone(tmp_path: Path, read_only: bool) -> None:
    with lmdb.open(str(tmp_path), max_dbs=2) as env:
        users = env.open_db(b"users")
        with env.begin(write=True) as txn:
            txn.put(b"name", b"value", db=users)
    before = fingerprint(tmp_path)
    with pytest.raises(NotAStoreError, match="another program"):
        open_store(str(tmp_path), read_only=read_only)
    assert fingerprint(tmp_path) == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_data_file_that_is_no_lmdb_is_left_alone(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "data.mdb").write_bytes(b"something else" * 1000)
    before = fingerprint(tmp_path)
    with pytest.raises(NotAStoreError, match=str(tmp_path)):
        open_store(str(tmp_path), read_only=read_only)
    assert fingerprint(tmp_path) == before


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    LmdbStore(str(tmp_path)).close()
    with lmdb.open(str(tmp_path), max_dbs=2) as env, env.begin(write=True) as txn:
        meta = env.open_db(b"meta", txn=txn)
        txn.put(b"format", str(FORMAT + 1).encode(), db=meta)
        txn.put(b"creator", b"proofbase 99", db=meta)
    for read_only in (False, True):
        with pytest.raises(StoreVersionError, match=rf"format {FORMAT + 1}, made by proofbase 99"):
            open_store(str(tmp_path), read_only=read_only)


@pytest.mark.parametrize("url", ["ftp://somewhere", "lmdb:", "lmdb://relative", "memory:name", "postgresql://host", ""])
def test_urls_that_name_no_store_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        open_store(url)


# One writer, many readers


def test_a_second_writing_process_is_refused(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        second = in_another_process(str(tmp_path), "write")
        assert second.returncode == 1
        assert "StoreLockedError" in second.stderr
        assert f"process {os.getpid()}" in second.stderr
        assert str(tmp_path) in second.stderr
        reader = in_another_process(str(tmp_path), "read")
        assert (reader.returncode, reader.stdout) == (0, "10\n")
        put(store, 20)
        assert store.count("g") == 20
    assert in_another_process(str(tmp_path), "write").stdout == "20\n"


def test_the_lock_of_a_killed_writer_does_not_linger(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom proofbase.storage import open_store\n"
        "s = open_store(sys.argv[1])\nprint('open', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"open\n"
        with pytest.raises(StoreLockedError) as caught:
            open_store(str(tmp_path))
        assert caught.value.pid == writer.pid
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    open_store(str(tmp_path)).close()


def test_a_store_opened_twice_in_a_process_is_one(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as first, LmdbStore(str(tmp_path / "." / "")) as second:
        put(first, 10)
        put(second, 20)
        assert first.count("g") == second.count("g") == 20
        first.close()
        assert second.count("g") == 20
        with open_store(str(tmp_path), read_only=True) as third:
            assert third.count("g") == 20
            with pytest.raises(StoreReadOnlyError):
                third.put_many("g", items(1), source="s", rules_version=1)
    assert in_another_process(str(tmp_path), "write").returncode == 0


def test_a_reading_process_may_become_the_writer(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
    with open_store(str(tmp_path), read_only=True) as reader:
        assert reader.count("g") == 10
        with LmdbStore(str(tmp_path)) as writer:
            put(writer, 20)
            assert reader.count("g") == 20
            assert in_another_process(str(tmp_path), "write").returncode == 1
        with pytest.raises(StoreReadOnlyError):
            reader.quarantine("g", [b"x"], "reason")


def test_a_forgotten_store_frees_its_directory(tmp_path: Path) -> None:
    store = LmdbStore(str(tmp_path))
    del store
    gc.collect()
    assert in_another_process(str(tmp_path), "write").returncode == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_cannot_use_the_store_nor_free_it(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                store.count("g")
            except StoreClosedError:
                store.close()
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        put(store, 20)
        assert in_another_process(str(tmp_path), "write").returncode == 1


# Room


def test_the_map_grows(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 60_000)
        assert store.count("g") == 60_000
        # Another process opens the grown file, and reads on while it grows.
        assert in_another_process(str(tmp_path), "read").stdout == "60000\n"
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 70_000)
        assert store.count("g") == 70_000


def test_a_reader_follows_a_map_that_another_process_grows(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom proofbase.storage.lmdb import LmdbStore\n"
        "s = LmdbStore(sys.argv[1], read_only=True, map_size=1 << 18)\n"
        "print(s.count('g'), flush=True)\nsys.stdin.readline()\n"
        "print(s.count('g'), sum(1 for _ in s.scan('g')), flush=True)"
    )
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 10)
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT, text=True,
        ) as reader:  # fmt: skip
            assert reader.stdout is not None
            assert reader.stdin is not None
            assert reader.stdout.readline() == "10\n"
            put(store, 60_000)
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == "60000 60000\n"


def test_growth_waits_for_scans_of_other_threads(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path), map_size=1 << 18) as store:
        put(store, 1000)
        scan = store.scan("g")
        next(scan)
        assert isinstance(scan, Generator)
        timer = threading.Timer(0.3, scan.close)
        timer.start()
        put(store, 60_000)
        timer.join()
        assert store.count("g") == 60_000


def test_a_full_map_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path), map_size=1 << 19, max_map_size=1 << 20) as store:
        put(store, 100)
        before = list(store.scan("g"))
        generation = store.generation("g")
        with pytest.raises(StoreFullError, match=str(tmp_path)):
            put(store, 50_000, b"more")
        assert list(store.scan("g")) == before
        assert store.generation("g") == generation
        put(store, 200)
        assert store.count("g") == 200
    with LmdbStore(str(tmp_path)) as store:
        put(store, 50_000, b"more")
        assert store.count("g") == 50_200


def test_a_full_disk_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    """A limit of the size of files stands in for the disk: the kernel refuses the write in the same place."""
    code = (
        "import resource, signal, sys\nfrom test_lmdb_files import items\n"
        "from proofbase.storage import open_store, StoreFullError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "store = open_store(sys.argv[1])\nstore.put_many('g', items(100), source='s', rules_version=1)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))\n"
        "try:\n    store.put_many('g', items(50_000), source='s', rules_version=1)\n"
        "except StoreFullError as error:\n    assert sys.argv[1] in str(error)\n"
        "else:\n    sys.exit('the disk was not full')\n"
        "print(store.count('g'), sum(1 for _ in store.scan('g')))"
    )
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "store")],
        capture_output=True, text=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "100 100\n"), done.stderr
    with open_store(str(tmp_path / "store")) as store:
        assert store.count("g") == 100


# Rights


@pytest.fixture
def others_directory() -> Iterator[Path]:
    """A store that an unprivileged user may read and not write."""
    home = Path(tempfile.mkdtemp(prefix="proofbase-rights-"))
    home.chmod(0o755)
    with LmdbStore(str(home / "store")) as store:
        put(store, 10)
    yield home / "store"
    home.chmod(0o755)
    (home / "store").chmod(0o755)
    shutil.rmtree(home)


def unprivileged(directory: Path) -> list[str]:
    """Has the directory bind whom it must: other users when this is root, whom nothing binds, else everybody."""
    if os.geteuid() == 0:
        return ["65534"]
    for path in directory.iterdir():
        path.chmod(0o444)
    directory.chmod(0o555)
    return []


def test_a_read_only_directory_can_be_read_and_not_written(others_directory: Path) -> None:
    user = unprivileged(others_directory)
    before = fingerprint(others_directory)
    writer = in_another_process(str(others_directory), "write", *user)
    assert writer.returncode == 1
    assert "StoreReadOnlyError" in writer.stderr, writer.stderr
    assert str(others_directory) in writer.stderr
    reader = in_another_process(str(others_directory), "read", *user)
    assert (reader.returncode, reader.stdout) == (0, "10\n"), reader.stderr
    assert fingerprint(others_directory) == before


def test_a_reader_whom_lmdb_cannot_note_down_stays_away_from_a_writer(others_directory: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs a second user, so it runs as root only")
    with LmdbStore(str(others_directory)):
        reader = in_another_process(str(others_directory), "read", *unprivileged(others_directory))
    assert "StoreLockedError" in reader.stderr, reader.stderr


def test_a_store_cannot_be_made_in_a_read_only_directory(others_directory: Path) -> None:
    writer = in_another_process(str(others_directory / "new"), "write", *unprivileged(others_directory))
    assert writer.returncode == 1
    assert "StoreReadOnlyError" in writer.stderr, writer.stderr
    assert str(others_directory / "new") in writer.stderr


# Damage


def test_damaged_bytes_are_named_and_never_read_as_something_else(tmp_path: Path) -> None:
    """Every single changed byte of a stored record gives a well-formed record or an error that names the place."""
    with LmdbStore(str(tmp_path)) as store:
        put(store, 1)
        data = next(store.scan("g"))[1]
        changed = [
            data[:place] + bytes([value]) + data[place + 1 :] for place in range(len(data)) for value in range(256)
        ]
        put(store, len(changed))
        keys = [key for key, _ in store.scan("g")]
        environment = store._environment

        def damage(txn: lmdb.Transaction[bytes]) -> None:
            for key, record in zip(keys, changed, strict=True):
                txn.put(b"\0\0\0\1" + key, record, db=environment.dbs.records)

        environment.write(damage)
        assert store.get_many("g", keys) == changed
        refused = []
        for key, record in zip(keys, changed, strict=True):
            try:
                found = store.get("g", key)
            except MalformedRecordError as error:
                refused.append((key, error))
            else:
                assert found is not None
                assert encode_record(found) == record
        for key, error in refused:
            assert (error.game, error.key) == ("g", key)
            assert key.hex() in str(error)
        with pytest.raises(MalformedRecordError, match=refused[0][0].hex()):
            put(store, len(changed))
        assert 300 < len(refused) < len(changed) - 300
        assert store.quarantine("g", [key for key, _ in refused], "damaged") == len(refused)
        assert store.count("g") == len(changed) - len(refused)


@pytest.mark.parametrize("part", ["head", "middle"])
def test_a_damaged_file_never_crashes_the_process_silently(tmp_path: Path, part: str) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 1000)
    data = bytearray((tmp_path / "data.mdb").read_bytes())
    start = 0 if part == "head" else len(data) // 2
    for place in range(start, start + 32):
        data[place] ^= 0x5A
    (tmp_path / "data.mdb").write_bytes(data)
    done = in_another_process(str(tmp_path), "read")
    # A message that names the store, or the count as it was; never a wrong count.
    assert done.stdout == "1000\n" or str(tmp_path) in done.stderr


# Kills


def test_killed_writers_lose_nothing_that_was_committed(tmp_path: Path) -> None:
    outcome = run(str(tmp_path / "store"), kills=50, seed=20261121)
    assert outcome.kills == 50
    assert outcome.batches > 50
    assert outcome.records >= 40 * outcome.batches / 2


def test_errors_are_store_errors(tmp_path: Path) -> None:
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        scan = store.scan("g")
        next(scan)
    with pytest.raises(StoreError):
        list(scan)
