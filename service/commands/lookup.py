"""Look up one position: value, moves best first, claims and their sources."""

from __future__ import annotations

from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.answers import Claim, EvidenceName, PositionAnswer
from proofbase.service.application import Application
from proofbase.service.positions import Where, find_position, oriented_move
from proofbase.service.standing import Records, Standing, stand_with_moves
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Side

__all__ = ["answer_position", "claim_answer", "lookup"]


def lookup(app: Application, game_name: str, where: Where = None, *, board: bool = False) -> PositionAnswer:
    """What the store knows of a position. Not known is an answer, not an error.

    Args:
        app: the service.
        game_name: any name of the game.
        where: the position, in the orientation in which the answer is wanted; a key for the canonical one.
        board: whether to draw it.

    Raises:
        UnknownGameError, InvalidPositionError, InvalidKeyError: there is no such position.
        MalformedRecordError: its record is damaged.
    """
    game = app.games.open(game_name)
    return answer_position(app, game, find_position(game, where), board=board)


def answer_position(
    app: Application, game: Game[Any], position: Any, *, board: bool = False, records: Records | None = None
) -> PositionAnswer:
    """The same for a position that was read before; `records` are read instead of the store's."""
    here, moves = stand_with_moves(game, position, records or app.store, app.tables.of(game))
    claims = claim_answers(game, position, here)
    best = moves[0] if moves and moves[0].known and here.value.exact else None
    witness = None
    if best is not None and best.value.lower == here.value.lower:
        witness = best.move
    elif here.witness is not None:
        witness = _move_name(game, position, here.witness)
    return PositionAnswer(
        game=game.name,
        position=game.text(position),
        key=here.key,
        stored=here.record is not None,
        terminal=here.terminal,
        value=here.value,
        rank=here.rank,
        witness=witness,
        moves=tuple(moves),
        claims=claims,
        sources=app.sources(number for claim in claims for number in claim.sources),
        side=game.side(position),
        score=game.score(position),
        board=game.draw(position) if board else None,
    )


def claim_answers(game: Game[Any], position: Any, here: Standing) -> tuple[Claim, ...]:
    """The claims of a record, with witnesses in the orientation of the position."""
    if here.table is not None:
        value, witness = here.value.lower, here.witness
        named = None if witness is None else _move_name(game, position, witness)
        return (
            Claim("lower", value, 0, "table", witness=named, table=here.table),
            Claim("upper", value, 0, "table", table=here.table),
        )
    if here.record is None:
        return ()
    return tuple(claim_answer(game, position, here.key, claim) for claim in here.record.claims)


def claim_answer(game: Game[Any], position: Any, key: bytes, claim: StoredClaim) -> Claim:
    """One stored claim as an answer."""
    witness = None
    if claim.witness is not None:
        witness = _move_name(game, position, oriented_move(game, position, key, claim.witness))
    return Claim(
        side="lower" if claim.side == Side.LOWER else "upper",
        bound=claim.bound,
        rank=claim.rank,
        evidence=_EVIDENCE[claim.evidence],
        witness=witness,
        table=claim.table,
        line=claim.line or (),
        search_nodes=claim.nodes or 0,
        sources=() if claim.source is None else (claim.source,),
    )


_EVIDENCE: dict[Evidence, EvidenceName] = {
    Evidence.CHILDREN: "children",
    Evidence.TABLE: "table",
    Evidence.LINE: "line",
    Evidence.SEARCH: "search",
}


def _move_name(game: Game[Any], position: Any, move: int) -> str:
    # A damaged record may name a move that is not legal: show its number rather than fail.
    return game.move_text(position, move) if move in game.moves(position) else f"({move})"
