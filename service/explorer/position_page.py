"""The page of a position: the board, the table of values, the game that it is a part of, and what can be asked."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.errors import EngineError
from proofbase.service.answers import GameInfo, MoveAnswer, PositionAnswer
from proofbase.service.errors import ServiceError
from proofbase.service.explorer.addresses import Place, address, of_moves
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import field, page, section, sent_to
from proofbase.service.explorer.questions import SEARCH_NODES, asked_of_position, asked_of_value
from proofbase.service.explorer.walking import place_fields, played_game, steps, taken_along
from proofbase.service.pictures.job import facts_list
from proofbase.service.pictures.markup import Markup, tag
from proofbase.service.pictures.position import moves_table, position_board, position_facts
from proofbase.service.pictures.sentences import verdict_line

__all__ = ["PositionPage"]

MORE_FACTS = ("open", "searched")
"""What the sentence about the value does not say."""


class PositionPage:
    """Answers `/games/{game}` and `/games/{game}/open`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The page of a position. With `move`, a move that was typed, it is the page after that move."""
        parameters = dict(request.query_params)
        place = Place.read(request.path_params["game"], parameters)
        typed = of_moves(parameters.get("move", ""))
        if typed:
            try:
                await self._asker.lookup_at(place.after(*typed))
            except (EngineError, ServiceError) as error:
                return await self._page(place, complaint=error)
            return sent_to(place.after(*typed).href())
        nodes = parameters.get("search", "")
        return await self._page(
            place,
            search=int(nodes) if nodes.isascii() and nodes.isdigit() and len(nodes) < 12 else 0,
            chosen=parameters.get("chosen", ""),
        )

    async def open(self, request: Request) -> Response:
        """Sends to the page of what somebody has pasted: a position in any of its forms, or a list of moves."""
        name, text = request.path_params["game"], request.query_params.get("text", "").strip()
        game = await self._asker.game(name)
        try:
            answer = await self._asker.lookup(name, text)
        except (EngineError, ServiceError) as error:
            return await self._page(Place(game.name), complaint=error, pasted=text)
        try:
            played = await self._asker.analysis(name, "", (text.removeprefix("moves:"),))
        except (EngineError, ServiceError):
            return sent_to(Place(game.name, answer.position).href())
        if not played.moves or played.last_position != answer.position:
            return sent_to(Place(game.name, "" if text in ("", "-") else answer.position).href())
        moves = tuple(move.move for move in played.moves)
        first = (await self._asker.lookup(name, "")).position
        start = "" if played.position == first else played.position
        return sent_to(Place(game.name, start, moves, len(moves)).href())

    async def _page(
        self, place: Place, *, search: int = 0, chosen: str = "", complaint: Exception | None = None, pasted: str = ""
    ) -> Response:
        game = await self._asker.game(place.game)
        answer = await self._asker.lookup_at(place, search_nodes=search)
        return page(
            game.name,
            tag("p", str(complaint), class_="error", role="alert", id="complaint") if complaint else None,
            self._position(place, answer, game, chosen),
            played_game(place),
            self._elsewhere(place, game, pasted),
            current="/",
        )

    def _position(self, place: Place, answer: PositionAnswer, game: GameInfo, chosen: str) -> Markup:
        """The value, the board, the moves, and what can be asked."""
        highest = game.highest_value

        def link(move: MoveAnswer) -> str:
            return place.after(move.move).href()

        def ask(move: MoveAnswer) -> Markup:
            href = place.after(move.move).href(search=SEARCH_NODES)
            return tag("a", "search", href=href, aria_label=f"search the position after {move.move}")

        board = position_board(
            answer,
            highest,
            last=place.last,
            link=link,
            turns=place.turn,
            chosen=chosen,
            choose=lambda steps: place.href(chosen=steps),
        )
        facts = [fact for fact in position_facts(answer, highest) if fact[0] in MORE_FACTS]
        return tag(
            "div",
            tag("div", verdict_line(answer, highest), asked_of_value(place, answer), class_="said"),
            tag(
                "div",
                tag("div", board, class_="board-frame"),
                steps(place),
                self._typed(place, answer),
                class_="board-side",
            ),
            tag(
                "div",
                facts_list(facts) if facts else None,
                moves_table(answer, highest, link=link, ask=ask),
                tag("p", answer.cut.message, class_="note") if answer.cut else None,
                asked_of_position(place, answer),
                taken_along(place, answer),
                class_="facts-side",
            ),
            class_="position",
            id="position",
            data_game=answer.game,
            data_position=answer.position,
        )

    def _typed(self, place: Place, answer: PositionAnswer) -> Markup | None:
        """A move as text."""
        if answer.terminal:
            return None
        entry = field("Move", "move", hint=answer.moves[0].move if answer.moves else None)
        action = place.href().partition("?")[0]
        return tag(
            "form", place_fields(place), entry, tag("button", "Play"), action=action, class_="row", id="type-move"
        )

    def _elsewhere(self, place: Place, game: GameInfo, pasted: str) -> Markup:
        """Another position."""
        area = tag("textarea", pasted, name="text", rows=2, spellcheck="false", autocomplete="off", required=True)
        paste = tag(
            "form",
            tag("label", tag("span", "A position or a list of moves"), area),
            tag("button", "Go there"),
            action=address(f"/games/{game.name}/open"),
            class_="row",
            id="paste",
        )
        start = tag("p", tag("a", "The initial position", href=Place(game.name).href()))
        return section(
            "Another position",
            paste,
            start if place.at or place.start else None,
            tag("p", game.description, class_="note"),
        )
