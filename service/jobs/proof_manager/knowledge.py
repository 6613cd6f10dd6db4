"""What a proof manager knows and stores of its game: claims that were checked, and estimates."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from proofbase.engine.rules import Game
from proofbase.service.errors import UnsoundRecordsError
from proofbase.service.jobs.local_checks import load_sound
from proofbase.service.jobs.proof_manager.depth_first import MoveQuestions
from proofbase.service.jobs.proof_manager.derived_claims import derived_claim
from proofbase.service.jobs.proof_manager.merging import CheckedResult
from proofbase.service.jobs.proof_manager.question_tree import Child, Node, Question, Questions
from proofbase.service.positions.probe import Probe, probe_positions
from proofbase.service.resources import Resources
from proofbase.service.resources.native import new_record_table
from proofbase.service.resources.record_writer import CheckedRecords
from proofbase.storage import Estimate, Record, encode_record

if TYPE_CHECKING:
    from proofbase.engine._core import RecordTable

__all__ = ["Knowledge", "StoredKnowledge", "UnsoundResultError"]

Item = tuple[bytes, bytes]
LARGEST_NUMBER = 2**62


class UnsoundResultError(RuntimeError):
    """A worker's records fail the local check, or do not show what the worker says. Nothing of them was stored."""


class Knowledge(Questions, MoveQuestions, Protocol):
    """The game of a manager, and what is known of it (`StoredKnowledge`)."""

    merged: int

    def settled(self, questions: list[tuple[Any, int]]) -> list[bool | None]:
        """The answers that are known."""

    def known(self) -> Any:
        """What workers of this process share."""

    def known_items(self, most: int) -> tuple[tuple[bytes, bytes], ...]:
        """What is sent to workers elsewhere."""

    def derive(self, node: Node, answer: bool) -> bool:
        """Stores the claim of a node that its children settle, if they support it."""

    def estimates(self, questions: list[Question]) -> list[Estimate | None]:
        """What is believed of questions."""

    def save(self, nodes: Iterable[Node], answered: Iterable[Question]) -> None:
        """Stores what is believed of nodes, and forgets it of answered questions."""


