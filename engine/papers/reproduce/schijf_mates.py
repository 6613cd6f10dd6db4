"""Schijf, Proof-number search and transpositions (1993), appendix B: the 82 mates of Reinfeld.

Can the side to move win? The tree algorithm, which deletes solved subtrees, and the practical algorithm for graphs with
cycles (5.4), with 1 and the number of moves as initial numbers (5.5).
"""

from __future__ import annotations

from proofbase.engine.papers.reproduce.chess_mates import COUNTING, ORDER, Answer, node_row, search_mate
from proofbase.engine.papers.reproduce.reinfeld import PROBLEMS, Problem
from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, until_stopped

__all__ = ["PRINTED", "tables_b"]

ALGORITHMS = {
    "tree": ("pn-tree+mobility+delete-solved", 1_750_000),
    "DCG": ("pn-cyclic+mobility+no-symmetry", 800_000),
}
"""By the columns of the tables, with the limits of nodes (5.5)."""

LIMITS = (
    "The paper ends the tree search when it holds 1,750,000 nodes, without those that it has deleted; here all created "
    "ones count. Its DCG search ends at 800,000."
)
R281 = (
    "What the DCG algorithm takes for repetitions depends on the order of moves, and 281 most of all: over ten random "
    "orders it needs 35,711 to 709,049 nodes (pn-base-twin 28,289 to 58,614). Without 281 its total is 0.97 of the "
    "printed one."
)

# fmt: off
PRINTED: dict[int, tuple[int | None, int | None]] = {
    1: (7_640, 5_782),
    4: (82, 82),
    5: (57, 57),
    6: (71_966, 9_563),
    9: (207, 198),
    12: (175, 173),
    14: (324_542, 155_761),
    27: (77, 77),
    35: (527, 339),
    49: (16_546, 13_920),
    50: (183, 183),
    51: (227_361, 129_293),
    54: (85, 85),
    55: (31_456, 25_446),
    57: (113, 113),
    60: (69, 69),
    61: (78, 78),
    64: (137, 137),
    79: (152, 152),
    84: (93, 93),
    88: (759, 687),
    96: (1_640_786, 595_457),
    97: (107, 107),
    99: (75_411, 60_718),
    102: (279, 279),
    103: (2_150, 2_031),
    104: (5_047, 4_566),
    105: (None, None),
    132: (2_301, 2_084),
    134: (854, 768),
    136: (185, 185),
    138: (211_466, 137_848),
    139: (274, 274),
    143: (900, 816),
    154: (117, 117),
    156: (82, 82),
    158: (526, 525),
    159: (385_487, 221_318),
    160: (110, 110),
    161: (2_045, 1_191),
    167: (896, 761),
    168: (596_956, 236_008),
    172: (99, 99),
    173: (419, 404),
    177: (527, 520),
    179: (184, 184),
    182: (807_709, 216_039),
    184: (82, 82),
    186: (108, 108),
    188: (117, 117),
    191: (22_466, 17_287),
    197: (95, 95),
    201: (1_019_679, 418_655),
    203: (19_917, 17_068),
    211: (278, 231),
    212: (458, 457),
    215: (164, 164),
    217: (271, 271),
    218: (277_639, 177_847),
    219: (157, 157),
    222: (59_591, 25_194),
    225: (342, 342),
    241: (360_983, 191_588),
    244: (458, 458),
    246: (120, 120),
    250: (1_147, 1_121),
    251: (136_479, 84_844),
    252: (537_628, 353_999),
    253: (2_355, 1_066),
    260: (807, 730),
    263: (887, 848),
    266: (716, 711),
    267: (1_206, 1_137),
    278: (636, 636),
    281: (317_214, 36_705),
    282: (749, 725),
    283: (30_778, 28_008),
    285: (218, 218),
    290: (523, 523),
    293: (121_720, 93_647),
    295: (81, 81),
    298: (150, 150),
}
# fmt: on
"""Nodes of the tree and of the DCG algorithm, by the number of the problem; None where it was not solved."""


def tables_b(options: Options, progress: Progress) -> Report:
    """Tables B.1 to B.3, or the first few problems of them."""
    problems = PROBLEMS[: options.positions]
    answers: dict[str, dict[Problem, Answer]] = {column: {} for column in ALGORITHMS}
    rows: list[Row] = []
    last = answers[list(ALGORITHMS)[-1]]
    with until_stopped(last) as stopped:
        for number, problem in enumerate(problems):
            for index, (column, (algorithm, limit)) in enumerate(ALGORITHMS.items()):
                progress((number + index / len(ALGORITHMS)) / len(problems), f"{problem.name}, {column}")
                answer = search_mate("chess", algorithm, problem.fen, options.nodes or limit)
                answers[column][problem] = answer
                rows.append(node_row(f"{problem.number:03} {column}", PRINTED[problem.number][index], answer))
    problems = problems[: len(last)]
    progress(1.0, "done")
    notes = (
        stopped
        + [f"{column}: {algorithm}." for column, (algorithm, _) in ALGORITHMS.items()]
        + [
            COUNTING,
            ORDER,
            LIMITS,
            R281,
        ]
    )
    if options.nodes:
        notes.append(f"These searches are given up after {options.nodes:,} nodes.")
    if len(problems) < len(PROBLEMS):
        notes.append(f"{len(problems)} of the {len(PROBLEMS)} problems were asked.")
    for index, (column, of_column) in enumerate(answers.items()):
        solved = [problem for problem in problems if of_column[problem].solved]
        theirs = [problem for problem in problems if PRINTED[problem.number][index] is not None]
        printed = None if options.nodes else len(theirs)
        rows.append(Row(f"solved: {column}", printed, len(solved), f"of {len(problems)}"))
        both = [problem for problem in theirs if problem in solved]
        total = sum(PRINTED[problem.number][index] or 0 for problem in both)
        nodes = sum(of_column[problem].nodes for problem in both)
        rows.append(Row(f"the {len(both)} that both solve: {column}", total, nodes, "nodes"))
        denied = ", ".join(problem.name for problem in problems if of_column[problem].denied)
        notes.append(f"{column} takes for no win: {denied or 'none'}.")
    failed = sum(answer.failed for of_column in answers.values() for answer in of_column.values())
    rows.append(Row("records of proofs that fail the local check", 0, failed))
    source = "Schijf, Proof-number search and transpositions (1993), Tables B.1 to B.3"
    return Report("schijf-b", source, rows, notes)
