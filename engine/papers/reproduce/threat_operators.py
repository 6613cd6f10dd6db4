"""Allis, Searching for solutions in games and artificial intelligence (1994), 4.2.3, 4.3.2 and 5.3.2: counts."""

from __future__ import annotations

from proofbase.engine.papers.reference.threat_operators import (
    gomoku_lines,
    gomoku_operators,
    qubic_goals,
    qubic_operators,
)
from proofbase.engine.papers.reproduce.report import THESIS, Options, Progress, Report, Row
from proofbase.engine.rules.qubic import AUTOMORPHISMS, LINES

__all__ = ["counts"]


def counts(options: Options, progress: Progress) -> Report:
    """How many lines, operators and goals the two games have."""
    progress(0.0, "qubic")
    operators = list(qubic_operators())
    rows = [
        Row("qubic, groups", 76, len(LINES)),
        Row("qubic, automorphisms", 192, len(AUTOMORPHISMS)),
        Row("qubic, operators", 1824, len(operators)),
        Row("qubic, different operators", 912, len(set(operators))),
        Row("qubic, goals", 304, len(set(qubic_goals()))),
    ]
    progress(0.2, "go-moku")
    by_kind = gomoku_operators()
    lines = zip((5, 6, 7), (572, 500, 432), strict=True)
    rows += [Row(f"go-moku, lines of {size}", printed, len(gomoku_lines(size))) for size, printed in lines]
    rows.append(Row("go-moku, attributes", 675, 3 * 15 * 15))
    rows.append(Row("go-moku, operators", 3076, sum(map(len, by_kind.values()))))
    applications = {kind: sum(map(len, of_kind)) for kind, of_kind in by_kind.items()}
    rows.append(Row("go-moku, applications of operators", 23596, sum(applications.values())))
    rows += [Row(f"go-moku, applications of `{kind}`", None, count) for kind, count in applications.items()]
    return Report(
        f"{THESIS}, 4.2.3, 4.3.2 and 5.3.2",
        rows,
        ["Operators are those of the reference (engine/papers/reference/threat_operators.py), on 15x15 squares."],
    )
