"""The tree stays readable: no links, and no names of headers or pages that are not there."""

from __future__ import annotations

import re
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
