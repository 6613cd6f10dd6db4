"""The examples of the operators' pages that are no commands of ours: settings, units, container files."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from cli_runs import Run, cli
from prometheus_client import CollectorRegistry

from proofbase.service.application import Application
from proofbase.service.operations.state_metrics import ServerMetrics, StoreMetrics
from proofbase.service.telemetry.call_metrics import CallMetrics
from proofbase.storage.lmdb import LmdbStore

__all__ = ["cli"]


@pytest.fixture
def internet(repository: Path) -> str:
    return (repository / "docs" / "internet.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_settings_file_is_understood(cli: Run, tmp_path: Path, internet: str) -> None:
    (example,) = blocks(internet, "toml")
    (tmp_path / "server.toml").write_text(example)
    shown = cli("serve", "--config", tmp_path / "server.toml", "--check", "--json")
    assert shown.status == 0, shown.err
    settings = json.loads(shown.out)
    assert settings["authenticate"] == {"value": True, "from": "file"}
    assert settings["limits.client_running_jobs"] == {"value": 2, "from": "file"}


def test_the_commands_of_the_units_are_understood(cli: Run, tmp_path: Path, internet: str) -> None:
    units = blocks(internet, "ini")
    commands = [line.partition("=")[2] for unit in units for line in unit.splitlines() if line.startswith("ExecStart=")]
    assert len(commands) == 2
    serve, backup = (shlex.split(command) for command in commands)
    assert serve[0].endswith("/bin/proofbase") and serve[1] == "serve"
    (tmp_path / "server.toml").write_text(blocks(internet, "toml")[0])
    given = [str(tmp_path / "server.toml") if word == "/etc/proofbase/server.toml" else word for word in serve[1:]]
    assert cli(*given, "--check").status == 0
    words = shlex.split(backup[2].replace("%%", "%"))
    assert words[0].endswith("/bin/proofbase") and words[1:3] == ["store", "copy"]
    assert cli("solve", "tic-tac-toe", "--store", tmp_path / "games").status == 0
    assert cli(*words[1:3], tmp_path / "games", tmp_path / "backup").status == 0
    timeout = re.search(r"^TimeoutStopSec=(\d+)$", units[0], re.MULTILINE)
    assert timeout and int(timeout[1]) > 10 + 20


def test_the_command_of_the_container_is_understood(
    cli: Run, tmp_path: Path, internet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = blocks(internet, "dockerfile")
    for name, value in re.findall(r"(PROOFBASE_\w+)=(\S+)", file):
        monkeypatch.setenv(name, value)
    entry = json.loads(re.findall(r"^ENTRYPOINT (.*)$", file, re.MULTILINE)[0])
    arguments = json.loads(re.findall(r"^CMD (.*)$", file, re.MULTILINE)[0])
    assert entry == ["proofbase", "serve"]
    place = arguments.index("--certificate")
    shown = cli("serve", *arguments[:place], "--check", "--json")  # there is no certificate here
    assert shown.status == 0, shown.err
    settings = json.loads(shown.out)
    assert settings["store"]["value"] == "/store" and settings["drain_seconds"]["value"] == 10.0
    assert {arguments[place], arguments[place + 2]} == {"--certificate", "--key"}


def test_every_metric_is_on_the_page_and_no_other(repository: Path, tmp_path: Path) -> None:
    page = (repository / "docs" / "monitoring.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`(proofbase_[a-z_]+)(?:\{[a-z, ]+\})?`", page))
    registry = CollectorRegistry()
    CallMetrics(registry)
    with Application(LmdbStore(str(tmp_path / "s"))) as app:
        registry.register(StoreMetrics(app.resources.store, lambda: None))
        registry.register(ServerMetrics(app))
        families = list(registry.collect())
        shown = {family.name + ("_total" if family.type == "counter" else "") for family in families}
    assert documented - {"proofbase_cache_"} == shown
