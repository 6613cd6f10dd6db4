"""Certificates: a solution in a file (docs/certificate.md). Writing and reading, both as streams.

The reader is strict about the format and knows nothing of the rules; `checker.py` shares no code with this file. Files
that xz has compressed are read as well.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from proofbase.engine.checking.xz import decompressed, file_pieces
from proofbase.engine.errors import MalformedCertificateError, MalformedRecordError, quoted
from proofbase.engine.records import MAX_RECORD_BYTES, Record, decode_record, without_sources
from proofbase.engine.records.varint import encode_varint
from proofbase.engine.rules.game import Game

__all__ = [
    "MOST_COMPRESSED",
    "CertificateHeader",
    "CertificateReader",
    "certificate_chunks",
    "check_header",
    "check_seal",
    "items_by_rules",
    "write_certificate",
]

P = TypeVar("P")
OPTIONAL_FIELDS = ("fingerprint", "sources")
"""Fields that may be missing."""
LONGEST_SOURCES = 2_000
SOURCES_PATTERN = r"[ !#-\[\]-~]*"

FIRST_LINE = b"proofbase certificate 1\n"
SEAL_SIZE = 32
LONGEST_HEADER = 65_536
"""Bytes of line 2 with its line feed."""
LONGEST_KEY = 255
MOST_COMPRESSED = 1 << 28
"""Bytes of a certificate that may be compressed by xz; a longer one has to be as it is."""
CHUNK = 65_536


@dataclass(frozen=True)
class CertificateHeader:
    """Line 2 of a certificate."""

    game: str
    rules_version: int
    root: str
    """Text of the root position, in the orientation that was asked for."""
    root_key: str
    """Its canonical key in lower-case hexadecimal."""
    records: int
    lower: int | None
    """Strongest lower bound that the records claim for the root (its value when the game is over there)."""
    upper: int | None
    fingerprint: str | None = None
    """The records' fingerprint, as a store of them has it: 16 hexadecimal digits; None where the file does not say."""
    sources: str | None = None
    """Where the records came from, for people: printable ASCII without quotes and backslashes; None likewise."""

    def line(self) -> bytes:
        fields = {name: value for name, value in vars(self).items() if name not in OPTIONAL_FIELDS or value is not None}
        return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


def certificate_chunks(
    game: Game[P],
    root: P,
    items: Iterable[tuple[bytes, bytes]],
    *,
    fingerprint: Callable[[], str] | None = None,
    sources: Iterable[str] = (),
) -> Iterator[bytes]:
    """A certificate in pieces of at most 65,536 bytes, but for its header.

    The records pass through a temporary file, because the header that precedes them counts them; memory stays small.

    Args:
        game: the rules; only `name`, `rules_version`, `key`, `text` and `terminal` are used.
        root: the position whose solution the records are.
        items: (key, encoded record) with strictly ascending keys; source numbers are dropped.
        fingerprint: asked after the last item for the fingerprint of all of them; None: the certificate states none.
        sources: where the records came from, a text each: what is no plain ASCII becomes `?`, and what is behind 2,000
            characters is left out. Nothing: the certificate states none.

    Raises:
        ValueError: keys that do not ascend or are longer than 255 bytes, or a root whose text or key makes the header
            longer than 65,536 bytes.
        MalformedRecordError: a record that is not in the canonical encoding.
    """
    root_key = game.key(root)
    value = game.terminal(root)
    lower, upper = value, value
    count, last = 0, b""
    with tempfile.SpooledTemporaryFile(max_size=1 << 24) as body:
        for key, record in items:
            if count and key <= last:
                raise ValueError(f"keys must ascend: {key.hex()} after {last.hex()}")
            if len(key) > LONGEST_KEY:
                raise ValueError(f"a key of {len(key)} bytes: keys have at most {LONGEST_KEY}")
            decoded = decode_record(record)
            if decoded.has_sources:
                record = without_sources(record)
            if key == root_key:
                lower, upper = _strongest_bounds(decoded)
            body.write(encode_varint(len(key)) + key + encode_varint(len(record)) + record)
            count, last = count + 1, key
        stated = None if fingerprint is None else fingerprint()
        header = CertificateHeader(
            game.name, game.rules_version, game.text(root), root_key.hex(), count, lower, upper, stated, _plain(sources)
        )
        line = header.line()
        if len(line) > LONGEST_HEADER:
            raise ValueError(f"a header of {len(line)} bytes: it has at most {LONGEST_HEADER}")
        head = FIRST_LINE + line
        digest = hashlib.sha256(head)
        yield head
        body.seek(0)
        while chunk := body.read(CHUNK):
            digest.update(chunk)
            yield chunk
    yield digest.digest()


