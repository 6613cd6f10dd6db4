"""What a foreign file claims of a position, and what every reader gives."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proofbase.engine.errors import InvalidPositionError

__all__ = ["ForeignClaim", "ForeignFile", "refused", "sampled"]


class ForeignClaim(NamedTuple):
    """A claim about one position: limits of its value for the side to move, both included.

    Attributes:
        position: text in the game's own form.
        lower, upper: the limits; None where the file claims none.
        place: where the file says so, for people: `line 3`, `entry 17`, `h8 o15 g9`.
        line: the line of the file, counted from 1; None where a file has no lines.
        plies: the game is decided within so many plies; None where the file does not say.
        shortest: whether `plies` is also claimed to be the least number.
    """

    position: str
    lower: int | None
    upper: int | None
    place: str
    line: int | None = None
    plies: int | None = None
    shortest: bool = False


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file that was read.

    Attributes:
        game: name of the game.
        total: how many claims there are.
        claims: the claims. Those of a tree come from its ends to its root: what is proved of the ends helps above.
        remarks: what was passed over, in words.
    """

    game: str
    total: int
    claims: Iterable[ForeignClaim]
    remarks: tuple[str, ...] = ()


def refused(place: str, what: object) -> InvalidPositionError:
    """The error for a place of a file that makes no sense."""
    return InvalidPositionError(f"{place}: {what}")


def sampled(count: int, sample: int | None, seed: int) -> Sequence[int]:
    """The numbers below `count`, or so many of them, drawn without replacement, in rising order."""
    if sample is None or sample >= count:
        return range(count)
    return sorted(random.Random(seed).sample(range(count), sample))
