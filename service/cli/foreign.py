"""`proofbase import --from FORMAT`: the claims of a foreign solution, checked one by one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.formats import FOREIGN_FORMATS, read_foreign
from proofbase.service.cli import documents
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import complete_game, count, positive_count
from proofbase.service.cli.output.foreign_report import (
    REPORT_SUFFIXES,
    Shown,
    print_foreign_report,
    report_document,
    write_report,
)
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.session import opened
from proofbase.service.client.foreign.checking import check_claims

if TYPE_CHECKING:
    from proofbase.engine.formats.foreign.claim import ForeignFile

__all__ = [
    "ForeignFormat",
    "ForeignGame",
    "ForeignOptions",
    "ForeignOutput",
    "ForeignProgress",
    "ForeignSample",
    "ForeignSearch",
    "ForeignSeconds",
    "ForeignSeed",
    "import_claims",
]

USUAL_SEARCH = 100_000
ForeignFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="A solution of others, of which nothing is believed: strategy-json, pons-book, bitbully-book, gaviota, "
        "syzygy, lines, pgn or sgf (docs/foreign.md).",
        show_default=False,
    ),
]
ForeignGame = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="GAME", help="--from: of this game.", show_default=False, autocompletion=complete_game
    ),
]
ForeignSearch = Annotated[
    int | None,
    typer.Option(
        "--search",
        metavar="N",
        parser=count,
        help="--from: search each claim that is not settled with so many nodes, by default 100,000; 0: look up only.",
        show_default=False,
    ),
]
ForeignSeconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="--from: of all searches.", show_default=False),
]
ForeignSample = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="N",
        parser=positive_count,
        help="--from: only N claims, drawn at random (of endgame tables 1,000 positions without it).",
        show_default=False,
    ),
]
ForeignSeed = Annotated[int, typer.Option("--seed", metavar="S", help="--from: of the sample.")]
ForeignProgress = Annotated[
    Path | None,
    typer.Option(
        "--progress",
        metavar="FILE",
        help="--from: note here what was searched in vain; the same command does not search it again.",
        show_default=False,
    ),
]
ForeignOutput = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="--from: write the report: .html, .md or .json.", show_default=False
    ),
]


class ForeignOptions(NamedTuple):
    """The options of `import` that are about foreign files."""

    form: str | None = None
    game: str | None = None
    search: int | None = None
    seconds: float | None = None
    sample: int | None = None
    seed: int = 0
    progress: Path | None = None
    output: Path | None = None

    def refuse_without_format(self) -> None:
        """Refuses any of the others where no format is named."""
        names = ("--from", "--game", "--search", "--seconds", "--sample", "--seed", "--progress", "--output")
        given = [name for name, value, usual in zip(names, self, ForeignOptions(), strict=True) if value != usual]
        if self.form is None and given:
            raise UsageError(f"{given[0]} is about solutions of others: name their format with --from")


def import_claims(
    file: Path,
    options: ForeignOptions,
    store: str | None,
    server: str | None,
    tables: Path | None,
    plugin: list[str] | None,
    *,
    json: bool,
) -> ExitStatus:
    """Checks the claims of a file, stores what is proved, and prints the report."""
    form = options.form or ""
    if form not in FOREIGN_FORMATS:
        raise UsageError(f"--from {form}: the formats are {', '.join(FOREIGN_FORMATS)}")
    if options.output is not None and options.output.suffix not in REPORT_SUFFIXES:
        raise UsageError(f"--output writes {', '.join(REPORT_SUFFIXES)}, and {options.output.name} is none of them")
    found = _read(form, file, options)
    nodes = USUAL_SEARCH if options.search is None else options.search
    tried = None
    if options.progress is not None:
        asked: dict[str, object] = {
            "file": _sum(file),
            "format": form,
            "game": found.game,
            "sample": options.sample,
            "seed": options.seed,
        }
        tried = ProgressFile(options.progress, asked)
    with (
        opened(store, server, plugin, read_only=not nodes, tables=tables) as client,
        showing_progress("import") as show,
    ):
        report = check_claims(
            client,
            found.game,
            found.claims,
            source=f"import of {file.name}",
            nodes=nodes or None,
            seconds=options.seconds,
            tried=tried,
            on_report=lambda report: show(
                f"{report.claimed:,} of {found.total:,} claims, {report.verdicts['refuted']:,} refuted"
                + (f"; searching: {report.searching}" if report.searching else ""),
                report.claimed,
                found.total,
            ),
        )
    shown = Shown(report, file.name, form, found.remarks, nodes or None)
    if options.output is not None:
        write_report(shown, options.output)
    if json:
        documents.print_document(report_document(shown))
    else:
        print_foreign_report(shown)
    return ExitStatus.POSITIVE if report.all_proved else ExitStatus.NEGATIVE


def _read(form: str, file: Path, options: ForeignOptions) -> ForeignFile:
    try:
        return read_foreign(form, file, options.game, sample=options.sample, seed=options.seed)
    except InvalidPositionError as error:
        raise UsageError(str(error)) from None
    except ModuleNotFoundError as error:
        if error.name not in ("chess", "chess.gaviota", "chess.syzygy", "chess.variant"):
            raise
        raise UsageError(f"--from {form} needs python-chess: pip install 'proofbase[chess]'") from None


def _sum(file: Path) -> str:
    """A checksum of a file; of a directory that of its files' names and sizes."""
    if file.is_dir():
        names = sorted((entry.name, entry.stat().st_size) for entry in file.iterdir())
        return hashlib.sha256(json.dumps(names).encode()).hexdigest()
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


class ProgressFile:
    """Keeps which claims were searched in vain, in JSON lines: what it is about, then numbers of claims and nodes.

    Args:
        file: is made if it is not there.
        about: what has to be the same when a run goes on.

    Raises:
        UsageError: the file is about something else, or damaged.
    """

    def __init__(self, file: Path, about: dict[str, object]) -> None:
        self._file = file
        self._nodes: dict[int, int] = {}
        if not file.exists():
            self._append(about)
            return
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                entry = json.loads(line)
                if number > 1:
                    self._nodes.update(dict.fromkeys(entry["open"], int(entry["nodes"])))
            except (ValueError, TypeError, KeyError):
                raise UsageError(f"--progress {file}: line {number} cannot be read; take another file") from None
            if number == 1 and entry != about:
                raise UsageError(f"--progress {file} is about another file or sample; take another file")

    def nodes(self, number: int) -> int:
        """With how many nodes a claim was searched."""
        return self._nodes.get(number, 0)

    def note(self, numbers: Sequence[int], nodes: int) -> None:
        """Remembers that these were searched."""
        self._nodes.update(dict.fromkeys(numbers, nodes))
        if numbers:
            self._append({"open": list(numbers), "nodes": nodes})

    def _append(self, entry: dict[str, object]) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
