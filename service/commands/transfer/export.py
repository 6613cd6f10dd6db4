"""Export records as a certificate, JSON lines, CSV or a Graphviz graph, and estimates as JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.records import merge_encoded
from proofbase.engine.rules import Game
from proofbase.service.answers import Side as SideName
from proofbase.service.commands.claims import record_by_table
from proofbase.service.commands.transfer.drawing import Drawing
from proofbase.service.commands.transfer.estimate_lines import estimate_lines
from proofbase.service.commands.transfer.export_chunks import Export, Item
from proofbase.service.commands.transfer.record_lines import csv_lines, json_lines
from proofbase.service.commands.transfer.supporting_records import supporting_records
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources
from proofbase.storage import Record, Side, decode_stored, encode_record

__all__ = ["FORMATS", "Format", "export"]

Format = Literal["certificate", "jsonl", "csv", "dot", "estimates"]
FORMATS: tuple[Format, ...] = ("certificate", "jsonl", "csv", "dot", "estimates")
DOT_NODES = 1000
LARGEST_DRAWING = 100_000
LONGEST_SEARCH = 3600
"""Seconds that strategies are looked for."""


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
            lambda export: _lines(form, game, export, export.counted(game.name, resources.store.scan(game.name)))
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
    merged = None
    if by_table is not None:
        encoded = encode_record(by_table)
        merged = encoded if stored is None else merge_encoded(stored, encoded, None) or stored
    if side is not None:
        merged = _of_side(game, key, merged or stored, side)

    def items(export: Export) -> Iterator[Item]:
        supporting = supporting_records(
            resources,
            game,
            key,
            merged,
            export.stop,
            certificate=form == "certificate",
            strategy_seconds=strategy_seconds or 0.0,
        )
        return export.counted(game.name, supporting)

    if form == "certificate":
        return exported(
            lambda export: certificate_chunks(
                game, root, items(export), fingerprint=export.stated_fingerprint, sources=sources
            )
        )
    return exported(lambda export: _lines(form, game, export, items(export)))


def _lines(form: Format, game: Game[Any], export: Export, items: Iterable[Item]) -> Iterator[bytes]:
    """The records as JSON lines or as CSV."""
    return json_lines(game, export, items) if form == "jsonl" else csv_lines(game, items)


def _of_side(game: Game[Any], key: bytes, data: bytes | None, side: SideName) -> bytes:
    """The record with its claims of one side."""
    claims = () if data is None else decode_stored(game.name, key, data).claims
    chosen = [claim for claim in claims if claim.side == (Side.LOWER if side == "lower" else Side.UPPER)]
    if not chosen:
        raise InvalidRequestError(
            f"no {side} bound of this position is known: there is nothing to export", field="side"
        )
    return encode_record(Record.of(chosen))
