"""Claims with evidence of a kind that their game does not offer, for tests of all readers: each refuses them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from proofbase.engine.records import (
    ENDS,
    Claim,
    Evidence,
    Mark,
    Record,
    Side,
    Strategy,
    ThreatNode,
    ThreatTrees,
    encode_record,
    pairing_payload,
    search_payload,
    strategy_payload,
    table_payload,
    threats_payload,
)
from proofbase.engine.rules import Game

__all__ = ["PAGE_GAMES", "VERIFIED_GAMES", "plain_and_unoffered", "unoffered_kinds"]

VERIFIED_GAMES = ("tic-tac-toe", "connect-four:4x4", "gomoku:4x3-3", "awari", "awari:oware")
PAGE_GAMES = ("tic-tac-toe", "connect-four:4x4", "connect-four:4x4,score", "gomoku:4x3-3", "qubic", "awari")


def unoffered_kinds(game: Game[Any], position: Any) -> list[Evidence]:
    """The kinds of evidence that no claim about a position may have."""
    offered = {
        Evidence.TABLE: game.table_entry(position),
        Evidence.THREATS: game.threat_rules(),
        Evidence.STRATEGY: game.square_rules(),
        Evidence.PAIRING: game.line_rules(),
        Evidence.SEARCH_TO_LIMITS: None if game.name.startswith("within:") else game,
    }
    return [kind for kind, rules in offered.items() if rules is None]


def plain_and_unoffered(game: Game[Any], random: Random) -> tuple[list[tuple[Any, bytes]], list[tuple[Any, bytes]]]:
    """Positions and records, each of one claim: such as hold by the limits of the game's values, with children as their
    evidence, and the same and false ones with each kind that the game does not offer.
    """
    plain, unoffered = list[tuple[Any, bytes]](), list[tuple[Any, bytes]]()
    for _ in range(8):
        position, line = game.initial(), list[Any]()
        while game.terminal(position) is None and len(line) < 60:
            line.append(position)
            position = game.play(position, random.choice(game.moves(position)))
        # In the orientation of the key; also where every move ends the game.
        position = game.position(game.key(random.choice((line[-1], random.choice(line)))))
        moves, limit, rho = sorted(game.moves(position)), game.limit(position), game.repetition(position)
        for bound in (limit, 0, -limit):
            for side, witness in ((Side.UPPER, None), (Side.LOWER, random.choice(moves))):
                safe = rho is not None and (bound >= rho if side == Side.UPPER else bound <= rho)
                rank = 0 if safe else 60
                if bound == (limit if side == Side.UPPER else -limit):
                    plain.append((position, _record(Claim(side, bound, rank, Evidence.CHILDREN, witness))))
                for kind in unoffered_kinds(game, position):
                    for payload in _payloads(kind, moves, witness):
                        claim = Claim(side, bound, rank, kind, witness, payload)
                        unoffered.append((position, _record(claim)))
    return plain, unoffered


def _record(claim: Claim) -> bytes:
    return encode_record(Record.of([claim]))


def _payloads(kind: Evidence, moves: list[int], witness: int | None) -> Iterator[bytes]:
    """With all replies named, so that the claim rests on children, and with none."""
    names = [tuple(moves), tuple(moves[1:]), ()] if witness is None else [()]
    if kind == Evidence.TABLE:
        yield table_payload("table")
    elif kind == Evidence.SEARCH_TO_LIMITS:
        yield search_payload(10_000)
    elif kind == Evidence.PAIRING:
        yield pairing_payload(())
        if len(moves) > 1:
            yield pairing_payload([(moves[0], moves[1])])
    elif kind == Evidence.STRATEGY:
        for named in names:
            for marks in ((), ((0, Mark.LOW),)):
                yield strategy_payload(Strategy(named, marks), lower=witness is not None)
    elif witness is not None:
        yield threats_payload(ThreatTrees((), ThreatNode(witness, ()), ()))
    else:
        for named in names:
            for passed in (None, ENDS, ThreatNode(moves[0], ())):
                yield threats_payload(ThreatTrees(named, passed, ()))
