"""TLS and certificates over HTTP, addresses that others can reach, pages of elsewhere, and a server that stops."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import threading
import time
from collections.abc import Iterator
from http.client import RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest
from asking import ask, post
from certificates_made import Authority
from services import serving_both

from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_certificate_entry, new_token
from proofbase.service.application import Application
from proofbase.service.client import ServiceUnavailableError, UnsafeServerError
from proofbase.service.commands.solutions import lookup_with_search
from proofbase.service.server import Server
from proofbase.storage import open_store


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def app() -> Iterator[Application]:
    with Application(open_store("memory:")) as app:
        yield app


def trusting(authority: Authority, certificate: tuple[Path, Path] | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=authority.certificate)
    if certificate is not None:
        context.load_cert_chain(*certificate)
    return context


def test_a_token_goes_over_tls(app: Application, authority: Authority) -> None:
    text, token = new_token("alice", "reader")
    app.resources.store.tokens().add(token)
    files = authority.issue("server", "localhost", "IP:127.0.0.1,DNS:localhost")
    with serving_both(app, Security(*files, authenticate=True)) as (_, http):
        context = trusting(authority)
        assert ask(http, "/v1/limits", context=context, authorization=f"Bearer {text}").status == 200
        assert ask(http, "/v1/limits", context=context).status == 401
        with pytest.raises((RemoteDisconnected, ConnectionError)):
            ask(http, "/v1/limits")
        with pytest.raises(ssl.SSLError):
            ask(http, "/v1/limits", context=ssl.create_default_context())


def test_certificates_are_read_again_when_they_change(app: Application, authority: Authority, tmp_path: Path) -> None:
    first, key = authority.issue("first", "localhost", "IP:127.0.0.1")
    second, second_key = authority.issue("second", "localhost", "IP:127.0.0.1")
    used = tmp_path / "used.pem", tmp_path / "used.key"
    shutil.copy(first, used[0])
    shutil.copy(key, used[1])

    def shown(address: str) -> str:
        host, _, port = address.rpartition(":")
        return ssl.get_server_certificate((host, int(port)), timeout=10)

    with serving_both(app, Security(*used)) as (_, http):
        before = shown(http)
        used[0].write_text("nonsense", encoding="utf-8")
        assert shown(http) == before, "files that make no sense change nothing"
        shutil.copy(second_key, used[1])
        shutil.copy(second, used[0])
        assert shown(http) != before
        assert ask(http, "/v1/limits", context=trusting(authority)).status == 200


def test_clients_are_known_by_their_certificates(app: Application, authority: Authority, tmp_path: Path) -> None:
    files = authority.issue("server", "localhost", "IP:127.0.0.1")
    alice, machine = authority.issue("alice", "alice"), authority.issue("machine", "x", "DNS:solver.example")
    unknown = authority.issue("bob", "bob")
    stranger = Authority(tmp_path / "other", "strangers").issue("alice", "alice")
    tokens = app.resources.store.tokens()
    entry = new_certificate_entry("alice", "reader")
    tokens.add(entry)
    tokens.add(new_certificate_entry("solver.example", "solver"))
    security = Security(*files, client_ca=authority.certificate, authenticate=True)
    with serving_both(app, security) as (_, http):

        def status(certificate: tuple[Path, Path] | None) -> int:
            found = ask(
                http,
                "/proofbase.v1.Jobs/StartSolve",
                "POST",
                b'{"game": "tic-tac-toe"}',
                trusting(authority, certificate),
                content_type="application/json",
            )
            return found.status

        assert ask(http, "/v1/limits", context=trusting(authority, alice)).status == 200
        assert (status(alice), status(machine), status(unknown)) == (403, 200, 401)
        for certificate in (None, stranger):
            with pytest.raises((ssl.SSLError, RemoteDisconnected, ConnectionError)):
                status(certificate)
        tokens.revoke([entry.id], time.time())
        time.sleep(1.1)
        assert status(alice) == 401


def test_addresses_that_others_can_reach_need_tls_and_clients(app: Application) -> None:
    async def start() -> None:
        await Server(app).start("127.0.0.1:0", "0.0.0.0:0")

    with pytest.raises(UnsafeServerError, match=r"0\.0\.0\.0:0 can be reached from .*a certificate.*clients that"):
        asyncio.run(start())


def test_each_port_checks_its_clients_by_its_address(app: Application, caplog: pytest.LogCaptureFixture) -> None:
    """gRPC on a loopback address answers everybody, while HTTP on all addresses is insecure, and is told so."""

    async def start() -> None:
        server = Server(app, Security(insecure=True))
        await server.start("127.0.0.1:0", "0.0.0.0:0")
        await server.stop(0)

    asyncio.run(start())
    warnings = [record.getMessage() for record in caplog.records if "INSECURE" in record.getMessage()]
    assert len(warnings) == 1 and "0.0.0.0:0" in warnings[0]


def test_a_port_that_is_taken_is_told(app: Application) -> None:
    async def start() -> None:
        first = Server(app)
        await first.start("127.0.0.1:0", "127.0.0.1:0")
        second = Server(app)
        try:
            with pytest.raises(ServiceUnavailableError, match="cannot listen on"):
                await second.start("127.0.0.1:0", f"127.0.0.1:{first.http_port}")
        finally:
            await second.stop(0)
            await first.stop(0)

    asyncio.run(start())


def test_pages_of_elsewhere_may_ask_when_they_are_named(app: Application) -> None:
    page = "https://example.org"
    with serving_both(app, origins=[page]) as (_, http):
        allowed = ask(http, "/v1/limits", origin=page)
        assert allowed.headers["access-control-allow-origin"] == page
        assert "etag" in allowed.headers["access-control-expose-headers"].lower()
        asks = {"access_control_request_method": "POST", "access_control_request_headers": "content-type,authorization"}
        preflight = ask(http, "/proofbase.v1.Solutions/Lookup", "OPTIONS", origin=page, **asks)
        assert preflight.status == 200 and preflight.headers["access-control-allow-origin"] == page
        other = ask(http, "/v1/limits", origin="https://other.example")
        assert "access-control-allow-origin" not in other.headers
        refused = ask(http, "/v1/limits", "OPTIONS", origin="https://other.example", **asks)
        assert refused.status == 400 and "origin" in refused.json["message"]
    with serving_both(app) as (_, http):
        assert "access-control-allow-origin" not in ask(http, "/v1/limits", origin=page).headers


def test_a_server_on_loopback_answers_under_its_own_names_only(app: Application) -> None:
    """A page may have its own name lead to 127.0.0.1 (DNS rebinding)."""
    with serving_both(app, origins=["https://proofs.example.org:8443"]) as (_, http):
        for host in ("127.0.0.1:80", "localhost", "[::1]:5000", "proofs.example.org"):
            assert ask(http, "/v1/limits", host=host).status == 200, host
        for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::1].x", ""):
            found = ask(http, "/v1/limits", host=host)
            assert found.status in (403, 400) or host == "", (host, found)
    text, token = new_token("alice", "reader")
    app.resources.store.tokens().add(token)
    with serving_both(app, Security(authenticate=True)) as (_, http):
        assert ask(http, "/v1/limits", host="any.example", authorization=f"Bearer {text}").status == 200


PAGE = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "empty"}
FOLLOWED = {**PAGE, "sec_fetch_mode": "navigate", "sec_fetch_dest": "document", "sec_fetch_user": "?1"}


@pytest.mark.parametrize(
    ("verb", "headers"),
    [
        pytest.param("GET", {**PAGE, "sec_fetch_dest": "image"}, id="an image"),
        pytest.param("GET", {**PAGE, "sec_fetch_site": "same-site"}, id="a page of another port"),
        pytest.param("GET", {**FOLLOWED, "sec_fetch_dest": "iframe"}, id="a frame"),
        pytest.param("GET", {**FOLLOWED, "sec_fetch_user": ""}, id="a script that goes there"),
        pytest.param("POST", {**FOLLOWED, "content_type": "application/x-www-form-urlencoded"}, id="a form"),
        pytest.param("POST", {**PAGE, "content_type": "text/plain"}, id="a text"),
        pytest.param("OPTIONS", {**PAGE, "origin": "https://evil.example"}, id="a preflight"),
        pytest.param("GET", {"origin": "https://evil.example"}, id="an old browser"),
        pytest.param("GET", {"origin": "null"}, id="a sandbox"),
        pytest.param("POST", {"origin": "http://127.0.0.1:1", "content_type": "application/json"}, id="another port"),
    ],
)
def test_a_page_of_another_origin_begins_no_work(
    app: Application, monkeypatch: pytest.MonkeyPatch, verb: str, headers: dict[str, str]
) -> None:
    searched = list[Any]()
    monkeypatch.setattr(lookup_with_search, "search_position", lambda *_: searched.append(_))
    with serving_both(app, origins=["http://localhost:3000"]) as (_, http):
        for host in (http, http.replace("127.0.0.1", "localhost")):
            found = ask(http, "/v1/games/connect-four/positions/-?search_nodes=9", verb, host=host, **headers)
            assert found.status == 403 and "origin" in found.json["message"]
            start = "/proofbase.v1.Jobs/StartVerification"
            refused = ask(http, start, "POST", b'{"game":"tic-tac-toe"}', host=host, **headers)
            assert refused.status == 403
        assert searched == [] == app.resources.store.list_jobs()


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({}, id="no browser"),
        pytest.param({"sec_fetch_site": "same-origin", "origin": "OWN"}, id="its own page"),
        pytest.param({"origin": "OWN"}, id="its own page, an old browser"),
        pytest.param({"sec_fetch_site": "none", "sec_fetch_dest": "document"}, id="typed in"),
        pytest.param(FOLLOWED, id="a link"),
        pytest.param({**PAGE, "sec_fetch_mode": "cors", "origin": "https://example.org"}, id="a page that is named"),
    ],
)
def test_its_own_pages_links_and_pages_that_are_named_are_answered(app: Application, headers: dict[str, str]) -> None:
    with serving_both(app, origins=["https://example.org"]) as (_, http):
        asked = {name: value.replace("OWN", f"http://{http}") for name, value in headers.items()}
        assert ask(http, "/v1/limits", **asked).status == 200


def test_every_page_may_ask_only_where_clients_are_checked(app: Application) -> None:
    async def start(security: Security, origin: str = "*") -> None:
        server = Server(app, security)
        await server.start("127.0.0.1:0", "127.0.0.1:0", [origin])
        await server.stop(0)

    with pytest.raises(UnsafeServerError, match="every page of the web"):
        asyncio.run(start(Security()))
    for origin in ("example.org", "https://example.org/", "https://*.example.org", "null"):
        with pytest.raises(UnsafeServerError, match="an origin is"):
            asyncio.run(start(Security(), origin))
    app.resources.store.tokens().add(new_token("alice", "reader")[1])
    asyncio.run(start(Security(authenticate=True)))


def test_open_requests_end_before_the_server_does(app: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    found, begun, ask_rules = [], threading.Event(), lookup_with_search.search_position

    def search_position(*arguments: Any) -> Any:
        begun.set()
        return ask_rules(*arguments)

    monkeypatch.setattr(lookup_with_search, "search_position", search_position)
    with serving_both(app) as (_, http):

        def search() -> None:
            asked = {"game": "connect-four", "searchNodes": "1000000", "searchSeconds": 0.3}
            found.append(post(http, "Solutions/Lookup", asked))

        thread = threading.Thread(target=search)
        thread.start()
        assert begun.wait(60)
    thread.join(20)
    assert found[0].status == 200 and found[0].json["searched"]["nodes"]
