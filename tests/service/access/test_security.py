"""A server does not start where strangers could reach it, and tokens are what they should be."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from certificates_made import Authority

from proofbase.service.access.security import Security, is_loopback
from proofbase.service.access.tokens import is_token_of, new_certificate_entry, new_token, token_id
from proofbase.service.client import UnsafeServerError
from proofbase.service.server import serve

FILES = Path("server.pem"), Path("server.key")
KNOWN = [new_token("alice", "reader")[1]]


@pytest.mark.parametrize(
    ("listen", "loopback"),
    [
        ("127.0.0.1:1", True),
        ("127.9.9.9:1", True),
        ("[::1]:1", True),
        ("localhost:1", True),
        ("unix:/tmp/x", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("192.168.1.2:1", False),
        ("example.org:1", False),
        (":1", False),
        ("1", False),
        ("localhost.example.org:1", False),
        ("dns:///localhost:1", False),
    ],
)
def test_only_addresses_of_this_machine_are_loopback(listen: str, loopback: bool) -> None:
    assert is_loopback(listen) == loopback


def test_loopback_needs_nothing() -> None:
    Security().check("127.0.0.1:1", [])
    assert not Security().checks_clients("127.0.0.1:1")
    assert not Security().is_open_to_others("127.0.0.1:1")


@pytest.mark.parametrize(
    ("security", "tokens", "message"),
    [
        (Security(), [], "lacks a certificate .* and clients that it knows"),
        (Security(), KNOWN, "lacks a certificate"),
        (Security(*FILES), [], "lacks clients that it knows"),
        (Security(*FILES), [new_token("alice", "reader", time.time() - 1)[1]], "lacks clients"),
        (Security(*FILES), [new_certificate_entry("alice", "reader")], "lacks clients"),
        (Security(*FILES, Path("ca.pem")), [], "lacks clients"),
        (Security(authenticate=True), [], "lacks a certificate"),
        (Security(authenticate=True, insecure=True), [], "lacks clients"),
        (Security(FILES[0]), KNOWN, "belong together"),
        (Security(client_ca=Path("ca.pem")), KNOWN, "--client-ca needs"),
        (Security(*FILES, certificate_role="reader"), KNOWN, "--certificate-role needs --client-ca"),
    ],
)
def test_other_addresses_are_refused_without_tls_and_known_clients(
    security: Security, tokens: list[object], message: str
) -> None:
    with pytest.raises(UnsafeServerError, match=message):
        security.check("0.0.0.0:1", tokens)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("security", "tokens", "exposed"),
    [
        (Security(*FILES), KNOWN, False),
        (Security(*FILES, Path("ca.pem")), [new_certificate_entry("alice", "reader")], False),
        (Security(*FILES, Path("ca.pem"), "reader"), [], False),
        (Security(insecure=True), [], True),
        (Security(*FILES, insecure=True), [], True),
        (Security(insecure=True, authenticate=True), KNOWN, True),
        (Security(*FILES, insecure=True, authenticate=True), KNOWN, False),
    ],
)
def test_what_is_safe_enough_or_said_to_be_insecure_starts(
    security: Security, tokens: list[object], exposed: bool
) -> None:
    security.check("0.0.0.0:1", tokens)  # type: ignore[arg-type]
    assert security.is_open_to_others("0.0.0.0:1") == exposed


def test_the_server_refuses_before_it_listens(tmp_path: Path) -> None:
    with pytest.raises(UnsafeServerError, match="can be reached from other machines"):
        serve("memory:", "0.0.0.0:0")
    with pytest.raises(UnsafeServerError, match="clients are to be checked"):
        serve("memory:", "127.0.0.1:0", security=Security(authenticate=True))
    with pytest.raises(UnsafeServerError, match=r"no file .*missing\.pem"):
        serve("memory:", "127.0.0.1:0", security=Security(tmp_path / "missing.pem", tmp_path / "missing.key"))
    authority = Authority(tmp_path / "authority")
    one, two = authority.issue("one", "localhost"), authority.issue("two", "localhost")
    for files in ((one[0], two[1]), (one[1], one[1]), (one[0], one[0])):
        with pytest.raises(UnsafeServerError, match="no certificate with its key"):
            serve("memory:", "127.0.0.1:0", security=Security(*files))


def test_tokens_are_random_and_stored_as_hashes() -> None:
    made = [new_token("alice", "reader") for _ in range(100)]
    assert len({text for text, _ in made}) == len({token.id for _, token in made}) == 100
    for text, token in made:
        secret = text.split("_", 2)[2]
        assert len(secret) == 43 and secret not in token.to_json() and secret not in repr(token)
        assert token_id(text) == token.id and is_token_of(text, token)
    (text, token), (other, _) = made[:2]
    assert not is_token_of(other, token) and not is_token_of(text, None) and not is_token_of("", token)
    assert not is_token_of(text, new_certificate_entry("alice", "admin"))
    for changed in (text + "A", text[:-1], text.upper(), f" {text}", text.replace("pb_", "pb-")):
        assert not is_token_of(changed, token)


@pytest.mark.parametrize("name", ["", " alice", "x" * 101, "two\nlines", "nul\0"])
def test_names_that_cannot_be_shown_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name of a client"):
        new_token(name, "reader")
    with pytest.raises(ValueError, match="unknown role"):
        new_token("alice", "root")
