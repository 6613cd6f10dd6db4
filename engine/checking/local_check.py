"""The local check of records in plain Python (docs/fact-model.md).

The native core makes the same check (engine/native/records/local_check.hpp), and `checker.py` makes it once more
without importing this file: the check is small enough to be written three times, and the tests hold the three against
each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from proofbase.engine.checking.evidence import line_reaches, small_search_visits
from proofbase.engine.checking.pairing_evidence import broken_by_pairing
from proofbase.engine.checking.strategy_evidence import broken_by_strategy
from proofbase.engine.checking.threat_evidence import broken_by_threats
from proofbase.engine.records import Claim, Evidence, MalformedRecordError, Side, decode_record
from proofbase.engine.rules.game import Game
from proofbase.engine.tables import ValueTables, broken_by_table, table_value

__all__ = ["Finding", "LocalCheck"]

P = TypeVar("P")


class Finding(NamedTuple):
    """A claim that fails the local check, or a record that cannot be read (then claim is None)."""

    key: bytes
    claim: Claim | None
    rule: str
    """Name of the broken rule, stable: see `LocalCheck`."""
    detail: str


_Bounds = tuple[list[tuple[int, int]], list[tuple[int, int]]]
"""What is known of a position: (bound, rank) of its lower claims and of its upper claims."""

_ClaimsWithMoves = list[tuple[Claim, list[int]]]
"""Claims of a position, each with the moves to the children that it rests on."""


class LocalCheck(Generic[P]):
    """The local check of a game's records by its rules, for any number of batches.

    Rules named by findings: `malformed` (no record, or no key of a legal position), `contradiction`, `terminal` (a
    record of a finished game), `witness` (no legal move), `safety-rank` (a safety claim has rank 0), `child` (no claim
    of a child, or none with a smaller rank, guarantees the bound), `evidence` (evidence that this check cannot redo),
    `search` (the search does not settle the bound within its nodes), `line` (a line does not reach the bound),
    `threats` (no tree of the claim wins against a reply), `strategy` (the diagram loses to a line of play), `table`
    (the table that the claim names does not confirm it), `pairing` (a line of the other side holds no pair), `rules`
    (the rules raised an error).

    Args:
        game: the rules.
        tables: a child with a table entry counts as its exact value, and claims may rest on the tables.
        zones: whether replies outside the zone of a threat tree need not be played out (docs/zones.md).
    """

    def __init__(self, game: Game[P], tables: ValueTables | None = None, *, zones: bool = False) -> None:
        self.game = game
        self._tables = tables
        self._zones = zones
        self.checked = 0
        """Records checked so far."""

    def findings(
        self, batch: Sequence[tuple[bytes, bytes]], get_many: Callable[[list[bytes]], Sequence[bytes | None]]
    ) -> Iterator[Finding]:
        """Checks every claim of a batch of records.

        Args:
            batch: (key, encoded record) pairs, with or without sources.
            get_many: the encoded records of the given keys, None where there is none. Called once a batch, for the
                children that are not in the batch themselves.
        """
        readable: dict[bytes, tuple[P, _ClaimsWithMoves]] = {}
        needed: dict[bytes, None] = {}
        for key, data in batch:
            self.checked += 1
            try:
                position, record = self.game.position(key), decode_record(data)
                if self.game.terminal(position) is not None:
                    yield Finding(key, None, "terminal", "the game is over here: such a position has no record")
                    continue
                resting = [(claim, self.supporting_moves(position, claim)) for claim in record.claims]
                readable[key] = position, resting
                needed.update(dict.fromkeys(self._child_keys(position, resting)))
            except ValueError as error:
                yield Finding(key, None, "malformed", str(error))
            except Exception as error:  # a user's rules may raise anything: the batch goes on
                yield Finding(key, None, "rules", f"{type(error).__name__}: {error}")
        in_batch = dict(batch)
        outside = [key for key in needed if key not in in_batch]
        records: dict[bytes, bytes | None] = {**in_batch, **dict(zip(outside, get_many(outside), strict=True))}
        for key, (position, resting) in readable.items():
            yield from self._record_findings(key, position, resting, records)

    def supporting_moves(self, position: P, claim: Claim) -> list[int]:
        """The moves to children whose claims a claim rests on."""
        legal = self.game.moves(position)
        if claim.named is not None:
            named = set(claim.named)
            return [move for move in legal if move in named]
        if claim.evidence not in (Evidence.CHILDREN, Evidence.LINE):
            return []
        if claim.side == Side.LOWER:
            return [move for move in legal if move == claim.witness and claim.evidence == Evidence.CHILDREN]
        short = [line for line in claim.lines if len(line) < claim.rank]
        return [move for move in legal if not self._line_answers(position, move, claim.bound, short)]

    def _line_answers(self, position: P, move: int, bound: int, lines: list[tuple[int, ...]]) -> bool:
        """Whether after the move one of the lines holds the mover to the bound."""
        if not lines:
            return False
        child, lower = self.game.play(position, move), self.game.reward(position, move) - bound
        return self.game.terminal(child) is None and any(line_reaches(self.game, child, lower, line) for line in lines)

    def _child_keys(self, position: P, resting: _ClaimsWithMoves) -> Iterator[bytes]:
        """Keys of the children that claims rest on."""
        for move in dict.fromkeys(move for _, moves in resting for move in moves):
            child = self.game.play(position, move)
            if self.game.terminal(child) is None:
                yield self.game.key(child)

    def _record_findings(
        self, key: bytes, position: P, resting: _ClaimsWithMoves, records: dict[bytes, bytes | None]
    ) -> Iterator[Finding]:
        lowers = [claim.bound for claim, _ in resting if claim.side == Side.LOWER]
        uppers = [claim.bound for claim, _ in resting if claim.side == Side.UPPER]
        if lowers and uppers and lowers[0] > uppers[0]:
            yield Finding(key, None, "contradiction", f"lower = {lowers[0]} above upper = {uppers[0]}")
        for claim, moves in resting:
            try:
                broken = self._broken_rule(position, claim, moves, records)
            except Exception as error:
                broken = "rules", f"{type(error).__name__}: {error}"
            if broken:
                yield Finding(key, claim, *broken)

    def _broken_rule(
        self, position: P, claim: Claim, moves: list[int], records: dict[bytes, bytes | None]
    ) -> tuple[str, str] | None:
        """The rule that a claim breaks, with the particulars; None when it passes.

        Args:
            position, claim: a claim, and the position of its record.
            moves: the claim's supporting moves.
            records: the encoded records of the children.
        """
        game, rho = self.game, self.game.repetition(position)
        safe = rho is not None and (claim.bound <= rho if claim.side == Side.LOWER else claim.bound >= rho)
        if safe and claim.rank != 0:
            return "safety-rank", f"repetition alone (worth {rho}) gives this bound: its rank is 0, not {claim.rank}"
        legal = game.moves(position)
        if not legal:
            return "rules", "no legal move, though the game is not over"
        if claim.side == Side.LOWER and (claim.witness is None or claim.witness not in legal):
            return "witness", f"move {claim.witness} is not legal"
        if claim.evidence.is_search:
            return self._broken_by_search(position, claim)
        if claim.evidence == Evidence.LINE and claim.side == Side.LOWER:
            return self._broken_by_line(position, claim)
        if claim.evidence == Evidence.TABLE:
            return broken_by_table(game, self._tables, position, claim)
        if claim.evidence == Evidence.THREATS:
            broken = broken_by_threats(game, position, claim, zones=self._zones)
            if broken is not None or claim.side == Side.LOWER:
                return broken
        if claim.evidence == Evidence.PAIRING:
            return broken_by_pairing(game, position, claim)
        if claim.evidence == Evidence.STRATEGY:
            broken = broken_by_strategy(game, position, claim)
            if broken is not None or claim.side == Side.LOWER:
                return broken
        for move in moves:
            child, reward = game.play(position, move), game.reward(position, move)
            needed = reward - claim.bound  # the child's upper bound must be at most this, or its lower at least this
            lowers, uppers = self._known_bounds(child, needed, records)
            if claim.side == Side.LOWER:
                ranks = [rank for bound, rank in uppers if bound <= needed]
            else:
                ranks = [rank for bound, rank in lowers if bound >= needed]
            if not ranks or (not safe and min(ranks) >= claim.rank):
                side = "upper <=" if claim.side == Side.LOWER else "lower >="
                smaller = "" if safe else f" with a rank below {claim.rank}"
                found = f" (smallest rank there: {min(ranks)})" if ranks else ""
                name = game.move_text(position, move)
                return "child", f"after move {name} ({move}) no claim {side} {needed}{smaller}{found}"
        return None

    def _known_bounds(self, child: P, needed: int, records: dict[bytes, bytes | None]) -> _Bounds:
        """The bounds of a child: those of its claims, and those that need no claim.

        A terminal child counts as its exact value with rank 0, and the limits of the game's values have rank 0, too. A
        child in a table counts as its exact value, with the rank that the table gives the bound `needed`.
        """
        value = self.game.terminal(child)
        if value is not None:
            return [(value, 0)], [(value, 0)]
        limit = self.game.limit(child)
        lowers, uppers = [(-limit, 0)], [(limit, 0)]
        entry = table_value(self._tables, child)
        if entry is not None:
            lowers.append((entry.value, entry.rank(Side.LOWER, needed)))
            uppers.append((entry.value, entry.rank(Side.UPPER, needed)))
        data = records.get(self.game.key(child))
        if data is not None:
            try:
                claims = decode_record(data).claims
            except MalformedRecordError:
                claims = ()  # the record's own check reports it; nothing may rest on it
            lowers += [(claim.bound, claim.rank) for claim in claims if claim.side == Side.LOWER]
            uppers += [(claim.bound, claim.rank) for claim in claims if claim.side == Side.UPPER]
        return lowers, uppers

    def _broken_by_line(self, position: P, claim: Claim) -> tuple[str, str] | None:
        line = next(iter(claim.lines), ())
        if not line or len(line) != claim.rank or line[0] != claim.witness:
            return "line", f"the line does not have {claim.rank} moves that begin with the witness"
        if not line_reaches(self.game, position, claim.bound, line):
            return "line", "the line does not reach the bound against every reply"
        return None

    def _broken_by_search(self, position: P, claim: Claim) -> tuple[str, str] | None:
        if claim.rank == 0:
            return "search", "a search to a depth of 0 settles nothing"
        game, limit, depth, nodes = self.game, claim.bound, claim.rank, claim.nodes or 0
        if claim.witness is not None:
            limit, depth = game.reward(position, claim.witness) - claim.bound, claim.rank - 1
            position = game.play(position, claim.witness)
        to_limits = claim.evidence == Evidence.SEARCH_TO_LIMITS
        if to_limits and game.name.startswith("within:"):
            return "search", "there are no searches to limits within plies"
        if small_search_visits(game, position, limit, depth, nodes, to_limits=to_limits) is not None:
            return None
        return "search", f"not settled within {nodes} nodes and {claim.rank} plies"
