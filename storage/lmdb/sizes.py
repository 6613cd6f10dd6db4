"""How much room an LMDB store takes, and who reads it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import lmdb

from proofbase.storage.lmdb.data_file import DATA_FILE
from proofbase.storage.lmdb.databases import Databases
from proofbase.storage.lmdb.environment import Environment
from proofbase.storage.sizes import Part, Reader, StoreSizes

__all__ = ["environment_sizes"]

META_PAGES = 2
_READER = re.compile(r"^\s*(\d+)\s+[0-9a-f]+\s+(\d+|-)\s*$", re.MULTILINE)
"""A line of mdb_reader_list: process, thread, and the commit that is read."""


def environment_sizes(environment: Environment) -> StoreSizes:
    """The sizes of an open store; the entries of readers that were killed are cleared."""
    with environment.read() as txn, environment.files() as env:
        cleared = env.reader_check()
        info, page = env.info(), env.stat()["psize"]
        parts, pages = [], META_PAGES + _pages(env.stat())
        for name in Databases.__dataclass_fields__:
            database = getattr(environment.dbs, name)
            if database is not None:
                stat = txn.stat(database)
                parts.append(Part(name, stat["entries"], _pages(stat) * page))
                pages += _pages(stat)
        readers = _readers(env, info["last_txnid"], txn.id())
        size = os.stat(os.path.join(environment.directory, DATA_FILE)).st_size
    return StoreSizes(
        total_bytes=size,
        used_bytes=pages * page,
        free_bytes=max(0, (info["last_pgno"] + 1 - pages) * page),
        map_bytes=info["map_size"],
        readers=readers,
        cleared_readers=cleared,
        parts=tuple(parts),
    )


def _pages(stat: Mapping[str, Any]) -> int:
    return int(stat["branch_pages"] + stat["leaf_pages"] + stat["overflow_pages"])


def _readers(env: lmdb.Environment, last: int, commit_of_question: int) -> tuple[Reader, ...]:
    """The processes of the table of readers, each with its oldest scan.

    That of this question, and others of this process at the same commit, are left out.
    """
    behind: dict[int, int | None] = {}
    for pid_text, commit in _READER.findall(env.readers()):
        pid = int(pid_text)
        behind.setdefault(pid, None)
        if commit != "-" and (pid != os.getpid() or int(commit) < commit_of_question):
            behind[pid] = max(behind[pid] or 0, last - int(commit))
    return tuple(Reader(pid, commits) for pid, commits in sorted(behind.items()))
