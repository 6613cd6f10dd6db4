"""`proofbase problem FILE|POSITION`: whether composed problems are sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from proofbase.engine.checking.certificate import write_certificate
from proofbase.engine.errors import InvalidMoveError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.formats.problems import keys_of_solution, stipulated_moves
from proofbase.engine.formats.reading import read_any_move
from proofbase.engine.games import canonical_alias, open_game
from proofbase.engine.problems import Problem, ProblemReport, examine
from proofbase.engine.rules import is_built_in
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.given_texts import given_position
from proofbase.service.cli.options import Json, complete_game
from proofbase.service.cli.output.position_files import RowPrinter, read_positions
from proofbase.service.cli.output.problem_report import COLUMNS, problem_document, problem_lines, problem_row
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.output.written_claims import claims_of

__all__ = ["problem"]


def problem(
    context: typer.Context,
    given: Annotated[
        str,
        typer.Argument(
            metavar="FILE|POSITION",
            help="A position, or a file of problems: EPD with dm or bm #N, FEN, Popeye, Olive.",
        ),
    ],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="Of this game.", autocompletion=complete_game)
    ] = "chess",
    moves: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=100, help="Win in N moves. Without it as the file says, or the fewest."),
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="MOVE", help="The author's key, if the text does not say it: every other key is a cook."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Of each problem, at most.")] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proofs of all that is said of one problem: `check`, `import`."),
    ] = None,
    json: Json = False,
) -> int:
    """Examine composed problems: keys, cooks, short solutions, tries, set play, duals, variations.

    All of it is proved. Exit status 1: one of them is not sound, or open.
    """
    if not is_built_in(canonical_alias(game)):
        open_game(game)  # says what is wrong with an unknown name
        raise UsageError(f"problems are of built-in games, and {game} is none")
    many = _is_file(given)
    if not many:
        context.params["game"] = game
        text = given_position(context, given) or "-"
        try:
            report = _examined(game, text, moves, key or (), seconds)
        except ValueError as error:
            raise error if type(error) is not ValueError else UsageError(str(error)) from None
        _write(certificate, report)
        if json:
            documents.print_document(problem_document(report))
        else:
            for line in problem_lines(report):
                screen.say(line)
        return ExitStatus.POSITIVE if report.verdict == "sound" else ExitStatus.NEGATIVE
    problems = read_positions(game, Path(given))
    if certificate is not None:
        raise UsageError("--certificate is for one problem: give it as POSITION")
    printer, counts = RowPrinter(COLUMNS, json=json), Counter[str]()
    with showing_progress("problem") as show:
        for place, entry in enumerate(problems):
            show(f"{place:,} of {len(problems):,}", place, len(problems))
            try:
                report = _examined(game, entry.text, moves, key or (), seconds)
            except (ValueError, UsageError) as error:
                counts["not read"] += 1
                printer.print({"line": entry.line, "position": entry.text, "error": str(error)})
            else:
                counts[report.verdict] += 1
                printer.print({"line": entry.line, **(problem_document(report) if json else problem_row(report))})
            printer.flush()
    order = ("sound", "cooked", "short", "unsolvable", "open", "not read")
    screen.note(f"proofbase: {', '.join(f'{counts[word]:,} {word}' for word in order if counts[word])}")
    return ExitStatus.POSITIVE if counts["sound"] == len(problems) else ExitStatus.NEGATIVE


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # a part between slashes is longer than a name may be
        return False


def _examined(game: str, text: str, moves: int | None, keys: Sequence[str], seconds: float | None) -> ProblemReport:
    """The report on a position, with what its text claims: `dm 3`, `bm #3`, `bm Qh7` or a solution for the key."""
    opened = open_game(game)
    position = read_position(opened, text)
    claimed = claims_of(game, text)
    lengths = [number for _, number in claimed.mates] if claimed is not None else []
    intended = [move for _, best in claimed.best for move in best] if claimed is not None else []
    if opened.name == "chess":
        stipulated = stipulated_moves(text)
        lengths += [] if stipulated is None else [stipulated]
        intended += _legal(opened, position, keys_of_solution(text))
    if keys:
        intended = [opened.move_text(position, read_any_move(opened, position, key)) for key in keys]
    if moves is None and lengths:
        if lengths[0] < 1:
            raise UsageError(f"{opened.text(position)}: the side to move is said to be mated, which is no direct mate")
        moves = lengths[0]
    return examine(Problem(opened.name, opened.text(position), moves, tuple(intended), seconds))


def _legal(game: Any, position: Any, words: Iterable[str]) -> list[str]:
    """The moves among words, as the game writes them."""
    moves = list[str]()
    for word in words:
        with suppress(InvalidMoveError):
            moves.append(game.move_text(position, read_any_move(game, position, word)))
    return moves


def _write(file: Path | None, report: ProblemReport) -> None:
    if file is None or report.questions is None:
        return
    questions = report.questions
    items = sorted(item for chunk in questions.table.chunks() for item in chunk)
    with file.open("wb") as stream:
        write_certificate(stream, questions.game, report.root, items)
