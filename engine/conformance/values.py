"""The values of a small game, by brute force, held against what the game says of them."""

from __future__ import annotations

from proofbase.engine.conformance.examination import Examination, Sample
from proofbase.engine.papers.reference.graph import Edge, Graph, values

__all__ = ["check_values"]


def check_values(exam: Examination) -> None:
    """No value beyond a limit, and one value for a table entry. For games that were looked at completely."""
    by_key: dict[bytes, Sample] = {}
    for sample in exam.samples:
        by_key.setdefault(sample.key, sample)
    numbers = {key: number for number, key in enumerate(by_key)}
    edges = [[Edge(move, numbers[key], reward) for move, key, reward in _moves(sample)] for sample in by_key.values()]
    samples = list(by_key.values())
    graph = Graph(edges, [s.terminal for s in samples], [s.repetition for s in samples], list(by_key))
    entries: dict[tuple[str, int], tuple[int, Sample]] = {}
    for sample, value in zip(samples, values(graph), strict=True):
        if abs(value) > sample.limit:
            detail = f"its value is {value} by brute force: beyond its limit {sample.limit}"
            raise exam.broken("limit", detail, sample=sample)
        entry = exam.ask("table_entry", sample.position) if hasattr(exam.game, "table_entry") else None
        if entry is None:
            continue
        if not isinstance(entry, tuple) or len(entry) != 2 or not isinstance(entry[0], str):
            detail = f"table_entry() gave {exam.shown(entry)}, which is neither None nor a name and a number"
            raise exam.broken("table-entry", detail, sample=sample)
        other = entries.setdefault(entry, (value, sample))
        if other[0] != value:
            named = exam.named(other[1].position)
            detail = f"its value is {value}; {named} has the same entry {exam.shown(entry)} and the value {other[0]}"
            raise exam.broken("table-entry", detail, sample=sample)


def _moves(sample: Sample) -> list[tuple[int, bytes, int]]:
    return list(zip(sample.moves, sample.child_keys, sample.rewards, strict=True))
