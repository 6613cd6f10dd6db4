"""The page of a game against the store, with hints, moves taken back, and what the moves gave away."""

from __future__ import annotations

import secrets
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import Analysis, GameInfo, MoveAnswer, PositionAnswer, Value
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import page, sent_to
from proofbase.service.explorer.navigation import turned_board
from proofbase.service.pictures.boards import side_text
from proofbase.service.pictures.boards.board import Squares
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.pictures.position import move_link, moves_table, only_text, package_note, position_board
from proofbase.service.pictures.sentences import best_moves, verdict_line
from proofbase.service.words.values import OUTCOMES

__all__ = ["PlayPage"]

REPLY_NODES = 50_000
"""Nodes of the searches for a reply, where the best one is not stored."""


class PlayPage:
    """Answers `/games/{game}/play`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The game where it is the visitor's turn, or over; where it is not, the page after the store's reply.

        The visitor has the side of `as`, 0 or 1; without it the side to move. With `hint` the values are shown.
        """
        parameters, place, game = await self._asker.read(request)
        place = replace(place, moves=place.played)
        answer = await self._asker.lookup_at(place)
        turn = place.at % 2
        player = int(parameters["as"]) if parameters.get("as") in ("0", "1") else turn
        if turn != player and not answer.terminal:
            reply = await self._reply(answer)
            return sent_to(place.after(reply.move).href("play", **{"as": player}))
        played = await self._asker.analysis(place.game, place.start, place.played)
        return page(
            f"Play: {game.name}",
            self._game(
                place,
                answer,
                game,
                player,
                hint="hint" in parameters,
                chosen=parameters.get("chosen", ""),
                squares=await self._asker.squares(answer),
            ),
            self._moves(place, played, player),
            package_note(played.package),
            current="/",
        )

    async def _reply(self, answer: PositionAnswer) -> MoveAnswer:
        """The best move that is known; where none is, the one that a search finds; else any."""
        if not (answer.value.exact and best_moves(answer)):
            answer, _, _ = await self._asker.rated(answer, REPLY_NODES)
        best = [move for move in best_moves(answer) if move.known]
        if not best:
            most = max(move.value.lower for move in answer.moves)
            best = [move for move in answer.moves if move.value.lower == most]
        return secrets.choice(best)

    def _game(
        self,
        place: Place,
        answer: PositionAnswer,
        game: GameInfo,
        own: int,
        *,
        hint: bool,
        chosen: str,
        squares: Squares | None,
    ) -> Markup:
        def link(move: MoveAnswer) -> str:
            return place.after(move.move).href("play", **{"as": own})

        highest = game.highest_value
        visible_answer = answer if hint or answer.terminal else _without_values(answer, highest)
        board = position_board(
            visible_answer,
            highest,
            last=place.last,
            link=link,
            turns=place.turn,
            chosen=chosen,
            squares=squares,
            choose=lambda steps: place.href("play", chosen=steps, **{"as": own}),
        )
        sentence = (
            verdict_line(answer, highest)
            if hint or answer.terminal
            else tag("p", "Your move.", class_="verdict", id="value")
        )
        side = (
            tag("p", f"You play {side_text(own if not place.start else answer.side, game.name)}.")
            if not answer.terminal
            else None
        )
        back = replace(place, moves=place.moves[:-2], at=max(0, place.at - 2))
        buttons: list[Content] = []
        if not answer.terminal and not hint:
            buttons.append(tag("a", "Hint", href=place.href("play", hint=1, **{"as": own}), class_="button", id="hint"))
        if place.at >= 2:
            buttons.append(
                tag("a", "Take back", href=back.href("play", **{"as": own}), class_="button", id="take-back")
            )
        start = Place(game.name, place.start)
        buttons += [
            tag("a", "New game, you begin", href=start.href("play", **{"as": 0}), class_="button"),
            tag("a", "New game, the store begins", href=start.href("play", **{"as": 1}), class_="button"),
            tag("a", "Look at this position", href=place.href(), class_="button"),
        ]
        table = moves_table(visible_answer, highest, link=link, unfolded=only_text(answer, squares)) if hint else None
        links = tag("ul", *(tag("li", move_link(move, link)) for move in answer.moves), class_="open-moves")
        listed = (
            tag("details", tag("summary", "Moves as a list"), links, class_="more", open=only_text(answer, squares))
            if not hint and answer.moves
            else None
        )
        turned = turned_board(place, "play", **{"as": own})
        return tag(
            "div",
            tag("div", sentence, class_="said"),
            tag(
                "div",
                tag("div", board, class_="board-frame"),
                tag("p", turned, class_="steps") if turned else None,
                class_="board-side",
            ),
            tag("div", side, tag("p", *buttons, class_="row"), table, listed, class_="facts-side"),
            class_="position",
            id="play-against",
        )

    def _moves(self, place: Place, played: Analysis, own: int) -> Markup | None:
        """What each move of the visitor gave away."""
        items = []
        for number, move in enumerate(played.moves):
            if number % 2 != own:
                continue
            if move.changes_outcome:
                text = f"{OUTCOMES[move.outcome]} became {OUTCOMES[move.outcome_of_move]}"
            elif move.gives_away:
                text = f"gave away {move.gives_away}"
            else:
                continue
            better = f"; better: {', '.join(move.better_moves)}" if move.better_moves else ""
            link = tag("a", move.move, href=place.to(number).href(), class_="move")
            items.append(tag("li", f"{number + 1}. ", link, f": {text}{better}."))
        if not items:
            return None
        return tag("section", tag("h2", "What your moves gave away"), tag("ul", *items), id="given-away")


def _without_values(answer: PositionAnswer, highest: int) -> PositionAnswer:
    """The position as somebody sees it who plays: nothing is told of its moves."""
    nothing = Value.within(highest)
    moves = tuple(replace(move, value=nothing, rank=None, known=False) for move in answer.moves)
    return replace(answer, value=nothing, witness=None, moves=moves)
