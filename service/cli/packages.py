"""Commands around packages: solutions as static folders."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.service.cli import documents, screen
from proofbase.service.cli.credentials import given_credentials
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.given_texts import given_position
from proofbase.service.cli.options import GameName, Json, OptionalGame, Plugins, Store, Tables, positive_count
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.session import limits_with, store_url, usage_errors_of_urls
from proofbase.service.cli.stores.progress import store_progress
from proofbase.service.cli.tables.sizes import Names
from proofbase.service.client.connect import connect, is_address
from proofbase.service.client.exchange import exchange, exchange_tables
from proofbase.service.commands.packages.check import check_package
from proofbase.service.commands.packages.check_blocks import add_checks
from proofbase.service.commands.packages.citation import Citation
from proofbase.service.commands.packages.publish import publish as publish_package
from proofbase.service.commands.packages.pull import pull as pull_records
from proofbase.service.commands.packages.pull_tables import pull_tables
from proofbase.service.commands.packages.solution_check import PackageQuestion
from proofbase.service.resources import Resources
from proofbase.service.words.amounts import amount, bytes_text
from proofbase.storage import open_store, shown_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofbase.service.client.contract import Service
    from proofbase.service.commands.packages.pulled import Pulled, PulledTable
    from proofbase.service.commands.packages.solution_check import PackageCheck

__all__ = ["check", "publish", "pull", "push"]

SHOWN = 20
WithTables = Annotated[
    bool,
    typer.Option("--with-tables", help="Also take the tables of values that are missing; every entry is verified."),
]
SERVER = "grpc://"
"""Before HOST:PORT, in a URL to pull from and to push to."""


def publish(
    context: typer.Context,
    game: GameName,
    rest: Annotated[
        list[str],
        typer.Argument(
            metavar="[POSITION] DIRECTORY",
            help="Only what the value of POSITION rests on (- for the initial one); without it all records. "
            "DIRECTORY is a new one, or one with a package, to which the game is added.",
            show_default=False,
        ),
    ],
    licence: Annotated[
        str,
        typer.Option(
            "--licence",
            "--license",
            metavar="SPDX",
            help="An identifier such as CC0-1.0 or CC-BY-4.0.",
            show_default=False,
        ),
    ],
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="For citations.")] = None,
    author: Annotated[
        list[str] | None,
        typer.Option("--author", metavar="NAME", help="For citations. May be given several times.", show_default=False),
    ] = None,
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="Where the package will be.")] = None,
    mirror: Annotated[
        list[str] | None,
        typer.Option(
            "--mirror",
            metavar="URL",
            help="Where else it will be: read where the first place fails. May be given several times.",
            show_default=False,
        ),
    ] = None,
    released: Annotated[str | None, typer.Option("--released", metavar="YYYY-MM-DD", help="For citations.")] = None,
    certificate: Annotated[
        bool, typer.Option("--certificate/--no-certificate", help="Add a certificate of the position.")
    ] = True,
    with_tables: Annotated[
        bool, typer.Option("--values/--no-values", help="Add the tables of values of the game.")
    ] = True,
    table: Names = None,
    store: Store = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Write a solution as a static folder that any file server can serve, to be read by --store https://...

    Records and tables in compressed blocks with an index, a certificate, a manifest with checksums, a data card and
    CITATION.cff. The same input gives the same bytes.
    """
    if len(rest) > 2:
        raise UsageError("GAME [POSITION] DIRECTORY are asked for, and there are more arguments")
    position, directory = (None, rest[0]) if len(rest) == 1 else rest
    load_plugins(plugin)
    citation = Citation(licence, title, tuple(author or ()), url, released, tuple(mirror or ()))
    with usage_errors_of_urls():
        opened = open_store(store_url(store), read_only=True, create=False)
    with Resources(opened, tables=tables) as resources, store_progress("publish") as on_progress:
        where = None if position is None else given_position(context, position)
        published = publish_package(
            resources,
            game,
            where,
            Path(directory),
            citation,
            certificate=certificate,
            tables=with_tables,
            table_names=table or (),
            on_progress=on_progress,
        )
    if json:
        documents.print_document({"directory": directory, **documents.document(published)})
        return ExitStatus.POSITIVE
    parts = [amount(published.records, "record")] if published.records else []
    parts += [f"{amount(published.tables, 'table')} with {published.entries:,} entries"] if published.tables else []
    parts += ["a certificate"] if published.certificate else []
    parts += [f"fingerprint {published.fingerprint}"] if published.records else []
    screen.say(f"{published.game}: {', '.join(parts)}")
    games = amount(len(published.games), "game")
    screen.say(f"the package {directory} has {games}, {bytes_text(published.bytes)}, licence {licence}")
    return ExitStatus.POSITIVE


