"""Whether a store is as it was written, and whether two stores hold the same."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, OptionalGame, Store
from proofbase.service.cli.session import store_url, usage_errors_of_urls
from proofbase.service.cli.stores.progress import store_progress
from proofbase.service.commands.stores.check_store import StoreCheck, check_store
from proofbase.service.commands.stores.compare_stores import compare_fingerprints, fingerprints_of
from proofbase.service.words.values import game_name
from proofbase.storage import StoreDamagedError, open_store

__all__ = ["check", "fingerprint"]

SHOWN = 50


def check(store: Store = None, json: Json = False) -> int:
    """Read everything that a store keeps, and compare it with its checksums, counts and fingerprints.

    Records, quarantine, sources, jobs, checkpoints, tokens, tables, and the pages of a directory's file. Nothing is
    changed. `proofbase verify` checks by the rules that the records are true. Exit status: 0 sound, 1 damaged.
    """
    try:
        with (
            usage_errors_of_urls(),
            open_store(store_url(store), read_only=True, create=False) as opened,
            store_progress("check") as on_progress,
        ):
            store_check = check_store(opened, on_progress)
    except StoreDamagedError as error:  # so that it cannot even be opened
        store_check = StoreCheck()
        store_check.add("files", "", str(error))
    sound = store_check.failed == 0
    if json:
        documents.print_document({"sound": sound, **documents.document(store_check)})
        return ExitStatus.POSITIVE if sound else ExitStatus.NEGATIVE
    screen.print_first([finding.text for finding in store_check.findings], store_check.failed, SHOWN)
    screen.print_first(store_check.passed_over, len(store_check.passed_over), SHOWN, screen.note)
    counts = ", ".join(f"{number:,} {part}" for part, number in store_check.checked.items() if number)
    screen.say(f"{'sound' if sound else f'DAMAGED: {store_check.failed:,} findings'} ({counts or 'nothing'} read)")
    return ExitStatus.POSITIVE if sound else ExitStatus.NEGATIVE


def fingerprint(
    game: OptionalGame = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="URL", help="Another store, of any kind, to compare with.", show_default=False
        ),
    ] = None,
    recount: Annotated[
        bool, typer.Option("--recount", help="Read all records instead of what the store keeps with every write.")
    ] = False,
    store: Store = None,
    json: Json = False,
) -> int:
    """Show the fingerprint of each game's records: equal ones mean equal claims, in stores of any kind.

    Exit status with --compare: 0 equal, 1 different.
    """
    name = None if game is None else game_name(game)
    first = _fingerprints(store_url(store), name, recount=recount)
    if name is not None and compare is None and name not in first:
        raise UsageError(f"the store has no records of {name}")
    if compare is None:
        if json:
            games = [{"game": game, "records": entry[0], "fingerprint": entry[1]} for game, entry in first.items()]
            documents.print_document({"games": games})
        elif first:
            rows = [(game, f"{entry[0]:,}", entry[1]) for game, entry in first.items()]
            screen.print_table(("game", "records", "fingerprint"), rows, right=("records",))
        else:
            screen.say("no records")
        return ExitStatus.POSITIVE
    compared = compare_fingerprints(first, _fingerprints(store_url(compare), name, recount=recount))
    equal = all(entry.equal for entry in compared)
    if json:
        entries = [{**documents.document(entry), "equal": entry.equal} for entry in compared]
        documents.print_document({"equal": equal, "games": entries})
    else:
        columns = ("game", "records", "fingerprint", "there", "fingerprint there", "")
        rows_of_two: list[tuple[Any, ...]] = [
            (
                entry.game,
                "-" if entry.records is None else f"{entry.records:,}",
                entry.fingerprint or "-",
                "-" if entry.other_records is None else f"{entry.other_records:,}",
                entry.other_fingerprint or "-",
                "equal" if entry.equal else "DIFFERENT",
            )
            for entry in compared
        ]
        if rows_of_two:
            screen.print_table(columns, rows_of_two, right=("records", "there"))
        screen.say("equal" if equal else "different")
    return ExitStatus.POSITIVE if equal else ExitStatus.NEGATIVE


def _fingerprints(url: str, game: str | None, *, recount: bool) -> dict[str, tuple[int, str]]:
    with (
        usage_errors_of_urls(),
        open_store(url, read_only=True, create=False) as opened,
        store_progress("fingerprint") as on_progress,
    ):
        return fingerprints_of(opened, game, on_progress, recount=recount)
