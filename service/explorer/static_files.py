"""The static files of the page: under an address with their fingerprint, so that browsers keep them for ever."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.errors import InvalidRequestError
from proofbase.service.http.caching import not_changed

__all__ = ["TYPES", "address_of", "static_file"]

TYPES = {
    "board.js": "text/javascript",
    "chart.js": "text/javascript",
    "explorer.css": "text/css",
    "explorer.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "jobs.js": "text/javascript",
    "pictures.css": "text/css",
    "server.js": "text/javascript",
}
"""The files of the page. There are no others."""
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def _content(name: str) -> bytes:
    folder = files("proofbase.service")
    place = ("pictures", name) if name == "pictures.css" else ("explorer", "static", name)
    return folder.joinpath(*place).read_bytes()


@cache
def _fingerprint() -> str:
    """One fingerprint of all files together: scripts import one another by their names."""
    return sha256(b"".join(sha256(_content(name)).digest() for name in sorted(TYPES))).hexdigest()[:16]


def address_of(name: str) -> str:
    """Where a file of the page is: another address as soon as one of them is another."""
    return f"/explorer/{_fingerprint()}/{name}"


async def static_file(request: Request) -> Response:
    """Answers `/explorer/{fingerprint}/{name}`; under another fingerprint the file as it is now, not to be kept."""
    name = request.path_params["name"]
    if name not in TYPES:
        raise InvalidRequestError(f"the page has no file {name[:60]!r}", field="name")
    kept = request.path_params["fingerprint"] == _fingerprint()
    tag = f'"{sha256(_content(name)).hexdigest()[:32]}"'
    headers = {"cache-control": FOR_EVER if kept else "no-cache", "etag": tag}
    return not_changed(request, tag, headers) or Response(_content(name), headers=headers, media_type=TYPES[name])
