"""`proofbase tables check GAME --reader READER.py DIRECTORY`: tables that other programs have made."""

from __future__ import annotations

import hashlib
import json as json_text
import tempfile
import time
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from proofbase import __version__
from proofbase.engine.games import open_game
from proofbase.engine.rules import Game
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.engine.system import usable_cores
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import GameName, Json, Plugins, positive_count
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.output.table_verdict import verdict_document, verdict_page
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.tables.sizes import Names, Size
from proofbase.service.words.values import is_built_in, rules_of

__all__ = ["check"]

COUNTEREXAMPLES = 10


def check(
    game: GameName,
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="The tables, or one file.", exists=True)],
    reader: Annotated[
        Path,
        typer.Option(metavar="READER.py", help="Says the values of positions: docs/foreign-tables.md.", exists=True),
    ],
    size: Size = None,
    table: Names = None,
    sample: Annotated[
        int | None, typer.Option(metavar="N", parser=positive_count, help="Only N positions, drawn at random.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the sample.")] = 0,
    processes: Annotated[int, typer.Option(min=0, max=256, help="0: one for every processor.")] = 0,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.1, help="Of a call of the reader, at most.")] = 60.0,
    progress: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Keep what is checked here; the same command goes on with it."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the verdict: .json or .md.")
    ] = None,
    plugins: Plugins = None,
    json: Json = False,
) -> int:
    """Check tables that other programs have made, position by position, by the rules of the game.

    A reader of your own says what they hold. The verdict names what fails. Exit status 1: something does.
    """
    load_plugins(plugins)
    if find_spec("numpy") is None:
        raise UsageError("tables check needs NumPy: pip install 'proofbase[numpy]'")
    if output is not None and output.suffix not in (".json", ".md"):
        raise UsageError(f"--output writes .json and .md, and {output.name} is neither")
    if sample is not None and progress is not None:
        raise UsageError("a sample is checked at once: leave out --progress")
    from proofbase.engine.formats.foreign.tables.check import ForeignCheck, Sample

    of_game: Game[Any] = open_game(game)
    if not is_built_in(of_game.name):
        of_game = GuardedGame(open_game(game, "python"))
    rules = rules_of(of_game.name)
    if size is None and not table and rules is not None and (unit := rules.table_size_unit):
        raise UsageError(f"--{unit} N is missing: all tables of so many {unit}, at most; or --table NAME")
    about: dict[str, Any] = {
        "program": __version__,
        "game": of_game.name,
        "rules_version": of_game.rules_version,
        "reader": _file(reader, reader.name),
        "library": None,
        "sample": sample,
        "seed": None if sample is None else seed,
        "files": _files(directory),
    }
    with ExitStack() as stack:
        work = progress or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="proofbase-check-")))
        work.mkdir(parents=True, exist_ok=True)
        try:
            foreign_check = ForeignCheck(
                of_game,
                reader,
                directory,
                work,
                size=size,
                names=tuple(table or ()),
                sample=None if sample is None else Sample(sample, seed),
                processes=processes or usable_cores(),
                seconds=seconds,
            )
        except ValueError as error:
            if type(error) is not ValueError:
                raise
            raise UsageError(str(error)) from None
        if library := foreign_check.library():
            about["library"] = _file(library, library.name)
        _same_work(work, {**about, "tables": [one.table.name for one in foreign_check.tables]})
        show = stack.enter_context(showing_progress("tables check"))
        started, before = time.monotonic(), 0

        def on_progress() -> None:
            nonlocal before
            before = before or foreign_check.done
            rate = (foreign_check.done - before) / max(time.monotonic() - started, 1e-3)
            show(
                f"{foreign_check.done:,} of {foreign_check.total:,}, {rate:,.0f} a second",
                foreign_check.done,
                foreign_check.total,
            )

        try:
            foreign_check.run(on_progress)
        except KeyboardInterrupt:
            more = f"; the same command goes on with it in {progress}" if progress else ""
            screen.note(f"proofbase: stopped after {foreign_check.done:,} of {foreign_check.total:,}{more}")
            return ExitStatus.NEGATIVE
        if not any(one.positions for one in foreign_check.tables):
            drawn = " in which the game goes on" if sample else ""
            raise UsageError(f"nothing to check: these tables have no position{drawn}")
        document = verdict_document(foreign_check, foreign_check.failures(COUNTEREXAMPLES), about)
    page = verdict_page(document, of_game.highest_value)
    if output is not None:
        output.write_text(page if output.suffix == ".md" else json_text.dumps(document, indent=1) + "\n")
    if json:
        documents.print_document(document)
    else:
        for line in page.splitlines():
            screen.say(line)
    return ExitStatus.POSITIVE if document["valid"] else ExitStatus.NEGATIVE


def _files(directory: Path) -> list[dict[str, Any]]:
    if not directory.is_dir():
        return [_file(directory, directory.name)]
    return [_file(path, str(path.relative_to(directory))) for path in sorted(directory.rglob("*")) if path.is_file()]


def _file(path: Path, name: str) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"name": name, "bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def _same_work(work: Path, about: dict[str, Any]) -> None:
    """Refuses a directory that has the progress of another check: another reader, other files, other classes."""
    path, text = work / "check.json", json_text.dumps(about)
    if path.exists() and path.read_text() != text:
        raise UsageError(f"{work} has the progress of another check: another reader, other files or other classes")
    if not path.exists() and any(work.iterdir()):
        raise UsageError(f"{work} is not empty, and has no progress of a check")
    path.write_text(text)
