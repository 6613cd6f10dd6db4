"""What `proofbase solve --shortest` does with a service: the shortest win or the longest defence, with its proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofbase.engine.rules.within import FAMILY
from proofbase.service.answers import Value
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.output.hints import tables_of_endings
from proofbase.service.cli.output.position_answer import print_board
from proofbase.service.cli.output.watching import run_job
from proofbase.service.client.shortest import shortest_win
from proofbase.service.words.amounts import amount
from proofbase.service.words.fifty_moves import fifty_moves_text
from proofbase.service.words.game_words import GameWords

if TYPE_CHECKING:
    from proofbase.engine.checking.checker import Result
    from proofbase.service.answers import ImportResult, PositionAnswer
    from proofbase.service.client.contract import Service
    from proofbase.service.client.shortest import ShortestWin
    from proofbase.service.jobs.budget import Budget

__all__ = ["find_shortest", "sentence_of_certificate", "sentence_of_import", "shortest_document", "solve_shortest_win"]


def solve_shortest_win(
    client: Service,
    game: str,
    *,
    position: str,
    algorithm: str,
    budget: Budget,
    most_plies: int | None,
    json: bool,
) -> ExitStatus:
    """Asks for the shortest win of the side to move and prints it."""
    shortest, line = find_shortest(client, game, position, algorithm=algorithm, budget=budget, most_plies=most_plies)
    status = ExitStatus.POSITIVE if shortest.proved else ExitStatus.NEGATIVE
    if json:
        documents.print_document(shortest_document(shortest, line))
        return status
    answer, words = client.lookup(game, position, board=True, distances=True), GameWords.of(game)
    print_board(answer)
    screen.say(f"\nshortest     {_sentence(shortest, answer, words)}")
    if line:
        screen.say(f"main line    {words.line(line, answer.side)}")
    if counter := fifty_moves_text(answer, position):
        screen.say(f"fifty moves  {counter}")
    questions = amount(len(shortest.jobs), "question")
    screen.say(f"search       {amount(shortest.nodes, 'node')} in {shortest.seconds:.2f} s, {questions}")
    if shortest.reason not in (None, "plies") and (tables := tables_of_endings(client, answer)):
        screen.note(tables)
    return status


def find_shortest(
    client: Service, game: str, position: str, *, algorithm: str, budget: Budget, most_plies: int | None
) -> tuple[ShortestWin, list[str]]:
    """The shortest win or the longest defence of a position, and the main line."""
    shortest = shortest_win(
        client, game, position, lambda job: run_job(client, job), most_plies, algorithm=algorithm, budget=budget
    )
    line: list[str] = []
    if shortest.table is not None:
        line = [step.move for step in client.line(game, position).steps]
    elif (plies := shortest.plies or shortest.loss_plies) is not None:
        best = client.line(f"{FAMILY}:{plies}:{shortest.game}", f"{shortest.position} plies={plies}")
        line = [step.move for step in best.steps]
    return shortest, line


def sentence_of_certificate(result: Result) -> str | None:
    """What a valid certificate of `within:N:GAME` says of the shortest win of its root; None where it is of no win."""
    inner = _plain_root(result.header["game"], result.header["root"])
    if inner is None or (result.header["lower"] or 0) <= 0:
        return None
    game, position, plies = inner
    words = GameWords.of(game)
    return f"{game} {position}: {words.decided(Value.of(1), plies, result.no_win_within)}"


def sentence_of_import(client: Service, result: ImportResult) -> str | None:
    """What is known of the shortest win of the root of a certificate that was imported; None as above."""
    inner = None if result.root is None else _plain_root(result.game, result.root)
    if inner is None:
        return None
    game, position, _ = inner
    answer = client.lookup(game, position, distances=True)
    if not answer.value.lower_known or answer.value.lower <= 0:
        return None
    return f"{game} {position}: {GameWords.of(game).of_position(answer)}"


def _plain_root(game: str, root: str) -> tuple[str, str, int] | None:
    """The inner game, the position and the plies left of a root of `within:N:GAME`; None for other games."""
    if game.partition(":")[0] != FAMILY:
        return None
    position, _, plies = root.rpartition(" plies=")
    return game.split(":", 2)[2], position, int(plies)


def _sentence(found: ShortestWin, answer: PositionAnswer, words: GameWords) -> str:
    """What is known, in words."""
    refuted = f"no {words.distance(found.no_win_within)}, proved" if found.no_win_within else ""
    if found.loss_plies is not None:
        text = words.distance(found.loss_plies, won=False)
        if found.table is not None:
            return f"{text}, proved by the table {found.table}"
        return f"{text}, proved" + ("; not sooner with best defence, proved" if found.no_loss_within else "")
    if found.no_win_at_all:
        stopped = f" (stopped by: {found.reason})" if found.reason else ""
        if stopped and answer.value.upper < 0:
            return f"lost; {_not_sooner(found, words)}{stopped}"
        value = f"the value is {words.decided(answer.value, answer.rank)}"
        return f"no win: {'the game is over' if answer.terminal else value}{stopped}"
    if found.plies is None:
        why = "no longer one was asked for" if found.reason == "plies" else f"stopped by: {found.reason}"
        if found.win_within is not None:
            won = f"{words.distance(found.win_within, exact=False)}, proved"
            refuted = f"{won}; {refuted}" if refuted else won
        return f"{refuted or 'nothing proved'} ({why})"
    if found.table is not None:
        return f"{words.distance(found.plies)}, proved shortest by the table {found.table}"
    return f"{words.distance(found.plies)}, proved" + (f"; {refuted}" if refuted else "")


def _not_sooner(found: ShortestWin, words: GameWords) -> str:
    """Within how many plies a lost position was proved not to be lost."""
    if not found.no_loss_within:
        return "nothing proved of the longest defence"
    return f"not {words.distance(found.no_loss_within, won=False, exact=False)}, proved"


def shortest_document(found: ShortestWin, line: list[str]) -> dict[str, Any]:
    """The JSON document of `solve --shortest`."""
    return {
        "game": found.game,
        "position": found.position,
        "plies": found.plies,
        "win_within": found.win_within,
        "no_win_within": found.no_win_within,
        "no_win_at_all": found.no_win_at_all,
        "loss_plies": found.loss_plies,
        "no_loss_within": found.no_loss_within,
        "reason": found.reason,
        "table": found.table,
        "line": line,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "jobs": [job.id for job in found.jobs],
    }
