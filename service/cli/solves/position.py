"""One position that is solved, or all moves of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.output.hints import all_moves_of, larger_budget, tables_of_endings
from proofbase.service.cli.output.job_documents import solve_document
from proofbase.service.cli.output.position_answer import move_table, print_board, summary
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.solves.question import SolveQuestion
from proofbase.service.cli.solves.small_endings import run_solve
from proofbase.service.client.all_moves import solve_all_moves
from proofbase.service.jobs.solve.model import SolveResult
from proofbase.service.words.amounts import amount, duration_text
from proofbase.service.words.fifty_moves import fifty_moves_text
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import result_text, value_text

if TYPE_CHECKING:
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service
    from proofbase.service.jobs.model import Job

__all__ = ["solve_moves", "solve_one"]

SHOWN_QUESTIONS = 12
_ANSWERS = {"proved": "yes", "disproved": "no", "unknown": "open"}


def solve_one(client: Service, game: str, position: str, question: SolveQuestion, *, json: bool) -> ExitStatus:
    """Solves one position and prints the outcome."""
    job = run_solve(client, game, position, question)
    if json:
        documents.print_document(solve_document(job))
    else:
        answer = client.lookup(game, position, board=True, distances=True)
        _print_outcome(question.text, _result(job), answer)
        if counter := fifty_moves_text(answer, position):
            screen.say(f"fifty moves  {counter}")
        moves = all_moves_of(client, position, answer, _result(job).seconds)
        if moves is not None:
            screen.say(f"moves        {moves}")
        further = larger_budget(client, job)
        if further is not None:
            screen.note(further)
        if not answer.known and _result(job).found_value is None and (tables := tables_of_endings(client, answer)):
            screen.note(tables)
    return _exit(job)


def solve_moves(client: Service, game: str, position: str, question: SolveQuestion, *, json: bool) -> ExitStatus:
    """Solves one position and each of its moves, and prints the table of moves."""
    jobs = solve_all_moves(
        client,
        game,
        position,
        lambda job: run_job(client, job),
        algorithm=question.algorithm,
        thresholds=question.thresholds,
        budget=question.budget,
    )
    answer = client.lookup(game, position, board=not json, distances=True)
    results = [_result(job) for job in jobs]
    nodes, seconds = sum(result.nodes for result in results), sum(result.seconds for result in results)
    open_moves = [move.move for move in answer.moves if not move.known]
    complete = answer.known and not open_moves
    reason = next((result.unknown_reason for result in results if result.unknown_reason), None)
    if json:
        document = documents.lookup_document(answer)
        names = ("game", "position", "known", "value", "moves")
        documents.print_document(
            {
                **{name: document[name] for name in names},
                "status": "exact" if complete else "unknown",
                "unknown_reason": reason,
                "nodes": nodes,
                "seconds": seconds,
                "records": sum(result.records for result in results),
                "jobs": [job.id for job in jobs],
            }
        )
        return ExitStatus.POSITIVE if complete else ExitStatus.NEGATIVE
    print_board(answer)
    screen.say(f"\nvalue   {summary(answer)}\n")
    move_table(answer)
    solves = amount(len(jobs), "solve")
    screen.say(f"\nsearch  {amount(nodes, 'node')} in {duration_text(seconds)}, {solves}")
    if not complete:
        screen.say(f"open    {', '.join(open_moves) or 'the position'} (stopped by: {reason or 'the budget'})")
    return ExitStatus.POSITIVE if complete else ExitStatus.NEGATIVE


def _result(job: Job) -> SolveResult:
    assert isinstance(job.result, SolveResult)
    return job.result


def _exit(job: Job) -> ExitStatus:
    return ExitStatus.POSITIVE if _result(job).status in ("proved", "exact") else ExitStatus.NEGATIVE


def _print_outcome(asked: str, result: SolveResult, answer: PositionAnswer) -> None:
    """The result of a solve for people, below the board."""
    words = GameWords.of(answer.game)
    highest = words.highest
    print_board(answer)
    reason = f" (stopped by: {result.unknown_reason})" if result.unknown_reason else ""
    screen.say(f"\n{asked:<12} {result.status}{reason}")
    value = words.decided(result.value, result.rank, answer.no_win_within, answer.no_loss_within)
    screen.say(f"value        {value if words.players else value_text(result.value, highest)}")
    if result.found_value is not None:
        bounds = value_text(result.found_value, highest)
        screen.say(f"found        {bounds} (not proved: the time was over before its proof was stored)")
    if highest > 1:
        screen.say(f"game         {result_text(result.value, answer)}")
    if result.best_move:
        plies = f", decided within {result.rank} plies" if result.rank and not words.players else ""
        source = ", by table" if any(claim.table for claim in answer.claims) else ", plies unknown"
        without_plies = source if result.rank is None and result.value.anything_known else ""
        screen.say(f"best move    {result.best_move}{plies}{without_plies}")
    if len(result.questions) > 1 and highest > 1:
        last_questions = result.questions[-SHOWN_QUESTIONS:]
        answers = ", ".join(f"{entry.at_least:+d} {_ANSWERS[entry.status]}" for entry in last_questions)
        more = "..., " if len(result.questions) > len(last_questions) else ""
        screen.say(f"at least?    {more}{answers}")
    searching, storing = result.seconds - result.storing_seconds, result.storing_seconds
    screen.say(f"search       {result.algorithm}, {amount(result.nodes, 'node')} in {searching:.2f} s")
    if result.algorithm_reason:
        screen.say(f"chosen       {result.algorithm_reason}")
    if result.tables:
        screen.say(f"tables       {', '.join(result.tables)} (what is stored rests on them)")
    in_time = f" in {storing:.2f} s" if storing else ""
    screen.say(f"stored       {amount(result.records, 'record')} added or improved{in_time}")
