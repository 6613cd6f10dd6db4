"""Who may import what (docs/design.md), read from the sources of the installed package."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import proofbase.engine

PACKAGE = Path(proofbase.engine.__file__).absolute().parent.parent


def modules() -> list[str]:
    """The Python modules of the package by dotted name."""
    names = []
    for part in ("engine", "storage", "service"):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            inner = path.relative_to(PACKAGE).with_suffix("").parts
            names.append(".".join(("proofbase", *(inner[:-1] if inner[-1] == "__init__" else inner))))
    return names


def imports(module: str) -> Iterator[str]:
    """Every module that the source names, wherever in the file."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def takes_nothing_of(module: str, package: str, names: set[str]) -> bool:
    """Whether a module imports only modules of a package, and nothing that the package itself defines."""
    return all(name in names for name in imports(module) if name.rpartition(".")[0] == package)


def starts(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


RULES = {
    # What is imported: who may.
    ("grpc", "grpc_health", "grpc_reflection", "google", "proofbase.v1"): (
        "proofbase.service.rpc",
        "proofbase.service.server",
        "proofbase.service.client.remote",
        "proofbase.service.client.failures",
        "proofbase.service.convert",
    ),
    ("sqlalchemy", "psycopg", "alembic"): (
        "proofbase.storage.postgres",
        "proofbase.service.cli",
    ),
    ("lmdb",): ("proofbase.storage.lmdb",),
    ("proofbase.storage",): ("proofbase.storage", "proofbase.service"),
    ("proofbase.service",): ("proofbase.service",),
    ("typer", "rich", "proofbase.service.cli"): ("proofbase.service.cli",),
    ("proofbase.service.rpc", "proofbase.service.server"): (
        "proofbase.service.rpc",
        "proofbase.service.server",
        "proofbase.service.cli",
    ),
}


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_layer_may(module: str) -> None:
    for name in imports(module):
        for imported, allowed in RULES.items():
            if starts(name, *imported):
                assert module.startswith(allowed), f"{module} imports {name}"


def test_the_engine_is_imported_by_the_service_and_its_records_by_the_stores() -> None:
    for module in modules():
        if starts(module, "proofbase.engine", "proofbase.service"):
            continue
        for name in imports(module):
            if starts(name, "proofbase.engine"):
                assert starts(name, "proofbase.engine.records"), f"{module} imports {name}"


def test_records_import_nothing_else_of_proofbase() -> None:
    standard = sys.stdlib_module_names
    for module in modules():
        if starts(module, "proofbase.engine.records"):
            for name in imports(module):
                ours = starts(name, "proofbase.engine.records")
                assert ours or name.partition(".")[0] in standard, f"{module} imports {name}"


SERVICE_LAYERS = [
    # From the top: each may import the layers below it.
    ["cli"],
    ["server", "client"],
    ["rpc"],
    ["application", "convert"],
    ["commands"],
    ["jobs"],
    ["probe", "resources"],
    ["positions", "answers", "limits", "errors"],
]


def test_a_layer_of_the_service_imports_only_those_below_it() -> None:
    height = {name: -number for number, names in enumerate(SERVICE_LAYERS) for name in names}
    for module in modules():
        layer = module.removeprefix("proofbase.service").removeprefix(".").partition(".")[0]
        if not starts(module, "proofbase.service") or not layer:
            continue
        for name in imports(module):
            imported = name.removeprefix("proofbase.service.").partition(".")[0]
            if starts(name, "proofbase.service") and imported in height and imported != layer:
                assert height[imported] <= height[layer], f"{module} imports {name}"


def test_commands_know_no_transport_and_no_client() -> None:
    for module in modules():
        if starts(module, "proofbase.service.commands", "proofbase.service.jobs", "proofbase.service.resources"):
            for name in imports(module):
                assert not starts(name, "proofbase.service.client", "proofbase.service.convert"), module
                assert not starts(name, "proofbase.service.application"), module


def test_the_modules_of_the_service_import_each_other_in_no_circle() -> None:
    """All imports count: those inside functions and those for type checking only, too.

    That a module's package is initialised with it is no import of the package.
    """
    names = {name for name in modules() if starts(name, "proofbase.service")}
    imported = {}
    for module in names:
        found = {name for name in imports(module) if name in names} - {module}
        # `from package import module` names both; the package itself is meant only where something of its own is taken.
        packages = {name.rpartition(".")[0] for name in found if name.rpartition(".")[0] in found}
        imported[module] = sorted(found - {package for package in packages if takes_nothing_of(module, package, names)})
    done = set[str]()

    def visit(module: str, path: list[str]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in done:
            for name in imported[module]:
                visit(name, [*path, module])
            done.add(module)

    for module in sorted(names):
        visit(module, [])


def test_folders_and_files_of_the_service_stay_small() -> None:
    for folder in (PACKAGE / "service", Path(__file__).parent):
        for path in folder.rglob("*.py"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
            assert len(list(path.parent.glob("*.py"))) <= 20, path.parent


def test_what_a_store_is_stands_in_no_url() -> None:
    """Only the storage reads URLs of stores; whether a target is an address of a server is for the client to say."""
    for module in modules():
        if starts(module, "proofbase.service"):
            path = PACKAGE.joinpath(*module.split(".")[1:])
            source = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
            assert "urllib" not in source, module
            assert not re.search(r"startswith\([^)]*(postgres|lmdb|memory)", source), module


def test_the_checker_imports_only_the_rules() -> None:
    ours = {name for name in imports("proofbase.engine.checker") if starts(name, "proofbase")}
    assert all(starts(name, "proofbase.engine.rules") for name in ours), ours


REST_OF_THE_ENGINE = [f"proofbase.engine.{name}" for name in ("errors", "games", "rules", "_core")]


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("proofbase.engine", ["proofbase.storage", *REST_OF_THE_ENGINE]),
        ("proofbase.engine.records", REST_OF_THE_ENGINE),
        ("proofbase.service.client", ["grpc", "google.protobuf", "sqlalchemy", "lmdb", "proofbase.engine._core"]),
        (
            "proofbase.storage",
            [
                "sqlalchemy",
                "lmdb",
                "grpc",
                "proofbase.engine.errors",
                "proofbase.engine.rules",
                "proofbase.engine._core",
            ],
        ),
    ],
)
def test_imports_come_late(module: str, absent: list[str]) -> None:
    program = f"import sys, {module}\nprint([name for name in {absent!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
