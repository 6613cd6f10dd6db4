"""What an LMDB store makes of files that something else has changed: one clear error, no crash, nothing changed."""

from __future__ import annotations

import os
import random
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import lmdb
import lmdb.verify
import pytest
from damage_files import run as run_damages
from lmdb_stores import ENVIRONMENT, fingerprint, put

from proofbase.engine.records import Claim, Record, Side, encode_record
from proofbase.storage import StoreDamagedError, StoreError, StoreNotFoundError, open_store
from proofbase.storage.lmdb import LmdbStore
from proofbase.storage.lmdb.data_file import DataFile
from proofbase.storage.lmdb.page_walk import pages_in_use

PAGE = 4096


@pytest.fixture
def store_of_1000(tmp_path: Path) -> Path:
    directory = tmp_path / "store"
    with LmdbStore(str(directory)) as store:
        put(store, 1000)
    return directory


def flip(directory: Path, place: int) -> None:
    with (directory / "data.mdb").open("rb+") as file:
        file.seek(place)
        old = file.read(1)
        file.seek(place)
        file.write(bytes([old[0] ^ 0x40]))


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("size", [0, 1, PAGE, 2 * PAGE, 5 * PAGE + 17, 12 * PAGE])
def test_a_file_that_was_cut_short_is_refused(store_of_1000: Path, size: int, read_only: bool) -> None:
    os.truncate(store_of_1000 / "data.mdb", size)
    before = fingerprint(store_of_1000)["data.mdb"]
    with pytest.raises(StoreDamagedError, match=str(store_of_1000)):
        open_store(str(store_of_1000), read_only=read_only)
    assert fingerprint(store_of_1000)["data.mdb"] == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_whose_data_file_is_gone_does_not_become_a_new_one(store_of_1000: Path, read_only: bool) -> None:
    (store_of_1000 / "data.mdb").unlink()
    with pytest.raises(StoreDamagedError, match=r"data\.mdb is missing"):
        open_store(str(store_of_1000), read_only=read_only)
    assert not (store_of_1000 / "data.mdb").exists()


def test_an_empty_data_file_of_release_0_1_0_is_refused(store_of_1000: Path) -> None:
    (store_of_1000 / "writer.lock").write_text("4711\n")
    os.truncate(store_of_1000 / "data.mdb", 0)
    with pytest.raises(StoreDamagedError, match=r"data\.mdb is empty"):
        open_store(str(store_of_1000))


@pytest.mark.parametrize(
    "left", [["writer.lock"], ["writer.lock", "lock.mdb"], ["writer.lock", "lock.mdb", "data.mdb"]]
)
def test_a_store_that_was_being_made_is_made(tmp_path: Path, left: list[str]) -> None:
    """What a writer leaves that was killed while it made a store."""
    for name in left:
        (tmp_path / name).touch()
    (tmp_path / "writer.lock").write_bytes(b"4711".ljust(63) + b"\nnew store\n")
    with open_store(str(tmp_path)) as store:
        assert store.games() == []


