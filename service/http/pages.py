"""What is answered besides the services: pages, files, and whatever an operator asks for.

A page has its line in the table `ROUTES` of service/access/roles.py, as every route has; without it nobody may see it.
Its endpoint is called when the client is admitted. It asks the services by
`await EXCHANGE.get().ask(methods[NAME], request)`, which counts for the client as over gRPC, and answers with any
response of Starlette. What it raises becomes an error in JSON: a page that has a better way to say it catches it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["Page"]


@dataclass(frozen=True, slots=True)
class Page:
    """One thing that is answered.

    Attributes:
        path: with its parameters; one that is called `position` or `file` is the rest of the path, with its slashes.
        endpoint: answers it.
        verb: GET, which also answers HEAD, or POST.
        refused: the answer where there is no other, from the name of the page and the error; None: the error in JSON.
    """

    path: str
    endpoint: Callable[[Request], Awaitable[Response]]
    verb: str = "GET"
    refused: Callable[[str, Exception], Response] | None = None

    @property
    def name(self) -> str:
        """As in the table of roles."""
        return f"{self.verb} {self.path}"

    def route(self) -> Route:
        """For Starlette."""
        path = self.path.replace("{position}", "{position:path}").replace("{file}", "{file:path}")
        return Route(path, self.endpoint, methods=[self.verb])
