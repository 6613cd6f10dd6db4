"""The imports of the modules of the installed package, read from their sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import proofbase.engine

PACKAGE = Path(proofbase.engine.__file__).absolute().parent.parent


def modules(*parts: str) -> list[str]:
    """The Python modules of some parts of the package (`engine`, `storage`, `service`) by dotted name."""
    names = []
    for part in parts:
        for path in sorted((PACKAGE / part).rglob("*.py")):
            inner = path.relative_to(PACKAGE).with_suffix("").parts
            names.append(".".join(("proofbase", *(inner[:-1] if inner[-1] == "__init__" else inner))))
    return names


def source(module: str) -> str:
    """The text of a module."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()


@cache
def import_statements(module: str) -> list[tuple[str, str | None]]:
    """What a source imports, wherever in the file: (`a`, None) for `import a`, (`a`, `b`) for `from a import b`."""
    found = list[tuple[str, str | None]]()
    for node in ast.walk(ast.parse(source(module))):
        if isinstance(node, ast.Import):
            found += ((name.name, None) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            found += ((node.module or "", name.name) for name in node.names)
    return found


def imports(module: str) -> Iterator[str]:
    """Every name that the source imports; for `from a import b` both `a` and `a.b`, which may be a module."""
    for imported, name in import_statements(module):
        yield imported
        if name is not None:
            yield f"{imported}.{name}"


def starts(name: str, *packages: str) -> bool:
    """Whether a module is one of the packages or lies in one."""
    return any(name == package or name.startswith(package + ".") for package in packages)
