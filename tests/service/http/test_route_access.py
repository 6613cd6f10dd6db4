"""Every route x every kind of client: as the table of roles says, and before anything is answered."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from asking import Answer, ask
from services import serving_both

from proofbase.service.access.roles import CALLS, ROLES, ROUTES, allows
from proofbase.service.access.security import Security
from proofbase.service.access.tokens import new_token
from proofbase.service.application import Application
from proofbase.service.http.methods import FILES
from proofbase.service.http.routes import ROUTES as READ_ROUTES
from proofbase.service.limits import Limits
from proofbase.storage import open_store

CALLED = sorted(name for name in CALLS if name.startswith("proofbase.v1."))
VALUES = {
    "game": "tic-tac-toe",
    "position": ".../.x./...",
    "id": "nothing",
    "file": "nothing",
    "fingerprint": "any",
    "name": "icon.svg",
}


def is_page(route: str) -> bool:
    """Whether errors are told by a page of HTML."""
    return route in ROUTES and not route.partition(" ")[2].startswith(("/v1/", "/standard", "/antichess"))


@dataclass
class Guarded:
    """A server that checks its clients, and tokens of them."""

    app: Application
    http: str
    tokens: dict[str, str]

    def ask(self, route: str, token: str | None) -> Answer:
        """Asks a route, or a call."""
        header = {} if token is None else {"authorization": f"Bearer {token}"}
        return ask_route(self.http, route, header)


def ask_route(address: str, route: str, header: dict[str, str]) -> Answer:
    if route in CALLS:
        method = _method(route)
        streams = method.client_streaming or method.server_streaming
        kind = "application/connect+json" if streams else "application/json"
        body = b"\0\0\0\0\2{}" if streams else b"{}"
        return ask(address, f"/{route}", "POST", body, content_type=kind, **header)
    verb, _, path = route.partition(" ")
    for name in re.findall(r"{(\w+)}", path):
        path = path.replace(f"{{{name}}}", VALUES[name])
    if "exports" in path:
        path += "?format=csv"
    return ask(address, path, verb, b"{}" if verb == "POST" else None, **header, content_type="application/json")


def _method(name: str) -> object:
    service, _, method = name.partition("/")
    descriptors = {found.full_name: found for file in FILES for found in file.DESCRIPTOR.services_by_name.values()}
    return descriptors[service].methods_by_name[method]


@pytest.fixture(scope="module")
def guarded() -> Iterator[Guarded]:
    with Application(open_store("memory:")) as app:
        tokens, texts = app.resources.store.tokens(), {}
        for name, role, ends in (
            *((role, role, None) for role in ROLES),
            ("ended", "admin", time.time() - 1),
            ("revoked", "admin", None),
        ):
            texts[name], token = new_token(name, role, ends)
            tokens.add(token)
            if name == "revoked":
                tokens.revoke([token.id], time.time())
        with serving_both(app, Security(authenticate=True)) as (_, http):
            yield Guarded(app, http, texts)


def test_the_table_has_every_route_and_no_other(guarded: Guarded) -> None:
    document = guarded.ask("GET /openapi.json", None).json
    documented = {
        f"{verb.upper()} {path}" for path, verbs in document["paths"].items() for verb in verbs if path[1:] not in CALLS
    }
    assert documented | {"GET /openapi.json"} <= set(ROUTES)
    assert {route.name for route in READ_ROUTES} == documented


def test_the_table_has_every_route_that_is_served(guarded: Guarded) -> None:
    served = {name for name in ROUTES if guarded.ask(name, guarded.tokens["admin"]).status != 405}
    assert served == set(ROUTES)


def test_a_route_needs_what_its_call_needs() -> None:
    assert [route.name for route in READ_ROUTES if ROUTES[route.name] != CALLS[route.method]] == []


def wrong_tokens(tokens: dict[str, str]) -> dict[str, dict[str, str]]:
    good = tokens["admin"]
    number = good.split("_")[1]
    return {
        "no token": {},
        "empty": {"authorization": ""},
        "no scheme": {"authorization": good},
        "another scheme": {"authorization": f"Basic {good}"},
        "wrong secret": {"authorization": f"Bearer pb_{number}_{'A' * 43}"},
        "longer": {"authorization": f"Bearer {good}A"},
        "no token at all": {"authorization": "Bearer letmein"},
        "ended": {"authorization": f"Bearer {tokens['ended']}"},
        "revoked": {"authorization": f"Bearer {tokens['revoked']}"},
    }


@pytest.mark.parametrize("route", [*CALLED, *ROUTES])
def test_requests_without_a_valid_token_are_refused(guarded: Guarded, route: str) -> None:
    need = CALLS.get(route) or ROUTES[route]
    for name, header in wrong_tokens(guarded.tokens).items():
        found = ask_route(guarded.http, route, header)
        if need == "nobody":
            assert found.status == 200
            continue
        assert found.status == 401, name
        assert found.headers["www-authenticate"].startswith("Bearer")
        if is_page(route):
            assert found.headers["content-type"].startswith("text/html") and b"A token is needed" in found.body
            continue
        assert found.reason == "NOT_AUTHENTICATED"
        assert found.headers["content-type"] == "application/json"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", [*CALLED, *ROUTES])
def test_requests_are_allowed_to_the_roles_of_the_table(guarded: Guarded, route: str, role: str) -> None:
    found = guarded.ask(route, guarded.tokens[role])
    if allows(role, CALLS.get(route) or ROUTES[route]):
        assert found.status not in (401, 403) and found.status < 500, found
    else:
        assert found.status == 403 and (is_page(route) or found.reason == "ROLE_LACKING"), found


def test_a_route_outside_of_the_table_is_refused(guarded: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = guarded.tokens["admin"]
    assert guarded.ask("GET /v1/limits", admin).status == 200
    monkeypatch.delitem(ROUTES, "GET /v1/limits")
    monkeypatch.delitem(CALLS, "proofbase.v1.Solutions/GetLimits")
    assert guarded.ask("GET /v1/limits", admin).status == 403
    found = ask(
        guarded.http,
        "/proofbase.v1.Solutions/GetLimits",
        "POST",
        b"{}",
        authorization=f"Bearer {admin}",
        content_type="application/json",
    )
    assert found.status == 403


def test_two_tokens_are_refused(guarded: Guarded) -> None:
    from http.client import HTTPConnection

    connection = HTTPConnection(guarded.http, timeout=10)
    connection.putrequest("GET", "/v1/limits")
    for _ in range(2):
        connection.putheader("Authorization", f"Bearer {guarded.tokens['admin']}")
    connection.endheaders()
    assert connection.getresponse().status == 401
    connection.close()


def test_a_client_of_one_connection_is_not_taken_for_the_one_before(guarded: Guarded) -> None:
    """Requests on one connection, and those that wait for one another, are each of the client that they name."""
    import socket

    host, _, port = guarded.http.partition(":")
    asked = b""
    for token in (guarded.tokens["admin"], None, guarded.tokens["reader"], None):
        line = f"Authorization: Bearer {token}\r\n" if token else ""
        asked += f"GET /v1/limits HTTP/1.1\r\nHost: {host}\r\n{line}\r\n".encode()
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(asked)
        answers = b""
        while answers.count(b"HTTP/1.1 ") < 4 or not answers.endswith(b"}"):
            part = connection.recv(65536)
            if not part:
                break
            answers += part
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"401", b"200", b"401"]


def test_no_answer_or_log_has_a_secret(guarded: Guarded, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = [text.split("_", 2)[2] for text in guarded.tokens.values()]
    said = [json.dumps(guarded.ask(route, guarded.tokens["admin"]).headers) for route in ROUTES]
    said += [
        repr(ask_route(guarded.http, "GET /v1/limits", header)) for header in wrong_tokens(guarded.tokens).values()
    ]
    said.append(caplog.text)
    assert [secret for secret in secrets for text in said if secret in text] == []
    assert "NOT_AUTHENTICATED" in caplog.text


def test_quotas_are_those_of_the_client_over_both(guarded: Guarded) -> None:
    limits = Limits(client_lookups=5)
    with Application(open_store("memory:"), limits) as app:
        text, token = new_token("alice", "reader")
        app.resources.store.tokens().add(token)
        with serving_both(app, Security(authenticate=True)) as (_, http):
            header = {"authorization": f"Bearer {text}"}
            found = [ask(http, "/v1/games/tic-tac-toe/positions/-", **header) for _ in range(40)]
            refused = [answer for answer in found if answer.status != 200]
            assert refused and {answer.status for answer in refused} == {429}
            assert refused[0].reason == "QUOTA_EXCEEDED" and int(refused[0].headers["retry-after"]) >= 1
            asked = {"game": "tic-tac-toe", "texts": {"positions": ["5"] * 500}}
            body, kind = json.dumps(asked), "application/json"
            # A batch is refused until the allowance is above zero again. One that is answered leaves a debt of 100 s.
            for _ in range(100):
                answer = ask(http, "/proofbase.v1.Solutions/BatchLookup", "POST", body, content_type=kind, **header)
                if answer.status == 200:
                    break
                time.sleep(0.05)
            assert answer.status == 200
            answer = ask(http, "/proofbase.v1.Solutions/BatchLookup", "POST", body, content_type=kind, **header)
            assert answer.status == 429 and int(answer.headers["retry-after"]) >= 50
