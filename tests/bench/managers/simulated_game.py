"""A game that exists only as costs and answers, and workers whose time is simulated: for trials of the proof manager.

A question has an answer and a cost: so many nodes a search needs for it. If the answer is no, every child has to be
answered, and the costs of the children add up to its own. If it is yes, one child is the shortest way to it, with most
of the cost; a few others are longer ways, and the rest are answered yes, which proves nothing. All of it follows from
the seed of the position. A search with a budget below the cost ends with proof numbers that say, with some noise, how
much is left on either side. The simulation's parameters are those of `Recorded`.
"""

from __future__ import annotations

import heapq
import math
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from own_time import WorkersInOwnTime

from proofbase.service.jobs.proof_manager.merging import CheckedResult
from proofbase.service.jobs.proof_manager.question_tree import Child, Node, Question
from proofbase.service.jobs.proof_manager.task import Task, TaskResult
from proofbase.storage import Estimate

__all__ = ["Position", "Recorded", "SimulatedKnowledge", "SimulatedMerging", "SimulatedWorkers"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was measured on real tasks, and is assumed of the network.

    Attributes:
        nodes_per_second: of one worker.
        start_seconds: that every task takes beside its search.
        latency_seconds: from the manager to a worker, and back.
        noise: standard deviation of the logarithm of proof numbers.
        deaths: share of tasks whose worker dies.
        records_per_node: of the solution of an answered task.
        check_seconds: to check a record, of one thread.
        record_seconds: to store a record.
        checkers: threads that check.
        commit_seconds: of one transaction.
    """

    nodes_per_second: float = 500_000.0
    start_seconds: float = 0.02
    latency_seconds: float = 0.02
    noise: float = 0.7
    deaths: float = 0.0
    records_per_node: float = 0.0012
    check_seconds: float = 12e-6
    record_seconds: float = 5.7e-6
    checkers: int = 8
    commit_seconds: float = 0.007


@dataclass(frozen=True, slots=True)
class Position:
    """A position: its seed, whether the side to move reaches the bound, and the nodes that a search needs to see it."""

    seed: int
    answer: bool
    cost: float

    @property
    def key(self) -> bytes:
        """What identifies it."""
        return self.seed.to_bytes(8, "big")

    @property
    def text(self) -> str:
        """The same in text."""
        return f"{self.seed:x}"


class SimulatedKnowledge:
    """The game, as a manager asks for it. What is stored takes simulated time and is forgotten.

    Args:
        recorded: the times.
        degree: moves of a position.
    """

    acyclic = True

    def __init__(self, recorded: Recorded, degree: int = 7) -> None:
        self._recorded = recorded
        self._degree = degree
        self.positions: dict[str, Position] = {}
        self.merged = 0
        self.store_seconds = 0.0
        """Simulated seconds of what the manager itself stores."""

    def by_repetition(self, position: Position, bound: int) -> bool:
        """There is none."""
        return False

    def children(self, position: Position, bound: int) -> list[Child]:
        """The moves of a position."""
        chance = Random(position.seed)
        count = max(2, round(chance.gauss(self._degree, self._degree / 4)))
        if position.answer:
            # Of the child where the mover wins most of the cost is left; of the others some win as well, more slowly.
            winning = [position.cost * chance.uniform(0.6, 0.98)]
            winning += [position.cost * math.exp(abs(chance.gauss(0.7, 0.7))) for _ in range(chance.randrange(count))]
            others = [position.cost * math.exp(chance.gauss(0.0, 1.0)) for _ in range(count - len(winning))]
            found = [(False, cost) for cost in winning] + [(True, cost) for cost in others]
            chance.shuffle(found)
        else:
            shares = [math.exp(chance.gauss(0.0, 1.2)) for _ in range(count)]
            found = [(True, position.cost * share / sum(shares)) for share in shares]
        children = []
        for move, (answer, cost) in enumerate(found):
            child = Position(chance.getrandbits(63), answer, cost)
            self.positions[child.text] = child
            children.append(Child(move, child, (child.key, 1 - bound), None))
        return children

    def settled(self, questions: list[tuple[Any, int]]) -> list[bool | None]:
        """The store knows nothing."""
        return [None] * len(questions)

    def known(self) -> None:
        """Nothing is known."""

    def known_items(self, most: int) -> tuple[tuple[bytes, bytes], ...]:
        """Nothing is known."""
        return ()

    def derive(self, node: Node, answer: bool) -> bool:
        """Takes the time of one record."""
        assert node.position.answer == answer, "the tree has settled a question wrongly"
        self.store_seconds += self._recorded.commit_seconds
        return True

    def estimates(self, questions: list[Question]) -> list[Estimate | None]:
        """The store knows nothing."""
        return [None] * len(questions)

    def save(self, nodes: Iterable[Node], answered: Iterable[Question]) -> None:
        """Takes the time of one transaction."""
        changed = sum(1 for _ in nodes) + sum(1 for _ in answered)
        self.store_seconds += self._recorded.commit_seconds + changed * self._recorded.record_seconds


class SimulatedMerging:
    """Threads that check and one that stores, in simulated time (`MergingThreads`).

    Args:
        knowledge: count what is merged.
        recorded: the times.

    Attributes:
        busy: seconds in which the storing thread had work.
    """

    def __init__(self, knowledge: SimulatedKnowledge, recorded: Recorded) -> None:
        self.busy = 0.0
        self.now = 0.0
        self._knowledge = knowledge
        self._recorded = recorded
        self._checkers = [0.0] * recorded.checkers
        """When each of them has nothing to do any more."""
        self._checks: list[tuple[float, int, int]] = []
        """End of the check, number of the task, records."""
        self._passed: list[tuple[int, int]] = []
        self._storing: list[int] = []
        self._store_end = 0.0
        self._merged: deque[int] = deque()
        self._taken = self._check_seconds = 0.0

    def submit(self, result: CheckedResult) -> None:
        """As in `Merging`; the answers of simulated workers are right."""
        position: Any = result.position
        assert position.answer == result.answer
        records = 1 + int(position.cost * self._recorded.records_per_node)
        self._knowledge.merged += records
        seconds = records * self._recorded.check_seconds
        self._check_seconds += seconds
        end = max(self.now, heapq.heappop(self._checkers)) + seconds
        heapq.heappush(self._checkers, end)
        heapq.heappush(self._checks, (end, result.number, records))

    def next_event(self) -> float:
        """When a check or a transaction ends."""
        return min(self._checks[0][0] if self._checks else math.inf, self._store_end if self._storing else math.inf)

    def advance(self, now: float) -> None:
        """Lets time pass."""
        while (event := self.next_event()) <= now:
            if self._storing and self._store_end == event:
                self._merged += self._storing
                self._storing = []
            else:
                _, number, records = heapq.heappop(self._checks)
                self._passed.append((number, records))
            if self._passed and not self._storing:
                self._storing = [number for number, _ in self._passed]
                records = sum(records for _, records in self._passed)
                self._passed = []
                seconds = self._recorded.commit_seconds + records * self._recorded.record_seconds
                self.busy += seconds
                self._store_end = event + seconds
        self.now = now

    def next_merged(self) -> tuple[int, None] | None:
        """As in `Merging`."""
        return (self._merged.popleft(), None) if self._merged else None

    @property
    def has_merged(self) -> bool:
        """Whether there is something for `next_merged`."""
        return bool(self._merged)

    def take_seconds(self) -> float:
        """As in `Merging`."""
        seconds = max(self.busy - self._taken, self._check_seconds / self._recorded.checkers)
        self._taken, self._check_seconds = self.busy, 0.0
        return seconds

    def close(self) -> None:
        """There is nothing to end."""


class SimulatedWorkers(WorkersInOwnTime[TaskResult | BaseException]):
    """Workers whose searches take no real time. The manager's own work takes the processor time that it really takes.

    Args:
        knowledge: knows the positions, and what its store has taken.
        recorded: the times.
        count: how many workers.
        merging: is told the time.
        seed: of their noise.

    Attributes:
        idle: simulated seconds in which the manager had nothing to do.
        searched: seconds that workers have searched.
        died: tasks whose worker has died.
    """

    def __init__(
        self, knowledge: SimulatedKnowledge, recorded: Recorded, count: int, merging: SimulatedMerging, seed: int = 1
    ) -> None:
        super().__init__(count)
        self.idle = self.searched = 0.0
        self.tasks = self.died = 0
        self._knowledge = knowledge
        self._recorded = recorded
        self._merging = merging
        self._chance = Random(seed)
        self._seen = self._worked()

    def clock(self) -> float:
        """Seconds of the manager's own work: processor time, and the time of the store."""
        return self._worked()

    def _worked(self) -> float:
        return time.process_time() + self._knowledge.store_seconds

    def _catch_up(self) -> None:
        worked = self._worked()
        self.now += worked - self._seen
        self._seen = worked
        self._merging.advance(self.now)

    def submit(self, task: Task, known: object) -> None:
        """As in `Workers`."""
        self._catch_up()
        self.tasks += 1
        position, recorded, chance = self._knowledge.positions[task.position], self._recorded, self._chance
        nodes = int(min(position.cost, task.nodes)) + 1
        seconds = recorded.start_seconds + nodes / (recorded.nodes_per_second * chance.uniform(0.7, 1.3))
        result: TaskResult | BaseException
        if chance.random() < recorded.deaths:
            self.died += 1
            seconds *= chance.random()
            result = RuntimeError("the worker has died")
        else:
            result = self._result(task, position, nodes, seconds)
        self.searched += seconds
        heapq.heappush(self._under_way, (self.now + 2 * recorded.latency_seconds + seconds, task.number, result))
        self._seen = self._worked()  # what the simulation itself has taken is nobody's time

    def _result(self, task: Task, position: Position, nodes: int, seconds: float) -> TaskResult:
        if position.cost <= task.nodes:
            return TaskResult(task.number, position.answer, 1, 1, nodes, seconds, "simulated")
        left = math.sqrt(position.cost / 100)
        other = left * 3
        proof, disproof = (left, other) if position.answer else (other, left)
        noise = [math.exp(self._chance.gauss(0.0, self._recorded.noise)) for _ in range(2)]
        return TaskResult(
            task.number, None, int(proof * noise[0]) + 1, int(disproof * noise[1]) + 1, nodes, seconds, "simulated"
        )

    def next_finished(self, seconds: float) -> tuple[int, TaskResult | BaseException] | None:
        """As in `Workers`; waiting takes simulated time."""
        self._catch_up()
        if self._merging.has_merged:
            return None
        end = min(self._under_way[0][0] if self._under_way else math.inf, self._merging.next_event())
        if end == math.inf or (seconds == 0 and end > self.now):
            return None
        if end > self.now:
            self.idle += end - self.now
            self.now = end
        self._merging.advance(self.now)
        if not self._under_way or self._under_way[0][0] > self.now:
            return None
        _, number, result = heapq.heappop(self._under_way)
        return number, result
