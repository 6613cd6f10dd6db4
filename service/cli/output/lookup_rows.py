"""`proofbase lookup --file`: the positions of a file, asked for in batches, and a row for each."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.service.cli import screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.output.failures import exit_status_of
from proofbase.service.cli.output.position_files import ListedPosition, RowPrinter, read_positions
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.output.wording import error_text
from proofbase.service.cli.output.written_claims import CLAIM_COLUMNS, ClaimSummary, ask_values, claims_of
from proofbase.service.errors import rebuild_error
from proofbase.service.words.amounts import rate_text
from proofbase.service.words.values import game_name

if TYPE_CHECKING:
    from proofbase.service.answers.batches import BatchItem
    from proofbase.service.client.contract import Service

__all__ = ["answer_in_batches", "lookup_file"]

COLUMNS = ("game", "known", "lower", "upper", "best_move", "plies")
BATCH = 2_000
BATCH_CHARACTERS = 500_000
FIRST_SEARCHED_BATCH = 16
"""Positions of the first batch with searches: nobody knows how long they take."""


def lookup_file(
    client: Service, game: str, file: Path, search: int | None, seconds: float | None, *, json: bool
) -> ExitStatus:
    """Looks up the positions of a file, and prints a row for each in the order of the file.

    A position that makes no sense, or whose record is damaged, has the message in the column `error`; the other rows
    are answered.

    Returns:
        POSITIVE if all values are known; of several others the last one in the order NEGATIVE, USAGE, FAILED.
    """
    name = game_name(game)
    positions = read_positions(name, file)
    claimed = {position: claims for position in positions if (claims := claims_of(name, position.text)) is not None}
    printer: RowPrinter | None = None
    summary = ClaimSummary()
    outcome, started, printed = ExitStatus.POSITIVE, time.monotonic(), 0
    with showing_progress("lookup") as show:
        for position, item in answer_in_batches(client, game, positions, search, seconds):
            if printer is None:
                columns = (*COLUMNS, *(CLAIM_COLUMNS if claimed else ()), *(("package",) if item.package else ()))
                printer = RowPrinter(columns, json=json)
            fields, error = _fields(name, position, item, json=json), None
            if item.status == "invalid":
                error = rebuild_error(item.reason or "INVALID_POSITION", item.message or "", {})
                screen.note(f"proofbase: {file}, line {position.line}: {error_text(error)}")
                fields = {"line": position.line, "position": position.text, "error": error_text(error)}
            if error is not None:
                outcome = max(outcome, exit_status_of(error))
            elif not fields["known"]:
                outcome = max(outcome, ExitStatus.NEGATIVE)
            claims = claimed.get(position)
            if claimed and json and item.value is not None:
                fields |= {"claims": []}
            if claims is not None and item.value is not None:
                values = ask_values(client, game, claims, search, seconds)
                fields |= summary.row(claims, claims.verdicts(item.value, item.rank, item.witness, values), json=json)
            if printed % 100 == 0:
                rate = rate_text(printed, time.monotonic() - started) + ", " if printed else ""
                show(
                    f"{printed:,} of {len(positions):,} positions, {rate}line {position.line}", printed, len(positions)
                )
            printer.print(fields)
            printed += 1
    assert printer is not None, "a file has positions"
    printer.flush()
    summary.say()
    return max(outcome, ExitStatus.NEGATIVE) if summary.differs else outcome


def answer_in_batches(
    client: Service, game: str, positions: Sequence[ListedPosition], search: int | None, seconds: float | None
) -> Iterator[tuple[ListedPosition, BatchItem]]:
    """What is known of each position, in order; so many at a time as one message, or the time of a batch, holds.

    The time of a search is that of the whole batch. A position whose search had to share it is asked for again, as the
    first one of its batch: then it has had all of the time.
    """
    start, usual = 0, BATCH if search is None else FIRST_SEARCHED_BATCH
    largest = min(BATCH, client.limits().batch_size)
    while start < len(positions):
        part = _of_one_message(positions[start : start + min(usual, largest)])
        items = client.batch_lookup(game, [entry.text for entry in part], search=search, search_seconds=seconds)
        out_of_time = (
            index for index, item in enumerate(items) if item.searched and item.searched.unknown_reason == "seconds"
        )
        answered = next((index for index in out_of_time if index), len(items))
        yield from zip(part[:answered], items[:answered], strict=True)
        usual = answered if answered < len(items) else 2 * usual
        start += answered


def _of_one_message(positions: Sequence[ListedPosition]) -> Sequence[ListedPosition]:
    sizes = accumulate(len(entry.text) for entry in positions)
    return positions[: max(1, sum(size <= BATCH_CHARACTERS for size in sizes))]


def _fields(game: str, position: ListedPosition, item: BatchItem, *, json: bool) -> dict[str, Any]:
    """The row of a position, as far as anything is known of it."""
    value = item.value
    if value is None:
        return {}
    place = {"line": position.line, "game": game, "position": position.text}
    if not json:
        bounds = {"known": value.exact, "lower": value.lower, "upper": value.upper}
        return {
            **place,
            **bounds,
            "best_move": item.witness,
            "plies": item.rank if value.exact else None,
            "package": item.package,
        }
    return {
        **place,
        "key": item.key,
        "stored": item.status == "stored",
        "known": value.exact,
        "value": value,
        "rank": item.rank,
        "best_move": item.witness,
        "searched": item.searched,
        "package": item.package,
    }
