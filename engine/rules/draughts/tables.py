"""The tables of checkers with two to six men: their classes and the numbers of their positions (docs/tables.md).

A side is written as its men, k for each king, then m for each man, such as `kkm`. The table `kk-km` has the positions
with these two sides: first those in which the larger side (more men, then more kings) is to move, then the others.

All positions have a number, and all numbers a position. They are seen by the side to move, which moves down. Its men
on the first row, those on the other rows, the men of the other side, the own kings and the other kings are the digits,
each the number of a set of squares among those that are left for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from proofbase.engine.rules.draughts.board import ALL, HOME_ROW, KING_ROW, squares_of

__all__ = ["MOST_MEN", "class_of", "number_of", "numbers_of", "position_of", "table_name"]

MOST_MEN = 6
SIDES = tuple("k" * kings + "m" * (men - kings) for men in range(1, MOST_MEN) for kings in range(men + 1))
"""Sides by their numbers."""
MIDDLE = ALL & ~HOME_ROW & ~KING_ROW


def table_name(own: int, other: int, kings: int) -> tuple[str, bool] | None:
    """The class of a position, and whether it is in its second part; None for positions in no table."""
    sides = [_side(men, kings) for men in (own, other)]
    if not all(side in SIDES for side in sides) or own.bit_count() + other.bit_count() > MOST_MEN:
        return None
    second = SIDES.index(sides[0]) < SIDES.index(sides[1])
    return "-".join(reversed(sides) if second else sides), second


def class_of(name: str) -> tuple[int, int] | None:
    """The number of the class with this name, and how many positions it has."""
    larger, _, smaller = name.partition("-")
    if larger not in SIDES or smaller not in SIDES or len(larger + smaller) > MOST_MEN:
        return None
    if SIDES.index(larger) < SIDES.index(smaller):
        return None
    size = numbers_of(larger, smaller)
    return len(SIDES) * SIDES.index(larger) + SIDES.index(smaller), size if larger == smaller else 2 * size


def numbers_of(own: str, other: str) -> int:
    """How many positions have these sides, the first one to move. It is the same when the second one is to move."""
    return sum(_sizes(own, other, first) for first in range(5))


def _sizes(own: str, other: str, first: int) -> int:
    """The positions of these with so many own men on the first row."""
    men, others = own.count("m"), other.count("m")
    if first > men:
        return 0
    places = comb(4, first) * comb(24, men - first) * comb(28 - men + first, others)
    left = 32 - men - others
    return places * comb(left, own.count("k")) * comb(left - own.count("k"), other.count("k"))


def number_of(own: int, other: int, kings: int) -> int:
    """The number of a position among those with its sides."""
    names = _side(own, kings), _side(other, kings)
    men, others = own & ~kings, other & ~kings
    first = men & HOME_ROW
    number = 0
    free = ALL & ~men & ~others
    digits: tuple[tuple[int, int], ...] = (
        (first, HOME_ROW),
        (men & ~HOME_ROW, MIDDLE),
        (others, ALL & ~HOME_ROW & ~men),
        (own & kings, free),
        (other & kings, free & ~own),
    )
    for squares, among in digits:
        number = number * comb(among.bit_count(), squares.bit_count()) + _number_of_set(squares, among)
    return number + sum(_sizes(*names, fewer) for fewer in range(first.bit_count()))


def position_of(own: str, other: str, number: int) -> tuple[int, int, int]:
    """Own men, other men and kings of a number: the inverse of `number_of`."""
    first = 0
    while number >= (size := _sizes(own, other, first)):
        number -= size
        first += 1
    men, others = own.count("m"), other.count("m")
    left = 32 - men - others
    sizes = [comb(24, men - first), comb(28 - men + first, others), comb(left, own.count("k"))]
    sizes.append(comb(left - own.count("k"), other.count("k")))
    places = list[int]()
    for size in reversed(sizes):
        number, place = divmod(number, size)
        places.append(place)
    places.append(number)
    places.reverse()
    men_set = _set_of_number(places[0], first, HOME_ROW) | _set_of_number(places[1], men - first, MIDDLE)
    other_men = _set_of_number(places[2], others, ALL & ~HOME_ROW & ~men_set)
    free = ALL & ~men_set & ~other_men
    own_kings = _set_of_number(places[3], own.count("k"), free)
    other_kings = _set_of_number(places[4], other.count("k"), free & ~own_kings)
    return men_set | own_kings, other_men | other_kings, own_kings | other_kings


def _side(squares: int, kings: int) -> str:
    return "k" * (squares & kings).bit_count() + "m" * (squares & ~kings).bit_count()


def _number_of_set(squares: int, among: int) -> int:
    """Men on the places a < b < c of the squares that are left count C(a, 1) + C(b, 2) + C(c, 3)."""
    places = list(squares_of(among))
    return sum(comb(places.index(square), count) for count, square in enumerate(squares_of(squares), 1))


def _set_of_number(number: int, count: int, among: int) -> int:
    places = list(squares_of(among))
    squares = 0
    for left in range(count, 0, -1):
        place = max(_places(number, left, len(places)))
        number -= comb(place, left)
        squares |= 1 << places[place]
    return squares


def _places(number: int, count: int, places: int) -> Iterable[int]:
    return (place for place in range(places) if comb(place, count) <= number)
