"""TLS: certificates of servers and clients, files that change, and what a client refuses to send."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from certificates_made import Authority
from raw_calls import METHODS, status_of
from services import serving, serving_both

from proofbase.service.access.roles import CALLS, ROLES, Role, allows
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_certificate_entry, new_token
from proofbase.service.application import Application
from proofbase.service.client import (
    NotAuthenticatedError,
    RoleLackingError,
    ServiceUnavailableError,
    UnsafeServerError,
    connect,
)
from proofbase.storage import open_store

DENIED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def server_files(authority: Authority) -> tuple[Path, Path]:
    return authority.issue("server", "localhost", "IP:127.0.0.1,DNS:localhost")


@pytest.fixture
def app() -> Iterator[Application]:
    with Application(open_store("memory:")) as app:
        yield app


def test_a_token_goes_over_tls(app: Application, authority: Authority, server_files: tuple[Path, Path]) -> None:
    text, token = new_token("alice", "reader")
    app.resources.store.tokens().add(token)
    with serving(app, Security(*server_files, authenticate=True)) as address:
        with connect(address, token=text, ca=authority.certificate) as client:
            assert client.lookup("tic-tac-toe").position == ".../.../..."
            assert len(list(client.stream_lookup("tic-tac-toe", [["5"], ["1"]]))) == 2
        with connect(address, ca=authority.certificate) as client, pytest.raises(NotAuthenticatedError):
            client.games()
        with connect(address, token=text) as client, pytest.raises(ServiceUnavailableError):
            client.games()  # without TLS
        with connect(address, token=text, ca="system") as client, pytest.raises(ServiceUnavailableError):
            client.games()  # an authority that signed nothing here


def test_mistakes_with_tls_are_told(
    app: Application, authority: Authority, server_files: tuple[Path, Path], tmp_path: Path
) -> None:
    other = Authority(tmp_path)
    elsewhere = authority.issue("elsewhere", "elsewhere.example", "DNS:elsewhere.example")

    def message(address: str, **credentials: Any) -> str:
        with connect(address, **credentials) as client, pytest.raises(ServiceUnavailableError) as error:
            client.games()
        return str(error.value)

    with serving(app, Security(*server_files)) as address:
        assert "the server may want TLS (`--ca FILE`, or `--ca system`)" in message(address)
        assert "`--ca`) has not signed its certificate" in message(address, ca=other.certificate)
    with serving(app, Security(*elsewhere)) as address:
        assert "its certificate is for other names" in message(address, ca=authority.certificate)
    with serving_both(app) as (grpc_address, http_address):
        assert "leave out `--ca`" in message(grpc_address, ca=authority.certificate)
        assert "is it the one for HTTP?" in message(http_address)
    assert "nothing listens there" in message("127.0.0.1:1")


def test_clients_are_known_by_their_certificates(
    app: Application, authority: Authority, server_files: tuple[Path, Path], tmp_path: Path
) -> None:
    certificate, key = authority.issue("alice", "alice")
    machine = authority.issue("machine", "something", "DNS:solver.example")
    unknown = authority.issue("bob", "bob")
    stranger = Authority(tmp_path / "other", "strangers").issue("alice", "alice")
    tokens = app.resources.store.tokens()
    alice = new_certificate_entry("alice", "reader")
    tokens.add(alice)
    tokens.add(new_certificate_entry("solver.example", "solver"))
    text, token = new_token("chief", "admin")
    tokens.add(token)
    ca = authority.certificate
    with serving(app, Security(*server_files, client_ca=ca, authenticate=True)) as address:
        with connect(address, ca=ca, certificate=certificate, key=key) as client:
            client.games()
            with pytest.raises(RoleLackingError, match="alice is reader"):
                client.start_solve("tic-tac-toe")
            tokens.revoke([alice.id], time.time())
            time.sleep(1.1)
            with pytest.raises(NotAuthenticatedError, match="the certificate of alice was revoked"):
                client.games()
        with connect(address, ca=ca, certificate=machine[0], key=machine[1]) as client:
            assert client.solve("tic-tac-toe").started_by == "solver.example"
        with (
            connect(address, ca=ca, certificate=unknown[0], key=unknown[1]) as client,
            pytest.raises(NotAuthenticatedError, match="not one that this server knows"),
        ):
            client.games()
        with connect(address, ca=ca, certificate=unknown[0], key=unknown[1], token=text) as client:
            assert client.prune_jobs() == 0  # a token counts more than the certificate
        for shown in ({}, {"certificate": stranger[0], "key": stranger[1]}):
            with connect(address, ca=ca, **shown) as client, pytest.raises(ServiceUnavailableError):
                client.games()
    with (
        serving(app, Security(*server_files, ca, "reader", authenticate=True)) as address,
        connect(address, ca=ca, certificate=unknown[0], key=unknown[1]) as client,
    ):
        client.games()
        with pytest.raises(RoleLackingError, match="bob is reader"):
            client.start_solve("tic-tac-toe")


@pytest.mark.parametrize("role", ROLES)
def test_every_call_with_a_certificate_of_every_role(
    app: Application, authority: Authority, server_files: tuple[Path, Path], role: Role
) -> None:
    """As with tokens (test_roles.py), whether an entry of the store or `--certificate-role` gives the role."""
    app.resources.store.tokens().add(new_certificate_entry(f"named-{role}", role))
    other = "reader" if role != "reader" else "admin"
    named, unnamed = authority.issue(f"named-{role}", f"named-{role}"), authority.issue("anybody", "anybody")
    ca = authority.certificate
    for (certificate, key), role_of_others in ((named, other), (unnamed, role)):
        security = Security(*server_files, client_ca=ca, certificate_role=role_of_others, authenticate=True)
        shown = grpc.ssl_channel_credentials(ca.read_bytes(), key.read_bytes(), certificate.read_bytes())
        with serving(app, security) as address, grpc.secure_channel(address, shown) as channel:
            for method in METHODS:
                if allows(role, CALLS[method.name]):
                    assert status_of(channel, method) not in DENIED, method.name
                else:
                    data = None if method.requests else b"\xff\xff"
                    found = status_of(channel, method, data=data)
                    assert found == grpc.StatusCode.PERMISSION_DENIED, method.name


def test_files_that_change_are_read_again(app: Application, server_files: tuple[Path, Path], tmp_path: Path) -> None:
    certificate, key = tmp_path / "server.pem", tmp_path / "server.key"
    shutil.copy(server_files[0], certificate)
    shutil.copy(server_files[1], key)
    other = Authority(tmp_path / "new", "new")
    new_certificate_file, new_key_file = other.issue("server", "localhost", "IP:127.0.0.1")
    with serving(app, Security(certificate, key)) as address:

        def works(authority: Path) -> bool:
            try:
                with connect(address, ca=authority) as client:
                    client.games()
                return True
            except ServiceUnavailableError:
                return False

        old = server_files[0].parent / "ca.pem"
        assert works(old) and not works(other.certificate)
        shutil.copy(new_certificate_file, certificate)  # its key is not there yet
        assert works(old) and not works(other.certificate)
        shutil.copy(new_key_file, key)
        assert works(other.certificate) and not works(old)
        key.write_text("nonsense")
        assert works(other.certificate)
        key.unlink()
        assert works(other.certificate)
        os.replace(new_key_file, key)
        assert works(other.certificate)


def test_a_client_sends_no_token_in_the_clear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, _ = new_token("alice", "reader")
    with pytest.raises(UnsafeServerError, match="a token is sent over TLS only") as raised:
        connect("192.0.2.1:50051", token=text)
    assert text.split("_", 2)[2] not in str(raised.value)
    monkeypatch.setenv("PROOFBASE_TOKEN", text)
    with pytest.raises(UnsafeServerError, match="another machine"):
        connect("example.org:50051")
    connect("127.0.0.1:1").close()
    monkeypatch.setenv("PROOFBASE_CA", str(tmp_path / "missing.pem"))
    with pytest.raises(UnsafeServerError, match=r"missing\.pem: No such file"):
        connect("127.0.0.1:1")
    monkeypatch.delenv("PROOFBASE_CA")
    with pytest.raises(UnsafeServerError, match="belong together"):
        connect("127.0.0.1:1", certificate=tmp_path / "c.pem")
    for bad in ("two words", "line\nbreak", "pb_ü"):
        with pytest.raises(UnsafeServerError, match="characters that no token has"):
            connect("127.0.0.1:1", token=bad)
    connect("memory:").close()  # the environment is for servers


def test_the_environment_says_who_a_client_is(
    app: Application, authority: Authority, server_files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, token = new_token("alice", "reader")
    app.resources.store.tokens().add(token)
    monkeypatch.setenv("PROOFBASE_TOKEN", text)
    monkeypatch.setenv("PROOFBASE_CA", str(authority.certificate))
    with serving(app, Security(*server_files, authenticate=True)) as address:
        with connect(address) as client:
            client.games()
        with connect(address, token=text[:-1]) as client, pytest.raises(NotAuthenticatedError):
            client.games()  # an argument counts more


def test_a_header_with_a_token_is_not_asked_for_on_loopback(app: Application) -> None:
    text, _ = new_token("alice", "reader")
    with serving(app) as address, connect(address, token=text) as client:
        client.games()
        assert client.solve("tic-tac-toe").started_by is None


def test_health_is_told_to_everybody(app: Application) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    app.resources.store.tokens().add(new_token("alice", "reader")[1])
    with serving(app, Security(authenticate=True)) as address, grpc.insecure_channel(address) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
