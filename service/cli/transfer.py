"""Commands around certificates and files of records: export, import, check."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.checking.checker import Finding, read_header, uncompressed
from proofbase.engine.checking.parallel_check import CheckProgress, check_with_processes
from proofbase.engine.checking.xz import XZ_SUFFIX, decompressed, file_pieces
from proofbase.engine.errors import (
    InvalidParametersError,
    MalformedCertificateError,
    MalformedRecordError,
    RulesNotLoadedError,
    UnknownGameError,
)
from proofbase.engine.formats.readable import GAME_ENDINGS
from proofbase.engine.games import canonical_alias, open_game
from proofbase.engine.rules import is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import (
    GameName,
    Json,
    OptionalPosition,
    OutputFile,
    Plugins,
    Server,
    Store,
    Tables,
    Zones,
    positive_count,
)
from proofbase.service.cli.output.position_answer import print_package
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.output.show import Show
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.session import check_tables, opened
from proofbase.service.cli.solves.shortest import sentence_of_certificate, sentence_of_import
from proofbase.service.client.exported_files import NOT_COMPRESSED, export_to
from proofbase.service.client.files import file_chunks
from proofbase.service.client.shortest import proved_shortest
from proofbase.service.commands.transfer.fingerprints import FileFingerprint
from proofbase.service.words.amounts import amount, bytes_text, duration_text

if TYPE_CHECKING:
    from proofbase.engine.rules import Game
    from proofbase.service.answers import ExportSummary
    from proofbase.service.client.contract import Service

__all__ = ["check", "export", "import_file"]

CERTIFICATE_START = b"proofbase certificate"
LONGEST_START = 1 << 20
SMALLEST_SECONDS = 60.0
LONG_CHECK_SECONDS = 10.0
"""A check that will take longer says so before it starts."""


def export(
    game: GameName,
    position: OptionalPosition = None,
    form: Annotated[
        Literal["certificate", "jsonl", "csv", "dot", "parquet", "positions", "coq", "estimates"],
        typer.Option(
            "--format",
            help="jsonl, csv, parquet (a row for each claim) and positions (Parquet, a row for each position with the "
            "values of its moves) also without POSITION: all records of the game. estimates: what searches believe of "
            "open questions, as JSON lines. coq: the certificate as a theorem for Coq.",
        ),
    ] = "certificate",
    output: OutputFile = Path("-"),
    nodes: Annotated[
        int | None,
        typer.Option(metavar="N", parser=positive_count, help="dot: draw at most N nodes.", show_default=False),
    ] = None,
    smallest: Annotated[
        bool,
        typer.Option(
            "--smallest",
            help="certificate: leave out lines and threat trees that are not needed, and, in connect-four on boards of "
            "at most 64 bits, look for strategies, which are smaller than the records below a claim.",
        ),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="--smallest: look for so long, by default 60 seconds.", show_default=False),
    ] = None,
    side: Annotated[
        Literal["lower", "upper"] | None,
        typer.Option(
            help="Only what one bound of POSITION rests on: that the side to move gets at least so much (lower), or at "
            "most (upper). Each is a half of a draw.",
            show_default=False,
        ),
    ] = None,
    shortest: Annotated[
        bool,
        typer.Option(
            "--shortest",
            help="certificate: both proofs of a shortest win, that it is one within so many plies and that there is "
            "none within fewer (solve --shortest makes them).",
        ),
    ] = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Write the solution below a position to a file.

    A certificate that `proofbase check` can check, a theorem for Coq, JSON lines, CSV, Parquet, or a graph.
    """
    to_output = str(output) == "-"
    if to_output and json:
        raise UsageError("--json needs -o FILE: standard output cannot hold both the file and the document")
    if to_output and form == "certificate" and sys.stdout.isatty():
        raise UsageError("a certificate is binary: name a file with -o FILE")
    program = "Coq" if form == "coq" else "Parquet"
    if to_output and form in NOT_COMPRESSED:
        raise UsageError(f"a file for {program} needs a name: -o FILE")
    compressed = output.suffix == XZ_SUFFIX
    if compressed and form in NOT_COMPRESSED:
        raise UsageError(f"-o {output}: files for {program} are not compressed by xz")
    if position is None and form in ("certificate", "coq", "dot"):
        raise UsageError(f"a {'theorem' if form == 'coq' else form} needs a POSITION (- for the initial one)")
    _refuse_options(form, nodes, seconds, smallest=smallest, shortest=shortest)
    strategy_seconds = (SMALLEST_SECONDS if seconds is None else seconds) if smallest else None
    with opened(store, server, plugin, read_only=True, tables=tables) as client, showing_progress("export") as show:
        written = 0
        if shortest:
            game, position = proved_shortest(client, game, position)

        def count(chunk: bytes) -> None:
            nonlocal written
            written += len(chunk)
            show(f"{bytes_text(written)} {'compressed' if compressed else 'written'}")

        if to_output and form != "parquet" and form != "positions" and form != "coq":
            summary = _to_output(client, game, position, form, nodes, strategy_seconds, side, count)
        else:
            summary = export_to(
                client,
                output,
                game,
                position,
                form=form,
                max_nodes=nodes,
                strategy_seconds=strategy_seconds,
                side=side,
                on_chunk=count,
            )
    if json:
        fields = documents.document(summary)
        documents.print_document({"game": game, "position": position, "format": form, "file": str(output), **fields})
    else:
        noun = "estimate" if form == "estimates" else "record"
        records, size = amount(summary.records, noun), bytes_text(summary.bytes)
        if compressed:
            size += f" ({bytes_text(written)} uncompressed)"
        stated = "" if summary.fingerprint is None else f", fingerprint {summary.fingerprint}"
        screen.note(f"{records}, {size} written to {'standard output' if to_output else output}{stated}")
        if summary.cut is not None:
            screen.note(f"cut: {summary.cut.message}")
        print_package(summary.package, beside=True)
    return ExitStatus.POSITIVE


