"""Export records as a certificate, JSON lines, CSV or a Graphviz graph, and estimates as JSON lines."""

from __future__ import annotations

import csv
import heapq
import io
import json
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any, Literal, assert_never

from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.errors import SearchCancelledError
from proofbase.engine.records import merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import Claim, Cut, ExportSummary
from proofbase.service.answers import Side as SideName
from proofbase.service.commands.claims import claim_answer, record_by_table
from proofbase.service.commands.transfer.drawing import Drawing
from proofbase.service.commands.transfer.estimate_lines import estimate_lines
from proofbase.service.commands.transfer.fingerprints import FileFingerprint
from proofbase.service.commands.transfer.shortest_proof import refutation_of_shorter_wins
from proofbase.service.commands.transfer.smallest import smallest
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.record_selection import below
from proofbase.service.positions import Where, find_position
from proofbase.service.positions.probe import value_of_record
from proofbase.service.resources import Resources
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.stop_signal import StopSignal
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Record, Side, decode_stored, encode_record

__all__ = ["FORMATS", "Export", "Format", "export", "record_object"]

Format = Literal["certificate", "jsonl", "csv", "dot", "estimates"]
FORMATS: tuple[Format, ...] = ("certificate", "jsonl", "csv", "dot", "estimates")
Item = tuple[bytes, bytes]
CHUNK = 1 << 18
BATCH = 10_000
DOT_NODES = 1000
LARGEST_DRAWING = 100_000
LONGEST_SEARCH = 3600
"""Seconds that strategies are looked for."""
COLUMNS = ("key", "position", "side", "bound", "rank", "evidence", "witness", "sources")


