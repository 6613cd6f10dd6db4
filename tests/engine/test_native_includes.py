"""Includes between two folders of engine/native go one way; a parent and its child count as two folders."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path, PurePosixPath

NATIVE = Path(__file__).parents[2] / "engine" / "native"


def includes_between_folders() -> dict[tuple[str, str], list[str]]:
    """The includes that lead from one folder to another, by the pair of folders."""
    includes = defaultdict(list)
    for path in sorted(NATIVE.rglob("*.[hc]pp")):
        folder = path.parent.relative_to(NATIVE).as_posix()
        for name in re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8")):
            other = str(PurePosixPath(name).parent)
            if other != folder:
                includes[folder, other].append(f"{path.relative_to(NATIVE)} includes {name}")
    return includes


def test_includes_between_two_folders_go_one_way() -> None:
    includes = includes_between_folders()
    assert len(includes) > 50
    assert {pair: includes[pair] for pair in includes if pair[::-1] in includes} == {}
