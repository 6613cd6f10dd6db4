"""Requests over HTTP, and their answers whole."""

from __future__ import annotations

import json
import ssl
from http.client import HTTPConnection, HTTPSConnection
from typing import Any, NamedTuple

__all__ = ["Answer", "ask", "post"]


class Answer(NamedTuple):
    """An answer: status, headers with names in lower case, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The stable reason of an error."""
        return str(self.json["details"][0]["debug"]["reason"])


def ask(
    address: str,
    path: str,
    verb: str = "GET",
    body: bytes | str | None = None,
    context: ssl.SSLContext | None = None,
    **headers: str,
) -> Answer:
    """One request on a connection of its own. Names of headers are written with `_` for `-`."""
    host, _, port = address.rpartition(":")
    if context is None:
        connection = HTTPConnection(host, int(port), timeout=20)
    else:
        connection = HTTPSConnection(host, int(port), timeout=20, context=context)
    try:
        connection.request(verb, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read())
    finally:
        connection.close()


def post(address: str, call: str, request: Any, **headers: str) -> Answer:
    """A call over the Connect protocol with JSON."""
    headers = {"content_type": "application/json", **headers}
    return ask(address, f"/proofbase.v1.{call}", "POST", json.dumps(request), **headers)