class StoredKnowledge:
    """The game of a manager, over a store.

    Args:
        resources: the store and what belongs to it.
        game: the game.
        job_id: whose estimates are saved.
        origin: for the source of records: who has started the job.
        with_retries: calls again while the store does not answer.

    Attributes:
        merged: records that were added or improved.
    """

    def __init__(
        self,
        resources: Resources,
        game: Game[Any],
        job_id: str,
        origin: str,
        with_retries: Callable[[Callable[[], Any]], Any],
    ) -> None:
        self._resources = resources
        self._game = game
        self._job_id = job_id
        self._origin = origin
        self._with_retries = with_retries
        self._tables = resources.tables.of(game)
        self._counting = threading.Lock()
        self._checked: dict[int, CheckedRecords] = {}
        """By the number of a task whose result has passed its check."""
        self.merged = 0

    @property
    def acyclic(self) -> bool:
        """Whether no line of play comes back to a position."""
        return self._game.acyclic

    def by_repetition(self, position: Any, bound: int) -> bool:
        """Whether repetition itself is worth the bound for the side to move."""
        value = self._game.repetition(position)
        return value is not None and value >= bound

    def children(self, position: Any, bound: int) -> list[Child]:
        """The questions after each move, with what is known of them."""
        questions, seen = list[tuple[int, Any, Question]](), set[Question]()
        for move in self._game.moves(position):
            child, question = self._play(position, bound, move)
            if question not in seen:
                seen.add(question)
                questions.append((move, child, question))
        settled = self.settled([(child, question[1]) for _, child, question in questions])
        return [
            Child(move, child, question, answer)
            for (move, child, question), answer in zip(questions, settled, strict=True)
        ]

    def after(self, position: Any, bound: int, move: int) -> Question:
        """The question after a move."""
        return self._play(position, bound, move)[1]

    def _play(self, position: Any, bound: int, move: int) -> tuple[Any, Question]:
        """The position after a move, and the question there."""
        child = self._game.play(position, move)
        return child, (self._game.key(child), self._game.reward(position, move) - bound + 1)

    def mobility(self, position: Any) -> int:
        """How many moves there are in a position that is not terminal."""
        return len(self._game.moves(position))

    def settled(self, questions: Sequence[tuple[Any, int]]) -> list[bool | None]:
        """The answers to questions about positions, as far as the rules, the tables and the store know them."""
        positions = [position for position, _ in questions]
        probes: list[Probe] = self._with_retries(
            lambda: probe_positions(self._game, positions, self._resources.undamaged, self._tables)
        )
        return [_answer(probe, bound) for probe, (_, bound) in zip(probes, questions, strict=True)]

    def known(self) -> RecordTable | None:
        """The records of the game in memory, for searches of this process."""
        table: RecordTable | None = self._with_retries(lambda: self._resources.cache.records(self._game.name))
        return table

    def known_items(self, most: int) -> tuple[Item, ...]:
        """All records of the game, for a worker of another process; none where there are more than `most`."""
        store, name = self._resources.store, self._game.name

        def read() -> tuple[Item, ...]:
            return tuple(store.scan(name, faults=[])) if store.count(name) <= most else ()

        items: tuple[Item, ...] = self._with_retries(read)
        return items

    # Claims

    def check_result(self, result: CheckedResult) -> None:
        """The local check of a worker's records, with what is stored. Called from several threads.

        Raises:
            UnsoundResultError: they fail it.
        """
        self._checked[result.number] = self._check(result.records)

    def store_results(self, results: Sequence[CheckedResult]) -> None:
        """Stores results that have passed their check; those of one source in one put. Called from one thread.

        Raises:
            UnsoundResultError: the records do not give the answer, or rest on stored records that are gone.
        """
        puts = dict[str, list[CheckedResult]]()
        for result in results:
            source = f"solve {result.algorithm} at_least={result.at_least}{self._origin}"
            puts.setdefault(source, []).append(result)
        for source, of_source in puts.items():
            self._put([self._checked.pop(result.number) for result in of_source], source)
        answers = self.settled([(result.position, result.at_least) for result in results])
        for result, answer in zip(results, answers, strict=True):
            if answer != result.answer:
                raise UnsoundResultError(
                    f"a worker says that at_least {result.at_least} of {self._game.text(result.position)} is "
                    f"{'proved' if result.answer else 'disproved'}, and its records do not show it"
                )

    def derive(self, node: Node, answer: bool) -> bool:
        """Stores the claim of a node that its children settle; False if their claims do not support it."""
        key, bound = node.question

        def derive() -> bool:
            claim = derived_claim(
                self._game,
                key,
                bound,
                proved=answer,
                get_many=self._resources.undamaged.of(self._game.name),
                tables=self._tables,
            )
            if claim is None:
                return False
            checked = self._check([(key, encode_record(Record.of([claim])))])
            self._put([checked], f"solve by children at_least={bound}{self._origin}")
            return True

        derived: bool = self._with_retries(derive)
        return derived

    def _check(self, records: Sequence[Item]) -> CheckedRecords:
        """The local check of records, with what is stored.

        Raises:
            UnsoundResultError: they fail it.
        """
        table = new_record_table(self._game, self._tables)
        if broken := load_sound(table, records):
            raise UnsoundResultError(f"{len(broken)} of {len(records)} records of a worker are none: {broken[0].rule}")
        try:
            checked: CheckedRecords = self._with_retries(lambda: self._resources.writer.check(self._game, table))
        except UnsoundRecordsError as error:
            raise UnsoundResultError(f"a worker's result: {error}") from None
        return checked

    def _put(self, checked: Sequence[CheckedRecords], source: str) -> None:
        """Stores records that have passed their check."""
        try:
            stored = self._with_retries(lambda: self._resources.writer.put(checked, source=source))
        except UnsoundRecordsError as error:  # what they rested on has gone since
            raise UnsoundResultError(f"a worker's result: {error}") from None
        with self._counting:
            self.merged += stored.added + stored.improved

    # Estimates

    def estimates(self, questions: Sequence[Question]) -> list[Estimate | None]:
        """What the store believes of questions."""
        estimates: list[Estimate | None] = self._with_retries(
            lambda: self._resources.store.estimates().get_many(self._game.name, questions)
        )
        return estimates

    def save(self, nodes: Iterable[Node], answered: Iterable[Question]) -> None:
        """Stores the numbers of nodes, and forgets those of questions that were answered."""
        now, kept = time.time(), dict[Question, Estimate]()
        for node in nodes:
            if node.settled is None and node.work > 0:
                key, bound = node.question
                proof, disproof = (max(1, min(number, LARGEST_NUMBER)) for number in (node.proof, node.disproof))
                work = min(node.work, LARGEST_NUMBER)  # an import may bring any number
                estimate = Estimate(key, bound, proof, disproof, work, now, node.searched_by[:200], self._job_id)
                if estimate.replaces(kept.get(node.question)):
                    kept[node.question] = estimate
        gone = list(answered)

        def store() -> None:
            estimates = self._resources.store.estimates()
            if kept:
                estimates.put_many(self._game.name, kept.values(), rules_version=self._game.rules_version)
            if gone:
                estimates.drop(self._game.name, gone)

        self._with_retries(store)


def _answer(probe: Probe, bound: int) -> bool | None:
    if probe.value.lower >= bound:
        return True
    return False if probe.value.upper < bound else None
