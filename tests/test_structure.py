"""The tree stays readable: no links, and no names of headers or pages that are not there."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_headers_named_in_native_sources_exist() -> None:
    """In includes as well as in comments."""
    names, missing = {native.name for native in NATIVE}, list[tuple[str, str]]()
    for path in NATIVE:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'#include "([^"]+)"', text):
            beside = ROOT / "tests" in path.parents and (path.parent / name).is_file()  # shared by tests
            if not beside and not (ROOT / "engine" / "native" / name).is_file():
                missing.append((str(path), name))
        comments = "\n".join(re.findall(r"//[^\n]*", text))
        named = re.findall(r"\b(\w+\.(?:hpp|cpp))\b", comments)
        missing += [(str(path), name) for name in named if name not in names]
    assert missing == []


def test_python_files_named_with_their_folder_exist() -> None:
    """In comments and docstrings; `path/to/` stands for any folder."""
    files = "\n".join(f"/proofbase/{path.relative_to(ROOT).as_posix()}" for path in SOURCES) + "\n"
    named, missing = 0, list[tuple[str, str]]()
    for path in SOURCES:
        for name in re.findall(r"(?<![\w/.-])(?!path/to/)((?:[\w-]+/)+\w+\.py)\b", path.read_text(encoding="utf-8")):
            named += 1
            missing += [(str(path), name)] if f"/{name}\n" not in files else []
    assert missing == [] and named > 10


def test_pages_named_in_sources_exist() -> None:
    missing, named_pages = list[tuple[str, str]](), 0
    for path in SOURCES:
        if path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8")
        pages = re.findall(r"\bdocs/[\w-]+\.md\b", text)
        named_pages += len(pages)
        missing += [(str(path), name) for name in pages if not (ROOT / name).is_file()]
        assert "DESIGN.md" not in text and not re.search(r"\bDESIGN \d", text), path
    assert missing == [] and named_pages > 50


def test_a_module_names_all_that_others_import_of_it() -> None:
    """But for checker.py: its `__all__` is what a user calls, and other parts of the engine use parts of the check."""
    texts = {
        f"proofbase.{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}": path.read_text("utf-8")
        for path in SOURCES
        if path.suffix == ".py" and path.name not in {"__init__.py", "_core.py", "checker.py"}
    }
    named = {
        module: set(re.findall(r'"(\w+)"', listed[1]))
        for module, text in texts.items()
        if (listed := re.search(r"^__all__ = \[([^]]*)\]", text, re.MULTILINE))
    }
    imports = re.compile(r"^ *from (proofbase\.[\w.]+) import (?:\(([^)]*)\)|([^\n#]+))", re.MULTILINE)
    missing = [
        (module, name)
        for importer, text in texts.items()
        if not importer.startswith("proofbase.tests.")
        for module, several, one in imports.findall(text)
        for name in re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#[^\n]*", "", several or one))
        if module in named and name not in named[module]
    ]
    assert len(named) > 300 and missing == []
