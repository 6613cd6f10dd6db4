"""`proofbase check-claims FILE --from FORMAT`: the claims of a foreign solution, checked one by one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.formats import FOREIGN_FORMATS, read_foreign
from proofbase.service.cli import documents
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import (
    Json,
    Plugins,
    Server,
    Store,
    Tables,
    complete_game,
    count,
    positive_count,
)
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

__all__ = ["check_file"]


def check_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A solution of others, of which nothing is believed.")],
    form: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help="strategy-json, pons-book, bitbully-book, gaviota, syzygy, lines, pgn or sgf (docs/foreign.md).",
            show_default=False,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="Of this game.", show_default=False, autocompletion=complete_game),
    ] = None,
    search: Annotated[
        int,
        typer.Option(
            metavar="N", parser=count, help="Search each claim that is not settled with N nodes; 0: look up only."
        ),
    ] = 100_000,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Of all searches.", show_default=False)] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=positive_count,
            help="Only N claims, drawn at random (of endgame tables 1,000 positions without it).",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the sample.")] = 0,
    progress: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Note here what was searched in vain; the same command does not search it again.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the report: .html, .md or .json.", show_default=False
        ),
    ] = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Check what others claim to have solved, and store what is proved.

    Each claim is looked up or searched, and a report says which claims are proved, refuted and open. Exit status 1: not
    all are proved.
    """
    if form not in FOREIGN_FORMATS:
        raise UsageError(f"--from {form}: the formats are {', '.join(FOREIGN_FORMATS)}")
    if output is not None and output.suffix not in REPORT_SUFFIXES:
        raise UsageError(f"--output writes {', '.join(REPORT_SUFFIXES)}, and {output.name} is none of them")
    foreign = _read(form, file, game, sample, seed)
    tried = None
    if progress is not None:
        about: dict[str, object] = {
            "file": _checksum(file),
            "format": form,
            "game": foreign.game,
            "sample": sample,
            "seed": seed,
        }
        tried = ProgressFile(progress, about)
    with (
        opened(store, server, plugin, read_only=not search, tables=tables) as client,
        showing_progress("check-claims") as show,
    ):
        report = check_claims(
            client,
            foreign.game,
            foreign.claims,
            source=f"import of {file.name}",
            nodes=search or None,
            seconds=seconds,
            tried=tried,
            on_report=lambda report: show(
                f"{report.claimed:,} of {foreign.total:,} claims, {report.verdicts['refuted']:,} refuted"
                + (f"; searching: {report.searching}" if report.searching else ""),
                report.claimed,
                foreign.total,
            ),
        )
    shown = Shown(report, file.name, form, foreign.remarks, search or None)
    if output is not None:
        write_report(shown, output)
    if json:
        documents.print_document(report_document(shown))
    else:
        print_foreign_report(shown)
    return ExitStatus.POSITIVE if report.all_proved else ExitStatus.NEGATIVE


def _read(form: str, file: Path, game: str | None, sample: int | None, seed: int) -> ForeignFile:
    try:
        return read_foreign(form, file, game, sample=sample, seed=seed)
    except InvalidPositionError as error:
        raise UsageError(str(error)) from None
    except ModuleNotFoundError as error:
        if error.name not in ("chess", "chess.gaviota", "chess.syzygy", "chess.variant"):
            raise
        raise UsageError(f"--from {form} needs python-chess: pip install 'proofbase[chess]'") from None


def _checksum(file: Path) -> str:
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
