"""Values, distances and lines in the words of a game's players: `mate in 3 (proved shortest)`, `1. e4 e5 2. Nf3`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from proofbase.engine.rules import is_built_in
from proofbase.engine.rules.players_words import PlayersWords
from proofbase.service.answers import MoveAnswer, PositionAnswer, Value
from proofbase.service.words.values import rules_of, value_text

__all__ = ["GROUPS", "GameWords", "grouped_moves", "tables_to_size"]

GROUPS = ("winning", "drawing", "losing", "not known")
"""What moves are, for the side that makes them."""


@dataclass(frozen=True, slots=True)
class GameWords:
    """What a game says of itself that words need. A game that is not known here has the words of all games.

    Attributes:
        players: the game's own words, if it has some.
        highest: limit of its values, 0 where the game is not known.
        wins_by_own_move, loses_by_own_move: as `Game` has them.
    """

    players: PlayersWords | None = None
    highest: int = 0
    wins_by_own_move: bool = False
    loses_by_own_move: bool = False

    @classmethod
    def of(cls, game: str, *, built_in_only: bool = False) -> GameWords:
        """The words of a game by its name; with `built_in_only` a user's own rules are not asked."""
        rules = None if built_in_only and not is_built_in(game) else rules_of(game)
        if rules is None:
            return cls()
        return cls(rules.players_words, rules.highest_value, rules.wins_by_own_move, rules.loses_by_own_move)

    def side(self, side: int) -> str:
        """What a side is called: `White`, `first player`."""
        return (self.players.sides if self.players else ("first player", "second player"))[side]

    def player(self, side: int) -> str:
        """The same in the middle of a sentence: `White`, `the first player`."""
        return self.side(side) if self.players else f"the {self.side(side)}"

    def line(self, moves: Sequence[str], side: int) -> str:
        """A line of play that a side begins, with the numbers of the moves where players write them."""
        if self.players is None or not self.players.numbered_lines:
            return " ".join(moves)
        words = ["1..."] if side and moves else []
        for ply, move in enumerate(moves, side):
            words += [move] if ply % 2 else [f"{ply // 2 + 1}.", move]
        return " ".join(words)

    def distance(self, plies: int, *, won: bool = True, exact: bool = True) -> str:
        """A win or a loss of the side to move in, or within, so many plies: `mate in 3`, `win within 5 plies`."""
        joint = "in" if exact else "within"
        if self.players is None:
            return f"{'win' if won else 'loss'} {joint} {_counted(plies, 'ply')}"
        moves = (plies + 1) // 2
        name = self.players.win if won else self.players.loss
        return f"{name} {joint} {_counted(moves, self.players.unit) if self.players.unit else moves}"

    def of_position(self, answer: PositionAnswer) -> str:
        """The value of a position with its distance: `mate in 3 (proved shortest)`, `mate within 5`, `draw`."""
        value = answer.value
        if answer.terminal:
            return value_text(value, self.highest)
        return self.decided(value, answer.rank, answer.no_win_within, answer.no_loss_within, soonest=_soonest(answer))

    def of_move(self, move: MoveAnswer) -> str:
        """The value of a move with its distance, for the side that makes it: `mate in 3`, `mated within 2`, `draw`."""
        rank = move.rank if move.known else None
        text = self.decided(move.value, rank, move.no_win_within, move.no_loss_within, soonest=int(not move.terminal))
        return text.partition(" (")[0].partition(", ")[0]

    def plies_of(self, answer: PositionAnswer | MoveAnswer) -> tuple[int, bool] | None:
        """Within how many plies a won or lost game ends, and whether it is proved that it takes so many; else None."""
        value = answer.value
        if self.highest != 1 or not value.exact or not value.lower or not answer.rank:
            return None
        won = value.lower > 0
        none_within = answer.no_win_within if won else answer.no_loss_within
        soonest = _soonest(answer) if isinstance(answer, PositionAnswer) else int(not answer.terminal)
        return self._plies(answer.rank, none_within, soonest, won)

    def decided(
        self, value: Value, rank: int | None, no_win_within: int = 0, no_loss_within: int = 0, *, soonest: int = 0
    ) -> str:
        """A value and what is proved of its distance, for the side to move.

        Args:
            value: of a position where the game goes on, or of a move.
            rank: plies within which it is realised; None where nothing is known of them.
            no_win_within, no_loss_within: within so many plies the side to move is proved not to win, not to lose.
            soonest: within so many plies the game cannot end like this.

        Returns:
            Such as `mate in 3 (proved shortest)`, `mate within 5, no mate in 2 (proved)`, `mated in 2 (proved)`,
            `draw`, `win within 5 plies`, `at least draw within 4 plies`, `+3 within 12 plies`.
        """
        if self.highest == 1 and value.exact and value.lower != 0 and rank:
            return self._distance(rank, no_win_within if value.lower > 0 else no_loss_within, soonest, value.lower > 0)
        text = value_text(value, self.highest)
        if rank and (value.exact or self.players is None):
            text += f" within {_counted(rank, 'ply')}"
        refuted = 0 if value.exact or self.highest != 1 else self._last_before(no_win_within + 1, won=True)
        return f"{text}, no {self.distance(refuted)} (proved)" if refuted else text

    def _distance(self, rank: int, none_within: int, soonest: int, won: bool) -> str:
        """A win or a loss within `rank` plies, which is proved not to come within `none_within`."""
        plies, proved = self._plies(rank, none_within, soonest, won)
        if proved:
            return f"{self.distance(plies, won=won)} ({'proved shortest' if won else 'proved'})"
        text = self.distance(plies, won=won, exact=False)
        shorter = self._last_before(none_within + 1, won=won)
        if shorter <= soonest:
            return text
        return f"{text}, {f'no {self.distance(shorter)}' if won else f'not {self._in(shorter)}'} (proved)"

    def _plies(self, rank: int, none_within: int, soonest: int, won: bool) -> tuple[int, bool]:
        """Within how many plies the game ends, and whether it is proved that it takes so many."""
        plies = rank if self.players is None else self._last_before(rank + 1, won=won) or rank
        first = self._next(max(none_within, soonest), won=won)
        return plies, first >= plies and (none_within > 0 or self.players is not None)

    def _in(self, plies: int) -> str:
        """`in 2`, `in 4 plies`."""
        return "in" + self.distance(plies).partition(" in")[2]

    def _possible(self, plies: int, *, won: bool) -> bool:
        """Whether a game can end after so many plies with a win, or a loss, of the side to move at their start."""
        if self.wins_by_own_move or self.loses_by_own_move:
            return plies % 2 == int(won == self.wins_by_own_move)
        return True

    def _next(self, plies: int, *, won: bool) -> int:
        """The first possible number of plies above these."""
        return next(number for number in count(plies + 1) if self._possible(number, won=won))

    def _last_before(self, plies: int, *, won: bool) -> int:
        """The last possible number of plies below these, 0 if there is none."""
        return next((number for number in range(plies - 1, 0, -1) if self._possible(number, won=won)), 0)


