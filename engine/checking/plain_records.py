"""Records of a game from records of `within:N:GAME`: who wins within n plies wins.

A claim there that one side wins, `lower > 0` or `upper < 0`, never rests on a position without plies left, whose
value is 0. So the plies left can be dropped from all claims of its proof, and what remains is a proof in the inner game
(docs/fact-model.md). Claims that repetition itself would satisfy are left out: they would need a rank of 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Record, Side, decode_record, encode_record, is_one_claim_of_zero
from proofbase.engine.rules import Game, Within
from proofbase.engine.rules.within import FAMILY, PLIES_BYTES

__all__ = ["plain_game", "plain_records"]


def plain_game(name: str) -> Game[Any] | None:
    """The inner game by its Python rules, where `plain_records` has something to say about it; else None.

    In games with rewards a claim within n plies says nothing of what comes after them.

    Raises:
        UnknownGameError, InvalidParametersError: `within` of no game.
    """
    if name.partition(":")[0] != FAMILY:
        return None
    game = open_game(name, "python")
    assert isinstance(game, Within)
    return None if game.has_rewards() else game.inner


def plain_records(game: Game[Any], items: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """The records of the inner game that follow from records of `within:N:GAME`, in the same order.

    If the given records pass their local checks, and all that they rest on is among them or stored as well, so do these
    with what follows from those.

    Args:
        game: the inner game, as `plain_game` gives it.
        items: keys and records without sources.
    """
    for key, data in items:
        if is_one_claim_of_zero(data):
            continue  # nearly all records of a refutation: nobody wins within the plies
        record = decode_record(data)
        wins = [claim for claim in record.claims if _is_win(claim)]
        if not wins:
            continue
        plain_key, plies = key[:-PLIES_BYTES], int.from_bytes(key[-PLIES_BYTES:], "big")
        rho = None if game.acyclic else game.repetition(game.position(plain_key))
        # A search claim may have a larger rank than there are plies: none of its lines is longer than these.
        claims = [replace(claim, rank=min(claim.rank, plies)) for claim in wins if _is_progress(claim, rho)]
        if claims:
            yield plain_key, encode_record(Record.of(claims))


def _is_win(claim: Claim) -> bool:
    """Whether a claim says that one side or the other wins."""
    return claim.bound > 0 if claim.side == Side.LOWER else claim.bound < 0


def _is_progress(claim: Claim, rho: int | None) -> bool:
    """Whether a line that never ends would break the claim."""
    return rho is None or (claim.bound > rho if claim.side == Side.LOWER else claim.bound < rho)
