"""A package on a web server: its files are read by requests for parts of them (RFC 9110, section 14).

Any server of static files will do that answers such requests. One request asks for several parts of a file where the
server answers that as well; otherwise parts that are near one another are read together. Hosts of data sets and of
releases send each request on to an address that serves it for a while, and limit the rate: such an address is not
remembered, and what they say of the time to wait is obeyed.
"""

from __future__ import annotations

import base64
import io
import logging
import re
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NoReturn
from urllib.parse import quote, unquote, urljoin, urlsplit

from proofbase.storage.errors import (
    NotAStoreError,
    StoreDamagedError,
    StoreNotFoundError,
    StoreUnavailableError,
)
from proofbase.storage.package.folders import LARGEST_MANIFEST, MANIFEST, Allowance, Folder, Range, joined

__all__ = ["HttpFolder", "folder_at"]

_log = logging.getLogger(__name__)

SECONDS = 30.0
"""A server that is silent for so long does not answer, nor one that is slower than `SLOWEST` for so long."""
SLOWEST = 8 << 10
"""Bytes of an answer a second."""
MOST_RANGES = 60
"""Ranges of one request: servers limit the length of its header."""
GAP = 1024
"""Parts of a file with at most so many bytes between them are asked for as one."""
SPARE = 256 << 10
"""Bytes between parts that are read in vain, to save requests to a server that answers one part a request."""
LARGEST_SPARE = 16 << 20
"""The same where an answer would take more requests than it is allowed."""
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
MOST_WHOLE = 64 << 20
"""Bytes of all such files that are kept."""
PART_HEADER = 512
"""Bytes for each part of an answer beside the part itself, at the most."""


@dataclass(frozen=True, slots=True)
class _Answer:
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


def folder_at(url: str) -> HttpFolder | None:
    """The package behind a URL; None where the URL cannot be an address. Nothing is read."""
    try:
        return HttpFolder(url)
    except ValueError:
        return None


