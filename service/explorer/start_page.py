"""The first page: what this is, and a card for each family of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from proofbase.engine.errors import EngineError
from proofbase.engine.rules import FAMILIES as RULES
from proofbase.engine.rules import is_built_in
from proofbase.service.answers import GameInfo
from proofbase.service.errors import ServiceError
from proofbase.service.explorer.addresses import Place
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.layout import field as form_field
from proofbase.service.explorer.layout import page, section, sent_to
from proofbase.service.pictures.boards import Board, board_svg, side_text
from proofbase.service.pictures.markup import Content, Markup, joined, tag

__all__ = ["StartPage"]

MOST_LOOKUPS = 30
"""Games of the store that are asked for the value of their initial position."""


class Example(NamedTuple):
    """A position that shows what a family of games is like."""

    title: str
    game: str
    position: str


EXAMPLES = {
    "tic-tac-toe": Example("Tic-tac-toe", "tic-tac-toe", "o../.x./..."),
    "connect-four": Example("Connect four", "connect-four", "......./......./......./...x.../...o.../...x..."),
    "awari": Example("Awari", "awari", "4,4,4,4,4,4/4,4,4,4,4,4/S"),
    "checkers": Example("Checkers", "checkers", "B:W14,18,26,K11:B1,5,9,12,K27"),
    "chess": Example("Chess", "chess", "8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1"),
    "giveaway": Example("Giveaway chess", "giveaway", "8/4p3/8/8/8/8/3P4/8 w - - 0 1"),
    "gomoku": Example(
        "Go-moku",
        "gomoku:9x9",
        "........./........./........./....o..../...xx..../....o..../........./........./.........",
    ),
    "mens-morris": Example("Men's morris", "mens-morris:6", "x.o/.x./x..o/.o./..x:o"),
    "othello": Example("Othello", "othello", "--------------------X------OXO-----XXO------XO------------------ O"),
    "qubic": Example(
        "Qubic",
        "qubic",
        "xo../.x../..o./....//x.../.o../..x./....//..../o.../..../...x//..../..../..../....",
    ),
    "renju": Example(
        "Renju",
        "renju:9x9",
        "........./........./.o....o../........./..xx...../....x..../....x..../......o../..o......",
    ),
}
"""Families with a card, and the position that is drawn on it."""


TASKS = {
    "Check a solution that somebody published": "proofbase check-package https://host/folder",
    "Ask a position": "proofbase lookup GAME POSITION --store https://host/folder",
    "Publish a solution of your own": "proofbase publish GAME DIRECTORY --licence CC0-1.0",
    "Judge players": "proofbase score GAME FILE",
    "Find cooks in a problem": 'proofbase problem "FEN" --moves 2',
    "Reproduce a paper's table": "proofbase reproduce schijf-4.1",
}
"""Who the program is for, by task; README begins with the same."""


@dataclass
class _Family:
    """What is known of the games of a family."""

    games: list[GameInfo] = field(default_factory=list)
    tables: int = 0
    entries: int = 0


class StartPage:
    """Answers `/`.

    Args:
        asker: asks the services.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def show(self, request: Request) -> Response:
        """The families of games; with `game`, a name that was typed, the page of that game."""
        typed = request.query_params.get("game", "").strip()
        if typed:
            return sent_to(Place((await self._asker.game(typed)).name).href())
        games, more = await self._asker.games()
        families: dict[str, _Family] = {}
        for game in games:
            families.setdefault(game.name.partition(":")[0], _Family()).games.append(game)
        for table in (await self._asker.statistics()).tables:
            family = (table.game or "").partition(":")[0]
            if family in families:
                families[family].tables += 1
                families[family].entries += table.entries
        results = await self._results([game for game in games if game.records and game.available])
        cards = [_card(name, families.pop(name), results) for name in EXAMPLES if name in families]
        others = [game for family in families.values() for game in family.games]
        form = tag(
            "form",
            form_field("Any game by its name", "game", hint="connect-four:5x4"),
            tag("button", "Open"),
            action="/",
            class_="row",
            id="open-game",
        )
        return page(
            "Solved games",
            tag(
                "p",
                "Play any position, see what every move is worth, and check the proof of it here or at home: "
                "everything that is shown as known was proved by the rules alone.",
                class_="lead",
            ),
            _tasks(),
            tag("div", *cards, class_="cards", id="families"),
            section("More games", _list(others, results), form, name="more-games"),
            tag("p", more, class_="note") if more else None,
            current="/",
        )

    async def _results(self, games: Sequence[GameInfo]) -> dict[str, str]:
        """Who wins from the beginning, by the names of games of which that is known. Rules of users are not asked."""
        results = {}
        for game in [game for game in games if is_built_in(game.name)][:MOST_LOOKUPS]:
            try:
                answer = await self._asker.lookup(game.name, "")
            except (EngineError, ServiceError, ValueError):
                continue  # a damaged record: the page of the game tells of it
            if answer.value.exact:
                value = answer.value.lower + answer.score
                if value == 0:
                    results[game.name] = "a draw"
                else:
                    results[game.name] = f"{side_text(answer.side if value > 0 else 1 - answer.side, game.name)} wins"
        return results


