"""Commands that run jobs: solve and verify."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import typer

from proofbase.service.cli.exit_status import UsageError
from proofbase.service.cli.options import (
    GameName,
    Json,
    OptionalGame,
    OptionalPosition,
    Plugins,
    Position,
    Server,
    Store,
    Tables,
    Zones,
    byte_count,
    count,
    positive_count,
)
from proofbase.service.cli.output.position_files import PositionFile, check_alone
from proofbase.service.cli.output.verification import print_verification
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.session import opened
from proofbase.service.cli.settings.clusters import Cluster, ClusterReads, given_cluster
from proofbase.service.cli.solves.position import solve_moves, solve_one
from proofbase.service.cli.solves.positions import solve_file
from proofbase.service.cli.solves.question import SolveQuestion
from proofbase.service.cli.solves.shortest import solve_shortest_win
from proofbase.service.cli.solves.shortest_of_positions import solve_shortest_file
from proofbase.service.jobs.budget import Budget
from proofbase.service.jobs.parallelism import MOST_CLUSTER_WORKERS
from proofbase.service.jobs.solve.thresholds import ThresholdOrder

__all__ = ["solve", "verify"]


def solve(
    game: GameName,
    position: Position = "-",
    at_least: Annotated[
        int | None,
        typer.Option(
            "--at-least",
            metavar="V",
            help="Ask only: is the value for the side to move at least V?",
            show_default=False,
        ),
    ] = None,
    win: Annotated[
        bool, typer.Option("--win", help="Ask only: does the side to move win the game as a whole? As --win-by 1.")
    ] = False,
    draw: Annotated[
        bool,
        typer.Option(
            "--draw", help="Ask only: does the side to move at least draw the game as a whole? As --win-by 0."
        ),
    ] = False,
    win_by: Annotated[
        int | None,
        typer.Option(
            "--win-by",
            metavar="N",
            help="Ask only: does the side to move win the game as a whole by N or more?",
            show_default=False,
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Find the exact value (the default).")] = False,
    algorithm: Annotated[
        str, typer.Option(metavar="A", help="auto, or a family with policies: pn-dag+effort (docs/algorithms.md).")
    ] = "auto",
    thresholds: Annotated[
        ThresholdOrder,
        typer.Option(
            help="Which questions lead to the exact value: bisect halves the interval, down and up go step by step "
            "from one end, both from the two ends in turn."
        ),
    ] = "auto",
    nodes: Annotated[
        int | None,
        typer.Option(metavar="N", parser=count, help="Give up after so many nodes, such as 500k, 2M or 1e7."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Give up after so many seconds of searching and storing.")
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(metavar="BYTES", parser=byte_count, help="Bytes the search may use, such as 512M or 4G."),
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=255,
            help="Threads of the search, where its algorithm can use them: null-window, df-pn, and threats.",
        ),
    ] = 1,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Let N workers search parts of the question (docs/proof-manager.md); 0 for one search.",
            show_default=False,
        ),
    ] = 0,
    worker_processes: Annotated[
        bool, typer.Option("--worker-processes", help="With --workers: processes instead of threads.")
    ] = False,
    cluster: Cluster = None,
    cluster_reads: ClusterReads = None,
    all_moves: Annotated[
        bool, typer.Option("--all-moves", help="Find the exact values of the position and of all its moves.")
    ] = False,
    shortest: Annotated[
        bool,
        typer.Option(
            "--shortest",
            help="Find the shortest win of the side to move, in plies, and prove that there is no shorter one "
            "(docs/command-line.md).",
        ),
    ] = False,
    most_plies: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=9999,
            help="With --shortest: look for wins within at most N plies.",
            show_default=False,
        ),
    ] = None,
    file: PositionFile = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Find the value of a position, and store the proof.

    Budgets are for the whole command; with --file for each position. Exit status 1: disproved or unknown.
    """
    setting = given_cluster(cluster, cluster_reads)
    if setting is not None:
        if server is not None:
            raise UsageError("--cluster and --server exclude each other: a server has the cluster that it was given")
        if worker_processes:
            raise UsageError("--cluster and --worker-processes exclude each other: they are two kinds of workers")
        workers = workers or MOST_CLUSTER_WORKERS  # all that it has
    many = "--workers" if cluster is None else "--cluster"
    check_alone(file, {"POSITION": position != "-", "--all-moves": all_moves, many: workers > 0})
    if all_moves and workers:
        raise UsageError(f"{many} is for one position: --all-moves solves them one after the other")
    questions = {"--exact": exact, "--at-least": at_least is not None, "--win": win, "--draw": draw}
    asked_for = [name for name, given in {**questions, "--win-by": win_by is not None}.items() if given]
    if len(asked_for) > 1:
        raise UsageError(f"{asked_for[0]} and {asked_for[1]} are two different questions: give one of them")
    if shortest:
        others = {"--all-moves": all_moves, many: workers > 0}
        other = next((name for name, given in others.items() if given), asked_for[0] if asked_for else None)
        if other is not None:
            raise UsageError(f"--shortest asks questions of its own about a position: leave out {other}")
    elif most_plies is not None:
        raise UsageError("--most-plies goes with --shortest")
    if threads > 1:
        if workers:
            raise UsageError(f"--threads and {many} exclude each other: each worker searches with one thread")
        algorithm = f"{algorithm}+threads-{threads}"
    result_at_least = 1 if win else 0 if draw else win_by
    budget = Budget(nodes, seconds, memory)
    if all_moves and asked_for not in ([], ["--exact"]):
        raise UsageError(f"--all-moves finds exact values: {asked_for[0]} is another question")
    question = SolveQuestion(at_least, result_at_least, algorithm, thresholds, budget, workers, worker_processes)
    with opened(store, server, plugin, tables=tables, cluster=setting, memory=memory) as client:
        if shortest:
            ask = partial(solve_shortest_file, file=file) if file else partial(solve_shortest_win, position=position)
            return ask(client, game, json=json, most_plies=most_plies, algorithm=algorithm, budget=budget)
        if file is not None:
            return solve_file(client, game, file, question, json=json)
        if all_moves:
            return solve_moves(client, game, position, question, json=json)
        return solve_one(client, game, position, question, json=json)


def verify(
    game: OptionalGame = None,
    position: OptionalPosition = None,
    rules: Annotated[
        Literal["native", "python"], typer.Option(help="python: the independent rules; slower, a second opinion.")
    ] = "native",
    sample: Annotated[
        int | None,
        typer.Option(metavar="N", parser=positive_count, help="Check N records, drawn at random.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="The same seed draws the same records.")] = 0,
    quarantine: Annotated[
        bool, typer.Option("--quarantine", help="Take failing claims, and what rests on them, out of use.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Search for proofs of what failing records rest on, and store them.")
    ] = False,
    zones: Zones = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Check stored records by the rules of the game.

    All records, those of a game, or those that a position rests on. Exit status 1: some fail; 3: none fails, but some
    could not be checked, because the rules of their game are not loaded.
    """
    writes = quarantine or repair
    with opened(store, server, plugin, create=False, or_read_only=not writes, tables=tables) as client:
        job = client.start_verification(
            game, position, sample=sample, seed=seed, rules=rules, quarantine=quarantine, repair=repair, zones=zones
        )
        job = run_job(client, job)
    return print_verification(job, rules, json=json)