def _refuse_options(form: str, nodes: int | None, seconds: float | None, *, smallest: bool, shortest: bool) -> None:
    """Refuses options of `export` that are about other formats."""
    if nodes is not None and form != "dot":
        raise UsageError("--nodes is for graphs: --format dot")
    if smallest and form not in ("certificate", "coq"):
        raise UsageError("--smallest is for certificates and theorems")
    if seconds is not None and not smallest:
        raise UsageError("--seconds needs --smallest")
    if shortest and form != "certificate":
        raise UsageError("--shortest is for certificates")


def import_file(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A certificate, or JSON lines of an export, also compressed by xz."),
    ],
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Merge a certificate or JSON lines into the store.

    Every record is checked before the first one is written. JSON lines may hold estimates as well.
    """
    if file.is_dir() or ":/" in str(file):
        raise UsageError(f"{file} is no file; records of a package or a store are taken by `proofbase pull`")
    start = _first_line(file)
    certificate = start.startswith(CERTIFICATE_START)
    if not certificate and not start.startswith(b"{") and file.suffix.lower() in GAME_ENDINGS:
        raise UsageError(f"{file} is a file of games; what it claims is checked by `proofbase check-claims`")
    estimates = not certificate and b'"estimate":' in start
    form: Literal["certificate", "jsonl", "estimates"] = (
        "certificate" if certificate else "estimates" if estimates else "jsonl"
    )
    with opened(store, server, plugin, tables=tables) as client, showing_progress("import") as show:
        result = client.import_(_read(file, show), form=form, source=f"import of {file.name}")
        shortest = None if json or not certificate else sentence_of_import(client, result)
    if json:
        documents.print_document({"file": str(file), "format": form, **documents.document(result)})
    else:
        read = amount(result.records, "estimate" if estimates else "record")
        screen.say(
            f"{result.game}: {read} read, {result.added:,} added, "
            f"{result.improved:,} improved, {result.unchanged:,} known before"
        )
        if shortest is not None:
            screen.say(shortest)
    return ExitStatus.POSITIVE


def _first_line(file: Path) -> bytes:
    """The beginning of a file, or of what it holds if it is compressed, to the end of a line or of its first piece."""
    start = bytearray()
    with file.open("rb") as data, suppress(MalformedCertificateError):  # the import says what is wrong with it
        for piece in decompressed(file_pieces(data)):
            start += piece
            if b"\n" in piece or len(start) >= LONGEST_START:
                break
    return bytes(start[: start.find(b"\n") + 1 or LONGEST_START])


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A certificate, also compressed by xz.", show_default=False)
    ],
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables",
            metavar="DIRECTORY",
            help="Tables of values that claims may rest on; without this option they may not.",
            show_default=False,
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=positive_count,
            help="Check with at most N processes; by default with one for each core.",
            show_default=False,
        ),
    ] = None,
    zones: Zones = False,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Check a certificate by the rules alone.

    No store and no search takes part. Exit status 1: not valid; 3: nothing was checked, because the rules of its game
    are not loaded.
    """
    if file.is_dir() or ":/" in str(file):
        raise UsageError(f"{file} is no certificate; a package is checked by `proofbase check-package`")
    check_tables(tables)
    data = file.read_bytes()
    with suppress(ValueError):  # the check says what is wrong with it
        data = uncompressed(data)
    game = _own_game(data, plugin)
    show: Show | None = None
    with ExitStack() as shown:

        def show_progress(progress: CheckProgress) -> None:
            nonlocal show
            if show is None:  # the first report tells how long it takes, and the others how far it is
                if progress.seconds_left >= LONG_CHECK_SECONDS:
                    records, left = amount(progress.total, "record"), duration_text(progress.seconds_left)
                    screen.note(f"{records} by the rules in Python, {_processes(progress.processes)}: about {left}")
                show = shown.enter_context(showing_progress("check"))
            rate = progress.done / progress.seconds
            show(f"{progress.done:,} of {progress.total:,} records, {rate:,.0f}/s", progress.done, progress.total)

        result = check_with_processes(data, game, tables, processes=processes, on_progress=show_progress, zones=zones)
        if result.valid and "fingerprint" in result.header:
            result.findings.extend(_fingerprint_findings(data, result.header["game"]))
    if json:
        findings = [finding._asdict() for finding in result.findings]
        documents.print_document({**result._asdict(), "valid": result.valid, "findings": findings, "file": str(file)})
        return ExitStatus.POSITIVE if result.valid else ExitStatus.NEGATIVE
    for finding in result.findings[:20]:
        screen.say(": ".join(part for part in finding if part))
    if len(result.findings) > 20:
        screen.say(f"... and {len(result.findings) - 20:,} findings more")
    if result.valid:
        lower, upper = (result.header[side] for side in ("lower", "upper"))
        bounds = ", ".join(
            f"{side} {bound}" for side, bound in (("lower", lower), ("upper", upper)) if bound is not None
        )
        screen.say(f"{result.header['game']} {result.header['root']}: {bounds or 'no claim'}")
        if (words := sentence_of_certificate(result)) is not None:
            screen.say(words)
        if result.tables:
            screen.say(f"rests on the tables {', '.join(result.tables)}, which `proofbase tables verify` verifies")
    verdict = "valid" if result.valid else f"NOT valid, {amount(len(result.findings), 'finding')}"
    screen.say(f"{verdict}: {amount(result.records, 'record')}, {amount(result.claims, 'claim')} checked")
    return ExitStatus.POSITIVE if result.valid else ExitStatus.NEGATIVE


