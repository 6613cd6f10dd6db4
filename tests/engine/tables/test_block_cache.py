"""Blocks of tables in limited memory: values are right, the limit is kept, several threads read at once."""

from __future__ import annotations

import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from proofbase.engine import open_game
from proofbase.engine._core import TableCache, Tables, TableWork
from proofbase.engine.errors import DamagedTableError

MIB = 1 << 20
STONES = 14
"""The largest table has 4,457,400 entries of 5 bits, 2.7 MiB; those below have 2.6 MiB."""
LIMIT = 4 * MIB


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Awari, of which a half is compressed."""
    directory = tmp_path_factory.mktemp("awari")
    assert TableWork(open_game("awari"), str(directory), STONES, threads=2).build()
    assert TableWork(open_game("awari"), str(directory), STONES - 2, threads=2).rewrite(level=1, block=32768)
    return directory


def keys(seed: int, count: int) -> bytes:
    """Keys of random positions with up to STONES stones."""
    game, random = open_game("awari"), Random(seed)
    out = []
    for _ in range(count):
        pits = [0] * 12
        for _ in range(random.choice([STONES, STONES, STONES - 1, STONES - 2, 9])):
            pits[random.randrange(12)] += 1
        out.append(game.key(game.parse(",".join(map(str, pits[:6])) + "/" + ",".join(map(str, pits[6:])) + "/S")))
    return b"".join(out)


def test_values_are_right_within_the_limit(folder: Path) -> None:
    cache = TableCache(LIMIT)
    game = open_game("awari")
    limited, whole = Tables(game, str(folder), cache=cache), Tables(game, str(folder))
    highest = 0
    for seed in range(20):
        asked = keys(seed, 1000)
        assert limited.values(asked) == whole.values(asked)
        highest = max(highest, cache.used)
    assert 3 * MIB < highest <= cache.limit == LIMIT
    del limited
    assert cache.used == 0


def test_threads_read_while_blocks_give_way(folder: Path) -> None:
    """Four threads and two sets of tables share one cache; a third set comes and goes."""
    cache, game = TableCache(LIMIT), open_game("awari")
    sets = [Tables(game, str(folder), cache=cache) for _ in range(2)]
    whole = Tables(game, str(folder))
    key_lists = [keys(seed, 2000) for seed in range(4)]
    expected = [whole.values(one) for one in key_lists]

    def ask(number: int) -> bool:
        for turn in range(6):
            for seed in range(4):
                tables = Tables(game, str(folder), cache=cache) if (turn, seed) == (3, number) else sets[number % 2]
                if tables.values(key_lists[seed]) != expected[seed] or cache.used > cache.limit:
                    return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))


def test_the_memory_of_the_process_stays_within_the_limit(folder: Path) -> None:
    """All tables are read five times: 5.3 MiB of blocks, of which the limit leaves 4."""
    code = """
import resource, sys
from proofbase.engine import open_game
from proofbase.engine._core import TableCache, Tables
cache = TableCache(int(sys.argv[2]))
tables = Tables(open_game("awari"), sys.argv[1], cache=cache)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for entry in 5 * tables.entries():
    tables.histogram(entry.table_class)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    command = [sys.executable, "-c", code, str(folder), str(LIMIT)]
    growth = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) * 1024
    assert growth < LIMIT + MIB


def test_a_block_that_was_damaged_meanwhile_is_not_served(folder: Path, tmp_path: Path) -> None:
    """A block that gave way is read again, and held against the checksums that the file had when it was opened."""
    for file in folder.glob("*.table"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    game, path = open_game("awari"), tmp_path / f"awari-{STONES}.table"
    tables = Tables(game, str(tmp_path), cache=TableCache(LIMIT), tolerant=True)
    strict = Tables(game, str(tmp_path), cache=TableCache(LIMIT))
    drawn_keys = keys(1, 3000)
    known, values = tables.values(drawn_keys)
    assert set(known) == {1} and strict.values(drawn_keys) == (known, values)
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 2, len(data), 5120):
        data[place] ^= 1
    path.write_bytes(data)  # the same file, other bytes
    for seed in range(2, 6):
        tables.values(keys(seed, 3000))
    again, now = tables.values(drawn_keys)
    assert 0 < sum(again) < len(again)
    before = struct.unpack(f"<{len(known)}i", values)
    assert all(
        new == old
        for new, old, there in zip(struct.unpack(f"<{len(known)}i", now), before, again, strict=True)
        if there
    )
    assert [name for name, _ in tables.damaged()] == [f"awari-{STONES}"]
    with pytest.raises(DamagedTableError):
        strict.values(b"".join(keys(seed, 3000) for seed in range(2, 6)) + drawn_keys)


def test_a_limit_below_some_blocks_is_refused() -> None:
    with pytest.raises(ValueError, match="4 MiB"):
        TableCache(LIMIT - 1)
