"""The page of best play: a board that steps through the line, and all its moves with their values."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import GameInfo, Line, PositionAnswer, Value
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, button, page
from proofbase.service.explorer.navigation import place_fields, step_buttons, turned_board
from proofbase.service.pictures.boards import side_text
from proofbase.service.pictures.markup import Markup, tag
from proofbase.service.pictures.position import package_note, position_board, value_chip
from proofbase.service.pictures.sentences import verdict, verdict_line
from proofbase.service.words.game_words import GameWords

__all__ = ["LinePage"]


class LinePage:
    """Answers `/games/{game}/line`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The line of best play from a position; with `ply`, the board after so many of its moves."""
        parameters, place, game = await self._asker.read(request)
        answer = await self._asker.lookup_at(place)
        line = await self._asker.line(place.game, answer.position)
        moves = tuple(step.move for step in line.steps)
        ply = parameters.get("ply", "")
        at = min(int(ply), len(moves)) if ply.isascii() and ply.isdigit() and len(ply) < 6 else 0
        after_move = await self._asker.lookup(place.game, line.steps[at - 1].position) if at else answer
        ends = after_move
        if at < len(moves):
            ends = await self._asker.lookup(place.game, line.last_position)
        reason = f"{line.stop_message}."
        if ends.terminal:
            over = verdict(ends, game.highest_value).text
            reason = over[:1].lower() + over[1:]
        stop = tag("p", f"The line stops: {reason}", class_="note", id="stop")
        title = f"Best play: {game.name}"
        if not moves:
            return page(title, back_to(place), stop, package_note(line.package), current="/")
        last = moves[at - 1] if at else place.last
        return page(
            title,
            back_to(place),
            tag(
                "div",
                tag("div", verdict_line(after_move, game.highest_value), class_="said"),
                self._board(place, after_move, game, last, at, len(moves)),
                tag(
                    "div",
                    self._sentence(answer, line),
                    self._steps(place, answer, line, game, at),
                    stop,
                    package_note(line.package),
                    class_="facts-side",
                ),
                class_="position",
                id="line-player",
            ),
            current="/",
        )

    def _board(
        self, place: Place, shown: PositionAnswer, game: GameInfo, last: str | None, at: int, most: int
    ) -> Markup:
        """The board after some moves, with what steps through the line."""
        board = position_board(shown, game.highest_value, last=last, turns=place.turn)
        slider = tag(
            "form",
            place_fields(place),
            tag(
                "label",
                tag("span", "Move of the line"),
                tag("input", type="range", name="ply", min=0, max=most, value=at, id="slider"),
            ),
            tag("button", "Show", class_="unscripted"),
            button("Play it", id="play-line"),
            action=place.href("line").partition("?")[0],
            class_="row",
        )
        steps = step_buttons(at, most, lambda to: place.href("line", ply=to), turned_board(place, "line", ply=at))
        return tag("div", tag("div", board, class_="board-frame"), steps, slider, class_="board-side")

    def _sentence(self, answer: PositionAnswer, line: Line) -> Markup | None:
        """The value and the whole line, where players have a way to write it."""
        words = GameWords.of(line.game, built_in_only=True)
        if words.players is None:
            return None
        written = words.line([step.move for step in line.steps], answer.side)
        return tag("p", f"{words.of_position(answer)}: {written}", id="written-line")

    def _steps(self, place: Place, answer: PositionAnswer, line: Line, game: GameInfo, at: int) -> Markup:
        """The moves, with the value for the side that begins, after each of them."""
        words = GameWords.of(line.game, built_in_only=True)
        rows = []
        for number, step in enumerate(line.steps, 1):
            value = step.value if number % 2 == 0 else negated(step.value)
            now = "step" if number == at else None
            href = place.href("line", ply=number)
            link = tag("a", step.move, href=href, class_="move", aria_current=now)
            value_words = words.decided(value, step.rank) if words.players else None
            chip = value_chip(value, game.highest_value, words=value_words)
            mover = side_text(answer.side if number % 2 else 1 - answer.side, line.game)
            cells = (tag("td", number), tag("td", mover), tag("th", link, scope="row"), tag("td", chip))
            rows.append(tag("tr", *cells, class_="now" if now else None))
        names = ("ply", "player", "move", f"value for {side_text(answer.side, line.game)}")
        heads = tag("tr", *(tag("th", name, scope="col") for name in names))
        table = tag("table", tag("thead", heads), tag("tbody", *rows), class_="moves", id="line")
        moves = tuple(step.move for step in line.steps)
        whole = replace(place, moves=(*place.played, *moves))
        through = tag("a", "Go on from here", href=whole.to(place.at + at).href(), class_="button", id="play-through")
        scroll = tag("div", table, class_="scroll tall", tabindex=0, role="region", aria_label="moves of the line")
        return tag("div", scroll, tag("p", through))


def negated(value: Value) -> Value:
    """The value for the other side."""
    return Value(-value.upper, -value.lower, value.upper_known, value.lower_known)