def _fingerprint_findings(data: bytes, game: str) -> list[Finding]:
    """What is wrong with the fingerprint that a certificate states, which is otherwise valid."""
    added = FileFingerprint(game)
    try:
        reader = CertificateReader([data])
        added.stated = reader.header.fingerprint
        for _ in added.counted(reader):
            pass
        added.check()
    except (MalformedCertificateError, MalformedRecordError) as error:
        return [Finding("", "", "", f"header: {error}")]
    return []


def _processes(number: int) -> str:
    return "in one process" if number == 1 else f"in {number} processes"


def _to_output(
    client: Service,
    game: str,
    position: str | None,
    form: Literal["certificate", "jsonl", "csv", "dot", "estimates"],
    nodes: int | None,
    strategy_seconds: float | None,
    side: Literal["lower", "upper"] | None,
    count: Callable[[bytes], None],
) -> ExportSummary:
    chunks = client.export(game, position, form=form, max_nodes=nodes, strategy_seconds=strategy_seconds, side=side)
    with chunks:
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
            count(chunk)
    sys.stdout.buffer.flush()
    assert chunks.summary is not None, "an export ends with its summary"
    return chunks.summary


def _read(file: Path, show: Show) -> Iterator[bytes]:
    """The chunks of a file that is imported, showing how much was read."""
    size, read = file.stat().st_size, 0
    for chunk in file_chunks(file):
        read += len(chunk)
        show(f"{bytes_text(read)} read", read, size)
        yield chunk
    show("checking and storing", 0, None)


def _own_game(data: bytes, plugins: list[str] | None) -> Game[Any] | None:
    """The user's game that a certificate names; None for built-in games and for damaged headers.

    Raises:
        RulesNotLoadedError: a game that is not loaded: nothing can be checked.
    """
    load_plugins(plugins)
    try:
        name = read_header(data)[0]["game"]
        if is_built_in(name) or canonical_alias(name) != name:
            return None  # by the checker's own rules, which know no aliases
        return GuardedGame(open_game(name, "python"))
    except InvalidParametersError:
        raise
    except UnknownGameError as error:
        raise RulesNotLoadedError(f"nothing was checked: the certificate is of an {error}") from None
    except (ValueError, TypeError, KeyError):
        return None  # the checker says what is wrong with it
