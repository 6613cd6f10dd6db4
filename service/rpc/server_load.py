"""What the open calls hold in memory, and how many streams are open: both bounded, and shared out fairly."""

from __future__ import annotations

from collections import Counter
from types import TracebackType
from typing import Self

from proofbase.service.errors import TooManyStreamsError, UnreadAnswersError

__all__ = ["FairShare", "HeldBytes", "OpenStream", "ServerLoad"]

HELD_BYTES = 128 << 20
"""Bytes of all requests that are being answered, and of all answers that clients have not taken yet."""


class FairShare:
    """A quantity that connections, or clients, share.

    One of them may hold no more than what is left for others (the dynamic thresholds of Choudhury and Hahne, 1998):
    one greedy connection gets half, each of n of them one part in n + 1, and another part stays free for who comes
    next.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = 0
        self.of: Counter[str] = Counter()

    def fits(self, connection: str, more: int) -> bool:
        """Whether a connection may hold so much more. One that holds nothing may as long as anything is left."""
        share = self.of.get(connection, 0)
        room = self.limit - self.total
        return more <= 0 or (room > 0 and (share == 0 or share + more <= room + 1))

    def add(self, connection: str, more: int) -> None:
        self.total += more
        share = self.of.get(connection, 0) + more
        if share:
            self.of[connection] = share
        else:
            self.of.pop(connection, None)


class ServerLoad:
    """The load of one server.

    Args:
        streams: the most streams that may be open.
        held_bytes: the most bytes that the open calls may hold.
    """

    def __init__(self, streams: int, held_bytes: int = HELD_BYTES) -> None:
        self.streams = FairShare(streams)
        self.bytes = FairShare(held_bytes)


class OpenStream:
    """One open stream, counted while the context lasts.

    Raises:
        TooManyStreamsError: no more may be open.
    """

    def __init__(self, load: ServerLoad, connection: str) -> None:
        self._share = load.streams
        self._connection = connection

    def __enter__(self) -> Self:
        share = self._share
        if not share.fits(self._connection, 1):
            raise TooManyStreamsError(
                f"{share.total} streams are open already, {share.of.get(self._connection, 0)} of them on this "
                f"connection: {share.limit} are possible (concurrent_streams), shared among the connections"
            )
        share.add(self._connection, 1)
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._share.add(self._connection, -1)


class HeldBytes:
    """What one call holds: the request that is being answered, then the answer that is not taken yet."""

    def __init__(self, load: ServerLoad, connection: str) -> None:
        self._share = load.bytes
        self._connection = connection
        self._size = 0

    def become(self, size: int) -> None:
        """The call holds `size` bytes from now on.

        Raises:
            UnreadAnswersError: it would be too much.
        """
        more = size - self._size
        if not self._share.fits(self._connection, more):
            raise UnreadAnswersError(
                f"{self._share.of[self._connection]} bytes of requests and of answers that were not read are held for "
                f"this connection: read the answers first, and send fewer requests at a time"
            )
        self._share.add(self._connection, more)
        self._size = size

    def release(self) -> None:
        """The call is over."""
        if self._size:
            self._share.add(self._connection, -self._size)
            self._size = 0
