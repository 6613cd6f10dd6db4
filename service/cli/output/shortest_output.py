"""What `proofbase solve --shortest` does with a service: the shortest win, with its proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.service.cli.exit_status import ExitStatus, UsageError

if TYPE_CHECKING:
    from proofbase.service.client import Client
    from proofbase.service.client.shortest import ShortestWin
    from proofbase.service.jobs.budget import Budget
    from proofbase.service.words.game_words import GameWords

__all__ = ["solve_shortest_win"]


def solve_shortest_win(
    client: Client,
    game: str,
    position: str,
    *,
    algorithm: str,
    budget: Budget,
    most_plies: int | None,
    json: bool,
) -> ExitStatus:
    """Asks for the shortest win of the side to move and prints it."""
    from proofbase.engine.rules.within import FAMILY
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.watching import run_job
    from proofbase.service.client.shortest import MOST_PLIES, solve_shortest
    from proofbase.service.words.game_words import GameWords

    if game.partition(":")[0] == FAMILY:
        raise UsageError(f"--shortest asks about a game without a limit of plies: {game} has one")
    words = GameWords.of(game)
    found = solve_shortest(
        client,
        game,
        position,
        lambda job: run_job(client, job),
        wins_by_own_move=words.wins_by_own_move,
        loses_by_own_move=words.loses_by_own_move,
        most_plies=MOST_PLIES if most_plies is None else most_plies,
        algorithm=algorithm,
        budget=budget,
    )
    line: list[str] = []
    if found.table is not None:
        line = [step.move for step in client.line(game, position).steps]
    elif found.plies is not None:
        best = client.line(f"{FAMILY}:{found.plies}:{found.game}", f"{found.position} plies={found.plies}")
        line = [step.move for step in best.steps]
    if json:
        documents.print_document(_document(found, line))
        return ExitStatus.NEGATIVE if found.plies is None else ExitStatus.POSITIVE
    answer = client.lookup(game, position, board=True)
    screen.print_board(answer)
    screen.say(f"\nshortest     {_sentence(found, words)}")
    if line:
        screen.say(f"main line    {words.line(line, answer.side)}")
    questions = screen.amount(len(found.jobs), "question")
    screen.say(f"search       {screen.amount(found.nodes, 'node')} in {found.seconds:.2f} s, {questions}")
    return ExitStatus.NEGATIVE if found.plies is None else ExitStatus.POSITIVE


def _sentence(found: ShortestWin, words: GameWords) -> str:
    """What is known, in words."""
    refuted = f"no {words.distance(found.no_win_within)}, proved" if found.no_win_within else ""
    if found.no_win_at_all:
        return "no win: the game is over, or its value is proved to be no win"
    if found.plies is None:
        why = "no longer one was asked for" if found.reason == "plies" else f"stopped by: {found.reason}"
        return f"{refuted or 'nothing proved'} ({why})"
    if found.table is not None:
        return f"{words.distance(found.plies)}, proved shortest by the table {found.table}"
    return f"{words.distance(found.plies)}, proved" + (f"; {refuted}" if refuted else "")


def _document(found: ShortestWin, line: list[str]) -> dict[str, Any]:
    return {
        "game": found.game,
        "position": found.position,
        "plies": found.plies,
        "no_win_within": found.no_win_within,
        "no_win_at_all": found.no_win_at_all,
        "reason": found.reason,
        "table": found.table,
        "line": line,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "jobs": [job.id for job in found.jobs],
    }
