"""Tables and figures of papers, measured again with our searches: the paper's figures beside ours.

To add one, write a function `(Options, Progress) -> Report` in a file here, and its line in TABLES. A file is imported
when its table is asked for, and by nothing else.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, cast

from proofbase.engine.papers.reproduce.report import Options, Progress, Report, Row, quiet

__all__ = ["TABLES", "Options", "Progress", "Report", "Row", "Table", "reproduce"]


class Table(NamedTuple):
    """A table that can be reproduced: its title, and its function as `module:function` below this package."""

    title: str
    function: str


TABLES: dict[str, Table] = {
    "schijf-3.4": Table("Giveaway chess: first moves that lose (Schijf 1993)", "giveaway_openings:lost_openings"),
    "schijf-4.1": Table("Tic-tac-toe as a tree and as a DAG: nodes (Schijf 1993)", "schijf:transpositions"),
    "schijf-4.2": Table("Tic-tac-toe as a tree and as a DAG: updates (Schijf 1993)", "schijf:updates"),
    "schijf-4.3": Table("The same with an early stop (Schijf 1993)", "schijf:reduced_updates"),
    "schijf-a.1": Table("Tic-tac-toe with symmetric positions as transpositions (Schijf 1993)", "schijf:symmetries"),
    "schijf-b": Table("Chess: 82 mates in a tree and in a graph with cycles (Schijf 1993)", "schijf_mates:tables_b"),
    "schijf-exact": Table("Exact numbers in tic-tac-toe, and their growth (Schijf 1993)", "schijf_exact:exact"),
    "mueller-6.1": Table(
        "Chess: 82 mates by proof sets and by proof numbers, with cycles (Müller 2001)", "mueller_6_1:mates"
    ),
    "mueller-6.2": Table("Tic-tac-toe by proof-set search and by pn-search (Müller 2001)", "mueller_6_2:tic_tac_toe"),
    "mueller-6.2-boards": Table(
        "Small boards by proof-set search: P, D, order of ties (Müller 2001)", "mueller_6_2:boards"
    ),
    "mueller-6.3": Table("Open questions on proof-set search: experiments (Müller 2001)", "mueller_6_3:open_questions"),
    "allis-1": Table("Awari, game 5: pn-search against alpha-beta (Allis et al. 1994)", "allis_awari:table_1"),
    "allis-7.3": Table("Awari, game 5: the win after move 15 (Allis et al. 1994)", "allis_awari:tournament"),
    "allis-2.3.1": Table("Awari: nodes of pn^2-search over those of pn-search (Allis 1994)", "pn2_awari:pn2_on_awari"),
    "allis-2.3.3": Table("Chess: lengths of mates, with and without depth (Allis 1994)", "mate_lengths:mate_lengths"),
    "allis-2.12": Table("Awari, self-played games: four algorithms (Allis 1994)", "allis_awari:self_played"),
    "allis-2.5": Table("The searches before pn-search, and MST* (Allis 1994)", "related_searches:related_searches"),
    "allis-2.8": Table("Giveaway chess: two initialisations of pn-search (Allis 1994)", "giveaway:random_games"),
    "allis-3.5": Table("The double-letter puzzle: nodes of four algorithms (Allis 1994)", "double_letter:tree_sizes"),
    "allis-4.1": Table("Qubic: positions of the solution by depth (Allis 1994)", "qubic:solution_positions"),
    "allis-4.2": Table("Qubic: strategic moves of the solution by depth (Allis 1994)", "qubic:strategic_moves"),
    "allis-4.5": Table("Qubic: sets of openings, and sizes of db-searches (Allis 1994)", "qubic_reductions:reductions"),
    "allis-4.5.3": Table("Qubic: db-search beside forced sequences (Allis 1994)", "qubic_reductions:forced_sequences"),
    "allis-5": Table("Go-moku from the empty board, reply by reply (Allis 1994)", "gomoku:openings"),
    "allis-5.1": Table("Go-moku: nodes of solutions by depth (Allis 1994)", "gomoku_solutions:nodes_by_depth"),
    "allis-5.3.3": Table(
        "Go-moku: two tests of sequences of threats (Allis 1994)", "threat_acceptance:acceptance_tests"
    ),
    "allis-5.4": Table("Go-moku from two stones by Victoria's search (Allis 1994)", "victoria:two_stones"),
    "allis-6.1": Table("How large games are: state space and game tree (Allis 1994)", "complexity:figure_6_1"),
    "allis-8": Table(
        "Random trees, uniform or not: pn-search, alpha-beta (Allis et al. 1994)", "random_trees:random_trees"
    ),
    "allis-8-endings": Table(
        "Endings of Othello, checkers, morris: initial numbers (Allis et al. 1994)", "endings:endings"
    ),
    "allis-operators": Table("Qubic and go-moku: lines, operators, goals (Allis 1994)", "threat_operators:counts"),
    "conversions": Table("Games with cycles: three ways to merge positions (Schijf 1993)", "conversions:compared"),
    "breuker-1": Table("Chess: 82 mates by four pn-searches (Breuker et al. 2001)", "breuker:mates"),
    "breuker-7": Table("Awari: repetitions that are none on another path (Breuker et al. 2001)", "ghi_awari:endings"),
    "connect-four": Table(
        "Connect-four: the times that sets of positions take, beside other programs", "connect_four:solving_times"
    ),
}


def reproduce(name: str, options: Options | None = None, progress: Progress | None = None) -> Report:
    """Measures a table.

    Args:
        name: one of TABLES.
        options: how; the defaults are the paper's.
        progress: called with the share that is done, from the calling thread.

    Raises:
        KeyError: there is no such table.
    """
    module, _, function = TABLES[name].function.partition(":")
    measure = cast(
        "Callable[[Options, Progress], Report]",
        getattr(importlib.import_module(f"{__name__}.{module}"), function),
    )
    progress = progress or quiet
    report = measure(options or Options(), progress)
    progress(1.0, "done")
    return replace(report, name=name)
