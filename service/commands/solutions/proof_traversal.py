"""Walks the proof below a position, depth-first: every claim, with the claims of the children that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from proofbase.engine.rules import Game
from proofbase.service.answers import Claim, ProofNode
from proofbase.service.answers import Side as SideName
from proofbase.service.commands.claims import claim_answer, record_by_table
from proofbase.service.positions import oriented_move
from proofbase.service.resources import Resources
from proofbase.service.resources.native import new_record_table
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Record, Side

__all__ = ["ProofTraversal", "Request"]

Kind = Literal["inner", "terminal", "leaf", "repeated", "cut", "missing", "range"]


class Request(NamedTuple):
    """The proof that was asked for: game, position, side (None: both) and depth (None: no limit)."""

    game: str
    position: Any
    side: SideName | None
    max_depth: int | None


@dataclass(frozen=True, slots=True)
class _Pending:
    """A claim that is to be shown: `position` needs a bound at least this strong, with a rank below `rank_limit`."""

    parent: int
    depth: int
    move: str | None
    position: Any
    side: Side
    bound: int
    rank_limit: int | None


class ProofTraversal(Iterator[ProofNode]):
    """Walks a proof depth-first; can be stopped between two nodes and go on later.

    Attributes:
        request: the proof that was asked for.
        generation: generation of the game's records when the traversal began.
        shown: number of nodes so far.
        cut_by_depth: number of nodes that were not expanded because of their depth.
    """

    def __init__(self, resources: Resources, game: Game[Any], request: Request) -> None:
        self.request = request
        self.generation = resources.store.generation(game.name)
        self.shown = 0
        self.cut_by_depth = 0
        self._store = resources.store
        self._tables = resources.tables.of(game)
        self._game = game
        self._numbers: dict[tuple[bytes, Side, int, int], int] = {}
        """Numbers of the nodes that were expanded, by key, side, bound and rank."""
        self._pending: list[_Pending] = []
        self._push_root(request.position, request.side)

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
        kind, key, claim, same_as = self._expand(pending, number)
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
            key = self._game.key(root)
            record = self._store.get(self._game.name, key)
            strongest = () if record is None else (record.lower, record.upper)
            bounds = [(claim.side, claim.bound) for claim in strongest if claim is not None]
            exact = len(bounds) == 2 and bounds[0][1] == bounds[1][1]
            entry = None if exact or self._tables is None else self._tables.value(root)
            if entry is not None:
                bounds = [(Side.LOWER, entry), (Side.UPPER, entry)]
        wanted = [(of, bound) for of, bound in bounds if side in (None, _NAMES[of])]
        for of, bound in reversed(wanted):
            self._pending.append(_Pending(0, 0, None, root, of, bound, None))

    def _expand(self, pending: _Pending, number: int) -> tuple[Kind, bytes, Claim, int]:
        """Kind, key and claim of a node, and the number of the node that has its children. Pushes its own children."""
        game, position, side = self._game, pending.position, pending.side
        key = game.key(position)
        value = game.terminal(position)
        if value is not None:
            return "terminal", key, Claim(_NAMES[side], value, 0, "children"), 0
        claim = _strong_enough(self._store.get(game.name, key), pending)
        if claim is None:
            claim = _strong_enough(record_by_table(game, key, None, self._tables), pending)
        if claim is None:
            kind: Kind = "range" if _in_range(pending, game.limit(position)) else "missing"
            return kind, key, Claim(_NAMES[side], pending.bound, 0, "children"), 0
        answer = claim_answer(game, position, key, claim, self._tables)
        partly = claim.evidence in (Evidence.LINE, Evidence.THREATS, Evidence.STRATEGY) and side == Side.UPPER
        unanswered = self._unanswered(key) if partly else None
        if not unanswered and claim.evidence != Evidence.CHILDREN:
            return "leaf", key, answer, 0
        expanded = self._numbers.setdefault((key, side, claim.bound, claim.rank), number)
        if expanded != number:
            return "repeated", key, answer, expanded
        if self.request.max_depth is not None and pending.depth >= self.request.max_depth:
            self.cut_by_depth += 1
            return "cut", key, answer, 0
        self._push_children(position, key, claim, number, pending.depth + 1, unanswered)
        return "inner", key, answer, 0

    def _unanswered(self, key: bytes) -> set[bytes]:
        """Keys of the children that no line or tree of a record answers: it rests on their records as well."""
        table = new_record_table(self._game)
        table.load([(key, data) for data in self._store.get_many(self._game.name, [key]) if data is not None])
        return set(table.missing([key]))

    def _push_children(
        self, position: Any, key: bytes, claim: StoredClaim, number: int, depth: int, only: set[bytes] | None
    ) -> None:
        game = self._game
        repetition = game.repetition(position)
        if claim.witness is not None:
            moves = [oriented_move(game, position, key, claim.witness)]
            if moves[0] not in game.moves(position):
                moves = []  # a damaged record: verification names it
            safety, side = repetition is not None and claim.bound <= repetition, Side.UPPER
        else:
            moves = list(game.moves(position))
            safety, side = repetition is not None and claim.bound >= repetition, Side.LOWER
        for move in reversed(moves):
            bound = game.reward(position, move) - claim.bound
            child = game.play(position, move)
            if only is not None and game.key(child) not in only:
                continue
            name = game.move_text(position, move)
            self._pending.append(_Pending(number, depth, name, child, side, bound, None if safety else claim.rank))


_NAMES: dict[Side, SideName] = {Side.LOWER: "lower", Side.UPPER: "upper"}


def _strong_enough(record: Record | None, pending: _Pending) -> StoredClaim | None:
    """The strongest claim that gives the bound that is pending and, where a rank limit is set, has a smaller rank."""
    for claim in () if record is None else record.claims:
        strong = claim.bound >= pending.bound if claim.side == Side.LOWER else claim.bound <= pending.bound
        if claim.side == pending.side and strong and (pending.rank_limit is None or claim.rank < pending.rank_limit):
            return claim
    return None


def _in_range(pending: _Pending, limit: int) -> bool:
    return pending.bound <= -limit if pending.side == Side.LOWER else pending.bound >= limit
