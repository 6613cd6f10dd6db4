"""What the backends share to audit the records of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from proofbase.engine.records import MalformedRecordError
from proofbase.storage.checksums import fingerprint_of, game_seed

__all__ = ["change_of_fingerprint", "tally"]

_BATCH = 10_000


def tally(
    game: str,
    items: Iterable[tuple[bytes, bytes]],
    faults: list[MalformedRecordError],
    progress: Callable[[int], object] | None,
) -> tuple[int, int]:
    """Counts records and adds up the marks of their claims.

    Args:
        game: canonical name.
        items: keys and records; reading them may add to `faults`.
        faults: errors for damaged records; those that cannot be decoded are added.
        progress: called with the number of records read, every 10,000 records.

    Returns:
        The number of sound records, and the sum.
    """
    seed, items = game_seed(game), iter(items)
    counted = total = 0
    while batch := list(islice(items, _BATCH)):
        try:
            total += fingerprint_of(seed, batch)
            counted += len(batch)
        except MalformedRecordError:
            for key, record in batch:
                try:
                    total += fingerprint_of(seed, [(key, record)])
                    counted += 1
                except MalformedRecordError as error:
                    faults.append(error.at(game, key))
        if progress is not None:
            progress(counted + len(faults))
    return counted, total


def change_of_fingerprint(
    game: str, new: Iterable[tuple[bytes, bytes]], old: Iterable[tuple[bytes, bytes]]
) -> int | None:
    """What is added to the fingerprint when records are replaced; None where one of them cannot be decoded."""
    seed = game_seed(game)
    try:
        return fingerprint_of(seed, new) - fingerprint_of(seed, old)
    except MalformedRecordError:
        return None
