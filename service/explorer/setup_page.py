"""The page on which a position is set up: a man of the palette is chosen, then squares of the board. All by links."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.errors import InvalidRequestError
from proofbase.service.explorer.addresses import Place, address
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, page
from proofbase.service.pictures.boards import Board, board_svg, can_be_set_up, palette_of
from proofbase.service.pictures.markup import Content, Markup, tag

__all__ = ["SetupPage"]

EMPTY = "."


class Text(NamedTuple):
    """The text of a position in its parts.

    Attributes:
        rows: the signs of its squares, row by row from the top.
        rest: what follows the rows.
    """

    rows: tuple[str, ...]
    rest: str

    def with_sign(self, square: int, sign: str) -> Text:
        """The same with another sign on a square, which counts from the top left."""
        cells = list("".join(self.rows))
        cells[square] = sign
        rows, start = [], 0
        for row in self.rows:
            rows.append("".join(cells[start : start + len(row)]))
            start += len(row)
        return Text(tuple(rows), without_rights(self.rest))

    def cleared(self) -> Text:
        """The same without men."""
        return Text(tuple(EMPTY * len(row) for row in self.rows), without_rights(self.rest))


def without_rights(rest: str) -> str:
    """What follows the board of a FEN, without rights to castle or to capture in passing: the men may have moved."""
    fields = rest.split()
    return f" {fields[0]} - - 0 1" if len(fields) > 1 else rest


class SetupPage:
    """Answers `/games/{game}/setup`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The board of `position`, which need not be legal yet; a click on a square puts `man` there.

        Raises:
            InvalidRequestError: games of this kind are not set up, or the text has another form.
        """
        parameters = dict(request.query_params)
        game = await self._asker.game(request.path_params["game"])
        if not can_be_set_up(game.name):
            raise InvalidRequestError(f"positions of {game.name} are not set up square by square", field="game")
        family = game.name.partition(":")[0]
        initial = read(family, game.initial)
        text = read(family, parameters.get("position") or game.initial)
        if [len(row) for row in text.rows] != [len(row) for row in initial.rows]:
            raise InvalidRequestError(f"the board of {game.name} has other rows", field="position")
        palette = palette_of(game.name)
        chosen = parameters.get("man", "")
        man = chosen if chosen in palette or chosen == EMPTY else next(iter(palette))

        def href(text: Text, man: str = man) -> str:
            return address(f"/games/{game.name}/setup", position=written(family, text), man=man)

        board = board_svg(
            Board(game.name, written(family, text), 0, pick=lambda square: href(text.with_sign(square, man)))
        )
        names = {**palette, EMPTY: "empty"}
        men = [
            tag("a", name, href=href(text, sign), class_="chip", aria_current="true" if sign == man else None)
            for sign, name in names.items()
        ]
        here = Place(game.name, written(family, text))
        return page(
            f"Set up: {game.name}",
            back_to(Place(game.name)),
            tag(
                "div",
                tag(
                    "div",
                    tag("p", f"Click squares to put there: {names[man]}.", class_="verdict", id="value"),
                    class_="said",
                ),
                tag("div", tag("div", board, class_="board-frame"), class_="board-side"),
                tag(
                    "div",
                    tag("p", *spaced(men), class_="chips", id="palette"),
                    _sides(family, text, href),
                    tag(
                        "p",
                        tag("a", "Clear the board", href=href(text.cleared()), class_="button", id="clear"),
                        tag("a", "First position", href=href(initial), class_="button"),
                        tag("a", "Look at this position", href=here.href(), class_="button", id="look"),
                        class_="row",
                    ),
                    tag("p", tag("code", written(family, text)), class_="position-text"),
                    class_="facts-side",
                ),
                class_="position",
            ),
            current="/",
        )


def spaced(parts: list[Markup]) -> list[Content]:
    """The parts with spaces between them."""
    return [piece for part in parts for piece in (part, " ")]


def _sides(family: str, text: Text, href: Callable[[Text], str]) -> Markup | None:
    """Who is to move, where the number of men does not say it."""
    choices = {"chess": ("w", "b"), "giveaway": ("w", "b"), "mens-morris": ("x", "o")}.get(family)
    if choices is None:
        return None
    now = text.rest.lstrip(" :")[:1]
    links = [
        tag(
            "a",
            f"{name} to move",
            href=href(Text(text.rows, _rest(family, side))),
            class_="chip",
            aria_current="true" if side == now else None,
        )
        for side, name in zip(choices, ("White", "Black"), strict=True)
    ]
    return tag("p", *spaced(links), class_="chips", id="side")


def _rest(family: str, side: str) -> str:
    return f":{side}" if family == "mens-morris" else f" {side} - - 0 1"


def read(family: str, text: str) -> Text:
    """The parts of a position's text.

    Raises:
        InvalidRequestError: it has another form.
    """
    chess = family in ("chess", "giveaway")
    found = re.fullmatch(r"([A-Za-z1-8./]+)([ :].*)?" if chess else r"([.xo/]+)(:[xo].*)?", text)
    if found is None:
        raise InvalidRequestError(f"{text[:60]!r} is no board", field="position")
    rows = found[1].split("/")
    if chess:
        rows = [re.sub("[1-8]", lambda count: EMPTY * int(count[0]), row) for row in rows]
    rest = found[2] or ""
    # In morris games with men in hand a position that is set up has all of its men on the board.
    return Text(tuple(rows), rest[:2] if family == "mens-morris" else rest)


def written(family: str, text: Text) -> str:
    """The text of a position from its parts."""
    rows = list(text.rows)
    if family in ("chess", "giveaway"):
        rows = [re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in rows]
    return "/".join(rows) + text.rest