class Export(Iterator[bytes]):
    """A file in chunks of at most 256 KiB; `summary` is set after the last chunk.

    An export that is under way holds a read transaction of the store, which keeps the pages (or rows) of its moment:
    exhaust it or `close()` it.

    Attributes:
        stop: ends the export at its next record, in whatever thread that is.
    """

    def __init__(
        self,
        package: str | None,
        parts: Callable[[Export], Iterator[bytes]],
        cut: Callable[[], Cut | None] = lambda: None,
    ) -> None:
        self.stop = StopSignal()
        self._reading = threading.Lock()
        self._package = package
        self._cut = cut
        self._buffer = bytearray()
        self._bytes = 0
        self.records = 0
        self.fingerprint: FileFingerprint | None = None
        self.summary: ExportSummary | None = None
        self._parts = _as_generator(parts(self))

    def __next__(self) -> bytes:
        try:
            with self._reading:
                if self.stop.is_set:
                    raise StopIteration
                try:
                    return self._next()
                except SearchCancelledError:
                    self.stop.check()
                    raise
        finally:
            if self.stop.is_set:
                self.close()

    def close(self) -> None:
        """Ends the export and its transaction, from any thread. A chunk that another thread reads now ends soon."""
        self.stop.set()
        if self._reading.acquire(blocking=False):
            try:
                self._parts.close()
            finally:
                self._reading.release()

    def _next(self) -> bytes:
        while len(self._buffer) < CHUNK:
            part = next(self._parts, None)
            if part is None:
                break
            self._buffer += part
        if not self._buffer:
            stated = None if self.fingerprint is None else self.fingerprint.text
            self.summary = ExportSummary(self.records, self._bytes, self._cut(), stated, self._package)
            raise StopIteration
        chunk = bytes(self._buffer[:CHUNK])
        del self._buffer[:CHUNK]
        self._bytes += len(chunk)
        return chunk

    def counted(self, game: str, items: Iterable[Item]) -> Iterator[Item]:
        """The same items of a game; each is counted, and added to the fingerprint, when it is taken."""
        added = self.fingerprint = FileFingerprint(game)
        for item in self.stop.checked(items):
            self.records += 1
            added.add(*item)
            yield item

    def counted_lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The same lines, each of which is about one estimate: those have no fingerprint."""
        for line in self.stop.checked(lines):
            self.records += 1
            yield line

    def stated_fingerprint(self) -> str:
        """The fingerprint of the items that were taken so far."""
        assert self.fingerprint is not None, "asked after the items"
        return self.fingerprint.text


def export(
    resources: Resources,
    game_name: str,
    where: Where = None,
    *,
    form: Format = "certificate",
    max_nodes: int | None = None,
    strategy_seconds: float | None = None,
    side: SideName | None = None,
    sources: Sequence[str] = (),
) -> Export:
    """Begins an export; nothing is read before the first chunk is asked for.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: only what the claims of this position rest on; None for all records (`jsonl` and `csv`). Of `estimates`
            only those of the position itself; None for all of the game.
        form: the format.
        max_nodes: nodes of a drawing; None for 1000.
        strategy_seconds: of a certificate: how long strategies are looked for, which are smaller than the records below
            a claim (docs/strategies.md), at most 3600; None: not at all.
        side: only what this position's bounds of one side rest on, such as one half of a draw; None: of both.
        sources: what a certificate says of where its records came from.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: an unknown format, or a format that needs a position, or a position of which neither the
            store nor a table knows anything.
    """
    if form not in FORMATS:
        raise InvalidRequestError(f"unknown format {form!r}: there are {', '.join(FORMATS)}", field="format")
    if max_nodes is not None and not 1 <= max_nodes <= LARGEST_DRAWING:
        raise InvalidRequestError(f"max_nodes is {max_nodes}: 1 to {LARGEST_DRAWING} are possible", field="max_nodes")
    if strategy_seconds is not None and (form != "certificate" or not 0 < strategy_seconds <= LONGEST_SEARCH):
        raise InvalidRequestError(
            f"{strategy_seconds:g} seconds of looking for strategies: above 0 to {LONGEST_SEARCH} are possible, for a "
            "certificate",
            field="strategy_seconds",
        )
    if side is not None and (where is None or form in ("dot", "estimates")):
        raise InvalidRequestError("one side is of a position, in a certificate, JSON lines or CSV", field="side")
    game, exported = resources.games.open(game_name), partial(Export, resources.package)
    if form == "estimates":
        about = None if where is None else game.key(find_position(game, where))
        return exported(lambda export: export.counted_lines(estimate_lines(resources.store, game, about)))
    if where is None:
        if form in ("certificate", "dot"):
            raise InvalidRequestError(
                f"the format {form} needs a position (write - for the initial one)", field="position"
            )
        return exported(
            lambda export: _rows(form, game, export)(export.counted(game.name, resources.store.scan(game.name)))
        )
    root = find_position(game, where)
    key = game.key(root)
    stored = resources.store.get_many(game.name, [key])[0]
    by_table = record_by_table(game, key, stored, resources.tables.of(game))
    if game.terminal(root) is None and stored is None and by_table is None:
        raise InvalidRequestError(
            f"the store knows nothing of {game.text(root)} in {game.name}: there is nothing to export",
            field="position",
        )
    if form == "dot":
        drawing = Drawing(resources, game, root, max_nodes or DOT_NODES)
        return exported(drawing.lines, drawing.cut)
    own = None
    if by_table is not None:
        encoded = encode_record(by_table)
        own = encoded if stored is None else merge_encoded(stored, encoded, None) or stored

    if side is not None:
        own = _of_side(game, key, own or stored, side)

    def items(export: Export) -> Iterator[Item]:
        certificate = form == "certificate"
        seconds = strategy_seconds or 0.0
        closed_records = _ascending(
            resources, game, key, own, export.stop, certificate=certificate, strategy_seconds=seconds
        )
        return export.counted(game.name, closed_records)

    if form == "certificate":
        return exported(
            lambda export: certificate_chunks(
                game, root, items(export), fingerprint=export.stated_fingerprint, sources=sources
            )
        )
    return exported(lambda export: _rows(form, game, export)(items(export)))


def _of_side(game: Game[Any], key: bytes, data: bytes | None, side: SideName) -> bytes:
    """The record with its claims of one side."""
    claims = () if data is None else decode_stored(game.name, key, data).claims
    chosen = [claim for claim in claims if claim.side == (Side.LOWER if side == "lower" else Side.UPPER)]
    if not chosen:
        raise InvalidRequestError(
            f"no {side} bound of this position is known: there is nothing to export", field="side"
        )
    return encode_record(Record.of(chosen))


def _as_generator(parts: Iterator[bytes]) -> Generator[bytes]:
    """The same parts, to be closed."""
    yield from parts


def _ascending(
    resources: Resources,
    game: Game[Any],
    root: bytes,
    own: bytes | None,
    stop: StopSignal,
    *,
    certificate: bool,
    strategy_seconds: float,
) -> Iterator[Item]:
    """The records that the claims of a root rest on, by ascending keys; `own` is the root's if it is not as stored.

    A certificate has the smallest closed part of them that `RecordTable.trimmed` finds, without sources. Of a win
    within so many plies it also has the proof that fewer are not enough, if that is stored; each has half of the time.
    """
    other = refutation_of_shorter_wins(resources.store, game, root) if certificate else None
    seconds = strategy_seconds if other is None else strategy_seconds / 2
    closed = partial(_closed, resources, stop=stop, certificate=certificate, strategy_seconds=seconds)
    closed_records = closed(game, root, own)
    if other is not None:
        name, key = other
        closed_records = _merged(closed_records, closed(resources.games.open(name), key, None))
    yield from closed_records


def _merged(first: Iterable[Item], second: Iterable[Item]) -> Iterator[Item]:
    """The records of both, by ascending keys; of a key that both have the claims are united."""
    last: Item | None = None
    for key, data in heapq.merge(first, second, key=itemgetter(0)):
        if last is not None and last[0] == key:
            last = key, merge_encoded(last[1], data, None) or last[1]
            continue
        if last is not None:
            yield last
        last = key, data
    if last is not None:
        yield last


def _closed(
    resources: Resources,
    game: Game[Any],
    root: bytes,
    own: bytes | None,
    *,
    stop: StopSignal,
    certificate: bool,
    strategy_seconds: float,
) -> Iterator[Item]:
    """As `_ascending`, of one root."""
    records_below = stop.checked(below(resources.store, game, root, own=own))
    if not is_native(game):  # Python rules: small enough to sort here
        yield from sorted({**dict(records_below), **({} if own is None else {root: own})}.items())
        return
    table = new_record_table(game)
    if own is not None:
        table.load([(root, own)])
    while batch := list(islice(records_below, BATCH)):
        table.load(batch)
    if certificate:
        if strategy_seconds:
            table = smallest(table, root, strategy_seconds, stop)
        else:
            table = table.trimmed(root, stop=stop.native_flag())
    for chunk in table.chunks(BATCH, stop=stop.native_flag()):
        if certificate:
            yield from chunk
            continue
        # Read from the store once more: tables of records do not keep sources.
        keys = [key for key, _ in chunk]
        stored = resources.store.get_many(game.name, keys)
        for key, data in zip(keys, stored, strict=True):
            record = own if key == root and own is not None else data
            if record is not None:
                yield key, record


def _rows(form: Format, game: Game[Any], export: Export) -> Callable[[Iterable[Item]], Iterator[bytes]]:
    def jsonl(items: Iterable[Item]) -> Iterator[bytes]:
        """A line each; the last one has the fingerprint of all of them."""
        last: dict[str, Any] | None = None
        for key, data in items:
            if last is not None:
                yield _json_line(last)
            last = record_object(game, key, decode_stored(game.name, key, data))
        if last is not None:
            yield _json_line({**last, "fingerprint": export.stated_fingerprint()})

    def table(items: Iterable[Item]) -> Iterator[bytes]:
        yield _csv_line(COLUMNS)
        for key, data in items:
            position = game.position(key)
            for claim in decode_stored(game.name, key, data).claims:
                answer = claim_answer(game, position, key, claim)
                yield _csv_line(
                    (
                        key.hex(),
                        game.text(position),
                        answer.side,
                        answer.bound,
                        "" if answer.rank is None else answer.rank,
                        _evidence_text(answer),
                        answer.witness or "",
                        " ".join(map(str, answer.sources)),
                    )
                )

    return jsonl if form == "jsonl" else table


def _json_line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def record_object(game: Game[Any], key: bytes, record: Record) -> dict[str, Any]:
    """One record as JSON: readable (position, value), and exact (key, claims), so that it can be imported again."""
    position = game.position(key)
    value = value_of_record(record, game.limit(position))
    claims = []
    for claim in record.claims:
        entry: dict[str, Any] = {
            "side": "lower" if claim.side == Side.LOWER else "upper",
            "bound": claim.bound,
            "rank": claim.rank,
            "evidence": claim.evidence.name.lower(),
        }
        if claim.witness is not None:
            entry["witness"] = claim.witness
        entry |= _payload_field(claim)
        if claim.source is not None:
            entry["source"] = claim.source
        claims.append(entry)
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "key": key.hex(),
        "position": game.text(position),
        "value": {"lower": value.lower, "upper": value.upper},
        "claims": claims,
    }


def _payload_field(claim: StoredClaim) -> dict[str, Any]:
    """The payload of a claim as a field of its JSON object."""
    match claim.evidence:
        case Evidence.CHILDREN:
            return {}
        case Evidence.TABLE:
            return {"table": claim.table}
        case Evidence.LINE:
            return {"line": list(claim.line or ())}
        case Evidence.SEARCH | Evidence.SEARCH_TO_LIMITS:
            return {"nodes": claim.nodes}
        case Evidence.THREATS | Evidence.STRATEGY | Evidence.PAIRING:
            return {claim.evidence.name.lower(): claim.payload.hex()}
    assert_never(claim.evidence)


def _csv_line(fields: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue().encode()


def _evidence_text(claim: Claim) -> str:
    if claim.threats is not None:
        return f"{claim.evidence} {claim.threats.nodes}"
    if claim.strategy is not None:
        return f"{claim.evidence} {claim.strategy.diagram}"
    if claim.pairing is not None:
        return f"{claim.evidence} {claim.pairing.diagram}"
    detail = claim.table or claim.search_nodes or " ".join(map(str, claim.line))
    return f"{claim.evidence} {detail}" if detail else claim.evidence
