"""A user's game behind a guard: whatever its rules raise becomes one short error (`failures.py`).

The native core guards the games that it wraps by itself; this guard is for callers of the rules in plain Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from proofbase.engine.rules.failures import failure_of
from proofbase.engine.rules.game import Game, TableClass
from proofbase.engine.rules.lines import LineRules
from proofbase.engine.rules.squares import SquareRules
from proofbase.engine.rules.threats import ThreatRules

__all__ = ["GuardedGame"]


class GuardedGame(Game[Any]):
    """The same game. Its methods raise GameFailedError, or the errors that `Game` names.

    Args:
        game: a user's game.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.name = game.name
        self.rules_version = game.rules_version
        self.highest_value = game.highest_value
        self.acyclic = game.acyclic
        # Compiled rules do not say these.
        self.wins_by_own_move = getattr(game, "wins_by_own_move", False)
        self.loses_by_own_move = getattr(game, "loses_by_own_move", False)
        self.table_end_value = getattr(game, "table_end_value", None)
        self.plies_end_value = getattr(game, "plies_end_value", None)
        self.tables_to_resets = getattr(game, "tables_to_resets", False)
        self.tables_by_size = getattr(game, "tables_by_size", True)
        self.table_size_unit = getattr(game, "table_size_unit", None)
        self.players_words = getattr(game, "players_words", None)

    def _ask(self, method: str, *arguments: Any, **options: Any) -> Any:
        try:
            answer = getattr(self.game, method)(*arguments, **options)
            return tuple(answer) if isinstance(answer, Iterator) else answer  # a generator may fail later
        except BaseException as error:
            failure = failure_of(self.name, method, error)
        raise failure from failure.__cause__

    def initial(self) -> Any:
        return self._ask("initial")

    def terminal(self, position: Any) -> int | None:
        value: int | None = self._ask("terminal", position)
        return value

    def moves(self, position: Any) -> Sequence[int]:
        moves: Sequence[int] = self._ask("moves", position)
        return moves

    def play(self, position: Any, move: int) -> Any:
        return self._ask("play", position, move)

    def key(self, position: Any) -> bytes:
        key: bytes = self._ask("key", position)
        return key

    def position(self, key: bytes) -> Any:
        return self._ask("position", key)

    def parse(self, text: str) -> Any:
        return self._ask("parse", text)

    def text(self, position: Any) -> str:
        text: str = self._ask("text", position)
        return text

    def reward(self, position: Any, move: int) -> int:
        reward: int = self._ask("reward", position, move)
        return reward

    def has_rewards(self) -> bool:
        rewards: bool = self._ask("has_rewards")
        return rewards

    def repetition(self, position: Any) -> int | None:
        rho: int | None = self._ask("repetition", position)
        return rho

    def limit(self, position: Any) -> int:
        limit: int = self._ask("limit", position)
        return limit

    def effort(self, position: Any, bound: int) -> tuple[int, int]:
        effort: tuple[int, int] = self._ask("effort", position, bound)
        return effort

    def estimates_effort(self) -> bool:
        if not hasattr(self.game, "estimates_effort"):  # compiled rules
            return False
        estimates: bool = self._ask("estimates_effort")
        return estimates

    def evaluate(self, position: Any) -> float:
        worth: float = self._ask("evaluate", position)
        return worth

    def promising_moves(self, position: Any) -> Sequence[int]:
        moves: Sequence[int] = self._ask("promising_moves", position)
        return moves

    def evaluates(self) -> bool:
        if not hasattr(self.game, "evaluates"):  # compiled rules, or no subclass of Game
            return False
        evaluates: bool = self._ask("evaluates")
        return evaluates

    def square_rules(self) -> SquareRules | None:
        rules: SquareRules | None = self._ask("square_rules")
        return rules

    def line_rules(self) -> LineRules | None:
        rules: LineRules | None = self._ask("line_rules")
        return rules

    def threat_rules(self) -> ThreatRules | None:
        rules: ThreatRules | None = self._ask("threat_rules")
        return rules

    def score(self, position: Any) -> int:
        score: int = self._ask("score", position)
        return score

    def table_entry(self, position: Any) -> tuple[str, int] | None:
        entry: tuple[str, int] | None = self._ask("table_entry", position)
        return entry

    def table_names(self, size: int) -> Sequence[str]:
        names: Sequence[str] = self._ask("table_names", size)
        return names

    def table_class(self, name: str) -> TableClass | None:
        answer: TableClass | None = self._ask("table_class", name)
        return answer

    def table_position(self, name: str, entry: int) -> Any:
        return self._ask("table_position", name, entry)

    def side(self, position: Any) -> int:
        side: int = self._ask("side", position)
        return side

    def margin_text(self, result: int, side: int, *, or_more: bool = False) -> str:
        text: str = self._ask("margin_text", result, side, or_more=or_more)
        return text

    def draw(self, position: Any) -> str:
        drawing: str = self._ask("draw", position)
        return drawing

    def squares(self, position: Any) -> Sequence[str]:
        rows: Sequence[str] = self._ask("squares", position)
        return rows

    def move_squares(self, position: Any, move: int) -> Sequence[int]:
        squares: Sequence[int] = self._ask("move_squares", position, move)
        return squares

    def men_on_board(self, position: Any) -> int | None:
        men: int | None = self._ask("men_on_board", position)
        return men

    def move_text(self, position: Any, move: int) -> str:
        text: str = self._ask("move_text", position, move)
        return text

    def parse_move(self, position: Any, text: str) -> int:
        move: int = self._ask("parse_move", position, text)
        return move
