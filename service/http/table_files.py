"""Files of tables over HTTP: as a whole or in parts, with a tag that changes with the file."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from proofbase.service.commands.transfer.table_file import table_file
from proofbase.service.http.caching import cache_headers, not_changed
from proofbase.service.http.pages import Page
from proofbase.service.rpc.calls import Calls

__all__ = ["table_page"]


def table_page(calls: Calls, *, private: bool) -> Page:
    """What answers `/v1/games/{game}/tables/{name}`.

    Args:
        calls: runs commands.
        private: clients are checked, so that answers are for them alone.
    """

    async def answer(request: Request) -> Response:
        game, name = request.path_params["game"], request.path_params["name"]
        path = await calls.run(table_file, calls.resources, game, name)
        state = path.stat()
        tag = f'"{state.st_ino:x}-{state.st_size:x}-{state.st_mtime_ns:x}"'
        headers = cache_headers(tag, private=private)
        same = not_changed(request, tag, headers)
        kind = "application/octet-stream"
        return same or FileResponse(path, headers=headers, media_type=kind, filename=path.name, stat_result=state)

    return Page("/v1/games/{game}/tables/{name}", answer)
