# ruff: noqa: N802  (methods are called as in the protos)
"""Transfer over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar, cast

from proofbase.service.commands.transfer.export import export
from proofbase.service.commands.transfer.import_records import import_records
from proofbase.service.commands.transfer.new_tables import NewTables
from proofbase.service.commands.transfer.read_table import read_table
from proofbase.service.commands.transfer.record_blocks import block_records, record_blocks
from proofbase.service.convert import enum_name, to_message
from proofbase.service.errors import InvalidRequestError
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.service.rpc.calls import CLIENT, Calls, Context, requested_position
from proofbase.storage.arguments import MAX_SOURCE_CHARACTERS
from proofbase.v1 import transfer_pb2, types_pb2
from proofbase.v1.transfer_pb2_grpc import TransferServicer

__all__ = ["Transfer"]

T = TypeVar("T")


class Transfer(TransferServicer):
    """Reads each request, calls its command, and writes the answer."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def Export(
        self, request: transfer_pb2.ExportRequest, context: Context
    ) -> AsyncIterator[transfer_pb2.ExportChunk]:
        parts = await self._calls.run_as(
            "export",
            export,
            self._calls.resources,
            request.game,
            requested_position(request, "below"),
            form=_form(request.format),
            max_nodes=request.max_nodes or None,
            strategy_seconds=request.strategy_seconds or None,
            side=enum_name(types_pb2.Side.DESCRIPTOR, request.side),  # type: ignore[arg-type]  # just these names
        )
        # Ends the read transaction at once when the client is gone, whatever this coroutine is waiting for.
        # (The stubs of grpcio want a class for the callback; any callable is taken.)
        context.add_done_callback(cast("Any", lambda _: parts.close()))
        try:
            while (chunk := await self._calls.run_as("export", next, parts, None)) is not None:
                yield transfer_pb2.ExportChunk(data=chunk)
            if parts.summary is not None:
                yield transfer_pb2.ExportChunk(summary=to_message(parts.summary, transfer_pb2.ExportSummary))
        finally:
            parts.close()

    async def Import(
        self, request_iterator: AsyncIterator[transfer_pb2.ImportChunk], context: Context
    ) -> transfer_pb2.ImportResult:
        header: transfer_pb2.ImportHeader | None = None
        with self._calls.resources.uploads.new() as upload:
            async for chunk in request_iterator:
                if chunk.HasField("header"):
                    if header is not None:
                        raise InvalidRequestError("a second header: only the first chunk has one", field="header")
                    header = chunk.header
                elif header is None:
                    raise InvalidRequestError("the first chunk has no header", field="header")
                await self._calls.run_as("upload", upload.write, chunk.data)
            if header is None:
                raise InvalidRequestError("an import without chunks", field="header")
            stop = _stop()
            try:
                result = await self._calls.run_write(
                    "import",
                    import_records,
                    self._calls.resources,
                    upload,
                    form=_form(header.format),
                    source=_source(header.source),
                    stop=stop,
                )
            finally:
                stop.set()  # the client may have gone
        return to_message(result, transfer_pb2.ImportResult)

    async def ListBlocks(
        self, request: transfer_pb2.ListBlocksRequest, context: Context
    ) -> AsyncIterator[transfer_pb2.RecordBlock]:
        blocks = await self._calls.run_as(
            "export", record_blocks, self._calls.resources, request.game, list(request.firsts)
        )
        async for block in self._each(blocks):
            yield to_message(block, transfer_pb2.RecordBlock)

    async def GetRecords(
        self, request: transfer_pb2.GetRecordsRequest, context: Context
    ) -> AsyncIterator[transfer_pb2.RecordBatch]:
        batches = await self._calls.run_as(
            "export", block_records, self._calls.resources, request.game, request.first, request.end or None
        )
        async for batch in self._each(batches):
            yield transfer_pb2.RecordBatch(keys=[key for key, _ in batch], records=[record for _, record in batch])

    async def GetTable(
        self, request: transfer_pb2.GetTableRequest, context: Context
    ) -> AsyncIterator[transfer_pb2.TableChunk]:
        chunks = await self._calls.run_as("export", read_table, self._calls.resources, request.game, request.name)
        async for chunk in self._each(chunks):
            yield transfer_pb2.TableChunk(data=chunk)

    async def ImportTables(
        self, request_iterator: AsyncIterator[transfer_pb2.ImportTablesChunk], context: Context
    ) -> transfer_pb2.ImportTablesResult:
        run_as, stop = self._calls.run_as, _stop()
        new, opened = NewTables(self._calls.resources), False
        try:
            async for chunk in request_iterator:
                if not opened:
                    await run_as("upload", new.open, chunk.game)
                    opened = True
                elif chunk.game:
                    raise InvalidRequestError("a second game: only the first chunk names it", field="game")
                if chunk.table:
                    await run_as("upload", new.begin, chunk.table)
                if chunk.data:
                    await run_as("upload", new.write, chunk.data)
            if not opened:
                raise InvalidRequestError("an import without chunks", field="game")
            result = await self._calls.run_write("import", new.finish, stop, lambda *_: None)
        finally:
            stop.set()  # the client may have gone
            await asyncio.to_thread(new.close)  # waits for the end of what a thread does, such as the verification
        return to_message(result, transfer_pb2.ImportTablesResult)

    async def _each(self, parts: Iterator[T]) -> AsyncIterator[T]:
        """The parts of an answer, each made in a thread. What the iterator holds of the store is freed at the end."""
        try:
            while (part := await self._calls.run_as("export", next, parts, None)) is not None:
                yield part
        finally:
            await self._calls.run_as("export", getattr(parts, "close", lambda: None))


def _stop() -> StopSignal:
    """Ends the work of this call; the work asks by it whether the client is still known before it writes."""
    caller = CLIENT.get()
    return StopSignal() if caller is None else StopSignal(caller.confirm)


def _source(named: str) -> str | None:
    """Where records come from: what the client calls it, and who the client is where that is known."""
    caller = CLIENT.get()
    if caller is None:
        return named or None
    origin = f" by {caller.identity.name}"
    return f"{(named or 'import')[: MAX_SOURCE_CHARACTERS - len(origin)]}{origin}"


def _form(number: int) -> Any:
    name = enum_name(transfer_pb2.Format.DESCRIPTOR, number)
    if name is None:
        raise InvalidRequestError("no format, or one that this version does not know", field="format")
    return name
