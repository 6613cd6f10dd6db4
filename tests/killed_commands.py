"""Runs a command many times, each time killed at a later change of the file system, and then a second time to its end.

    python tests/killed_commands.py FOLDER STEPS_APART COMMAND...

FOLDER/start is copied to FOLDER/work before every run, and the command is run in there. Prints, as JSON, the state
after the whole command, and for each kill the states after it and after the same command once more: the names and
checksums of all files in FOLDER/work, with the statuses of the command and of `proofbase check-package` where there
is a package.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import Any

from proofbase.service.cli import run

CHANGES = ("fsync", "link", "mkdir", "rename", "replace", "rmdir", "symlink", "truncate", "unlink")
PACKAGE = "package"


def kill_before(step: int) -> None:
    """This process ends before its change of the file system with this number, the first one is 1."""
    steps = itertools.count(1)

    def changed(change: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return change(*arguments, **options)

        return wrapped

    for name in CHANGES:
        setattr(os, name, changed(getattr(os, name)))


def ended(arguments: list[str], step: int = 0) -> int:
    """How a command ends in a process of its own: its status, or a signal as a negative number."""
    process = os.fork()
    if not process:
        try:
            with open(os.devnull, "w", encoding="utf-8") as nothing:
                os.dup2(nothing.fileno(), 1)
            if step:
                kill_before(step)
            os._exit(run(arguments))
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def state(status: int) -> dict[str, Any]:
    """What the working directory holds after a command that ended so."""
    files = {
        str(path): sha256(path.read_bytes()).hexdigest() if path.is_file() else "" for path in sorted(Path().rglob("*"))
    }
    checked = ended(["check-package", PACKAGE]) if f"{PACKAGE}/manifest.json" in files else None
    return {"status": status, "files": files, "check": checked}


def main(folder: Path, apart: int, command: list[str]) -> None:
    work = folder / "work"

    def begin() -> None:
        os.chdir(folder)
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(folder / "start", work)
        os.chdir(work)
        (work / "tmp").mkdir()

    os.environ["TMPDIR"] = str(work / "tmp")
    begin()
    with open(os.devnull, "w", encoding="utf-8") as nothing, redirect_stdout(nothing):
        for arguments in (
            command,
            ["check-package", PACKAGE],
        ):  # in this process, so that all of them have imported everything
            run(arguments)
    begin()
    whole, kills = state(ended(command)), []
    for step in itertools.count(1, apart):
        begin()
        status = ended(command, step)
        if status != -signal.SIGKILL:
            break
        kills.append((state(status), state(ended(command))))
    print(json.dumps({"whole": whole, "kills": kills}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
