"""Bad input to the command line: one message that names the cause, the right exit status, no output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import GAME, Run, cli

__all__ = ["cli"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("lookup", "chess960"), "chess960"),
        (("lookup", "connect-four:99x99"), "99"),
        (("lookup", "connect-four:axb"), "axb"),
        (("lookup", "tic-tac-toe:3"), "tic-tac-toe"),
        (("lookup", "tic-tac-toe", "xxx/xxx/xxx"), "tic-tac-toe"),
        (("lookup", "tic-tac-toe", "moves:11"), "move 2"),
        (("lookup", "tic-tac-toe", "......./......./......./......./......./......."), "tic-tac-toe"),
        (("solve", "tic-tac-toe", "--at-least", "1", "--exact"), "--exact"),
        (("solve", "tic-tac-toe", "--nodes", "0"), "nodes"),
        (("solve", "tic-tac-toe", "--seconds", "-1"), "seconds"),
        (("solve", "tic-tac-toe", "--memory", "lots"), "lots"),
        (("solve", "tic-tac-toe", "--algorithm", "magic"), "magic"),
        (("solve", "tic-tac-toe", "--nodes", "many"), "--nodes"),
        (("solve",), "GAME"),
        (("solve", "tic-tac-toe", "--frobnicate"), "frobnicate"),
        (("frobnicate",), "frobnicate"),
        (("verify", "tic-tac-toe", "--sample", "0"), "sample"),
        (("verify", "tic-tac-toe", "--rules", "house"), "house"),
        (("export", "tic-tac-toe", "--format", "certificate", "-o", "x"), "POSITION"),
        (("export", "tic-tac-toe", "-", "--format", "xml"), "xml"),
        (("export", "tic-tac-toe", "-", "--json"), "-o"),
        (("export", "tic-tac-toe", "-", "--smallest", "--format", "jsonl"), "--smallest is for certificates"),
        (("export", "tic-tac-toe", "-", "-o", "x", "--seconds", "5"), "--seconds needs --smallest"),
        (("export", "tic-tac-toe", "-", "-o", "x", "--nodes", "5"), "--nodes is for graphs"),
        (("rules", "go"), "go"),
        (("games", "--plugin", "no_such_module_here"), "no_such_module_here"),
        (("games", "--plugin", "./missing.py"), "missing.py"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_usage(
    cli: Run, arguments: tuple[str, ...], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known_store = arguments and arguments[0] in ("lookup", "solve", "verify", "export") and len(arguments) > 1
    outcome = cli(*arguments, *(("--store", "memory:") if known_store else ()))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("proofbase: ")
    assert outcome.err.count("\n") == 1
    assert word in outcome.err
    assert not list(tmp_path.iterdir())


def test_no_command_shows_the_help(cli: Run) -> None:
    outcome = cli()
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: proofbase ")
    assert "\nAsk:\n" in outcome.err
    assert "\nLook after:\n" in outcome.err


@pytest.mark.parametrize("command", ["lookup", "moves", "line", "tree", "analyse"])
def test_no_store_there_yet(cli: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known, and the place where a store was looked for is said. A named store has to be there."""
    monkeypatch.chdir(tmp_path)
    words = (command, "tic-tac-toe", *(("1 5",) if command == "analyse" else ()), "--json")
    outcome = cli(*words)
    assert outcome.status == 1 and outcome.json
    assert outcome.err == f"proofbase: there is no store at {tmp_path}/proofbase-store yet, so no records are known\n"
    named = cli(*words, "--store", "proofbase-store")
    assert (named.status, named.out) == (3, "") and "there is no store at" in named.err
    assert not list(tmp_path.iterdir()), "reading makes no store"


def test_directory_of_another_program(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "data.mdb").write_bytes(b"something else" * 1000)
    outcome = cli("lookup", "tic-tac-toe", "--store", tmp_path)
    assert (outcome.status, outcome.out) == (3, "")
    assert str(tmp_path) in outcome.err
    assert (tmp_path / "data.mdb").read_bytes() == b"something else" * 1000


def test_store_urls(cli: Run) -> None:
    assert cli("games", "--store", "redis://somewhere").status == 2
    assert cli("games", "--store", "").status == 2
    assert cli("games", "--store", "localhost:50051").status == 2
    assert cli("games", "--server", "nowhere").status == 2
    assert cli("games", "--server", "127.0.0.1:1", "--store", "memory:").status == 2


