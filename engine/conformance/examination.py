"""The positions that a game is examined by: all of a small game, else those near the start and along random lines."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from proofbase.engine.conformance.requirements import Broken, Violation
from proofbase.engine.rules.failures import ALLOWED, failure_of, is_interrupt, printable
from proofbase.engine.rules.game import Game
from proofbase.engine.rules.guarded import GuardedGame

__all__ = ["MOST_REWARD", "Examination", "Sample"]

MOST_MOVE = 2**31 - 1
MOST_REWARD = 2**30
MOST_EFFORT = 1_000_000
LONGEST_LINE = 400
LONGEST_KEY = 255
AROUND = 25
"""Positions that are looked at around a position of a random line."""


@dataclass(slots=True, eq=False)
class Sample:
    """A position with what the rules say of it."""

    position: Any
    parent: Sample | None
    move: int | None
    """From the parent to here."""
    made: tuple[int, str] = (0, "")
    """The hash of the position and what Python shows of it, before the rules are asked."""
    key: bytes = b""
    terminal: int | None = None
    limit: int = 0
    repetition: int | None = None
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
        self.objects = [self.game]
        """Objects of the game, which have to give the same answers."""
        self.name = printable(str(getattr(game, "name", type(game).__name__)), 60)
        self.seconds, self.most = seconds, positions
        self.random = Random(seed)
        self.samples: list[Sample] = []
        self.sample: Sample | None = None
        """The position to blame for what is found, unless another one is named."""
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

    def ask(
        self, method: str, *arguments: Any, game: Game[Any] | None = None, refused: str = "errors", failed: str = ""
    ) -> Any:
        """The answer of a method.

        Args:
            method: its name.
            arguments: of the call.
            game: another object of the game.
            refused: the requirement that is broken by a refusal of the arguments. Without one the refusal is raised.
            failed: the requirement that is broken if it raises anything else, by default `errors`.

        Raises:
            Broken: it raises.
        """
        try:
            return getattr(game or self.game, method)(*arguments)
        except BaseException as error:
            refusal = isinstance(error, ALLOWED.get(method, ()))
            if is_interrupt(error) or (refusal and not refused):
                raise
            position = None if method in ("initial", "parse", "position") else arguments[0] if arguments else None
            detail = str(failure_of(self.name, method, error))
            if refusal:
                failed, detail = refused, f"{method}() refuses {self.shown(arguments[-1])}: {detail}"
            raise self.broken(failed or "errors", detail, position) from None

    def require(self, requirement: str, kept: bool, detail: str, position: Any = None) -> None:
        """Raises Broken unless the requirement is kept."""
        if not kept:
            raise self.broken(requirement, detail, position)

    def broken(self, requirement: str, detail: str, position: Any = None) -> Broken:
        """The exception that says so, of a position or of the sample that is tested."""
        sample = self.sample if position is None else self._sample_of(position)
        if position is None and sample is not None:
            position = sample.position
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
            return printable(answer.hex() if isinstance(answer, bytes) else repr(answer), 100)
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
        if self.sample is not None and self.sample.position is position:
            return self.sample
        try:
            return self._by_position.get(position)
        except Exception:
            return None

    def _add(self, position: Any, parent: Sample | None, move: int | None) -> Sample:
        """Asks everything that a search asks of a position."""
        self.sample = sample = Sample(position, parent, move)
        try:
            sample.made = hash(position), self.shown(position)
        except Exception as error:
            detail = f"hash() of it raises {type(error).__name__}: {printable(str(error), 100)}"
            raise self.broken("hashing", detail) from None
        highest = self.game.highest_value
        if (terminal := self.ask("terminal", position)) is not None:
            sample.terminal = self.number("terminal", terminal, -highest, highest)
        sample.limit = self.number("limit", self.ask("limit", position), 0, highest)
        value = sample.terminal
        self.require("limit", abs(value or 0) <= sample.limit, f"limit() is {sample.limit}, but the value is {value}")
        sample.key = self.key(position)
        if value is None:  # a finished game has no moves, and does not come back
            self._ask_repetition(sample)
            self._ask_moves(sample)
            self._ask_effort(sample)
        self._by_position[position] = sample
        self.samples.append(sample)
        if self._on_progress is not None and len(self.samples) % 100 == 0:
            self._on_progress(len(self.samples))
        return sample

    def number(self, method: str, answer: Any, least: int, most: int, of: str = "") -> int:
        """An answer that has to be an integer within these. The requirement has the name of the method."""
        if not isinstance(answer, int) or not least <= answer <= most:
            shown = self.shown(answer)
            raise self.broken(method, f"{method}(){of} gave {shown}, which is no integer from {least} to {most}")
        return int(answer)

    def key(self, position: Any) -> bytes:
        """The key of a position, 1 to 255 bytes."""
        key = self.ask("key", position)
        if not isinstance(key, bytes) or not 1 <= len(key) <= LONGEST_KEY:
            size = f"{len(key)} bytes" if isinstance(key, bytes) else self.shown(key)
            raise self.broken("key", f"key() gave {size}; a key is 1 to {LONGEST_KEY} bytes", position)
        return key

    def moves(self, position: Any) -> list[int]:
        """The moves of a position in which the game goes on."""
        answer = self.ask("moves", position)
        try:
            moves = list(answer)
        except TypeError:
            detail = f"moves() gave {self.shown(answer)}, which is no sequence"
            raise self.broken("moves", detail, position) from None
        except BaseException as error:
            if is_interrupt(error):
                raise
            raise self.broken("errors", str(failure_of(self.name, "moves", error)), position) from None
        for move in moves:
            self.number("moves", move, 0, MOST_MOVE)
        self.require("moves", len(set(moves)) == len(moves), "moves() gave a move twice", position)
        self.require("moves", moves != [], "moves() is empty, but terminal() says that the game goes on", position)
        return moves

    def _ask_repetition(self, sample: Sample) -> None:
        rho = sample.repetition = self.ask("repetition", sample.position)
        kept = rho is None if self.game.acyclic else isinstance(rho, int)
        detail = f"acyclic is {self.game.acyclic}, but repetition() gave {self.shown(rho)}"
        self.require("repetition", kept, f"{detail}{': is acyclic = False missing?' if self.game.acyclic else ''}")

    def _ask_moves(self, sample: Sample) -> None:
        sample.moves = self.moves(sample.position)
        for move in sample.moves:
            child = self.ask("play", sample.position, move)
            reward = self.ask("reward", sample.position, move)
            sample.children.append(child)
            sample.rewards.append(self.number("reward", reward, 1 - MOST_REWARD, MOST_REWARD - 1, f" of move {move}"))
            sample.child_keys.append(self.key(child))

    def _ask_effort(self, sample: Sample) -> None:
        if not self.ask("estimates_effort"):
            return
        for bound in {1 - sample.limit, sample.limit} if sample.limit else ():
            effort = self.ask("effort", sample.position, bound)
            pair = isinstance(effort, tuple) and len(effort) == 2
            self.require("effort", pair, f"effort() gave {self.shown(effort)} for the bound {bound}, not two numbers")
            for number in effort:
                self.number("effort", number, 1, MOST_EFFORT, f" of the bound {bound}")
