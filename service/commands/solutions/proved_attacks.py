"""Attacks as the records of a proof tell them: lines of forced replies, joined by moves that leave a choice of replies.

Records are about canonical positions. A canonical position and the one that is asked about are played side by side: a
move of the one and of the other belong together if positions with the same key follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from proofbase.engine.records import Evidence, decode_record
from proofbase.engine.rules import Game
from proofbase.service.commands.solutions.lines.forcing_lines import lines_of_upper_claim
from proofbase.service.commands.solutions.processor_limit import ProcessorLimit
from proofbase.service.resources.native import line_reaches

__all__ = ["AttackMove", "attack_of_records"]


class AttackMove:
    """A move of the attacker, and what follows the replies that do not lose at once.

    Attributes:
        move: the attacker's move.
        replies: replies of the other side, each with the attacker's next move. Of the replies that one line answers
            there is only the first. Empty if the move ends the game.
    """

    def __init__(self, move: int, replies: Sequence[tuple[int, AttackMove]] = ()) -> None:
        self.move, self.replies = move, replies

    @cached_property
    def plies(self) -> int:
        """The plies of the longest line."""
        return 1 + max((1 + after.plies for _, after in self.replies), default=0)

    @cached_property
    def size(self) -> int:
        """Moves of the attacker in all."""
        return 1 + sum(after.size for _, after in self.replies)

    def line(self) -> list[int]:
        """The longest line: moves of the attacker and replies in turn."""
        moves, node = [self.move], self
        while node.replies:
            reply, node = max(node.replies, key=lambda item: item[1].plies)
            moves += [reply, node.move]
        return moves

    def steps(self) -> Iterator[tuple[int, int | None, int, bool]]:
        """The attacker's moves, depth first: moves before it, what it answers, the move, whether it is the last."""
        waiting: list[tuple[int, int | None, AttackMove]] = [(0, None, self)]
        while waiting:
            depth, reply, node = waiting.pop()
            yield depth, reply, node.move, not node.replies
            waiting += reversed([(depth + 1, answer, after) for answer, after in node.replies])


def attack_of_records(
    game: Game[Any], position: Any, records: Mapping[bytes, bytes], limit: ProcessorLimit
) -> AttackMove:
    """The attack of the side to move by closed records that rest on lines and on each other.

    Args:
        game: opened by the native core.
        position: one of the records is about it, and says that its side to move wins.
        records: of a proof, by key.
        limit: of the time that it takes.

    Raises:
        ProcessorLimitExceededError: all of that time is spent.
    """
    return _Attacks(game, records, limit).after(position)


class _Attacks:
    def __init__(self, game: Game[Any], records: Mapping[bytes, bytes], limit: ProcessorLimit) -> None:
        self._game, self._records, self._limit = game, records, limit
        self._known: dict[Any, AttackMove] = {}

    def after(self, position: Any) -> AttackMove:
        """The attack from a position with the attacker to move."""
        if position not in self._known:
            self._known[position] = self._attack(position)
        return self._known[position]

    def _attack(self, position: Any) -> AttackMove:
        self._limit.check()
        game, key = self._game, self._game.key(position)
        claim, canonical = decode_record(self._records[key]).lower, game.position(key)
        assert claim is not None and claim.witness is not None
        if claim.evidence == Evidence.LINE:
            return _of_line(_mapped(game, canonical, position, claim.line or ()))
        (move,) = _mapped(game, canonical, position, [claim.witness])
        defended = game.play(position, move)
        return AttackMove(move, () if game.terminal(defended) is not None else self._answers(defended))

    def _answers(self, position: Any) -> list[tuple[int, AttackMove]]:
        """Replies with the attacks that follow: each that has a record, and one for each line against the others."""
        game, key = self._game, self._game.key(position)
        claim, canonical = decode_record(self._records[key]).upper, game.position(key)
        assert claim is not None
        answers, others = list[tuple[int, AttackMove]](), list[_Reply]()
        same = {game.key(after): (move, after) for move, after in self._children(canonical)}
        for move, after in self._children(position):
            key = game.key(after)
            if key in self._records:
                answers.append((move, self.after(after)))
            else:
                others.append(_Reply(move, after, *same[key]))
        lines = lines_of_upper_claim(claim) if claim.evidence == Evidence.LINE else []
        for number, line in enumerate(lines):
            reply = self._first_answered(others, line, lines[:number])
            if reply is not None:
                answers.append((reply.move, _of_line(_mapped(game, reply.canonical, reply.after, line))))
        return answers

    def _children(self, position: Any) -> Iterator[tuple[int, Any]]:
        """Moves with the positions after them in which the game goes on."""
        for move in self._game.moves(position):
            after = self._game.play(position, move)
            if self._game.terminal(after) is None:
                yield move, after

    def _first_answered(
        self, replies: Sequence[_Reply], line: Sequence[int], before: Sequence[Sequence[int]]
    ) -> _Reply | None:
        """The first reply that a line answers, and none of the lines before: first those on squares of these lines."""
        squares = {move for other in before for move in other}
        for reply in sorted(replies, key=lambda reply: reply.canonical_move not in squares):
            if self._answers_reply(line, reply) and not any(self._answers_reply(other, reply) for other in before):
                return reply
        return None

    def _answers_reply(self, line: Sequence[int], reply: _Reply) -> bool:
        self._limit.check()
        return line_reaches(self._game, reply.canonical, self._game.highest_value, line)


class _Reply(NamedTuple):
    """A reply, the position after it, and both as the record has them."""

    move: int
    after: Any
    canonical_move: int
    canonical: Any


def _of_line(moves: Sequence[int]) -> AttackMove:
    attack = AttackMove(moves[-1])
    for at in range(len(moves) - 3, -1, -2):
        attack = AttackMove(moves[at], [(moves[at + 1], attack)])
    return attack


def _mapped(game: Game[Any], canonical: Any, position: Any, line: Sequence[int]) -> list[int]:
    """The moves of a line from a canonical position as moves from a position with the same key."""
    moves = list[int]()
    for move in line:
        canonical = game.play(canonical, move)
        key = game.key(canonical)
        own_move = next(m for m in game.moves(position) if game.key(game.play(position, m)) == key)
        moves.append(own_move)
        position = game.play(position, own_move)
    return moves
