"""A server of static files: its answers, with waits where it is busy, redirections, and connections that are kept.

Hosts of data sets and of releases send each request on to an address that serves it for a while, and limit the rate:
such an address is not remembered, and what they say of the time to wait is obeyed.
"""

from __future__ import annotations

import base64
import io
import logging
import threading
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from proofbase.storage.errors import StoreUnavailableError
from proofbase.storage.package.folders import MANIFEST, Range

__all__ = ["LARGEST_WHOLE", "Answer", "WebServer"]

_log = logging.getLogger(__name__)

SECONDS = 30.0
"""A server that is silent for so long does not answer, nor one that is slower than `SLOWEST` for so long."""
SLOWEST = 8 << 10
"""Bytes of an answer a second."""
REDIRECTIONS = 5
LASTING = (301, 308)
"""Answers that name the place of a file for later requests as well (RFC 9110, section 15.4)."""
EXPIRED = (403, 404, 410)
"""What an address says that a redirection has given, and that served for some time only."""
BUSY = (429, 503)
LONGEST_WAIT = 30.0
"""Seconds that one request waits for a server that is busy."""
LARGEST_WHOLE = 16 << 20
"""Bytes of a file that is read as a whole, from a server that does not answer requests for parts."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server has said.

    Attributes:
        status: of HTTP.
        location, retry_after: fields of its header, like those before empty where they are absent.
        body: empty where it is not what was asked for.
    """

    status: int
    content_type: str
    content_range: str
    content_encoding: str
    location: str
    retry_after: str
    body: bytes

    def decoded(self, most: int) -> bytes:
        """The body, at most so many bytes, without the compression that a server has made though nobody asked.

        Raises:
            ValueError: it cannot be decompressed.
        """
        if self.content_encoding not in ("gzip", "x-gzip", "deflate"):
            return self.body
        try:
            return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(self.body, most)
        except zlib.error:
            raise ValueError("cannot be decompressed") from None

    def seconds_to_wait(self, attempt: int) -> float:
        """What the server asks for (RFC 9110, section 10.2.3); else 1, 2, 4, ... for the first attempt and the next."""
        if self.retry_after.isdecimal():
            return float(self.retry_after[:9])
        try:
            return max(0.0, (parsedate_to_datetime(self.retry_after) - datetime.now(UTC)).total_seconds())
        except (TypeError, ValueError):
            return 2.0**attempt


class _Paced(io.RawIOBase):
    """What a connection gives, while it gives enough: a server that sends byte after byte would never end."""

    def __init__(self, source: io.RawIOBase) -> None:
        self._source, self._began, self._read = source, time.monotonic(), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if time.monotonic() - self._began > SECONDS + self._read / SLOWEST:
            raise TimeoutError
        count = self._source.readinto(buffer)
        self._read += count or 0
        return count

    def close(self) -> None:
        self._source.close()
        super().close()


class _PacedResponse(HTTPResponse):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fp = io.BufferedReader(_Paced(self.fp.detach()))


