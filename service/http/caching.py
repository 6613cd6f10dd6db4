"""Answers that a client may keep as long as nothing of their game changes: ETag, If-None-Match, 304."""

from __future__ import annotations

import hashlib
import re

from starlette.requests import Request
from starlette.responses import Response

from proofbase import __version__
from proofbase.service.commands.solutions.records_version import records_version
from proofbase.service.rpc.calls import GAME, Calls

__all__ = ["answer_tag", "cache_headers", "not_changed"]

_TAG = re.compile(r'(?:W/)?("[^"]*")')


async def answer_tag(calls: Calls, game: str, request: Request) -> str:
    """The ETag of what a URL about a game answers now.

    It is asked for before the answer is made: what is written in between makes the answer newer than its tag, never
    older.

    Raises:
        UnknownGameError, InvalidParametersError, RulesNotLoadedError: there is no such game here.
    """
    GAME.set(game)
    version = await calls.run_short(game, records_version, calls.resources, game)
    text = f"{__version__}|{version}|{request.scope['path']}|".encode(errors="replace")
    return f'"{hashlib.blake2s(text + request.scope["query_string"], digest_size=16).hexdigest()}"'


def cache_headers(tag: str, *, private: bool) -> dict[str, str]:
    """To be kept and asked about each time, which costs no lookup; not by caches between, where clients are checked."""
    return {"etag": tag, "cache-control": "private, no-cache" if private else "no-cache"}


def not_changed(request: Request, tag: str, headers: dict[str, str]) -> Response | None:
    """The answer to a client that has what the tag stands for; None for one that has not."""
    sent = request.headers.get("if-none-match")
    if sent is None or tag not in _TAG.findall(sent):
        return None
    return Response(status_code=304, headers=headers)
