"""Tokens on the command line, beside a running server, and commands that show them to it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import Run, cli, store

__all__ = ["cli", "store"]

UNTIL_READ = 1.2
"""Seconds after which a server has surely read its list of tokens again: it does so twice a second."""


@pytest.fixture
def server(store: str, cli: Run) -> Iterator[str]:
    """A server process that checks its clients; its address."""
    assert cli("tokens", "create", "operator", "--role", "admin", "--store", store).status == 0
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--authenticate", "--json"]
    arguments = [*command, "--store", store]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        assert (ready["tls"], ready["clients"], ready["insecure"]) == (False, "known", False)
        yield ready["address"]
        process.terminate()


def test_tokens_are_made_listed_and_revoked(cli: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    made = cli("tokens", "create", "alice", "--role", "solver", "--ends", "2w", "--store", url)
    assert (made.status, made.out[:3], made.out.count("\n")) == (0, "pb_", 1)
    assert "alice, solver, until 2" in made.err and made.out.strip() not in made.err
    first = cli("tokens", "create", "alice", "--store", url, "--json").json
    assert first["token"].startswith(f"pb_{first['id']}_") and first["role"] == "reader" and first["ends"] is None
    machine = cli("tokens", "create", "host.example", "--role", "admin", "--certificate", "--store", url)
    assert (machine.status, machine.err) == (0, "") and "with a certificate of host.example" in machine.out

    listed = cli("tokens", "list", "--store", url)
    assert [line.split()[1:5] for line in listed.out.splitlines()[1:]] == [
        ["alice", "solver", "token", "valid"],
        ["alice", "reader", "token", "valid"],
        ["host.example", "admin", "certificate", "valid"],
    ]
    secrets = [text.strip().split("_", 2)[2] for text in (made.out, first["token"])]
    in_json = cli("tokens", "list", "--store", url, "--json")
    assert [secret for secret in secrets if secret in listed.out + in_json.out] == []
    stored = b"".join(path.read_bytes() for path in Path(url).rglob("*") if path.is_file())
    assert [secret for secret in secrets if secret.encode() in stored] == []

    assert cli("tokens", "revoke", first["id"], "--store", url).out.startswith(
        f"revoked {first['id']} of alice, reader"
    )
    assert len(cli("tokens", "revoke", "alice", "--store", url, "--json").json["revoked"]) == 1
    again = cli("tokens", "revoke", "alice", "--store", url)
    assert (again.status, again.out) == (1, "nothing to revoke: it is revoked already\n")
    assert cli("tokens", "revoke", "nobody", "--store", url).out == "nothing to revoke: no token is called nobody\n"
    states = [token["state"] for token in cli("tokens", "list", "--store", url, "--json").json["tokens"]]
    assert states == ["revoked", "revoked", "valid"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("create", "alice", "--ends", "soon"), "--ends soon: write 12h, 90d"),
        (("create", "alice", "--ends", "2020-01-01"), "that is over"),
        (("create", "alice", "--ends", "0d"), "that is over"),
        (("create", "alice", "--ends", "999999y"), "--ends 999999y"),
        (("create", "alice", "--role", "root"), "root"),
        (("create", ""), "printable characters"),
        (("create", "two\nlines"), "printable characters"),
    ],
)
def test_wrong_tokens_are_not_made(cli: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    outcome = cli("tokens", *arguments, "--store", tmp_path / "store")
    assert (outcome.status, outcome.out) == (2, "") and message in outcome.err and outcome.err.count("\n") == 1


def test_stores_that_keep_no_tokens_say_so(cli: Run, tmp_path: Path) -> None:
    assert "a memory store ends with its process" in cli("tokens", "list", "--store", "memory:").err
    (tmp_path / "file.txt").write_text("mine")
    outcome = cli("tokens", "create", "alice", "--store", tmp_path)
    assert outcome.status == 3 and "holds other files" in outcome.err


def test_commands_show_a_token_to_a_server(
    cli: Run, store: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is the store's one writer meanwhile."""
    refused = cli("lookup", "tic-tac-toe", "--server", server)
    assert (refused.status, refused.out) == (3, "") and "send a token (--token, PROOFBASE_TOKEN" in refused.err
    made = cli("tokens", "create", "alice", "--role", "solver", "--store", store, "--json").json
    time.sleep(UNTIL_READ)
    file = tmp_path / "token"
    file.write_text(made["token"] + "\n")
    here = cli("lookup", "tic-tac-toe", "--store", store, "--json").json
    shown = ("--token", f"@{file}", "--server", server)
    assert cli("lookup", "tic-tac-toe", *shown, "--json").json == here
    assert cli("lookup", "tic-tac-toe", "--token", made["token"], "--server", server).status == 0
    solving = cli("solve", "connect-four", *shown, "--nodes", "50")
    assert f"--server {server}" in solving.err + solving.out
    assert made["token"] not in solving.err + solving.out
    monkeypatch.setenv("PROOFBASE_TOKEN", made["token"])
    jobs = cli("jobs", "list", "--server", server, "--json").json["jobs"]
    assert jobs[0]["started_by"] == "alice"
    assert "started by alice" in cli("jobs", "show", jobs[0]["id"], "--server", server).out
    assert "needs the role admin" in cli("jobs", "prune", "--server", server).err
    assert cli("tables", "build", "awari", "--stones", 2, "--server", server).status == 3
    assert cli("tokens", "revoke", "alice", "--store", store).status == 0
    time.sleep(UNTIL_READ)
    refused = cli("games", "--server", server)
    assert refused.status == 3 and f"the token {made['id']} of alice was revoked" in refused.err
    assert made["token"].split("_", 2)[2] not in refused.err
    missing = cli("games", "--server", server, "--token", "@nowhere")
    assert (missing.status, missing.err) == (2, "proofbase: --token @nowhere: No such file or directory\n")


def test_a_server_that_strangers_could_reach_does_not_start(cli: Run, tmp_path: Path) -> None:
    outcome = cli("serve", "--listen", "0.0.0.0:0", "--store", tmp_path / "store")
    assert (outcome.status, outcome.out) == (2, "") and outcome.err.count("\n") == 1
    for word in ("--certificate FILE --key FILE", "proofbase tokens create NAME", "listen on 127.0.0.1", "--insecure"):
        assert word in outcome.err
    outcome = cli("serve", "--listen", "127.0.0.1:0", "--store", tmp_path / "store", "--key", "key.pem")
    assert (outcome.status, outcome.err) == (
        2,
        "proofbase: --certificate and --key belong together: one of them is missing\n",
    )
    outcome = cli("lookup", "tic-tac-toe", "--server", "192.0.2.1:1", "--token", "pb_x")
    assert outcome.status == 2 and "a token is sent over TLS only" in outcome.err