def _tasks() -> Markup:
    """What the program behind the page is for, each with its command."""
    rows = [tag("li", f"{task}: ", tag("code", command)) for task, command in TASKS.items()]
    return tag("details", tag("summary", "What proofbase is for"), tag("ul", *rows), class_="more", id="tasks")


def _card(name: str, family: _Family, results: dict[str, str]) -> Markup:
    """A family: its board, its sizes, what is solved, an example to open."""
    example = EXAMPLES[name]
    rules = next(entry for entry in RULES if entry.name == name)
    initial = next((game.initial for game in family.games if game.name == example.game), "")
    position = example.position or initial
    board = board_svg(Board(example.game, position, 0), name=f"card-{name}") if position else None
    chips = dict.fromkeys([game.name for game in family.games if game.available] + list(rules.examples))
    solved: list[Content] = [
        tag(
            "li",
            tag("b", _short(game.name)),
            f": {results[game.name]}; " if game.name in results else ": ",
            f"{game.records:,} records",
        )
        for game in family.games
        if game.records
    ]
    if family.tables:
        count = f"{family.tables:,} table{'' if family.tables == 1 else 's'}"
        solved.append(tag("li", f"{count} with {family.entries:,} entries"))
    href = Place(example.game, example.position).href()
    return tag(
        "article",
        tag("a", board, href=href, class_="card-board", aria_label=f"an example of {example.title}"),
        tag("h2", tag("a", example.title, href=Place(next(iter(chips))).href())),
        tag("p", f"{rules.description[:1].upper()}{rules.description[1:].partition(';')[0]}."),
        tag("p", *(_chip(chip, chip in results) for chip in chips), class_="chips"),
        tag("ul", *solved, class_="solved") if solved else tag("p", "Nothing is stored yet.", class_="note"),
        class_="card",
        id=f"family-{name}",
    )


def _chip(name: str, solved: bool) -> Markup:
    label = f"{name}, solved" if solved else name
    return joined(
        tag("a", _short(name), href=Place(name).href(), class_=f"chip{' done' if solved else ''}", aria_label=label),
        " ",
    )


def _short(name: str) -> str:
    """A game by its parameters: `5x4`."""
    family, _, parameters = name.partition(":")
    return parameters or {"connect-four": "7x6", "gomoku": "15x15", "renju": "15x15"}.get(family, family)


def _list(games: Sequence[GameInfo], results: dict[str, str]) -> Markup:
    """Games without a board of their own."""
    items = []
    for game in games:
        link = tag("a", game.name, href=Place(game.name).href()) if game.available else tag("span", game.name)
        result = f"{results[game.name]}; " if game.name in results else ""
        records = f" {result}{game.records:,} records." if game.records else ""
        items.append(tag("li", link, records, tag("div", game.description, class_="note small")))
    return tag("ul", *items, class_="games")
