"""Wins by threats in a position: what the side to move wins by, what it is threatened with, and what stops that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.answers import Cut, ThreatAnswer
from proofbase.service.answers.bounds import bounded
from proofbase.service.commands.solutions.lookup_budget import LookupBudget
from proofbase.service.commands.solutions.threat_wins import Attack, Found, Win, WinFinder, square_names, win_finder
from proofbase.service.errors import InvalidRequestError
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources

__all__ = ["get_threats"]

NODES = 20_000
"""Nodes of one search where nothing else is asked for."""
SIGNS = "123456789abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ"
"""The moves of a line on the drawing of a board, without the signs of stones."""


def get_threats(
    resources: Resources,
    game_name: str,
    where: Where = None,
    *,
    search: int | None = None,
    search_seconds: float | None = None,
) -> ThreatAnswer:
    """Searches a position for wins by threats (Allis 1994, 4.3, 5.3 and 5.4).

    If the side to move has none, the other side's are searched for as if the side to move passed (the implicit
    threat). A move that such a win survives loses by it. The others are *related*. They are examined one by one, the
    first in the order of the rules first: where the other side wins by threats after a move, all moves that this
    win survives are left out as well. What is left is *remaining* (5.4.2, iterated related squares).

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: the position.
        search: nodes of one search; None for 20,000.
        search_seconds: of all searches of the answer; None for the service's own limit.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        InvalidRequestError: the game has no threats, or it is over in this position.
        LimitExceededError: more nodes or seconds than a lookup may take.
    """
    most_nodes = min(NODES, resources.limits.search_nodes) if search is None else search
    deadline = LookupBudget(most_nodes, search_seconds).deadline(resources)
    game = resources.games.open(game_name)
    position = find_position(game, where)
    finder = win_finder(resources, game, most_nodes, deadline)
    if game.terminal(position) is not None:
        raise InvalidRequestError("the game is over in this position: there are no threats", field="position")
    first = finder.find(position, opponent=False)
    own_attack = finder.find_longer(position, first) if first.win is None else first
    implicit, related, remaining, unexamined = None, list[int](), list[int](), 0
    if own_attack.win is None:
        implicit = finder.find(position, opponent=True)
        if implicit.win is not None:
            related = _not_refuted(implicit, position, game.moves(position))
            remaining, unexamined = _iterated(finder, position, related)
    names = square_names(game, position)
    cut = None
    if unexamined:
        cut = Cut("count", f"the last {unexamined} moves were not examined: the time was over")
    attack: Found[Attack] = own_attack if implicit is None else implicit
    return bounded(
        ThreatAnswer(
            game=game.name,
            position=game.text(position),
            side=game.side(position),
            board=_marked_board(game, position, attack, remaining),
            own=own_attack.answer(game, position),
            implicit=None if implicit is None else implicit.answer(game, position),
            related=tuple(names[move] for move in related),
            remaining=tuple(names[move] for move in remaining),
            cut=cut,
        )
    )


def _not_refuted(found: Found[Win], position: Any, moves: Sequence[int]) -> list[int]:
    """The moves that stop a win."""
    win = found.win
    return [move for move in moves if win is None or win.stopped_by(position, move)]


def _iterated(finder: WinFinder, position: Any, related: Sequence[int]) -> tuple[list[int], int]:
    """The moves after which no win was found, then those that were not examined; and how many these are."""
    remaining, candidates, game = list[int](), list(related), finder.game
    while candidates and not finder.out_of_time:
        move = candidates.pop(0)
        after = game.play(position, move)
        reply = None if game.terminal(after) is not None else finder.find(after, opponent=False)
        if reply is None or reply.win is None:
            remaining.append(move)
        else:
            candidates = _not_refuted(reply, position, candidates)
    return remaining + candidates, len(candidates)


def _marked_board(game: Game[Any], position: Any, shown: Found[Attack], remaining: Sequence[int]) -> str:
    """The drawing of the position with numbers for the moves of the line, `*` for the remaining moves beside them.

    The square of a move is where the drawing changes when the move is played, at the beginning of the game or here.
    """
    initial, cells = game.initial(), list(game.draw(position))
    at_first = set(game.moves(initial))
    line = [] if shown.win is None else shown.win.line()
    for move, sign in [*((move, "*") for move in remaining), *zip(line, SIGNS, strict=False)]:
        before = initial if move in at_first else position
        drawing, after = game.draw(before), game.draw(game.play(before, move))
        changed = [at for at, (old, new) in enumerate(zip(drawing, after, strict=False)) if old != new]
        if len(after) == len(drawing) == len(cells) and len(changed) == 1:
            cells[changed[0]] = sign
    return "".join(cells)
