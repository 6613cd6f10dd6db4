"""The proof below a position: every claim with the children's claims that it rests on, depth-first, page by page."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from itertools import islice
from typing import Any

from proofbase.engine.rules import Game
from proofbase.service.answers import Cut, Proof, ProofNode
from proofbase.service.answers import Side as SideName
from proofbase.service.answers.bounds import bounded, cut_text, message_bytes
from proofbase.service.commands.solutions.proof_traversal import ProofTraversal, Request
from proofbase.service.errors import InvalidRequestError, LimitExceededError, StaleContinuationError
from proofbase.service.limits import PAGE_BYTES, POSITION_CHARACTERS
from proofbase.service.positions import Where, find_position
from proofbase.service.resources import Resources
from proofbase.service.resources.native import has_short_texts

__all__ = ["ProofPages", "get_proof"]

KEPT_TRAVERSALS = 16
KEPT_NODES = 1_000_000
"""Nodes of all kept traversals together, and the most nodes of one proof: a traversal remembers each (300 bytes)."""
WALKED_AGAIN = 20_000
"""Nodes that one call may go through once more to come to its page."""


class ProofPages:
    """Traversals of proofs that stopped at the end of a page, until the next page is asked for. Thread-safe.

    Only the last 16 are kept, with at most a million nodes together. For a page of another proof the traversal is made
    again from its start.
    """

    def __init__(self) -> None:
        self._traversals: OrderedDict[str, ProofTraversal] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, token: str, traversal: ProofTraversal) -> None:
        """Keeps a traversal under the continuation that names it."""
        with self._lock:
            self._traversals[token] = traversal
            kept = self._traversals
            while len(kept) > 1 and (
                len(kept) > KEPT_TRAVERSALS or sum(entry.shown for entry in kept.values()) > KEPT_NODES
            ):
                kept.popitem(last=False)

    def take(self, token: str) -> ProofTraversal | None:
        """Takes a traversal out; None if it is not kept."""
        with self._lock:
            return self._traversals.pop(token, None)


def get_proof(
    resources: Resources,
    pages: ProofPages,
    game_name: str,
    where: Where = None,
    *,
    side: SideName | None = None,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    continuation: str | None = None,
) -> Proof:
    """A page of the proof of a position's strongest bounds. A page ends as well where its message would be too large.

    A claim that was shown before (a transposition) is not expanded again: its node refers to the first one. An unknown
    position has an empty proof.

    Args:
        resources: the store and what belongs to it.
        pages: the traversals that were kept.
        game_name: any name of the game.
        where: the position.
        side: only the proof of this bound.
        max_depth: plies below the position; None for no limit.
        max_nodes: nodes of this page; None for the service's limit.
        continuation: from the cut of the page before; the store must not have changed since. A page may be empty
            where the server has to go through the pages before once more: its continuation goes on with that.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        LimitExceededError: more nodes than the limits allow.
        StaleContinuationError: it belongs to another request or another process, or the records have changed.
    """
    largest = resources.limits.proof_nodes
    for name, number in (("max_depth", max_depth), ("max_nodes", max_nodes)):
        if number is not None and number < 1:
            raise InvalidRequestError(f"{name} is {number}: at least 1 is needed", field=name)
    if max_nodes is not None and max_nodes > largest:
        raise LimitExceededError(
            f"{max_nodes} nodes: at most {largest} a page", limit="proof_nodes", largest=largest, field="max_nodes"
        )
    if side not in (None, "lower", "upper"):
        raise InvalidRequestError(f"a side is 'lower' or 'upper', not {side!r}", field="side")
    game = resources.games.open(game_name)
    request = Request(game.name, find_position(game, where), side, max_depth)
    traversal, start = None, 0
    if continuation:
        traversal, start = _continued(resources, pages, continuation, request)
    if traversal is None:
        traversal = ProofTraversal(resources, game, request)
    for _ in islice(traversal, min(start - traversal.shown, WALKED_AGAIN)):
        pass
    if traversal.shown < start and continuation:
        pages.keep(continuation, traversal)
        message = f"{traversal.shown} of {start} nodes gone through once more: go on with the continuation"
        text = cut_text(game.text(request.position), POSITION_CHARACTERS)
        return Proof(game.name, text, (), Cut("count", message, continuation), resources.package)
    short = has_short_texts(game)
    nodes: list[ProofNode] = []
    room = PAGE_BYTES
    for node in islice(traversal, min(max_nodes or largest, KEPT_NODES - traversal.shown)):
        nodes.append(node if short else bounded(node))
        room -= message_bytes(nodes[-1])
        if room < 0:
            break
    cut = None
    if traversal.more and traversal.shown >= KEPT_NODES:
        cut = Cut("count", f"{traversal.shown} nodes are the most of one proof: ask for the proofs of later positions")
    elif traversal.more:
        place = f"{traversal.shown}.{traversal.generation}.{secrets.token_urlsafe(12)}"
        token = resources.continuations.write(_text(request, game), place.encode())
        pages.keep(token, traversal)
        message = f"{traversal.shown} nodes so far and more to come: go on with the continuation"
        cut = Cut("bytes" if room < 0 else "count", message, token)
    elif traversal.cut_by_depth:
        cut = Cut(
            "depth", f"{traversal.cut_by_depth} nodes at depth {max_depth} are not expanded: ask for their proofs"
        )
    text = cut_text(game.text(request.position), POSITION_CHARACTERS)
    return Proof(game.name, text, tuple(nodes), cut, resources.package)


def _text(request: Request, game: Game[Any]) -> str:
    """What all pages of a proof have in common."""
    return f"proof {request.game} {game.text(request.position)} {request.side} {request.max_depth}"


def _continued(
    resources: Resources, pages: ProofPages, token: str, request: Request
) -> tuple[ProofTraversal | None, int]:
    """The traversal that a continuation names, if it is kept, and the number of the node that the page begins with."""
    game = resources.games.open(request.game)
    place = resources.continuations.read(_text(request, game), token).decode()
    nodes_shown, generation = (int(part) for part in place.split(".")[:2])
    if resources.store.generation(game.name) != generation:
        raise StaleContinuationError(
            f"the records of {game.name} have changed since that page: start again", field="continuation"
        )
    return pages.take(token), nodes_shown
