"""What a store holds, and how much room it takes."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from proofbase.engine.tables import TableFileInfo, table_files
from proofbase.storage import SolutionStore, StoreSizes, UnsupportedOperationError

__all__ = ["GameFacts", "StoreDescription", "describe_store", "fingerprint_text"]


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game of a store.

    Attributes:
        game: its canonical name.
        rules_version: of its rules.
        records: how many, without those in quarantine.
        generation: grows with every change.
        fingerprint: 16 hexadecimal digits; None where it is not known.
    """

    game: str
    rules_version: int
    records: int
    generation: int
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class StoreDescription:
    """What a store holds.

    Attributes:
        store: its URL, without passwords.
        format: version of the format; None for a store that is not kept.
        games: by name.
        sources: how many different ones claims have come from.
        tables: files of values beside it.
        jobs: number in each state.
        tokens: number in each state; None for a store without tokens.
        sizes: None for a store that takes no room that could be told.
    """

    store: str
    format: str | None
    games: tuple[GameFacts, ...]
    sources: int
    tables: tuple[TableFileInfo, ...]
    jobs: dict[str, int]
    tokens: dict[str, int] | None
    sizes: StoreSizes | None


def describe_store(store: SolutionStore) -> StoreDescription:
    """What a store holds, without reading its records. Entries of readers that were killed are cleared."""
    games = tuple(
        GameFacts(
            entry.name,
            entry.rules_version,
            entry.records,
            store.generation(entry.name),
            fingerprint_text(store.fingerprint(entry.name)),
        )
        for entry in store.games()
    )
    tokens: dict[str, int] | None
    try:
        with store.tokens() as kept:
            tokens = dict(Counter(token.state(time.time()) for token in kept.all()))
    except UnsupportedOperationError:
        tokens = None
    sizes: StoreSizes | None
    try:
        sizes = store.sizes()
    except UnsupportedOperationError:
        sizes = None
    directory = store.tables_directory
    return StoreDescription(
        store=store.url,
        format=store.revision,
        games=games,
        sources=len(store.sources()),
        tables=() if directory is None else tuple(table_files(directory)),
        jobs=store.count_jobs(),
        tokens=tokens,
        sizes=sizes,
    )


def fingerprint_text(number: int | None) -> str | None:
    """A fingerprint as it is written everywhere: 16 hexadecimal digits."""
    return None if number is None else f"{number:016x}"
