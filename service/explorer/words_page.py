"""The page of words: what a proof rests on, and what the page says of values, in a line each."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from proofbase.service.explorer.layout import page
from proofbase.service.pictures.markup import joined, tag

__all__ = ["words_page"]

WORDS = {
    "value": "What the side to move gets when both sides play their best: a win, a draw or a loss, or points.",
    "claim": "One limit of a value, such as “at least a draw”, and what it rests on. Two that meet are the value.",
    "move of a claim": "The move that keeps what a claim says. The check proves that this very move does.",
    "ply": "One move of one side. A win within 5 plies comes with the winner's third move at the latest.",
    "record": "All claims that are stored about a position and its mirror images.",
    "table": "A file with the values of all positions of a kind, made backwards from the ends of the game.",
    "forcing line": "Moves that leave the other side no choice. The check plays them against every reply.",
    "small search": "So few positions settle the claim that the check searches them again, by the rules alone.",
    "threats": "Moves that must be answered, until one cannot be. The check plays them against every reply.",
    "strategy": "A diagram that says where one side plays: ! at once, & while no other such square is open, ^ in "
    "answer, then + before = before -. It wins at once where it can, and never plays where a reply would win. The "
    "check plays everything against it.",
    "pairing": "Pairs of squares, one in each line of the other side. Who answers on the second square of a pair when "
    "the other side takes the first one does not lose. The check looks for a line without a pair.",
    "check": "Each claim is compared with those after its moves, by the rules alone. If all pass, all are true.",
    "certificate": "All claims that a value rests on, in a file. A short program checks it on any computer.",
    "estimate": "What a search believes and has not proved. It is never shown as a value.",
}
"""Each with an id of its own, in which `-` stands for a space."""


async def words_page(request: Request) -> Response:
    """Answers `/words`."""
    entries = (
        joined(tag("dt", word, id=word.replace(" ", "-")), tag("dd", meaning)) for word, meaning in WORDS.items()
    )
    return page("Words", tag("dl", *entries, class_="words"))
