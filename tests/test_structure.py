"""The tree stays readable: small files, folders that can be taken in at a glance, no stale names in comments."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("engine", "storage", "service", "migrations", "protos", "scripts", "tests")
SOURCES = sorted(
    path
    for part in PARTS
    for path in (ROOT / part).rglob("*")
    if path.suffix in {".py", ".hpp", ".cpp", ".proto"} and "__pycache__" not in path.parts
)
NATIVE = [path for path in SOURCES if path.suffix in {".hpp", ".cpp"}]


def test_the_sources_are_found() -> None:
    assert len(SOURCES) > 300 and len(NATIVE) > 100


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES if path.suffix != ".proto"}
    assert {str(path): length for path, length in lengths.items() if length > 400} == {}


def test_no_folder_has_more_than_twenty_source_files() -> None:
    counts = Counter(path.parent for path in SOURCES)
    assert {str(folder): count for folder, count in counts.items() if count > 20} == {}


def test_no_source_is_a_link() -> None:
    """A link may lead out of the tree: a clone lacks what it names."""
    links = [path for part in PARTS for path in (ROOT / part).rglob("*") if path.is_symlink()]
    assert [str(path.relative_to(ROOT)) for path in links] == []


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: str(path.relative_to(ROOT)))
def test_headers_named_in_native_sources_exist(path: Path) -> None:
    """In includes as well as in comments."""
    names = {native.name for native in NATIVE}
    text = path.read_text(encoding="utf-8")
    quoted = set(re.findall(r'#include "([^"]+)"', text))
    missing = {name for name in quoted if not (ROOT / "engine" / "native" / name).is_file()}
    if ROOT / "tests" in path.parents:  # programs of tests share headers that lie beside them
        missing -= {name for name in quoted if (path.parent / name).is_file()}
    comments = "\n".join(re.findall(r"//[^\n]*", text))
    missing |= {name for name in re.findall(r"\b(\w+\.(?:hpp|cpp))\b", comments) if name not in names}
    assert missing == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_named_in_sources_exist(path: Path) -> None:
    if path == Path(__file__):
        return
    text = path.read_text(encoding="utf-8")
    missing = {name for name in re.findall(r"\bdocs/[\w-]+\.md\b", text) if not (ROOT / name).is_file()}
    assert missing == set()
    assert "DESIGN.md" not in text and not re.search(r"\bDESIGN \d", text)
