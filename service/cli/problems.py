"""`proofbase problem [GAME] FILE|POSITION`: whether composed problems are sound."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from proofbase.engine.checking.certificate import write_certificate
from proofbase.engine.games import canonical_alias, open_game
from proofbase.engine.problems.problem import Examined, examine
from proofbase.engine.problems.reading import read_problem
from proofbase.engine.rules import is_built_in
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.given_texts import given_position
from proofbase.service.cli.options import Json, complete_game
from proofbase.service.cli.output.position_files import RowPrinter, read_positions
from proofbase.service.cli.output.problem_report import COLUMNS, problem_document, problem_lines, problem_row
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.session import check_tables
from proofbase.service.resources.native import open_tables

__all__ = ["problem"]


def problem(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] FILE|POSITION",
            help="A position, or a file of problems: EPD with dm or bm #N, FEN, Popeye, Olive, YACPDB, SGF, RenLib. "
            "Without GAME of chess.",
        ),
    ],
    named_game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Of this game.", autocompletion=complete_game)
    ] = None,
    moves: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=100, help="Win in N moves. Without it as the file says, or the fewest."),
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="MOVE", help="The author's key, if the text does not say it: every other key is a cook."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Of each problem, at most.")] = None,
    tables: Annotated[
        Path | None, typer.Option(metavar="DIRECTORY", help="Tables of plies there settle endings.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proofs of all that is said of one problem: `check`, `import`."),
    ] = None,
    json: Json = False,
) -> int:
    """Examine composed problems: keys, cooks, short solutions, tries, set play, duals, variations.

    All of it is proved. Exit status 1: one of them is not sound, or open.
    """
    game, named_problem = _game_and_text(words, named_game)
    if not is_built_in(canonical_alias(game)):
        open_game(game)  # says what is wrong with an unknown name
        raise UsageError(f"problems are of built-in games, and {game} is none")
    opened, tables_of = open_game(game), None
    if tables is not None:
        check_tables(tables)
        tables_of = partial(open_tables, directory=tables)
    if not _is_file(named_problem):
        context.params["game"] = game
        text = given_position(context, named_problem) or "-"
        try:
            named = read_problem(opened, text, moves=moves, keys=key or (), seconds=seconds)
            examined = examine(named, tables_of)
        except ValueError as error:
            raise error if type(error) is not ValueError else UsageError(str(error)) from None
        report = examined.report
        _write(certificate, examined)
        if json:
            documents.print_document(problem_document(report))
        else:
            for line in problem_lines(report):
                screen.say(line)
        return ExitStatus.POSITIVE if report.verdict == "sound" else ExitStatus.NEGATIVE
    problems = read_positions(game, Path(named_problem))
    for option, chosen in (("--certificate", certificate), ("--key", key)):
        if chosen is not None:
            raise UsageError(f"{option} is for one problem: give it as POSITION")
    printer, counts = RowPrinter(COLUMNS, json=json), Counter[str]()
    with showing_progress("problem") as show:
        for place, entry in enumerate(problems):
            show(f"{place:,} of {len(problems):,}", place, len(problems))
            try:
                report = examine(read_problem(opened, entry.text, moves=moves, seconds=seconds), tables_of).report
            except ValueError as error:
                counts["not read"] += 1
                printer.print({"line": entry.line, "position": entry.text, "error": str(error)})
            else:
                counts[report.verdict] += 1
                printer.print({"line": entry.line, **(problem_document(report) if json else problem_row(report))})
            printer.flush()
    order = ("sound", "cooked", "short", "unsolvable", "open", "not read")
    screen.note(f"proofbase: {', '.join(f'{counts[word]:,} {word}' for word in order if counts[word])}")
    return ExitStatus.POSITIVE if counts["sound"] == len(problems) else ExitStatus.NEGATIVE


def _game_and_text(words: list[str], named_game: str | None) -> tuple[str, str]:
    """The game, and the text of a problem or the name of a file of problems.

    Raises:
        UsageError: there are too many words, or two games.
    """
    if len(words) > 2:
        raise UsageError("a position with spaces is one argument: put it in quotes")
    *before, text = words
    games = [*before, *filter(None, [named_game])]
    if len(games) > 1:
        raise UsageError(f"the game is {games[0]} or {games[1]}: name one")
    return (games or ["chess"])[0], text


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists() and not Path(text).is_dir()
    except OSError:  # a part between slashes is longer than a name may be
        return False


def _write(file: Path | None, examined: Examined) -> None:
    if file is None:
        return
    questions = examined.questions
    items = sorted(item for chunk in questions.table.chunks() for item in chunk)
    with file.open("wb") as stream:
        write_certificate(stream, questions.game, examined.root, items)
