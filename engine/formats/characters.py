"""Characters that programs and people put into texts of positions and moves, and the plain ones that they stand for."""

from __future__ import annotations

__all__ = ["plain_characters"]

_DASHES = "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}\N{HORIZONTAL BAR}\N{MINUS SIGN}"
_SPACES = "\N{NO-BREAK SPACE}\N{FIGURE SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}"
_INVISIBLE = (
    "\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}\N{ZERO WIDTH JOINER}\N{WORD JOINER}\N{LEFT-TO-RIGHT MARK}"
    "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"
)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_SPACES, " "),
        **dict.fromkeys(_INVISIBLE, ""),
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    }
)


def plain_characters(text: str) -> str:
    """The text with plain dashes, spaces, quotation marks and signs of capture, and without invisible characters.

    The byte-order mark at the beginning of a file is one of the invisible characters.
    """
    return text if text.isascii() else text.translate(_PLAIN)
