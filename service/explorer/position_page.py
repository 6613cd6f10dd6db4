"""The page of a position: the board, the table of values, the game that it is a part of, and what can be asked."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.errors import EngineError, InvalidMoveError, InvalidPositionError
from proofbase.engine.rules import is_built_in
from proofbase.engine.rules.set_up import is_unreachable
from proofbase.service.answers import GameInfo, MoveAnswer, PositionAnswer
from proofbase.service.errors import ServiceError
from proofbase.service.explorer.addresses import Place, address, split_moves
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import field, for_visitors, job_form, page, section, sent_to
from proofbase.service.explorer.navigation import (
    contact_link,
    place_fields,
    played_game,
    share_and_download,
    steps_of_game,
)
from proofbase.service.explorer.questions import SEARCH_NODES, asked_of_position, asked_of_value
from proofbase.service.explorer.rules_text import rules_section
from proofbase.service.jobs.model import Job
from proofbase.service.pictures.boards import can_be_set_up
from proofbase.service.pictures.boards.board import Squares
from proofbase.service.pictures.job import facts_list
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.pictures.position import moves_table, only_text, position_board, position_facts
from proofbase.service.pictures.sentences import verdict_line
from proofbase.service.words.fifty_moves import counter_of, fifty_moves_text

__all__ = ["PositionPage"]

RATING_NODES = 200_000
"""Nodes of the searches of all moves of a position together."""
MORE_FACTS = ("open", "searched", "verified", "package")
"""What the sentence about the value does not say."""


def can_be_rated(answer: PositionAnswer, game: GameInfo) -> bool:
    """Whether searches may find out more of the moves. What a move of a user's game adds to the score is not asked."""
    return any(not move.known for move in answer.moves) and (is_built_in(game.name) or game.highest_value == 1)


