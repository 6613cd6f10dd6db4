"""The proof below a position: every claim with the children's claims that it rests on, depth-first, page by page."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from proofbase.engine.rules import Game
from proofbase.service.answers import Claim, Cut, Proof, ProofNode
from proofbase.service.answers import Side as SideName
from proofbase.service.application import Application
from proofbase.service.commands.lookup import claim_answer
from proofbase.service.errors import InvalidRequestError, LimitExceededError, StaleContinuationError
from proofbase.service.native import new_table
from proofbase.service.positions import Where, find_position, oriented_move
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Record, Side

__all__ = ["Traversal", "get_proof"]

Kind = Literal["inner", "terminal", "leaf", "repeated", "cut", "missing", "range"]


def get_proof(
    app: Application,
    game_name: str,
    where: Where = None,
    *,
    side: SideName | None = None,
    max_depth: int | None = None,
    max_nodes: int | None = None,
    continuation: str | None = None,
) -> Proof:
    """A page of the proof of a position's strongest bounds.

    A claim that was shown before (transpositions) is not shown again with all that is below it, but refers back. An
    unknown position has an empty proof.

    Args:
        app: the service.
        game_name: any name of the game.
        where: the position.
        side: only the proof of this bound.
        max_depth: plies below the position; None for no limit.
        max_nodes: nodes of this page; None for the service's limit.
        continuation: from the cut of the page before; the store must not have changed since.

    Raises:
        UnknownGameError, InvalidPositionError: there is no such position.
        LimitExceededError: more nodes than the limits allow.
        StaleContinuationError: it belongs to another request, or the records have changed.
    """
    largest = app.limits.proof_nodes
    for name, number in (("max_depth", max_depth), ("max_nodes", max_nodes)):
        if number is not None and number < 1:
            raise InvalidRequestError(f"{name} is {number}: at least 1 is needed", field=name)
    if max_nodes is not None and max_nodes > largest:
        raise LimitExceededError(
            f"{max_nodes} nodes: at most {largest} a page", limit="proof_nodes", largest=largest, field="max_nodes"
        )
    if side not in (None, "lower", "upper"):
        raise InvalidRequestError(f"a side is 'lower' or 'upper', not {side!r}", field="side")
    game = app.games.open(game_name)
    root = find_position(game, where)
    asked = (game.name, root, side, max_depth)
    traversal = _continued(app, continuation, asked) if continuation else Traversal(app, game, root, asked)
    nodes = tuple(islice(traversal, max_nodes or largest))
    cut = None
    if traversal.more:
        token = f"{traversal.shown}.{traversal.generation}.{secrets.token_urlsafe(12)}"
        app.keep_traversal(token, traversal)
        cut = Cut("count", f"{traversal.shown} nodes so far and more to come: go on with the continuation", token)
    elif traversal.cut_by_depth:
        cut = Cut(
            "depth", f"{traversal.cut_by_depth} nodes at depth {max_depth} are not expanded: ask for their proofs"
        )
    return Proof(game.name, game.text(root), nodes, cut)


def _continued(app: Application, token: str, asked: tuple[Any, ...]) -> Traversal:
    traversal = app.take_traversal(token)
    if traversal is not None and traversal.asked != asked:
        app.keep_traversal(token, traversal)
        raise StaleContinuationError("that continuation belongs to another request", field="continuation")
    try:
        shown, generation = (int(part) for part in token.split(".")[:2])
    except ValueError:
        raise StaleContinuationError("that is no continuation of a proof", field="continuation") from None
    game = app.games.open(asked[0])
    if app.store.generation(game.name) != generation:
        raise StaleContinuationError(
            f"the records of {game.name} have changed since that page: start again", field="continuation"
        )
    if traversal is None or traversal.shown != shown:
        # The server was restarted, or has seen many other proofs since: walk there again.
        traversal = Traversal(app, game, asked[1], asked)
        for _ in islice(traversal, shown):
            pass
    return traversal


@dataclass(frozen=True, slots=True)
class _Pending:
    """A claim that is to be shown: `position` has to have a bound at least this strong, with a rank below `below`."""

    parent: int
    depth: int
    move: str | None
    position: Any
    side: Side
    bound: int
    below: int | None


class Traversal(Iterator[ProofNode]):
    """Walks a proof depth-first; can be stopped between two nodes and go on later.

    Attributes:
        asked: the request that it answers.
        generation: of the game's records when it began.
        shown: number of nodes so far.
        cut_by_depth: number of nodes that were not expanded because of their depth.
    """

    def __init__(self, app: Application, game: Game[Any], root: Any, asked: tuple[Any, ...]) -> None:
        self.asked = asked
        self.generation = app.store.generation(game.name)
        self.shown = 0
        self.cut_by_depth = 0
        self._store = app.store
        self._game = game
        side, self._max_depth = asked[2], asked[3]
        self._places: dict[tuple[bytes, Side, int, int], int] = {}
        self._pending: list[_Pending] = []
        self._push_root(root, side)

    @property
    def more(self) -> bool:
        """Whether nodes are left."""
        return bool(self._pending)

    def __next__(self) -> ProofNode:
        if not self._pending:
            raise StopIteration
        pending = self._pending.pop()
        number, self.shown = self.shown, self.shown + 1
        parent = number if pending.move is None else pending.parent
        kind, key, claim, same_as = self._settle(pending, number)
        return ProofNode(
            number=number,
            parent=parent,
            depth=pending.depth,
            kind=kind,
            move=pending.move,
            position=self._game.text(pending.position),
            key=key,
            claim=claim,
            same_as=same_as,
        )

    def _push_root(self, root: Any, side: SideName | None) -> None:
        value = self._game.terminal(root)
        bounds: list[tuple[Side, int]] = []
        if value is not None:
            bounds = [(Side.LOWER, value), (Side.UPPER, value)]
        else:
            record = self._store.get(self._game.name, self._game.key(root))
            strongest = () if record is None else (record.lower, record.upper)
            bounds = [(claim.side, claim.bound) for claim in strongest if claim is not None]
        wanted = [(kind, bound) for kind, bound in bounds if side in (None, _NAMES[kind])]
        for kind, bound in reversed(wanted):
            self._pending.append(_Pending(0, 0, None, root, kind, bound, None))

    def _settle(self, pending: _Pending, number: int) -> tuple[Kind, bytes, Claim, int]:
        """The claim that answers what is pending, what kind of node it makes, and its children put in line."""
        game, position, side = self._game, pending.position, pending.side
        key = game.key(position)
        value = game.terminal(position)
        if value is not None:
            return "terminal", key, Claim(_NAMES[side], value, 0, "children"), 0
        claim = _fitting(self._store.get(game.name, key), pending)
        if claim is None:
            kind: Kind = "range" if _in_range(pending, game.limit(position)) else "missing"
            return kind, key, Claim(_NAMES[side], pending.bound, 0, "children"), 0
        shown = claim_answer(game, position, key, claim)
        by_lines = claim.evidence == Evidence.LINE and side == Side.UPPER
        unanswered = self._unanswered(key) if by_lines else None
        if not unanswered and claim.evidence != Evidence.CHILDREN:
            return "leaf", key, shown, 0
        place = self._places.setdefault((key, side, claim.bound, claim.rank), number)
        if place != number:
            return "repeated", key, shown, place
        if self._max_depth is not None and pending.depth >= self._max_depth:
            self.cut_by_depth += 1
            return "cut", key, shown, 0
        self._push_children(position, key, claim, number, pending.depth + 1, unanswered)
        return "inner", key, shown, 0

    def _unanswered(self, key: bytes) -> set[bytes]:
        """The children that a record with lines still rests on: those that no line answers."""
        table = new_table(self._game)
        table.load([(key, data) for data in self._store.get_many(self._game.name, [key]) if data is not None])
        return set(table.missing([key]))

    def _push_children(
        self, position: Any, key: bytes, claim: StoredClaim, number: int, depth: int, only: set[bytes] | None
    ) -> None:
        game = self._game
        rho = game.repetition(position)
        if claim.witness is not None:
            moves = [oriented_move(game, position, key, claim.witness)]
            if moves[0] not in game.moves(position):
                moves = []  # a damaged record: verification names it
            safe, side = rho is not None and claim.bound <= rho, Side.UPPER
        else:
            moves = list(game.moves(position))
            safe, side = rho is not None and claim.bound >= rho, Side.LOWER
        for move in reversed(moves):
            bound = game.reward(position, move) - claim.bound
            child = game.play(position, move)
            if only is not None and game.key(child) not in only:
                continue
            name = game.move_text(position, move)
            self._pending.append(_Pending(number, depth, name, child, side, bound, None if safe else claim.rank))


_NAMES: dict[Side, SideName] = {Side.LOWER: "lower", Side.UPPER: "upper"}


def _fitting(record: Record | None, pending: _Pending) -> StoredClaim | None:
    """The strongest claim that is strong enough and, where that is asked for, has a small enough rank."""
    for claim in () if record is None else record.claims:
        strong = claim.bound >= pending.bound if claim.side == Side.LOWER else claim.bound <= pending.bound
        if claim.side == pending.side and strong and (pending.below is None or claim.rank < pending.below):
            return claim
    return None


def _in_range(pending: _Pending, limit: int) -> bool:
    return pending.bound <= -limit if pending.side == Side.LOWER else pending.bound >= limit
