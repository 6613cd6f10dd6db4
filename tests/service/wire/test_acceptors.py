"""Tasks of a server that accept the calls of a method: few, and more where many come at a time."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from proofbase.service.rpc.listener import ACCEPTED_AT_FIRST, ACCEPTED_AT_ONCE, Acceptors


class Calls:
    """Calls that come, for acceptors to accept."""

    def __init__(self) -> None:
        self._awaited = list[asyncio.Future[None]]()
        self.acceptors = Acceptors(self._accept)

    async def _accept(self) -> None:
        self._awaited.append(call := asyncio.get_running_loop().create_future())
        await call

    async def come(self, count: int) -> None:
        """So many, or one for each task that waits, in one turn of the event loop."""
        coming, self._awaited = self._awaited[:count], self._awaited[count:]
        for call in coming:
            call.set_result(None)
        for _ in range(3):
            await asyncio.sleep(0)

    async def waiting(self) -> int:
        await asyncio.sleep(0)
        return len(self._awaited)

    async def fail(self) -> None:
        for call in self._awaited:
            if not call.done():
                call.set_exception(RuntimeError("the server ends"))
        await asyncio.sleep(0)


async def test_single_calls_need_no_more_tasks() -> None:
    calls = Calls()
    for _ in range(20):
        assert await calls.waiting() == ACCEPTED_AT_FIRST
        await calls.come(1)
    await calls.fail()
    with suppress(RuntimeError):
        await calls.acceptors.ended


async def test_a_flood_has_them_all_after_a_few_turns() -> None:
    calls, turns = Calls(), 0
    while (waiting := await calls.waiting()) < ACCEPTED_AT_ONCE:
        await calls.come(waiting)
        turns += 1
    assert turns <= 6
    for _ in range(3):
        await calls.come(ACCEPTED_AT_ONCE)
        assert await calls.waiting() == ACCEPTED_AT_ONCE
    await calls.fail()
    with pytest.raises(RuntimeError, match="the server ends"):
        await calls.acceptors.ended
    await asyncio.sleep(0)
    assert not len(calls.acceptors)


async def test_who_cancels_the_end_cancels_all() -> None:
    calls = Calls()
    assert await calls.waiting()
    calls.acceptors.ended.cancel()
    for _ in range(3):
        await asyncio.sleep(0)
    assert not len(calls.acceptors)
