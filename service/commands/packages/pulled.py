"""What was taken of a game, from a store, a package or a server."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pulled", "PulledTable"]


@dataclass(frozen=True, slots=True)
class Pulled:
    """What was taken of a game.

    Attributes:
        game: its name.
        records: how many the source has.
        read: how many of them were read; the others were seen to be equal by the fingerprints of their blocks.
        added, improved: records that the target has now.
        skipped: why the game was passed over; None where it was not.
    """

    game: str
    records: int
    read: int = 0
    added: int = 0
    improved: int = 0
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class PulledTable:
    """A table of the other side.

    Attributes:
        game: its game.
        table: its name.
        entries: how many it has.
        taken: whether it was taken; False where a table of this name was there.
        skipped: why it was passed over; None where it was not.
    """

    game: str
    table: str
    entries: int
    taken: bool = False
    skipped: str | None = None
