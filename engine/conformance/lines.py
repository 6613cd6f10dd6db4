"""What a game promises along moves: who is to move, what was won so far, what comes back, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator

from proofbase.engine.conformance.examination import Examination, Sample
from proofbase.engine.papers.reference.graph import Edge, components_of

__all__ = ["check_recurrence", "check_repetition", "check_rewards", "check_score", "check_side"]


def check_repetition(exam: Examination, sample: Sample) -> None:
    """The repetition value changes its sign along every move without a reward."""
    if exam.game.acyclic:
        return
    for at, child in enumerate(sample.children):
        if sample.rewards[at] != 0 or exam.ask("terminal", child) is not None:
            continue
        there = exam.ask("repetition", child)
        if there != -(sample.repetition or 0):
            detail = (
                f"repetition() is {sample.repetition}, and {exam.shown(there)} after {_move(exam, sample, at)}, which "
                "has no reward: it is seen by the side to move, so the second is minus the first"
            )
            raise exam.broken("repetition", detail, sample=sample)


def check_rewards(exam: Examination, sample: Sample) -> None:
    """No reward makes a position worth more than its limit, whatever follows."""
    for at, child in enumerate(sample.children):
        least = sample.rewards[at] - exam.ask("limit", child)
        if least > sample.limit:
            detail = (
                f"{_move(exam, sample, at)} has reward {sample.rewards[at]}, so the position is worth at least "
                f"{least}: beyond its limit {sample.limit}"
            )
            raise exam.broken("reward", detail, sample=sample)


def check_side(exam: Examination, samples: list[Sample]) -> None:
    """0 and 1 in turns, or always 0."""
    sides = []
    for sample in samples:
        side = exam.ask("side", sample.position)
        if not isinstance(side, int) or side not in (0, 1):
            raise exam.broken("side", f"side() gave {exam.shown(side)}, which is neither 0 nor 1", sample=sample)
        sides.append(side)
    if sides and sides[0] != 0:
        raise exam.broken("side", "side() is 1 in the initial position", sample=samples[0])
    if not any(sides):
        return
    for sample, side in zip(samples, sides, strict=True):
        if sample.parent is not None and exam.ask("side", sample.parent.position) == side:
            raise exam.broken("side", f"side() is {side} before the last move, and {side} after it", sample=sample)


def check_score(exam: Examination, samples: list[Sample]) -> None:
    """What the side to move is ahead: the rewards, seen by the other side after each move."""
    scores = []
    for sample in samples:
        score = exam.ask("score", sample.position)
        if not isinstance(score, int):
            raise exam.broken("score", f"score() gave {exam.shown(score)}, which is no integer", sample=sample)
        scores.append(score)
    if not any(scores):
        return
    for sample, score in zip(samples, scores, strict=True):
        if sample.parent is None:
            continue
        before, reward = exam.ask("score", sample.parent.position), _reward_to(sample)
        if score != -(before + reward):
            detail = (
                f"score() is {score}; before the last move, of reward {reward}, it was {before}: {-(before + reward)}"
            )
            raise exam.broken("score", f"{detail} was to be expected", sample=sample)


def check_recurrence(exam: Examination) -> None:
    """No cycle in an acyclic game, and no reward in the cycles of another; up to symmetry."""
    numbers: dict[bytes, int] = {}
    first: list[Sample] = []
    edges: list[list[Edge]] = []
    for sample in exam.samples:
        if sample.key not in numbers:
            numbers[sample.key] = len(first)
            first.append(sample)
            edges.append([])
    for number, sample in enumerate(first):
        for at, key in enumerate(sample.child_keys):
            if key in numbers:
                edges[number].append(Edge(at, numbers[key], sample.rewards[at]))
    for component in components_of(edges):
        inside = set(component)
        for node in component:
            for edge in edges[node]:
                if edge.child not in inside:
                    continue
                sample = first[node]
                cycle = " ".join(_cycle(exam, first, edges, inside, node, edge))
                if exam.game.acyclic:
                    raise exam.broken(
                        "recurrence", f"acyclic is True, but the moves {cycle} lead back to it", sample=sample
                    )
                if edge.reward != 0:
                    detail = f"{_move(exam, sample, edge.move)} has reward {edge.reward} and is in a cycle: {cycle}"
                    raise exam.broken("cycle-reward", detail, sample=sample)


def _cycle(
    exam: Examination, first: list[Sample], edges: list[list[Edge]], inside: set[int], node: int, edge: Edge
) -> Iterator[str]:
    """The moves of a shortest cycle that begins with an edge of a node."""
    came: dict[int, tuple[int, int]] = {}
    waiting = [edge.child]
    for at in waiting:  # grows meanwhile
        for out in edges[at]:
            if out.child in inside and out.child not in came and at != node:
                came[out.child] = (at, out.move)
                waiting.append(out.child)
    moves = []
    at = node
    while at != edge.child:
        at, move = came[at]
        moves.append(exam.game.move_text(first[at].position, first[at].moves[move]))
    moves.append(exam.game.move_text(first[node].position, first[node].moves[edge.move]))
    yield from reversed(moves)


def _move(exam: Examination, sample: Sample, at: int) -> str:
    return f"the move {exam.ask('move_text', sample.position, sample.moves[at])}"


def _reward_to(sample: Sample) -> int:
    assert sample.parent is not None and sample.move is not None
    return sample.parent.rewards[sample.parent.moves.index(sample.move)]