def check(
    target: Annotated[
        str,
        typer.Argument(
            metavar="DIRECTORY|URL", help="A package, in a directory or by https://host/folder.", show_default=False
        ),
    ],
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            metavar="N",
            parser=positive_count,
            help="Only N records and N entries of tables of each game, which are all that is read.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of the sample.")] = 0,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="DIRECTORY",
            help="At a URL: keep the copy that is checked.",
            show_default=False,
        ),
    ] = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            "--progress",
            metavar="FILE",
            help="Note here how far the check is; the same command goes on.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who checks it.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write what the manifest may say of this check.", show_default=False
        ),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="Add it to the manifest, of a directory that passes.")] = False,
    add_from: Annotated[
        Path | None,
        typer.Option(
            "--add-from", metavar="FILE", help="Check nothing: add what another check has written.", show_default=False
        ),
    ] = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Check a package from end to end.

    Exit status 1: something is wrong, or not all was checked that it says of values.
    """
    load_plugins(plugin)
    if add_from is not None:
        return _add_from(target, add_from, json=json)
    if Path(target).is_file():
        raise UsageError(f"{target} is a file, and no package; a certificate is checked by `proofbase check`")
    if add and not Path(target).is_dir():
        raise UsageError("--add changes the manifest of a package in a directory: name that, or use -o FILE")
    question = PackageQuestion(sample, seed, keep, progress, by)
    with usage_errors_of_urls(), store_progress("check-package") as on_progress:
        package_check = check_package(target, question, limits_with(None), on_progress)
    if output is not None:
        output.write_text(json_text.dumps(package_check.checks, indent=1) + "\n", encoding="utf-8")
    if add and package_check.sound:
        _add(Path(target), package_check.checks)
    if json:
        valid = None if package_check.sound and not package_check.whole else package_check.sound
        documents.print_document({"valid": valid, **documents.document(package_check)})
    else:
        _say(package_check)
    return ExitStatus.POSITIVE if package_check.sound and (package_check.whole or sample) else ExitStatus.NEGATIVE


def _say(check: PackageCheck) -> None:
    store_check = check.found
    screen.print_first([finding.text for finding in store_check.findings], store_check.failed, SHOWN)
    screen.print_first(
        [f"not checked: {what}" for what in store_check.passed_over], len(store_check.passed_over), SHOWN
    )
    counts = ", ".join(f"{number:,} {part}" for part, number in store_check.checked.items() if number)
    verdict = f"NOT valid, {amount(store_check.failed, 'finding')}"
    if check.sound:
        verdict = "valid" if check.whole else "nothing wrong found, and not all was checked"
        verdict += ", but for what was not checked" if check.whole and store_check.passed_over else ""
    screen.say(f"{verdict}: {counts or 'nothing'} checked in {check.seconds:.1f} s")


def _add(directory: Path, checks: list[dict[str, object]]) -> int:
    return add_checks(directory, checks)


def _add_from(target: str, file: Path, *, json: bool) -> int:
    if not Path(target).is_dir():
        raise UsageError("--add-from changes the manifest of a package in a directory")
    try:
        checks = json_text.loads(file.read_bytes())
    except ValueError:
        checks = None
    if not isinstance(checks, list):
        raise UsageError(f"{file} holds no checks: `proofbase check-package URL -o FILE` writes some")
    added = _add(Path(target), checks)
    if json:
        documents.print_document({"added": added})
    else:
        screen.say(f"{amount(added, 'check')} added to the manifest")
    return ExitStatus.POSITIVE


def pull(
    source: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="A package, another store of any kind, or a server: grpc://HOST:PORT.",
            show_default=False,
        ),
    ],
    game: OptionalGame = None,
    store: Store = None,
    tables: Tables = None,
    with_tables: WithTables = False,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Take from a package, another store or a server the records that this store lacks.

    Of a package and of a server only the ranges are read that differ. Every record is checked by the rules before it is
    stored.
    """
    return _pull(source, store_url(store), game, tables, plugin, with_tables=with_tables, json=json)


