"""The page of a problem: the verdict, the keys with their variations, tries, set play and duals."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.problems.report import Attempt, ProblemReport, Solution
from proofbase.service.answers import PositionAnswer
from proofbase.service.explorer.addresses import Place, address, split_moves
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import back_to, field, page, section
from proofbase.service.explorer.navigation import place_fields, turned_board
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.pictures.position import position_board
from proofbase.service.words.amounts import amount
from proofbase.service.words.problems import (
    dual_text,
    duals_text,
    incomplete_text,
    key_text,
    set_play_text,
    variation_lines,
    verdict_text,
)

__all__ = ["ProblemPage"]

MOST_LINES = 200
"""Lines of variations after a key; the JSON has all."""
MOST_DUALS = 20


class ProblemPage:
    """Answers `/games/{game}/problem`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """Whether one first move alone wins; with `length` in so many moves, with `key` the author's keys."""
        parameters, place, game = await self._asker.read(request)
        answer = await self._asker.lookup_at(place)
        length = parameters.get("length", "")
        moves = int(length) if length.isascii() and length.isdigit() and len(length) < 4 else 0
        keys = split_moves(parameters.get("key", ""))
        report = await self._asker.problem(place.game, answer.position, moves, keys)
        return page(
            f"Problem report: {game.name}",
            back_to(place),
            tag(
                "div",
                tag("div", tag("p", f"{verdict_text(report).capitalize()}.", id="problem"), class_="said"),
                self._board(place, answer, game.highest_value, length, keys),
                tag("div", *self._facts(place, report, keys), class_="facts-side"),
                class_="position",
            ),
            current="/",
        )

    def _board(self, place: Place, answer: PositionAnswer, highest: int, length: str, keys: Sequence[str]) -> Markup:
        """The board, and what is asked for."""
        board = position_board(answer, highest, last=place.last, turns=place.turn)
        form = tag(
            "form",
            place_fields(place),
            field("Moves", "length", length, kind="number", hint="fewest"),
            field("The author's key", "key", " ".join(keys)),
            tag("button", "Examine"),
            action=place.href("problem").partition("?")[0],
            class_="row",
            id="examine",
        )
        turn = turned_board(place, "problem", length=length, key=" ".join(keys))
        return tag(
            "div", tag("div", board, class_="board-frame"), tag("p", turn, class_="steps"), form, class_="board-side"
        )

    def _facts(self, place: Place, report: ProblemReport, keys: Sequence[str]) -> list[Content]:
        parts: list[Content] = [
            tag("p", f"The key {key} does not win in time.", class_="note") for key in report.failing_keys
        ]
        parts += [_solution(place, report, solution) for solution in report.solutions]
        parts += [
            tag("p", _move(place, key), " wins as well; its play was not looked for in the time.")
            for key in report.keys[len(report.solutions) :]
        ]
        if report.set_play:
            lines = "\n".join(map(set_play_text, report.set_play))
            parts.append(section("Set play", tag("pre", lines), name="set-play"))
        if report.tries:
            parts.append(section("Tries", _refutations(place, report.tries, "?"), name="tries"))
        if report.verdict == "unsolvable":
            others = [attempt for attempt in report.attempts if not attempt.only]
            parts.append(section("Refutations", _refutations(place, others, ""), name="refutations"))
        if report.keys:
            duals = sorted(report.duals, key=lambda dual: dual.with_threat)
            lines = "\n".join(map(dual_text, duals[:MOST_DUALS]))
            parts.append(
                section("Duals", tag("p", duals_text(report)), tag("pre", lines) if lines else None, name="duals")
            )
        if not report.complete:
            parts.append(tag("p", f"{incomplete_text(report).capitalize()}.", class_="note"))
        if report.tree_moves is not None:
            parts.append(
                tag("p", f"Replies and duals are given for {amount(report.tree_moves, 'move')}.", class_="note")
            )
        path = f"/v1/games/{report.game}/problems"
        document = address(path, position=report.position, moves=report.asked_moves, intended=tuple(keys))
        proofs = f"Proved by {amount(report.questions, 'question')}, {amount(report.records, 'record')}. "
        if report.tables:
            proofs += f"They rest on the tables {', '.join(report.tables)}. "
        parts.append(tag("p", proofs, tag("a", "All of it as JSON", href=document, id="as-json"), class_="note"))
        return parts


def _solution(place: Place, report: ProblemReport, solution: Solution) -> Markup:
    """A key with its variations."""
    lines = [f"{'  ' * (depth - 1)}{line}" for depth, line in variation_lines(solution)]
    more = f"and {len(lines) - MOST_LINES:,} lines more" if len(lines) > MOST_LINES else None
    title = "Cook" if solution.key in report.cooks else "Key"
    return section(
        f"{title}: {key_text(report, solution)}",
        tag("p", "The position after ", _move(place, solution.key)),
        tag("pre", "\n".join(lines[:MOST_LINES]), tabindex=0) if lines else None,
        tag("p", more, class_="note") if more else None,
    )


def _refutations(place: Place, attempts: Sequence[Attempt], sign: str) -> Markup:
    """First moves that fail, each with the reply."""
    items = []
    for attempt in attempts:
        reply = tag("a", attempt.refutation, href=place.after(attempt.move, attempt.refutation).href(), class_="move")
        items.append(
            tag("li", _move(place, attempt.move), sign, " ", reply if attempt.refutation else "does not win in time")
        )
    return tag(
        "div", tag("ul", *items), class_="scroll tall", tabindex=0, role="region", aria_label="first moves that fail"
    )


def _move(place: Place, move: str) -> Markup:
    return tag("a", move, href=place.after(move).href(), class_="move")
