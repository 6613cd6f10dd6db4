"""Look up one position: value, moves best first, claims and their sources."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from proofbase.engine.rules import Game, is_built_in
from proofbase.service.answers import Cut, PositionAnswer
from proofbase.service.answers.bounds import bounded, first_page, message_bytes
from proofbase.service.commands.claims import claim_answers
from proofbase.service.commands.solutions.open_estimates import open_estimates
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.positions import Where, find_position
from proofbase.service.positions.distances import (
    NotWithin,
    ProvedRanks,
    with_distances,
    with_table_distances,
)
from proofbase.service.positions.probe import Records, best_move, probe_with_moves
from proofbase.service.resources import Resources
from proofbase.service.resources.native import has_short_texts
from proofbase.service.resources.verifications import verification_of

__all__ = ["answer_position", "lookup"]

FEW_MOVES = 500
"""So many moves of a native game always fit into a message."""


def lookup(
    resources: Resources, game_name: str, where: Where = None, *, board: bool = False, distances: bool = False
) -> PositionAnswer:
    """What the store knows of a position. Not known is an answer, not an error.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        where: the position, in the orientation in which the answer is wanted; a key for the canonical one.
        board: whether to draw it.
        distances: whether to say what the records of `within:N:GAME` prove.

    Raises:
        UnknownGameError, InvalidPositionError, InvalidKeyError: there is no such position.
        MalformedRecordError: its record is damaged.
    """
    game = resources.games.open(game_name)
    position = find_position(game, where)
    # Rules of a user may take as long as they like, and an open transaction keeps the file from growing.
    with resources.store.reading_together() if is_built_in(game.name) else nullcontext():
        return answer_position(resources, game, position, board=board, distances=distances)


def answer_position(
    resources: Resources,
    game: Game[Any],
    position: Any,
    *,
    board: bool = False,
    distances: bool = False,
    records: Records | None = None,
) -> PositionAnswer:
    """What is known of a position that was read before. With `records`, those are read in place of the store's."""
    tables = resources.tables.of(game)
    probe, moves = probe_with_moves(game, position, records or resources.store, tables)
    claims = claim_answers(game, position, probe, tables)
    proved, answers = NotWithin(), tuple(moves)
    rank = probe.rank
    if distances and not probe.terminal:
        if rank is None and probe.value.exact:
            proved_ranks = ProvedRanks(resources.store, game)
            rank = proved_ranks.of_position(position, probe.value.lower)
            moves = proved_ranks.of_moves(position, moves)
        proved, answers = with_distances(resources.store, game, position, rank if probe.value.exact else None, moves)
    if tables is not None and not probe.terminal:
        proved, answers = with_table_distances(game, position, proved, answers, tables)
    record = None if probe.table is not None else probe.record
    answer = PositionAnswer(
        game=game.name,
        position=game.text(position),
        key=probe.key,
        stored=probe.record is not None,
        terminal=probe.terminal,
        value=probe.value,
        rank=rank,
        witness=best_move(game, position, probe, moves),
        moves=answers,
        claims=claims,
        sources=resources.sources.numbered(number for claim in claims for number in claim.sources),
        side=game.side(position),
        score=game.score(position),
        board=game.draw(position) if board else None,
        estimates=() if probe.value.exact else open_estimates(resources.store, game.name, probe.key, probe.value),
        no_win_within=proved.no_win,
        no_loss_within=proved.no_loss,
        verification=verification_of(resources.store, game.name, game.rules_version, probe.key, record),
        package=None if probe.terminal else resources.package,
    )
    return answer if has_short_texts(game) and len(moves) <= FEW_MOVES else _within_a_message(answer)


def _within_a_message(answer: PositionAnswer) -> PositionAnswer:
    """The answer with its texts cut, and with as many moves as a message holds."""
    answer = bounded(answer)
    room = PAGE_BYTES - message_bytes(replace(answer, moves=()))
    listed, more = first_page(answer.moves, room=room)
    if not more:
        return answer
    message = f"{len(listed)} of {len(answer.moves)} moves are listed: look up the positions after the others"
    return replace(answer, moves=tuple(listed), cut=Cut("bytes", message))
