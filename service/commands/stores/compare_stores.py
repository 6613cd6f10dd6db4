"""The fingerprints of the games of a store, and of two stores side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from proofbase.service.commands.stores.describe_store import fingerprint_text
from proofbase.storage import OnProgress, SolutionStore

__all__ = ["ComparedGame", "compare_fingerprints", "fingerprints_of"]


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """One game in two stores; None where a store has no records of it."""

    game: str
    records: int | None
    fingerprint: str | None
    other_records: int | None
    other_fingerprint: str | None

    @property
    def equal(self) -> bool:
        """Whether both stores hold the same claims."""
        return (self.records, self.fingerprint) == (self.other_records, self.other_fingerprint)


def fingerprints_of(
    store: SolutionStore, game: str | None, on_progress: OnProgress, *, recount: bool = False
) -> dict[str, tuple[int, str]]:
    """Number of records and fingerprint of each game that has records.

    Args:
        store: is read only.
        game: only this one; None for all.
        on_progress: told how far a count is.
        recount: read all records. Where a fingerprint is not known, they are read in any case.
    """
    by_game = {}
    for entry in store.games():
        if entry.records and game in (None, entry.name):
            kept = fingerprint_text(store.fingerprint(entry.name))
            records = entry.records
            if kept is None or recount:
                audit = store.audit(entry.name, partial(_tell_read, on_progress, entry.name, entry.records))
                kept, records = f"{audit.fingerprint:016x}", audit.records
            by_game[entry.name] = records, kept
    return by_game


def _tell_read(on_progress: OnProgress, game: str, total: int, done: int) -> None:
    on_progress(f"count {game}", done, total, "records")


def compare_fingerprints(
    first: dict[str, tuple[int, str]], second: dict[str, tuple[int, str]]
) -> tuple[ComparedGame, ...]:
    """Both stores game by game, by name."""
    nothing = (None, None)
    return tuple(
        ComparedGame(name, *first.get(name, nothing), *second.get(name, nothing)) for name in sorted({*first, *second})
    )
