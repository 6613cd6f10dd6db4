"""Commands for operators of a service: serve and migrate."""

from __future__ import annotations

import logging
from typing import Annotated, Literal

import typer

from proofbase.service.cli.exits import Exit, UsageError
from proofbase.service.cli.options import Json, Plugins, Store, Tables
from proofbase.service.cli.session import store_url, usage_errors_of_urls

__all__ = ["migrate", "serve"]


def serve(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where to listen; port 0 takes a free one.")
    ] = "127.0.0.1:50051",
    read_only: Annotated[bool, typer.Option("--read-only", help="Answer only: no solves, no imports.")] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="A limit, such as batch_size=1000. May be given several times."),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option(help="What to log on standard error.")
    ] = "info",
    store: Store = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Serve a store over gRPC until interrupted.

    Unfinished jobs of the store go on.
    """
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.plugins import load_plugins
    from proofbase.service.limits import Limits
    from proofbase.service.server import serve as run_server
    from proofbase.storage import shown_url

    logging.basicConfig(level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    load_plugins(plugin)
    url = store_url(store)
    if tables is not None and not tables.is_dir():
        raise UsageError(f"--tables {tables}: there is no such directory")
    try:
        limits = Limits.of(dict(_limit(text) for text in limit or ()))
    except ValueError as error:
        raise UsageError(str(error)) from None

    def started(address: str) -> None:
        if json:
            documents.print_document({"address": address, "store": shown_url(url)})
        else:
            screen.say(f"serving {shown_url(url)} on {address}")

    run_server(url, listen, limits=limits, read_only=read_only, tables=tables, on_ready=started)
    return Exit.POSITIVE


def migrate(store: Store = None, json: Json = False) -> int:
    """Make the tables of a PostgreSQL store, or bring a store to the format of this release.

    A directory is also brought there when any other command opens it for writing.
    """
    from proofbase.service.cli import documents, screen
    from proofbase.storage import open_store, store_class

    url = store_url(store)
    before: str | None
    after: str | None
    with usage_errors_of_urls():
        kind = store_class(url)
    if kind.migratable:
        from proofbase.migrations import migrate as run_migrations

        done = run_migrations(url)
        before, after = done.from_revision, done.to_revision
    else:
        with open_store(url, read_only=not kind.temporary, create=False) as opened:
            before = after = opened.revision
        if not kind.temporary:
            with open_store(url, create=False) as opened:
                after = opened.revision
    if json:
        documents.print_document({"from": before, "to": after, "changed": before != after})
    elif before == after:
        screen.say(f"the store is at revision {after}: nothing to do" if after else "the store is new: nothing to do")
    else:
        screen.say(f"the store went from {'nothing' if before is None else f'revision {before}'} to revision {after}")
    return Exit.POSITIVE


def _limit(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not number.strip().lstrip("-").isdigit():
        raise UsageError(f"--limit {text}: a limit is written NAME=NUMBER")
    return name.strip(), int(number)
