"""The lines of a game that a side can still fill, for tests of the rules of lines and of pairings."""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.engine.rules.lines import LineRules

__all__ = ["open_lines"]


def open_lines(rules: LineRules, own: int, other: int) -> Iterator[int]:
    """The lines, as sets of squares, that a side can still fill; `other` are the stones of its opponent."""
    for line in rules.lines:
        if not line.squares & other and not line.spoilers & own:
            yield line.squares