def test_server_that_is_not_there(cli: Run) -> None:
    outcome = cli("games", "--server", "127.0.0.1:1", "--json")
    assert (outcome.status, outcome.out) == (3, "")
    assert "127.0.0.1:1" in outcome.err


def test_serve_refuses_what_it_cannot_do(cli: Run, tmp_path: Path) -> None:
    unknown = cli("serve", "--limit", "colour=3", "--store", "memory:")
    assert unknown.status == 2
    assert "colour" in unknown.err
    assert cli("serve", "--limit", "batch_size", "--store", "memory:").status == 2
    assert cli("serve", "--limit", "batch_size=0", "--store", "memory:").status == 2
    nowhere = cli("serve", "--listen", "192.0.2.1:1", "--insecure", "--store", "memory:", "--json")
    assert (nowhere.status, nowhere.out) == (3, "")
    assert "192.0.2.1:1" in nowhere.err


def test_files_that_cannot_be_read(cli: Run, tmp_path: Path) -> None:
    missing = cli("check", tmp_path / "missing.proof", "--json")
    assert (missing.status, missing.out) == (3, "")
    assert "missing.proof" in missing.err
    assert cli("import", tmp_path / "missing.proof", "--store", "memory:").status == 3
    other = tmp_path / "other.proof"
    other.write_bytes(b"\xff\xfe no certificate")
    assert cli("check", other).status == 1
    refused = cli("import", other, "--store", tmp_path / "store", "--json")
    assert (refused.status, refused.out) == (3, "")


def test_job_that_is_not_there(cli: Run) -> None:
    outcome = cli("jobs", "resume", "nothing", "--store", "memory:")
    assert outcome.status == 3
    assert "nothing" in outcome.err


def test_plugin_without_a_game(cli: Run, tmp_path: Path) -> None:
    plugin = tmp_path / "empty.py"
    plugin.write_text("x = 1\n", encoding="utf-8")
    outcome = cli("games", "--plugin", plugin, "--store", "memory:")
    assert outcome.status == 2
    assert "no game" in outcome.err
    # Of another size: Python does not read a file of the same second and size again.
    plugin.write_text("number = 1 / 0\n", encoding="utf-8")
    assert "ZeroDivisionError" in cli("games", "--plugin", plugin, "--store", "memory:").err


def test_output_closed_early_is_no_crash(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "proofbase", "rules", "connect-four"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
    assert b"Traceback" not in complaint


def test_light_commands_do_not_import_heavy_packages() -> None:
    script = (
        "import sys; from proofbase.service.cli import run; run(['rules', 'tic-tac-toe']); "
        "heavy = {'grpc', 'sqlalchemy', 'lmdb', 'alembic', 'proofbase.engine._core'} & set(sys.modules); "
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def test_a_cluster_goes_with_one_position_and_without_a_server(cli: Run) -> None:
    scheduler = ("--cluster", "tcp://127.0.0.1:9")
    for arguments, message in (
        (("--cluster", "127.0.0.1:8786"), "the address of a scheduler is written tcp://HOST:PORT"),
        ((*scheduler, "--server", "127.0.0.1:1"), "--cluster and --server exclude each other"),
        ((*scheduler, "--worker-processes"), "--cluster and --worker-processes exclude each other"),
        ((*scheduler, "--all-moves"), "--cluster is for one position"),
        ((*scheduler, "--shortest"), "leave out --cluster"),
        (("--cluster-reads", "127.0.0.1:1"), "--cluster-reads goes with --cluster"),
    ):
        outcome = cli("solve", GAME, "--store", "memory:", *arguments)
        assert outcome.status == 2 and message in outcome.err, outcome
    shown = cli("serve", "--check", "--json", *scheduler, "--cluster-reads", "postgresql://me:secret@host/db")
    assert shown.status == 0 and shown.json["cluster"] == {"value": scheduler[1], "from": "flag"}
    assert "secret" not in shown.out and "host/db" in shown.json["cluster_reads"]["value"]


def test_dask_may_be_missing(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofbase.service.resources.cluster.find_spec", lambda name: None)
    outcome = cli("solve", GAME, "--store", "memory:", "--cluster", "tcp://127.0.0.1:9")
    assert outcome.status == 3 and outcome.err.strip().count("\n") == 0
    assert "pip install 'proofbase[dask]'" in outcome.err
