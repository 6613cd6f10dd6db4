"""A server of static files for tests of packages: it answers requests for parts of files, and keeps a log."""

from __future__ import annotations

import gzip
import mimetypes
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

__all__ = ["FileServer", "Ranges", "serving"]

Ranges = Literal["several", "one", "first", "none"]


@dataclass
class FileServer:
    """A running server.

    Attributes:
        directory: what it serves.
        ranges: whether it answers requests for several parts of a file, for one part only, or not at all; `first`:
            it answers those for several by the first of them.
        compresses: `asked`: where the client accepts it; `always`: a server that does not care.
        failures: so many of the next requests are answered by closing the connection.
        moved: names of files, each with the URL to which it has moved.
        moves: the status of that answer.
        signs: a host of data sets: it sends each request for parts on to an address that serves the same range twice,
            and nothing else.
        busy: the next requests for parts are answered by these statuses, each with its field Retry-After.
        log: the target, the status and the bytes of the body of each answer.
    """

    directory: Path
    ranges: Ranges = "several"
    compresses: Literal["asked", "always"] = "asked"
    failures: int = 0
    moved: dict[str, str] = field(default_factory=dict)
    moves: int = 302
    signs: bool = False
    busy: list[tuple[int, str]] = field(default_factory=list)
    signatures: dict[str, tuple[str, int]] = field(default_factory=dict)
    url: str = ""
    log: list[tuple[str, int, int]] = field(default_factory=list)

    def requests(self) -> tuple[int, int]:
        """How many requests there were since the last call, and how many bytes were sent."""
        found = len(self.log), sum(size for _, _, size in self.log)
        self.log.clear()
        return found


@contextmanager
def serving(directory: Path, ranges: Ranges = "several") -> Iterator[FileServer]:
    """A server on a free port of 127.0.0.1, for the time of the block."""
    state = FileServer(directory, ranges)

    class Handler(_Handler):
        server_state = state

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        state.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for the client's acknowledgement of its header
    server_state: FileServer

    def do_GET(self) -> None:
        state = self.server_state
        if state.failures:
            state.failures -= 1
            self.close_connection = True
            return
        target, _, signature = re.sub("^http://[^/]+", "", self.path).partition("?")  # as a proxy is asked
        name = unquote(target).lstrip("/") or "index.html"
        given = self.headers.get("Range", "")
        if self._sends_no_file(name, target, signature, given):
            return
        path = state.directory / name
        if not path.is_file():
            self._send(404, b"not found")
            return
        data = path.read_bytes()
        found = re.findall(r"(\d+)-(\d+)", given)
        if state.ranges == "none" or (state.ranges == "one" and len(found) > 1):
            found = []
        if state.ranges == "first":
            found = found[:1]
        if not found:
            accepted = "gzip" in self.headers.get("Accept-Encoding", "") or state.compresses == "always"
            if accepted:
                self._send(200, gzip.compress(data), **{"Content-Encoding": "gzip"})
            else:
                self._send(200, data)
            return
        parts = [(int(first), min(int(last), len(data) - 1)) for first, last in found]
        if any(first >= len(data) for first, _ in parts):
            self._send(416, b"")
            return
        if len(parts) == 1:
            first, last = parts[0]
            body, more = data[first : last + 1], {"Content-Range": f"bytes {first}-{last}/{len(data)}"}
            if state.compresses == "always":
                body, more["Content-Encoding"] = gzip.compress(body), "gzip"
            self._send(206, body, **more)
            return
        body = b""
        for first, last in parts:
            head = f"\r\n--edge\r\nContent-Type: x/y\r\nContent-Range: bytes {first}-{last}/{len(data)}\r\n\r\n"
            body += head.encode() + data[first : last + 1]
        self._send(206, body + b"\r\n--edge--\r\n", **{"Content-Type": "multipart/byteranges; boundary=edge"})

    def _sends_no_file(self, name: str, target: str, signature: str, given: str) -> bool:
        """Answers as a busy server does, or one that sends requests on."""
        state = self.server_state
        if state.busy and given:
            status, after = state.busy.pop(0)
            self._send(status, b"later", **({"Retry-After": after} if after else {}))
            return True
        if name in state.moved:
            self._send(state.moves, b"", Location=state.moved[name])
            return True
        if state.signs and given and not signature:
            signature = f"signature-{len(state.signatures)}"
            state.signatures[signature] = given, 2
            self._send(302, b"", Location=f"{target}?{signature}")
            return True
        if state.signs and given:
            signed, uses = state.signatures.get(signature, ("", 0))
            if signed != given or not uses:
                self._send(403, b"expired")
                return True
            state.signatures[signature] = signed, uses - 1
        return False

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.server_state.log.append((self.path, status, len(body)))
        self.send_response(status)
        if "Content-Type" not in headers and status < 300:
            self.send_header(
                "Content-Type", mimetypes.guess_type(self.path.replace("/", "", 1) or "index.html")[0] or "x/y"
            )
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(ConnectionError):  # a client that does not want a whole file ends the connection
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""
