"""Settings of `serve`: flags before variables before a file before what is built in; what nobody knows is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Run, cli

__all__ = ["cli"]


def settings(cli: Run, *arguments: object) -> dict[str, Any]:
    shown = cli("serve", "--check", "--json", *arguments)
    assert shown.status == 0, shown.err
    found: dict[str, Any] = json.loads(shown.out)
    return found


def test_each_source_comes_before_the_next(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "server.toml"
    file.write_text('listen = "127.0.0.1:1"\nlog_level = "debug"\ndrain_seconds = 3\nread_only = true\n')
    monkeypatch.setenv("PROOFBASE_SERVE_LISTEN", "127.0.0.1:2")
    monkeypatch.setenv("PROOFBASE_SERVE_LOG_LEVEL", "error")
    found = settings(cli, "--config", file, "--listen", "127.0.0.1:3")
    assert found["listen"] == {"value": "127.0.0.1:3", "from": "flag"}
    assert found["log_level"] == {"value": "error", "from": "PROOFBASE_SERVE_LOG_LEVEL"}
    assert found["drain_seconds"] == {"value": 3.0, "from": "file"}
    assert found["read_only"] == {"value": True, "from": "file"}
    assert found["processes"] == {"value": 1, "from": "default"}
    monkeypatch.setenv("PROOFBASE_CONFIG", str(file))
    assert settings(cli)["drain_seconds"]["from"] == "file"


def test_limits_are_a_table_of_the_file(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("[limits]\nbatch_size = 77\n")
    found = settings(cli, "--config", file)
    assert found["limits.batch_size"] == {"value": 77, "from": "file"}
    assert found["limits.line_plies"]["from"] == "default"


def test_passwords_are_not_shown(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFBASE_STORE", "postgresql://alice:hush@db.example/games?password=hush")
    shown = cli("serve", "--check")
    assert shown.status == 0 and "hush" not in shown.out + shown.err
    assert "postgresql://alice@db.example/games" in shown.out and "PROOFBASE_STORE" in shown.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('lisen = "x"', "there is no setting 'lisen'; did you mean listen?"),
        ("listen = 7", "listen is 7: a text is needed"),
        ('processes = "2"', "processes is '2': a whole number is needed"),
        ("processes = true", "processes is True: a whole number is needed"),
        ('read_only = "yes"', "read_only is 'yes': true or false is needed"),
        ('plugin = "mine.py"', "plugin is 'mine.py': a list of texts is needed"),
        ("[limits]\nbatchsize = 7", "there is no limit 'batchsize'; did you mean batch_size?"),
        ('[limits]\nbatch_size = "7"', "the limit batch_size is '7': a whole number is needed"),
        ("limits = 7", "[limits] is a table"),
        ("limit = []", "there is no setting 'limit'"),
        ("check = true", "there is no setting 'check'"),
        ("listen =", "Invalid value"),
        ("processes = 0", "'--processes'"),
        ('log_level = "loud"', "'--log-level'"),
        ("[limits]\nbatch_size = 0", "a whole number above 0 is needed"),
    ],
)
def test_what_is_no_setting_is_refused(cli: Run, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(text)
    shown = cli("serve", "--check", "--config", file)
    assert shown.status == 2 and message in shown.err and shown.err.count("\n") <= 2, shown


def test_a_variable_that_is_no_setting_is_refused(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFBASE_SERVE_LISTN", "127.0.0.1:1")
    shown = cli("serve", "--check")
    assert shown.status == 2 and "PROOFBASE_SERVE_LISTN" in shown.err and "mean PROOFBASE_SERVE_LISTEN?" in shown.err


def test_a_file_that_is_not_there_is_told(cli: Run, tmp_path: Path) -> None:
    shown = cli("serve", "--check", "--config", tmp_path / "none.toml")
    assert shown.status == 2 and "No such file" in shown.err


def test_the_files_of_tls_are_looked_at(cli: Run, tmp_path: Path) -> None:
    shown = cli("serve", "--check", "--certificate", tmp_path / "c.pem", "--key", tmp_path / "k.pem")
    assert shown.status == 2 and "there is no file" in shown.err


def test_nothing_is_opened_by_a_check(cli: Run, tmp_path: Path) -> None:
    assert settings(cli, "--store", tmp_path / "store")["store"]["value"] == str(tmp_path / "store")
    assert not list(tmp_path.iterdir())