class PositionPage:
    """Answers `/games/{game}` and `/games/{game}/open`.

    Args:
        asker: asks the services.
        contact: where visitors write to about a position; None for nowhere.
    """

    def __init__(self, asker: Asker, contact: str | None = None) -> None:
        self._asker = asker
        self._contact = contact

    async def show(self, request: Request) -> Response:
        """The page of a position. With `move`, a move that was typed, it is the page after that move."""
        parameters = dict(request.query_params)
        place = Place.read(request.path_params["game"], parameters)
        typed = split_moves(parameters.get("move", ""))
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
            rate="rate" in parameters,
        )

    async def open(self, request: Request) -> Response:
        """Sends to the page of what somebody has pasted: a position in any of its forms, or a list of moves."""
        name, text = request.path_params["game"], request.query_params.get("text", "").strip()
        game = await self._asker.game(name)
        try:
            answer = await self._asker.lookup(name, text)
        except (EngineError, ServiceError) as error:
            return await self._page(Place(game.name), complaint=error, pasted=text)
        part = "analysis" if request.query_params.get("then") == "analysis" else ""
        try:
            played = await self._asker.analysis(name, "", (text.removeprefix("moves:"),))
        except (EngineError, ServiceError):
            # A counter of the fifty-move rule is kept, since something is said of it.
            return sent_to(Place(game.name, text if counter_of(game.name, text) else answer.position).href())
        if not played.moves or played.last_position != answer.position:
            return sent_to(Place(game.name, "" if text in ("", "-") else answer.position).href())
        moves = tuple(move.move for move in played.moves)
        first = (await self._asker.lookup(name, "")).position
        start = "" if played.position == first else played.position
        return sent_to(Place(game.name, start, moves, len(moves)).href(part))

    async def _page(
        self,
        place: Place,
        *,
        search: int = 0,
        chosen: str = "",
        rate: bool = False,
        complaint: Exception | None = None,
        pasted: str = "",
        status: int = 200,
    ) -> Response:
        game = await self._asker.game(place.game)
        try:
            answer = await self._asker.lookup_at(place, search_nodes=search)
        except (InvalidPositionError, InvalidMoveError) as error:
            if complaint is not None or place == Place(place.game):
                raise
            # The way back: the position where the game starts, with what is wrong about the other one.
            return await self._page(Place(game.name), complaint=error, pasted=place.start, status=400)
        searched, tried = frozenset[int](), ""
        if rate and can_be_rated(answer, game):
            answer, searched, tried = await self._asker.rated(answer, RATING_NODES)
        notice = None
        if complaint is not None:
            notice = tag("p", for_visitors(str(complaint)), class_="error", role="alert", id="complaint")
        job = None if answer.value.exact else await self._asker.job_about(answer)
        return page(
            game.name,
            notice,
            self._position(
                place,
                answer,
                game,
                chosen,
                searched if rate else None,
                await self._asker.squares(answer),
                job,
                tried=tried,
            ),
            played_game(place),
            self._elsewhere(place, game, pasted),
            status=status,
            current="/",
        )

    def _position(
        self,
        place: Place,
        answer: PositionAnswer,
        game: GameInfo,
        chosen: str,
        rated: frozenset[int] | None,
        squares: Squares | None,
        job: Job | None,
        *,
        tried: str = "",
    ) -> Markup:
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
            searched=rated or frozenset(),
            squares=squares,
        )
        offered = rated is None and can_be_rated(answer, game)
        rated_positions = [move.position for move in answer.moves if rated and move.known and move.number in rated]
        # Nothing is stored of a value that the moves tell and that a search has just found.
        newly = bool(rated) and answer.value.exact and not answer.claims
        rate = tag("a", "Rate all moves", href=place.href(rate=1), class_="button", id="rate")
        note = tag("p", "Values with a dashed border were just searched; they are not stored.", class_="note")
        set_up = is_unreachable(answer.game, answer.position)
        counter = None if place.at else fifty_moves_text(answer, place.start)
        facts = [fact for fact in position_facts(answer, highest) if fact[0] in MORE_FACTS]
        return tag(
            "div",
            tag(
                "div",
                verdict_line(answer, highest, searched=newly),
                tag("p", f"{counter[:1].upper()}{counter[1:]}.", class_="note", id="fifty-moves") if counter else None,
                tag("p", "Set up: not reachable from the start.", class_="note", id="set-up") if set_up else None,
                asked_of_value(place, answer, job),
                class_="said",
            ),
            tag(
                "div",
                tag("div", board, class_="board-frame"),
                steps_of_game(place),
                self._typed(place, answer),
                class_="board-side",
            ),
            tag(
                "div",
                facts_list(facts) if facts else None,
                moves_table(
                    answer,
                    highest,
                    link=link,
                    ask=ask,
                    searched=rated or frozenset(),
                    unfolded=only_text(answer, squares),
                ),
                note if rated else tag("p", f"Nothing more was found. {tried}", class_="note") if tried else None,
                job_form("store-rated", "Store these values", 2, answer.game, rated_positions)
                if rated_positions
                else None,
                tag("p", rate) if offered else None,
                tag("p", answer.cut.message, class_="note") if answer.cut else None,
                asked_of_position(place, answer),
                share_and_download(place, answer),
                contact_link(self._contact, answer) if self._contact else None,
                class_="facts-side",
            ),
            class_="position",
            id="position",
            data_game=answer.game,
            data_position=answer.position,
            data_rate="yes" if offered and answer.value.exact and answer.searched is None else None,
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
            tag("label", tag("span", "A position, a list of moves, or a game as PGN or SGF"), area),
            tag("button", "Go there"),
            tag("button", "Analyse this game", name="then", value="analysis"),
            action=address(f"/games/{game.name}/open"),
            class_="row",
            id="paste",
        )
        ways: list[Content] = [tag("a", "The initial position", href=Place(game.name).href()), " "]
        play = replace(place, moves=place.played).href("play")
        ways.append(tag("a", "Play on against the store", href=play, class_="button", id="play"))
        if can_be_set_up(game.name):
            setup_link = place.href("setup") if place.position is None else Place(game.name, place.start).href("setup")
            ways += [" ", tag("a", "Set up a position", href=setup_link, class_="button", id="setup")]
        return section(
            "Another position",
            paste,
            tag("p", *ways, class_="row"),
            rules_section(game.name, game.description),
        )