def write_certificate(file: IO[bytes], game: Game[P], root: P, items: Iterable[tuple[bytes, bytes]]) -> int:
    """Writes a certificate and returns its size in bytes; see `certificate_chunks`."""
    return sum(file.write(chunk) for chunk in certificate_chunks(game, root, items))


def check_seal(file: IO[bytes]) -> None:
    """Reads the rest of a file once and compares its last 32 bytes with the SHA-256 of all bytes before them.

    For readers that cannot undo their work on the records when the end of the file turns out to be wrong.

    Raises:
        MalformedCertificateError: no certificate of this version, changed, or truncated.
    """
    reader = _DigestedStream(decompressed(file_pieces(file), most=MOST_COMPRESSED))
    if reader.peek(len(FIRST_LINE)) != FIRST_LINE:
        raise MalformedCertificateError("not a proofbase certificate of version 1: the first line is another")
    reader.skip_to_seal()
    reader.take_seal()


def check_header(header: CertificateHeader, game: Game[P]) -> int | None:
    """Holds a header against the rules: the canonical name, the canonical text of the root, and its key.

    Args:
        header: of a certificate.
        game: the game that it names, in the rules version that it names.

    Returns:
        The value of the root when the game is over there, else None.

    Raises:
        MalformedCertificateError: they do not agree.
    """
    if header.game != game.name:
        raise MalformedCertificateError(f"the game is not named {quoted(header.game)} but {game.name}")
    try:
        root = game.parse(header.root)
        text, key = game.text(root), game.key(root).hex()
    except ValueError as error:
        raise MalformedCertificateError(f"its root is no position of {game.name}: {error}") from None
    if text != header.root:
        raise MalformedCertificateError(f"its root {quoted(header.root)} is not as the rules write it: {text}")
    if key != header.root_key:
        raise MalformedCertificateError(f"its root key {quoted(header.root_key)} is not that of its root, {key}")
    return game.terminal(root)


def items_by_rules(source: IO[bytes] | Iterable[bytes], game: Game[P]) -> Iterator[tuple[bytes, bytes]]:
    """The items of a certificate as `CertificateReader` gives them, its header held against the rules as well.

    Raises:
        MalformedCertificateError: as `CertificateReader` and `check_header`; or the header's bounds are not those of a
            root without a record (at the end).
    """
    reader = CertificateReader(source)
    header = reader.header
    value = check_header(header, game)
    root_key, recorded = bytes.fromhex(header.root_key), False
    for key, record in reader:
        recorded = recorded or key == root_key
        yield key, record
    if not recorded and (header.lower, header.upper) != (value, value):
        raise MalformedCertificateError("the header's bounds are not those of its root, which has no record")


class CertificateReader(Iterator[tuple[bytes, bytes]]):
    """Reads a certificate as a stream: `header` at once, then the (key, record) items by iteration.

    Order, encoding and counts are checked on the way. The SHA-256 can be checked only after the last item has been
    handed out: where it is wrong, the iteration raises instead of ending. A caller that stores items before that must
    be able to remove them again, or call `check_seal` first.

    Args:
        source: a binary file, or pieces of bytes of any size, of a certificate or of one that xz has compressed.

    Raises:
        MalformedCertificateError: with the offset of the record that breaks the format.
    """

    header: CertificateHeader

    def __init__(self, source: IO[bytes] | Iterable[bytes]) -> None:
        self._source = _DigestedStream(decompressed(file_pieces(source), most=MOST_COMPRESSED))
        self._items = self._read()
        if self._source.peek(len(FIRST_LINE)) != FIRST_LINE:
            raise MalformedCertificateError("not a proofbase certificate of version 1: the first line is another")
        self._source.take(len(FIRST_LINE))
        self.header = _parse_header(self._source.take_line(LONGEST_HEADER))

    def __next__(self) -> tuple[bytes, bytes]:
        return next(self._items)

    def _read(self) -> Iterator[tuple[bytes, bytes]]:
        source, last = self._source, b""
        root_key = bytes.fromhex(self.header.root_key)
        for number in range(self.header.records):
            start = source.offset
            try:
                key = source.take(source.take_varint(LONGEST_KEY))
                record = source.take(source.take_varint(MAX_RECORD_BYTES))
                decoded = decode_record(record)
            except (MalformedRecordError, MalformedCertificateError) as error:
                raise MalformedCertificateError(f"record {number + 1}, at byte {start}: {error}") from None
            if decoded.has_sources:
                raise MalformedCertificateError(f"record {number + 1}, at byte {start}: it has source numbers")
            if number and key <= last:
                raise MalformedCertificateError(f"record {number + 1}, at byte {start}: its key does not ascend")
            if key == root_key and _strongest_bounds(decoded) != (self.header.lower, self.header.upper):
                raise MalformedCertificateError("the header's bounds are not those of the root's record")
            yield key, record
            last = key
        source.take_seal()


