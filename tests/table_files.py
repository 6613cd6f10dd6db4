"""Table files written by the description of the format alone (docs/tables.md), what a builder would not write; and what
is on the disk while tables are built."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

__all__ = ["BLOCK", "killed_build", "open_bytes", "read_values", "rewrite", "same_tables"]

BLOCK = 8192


def read_values(path: Path) -> list[int]:
    """All values of a table, without a look at its checksums."""
    data = path.read_bytes()
    bits = int.from_bytes(data[12:16], "little")
    entries = int.from_bytes(data[16:24], "little")
    lowest = int.from_bytes(data[24:28], "little", signed=True)
    start = _start(entries)
    values = list[int]()
    while len(values) < entries:
        number = int.from_bytes(data[start : start + BLOCK // 8 * bits], "little")
        start += BLOCK // 8 * bits
        for _ in range(min(BLOCK, entries - len(values))):
            values.append(lowest + (number & (1 << bits) - 1))
            number >>= bits
    return values


def rewrite(path: Path, values: Sequence[int]) -> None:
    """The same table with other values, its checksums right."""
    old = path.read_bytes()
    lowest = min(values)
    bits = max(1, (max(values) - lowest).bit_length())
    header = bytearray(old[:252])
    header[12:16] = bits.to_bytes(4, "little")
    header[24:28] = lowest.to_bytes(4, "little", signed=True)
    checksums, blocks = b"", b""
    for number in range(-(-len(values) // BLOCK)):
        packed = 0
        for place, value in enumerate(values[number * BLOCK : (number + 1) * BLOCK]):
            packed |= value - lowest << place * bits
        block = packed.to_bytes(BLOCK // 8 * bits, "little")
        checksums += zlib.crc32(block, number).to_bytes(4, "little")
        blocks += block
    head = bytes(header) + zlib.crc32(header).to_bytes(4, "little") + checksums
    path.write_bytes(head.ljust(_start(len(values)), b"\0") + blocks + bytes(8))


def _start(entries: int) -> int:
    return (256 + 4 * -(-entries // BLOCK) + 63) // 64 * 64


def same_tables(directory: Path, expected: Path) -> bool:
    names = sorted(path.name for path in directory.glob("*.table"))
    return bool(names) and all((directory / name).read_bytes() == (expected / name).read_bytes() for name in names)


def open_bytes(directory: Path) -> int:
    """Bytes of the files of a build beside its tables, those without a name included."""
    names = [path for path in directory.iterdir() if path.suffix != ".table"]
    names += [Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd")]
    found = 0
    for name in names:
        try:
            if name.parent == directory or str(name.readlink()).startswith(str(directory / "scratch-")):
                found += name.stat().st_size
        except FileNotFoundError:
            continue  # it has gone meanwhile
    return found


def killed_build(directory: Path, name: str, program: str, solved: int = 1, *, numbers_before: int = 2) -> Path:
    """Kills a build of the last table of a directory in parts, or of tables together, while it works. Its checkpoint.

    Args:
        directory: the smaller tables are there.
        name: of the table, or what the names of the tables begin with.
        program: builds it, with checkpoints all the time, in the directory that its first argument names.
        solved: what a checkpoint has to say of itself before the kill: positions that are solved, or classes listed.
        numbers_before: so many others come before that number: the length of the parts, and what is prepared.
    """
    checkpoint = directory / f"{name}.checkpoint"

    def counted() -> int:
        """What the checkpoint says, behind its text and the numbers before."""
        try:
            data = checkpoint.read_bytes()
        except FileNotFoundError:
            return 0
        start = 8 + int.from_bytes(data[:8], "little") + 8 * numbers_before
        return int.from_bytes(data[start : start + 8], "little")

    for _ in range(20):  # until a kill comes before the end
        with subprocess.Popen([sys.executable, "-c", program, str(directory)]) as process:
            while process.poll() is None and counted() < solved:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
        if counted() > 0:
            return checkpoint
        for finished in directory.glob(f"{name}*.table"):
            finished.unlink()
    raise AssertionError("no build was killed while it worked")
