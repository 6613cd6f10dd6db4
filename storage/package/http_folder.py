"""A package on a web server: its files are read by requests for parts of them (RFC 9110, section 14).

Any server of static files will do that answers such requests. One request asks for several parts of a file where the
server answers that as well; otherwise parts that are near one another are read together. web_server.py makes the
requests.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from typing import NoReturn

from proofbase.storage.errors import (
    NotAStoreError,
    StoreDamagedError,
    StoreNotFoundError,
    StoreUnavailableError,
)
from proofbase.storage.package.folders import LARGEST_MANIFEST, MANIFEST, Allowance, Folder, Range, joined
from proofbase.storage.package.web_server import LARGEST_WHOLE, Answer, WebServer

__all__ = ["HttpFolder", "folder_at"]

MOST_RANGES = 60
"""Ranges of one request: servers limit the length of its header."""
GAP = 1024
"""Parts of a file with at most so many bytes between them are asked for as one."""
SPARE = 256 << 10
"""Bytes between parts that are read in vain, to save requests to a server that answers one part a request."""
LARGEST_SPARE = 16 << 20
"""Bytes read in vain where an answer would take more requests than it is allowed."""
MOST_WHOLE = 64 << 20
"""Bytes of all files together that could only be read as a whole, and are kept."""
PART_HEADER = 512
"""Bytes for each part of an answer beside the part itself, at the most."""


def folder_at(url: str) -> HttpFolder | None:
    """The package behind a URL; None where the URL cannot be an address. Nothing is read."""
    try:
        return HttpFolder(url)
    except ValueError:
        return None


class HttpFolder(Folder):
    """A package behind a URL."""

    remote = True

    def __init__(self, url: str) -> None:
        self._server = WebServer(url)
        self.url = self._server.url
        self._whole = dict[str, bytes]()
        """Files that could only be read as a whole, by name."""
        self._lock = threading.Lock()
        self._takes_several = True
        """Whether the server answers requests for several parts, as far as that is known."""

    def manifest(self) -> bytes:
        answer = self._server.ask(MANIFEST, None, LARGEST_MANIFEST)
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
        self._server.close()

    def _parts(self, name: str, ranges: Sequence[Range]) -> list[tuple[int, bytes]]:
        """Parts of a file, each with where it begins. Of several that are asked for some may be missing."""
        whole = self._whole.get(name)
        if whole is not None:
            return [(0, whole)]
        most = sum(size + PART_HEADER for _, size in ranges)
        answer = self._server.ask(name, ranges, most)
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

    def _keep_whole(self, name: str, answer: Answer) -> bytes:
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

    def _refuse(self, name: str, status: int) -> NoReturn:
        raise StoreUnavailableError(f"the server answers HTTP {status} for {self.url}{name}")

    def _without_ranges(self) -> NotAStoreError:
        return NotAStoreError(
            f"the server of {self.url} does not answer requests for parts of files (HTTP ranges): use another server "
            "of static files, or copy the folder and name the copy by file:///directory"
        )


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