class _DigestedStream:
    """A buffer over pieces of bytes, with a running digest of what was taken."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks
        self.buffer = b""
        self.start = 0
        """Where the bytes of the buffer begin that were not taken yet."""
        self.dropped = 0
        """Bytes that were taken and are no longer in the buffer."""
        self.digest = hashlib.sha256()

    @property
    def offset(self) -> int:
        """Number of bytes taken."""
        return self.dropped + self.start

    def peek(self, size: int) -> bytes:
        """The next `size` bytes without taking them; fewer at the end."""
        while len(self.buffer) - self.start < size:
            chunk = next(self.chunks, None)
            if chunk is None:
                break
            self._drop()
            self.buffer += chunk
        return self.buffer[self.start : self.start + size]

    def take(self, size: int) -> bytes:
        data = self.peek(size)
        if len(data) < size:
            raise MalformedCertificateError(f"truncated: the file ends at byte {self.offset + len(data)}")
        self.start += size
        return data

    def skip_to_seal(self) -> None:
        """Takes everything but the seal."""
        while len(self.peek(SEAL_SIZE + 1)) > SEAL_SIZE:
            self.start = len(self.buffer) - SEAL_SIZE

    def _drop(self) -> None:
        self.digest.update(self.buffer[: self.start])
        self.dropped += self.start
        self.buffer, self.start = self.buffer[self.start :], 0

    def take_varint(self, largest: int) -> int:
        number = 0
        for shift in (0, 7, 14):  # enough for the longest record
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            if byte < 128:
                if number > largest or (byte == 0 and shift):
                    break
                return number
        raise MalformedCertificateError("a length that is too large or not in its shortest form")

    def take_line(self, longest: int) -> bytes:
        size = 0
        while (end := self.peek(size := min(size + 4096, longest)).find(b"\n")) < 0:
            if size == longest or len(self.peek(size)) < size:
                raise MalformedCertificateError("the header is not one line")
        return self.take(end + 1)[:-1]

    def take_seal(self) -> None:
        rest = self.peek(SEAL_SIZE + 1)
        self._drop()
        if len(rest) < SEAL_SIZE:
            raise MalformedCertificateError(f"truncated: the file ends at byte {self.offset + len(rest)}")
        if len(rest) > SEAL_SIZE:
            raise MalformedCertificateError(f"bytes after the seal, or wrong counts, at byte {self.offset}")
        if rest != self.digest.digest():
            raise MalformedCertificateError("the SHA-256 at the end is not that of the bytes before it")


def _parse_header(line: bytes) -> CertificateHeader:
    try:
        fields: Any = json.loads(line.decode("ascii"))
        header = CertificateHeader(**fields)
        texts = (header.game, header.root, header.root_key)
        numbers = (header.rules_version, header.records)
        bounds = (header.lower, header.upper)
        bytes.fromhex(header.root_key)
        sound = (
            all(type(text) is str for text in texts)
            and all(type(number) is int and number >= 0 for number in numbers)
            and all(bound is None or type(bound) is int for bound in bounds)
            and (header.fingerprint is None or re.fullmatch("[0-9a-f]{16}", header.fingerprint) is not None)
            and (header.sources is None or re.fullmatch(SOURCES_PATTERN, header.sources) is not None)
            and header.line() == line + b"\n"
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise MalformedCertificateError(f"the header cannot be read: {error}") from None
    if not sound:
        raise MalformedCertificateError("the header's fields have the wrong types or are not in canonical form")
    return header


def _plain(sources: Iterable[str]) -> str | None:
    """Sources as the field of a header."""
    text = "; ".join(sources).encode("ascii", "replace").decode()
    return "".join(sign if re.fullmatch(SOURCES_PATTERN, sign) else "?" for sign in text)[:LONGEST_SOURCES] or None


def _strongest_bounds(record: Record) -> tuple[int | None, int | None]:
    lower, upper = record.lower, record.upper
    return None if lower is None else lower.bound, None if upper is None else upper.bound
