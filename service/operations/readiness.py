"""Whether a server should be sent calls: it reads its store, and goes before it stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from proofbase.storage import StoreError

__all__ = ["Readiness"]

_log = logging.getLogger(__name__)
LOOK_SECONDS = 2.0
PATIENCE_SECONDS = 5.0
"""A store that takes longer to answer is as good as none."""
STARTING = "the server is starting"


class Readiness:
    """Reads the store every two seconds. For one event loop; `reason` may be read in any thread.

    Args:
        read: reads a little of the store.
        tell: called with every change: whether the server is ready.
    """

    def __init__(self, read: Callable[[], Awaitable[object]], tell: Callable[[bool], Awaitable[None]]) -> None:
        self._read = read
        self._tell = tell
        self._draining = False
        self.reason: str | None = STARTING
        """Why the server is not ready; None while it is."""

    async def run(self) -> None:
        """Until it is cancelled, or the server drains."""
        while not self._draining:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Reads the store now."""
        reason = None
        try:
            await asyncio.wait_for(self._read(), PATIENCE_SECONDS)
        except StoreError as error:
            reason = f"the store cannot be read: {error}"
        except TimeoutError:
            reason = f"the store has not answered for {PATIENCE_SECONDS:.0f} s"
        except Exception as error:
            reason = f"the store cannot be read: {type(error).__name__}"
        await self._change(reason)

    async def drain(self) -> None:
        """The server stops soon: from now on it is not ready."""
        self._draining = True
        await self._change("the server is stopping")

    async def _change(self, reason: str | None) -> None:
        before, stopping = self.reason, self._draining and reason != "the server is stopping"
        if reason == before or stopping:
            return
        self.reason = reason
        if (before is None) != (reason is None):
            if before not in (None, STARTING):
                _log.warning("ready again")
            elif reason is not None and not self._draining:
                _log.warning("not ready: %s", reason)
            await self._tell(reason is None)