def test_a_store_whose_maker_was_killed_before_its_marks_is_not_there_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LMDB writes its first pages before the commit that marks them as a store."""
    maker = os.fork()
    if not maker:
        monkeypatch.setattr("proofbase.storage.lmdb.environment.write_format_rows", lambda *_: os._exit(0))
        open_store(str(tmp_path / "store"))
        os._exit(1)
    assert os.waitpid(maker, 0)[1] == 0
    assert (tmp_path / "store" / "data.mdb").stat().st_size > 0
    with pytest.raises(StoreNotFoundError, match=r"no store in .* yet"):
        open_store(str(tmp_path / "store"), read_only=True)
    with open_store(str(tmp_path / "store")) as store:
        assert store.games() == []


def test_a_directory_with_tables_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    with LmdbStore(str(tmp_path)) as store:
        put(store, 10)
        assert store.count("g") == 10


@pytest.mark.parametrize("read_only", [False, True])
def test_an_older_copy_of_the_data_file_is_refused(store_of_1000: Path, tmp_path: Path, read_only: bool) -> None:
    shutil.copy(store_of_1000 / "data.mdb", tmp_path / "old.mdb")
    with LmdbStore(str(store_of_1000)) as store:
        put(store, 1100)
    shutil.copy(tmp_path / "old.mdb", store_of_1000 / "data.mdb")
    with pytest.raises(StoreDamagedError, match=r"older copy.*delete writer\.lock"):
        open_store(str(store_of_1000), read_only=read_only)
    (store_of_1000 / "writer.lock").unlink()
    with open_store(str(store_of_1000)) as store:
        assert store.count("g") == 1000


def test_a_changed_meta_page_never_brings_an_older_state_back(store_of_1000: Path, thorough: bool) -> None:
    """LMDB takes the meta page with the higher number: a bit less in the newer one, and the last commit is gone."""
    sound = (store_of_1000 / "data.mdb").read_bytes()
    for page in (0, 1):
        for place in range(page * PAGE, page * PAGE + 152):
            for bit in (0x01, 0x10, 0x80) if thorough else (0x01,):
                changed = bytearray(sound)
                changed[place] ^= bit
                (store_of_1000 / "data.mdb").write_bytes(changed)
                try:
                    with open_store(str(store_of_1000), read_only=True) as store:
                        assert store.count("g") == 1000
                except StoreError:
                    pass


def test_a_copy_of_a_store_is_a_store(store_of_1000: Path, tmp_path: Path) -> None:
    shutil.copytree(store_of_1000, tmp_path / "copy")
    for compact in (False, True):
        (tmp_path / f"copy {compact}").mkdir()
        with lmdb.open(str(store_of_1000), readonly=True) as environment:
            environment.copy(str(tmp_path / f"copy {compact}"), compact=compact)
    for name in ("copy", "copy False", "copy True"):
        for read_only in (True, False):
            with open_store(str(tmp_path / name), read_only=read_only) as store:
                assert store.count("g") == 1000


def test_pages_are_checked_once_after_a_change_by_others(store_of_1000: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []
    check = lmdb.verify.verify
    monkeypatch.setattr(lmdb.verify, "verify", lambda path: checks.append(path) or check(path))  # type: ignore[func-returns-value]
    for read_only in (True, False, True):
        with open_store(str(store_of_1000), read_only=read_only) as store:
            assert store.count("g") == 1000
    with LmdbStore(str(store_of_1000)) as store:
        put(store, 1200)
        list(store.scan("g"))
        put(store, 1300)
    assert checks == []
    os.utime(store_of_1000 / "data.mdb")
    for read_only in (True, True, False):
        with open_store(str(store_of_1000), read_only=read_only) as store:
            assert store.count("g") == 1300
    assert len(checks) == 1


def test_a_killed_writer_costs_no_check_of_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import os, sys\nfrom lmdb_stores import put\nfrom proofbase.storage.lmdb import LmdbStore\n"
        "store = LmdbStore(sys.argv[1])\nput(store, 100)\nos.kill(os.getpid(), 9)"
    )
    environment = {
        **ENVIRONMENT,
        "PYTHONPATH": f"{Path(__file__).parent.parent}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}",
    }
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=environment, check=False)
    monkeypatch.setattr(lmdb.verify, "verify", lambda path: pytest.fail("the pages are checked"))
    with open_store(str(tmp_path)) as store:
        assert store.count("g") == 100


def _cut(directory: Path) -> None:
    os.truncate(directory / "data.mdb", 3 * PAGE)


def _clear_a_page(directory: Path) -> None:
    with (directory / "data.mdb").open("rb+") as file:
        file.seek(6 * PAGE)
        file.write(bytes(PAGE))


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("damage", [_cut, _clear_a_page])
def test_damage_while_a_store_is_open_is_an_error(
    store_of_1000: Path, damage: Callable[[Path], None], read_only: bool
) -> None:
    with open_store(str(store_of_1000), read_only=read_only) as store:
        scan = store.scan("g")
        next(scan)
        damage(store_of_1000)
        for _ in range(2):
            with pytest.raises(StoreDamagedError, match=str(store_of_1000)):
                store.count("g")
        with pytest.raises(StoreError):
            put(store, 1100)  # type: ignore[arg-type]
        with pytest.raises(StoreDamagedError):
            list(scan)


def test_a_writer_notices_that_its_data_file_was_deleted_or_replaced(store_of_1000: Path, tmp_path: Path) -> None:
    shutil.copy(store_of_1000 / "data.mdb", tmp_path / "copy.mdb")
    with LmdbStore(str(store_of_1000)) as store:
        (tmp_path / "copy.mdb").rename(store_of_1000 / "data.mdb")
        with pytest.raises(StoreDamagedError, match="deleted"):
            put(store, 1100)
        with pytest.raises(StoreDamagedError, match="deleted"):
            store.count("g")


def test_a_file_may_be_shorter_by_free_pages(tmp_path: Path) -> None:
    """LMDB does not write pages at the end of the file that a transaction has taken and given back."""
    with LmdbStore(str(tmp_path)) as store:
        put(store, 5000)
        put(store, 3000, b"more")
        store.quarantine("g", [b"more" + key.to_bytes(4, "big") for key in range(3000)], "test")
        put(store, 10)
    data = tmp_path / "data.mdb"
    file = DataFile(str(tmp_path))
    try:
        meta = max(file._metas(), key=lambda meta: meta[-8:][::-1])
        used = pages_in_use(meta, PAGE, lambda number: os.pread(file._descriptor, PAGE, number * PAGE))
    finally:
        file.close()
    with lmdb.open(str(tmp_path), readonly=True) as environment:
        assert used <= environment.info()["last_pgno"] + 1
    os.truncate(data, used * PAGE)
    with open_store(str(tmp_path), read_only=True) as reader:
        assert reader.count("g") == 5000
        assert sum(1 for _ in reader.scan("g")) == 5000
    os.truncate(data, (used - 1) * PAGE)
    with pytest.raises(StoreDamagedError):
        open_store(str(tmp_path), read_only=True)


def test_the_later_pages_of_a_large_value_are_not_missed(tmp_path: Path) -> None:
    """`lmdb.verify` looks at the first page of a value that fills several."""
    with LmdbStore(str(tmp_path)) as store:
        put(store, 1, b"x")
        store._environment.write(
            lambda txn: txn.put(
                b"j\0" + bytes(8), random.Random(1).randbytes(10 * PAGE), db=store._environment.dbs.checkpoints
            )
        )
    size = (tmp_path / "data.mdb").stat().st_size
    cut = [size - pages * PAGE for pages in range(1, 8)]
    for length in cut:
        os.truncate(tmp_path / "data.mdb", length)
        with pytest.raises(StoreDamagedError):
            open_store(str(tmp_path), read_only=True)


@pytest.mark.slow
def test_damaged_files_are_noticed_and_end_no_process(tmp_path: Path) -> None:
    outcome = run_damages(tmp_path, damages=60, seed=20261122)
    assert outcome.rounds == 60
    assert not outcome.bad, "\n".join(outcome.examples)
    assert outcome.refused > 15


def test_a_changed_separator_of_a_branch_page_is_noticed(tmp_path: Path) -> None:
    """It leaves every page sound and every record there for a scan, but lookups would miss some of them."""
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 9)]))
    items = [(number.to_bytes(4, "big"), record) for number in range(3_000)]
    with LmdbStore(str(tmp_path / "store")) as store:
        store.put_many("some", items, source="test", rules_version=1)
    path = tmp_path / "store" / "data.mdb"
    sound = path.read_bytes()
    noticed = tried = 0
    for start in range(2 * PAGE, len(sound), PAGE):
        flags, lower = struct.unpack_from("=HH", sound, start + 10)
        if not flags & 1:
            continue
        for place in struct.unpack_from(f"={(lower - 16) // 2}H", sound, start + 16)[1:6]:
            key_size = struct.unpack_from("=H", sound, start + place + 6)[0]
            changed = bytearray(sound)
            changed[start + place + 8 + key_size - 1] ^= 1 << (tried % 3)
            tried += 1
            path.write_bytes(changed)
            try:
                with LmdbStore(str(tmp_path / "store"), read_only=True) as store:  # a page that is no longer in use
                    assert None not in store.get_many("some", [key for key, _ in items])
            except StoreDamagedError:
                noticed += 1
    assert noticed >= 5


@pytest.mark.parametrize("commit", [0, 1])
def test_only_a_file_without_a_commit_is_a_store_that_was_never_made(tmp_path: Path, commit: int) -> None:
    directory = tmp_path / "store"
    with open_store(str(directory)):
        pass
    for name in ("data.mdb", "lock.mdb"):
        (directory / name).unlink()
    lmdb.open(str(directory), map_size=1 << 20).close()  # as the first process left it that was killed
    file = DataFile(str(directory))
    note = replace(file.note(), commit=commit)
    file.close()
    lines = (directory / "writer.lock").read_text()
    (directory / "writer.lock").write_text(re.sub(r"file \d.*", str(note), lines))
    if commit:
        with pytest.raises(StoreDamagedError):
            open_store(str(directory))
    else:
        with open_store(str(directory)) as store:
            assert store.games() == []
