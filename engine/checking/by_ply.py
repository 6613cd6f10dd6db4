"""A solution counted by ply, as Allis (1994) counts those of qubic and go-moku (Tables 4.1, 4.2 and 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import Claim, Evidence, Side, decode_record
from proofbase.engine.rules.game import Game

__all__ = ["PlyCounts", "SolutionByPly", "count_by_ply"]

P = TypeVar("P")


class PlyCounts(NamedTuple):
    """The positions of a solution at one ply.

    Attributes:
        ply: plies below the root, by the shortest way; the root has ply 0.
        positions: with a claim (Table 5.1). Positions of one key count once.
        moves: those in which the side that the bound favours has a move to make, and its claim rests on the child
            (Table 4.1).
        strategic: such moves that are not forced (Table 4.2): with some other move the other side could not
            reach at once, by ending the game, what the solution keeps from it.
        settled: positions below which nothing is stored: a line, threats, a table or a small search settles them.
    """

    ply: int
    positions: int
    moves: int
    strategic: int
    settled: int


@dataclass(frozen=True)
class SolutionByPly:
    """What one bound of a position rests on.

    Attributes:
        side: of the bound, `lower` or `upper`.
        bound: of the position's value.
        rank: plies within which it is realised.
        plies: ascending, from 0 on.
        deepest: the moves of a line to a position of the last ply.
    """

    side: str
    bound: int
    rank: int
    plies: tuple[PlyCounts, ...]
    deepest: tuple[int, ...]

    @property
    def total(self) -> PlyCounts:
        """The sums over all plies; `ply` is the last one."""
        sums = (sum(counts[field] for counts in self.plies) for field in range(1, 5))
        return PlyCounts(self.plies[-1].ply, *sums)


def count_by_ply(game: Game[P], root: P, records: Mapping[bytes, bytes]) -> list[SolutionByPly]:
    """Counts what the strongest claims of a position rest on, one solution for each side that has a claim.

    Args:
        game: the rules.
        root: the position.
        records: a closed set of encoded records by key, as a certificate holds it.
    """
    data = records.get(game.key(root))
    record = None if data is None else decode_record(data)
    claims = () if record is None else (record.lower, record.upper)
    return [_Walk(game, records).count(root, claim) for claim in claims if claim is not None]


class _Reached(NamedTuple, Generic[P]):
    """A claim that the walk has come to: the position as the board shows it, and how the walk came there."""

    position: P
    claim: Claim
    parent: int
    move: int


class _Walk(Generic[P]):
    """The walk from one claim, ply by ply."""

    def __init__(self, game: Game[P], records: Mapping[bytes, bytes]) -> None:
        self._game = game
        self._records = records
        self._check = LocalCheck(game)

    def count(self, root: P, claim: Claim) -> SolutionByPly:
        game = self._game
        reached: list[_Reached[P]] = [_Reached(game.position(game.key(root)), claim, -1, -1)]
        seen = {(game.key(root), claim)}
        keys: set[bytes] = set()
        plies: list[PlyCounts] = []
        start = 0
        while start < len(reached):
            end, positions, moves, strategic, settled = len(reached), 0, 0, 0, 0
            for index in range(start, end):
                position, of, _, _ = reached[index]
                key = game.key(position)
                counted, before = key not in keys, len(reached)
                keys.add(key)
                rests_on = self._check.supporting_moves(position, of)
                rank_limit = of.rank if self._is_progress(position, of) else None
                for move in rests_on:
                    child = game.play(position, move)
                    claim_below = self._claim_below(child, of.side, game.reward(position, move) - of.bound, rank_limit)
                    if claim_below is not None and (game.key(child), claim_below) not in seen:
                        seen.add((game.key(child), claim_below))
                        reached.append(_Reached(game.position(game.key(child)), claim_below, index, move))
                if not counted:
                    continue
                positions += 1
                settled += not rests_on or (of.evidence != Evidence.CHILDREN and len(reached) == before)
                if of.side == Side.LOWER and rests_on:
                    moves += 1
                    strategic += not self._is_forced(position, of)
            plies.append(PlyCounts(len(plies), positions, moves, strategic, settled))
            start = end
        return SolutionByPly(claim.side.name.lower(), claim.bound, claim.rank, tuple(plies), self._line(root, reached))

    def _is_progress(self, position: P, claim: Claim) -> bool:
        repetition = self._game.repetition(position)
        if repetition is None:
            return True
        return claim.bound > repetition if claim.side == Side.LOWER else claim.bound < repetition

    def _claim_below(self, child: P, side_above: Side, bound: int, rank_limit: int | None) -> Claim | None:
        """The claim of a child on which a claim of its parent rests; None where it needs none."""
        game = self._game
        data = None if game.terminal(child) is not None else self._records.get(game.key(child))
        for claim in () if data is None else decode_record(data).claims:
            strong = claim.bound >= bound if claim.side == Side.LOWER else claim.bound <= bound
            if claim.side != side_above and strong and (rank_limit is None or claim.rank < rank_limit):
                return claim
        return None

    def _is_forced(self, position: P, claim: Claim) -> bool:
        """Whether after every other move the other side can end the game at once with more than the claim leaves it."""
        return all(
            self._loses_at_once(position, move, claim.bound)
            for move in self._game.moves(position)
            if move != claim.witness
        )

    def _loses_at_once(self, position: P, move: int, bound: int) -> bool:
        game = self._game
        child, needed = game.play(position, move), game.reward(position, move) - bound
        value = game.terminal(child)
        if value is not None:
            return value > needed
        for reply in game.moves(child):
            end = game.terminal(game.play(child, reply))
            if end is not None and game.reward(child, reply) - end > needed:
                return True
        return False

    def _line(self, root: P, reached: list[_Reached[P]]) -> tuple[int, ...]:
        """The moves from the root, as it stands on the board, to the last position that was reached."""
        game = self._game
        path = []
        index = len(reached) - 1
        while index > 0:
            path.append(index)
            index = reached[index].parent
        moves, position = [], root
        for index in reversed(path):
            wanted = game.key(reached[index].position)
            move = next(m for m in game.moves(position) if game.key(game.play(position, m)) == wanted)
            moves.append(move)
            position = game.play(position, move)
        return tuple(moves)