class WebServer:
    """A folder of a web server. Thread-safe. Connections are kept and used again.

    Args:
        url: of the folder, or of the manifest in it.

    Attributes:
        url: of the folder, with a slash at its end and without a login.

    Raises:
        ValueError: the URL cannot be an address.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url.removesuffix(MANIFEST).partition("#")[0].partition("?")[0])
        if not parts.hostname:
            raise ValueError(f"the URL {url!r} names no host")
        try:
            port = "" if parts.port is None else f":{parts.port}"
        except ValueError:
            raise ValueError(f"the URL {url!r} has a port that is no number") from None
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        self.url = f"{parts.scheme.lower()}://{host}{port}{parts.path.rstrip('/')}/"
        self._login = None
        if parts.username is not None:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._login = "Basic " + base64.b64encode(login.encode()).decode()
        self._places = dict[str, str]()
        """Where files have moved to for good, by name."""
        self._idle: dict[tuple[str, str], list[HTTPConnection]] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def ask(self, name: str, ranges: Sequence[Range] | None, most: int) -> Answer:
        """Asks for a file, or for parts of it, and waits for a server that is busy.

        Raises:
            StoreUnavailableError: nobody answers, or with more bytes than `most`, or the server is busy for long.
        """
        waited, attempt, expired = 0.0, 0, False
        while True:
            answer, redirected = self._redirected(name, ranges, most)
            if answer.status in EXPIRED and redirected and not expired:
                expired = True
                self._places.pop(name, None)
            elif answer.status in BUSY:
                seconds = answer.seconds_to_wait(attempt)
                waited, attempt = waited + seconds, attempt + 1
                if waited > LONGEST_WAIT:
                    raise StoreUnavailableError(
                        f"the server answers HTTP {answer.status} for {self.url}{name}, and asks to come again in "
                        f"{seconds:.0f} s"
                    )
                _log.warning("%s is busy (HTTP %d): it is asked again in %.0f s", self.url, answer.status, seconds)
                self._closed.wait(seconds)
            else:
                return answer

    def _redirected(self, name: str, ranges: Sequence[Range] | None, most: int) -> tuple[Answer, bool]:
        """The answer at the end of the redirections, and whether there were any, now or before."""
        first = self.url + quote(name)
        place = self._places.get(name, first)
        lasting = True
        for _ in range(REDIRECTIONS):
            answer = self._answer(place, ranges, most)
            if not answer.location:
                return answer, place != first
            try:
                place = urljoin(place, answer.location)
                if urlsplit(place).scheme not in ("http", "https"):
                    raise ValueError
            except ValueError:
                raise StoreUnavailableError(
                    f"{self.url}{name} has moved to {answer.location!a}, which is no web server"
                ) from None
            lasting = lasting and answer.status in LASTING
            if lasting:
                self._places[name] = place
        self._places.pop(name, None)
        raise StoreUnavailableError(f"{self.url}{name} moves from place to place")

    def _answer(self, place: str, ranges: Sequence[Range] | None, most: int) -> Answer:
        """The answer of one place."""
        parts = urlsplit(place)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        headers = {"Accept-Encoding": "identity", "User-Agent": "proofbase"}
        if self._login is not None and place.startswith(self.url):
            headers["Authorization"] = self._login
        if ranges is not None:
            headers["Range"] = "bytes=" + ",".join(f"{start}-{start + size - 1}" for start, size in ranges)
        host = parts.scheme, parts.netloc
        if parts.scheme == "http" and _proxy_for(*host) is not None:
            target = f"http://{parts.netloc.rpartition('@')[2]}{target}"
        while True:
            connection, used = None, False
            try:
                connection, used = self._connection(host)
                connection.request("GET", target, headers=headers)
                response = connection.getresponse()
                answer = self._read(response, ranges, most)
            except (OSError, HTTPException, ValueError) as error:  # of what a stranger's address makes of a request
                if connection is not None:
                    connection.close()
                if used and not isinstance(error, TimeoutError):
                    continue  # the server has ended a connection that was kept: that says nothing
                raise StoreUnavailableError(f"{place} cannot be read: {_reason(error)}") from None
            kept = response.isclosed() and not response.will_close
            with self._lock:
                if kept and not self._closed.is_set():
                    self._idle.setdefault(host, []).append(connection)
                else:
                    connection.close()
            return answer

    def _read(self, response: HTTPResponse, ranges: Sequence[Range] | None, most: int) -> Answer:
        """Reads the body of an answer where it is what was asked for, or a small file in place of a part of it."""
        body = b""
        if response.status == 200 and ranges is not None and len(ranges) == 1:
            if response.length is not None and response.length <= LARGEST_WHOLE:
                body = response.read()
                if response.length:
                    raise HTTPException("the answer was cut off")
        elif response.status == (200 if ranges is None else 206):
            body = response.read(most + 1)
            if len(body) > most:
                raise HTTPException(f"it has more than {most} bytes")
            if response.length:  # less came than was announced
                raise HTTPException("the answer was cut off")
        elif response.length is not None and response.length < 1 << 16:
            response.read()  # so that the connection can be used again

        def header(field: str) -> str:
            return (response.getheader(field) or "").strip()

        return Answer(
            status=response.status,
            content_type=header("Content-Type"),
            content_range=header("Content-Range"),
            content_encoding=header("Content-Encoding").lower(),
            location=header("Location") if response.status in (301, 302, 303, 307, 308) else "",
            retry_after=header("Retry-After"),
            body=body,
        )

    def _connection(self, host: tuple[str, str]) -> tuple[HTTPConnection, bool]:
        """A connection to a server, and whether it was used before."""
        with self._lock:
            idle = self._idle.get(host)
            if idle:
                return idle.pop(), True
        place = host[1].rpartition("@")[2]
        kind = HTTPSConnection if host[0] == "https" else HTTPConnection
        proxy = _proxy_for(host[0], place)
        connection = kind(proxy or place, timeout=SECONDS)
        connection.response_class = _PacedResponse
        if proxy is not None and host[0] == "https":
            connection.set_tunnel(place)
        return connection, False

    def close(self) -> None:
        with self._lock:
            self._closed.set()
            for connections in self._idle.values():
                for connection in connections:
                    connection.close()
            self._idle.clear()


def _proxy_for(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a host (`https_proxy`, `no_proxy`), as HOST:PORT."""
    from urllib.request import getproxies, proxy_bypass  # noqa: PLC0415  imports much

    named = getproxies().get(scheme)
    if not named or proxy_bypass(host):
        return None
    return urlsplit(named if "://" in named else f"http://{named}").netloc.rpartition("@")[2]


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {SECONDS:.0f} s"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
