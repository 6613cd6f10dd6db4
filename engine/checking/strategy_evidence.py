"""Evidence by a strategy: a diagram of marks, played out against every move of the other side (docs/strategies.md)."""

from __future__ import annotations

from typing import Any

from proofbase.engine.records import MOST_STRATEGY_POSITIONS, Claim, Mark, Side, Strategy
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.squares import SquareRules

__all__ = ["StrategyPlay", "broken_by_strategy"]


def broken_by_strategy(game: Game[Any], position: Any, claim: Claim) -> tuple[str, str] | None:
    """The rule that the diagram of a claim breaks, with the particulars; None if it proves what is its to prove.

    The claims of the children that the claim names are not looked at.

    Args:
        game: the rules.
        position: of the claim, with its witness legal.
        claim: a claim by a strategy.
    """
    rules, strategy = game.square_rules(), claim.strategy
    if rules is None or strategy is None:
        return "evidence", f"{game.name} has no squares that a strategy could be played on"
    mover, other = rules.stones(position)
    if claim.side == Side.LOWER:
        assert claim.witness is not None
        play = StrategyPlay(rules, strategy, claim.bound, claim.rank, mover | other)
        return play.fault_after(mover, other, rules.square(claim.witness, mover | other))
    for move in strategy.named:
        if move not in game.moves(position):
            return "strategy", f"reply {move} is not legal"
    named = sum(rules.square(move, mover | other) for move in strategy.named)
    play = StrategyPlay(rules, strategy, -claim.bound, claim.rank, mover | other)
    return play.fault(other, mover, named)


class StrategyPlay:
    """A strategy that is played out from one position.

    Args:
        rules: of the game.
        strategy: the diagram.
        bound: what every end has to be worth to the side of the strategy. Wins of the other side are never enough.
        plies: within which every end has to come.
        taken: the squares that have stones at the start.
    """

    def __init__(self, rules: SquareRules, strategy: Strategy, bound: int, plies: int, taken: int) -> None:
        self._rules = rules
        self._bound = max(bound, 0)
        self._most_stones = taken.bit_count() + plies
        self.marks = [0] * len(Mark)
        """By mark, the squares that have it."""
        self.marks[Mark.ANSWER], self.marks[Mark.MIDDLE] = rules.answers, rules.board & ~rules.answers
        for square, mark in strategy.marks:
            bit = 1 << square
            if bit & rules.board:
                self.marks = [squares & ~bit for squares in self.marks]
                self.marks[mark] |= bit
        order = [(mark == Mark.PAIR, marked) for mark, marked in enumerate(self.marks) if marked]
        self._order = [*order, (False, rules.board)]
        """Squares that it takes before the next ones, and whether only if there is but one. Pairs come last again."""
        self._met: set[tuple[int, int]] = set()
        self._lines: dict[int, int] = {}

    def fault_after(self, own: int, other: int, move: int) -> tuple[str, str] | None:
        """The fault of a lower claim, whose side plays `move` first."""
        stones = (own | other).bit_count() + 1
        if move & self._rules.completing(own, own | other):
            return None if self._ends_well(self._rules.win(stones), stones) else self._too_late()
        if own | other | move == self._rules.board:
            return None if self._ends_well(0, stones) else self._too_late()
        return self.fault(own | move, other, 0)

    def fault(self, own: int, other: int, named: int) -> tuple[str, str] | None:
        """Plays every move of the other side, but at first the named ones."""
        rules = self._rules
        pending = [(own, other)]
        if not named:
            self._met.add((own, other))
        while pending:
            own, other = pending.pop()
            taken = own | other
            stones = taken.bit_count()
            wins, replies, named = self._completing(own) & ~taken, rules.open_squares(taken) & ~named, 0
            if replies & self._completing(other):
                return "strategy", f"the other side wins with stone {stones + 1}"
            while replies:
                reply = replies & -replies
                replies ^= reply
                after = taken | reply
                if after == rules.board:
                    if not self._ends_well(0, stones + 1):
                        return self._too_late()
                    continue
                squares = rules.open_squares(after)
                if wins & ~reply & squares:
                    if not self._ends_well(rules.win(stones + 2), stones + 2):
                        return self._too_late()
                    continue
                move = self._chosen(squares, after, self._completing(other | reply) & ~after)
                if not move:
                    return "strategy", f"no move holds after stone {stones + 1}"
                if after | move == rules.board:
                    if not self._ends_well(0, stones + 2):
                        return self._too_late()
                    continue
                position = own | move, other | reply
                if position not in self._met:
                    self._met.add(position)
                    pending.append(position)
            if len(self._met) > MOST_STRATEGY_POSITIONS:
                return "strategy", f"more than {MOST_STRATEGY_POSITIONS} positions come about"
        return None

    def answer(self, own: int, other: int) -> int:
        """The square that the side of the strategy takes where it does not win at once; 0 if it loses with any."""
        taken = own | other
        return self._chosen(self._rules.open_squares(taken), taken, self._completing(other) & ~taken)

    def _chosen(self, squares: int, taken: int, lost: int) -> int:
        """As `answer`, with the open squares, and those on which the other side completes a line."""
        for alone, marked in self._order:
            found = squares & marked
            if alone and found.bit_count() > 1:
                continue
            while found:
                square = found & -found
                if not lost or not lost & ~square & self._rules.open_squares(taken | square):
                    return square
                found ^= square
        return 0

    def _completing(self, stones: int) -> int:
        """The squares on which a side with these stones completes a line. Most sets of stones come about again."""
        found = self._lines.get(stones)
        if found is None:
            found = self._lines[stones] = self._rules.completing(stones, stones)
        return found

    def _ends_well(self, value: int, stones: int) -> bool:
        return value >= self._bound and stones <= self._most_stones

    def _too_late(self) -> tuple[str, str]:
        return "strategy", "the game may end with less than the bound, or after more plies than the rank"