class HttpFolder(Folder):
    """A package behind a URL. Connections are kept and used again."""

    remote = True

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
        self._whole = dict[str, bytes]()
        """Files that could only be read as a whole, by name."""
        self._idle: dict[tuple[str, str], list[HTTPConnection]] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._takes_several = True
        """Whether the server answers requests for several parts, as far as that is known."""

    def manifest(self) -> bytes:
        answer = self._ask(MANIFEST, None, LARGEST_MANIFEST)
        if answer.status in (404, 410):
            raise StoreNotFoundError(f"there is no package at {self.url}: it has no {MANIFEST} (HTTP {answer.status})")
        if answer.status != 200:
            self._refuse(MANIFEST, answer.status)
        try:
            return answer.decoded(LARGEST_MANIFEST)
        except ValueError as error:
            raise StoreDamagedError(f"{self.url}{MANIFEST} {error}") from None

    def read(self, name: str, ranges: Sequence[Range], allowance: Allowance | None = None) -> list[bytes]:
        wanted = joined(ranges, GAP)
        parts: list[tuple[int, bytes]] = []
        requests = 0
        if self._takes_several and len(wanted) > 1:
            for first in range(0, len(wanted), MOST_RANGES):
                parts += self._parts(name, wanted[first : first + MOST_RANGES])
                requests += 1
            wanted = [(start, size) for start, size in wanted if _slice(parts, start, size) is None]
        for one in _fewer(wanted, None if allowance is None else allowance.left - allowance.kept - requests):
            parts += self._parts(name, [one])
            requests += 1
        if allowance is not None:
            allowance.left -= requests
        slices = [_slice(parts, start, size) for start, size in ranges]
        if any(part is None for part in slices):
            raise self._without_ranges()
        return [part for part in slices if part is not None]

    def close(self) -> None:
        with self._lock:
            self._closed.set()
            for connections in self._idle.values():
                for connection in connections:
                    connection.close()
            self._idle.clear()

    def _parts(self, name: str, ranges: Sequence[Range]) -> list[tuple[int, bytes]]:
        """Parts of a file, each with where it begins. Of several that are asked for some may be missing."""
        whole = self._whole.get(name)
        if whole is not None:
            return [(0, whole)]
        most = sum(size + PART_HEADER for _, size in ranges)
        answer = self._ask(name, ranges, most)
        if answer.status == 200:
            if len(ranges) > 1:
                self._takes_several = False
                return []
            return [(0, self._keep_whole(name, answer))]
        if answer.status in (404, 410):
            raise StoreDamagedError(f"the package at {self.url} lacks its file {name} (HTTP {answer.status})")
        if answer.status == 416:
            raise StoreDamagedError(f"{self.url}{name} is shorter than its manifest says")
        if answer.status != 206:
            self._refuse(name, answer.status)
        if answer.content_encoding not in ("", "identity"):
            raise NotAStoreError(
                f"the server of {self.url} compresses parts of files on the way ({answer.content_encoding}), so they "
                "are not those that were asked for: switch its compression off for this folder"
            )
        boundary = re.match(r'multipart/byteranges\s*;.*boundary="?([^";]+)', answer.content_type, re.IGNORECASE)
        if boundary is not None:
            return list(_parts_of(answer.body, boundary[1].encode()))
        start = _first_byte(answer.content_range)
        if start is None:
            raise self._without_ranges()
        if len(ranges) > 1:
            self._takes_several = False
        return [(start, answer.body)]

    def _keep_whole(self, name: str, answer: _Answer) -> bytes:
        """A small file of a server that has answered a request for a part of it with all of it."""
        try:
            whole = answer.decoded(LARGEST_WHOLE)
        except ValueError:
            whole = b""
        if not whole:
            raise self._without_ranges()
        with self._lock:
            while self._whole and sum(map(len, self._whole.values())) + len(whole) > MOST_WHOLE:
                del self._whole[next(iter(self._whole))]
            self._whole[name] = whole
        return whole

    def _ask(self, name: str, ranges: Sequence[Range] | None, most: int) -> _Answer:
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

    def _redirected(self, name: str, ranges: Sequence[Range] | None, most: int) -> tuple[_Answer, bool]:
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

    def _answer(self, place: str, ranges: Sequence[Range] | None, most: int) -> _Answer:
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

    def _read(self, response: HTTPResponse, ranges: Sequence[Range] | None, most: int) -> _Answer:
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

        return _Answer(
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

    def _refuse(self, name: str, status: int) -> NoReturn:
        raise StoreUnavailableError(f"the server answers HTTP {status} for {self.url}{name}")

    def _without_ranges(self) -> NotAStoreError:
        return NotAStoreError(
            f"the server of {self.url} does not answer requests for parts of files (HTTP ranges): use another server "
            "of static files, or copy the folder and name the copy by file:///directory"
        )


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


def _fewer(ranges: Sequence[Range], most: int | None) -> list[Range]:
    """The ranges, those together that are nearest, as far as few bytes are read in vain.

    Args:
        ranges: ascending, apart from one another.
        most: so many there should be, where that does not take too many bytes; None: there may be any number.
    """
    joined_ranges = list(ranges)
    in_vain = 0
    while len(joined_ranges) > 1:
        gaps = [joined_ranges[place + 1][0] - sum(joined_ranges[place]) for place in range(len(joined_ranges) - 1)]
        place = min(range(len(gaps)), key=gaps.__getitem__)
        in_vain += gaps[place]
        if in_vain > (SPARE if most is None or len(joined_ranges) <= most else LARGEST_SPARE):
            break
        start = joined_ranges[place][0]
        joined_ranges[place : place + 2] = [(start, sum(joined_ranges[place + 1]) - start)]
    return joined_ranges


def _slice(parts: Sequence[tuple[int, bytes]], start: int, size: int) -> bytes | None:
    for begin, data in parts:
        if begin <= start and start + size <= begin + len(data):
            return data[start - begin : start - begin + size]
    return None


def _first_byte(content_range: str) -> int | None:
    match = re.match(r"bytes (\d{1,19})-", content_range, re.IGNORECASE)
    return None if match is None else int(match[1])


def _parts_of(body: bytes, boundary: bytes) -> Iterator[tuple[int, bytes]]:
    """The parts of an answer of the type multipart/byteranges; those that make no sense are left out."""
    at = 0
    while True:
        at = body.find(b"--" + boundary, at)
        end = body.find(b"\r\n\r\n", at)
        if at < 0 or end < 0:
            return
        match = re.search(rb"content-range:\s*bytes (\d{1,19})-(\d{1,19})", body[at:end], re.IGNORECASE)
        at = end + 4
        if match is not None:
            size = int(match[2]) - int(match[1]) + 1
            if at + size <= len(body):
                yield int(match[1]), body[at : at + size]
                at += size