def _soonest(answer: PositionAnswer) -> int:
    """1 where no move ends the game as it will end, so that it takes another ply at least; else 0."""
    lower = answer.value.lower
    return int(answer.cut is None and not any(move.terminal and move.value.lower == lower for move in answer.moves))


def grouped_moves(moves: Sequence[MoveAnswer]) -> list[tuple[str, list[MoveAnswer]]]:
    """The moves by what they are, each group with its name of GROUPS; groups without moves are left out."""
    groups: dict[str, list[MoveAnswer]] = {name: [] for name in GROUPS}
    winning, drawing, losing, not_known = GROUPS
    for move in moves:
        value = move.value.lower
        group = winning if value > 0 else losing if value < 0 else drawing
        groups[group if move.known else not_known].append(move)
    return [(name, of_group) for name, of_group in groups.items() if of_group]


def _counted(number: int, noun: str) -> str:
    """`1 ply`, `3 plies`, `2 moves`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {'plies' if noun == 'ply' else noun + 's'}"


def tables_to_size(game: str, size: int) -> str:
    """Which tables of a game are meant: `awari to 12 stones`; the game alone where it has one set of tables only."""
    rules = rules_of(game)
    if rules is not None and not rules.tables_by_size:
        return game
    unit = rules and rules.table_size_unit
    return f"{game} to {size} {unit}" if unit else f"{game} to size {size}"
