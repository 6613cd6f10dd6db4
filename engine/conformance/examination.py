"""The positions that a game is examined by: all of a small game, else those near the start and along random lines."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from proofbase.engine.conformance.requirements import Broken, Violation
from proofbase.engine.rules.failures import failure_of, is_interrupt, printable
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.guarded import GuardedGame

__all__ = ["Examination", "Sample"]

MOST_MOVE = 2**31 - 1
MOST_REWARD = 2**30
MOST_EFFORT = 1_000_000
LONGEST_LINE = 400
LONGEST_KEY = 255
AROUND = 25
"""Positions that are looked at around a position of a random line."""


@dataclass(slots=True)
class Sample:
    """A position with what the rules say of it."""

    position: Any
    parent: Sample | None
    move: int | None
    """From the parent to here."""
    key: bytes
    terminal: int | None
    limit: int
    repetition: int | None
    moves: list[int] = field(default_factory=list)
    """Empty at the end of the game."""
    rewards: list[int] = field(default_factory=list)
    children: list[Any] = field(default_factory=list)
    child_keys: list[bytes] = field(default_factory=list)


class Examination:
    """One examination of a game.

    Args:
        game: the game; methods are called as searches call them.
        seconds: the examination ends after about this time.
        positions: the most positions that are looked at.
        seed: of the random lines.
        on_progress: called with the number of positions now and then.
    """

    def __init__(
        self,
        game: Game[Any],
        *,
        seconds: float,
        positions: int,
        seed: int = 0,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        self.game: Game[Any] = GuardedGame(game)
        self.name = printable(str(getattr(game, "name", type(game).__name__)), 60)
        self.seconds, self.most = seconds, positions
        self.random = Random(seed)
        self.samples: list[Sample] = []
        self.complete = False
        """Whether every position of the game was looked at."""
        self._room = positions
        self._left_out = False
        """Whether some moves of a position were not followed, for lack of time."""
        self._on_progress = on_progress
        self._started = time.monotonic()
        self._by_position: dict[Any, Sample] = {}

    def share_used(self) -> float:
        """The part of the time that has passed."""
        return (time.monotonic() - self._started) / self.seconds

    def ask(self, method: str, *arguments: Any) -> Any:
        """The answer of a method. Raises Broken (`errors`) for whatever it raises."""
        try:
            return getattr(self.game, method)(*arguments)
        except BaseException as error:
            if is_interrupt(error):
                raise
            position = None if method in ("initial", "parse", "position") else arguments[0]
            raise self.broken("errors", str(failure_of(self.name, method, error)), position) from None

    def broken(self, requirement: str, detail: str, position: Any = None, sample: Sample | None = None) -> Broken:
        """The exception that says so. `sample` gives the moves to the position."""
        if sample is not None and position is None:
            position = sample.position
        if sample is None and position is not None:
            sample = self._sample_of(position)
        named = None if position is None else self.named(position)
        return Broken(Violation(requirement, detail, named, () if sample is None else self.line(sample)))

    def named(self, position: Any) -> str:
        """A position for a message: its text, or what Python shows of it."""
        try:
            text = self.game.text(position)
            if isinstance(text, str):
                return printable(text, 100)
        except Exception:
            text = None
        return self.shown(position)

    def shown(self, answer: object) -> str:
        """An answer of the game for a message."""
        try:
            return printable(repr(answer), 100)
        except Exception:
            return f"an object of type {printable(type(answer).__name__, 60)}"

    def line(self, sample: Sample) -> tuple[str, ...]:
        """The moves from the initial position, as the game writes them."""
        moves = []
        while sample.parent is not None:
            try:
                moves.append(printable(str(self.game.move_text(sample.parent.position, sample.move or 0)), 20))
            except Exception:
                moves.append(str(sample.move))
            sample = sample.parent
        return tuple(reversed(moves))

    def collect(self) -> None:
        """Looks at positions, breadth first from the start. A game that goes on beyond that: along random lines, too.

        Raises:
            Broken: an answer is not what it may be. The positions before it are kept.
        """
        root = self._add(self.ask("initial"), None, None)
        queue = deque([root])
        while queue and len(self.samples) < self.most and self.share_used() < 0.25:
            queue.extend(self._expand(queue.popleft()))
        self.complete = not queue and not self._left_out
        if self.complete:
            return
        self._room = len(self.samples) + max(100, self.most // 2)
        while len(self.samples) < self._room and self.share_used() < 0.45:
            before = len(self.samples)
            self._random_line(root)
            if len(self.samples) == before:
                break  # nothing new on the whole line

    def _random_line(self, sample: Sample) -> None:
        around = self.random.randrange(LONGEST_LINE // 4)
        for ply in range(LONGEST_LINE):
            if not sample.moves or len(self.samples) >= self._room or self.share_used() > 0.45:
                return
            children = self._expand(sample)
            if ply == around:
                near = deque(children)
                for _ in range(AROUND):
                    if near and self.share_used() < 0.45:
                        near.extend(self._expand(near.popleft()))
            index = self.random.randrange(len(sample.moves))
            sample = self._sample_of(sample.children[index]) or self._add(
                sample.children[index], sample, sample.moves[index]
            )

    def _expand(self, sample: Sample) -> list[Sample]:
        """Looks at the children of a position that were not looked at before, as long as there is time."""
        new = []
        for move, child in zip(sample.moves, sample.children, strict=True):
            if self.share_used() > 0.45:
                self._left_out = True
                break
            if self._sample_of(child) is None:
                new.append(self._add(child, sample, move))
        return new

    def _sample_of(self, position: Any) -> Sample | None:
        try:
            return self._by_position.get(position)
        except Exception:
            return None

    def _add(self, position: Any, parent: Sample | None, move: int | None) -> Sample:
        """Asks everything that a search asks of a position."""
        sample = Sample(position, parent, move, b"", None, 0, None)
        try:
            hash(position)
        except Exception as error:
            detail = f"hash() of it raises {type(error).__name__}: {printable(str(error), 100)}"
            raise self.broken("hashing", detail, position, sample) from None
        for part in self._facts(sample):
            part()
        self._by_position[position] = sample
        self.samples.append(sample)
        if self._on_progress is not None and len(self.samples) % 100 == 0:
            self._on_progress(len(self.samples))
        return sample

    def _facts(self, sample: Sample) -> Iterator[Callable[[], None]]:
        yield lambda: self._ask_terminal(sample)
        yield lambda: self._ask_limits(sample)
        yield lambda: self._ask_key(sample)
        if sample.terminal is None:
            yield lambda: self._ask_moves(sample)
            yield lambda: self._ask_effort(sample)

    def _ask_terminal(self, sample: Sample) -> None:
        highest = self.game.highest_value
        value = self.ask("terminal", sample.position)
        if value is not None and (not isinstance(value, int) or abs(value) > highest):
            detail = f"terminal() gave {self.shown(value)}, which is neither None nor from {-highest} to {highest}"
            raise self.broken("terminal", detail, sample=sample)
        sample.terminal = value

    def _ask_limits(self, sample: Sample) -> None:
        highest = self.game.highest_value
        limit = self.ask("limit", sample.position)
        if not isinstance(limit, int) or not 0 <= limit <= highest:
            detail = f"limit() gave {self.shown(limit)}, which is not from 0 to {highest}"
            raise self.broken("limit", detail, sample=sample)
        if sample.terminal is not None and abs(sample.terminal) > limit:
            raise self.broken("limit", f"limit() is {limit}, but the value is {sample.terminal}", sample=sample)
        sample.limit = limit
        if sample.terminal is None:  # a finished game does not come back
            sample.repetition = self._repetition(sample)

    def _ask_effort(self, sample: Sample) -> None:
        if not self.ask("estimates_effort"):
            return
        for bound in {1 - sample.limit, sample.limit} if sample.limit else ():
            effort = self.ask("effort", sample.position, bound)
            pair = isinstance(effort, tuple) and len(effort) == 2
            if not (pair and all(isinstance(n, int) and 1 <= n <= MOST_EFFORT for n in effort)):
                detail = (
                    f"effort() gave {self.shown(effort)} for the bound {bound}, not two numbers from 1 to 1,000,000"
                )
                raise self.broken("effort", detail, sample=sample)

    def _repetition(self, sample: Sample) -> int | None:
        rho = self.ask("repetition", sample.position)
        if self.game.acyclic:
            if rho is not None:
                detail = f"acyclic is True, but repetition() gave {self.shown(rho)}: is acyclic = False missing?"
                raise self.broken("repetition", detail, sample=sample)
            return None
        if not isinstance(rho, int):
            detail = f"acyclic is False, but repetition() gave {self.shown(rho)}, which is no integer"
            raise self.broken("repetition", detail, sample=sample)
        return rho

    def _ask_key(self, sample: Sample) -> None:
        sample.key = self.key(sample.position)

    def key(self, position: Any) -> bytes:
        """The key of a position, 1 to 255 bytes."""
        key = self.ask("key", position)
        if not isinstance(key, bytes) or not 1 <= len(key) <= LONGEST_KEY:
            size = f"{len(key)} bytes" if isinstance(key, bytes) else self.shown(key)
            raise self.broken("key", f"key() gave {size}; a key is 1 to {LONGEST_KEY} bytes", position)
        return key

    def moves(self, position: Any, sample: Sample | None = None) -> list[int]:
        """The moves of a position in which the game goes on."""
        answer = self.ask("moves", position)
        try:
            moves = list(answer)
        except TypeError:
            detail = f"moves() gave {self.shown(answer)}, which is no sequence"
            raise self.broken("moves", detail, position, sample) from None
        except BaseException as error:
            if is_interrupt(error):
                raise
            raise self.broken("errors", str(failure_of(self.name, "moves", error)), position, sample) from None
        for move in moves:
            if not isinstance(move, int) or not 0 <= move <= MOST_MOVE:
                detail = f"moves() has {self.shown(move)}, which is no number from 0 to {MOST_MOVE}"
                raise self.broken("moves", detail, position, sample)
        if len(set(moves)) < len(moves):
            twice = next(move for at, move in enumerate(moves) if move in moves[:at])
            raise self.broken("moves", f"moves() has {twice} more than once", position, sample)
        if not moves:
            detail = "moves() is empty, but terminal() says that the game goes on"
            raise self.broken("moves", detail, position, sample)
        return moves

    def _ask_moves(self, sample: Sample) -> None:
        sample.moves = self.moves(sample.position, sample)
        for move in sample.moves:
            child = self.ask("play", sample.position, move)
            reward = self.ask("reward", sample.position, move)
            if not isinstance(reward, int) or abs(reward) >= MOST_REWARD:
                detail = f"reward() of move {move} is {self.shown(reward)}, which is no integer below 2**30"
                raise self.broken("reward", detail, sample=sample)
            sample.children.append(child)
            sample.rewards.append(reward)
            sample.child_keys.append(self.key(child))
