"""The rules of a game as its page shows them: the rule text that stands above the rules in plain Python."""

from __future__ import annotations

import re
import sys

from proofbase.engine.rules import is_built_in
from proofbase.service.explorer.layout import section
from proofbase.service.pictures.boards import has_board, side_text
from proofbase.service.pictures.markup import Content, Markup, tag
from proofbase.service.words.values import rules_of

__all__ = ["rules_section"]


def rules_section(game: str, description: str) -> Markup:
    """The rules of a game, folded; of a user's game its description."""
    if not is_built_in(game):
        return section("Rules", tag("p", description, class_="note"))
    inner = game.split(":", 2)[2] if game.startswith("within:") else game
    rules = rules_of(inner)
    module = type(getattr(rules, "game", rules)).__module__
    text = sys.modules[module].__doc__ or description
    parts = _parts(text)
    if has_board(game) and re.search(r"\bx\b", text):
        parts.append(tag("p", f"On the board x is {side_text(0, game)}, and o is {side_text(1, game)}.", class_="note"))
    about = tag("p", description, class_="note")
    return tag("details", tag("summary", "Rules"), *parts, about, class_="more", id="rules")


def _parts(text: str) -> list[Markup]:
    """Paragraphs and numbered lists, from lines."""
    parts, items = [], list[str]()
    for block in re.split(r"\n(?=\d+\. )|\n\s*\n", text.strip()):
        words = " ".join(block.split())
        if re.match(r"\d+\. ", words):
            items.append(words.partition(" ")[2])
            continue
        if items:
            parts.append(_list(items))
            items = []
        parts.append(tag("p", *_code(words)))
    return [*parts, _list(items)] if items else parts


def _list(items: list[str]) -> Markup:
    return tag("ol", *(tag("li", *_code(item)) for item in items))


def _code(words: str) -> list[Content]:
    """A text in which what stands between backquotes is code."""
    return [tag("code", part) if number % 2 else part for number, part in enumerate(words.split("`"))]
