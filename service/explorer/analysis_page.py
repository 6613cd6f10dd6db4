"""The page of a game that was played: its curve, and what each move gave away."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.answers import AnalysedMove, Analysis
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, job_form, page
from proofbase.service.pictures.boards import side_text
from proofbase.service.pictures.curves import analysis_curve
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.pictures.position import package_note, value_chip
from proofbase.service.words.values import OUTCOMES

__all__ = ["AnalysisPage"]


class AnalysisPage:
    """Answers `/games/{game}/analysis`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """A game that was played: its curve, and what each move gave away."""
        _, place, game = await self._asker.read(request)
        analysis = await self._asker.analysis(place.game, place.start, place.moves)
        curve = analysis_curve(analysis, game.highest_value, link=lambda ply: place.to(ply).href())
        return page(
            f"Analysis: {game.name}",
            back_to(place),
            tag("div", curve, class_="chart-frame", id="curve"),
            tag("p", _decided(analysis), id="decided"),
            self._moves(place, analysis, game.highest_value),
            self._solve(analysis),
            tag("div", id="live"),
            tag("p", analysis.cut.message, class_="note") if analysis.cut else None,
            package_note(analysis.package),
            current="/",
        )

    def _moves(self, place: Place, analysis: Analysis, highest: int) -> Markup:
        rows = []
        for number, move in enumerate(analysis.moves, 1):
            link = tag("a", move.move, href=place.to(number).href(), class_="move")
            cells: tuple[Content, ...] = (
                tag("td", number),
                tag("td", side_text(move.side, analysis.game).removeprefix("the ").removesuffix(" player")),
                tag("th", link, scope="row"),
                tag("td", value_chip(move.value, highest, move.score)),
                tag("td", value_chip(move.value_of_move, highest, move.score)),
                tag("td", _remark(move)),
            )
            rows.append(tag("tr", *cells, class_="changed-row" if move.changes_outcome else None))
        names = ("ply", "player", "move", "value before", "value of the move", "")
        heads = tag("tr", *(tag("th", name, scope="col") if name else tag("td") for name in names))
        table = tag("table", tag("thead", heads), tag("tbody", *rows), class_="moves")
        return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="moves of the game")

    def _solve(self, analysis: Analysis) -> Markup | None:
        """One job for all positions that are not known, the last one first: earlier ones use what it has proved."""
        last = analysis.moves[-1].value_of_move.exact if analysis.moves else True
        positions = [] if last else [analysis.last_position]
        positions += [move.position for move in reversed(analysis.moves) if not move.value.exact]
        if not positions:
            return None
        label = f"Solve the {len(positions)} positions that are not known"
        return job_form("solve-game", label, 10, analysis.game, positions)


def _decided(analysis: Analysis) -> str:
    if not 0 < analysis.decided_by <= len(analysis.moves):
        return "No move is known to have changed the outcome."
    move = analysis.moves[analysis.decided_by - 1]
    became = f"{OUTCOMES[move.outcome]} became {OUTCOMES[move.outcome_of_move]}"
    return f"Decided by move {analysis.decided_by}, {move.move} of {side_text(move.side, analysis.game)}: {became}."


def _remark(move: AnalysedMove) -> str:
    parts = []
    if move.changes_outcome:
        parts.append(f"{OUTCOMES[move.outcome]} becomes {OUTCOMES[move.outcome_of_move]}")
    elif move.gives_away:
        parts.append(f"gives away {move.gives_away}")
    if move.better_moves:
        parts.append(f"better: {', '.join(move.better_moves)}")
    if move.refutation:
        parts.append(f"refuted by {' '.join(move.refutation)}")
    return "; ".join(parts)
