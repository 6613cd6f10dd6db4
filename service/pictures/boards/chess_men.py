"""The men of chess as filled shapes, drawn for proofbase: each on a square of 45 units."""

from __future__ import annotations

from proofbase.service.pictures.markup import Markup, tag

__all__ = ["NAMES", "man"]

NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
_BASE = "M10.5 39v-3.2c0-1.6 1.3-2.6 3-2.6h18c1.7 0 3 1 3 2.6V39z"
_BALL = "a2.4 2.4 0 0 1 0 4.8 2.4 2.4 0 0 1 0-4.8z"
_MITRE = (
    "M15.5 34c.4-2.6 1.4-4.3 2-5.6-2.8-1.7-4.3-4.3-4.3-7.3 0-4.7 4.7-7.8 9.3-11.6 4.6 3.8 9.3 6.9 9.3 11.6 "
    "0 3-1.5 5.6-4.3 7.3.6 1.3 1.6 3 2 5.6z"
)
_HORSE = (
    "M13.5 34c-.3-6.5 8.2-8.3 8.2-14.2-2.6.4-4.6 2.6-6.5 4.4-1.9 1.7-4.9 1.5-5.9-1-.5-1.4.3-2.5 1-3.6 1.9-2.9 2.9-5.8 "
    "4.3-8.2.6-1.2.3-3.6.9-5.4l4.4 3.5c7.6 0 12.6 6.3 12.6 15.4 0 3.6-1 6.1-1 9.1z"
)
_ROBE = (
    "M14 34c-.6-3.6-5.7-6-5.7-11.2 0-4.4 3.3-6.5 6.7-6.5 2.7 0 4.7 1.2 5.9 2.6.1-1.7-.6-3-.6-4.3 0-1.3 1-2.3 2.2-2.3"
    "s2.2 1 2.2 2.3c0 1.3-.7 2.6-.6 4.3 1.2-1.4 3.2-2.6 5.9-2.6 3.4 0 6.7 2.1 6.7 6.5 0 5.2-5.1 7.6-5.7 11.2z"
)
_SHAPES: dict[str, tuple[str, ...]] = {
    "P": (
        "M12.5 39c0-7.2 5.6-8.6 6.8-15.2h6.4C26.9 30.4 32.5 31.8 32.5 39z",
        "M22.5 9.5a6.3 6.3 0 0 1 4.3 10.9l2.2 3.4h-13l2.2-3.4a6.3 6.3 0 0 1 4.3-10.9z",
    ),
    "R": (
        "M14.5 34l1.8-15h12.4l1.8 15z",
        "M11.5 8h5v3.8h3.6V8h4.8v3.8h3.6V8h5v8.2l-3.4 3.4H14.9l-3.4-3.4z",
    ),
    "B": (_MITRE, "M22.5 4.2a2.7 2.7 0 0 1 0 5.4 2.7 2.7 0 0 1 0-5.4z"),
    "N": (_HORSE,),
    "Q": (
        "M13.5 34L8.3 15.2l7 6.3 1.4-11.8 5.8 10.8 5.8-10.8 1.4 11.8 7-6.3L31.5 34z",
        f"M8 10.8{_BALL}M16.5 5.3{_BALL}M28.5 5.3{_BALL}M37 10.8{_BALL}",
    ),
    "K": (_ROBE, "M21 3.5h3v2.6h2.7v2.8H24v3.6h-3V8.9h-2.7V6.1H21z"),
}
_LINES = {
    "B": "M22.5 14.5v8M19 18h7",
    "N": "M17.3 13.9v.1",
    "K": "M22.5 19.5V29",
    "R": "M16.2 19.6h12.6",
}


def man(letter: str, x: float, y: float, size: float) -> Markup:
    """A man with his middle at a place.

    Args:
        letter: as in FEN, capital for White.
        x, y: the middle.
        size: of his square.
    """
    kind = letter.upper()
    shapes = [tag("path", d=shape) for shape in (*_SHAPES[kind], _BASE)]
    if kind == "P":
        shapes = shapes[:-1]
    lines = tag("path", class_="line", d=_LINES[kind]) if kind in _LINES else None
    scale = size / 45
    place = f"translate({x - size / 2:.6g} {y - size / 2:.6g}) scale({scale:.6g})"
    return tag("g", *shapes, lines, class_=f"man {'white' if letter.isupper() else 'black'}-man", transform=place)
