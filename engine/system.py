"""What differs by system: Linux has all of it, macOS what POSIX names."""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import threading
from pathlib import Path

__all__ = [
    "has_other_threads",
    "lock_holder",
    "machine_memory",
    "processor_flags",
    "reserve_disk",
    "running_system",
    "start_of_process",
    "usable_cores",
]

_FLOCK = struct.Struct("hhqqi4x")
"""struct flock of 64-bit Linux: type, whence, start, length, process."""


def usable_cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def has_other_threads() -> bool:
    """Whether this process has threads beside the calling one: a fork would copy locks that they hold, for good.

    Where the system does not tell, only threads that Python knows are counted.
    """
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:
        return threading.active_count() > 1


def machine_memory() -> int:
    """All bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def processor_flags() -> str:
    """The names of what the processor has beside the basic instructions; none where that is not known."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            return next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return ""


def running_system() -> str | None:
    """What identifies the running system and its process numbers; None where that is not known."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return None


def start_of_process(pid: int) -> str | None:
    """When a process of this machine started, in the system's own unit; None if there is no such process.

    Where `running_system` is not known, neither is this.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    # A process that has ended and that nobody has asked for its status is dead, too.
    return None if fields[0] in "ZX" else fields[19]


def lock_holder(descriptor: int) -> int | None:
    """The process that holds a POSIX lock on the first byte of a file; None if none does, or if that is not known."""
    if sys.platform != "linux":
        return None
    try:
        lock = fcntl.fcntl(descriptor, fcntl.F_GETLK, _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
        kind, _, _, _, pid = _FLOCK.unpack(lock)
    except (OSError, struct.error):
        return None
    return pid if kind != fcntl.F_UNLCK and pid > 0 else None


def reserve_disk(descriptor: int, offset: int, length: int) -> None:
    """Gives room on the disk to a part of a file; without such a call a full disk shows at the write only.

    Raises:
        OSError: the disk has no room for it.
    """
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, offset, length)
    else:
        os.ftruncate(descriptor, max(os.fstat(descriptor).st_size, offset + length))
