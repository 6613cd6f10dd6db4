"""Texts of others where they are shown: signs that a screen takes as commands are written as escapes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

__all__ = ["is_shown", "visible", "with_escapes"]

JOINERS = "\u200c\u200d"
"""A part of some scripts and of emoji."""


def is_shown(sign: str) -> bool:
    """Whether a sign stands for itself: it neither controls a terminal, nor ends a line, nor changes the direction."""
    return sign in JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def visible(text: str, *, lines: bool = False) -> str:
    """A text in which each sign is seen; those that are not shown stand there as escapes.

    Args:
        text: of anybody.
        lines: whether it may have several lines, such as a board: line feeds and tabs stay.
    """
    return with_escapes(text, "\n\t" if lines else "", lambda sign: repr(sign)[1:-1])


def with_escapes(text: str, kept: str, escape: Callable[[str], str]) -> str:
    """A text in which `escape` stands for each sign that is not shown and not kept."""
    if text.isprintable():
        return text
    return "".join(sign if sign in kept or is_shown(sign) else escape(sign) for sign in text)
