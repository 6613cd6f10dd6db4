"""The page of a position: the board, the table of values, the game that it is a part of, and what can be asked."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.errors import EngineError
from proofbase.service.answers import GameInfo, MoveAnswer, PositionAnswer
from proofbase.service.errors import ServiceError
from proofbase.service.explorer.addresses import Place, address, of_moves
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import field, job_form, page, section, sent_to
from proofbase.service.pictures.job import facts_list
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.pictures.position import moves_table, position_board, position_facts

__all__ = ["PositionPage"]

SEARCH_NODES = 100_000
SEARCH_CHOICES = (10_000, 100_000, 1_000_000)


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
            place, search=int(nodes) if nodes.isascii() and nodes.isdigit() and len(nodes) < 12 else 0
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
        self, place: Place, *, search: int = 0, complaint: Exception | None = None, pasted: str = ""
    ) -> Response:
        game = await self._asker.game(place.game)
        answer = await self._asker.lookup_at(place, search_nodes=search)
        return page(
            game.name,
            tag("p", str(complaint), class_="error", role="alert", id="complaint") if complaint else None,
            self._board(place, answer, game),
            self._game(place),
            self._ask(place, answer),
            self._elsewhere(place, game, pasted),
            current="/",
        )

    def _board(self, place: Place, answer: PositionAnswer, game: GameInfo) -> Markup:
        def link(move: MoveAnswer) -> str:
            return place.after(move.move).href()

        def search(move: MoveAnswer) -> Markup | None:
            href = place.after(move.move).href(search=SEARCH_NODES)
            return tag("a", "search", href=href, aria_label=f"search the position after {move.move}")

        highest = game.highest_value
        board = position_board(answer, highest, last=place.last, link=link)
        facts = facts_list(position_facts(answer, highest))
        cut = tag("p", answer.cut.message, class_="note") if answer.cut else None
        text = tag("p", tag("code", answer.position), class_="position-text")
        typed = None
        if not answer.terminal:
            hidden = _hidden(place)
            entry = field("Move", "move", hint=answer.moves[0].move if answer.moves else None)
            typed = tag(
                "form",
                hidden,
                entry,
                tag("button", "Play"),
                action=place.href().partition("?")[0],
                class_="row",
                id="type-move",
            )
        return tag(
            "div",
            tag("div", tag("div", board, class_="board-frame"), self._steps(place), typed, text, class_="board-side"),
            tag("div", facts, moves_table(answer, highest, link=link, ask=search), cut, class_="facts-side"),
            class_="beside",
            id="position",
            data_game=answer.game,
            data_position=answer.position,
        )

    def _steps(self, place: Place) -> Markup:
        """Back and forward in the game."""
        steps = (
            ("first", "|◀", "to the start", 0, place.at > 0),
            ("back", "◀", "one move back", place.at - 1, place.at > 0),
            ("forward", "▶", "one move forward", place.at + 1, place.at < len(place.moves)),
            ("last", "▶|", "to the end", len(place.moves), place.at < len(place.moves)),
        )
        parts = [
            tag("a", sign, href=place.to(to).href(), id=f"step-{name}", aria_label=label, title=label)
            if possible
            else tag("span", sign, class_="off", aria_hidden="true")
            for name, sign, label, to, possible in steps
        ]
        count = tag("span", f"move {place.at} of {len(place.moves)}", class_="count-of-moves") if place.moves else None
        return tag("p", *parts, count, class_="steps")

    def _game(self, place: Place) -> Markup | None:
        """The moves of the game, each a link to the position after it."""
        if not place.moves:
            return None
        items = []
        for number, move in enumerate(place.moves, 1):
            now = "step" if number == place.at else None
            items.append(tag("li", tag("a", move, href=place.to(number).href(), aria_current=now)))
        analysis = tag("p", tag("a", "Analyse this game", href=place.href("analysis"), id="analyse"))
        return section("The game", tag("ol", *items, class_="played"), analysis)

    def _ask(self, place: Place, answer: PositionAnswer) -> Markup | None:
        """What can be asked about the position."""
        if answer.terminal:
            return None
        parts: list[Content] = []
        known = answer.value.exact and answer.searched is None
        links = []
        if known:
            links.append(tag("a", "Best play", href=place.href("line"), class_="button", id="best-play"))
        if answer.claims:
            links.append(tag("a", "Why?", href=place.href("proof"), class_="button", id="why"))
        if links:
            parts.append(tag("p", *joined_with(links, " ")))
        if known:
            parts.append(self._solve_moves(answer))
        else:
            parts += [tag("p", _what_to_ask(answer)), self._search(place), self._solve()]
        return section("Ask", *parts, tag("div", id="live"))

    def _search(self, place: Place) -> Markup:
        choices = [tag("option", f"{nodes:,}", value=nodes, selected=nodes == SEARCH_NODES) for nodes in SEARCH_CHOICES]
        return tag(
            "form",
            _hidden(place),
            tag("label", tag("span", "Nodes of the search"), tag("select", *choices, name="search")),
            tag("button", "Search"),
            action=place.href().partition("?")[0],
            class_="row",
            id="search",
        )

    def _solve_moves(self, answer: PositionAnswer) -> Markup | None:
        """One job for the moves of a known position that are not known themselves."""
        positions = [move.position for move in answer.moves if not move.known]
        if not positions:
            return None
        moves = "1 move that is" if len(positions) == 1 else f"{len(positions)} moves that are"
        return job_form("solve-moves", f"Solve the {moves} not known exactly", 10, answer.game, positions)

    def _solve(self) -> Markup:
        seconds = field("Seconds of the job", "seconds", "60", kind="number")
        return tag(
            "form",
            seconds,
            tag("button", "Solve"),
            class_="row scripted",
            hidden=True,
            id="solve",
            data_start="solve",
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


def joined_with(parts: list[Markup], between: str) -> list[Content]:
    """The parts with a text between them."""
    pieces: list[Content] = [piece for part in parts for piece in (part, between)]
    return pieces[:-1]


def _what_to_ask(answer: PositionAnswer) -> str:
    if answer.value.exact:
        return "The search has found the value, and stored nothing. A job stores what it proves."
    return (
        "The value of this position is not known exactly. A search looks now and stores nothing; "
        "a job solves it and stores what it proves."
    )


def _hidden(place: Place) -> Markup:
    """The place in the fields of a form."""
    fields = {
        "position": place.start,
        "moves": ",".join(place.moves),
        "at": place.at if place.at < len(place.moves) else "",
    }
    return joined(
        *(tag("input", type="hidden", name=name, value=value) for name, value in fields.items() if value != "")
    )
