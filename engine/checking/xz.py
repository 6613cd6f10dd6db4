"""Files compressed by xz, as certificates may be (docs/certificate.md): writing and reading, both as streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from types import ModuleType
from typing import IO

from proofbase.engine.errors import MalformedCertificateError

__all__ = ["XZ_MAGIC", "XZ_SUFFIX", "compressed", "decompressed", "file_pieces"]

XZ_MAGIC = b"\xfd7zXZ\0"
"""The first bytes of such a file. No certificate and no text begins with them."""
XZ_SUFFIX = ".xz"
"""Files whose names end with it are written compressed. Readers go by the first bytes, whatever the name is."""
PIECE = 65_536
DECODER_BYTES = 80 << 20
"""Memory of the decoder at the most; what `xz -9` has written takes 65 MiB, what is written here 9."""


def compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes as one stream of xz, in pieces.

    The compressed bytes may differ between versions of liblzma; what they hold does not.
    """
    lzma = _lzma()
    encoder = lzma.LZMACompressor(format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, preset=6)
    for piece in pieces:
        if done := encoder.compress(piece):
            yield done
    yield encoder.flush()


def decompressed(pieces: Iterable[bytes], *, most: int | None = None) -> Iterator[bytes]:
    """What a file holds, if it begins as a file of xz does; any other file as it is.

    Args:
        pieces: of the file, of any size.
        most: bytes that a compressed file may hold; None: as many as it does. Pieces are given out before the file has
            turned out to be longer, or damaged.

    Returns:
        Pieces of at most 65,536 bytes, those of a file that is not compressed as they are. They take no more memory
        than one of them and 80 MiB for the decoder.

    Raises:
        MalformedCertificateError: the file is damaged, truncated, no single stream, compressed twice, or holds more
            than `most` bytes; or its decoder would take more than 80 MiB.
    """
    is_compressed, source = _start_of(pieces)
    if not is_compressed:
        yield from source
        return
    compressed_twice, content = _start_of(_decoded(source, most))
    if compressed_twice:
        raise MalformedCertificateError("compressed twice: one layer of xz is read")
    yield from content


def _start_of(pieces: Iterable[bytes]) -> tuple[bool, Iterator[bytes]]:
    """Whether a file begins as one of xz does, and all its pieces."""
    source, first, start = iter(pieces), list[bytes](), b""
    while len(start) < len(XZ_MAGIC) and (piece := next(source, None)) is not None:
        first.append(piece)
        start += piece[: len(XZ_MAGIC)]
    return start.startswith(XZ_MAGIC), chain(first, source)


def _decoded(source: Iterable[bytes], most: int | None) -> Iterator[bytes]:
    """What a stream of xz holds."""
    lzma, size = _lzma(), 0
    decoder = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=DECODER_BYTES)
    for piece in source:
        packed = piece
        while not decoder.eof:
            try:
                done = decoder.decompress(packed, PIECE)
            except lzma.LZMAError as error:
                reason = f"its compression by xz is damaged, or of another kind: {error}"
                raise MalformedCertificateError(reason) from None
            size += len(done)
            if most is not None and size > most:
                raise MalformedCertificateError(f"compressed by xz, it holds more than {most:,} bytes")
            if done:
                yield done
            packed = b""
            if decoder.needs_input:
                break
        if decoder.eof and (decoder.unused_data or packed):
            raise MalformedCertificateError("bytes after its compression by xz, which is one stream")
    if not decoder.eof:
        raise MalformedCertificateError("truncated: its compression by xz does not end")


def file_pieces(source: IO[bytes] | Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a binary file from where it is, or of pieces."""
    read = getattr(source, "read", None)
    return iter(lambda: read(PIECE), b"") if read else iter(source)


def _lzma() -> ModuleType:
    """The module of the standard library, which some builds of Python leave out."""
    try:
        import lzma
    except ImportError:
        raise ModuleNotFoundError("this Python has no module lzma: decompress the file by xz -d") from None
    return lzma
