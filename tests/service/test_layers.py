"""Who may import what (docs/design.md), read from the sources of the installed package."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest
from package_imports import PACKAGE, imports, modules, source, starts

MODULES = modules("engine", "storage", "service")
RULES = {
    # What is imported, and who may import it.
    ("grpc", "grpc_health", "grpc_reflection"): (
        "proofbase.service.rpc",
        "proofbase.service.server",
        "proofbase.service.client.remote_service",
        "proofbase.service.client.calls",
        "proofbase.service.client.channel",
        "proofbase.service.client.several_servers",
        "proofbase.service.client.requests",
        "proofbase.service.client.failures",
    ),
    ("starlette",): ("proofbase.service.http", "proofbase.service.explorer"),
    ("uvicorn", "connectrpc", "protobuf"): ("proofbase.service.http",),
    ("google", "proofbase.v1"): (
        "proofbase.service.rpc",
        "proofbase.service.http",
        "proofbase.service.explorer",
        "proofbase.service.server",
        "proofbase.service.client.remote_service",
        "proofbase.service.client.calls",
        "proofbase.service.client.channel",
        "proofbase.service.client.several_servers",
        "proofbase.service.client.requests",
        "proofbase.service.client.failures",
        "proofbase.service.convert",
    ),
    ("sqlalchemy", "psycopg", "alembic"): (
        "proofbase.storage.postgres",
        "proofbase.service.cli",
    ),
    ("mcp",): ("proofbase.service.cli.agents",),
    ("lmdb",): ("proofbase.storage.lmdb",),
    ("distributed", "dask"): (
        "proofbase.service.jobs.proof_manager.cluster_workers",
        "proofbase.service.jobs.proof_manager.cluster_task",
    ),
    ("proofbase.storage",): ("proofbase.storage", "proofbase.service"),
    ("proofbase.service",): ("proofbase.service",),
    ("typer", "rich", "proofbase.service.cli"): ("proofbase.service.cli",),
    ("proofbase.service.http",): (
        "proofbase.service.http",
        "proofbase.service.explorer",
        "proofbase.service.server",
    ),
    ("proofbase.service.rpc", "proofbase.service.server"): (
        "proofbase.service.rpc",
        "proofbase.service.http",
        "proofbase.service.explorer",
        "proofbase.service.server",
        "proofbase.service.cli",
    ),
}


def test_a_module_imports_only_what_its_layer_may() -> None:
    assert len(MODULES) > 500
    wrong = [
        f"{module} imports {name}"
        for module in MODULES
        for name in imports(module)
        for imported, allowed in RULES.items()
        if starts(name, *imported) and not module.startswith(allowed)
    ]
    assert wrong == []


def test_records_come_into_a_store_by_one_way_only() -> None:
    """`RecordWriter` checks them. Of calls of `put_many` those with a source are of records, others of estimates.

    Copies of whole stores are filled in one place, which is given a check.
    """
    puts, made, copies, filled = set[str](), set[str](), set[str](), set[str]()
    for module in MODULES:
        if not module.startswith(("proofbase.service", "proofbase.storage")):
            continue
        for node in ast.walk(ast.parse(source(module))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called == "add_game":
                filled.add(module)
            if not module.startswith("proofbase.service"):
                continue
            if called == "copy_store":
                copies.add(module)
            if called == "put_many" and any(keyword.arg in ("source", None) for keyword in node.keywords):
                puts.add(module)
            if called == "CheckedRecords":
                made.add(module)
    assert puts == made == {"proofbase.service.resources.record_writer"}
    assert copies == {"proofbase.service.commands.stores.copy_checked"} and filled == {"proofbase.storage.copying"}


def test_the_engine_is_imported_by_the_service_and_its_records_and_system_by_the_stores() -> None:
    for module in MODULES:
        if starts(module, "proofbase.engine", "proofbase.service"):
            continue
        for name in imports(module):
            if starts(name, "proofbase.engine"):
                assert starts(name, "proofbase.engine.records", "proofbase.engine.system"), f"{module} imports {name}"


def test_records_and_system_import_nothing_else_of_proofbase() -> None:
    standard = sys.stdlib_module_names
    for module in MODULES:
        if starts(module, "proofbase.engine.records", "proofbase.engine.system"):
            for name in imports(module):
                ours = starts(name, "proofbase.engine.records")
                assert ours or name.partition(".")[0] in standard, f"{module} imports {name}"


SERVICE_LAYERS = [
    # From the top: each may import the layers below it.
    ["cli"],
    ["agents"],
    ["server", "client", "notebook"],
    ["operations"],
    ["http", "explorer"],
    ["rpc"],
    ["application", "convert"],
    ["commands", "pictures"],
    ["jobs"],
    ["resources", "access"],
    ["scores"],
    ["positions"],
    ["telemetry"],
    ["words"],
    ["answers", "limits", "errors"],
]


def test_a_layer_of_the_service_imports_only_those_below_it() -> None:
    height = {name: -number for number, names in enumerate(SERVICE_LAYERS) for name in names}
    for module in MODULES:
        layer = module.removeprefix("proofbase.service").removeprefix(".").partition(".")[0]
        if not starts(module, "proofbase.service") or not layer:
            continue
        for name in imports(module):
            imported = name.removeprefix("proofbase.service.").partition(".")[0]
            if starts(name, "proofbase.service") and imported in height and imported != layer:
                assert height[imported] <= height[layer], f"{module} imports {name}"


def test_commands_know_no_transport_and_no_client() -> None:
    for module in MODULES:
        if starts(module, "proofbase.service.commands", "proofbase.service.jobs", "proofbase.service.resources"):
            for name in imports(module):
                assert not starts(name, "proofbase.service.client", "proofbase.service.convert"), module
                assert not starts(name, "proofbase.service.application"), module


def test_only_the_storage_reads_urls_of_stores() -> None:
    """A store tells by itself what it is. Only addresses of servers are recognised in the service, by the client."""
    for module in MODULES:
        if starts(module, "proofbase.service"):
            path = PACKAGE.joinpath(*module.split(".")[1:])
            source = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
            assert "urllib" not in source, module
            assert not re.search(r"startswith\([^)]*(postgres|lmdb|memory)", source), module


def test_the_checker_imports_only_the_rules() -> None:
    ours = {name for name in imports("proofbase.engine.checking.checker") if starts(name, "proofbase")}
    assert ours and all(starts(name, "proofbase.engine.rules") for name in ours), ours


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
