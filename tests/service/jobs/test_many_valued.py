"""Exact values of games with many of them: the questions, what they reuse, and the interval that they narrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import ceil, log2
from random import Random

import pytest
from awari_positions.endgames import endgames
from services import MakeService, Service
from values_by_definition import minimax

from proofbase.engine import games
from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.rules import Awari, Game
from proofbase.service.client import (
    Budget,
    InvalidRequestError,
    Job,
    JobStateError,
    SolveProgress,
    SolveResult,
    VerificationResult,
)
from proofbase.service.jobs.solve.thresholds import THRESHOLD_ORDERS, ThresholdOrder
from proofbase.service.jobs.stored_jobs import from_stored
from proofbase.service.limits import Limits
from proofbase.service.resources import algorithm_choice
from proofbase.service.resources.native import ChosenAlgorithm
from proofbase.storage import Job as StoredJob

HIGHEST = 10
NAME = "coins"


class Coins(Game[tuple[int, int]]):
    """A row of coins worth -3 to 3, drawn by a seed: `coins:SEED`. A move takes the first (0) or the last one (1)."""

    highest_value = HIGHEST

    def __init__(self, seed: str = "1") -> None:
        self.name = f"{NAME}:{seed}"
        random = Random(int(seed))
        self.coins = [random.randint(-3, 3) for _ in range(17 + int(seed) % 2)]

    def initial(self) -> tuple[int, int]:
        return (0, len(self.coins))

    def terminal(self, position: tuple[int, int]) -> int | None:
        return 0 if position[0] == position[1] else None

    def moves(self, position: tuple[int, int]) -> Sequence[int]:
        return (0, 1) if position[1] - position[0] > 1 else (0,)

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        first, end = position
        return (first, end - 1) if move else (first + 1, end)

    def reward(self, position: tuple[int, int], move: int) -> int:
        return self.coins[position[1] - 1 if move else position[0]]

    def key(self, position: tuple[int, int]) -> bytes:
        return bytes(position)

    def position(self, key: bytes) -> tuple[int, int]:
        if len(key) != 2 or not key[0] <= key[1] <= len(self.coins):
            raise InvalidKeyError(f"{key.hex()} is no part of the row")
        return (key[0], key[1])

    def text(self, position: tuple[int, int]) -> str:
        return f"{position[0]}-{position[1]}"

    def parse(self, text: str) -> tuple[int, int]:
        first, _, end = text.partition("-")
        if not (first.isdigit() and end.isdigit() and int(first) <= int(end) <= len(self.coins)):
            raise InvalidPositionError(f"{text!r} is no part of the row")
        return (int(first), int(end))


def solved_by_rules(seed: int) -> tuple[int, bool]:
    """The value by minimax, and whether all values lie within the range."""
    game, known = Coins(str(seed)), dict[bytes, int]()
    value = minimax(game, game.initial(), known)
    return value, all(abs(number) <= HIGHEST for number in known.values())


VALUES = {14: -9, 8: -2, 6: 0, 57: 3, 9: 6, 17: 7}
SEEDS = tuple(VALUES)
"""Six rows with values over the whole range."""


@pytest.mark.parametrize("seed", SEEDS)
def test_the_values_by_the_rules(seed: int) -> None:
    assert solved_by_rules(seed) == (VALUES[seed], True)


@pytest.fixture(autouse=True)
def coins() -> Iterator[None]:
    games.register(NAME, Coins)
    yield
    games._registered.pop(NAME)


def outcome(job: Job) -> SolveResult:
    assert job.state == "done", job.error
    assert isinstance(job.result, SolveResult)
    return job.result


@pytest.mark.parametrize("order", THRESHOLD_ORDERS)
def test_every_order_finds_the_value(service: Service, order: ThresholdOrder) -> None:
    for seed in SEEDS:
        name, value = f"{NAME}:{seed}", VALUES[seed]
        result = outcome(service.client.solve(name, thresholds=order))
        assert result.status == "exact"
        assert (result.value.lower, result.value.upper) == (value, value)
        questions = result.questions
        assert [entry.status for entry in questions] == [
            "proved" if value >= entry.at_least else "disproved" for entry in questions
        ]
        low, high = -HIGHEST, HIGHEST
        for entry in questions:  # each question narrows the interval, and asks for something that was open
            assert low < entry.at_least <= high
            assert low <= entry.value.lower <= value <= entry.value.upper <= high
            assert entry.value.upper - entry.value.lower < high - low
            low, high = entry.value.lower, entry.value.upper
        assert low == high == value
        nodes = sum(entry.nodes for entry in questions)
        assert result.nodes == nodes or (order in ("auto", "both") and nodes < result.nodes < 3 * nodes)
        if order == "bisect":
            assert len(questions) <= ceil(log2(2 * HIGHEST + 1))
        if order == "down":
            assert [entry.at_least for entry in questions] == list(range(HIGHEST, max(value, 1 - HIGHEST) - 1, -1))
        if order == "up":
            assert [entry.at_least for entry in questions] == list(range(1 - HIGHEST, min(value + 1, HIGHEST) + 1))
    verified = service.client.verify().result
    assert isinstance(verified, VerificationResult)
    assert verified.failed == 0
    assert verified.checked > 100


@pytest.mark.slow("over gRPC")
def test_a_question_reuses_what_the_ones_before_proved(make_service: MakeService) -> None:
    reused = fresh = 0
    for seed in SEEDS:
        name = f"{NAME}:{seed}"
        questions = outcome(make_service().client.solve(name, thresholds="bisect")).questions
        reused += sum(entry.nodes for entry in questions)
        for entry in questions:
            alone = outcome(make_service().client.solve(name, at_least=entry.at_least))
            assert alone.status == entry.status
            fresh += alone.nodes
    assert reused < 0.9 * fresh


def test_a_budget_that_ends_early_leaves_the_interval(make_service: MakeService) -> None:
    name, value = f"{NAME}:{SEEDS[0]}", VALUES[SEEDS[0]]
    whole = outcome(make_service().client.solve(name, thresholds="down"))
    service = make_service()
    part = outcome(service.client.solve(name, thresholds="down", budget=Budget(nodes=whole.nodes * 2 // 3)))
    assert part.status == "unknown"
    assert part.unknown_reason == "nodes"
    assert part.questions[-1].status == "unknown"
    found = part.value
    assert 0 < found.upper - found.lower < 2 * HIGHEST
    assert found.lower <= value <= found.upper
    stored = service.client.lookup(name).value
    assert (stored.lower, stored.upper) == (found.lower, found.upper)
    rest = outcome(service.client.solve(name, thresholds="down"))
    assert rest.status == "exact"
    assert found.lower < rest.questions[0].at_least <= found.upper
    assert rest.nodes < whole.nodes


def test_watchers_see_the_interval_narrow(service: Service) -> None:
    name, seen = f"{NAME}:{SEEDS[1]}", list[Job]()
    result = outcome(service.client.solve(name, thresholds="down", on_progress=seen.append))
    last = seen[-1].progress
    assert isinstance(last, SolveProgress)
    assert last.value == result.value
    assert last.settled == len(result.questions)
    assert last.algorithm == result.algorithm
    assert last.algorithm_reason == result.algorithm_reason
    assert result.algorithm_reason is not None and "acyclic" in result.algorithm_reason
    spec = seen[0].spec
    assert spec == service.client.job(seen[0].id).spec
    assert getattr(spec, "thresholds", None) == "down"


def test_a_named_algorithm_was_not_chosen(service: Service) -> None:
    result = outcome(service.client.solve(f"{NAME}:{SEEDS[0]}", algorithm="pn-dag+unit"))
    assert result.algorithm == "pn-dag+unit"
    assert result.algorithm_reason is None


def test_auto_goes_on_with_another_algorithm_when_the_memory_is_used_up(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = {False: ("pn-tree+unit", "the first"), True: ("pn-dag+effort", "the second")}

    def choose(game: object, position: object, *, nodes_used_up: bool, memory_used_up: bool) -> ChosenAlgorithm:
        return ChosenAlgorithm(*choices[memory_used_up])

    monkeypatch.setattr(algorithm_choice, "choose_algorithm", choose)
    result = outcome(service.client.solve("connect-four:4x4", budget=Budget(memory_bytes=4_000_000)))
    assert result.status == "exact"
    assert result.algorithm == "pn-dag+effort"
    assert result.algorithm_reason == "the second"
    # Not in this order where the machine is so busy that the turn of a question ends by time.
    assert sorted((entry.at_least, entry.status) for entry in result.questions) == [
        (0, "proved"), (1, "disproved"), (1, "unknown"),
    ]  # fmt: skip
    assert next(entry.nodes for entry in result.questions if entry.status == "unknown") > 1000
    choices[True] = ("pn-tree+mobility", "the second")  # it uses up its memory, too
    result = outcome(service.client.solve("connect-four:5x4", budget=Budget(memory_bytes=4_000_000)))
    assert (result.status, result.unknown_reason) == ("unknown", "memory")
    assert result.algorithm == "pn-tree+mobility"
    assert sorted((entry.at_least, entry.status) for entry in result.questions) == [
        (0, "unknown"), (1, "unknown"), (1, "unknown"),
    ]  # fmt: skip


@pytest.mark.parametrize("question", [{"at_least": 1}, {"result_at_least": 0}, {}])
def test_thresholds_that_make_no_sense_are_refused(service: Service, question: dict[str, int]) -> None:
    thresholds = "both" if question else "sideways"
    with pytest.raises(InvalidRequestError) as refused:
        service.client.start_solve(f"{NAME}:1", thresholds=thresholds, **question)  # type: ignore[arg-type]
    assert "thresholds" in str(refused.value)


# --- Restarts and older stores ---------------------------------------------------------------------------------------


def test_a_paused_solve_from_both_sides_goes_on(make_service: MakeService) -> None:
    service = make_service(limits=Limits())
    name = f"{NAME}:{SEEDS[2]}"
    job = service.client.start_solve(name, thresholds="both")
    for _ in range(20):
        if service.client.job(job.id).finished:
            break
        with suppress(JobStateError):  # it may have ended between the two calls
            service.client.pause(job.id)
            service.client.resume(job.id)
    result = outcome(service.client.wait(job.id))
    value = VALUES[SEEDS[2]]
    assert result.status == "exact" and result.value.lower == value
    settled = [entry.at_least for entry in result.questions if entry.status != "unknown"]
    assert len(settled) == len(set(settled)), "no question is settled twice"


def test_jobs_of_older_versions_are_read() -> None:
    budget = {"nodes": None, "seconds": None, "memory_bytes": None}
    value = {"lower": 0, "upper": 0, "lower_known": True, "upper_known": True}
    result = {
        "status": "exact", "value": value, "best_move": "5", "rank": 9, "nodes": 10, "seconds": 0.1,
        "nodes_per_second": 100.0, "records": 3, "algorithm": "pn-dag+mobility", "unknown_reason": None,
    }  # fmt: skip
    spec = {"game": "tic-tac-toe", "position": "3/3/3", "at_least": None, "algorithm": "auto", "budget": budget}
    stored = StoredJob(
        id="1", kind="solve", state="done", created=0.0, updated=1.0, spec=spec, progress={}, result=result, error=None
    )
    job = from_stored(stored)
    assert isinstance(job.result, SolveResult)
    assert job.result.questions == ()
    assert getattr(job.spec, "thresholds", None) == "auto"


@pytest.mark.parametrize("order", ["bisect", "both"])
def test_awari_endgames_with_cycles(service: Service, order: ThresholdOrder) -> None:
    graph, positions = endgames(4)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    game, seen = Awari(), set[int]()
    for key in Random("awari").sample(sorted(positions), 25):
        result = outcome(service.client.solve("awari", game.text(positions[key]), thresholds=order))
        assert result.status == "exact"
        assert (result.value.lower, result.value.upper) == (worth[key], worth[key])
        seen.add(worth[key])
        if result.questions:
            assert result.algorithm_reason is not None and "cycles" in result.algorithm_reason
    assert len(seen) > 3
    verified = service.client.verify("awari", rules="python").result
    assert isinstance(verified, VerificationResult)
    assert verified.failed == 0


def test_the_list_of_sources_does_not_grow_with_the_jobs(service: Service) -> None:
    game = "connect-four:4x4"
    for moves in ("1", "2", "11", "12", "13", "14"):
        outcome(service.client.solve(game, moves, budget=Budget(nodes=1_000_000 + len(moves))))
    sources = [source.text for source in service.client.statistics().sources]
    assert len(sources) == len(set(sources)) <= 4  # an algorithm and a threshold
    assert all(text.startswith(("solve pn-dag", "solve null-window")) for text in sources)