def push(
    target: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="Another store of any kind, or a server: grpc://HOST:PORT.", show_default=False
        ),
    ],
    game: OptionalGame = None,
    store: Store = None,
    with_tables: WithTables = False,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Give another store the records that it lacks: as `pull`, seen from here."""
    return _pull(store_url(store), target, game, None, plugin, with_tables=with_tables, json=json)


def _pull(
    source: str,
    target: str,
    game: str | None,
    tables: Path | None,
    plugin: list[str] | None,
    *,
    with_tables: bool,
    json: bool,
) -> int:
    load_plugins(plugin)
    if Path(source).is_file():
        raise UsageError(f"{source} is a file; a certificate and JSON lines are taken by `proofbase import`")
    if any(url.startswith(SERVER) for url in (source, target)):
        return _print_pulled(*_exchange(source, target, game, tables, with_tables=with_tables), json=json)
    with usage_errors_of_urls():
        from_there = open_store(source, read_only=True, create=False)
    with from_there:
        with usage_errors_of_urls():
            opened = open_store(target)
        with Resources(opened, tables=tables) as resources, store_progress("pull") as on_progress:
            taken = pull_tables(resources, Resources(from_there), game, on_progress) if with_tables else []
            has_records = game is None or from_there.count(resources.games.open(game).name) > 0
            pulled = pull_records(resources, from_there, game, on_progress) if has_records or not taken else []
    return _print_pulled(pulled, taken, json=json)


def _exchange(
    source: str, target: str, game: str | None, tables: Path | None, *, with_tables: bool
) -> tuple[list[Pulled], list[PulledTable]]:
    """Pulls records where one of both stores is a server (see `pull`)."""

    def opened(url: str, *, reads: bool) -> Service:
        address = url.removeprefix(SERVER)
        if address == url:
            return connect(url, read_only=reads, create=not reads, tables=None if reads else tables)
        if not is_address(address):
            raise UsageError(f"{shown_url(url)}: a server is written {SERVER}HOST:PORT")
        return connect(address, **given_credentials())

    with (
        usage_errors_of_urls(),
        opened(source, reads=True) as there,
        opened(target, reads=False) as here,
        store_progress("pull") as on_progress,
    ):
        taken = exchange_tables(there, here, game, on_progress) if with_tables else []
        if taken and game is not None and not there.statistics(game).games[0].records:
            return [], taken
        pulled = exchange(
            there, here, game, lambda name, read, total: on_progress(f"read {name}", read, total, "records")
        )
        return pulled, taken


def _print_pulled(pulled: Sequence[Pulled], tables: Sequence[PulledTable], *, json: bool) -> int:
    """Prints what was taken of each game, and which tables."""
    if json:
        documents.print_document({"games": pulled, "tables": tables})
        return ExitStatus.POSITIVE
    for entry in pulled:
        if entry.skipped is not None:
            screen.note(f"{entry.game} was passed over: {entry.skipped}")
            continue
        screen.say(
            f"{entry.game}: {entry.read:,} of {amount(entry.records, 'record')} read, "
            f"{entry.added:,} added, {entry.improved:,} improved"
        )
    for table in tables:
        if table.skipped is not None:
            screen.note(f"the table {table.table} was passed over: {table.skipped}")
        else:
            what = "taken and verified" if table.taken else "there already"
            screen.say(f"table {table.table}: {what}, {table.entries:,} entries")
    if not pulled and not tables:
        screen.say("there are no records")
    return ExitStatus.POSITIVE
