"""Positions of one key: the same values, and moves that correspond."""

from __future__ import annotations

from typing import Any

from proofbase.engine.conformance.examination import Examination, Sample

__all__ = ["check_symmetry"]


def check_symmetry(exam: Examination, sample: Sample) -> None:
    """The position that the key stands for is as good as this one, move by move."""
    canonical = exam.ask("position", sample.key)
    if canonical == sample.position:
        return
    who = f"{exam.named(canonical)}, which has the same key {sample.key.hex()}"
    for method, value in (("terminal", sample.terminal), ("limit", sample.limit)):
        other = exam.ask(method, canonical)
        if other != value:
            detail = f"{method}() is {value}, and {exam.shown(other)} in {who}"
            raise exam.broken("symmetry", detail, sample=sample)
    if sample.terminal is not None:
        return
    rho = exam.ask("repetition", canonical)
    if rho != sample.repetition:
        detail = f"repetition() is {sample.repetition}, and {exam.shown(rho)} in {who}"
        raise exam.broken("symmetry", detail, sample=sample)
    mine = sorted(zip(sample.rewards, sample.child_keys, strict=True))
    theirs = sorted(_moves(exam, canonical))
    if mine != theirs:
        only = next((entry for entry in mine if entry not in theirs), None)
        if only is None:
            detail = f"there are {len(mine)} moves, and {len(theirs)} in {who}"
        else:
            reward, child = only
            detail = (
                f"a move with reward {reward} leads to key {child.hex()}, and as many moves with that reward and key "
                f"are not in {who}"
            )
        raise exam.broken("symmetry", detail, sample=sample)


def _moves(exam: Examination, position: Any) -> list[tuple[int, bytes]]:
    return [
        (exam.ask("reward", position, move), exam.key(exam.ask("play", position, move)))
        for move in exam.moves(position)
    ]
