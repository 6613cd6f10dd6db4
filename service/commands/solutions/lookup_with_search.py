"""Look up one position, and search it within a budget where its value is not known."""

from __future__ import annotations

from dataclasses import replace

from proofbase.service.answers import PositionAnswer
from proofbase.service.commands.solutions.lookup import answer_position
from proofbase.service.commands.solutions.lookup_budget import LookupBudget
from proofbase.service.commands.solutions.position_search import search_position
from proofbase.service.commands.solutions.threat_replies import ThreatReplies
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources

__all__ = ["lookup_with_search"]


def lookup_with_search(
    resources: Resources,
    game_name: str,
    where: Where = None,
    *,
    nodes: int,
    seconds: float | None = None,
    board: bool = False,
    distances: bool = False,
) -> PositionAnswer:
    """What the store knows of a position; where that is not its value, a search within a budget adds what it proves.

    The search takes the stored records as proved. Nothing of the search is stored. The answer's `searched` says that
    there was a search; claims and sources are those of the store alone. Where threats win by a tree that the record of
    the position before holds, that tree is looked for first, and `searched` counts its nodes.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: the position.
        nodes: what the search may create, over all its questions.
        seconds: when the search ends; None for the limit of the service.
        board: whether to draw it.
        distances: whether to say what the records of `within:N:GAME` prove.

    Raises:
        UnknownGameError, InvalidPositionError, InvalidKeyError: there is no such position.
        InvalidRequestError: a budget below 1 node or not above 0 seconds.
        LimitExceededError: more nodes or seconds than a lookup may search.
        MalformedRecordError: its record is damaged.
    """
    deadline = LookupBudget(nodes, seconds).deadline(resources)
    game = resources.games.open(game_name)
    position = find_position(game, where)
    answer = answer_position(resources, game, position, board=board, distances=distances)
    if answer.known:
        return answer
    win = ThreatReplies(resources, game).win(position, answer.moves, deadline)
    if win is not None and answer.value.upper == win.move.value.upper:
        others = tuple(move for move in answer.moves if move.number != win.move.number)
        return replace(
            answer,
            value=win.move.value,
            rank=win.move.rank,
            witness=win.move.move,
            moves=(win.move, *others),
            estimates=(),
            searched=win.searched,
        )
    records, searched = search_position(resources, game, position, answer.value, nodes, deadline)
    after = answer_position(resources, game, position, board=board, distances=distances, records=records)
    return replace(after, stored=answer.stored, claims=answer.claims, sources=answer.sources, searched=searched)
