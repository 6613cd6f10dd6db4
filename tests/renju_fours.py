"""Wins by fours in renju by the rules alone: the oracle of the native search (engine/native/games/renju/fours.hpp).

A *four* is a move after which every reply but at most one lets the attacker end the game at once. So every move and
every reply is one that the rules allow: Black's are on no forbidden square and make exactly five, and where Black may
not play on the square that stops a four, White has won.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofbase.engine.rules.gomoku import GomokuStones
from proofbase.engine.rules.renju import Renju

__all__ = ["win_by_fours"]


def win_by_fours(rules: Renju, position: GomokuStones, most_plies: int = 63) -> list[int] | None:
    """A shortest line by which the side to move wins by fours; None if there is none of so many plies.

    The line has the moves of both sides, as in the evidence `line` (docs/fact-model.md).
    """
    waiting, seen = [(position, list[int]())], {position}
    for reached, line in waiting:  # breadth first: it grows meanwhile
        if len(line) >= most_plies:
            return None
        won = _winning_move(rules, reached)
        if won is not None:
            return [*line, won]
        for move in rules.moves(reached):
            after = rules.play(reached, move)
            if rules.terminal(after) is not None:
                continue
            replies = _replies_that_hold(rules, after, 2)
            if len(replies) > 1:
                continue
            if not replies:
                if len(line) + 3 > most_plies:
                    return None
                reply = rules.moves(after)[0]
                last = _winning_move(rules, rules.play(after, reply))
                assert last is not None
                return [*line, move, reply, last]
            below = rules.play(after, replies[0])
            if rules.terminal(below) is None and below not in seen:
                seen.add(below)
                waiting.append((below, [*line, move, replies[0]]))
    return None


def _winning_move(rules: Renju, position: GomokuStones) -> int | None:
    """A move that ends the game at once with a win."""
    return next((move for move in rules.moves(position) if rules.terminal(rules.play(position, move)) == -1), None)


def _replies_that_hold(rules: Renju, position: GomokuStones, most: int) -> Sequence[int]:
    """Up to so many moves after which the other side has no win at once."""
    replies = list[int]()
    for move in rules.moves(position):
        after = rules.play(position, move)
        if rules.terminal(after) is not None or _winning_move(rules, after) is None:
            replies.append(move)
            if len(replies) == most:
                break
    return replies
