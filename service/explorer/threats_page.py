"""The page of threats: the win on the board with the numbers of its moves, and the moves that stop it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import ThreatAnswer, ThreatWin
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, page
from proofbase.service.pictures.boards import Board, Target, board_svg, side_name, side_text
from proofbase.service.pictures.markup import Content, Markup, joined, tag
from proofbase.service.words.amounts import amount

__all__ = ["ThreatsPage"]


class ThreatsPage:
    """Answers `/games/{game}/threats`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """What wins by threats in a position, of the side to move or after its pass."""
        _, place, game = await self._asker.read(request)
        position = (await self._asker.lookup_at(place)).position
        answer = await self._asker.threats(place.game, position)
        return page(
            f"Threats: {game.name}",
            back_to(place),
            tag(
                "div",
                tag("div", tag("p", _sentence(answer), id="threat"), class_="said"),
                tag("div", tag("div", _board(place, answer), class_="board-frame"), class_="board-side"),
                tag("div", *_facts(place, answer), class_="facts-side"),
                class_="position",
            ),
            current="/",
        )


def _shown(answer: ThreatAnswer) -> ThreatWin:
    return answer.own if answer.implicit is None else answer.implicit


def _sentence(answer: ThreatAnswer) -> str:
    mover, other = side_name(answer.game, answer.side), side_text(1 - answer.side, answer.game)
    if answer.implicit is None:
        return f"{mover} wins by threats."
    fails = f"{mover} has no win by threats that the search has found"
    if answer.implicit.outcome != "won":
        return f"{fails}, and nor has {other} if {mover} passes."
    if not answer.remaining:
        return f"{fails}. {other[:1].upper()}{other[1:]} threatens to win, and no move stops every win: {mover} loses."
    return f"{fails}. {other[:1].upper()}{other[1:]} threatens to win."


def _board(place: Place, answer: ThreatAnswer) -> Markup:
    """The numbers of the line, and `*` on the moves after which no win was found."""
    signs = dict.fromkeys(answer.remaining, "*") | {move: str(n) for n, move in enumerate(_shown(answer).line, 1)}
    targets = []
    for number, (move, sign) in enumerate(signs.items()):
        words = "stops this win" if sign == "*" else f"move {sign} of the line"
        square = int(move) if move.isdecimal() else number  # qubic draws by the number of the cube, which is its name
        targets.append(Target(move, square, "unknown" if sign == "*" else "win", words, sign))
    return board_svg(Board(answer.game, answer.position, answer.side, tuple(targets), place.last, turns=place.turn))


def _facts(place: Place, answer: ThreatAnswer) -> list[Content]:
    win = _shown(answer)
    parts: list[Content] = []
    if win.outcome == "won":
        line = " ".join(f"{number}. {move}" for number, move in enumerate(win.line, 1))
        parts.append(tag("p", f"The longest line: {line}", id="threat-line"))
        parts.append(
            tag(
                "p",
                f"{amount(win.size, 'move')} of the attacker in all, found with {amount(win.nodes, 'node')}.",
                class_="note",
            )
        )
    if answer.implicit is not None and win.outcome == "won":
        stops = [tag("a", move, href=place.after(move).href(), class_="move") for move in answer.remaining]
        count, others = len(answer.related), len(answer.related) - len(answer.remaining)
        parts.append(
            tag(
                "p",
                f"{amount(count, 'move')} {'stops' if count == 1 else 'stop'} this win; every other move loses.",
                id="related",
            )
        )
        if others:
            parts.append(tag("p", f"After {others} of them another win by threats was found.", class_="note"))
        if stops:
            words = [word for stop in stops for word in (stop, " ")]
            parts.append(tag("p", "Left to be examined: ", joined(*words), id="remaining"))
    if answer.cut is not None:
        parts.append(tag("p", answer.cut.message, class_="note"))
    return parts
