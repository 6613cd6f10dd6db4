"""The page on which a position is set up: a man of the palette is chosen, then squares of the board. All by links."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.errors import InvalidRequestError
from proofbase.service.explorer.addresses import Place, address
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, page
from proofbase.service.explorer.set_up_text import EMPTY, Pits, SetUpText, read
from proofbase.service.pictures.boards import Board, board_svg, can_be_set_up, palette_of, side_name
from proofbase.service.pictures.markup import Content, Markup, tag

__all__ = ["SetupPage"]


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
        if text.shape != initial.shape:
            raise InvalidRequestError(f"the board of {game.name} has other rows", field="position")
        palette = palette_of(game.name)
        chosen = parameters.get("man", "")
        man = chosen if chosen in palette or chosen == EMPTY else next(iter(palette))

        def href(text: SetUpText, man: str = man) -> str:
            return address(f"/games/{game.name}/setup", position=text.written(), man=man)

        board = board_svg(Board(game.name, text.written(), 0, pick=lambda place: href(text.after(place, man))))
        names = {**palette, EMPTY: "empty"}
        men = [
            tag("a", name, href=href(text, sign), class_="chip", aria_current="true" if sign == man else None)
            for sign, name in names.items()
        ]
        set_up = Place(game.name, text.written())
        return page(
            f"Set up: {game.name}",
            back_to(Place(game.name)),
            tag(
                "div",
                tag(
                    "div",
                    tag("p", _what_to_do(text, family, man, names[man]), class_="verdict", id="value"),
                    class_="said",
                ),
                tag("div", tag("div", board, class_="board-frame"), class_="board-side"),
                tag(
                    "div",
                    tag("p", *spaced(men), class_="chips", id="palette"),
                    _sides(game.name, text, href),
                    tag(
                        "p",
                        tag("a", "Clear the board", href=href(text.cleared()), class_="button", id="clear"),
                        tag("a", "First position", href=href(initial), class_="button"),
                        *_turned(text, href),
                        tag("a", "Look at this position", href=set_up.href(), class_="button", id="look"),
                        class_="row",
                    ),
                    tag("p", tag("code", text.written()), class_="position-text"),
                    class_="facts-side",
                ),
                class_="position",
            ),
            current="/",
        )


def spaced(parts: list[Markup]) -> list[Content]:
    """The parts with spaces between them."""
    return [piece for part in parts for piece in (part, " ")]


def _what_to_do(text: SetUpText, family: str, man: str, name: str) -> str:
    """The sentence above the board."""
    if text.sides and text.side is None:
        return "These numbers of stones do not say who is to move: choose it."
    if family == "connect-four":
        return (
            "Click a column to take its top stone away." if man == EMPTY else f"Click a column to drop there: {name}."
        )
    if man == "+" and isinstance(text, Pits) and text.full:
        return "All stones are on the board: take some away first."
    if family == "awari":
        return "Click a pit to empty it." if man == EMPTY else f"Click a pit for {name}."
    return f"Click squares to put there: {name}."


def _turned(text: SetUpText, href: Callable[[SetUpText], str]) -> list[Markup]:
    """Links to the mirror image and to the board with the sides swapped, where there are such boards."""
    boards = (("Mirror image", "mirror", text.mirrored()), ("Swap the sides", "swap", text.swapped()))
    return [tag("a", name, href=href(to), class_="button", id=key) for name, key, to in boards if to is not None]


def _sides(game: str, text: SetUpText, href: Callable[[SetUpText], str]) -> Markup | None:
    """Who is to move, where the number of men need not say it."""
    if text.sides is None:
        return None
    links = [
        tag(
            "a",
            f"{side_name(game, number)} to move",
            href=href(text.with_side(side)),
            class_="chip",
            aria_current="true" if side == text.side else None,
        )
        for number, side in enumerate(text.sides)
    ]
    return tag("p", *spaced(links), class_="chips", id="side")
