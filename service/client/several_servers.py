"""A channel to several servers of one store: calls go to the first one that answers, and to another when it is gone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import grpc

from proofbase.service.errors import ServiceUnavailableError

__all__ = ["SeveralServers"]

CONNECT_SECONDS = 3.0
"""A server that has not taken the connection in this time is passed over."""


class SeveralServers:
    """What stubs need of a channel. A call that is under way when its server goes away fails; the next one goes on.

    Args:
        targets: `host:port` of each server, the preferred one first.
        channels: to each of them.
    """

    def __init__(self, targets: Sequence[str], channels: Sequence[grpc.Channel]) -> None:
        self._targets = targets
        self._channels = channels
        self._current = 0
        self._ready = False
        self._lock = threading.Lock()
        for number, channel in enumerate(channels):
            channel.subscribe(self._watcher(number))

    def unary_unary(self, *arguments: Any, **named: Any) -> Callable[..., Any]:
        """As `grpc.Channel` has it, without futures."""
        return self._calling([channel.unary_unary(*arguments, **named) for channel in self._channels])

    def unary_stream(self, *arguments: Any, **named: Any) -> Callable[..., Any]:
        """As `grpc.Channel` has it."""
        return self._calling([channel.unary_stream(*arguments, **named) for channel in self._channels])

    def stream_unary(self, *arguments: Any, **named: Any) -> Callable[..., Any]:
        """As `grpc.Channel` has it, without futures."""
        return self._calling([channel.stream_unary(*arguments, **named) for channel in self._channels])

    def stream_stream(self, *arguments: Any, **named: Any) -> Callable[..., Any]:
        """As `grpc.Channel` has it."""
        return self._calling([channel.stream_stream(*arguments, **named) for channel in self._channels])

    def close(self) -> None:
        """Ends all connections."""
        for channel in self._channels:
            channel.close()

    def _calling(self, calls: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            return calls[self._server()](*arguments, **named)

        return call

    def _server(self) -> int:
        """The number of a server that answers.

        Raises:
            ServiceUnavailableError: none does.
        """
        with self._lock:
            if self._ready:
                return self._current
            for step in range(len(self._channels)):
                number = (self._current + step) % len(self._channels)
                try:
                    grpc.channel_ready_future(self._channels[number]).result(timeout=CONNECT_SECONDS)
                except grpc.FutureTimeoutError:
                    continue
                self._current, self._ready = number, True
                return number
        raise ServiceUnavailableError(f"none of the servers answers: {', '.join(self._targets)}")

    def _watcher(self, number: int) -> Callable[[grpc.ChannelConnectivity], None]:
        def changed(state: grpc.ChannelConnectivity) -> None:
            if number == self._current and state is not grpc.ChannelConnectivity.READY:
                self._ready = False

        return changed
