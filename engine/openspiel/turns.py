"""A game of OpenSpiel as a game of proofbase: the sides take turns.

In OpenSpiel a player may act several times in a row (a jump goes on, a box is completed, a mill takes a man). Then the
other side *waits*: it has one move, written `wait`, which changes nothing. A value of the game is the player's return
at its end. Numbers of moves are those of OpenSpiel's actions; waiting has the first number that no action has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.openspiel.rules import Rules
from proofbase.engine.rules.game import Game

__all__ = ["Turn", "TurnGame"]

WAIT = "wait"
_WAITS = " waits"
"""Behind the text of a state whose player acts again after the other side has waited."""
_WAITS_KEY = b"\1"
"""What stands before the key of such a state. No key of a state begins with it."""


class Turn(NamedTuple):
    """A position."""

    state: Any
    """The state of `Rules`."""
    waits: bool
    """The side to move has to wait, since the other player acts again."""


class TurnGame(Game[Turn]):
    """A game of OpenSpiel. Positions are states; texts of most games show the board and who is to move.

    Args:
        name: the canonical name, `openspiel:NAME(PARAMETERS)`.
        rules: the game with its parameters.
        rules_version: of these rules and keys, and of OpenSpiel.
        highest_value: the largest return of a player.

    Attributes:
        rules: as given.
        wait: the number of the move that waits.
        first: OpenSpiel's number of the player who acts first; its side is 0.
    """

    def __init__(self, name: str, rules: Rules[Any], rules_version: int, highest_value: int) -> None:
        self.name = name
        self.rules = rules
        self.rules_version = rules_version
        self.highest_value = highest_value
        self.wait = int(rules.game.num_distinct_actions())
        self.first = rules.player(rules.initial())
        self._texts = lru_cache(64)(self._make_texts)

    def initial(self) -> Turn:
        return Turn(self.rules.initial(), waits=False)

    def terminal(self, position: Turn) -> int | None:
        result = self.rules.result(position.state)
        if result is None:
            return None
        return result if self.rules.player(position.state) ^ position.waits == 0 else -result

    def moves(self, position: Turn) -> Sequence[int]:
        return (self.wait,) if position.waits else self.rules.actions(position.state)

    def play(self, position: Turn, move: int) -> Turn:
        state = position.state
        if position.waits:
            if move != self.wait:
                raise InvalidMoveError(f"{move}: the side to move has to wait in {quoted(self.text(position), 100)}")
            return Turn(state, waits=False)
        try:
            child = self.rules.apply(state, move)
        except (ValueError, IndexError) as error:
            raise InvalidMoveError(f"{move} is no legal move in {quoted(self.text(position), 100)}: {error}") from None
        return Turn(child, self.rules.player(child) == self.rules.player(state))

    def side(self, position: Turn) -> int:
        return self.rules.player(position.state) ^ position.waits ^ self.first

    def key(self, position: Turn) -> bytes:
        key = self.rules.key(position.state)
        return _WAITS_KEY + key if position.waits else key

    def position(self, key: bytes) -> Turn:
        waits = key.startswith(_WAITS_KEY)
        try:
            state = self.rules.from_key(key.removeprefix(_WAITS_KEY))
        except ValueError as error:
            raise InvalidKeyError(f"{key[:100].hex()} is no key of {self.name}: {error}") from None
        return Turn(state, waits)

    def text(self, position: Turn) -> str:
        text = self.rules.text(position.state)
        return text + _WAITS if position.waits else text

    def parse(self, text: str) -> Turn:
        waits = text.endswith(_WAITS)
        try:
            state = self.rules.read(text.removesuffix(_WAITS) if waits else text)
        except ValueError as error:
            raise InvalidPositionError(f"{self.name}: {quoted(text, 100)} is no position: {error}") from None
        return Turn(state, waits)

    def draw(self, position: Turn) -> str:
        drawn = self.rules.draw(position.state)
        return f"{drawn}\n(the side to move waits)" if position.waits else drawn

    def squares(self, position: Turn) -> Sequence[str]:
        return self.rules.squares(position.state)

    def move_squares(self, position: Turn, move: int) -> Sequence[int]:
        return () if position.waits else self.rules.action_squares(position.state, move)

    def move_text(self, position: Turn, move: int) -> str:
        """As OpenSpiel writes the action, without spaces, `;` for a comma; the number where two would be alike."""
        return self._texts(position)[0].get(move, str(move))

    def parse_move(self, position: Turn, text: str) -> int:
        """Reads the text of a move, as `move_text` or OpenSpiel writes it, or the number of the action."""
        texts, moves = self._texts(position)
        wanted = _word(text)
        if wanted in moves:
            return moves[wanted]
        number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 10 else -1
        if number not in texts:
            raise InvalidMoveError(f"{quoted(text)} is not a legal move in {quoted(self.text(position), 100)}")
        return number

    def _make_texts(self, position: Turn) -> tuple[dict[int, str], dict[str, int]]:
        """The texts of the moves of a position, and the moves of these texts."""
        if position.waits:
            return {self.wait: WAIT}, {WAIT: self.wait}
        state = position.state
        texts = {move: _word(self.rules.action_text(state, move)) for move in self.rules.actions(state)}
        counts = Counter(texts.values())
        for move, text in texts.items():
            if counts[text] > 1 or not text or text.isdigit():
                texts[move] = str(move)
        return texts, {text: move for move, text in texts.items()}


def _word(text: str) -> str:
    return text.replace(" ", "").replace(",", ";")
