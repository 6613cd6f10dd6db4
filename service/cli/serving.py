"""Commands for operators of a service: serve and migrate."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import Annotated, Literal

import typer

from proofbase.service.access.roles import Role
from proofbase.service.cli.exits import Exit, UsageError
from proofbase.service.cli.options import Json, Plugins, Store, Tables
from proofbase.service.cli.session import store_url, usage_errors_of_urls

__all__ = ["migrate", "serve"]

THREAD_SECONDS = 2.0
"""How long the process waits for its threads when the server has stopped."""


def serve(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where to listen; port 0 takes a free one.")
    ] = "127.0.0.1:50051",
    http_listen: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Also answer over HTTP there, with JSON.", show_default=False),
    ] = None,
    http_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="A page of elsewhere that may ask over HTTP, such as https://example.org."),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Answer only: no solves, no imports.")] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=NUMBER", help="A limit, such as batch_size=1000. May be given several times."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TLS: the server's certificate, with its chain (PEM).", show_default=False),
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TLS: the private key (PEM).", show_default=False)
    ] = None,
    client_ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Clients must show a certificate of this authority (PEM).", show_default=False
        ),
    ] = None,
    certificate_role: Annotated[
        Role | None,
        typer.Option(
            help="The role of clients whose certificate `proofbase tokens` does not name; else they are refused.",
            show_default=False,
        ),
    ] = None,
    authenticate: Annotated[
        bool, typer.Option("--authenticate", help="Answer known clients only, on a loopback address, too.")
    ] = False,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Let other machines in without TLS, or without asking who they are.")
    ] = False,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option(help="What to log on standard error.")
    ] = "info",
    store: Store = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Serve a store over gRPC until interrupted.

    Unfinished jobs of the store go on. On any other address than a loopback one it needs a certificate and clients that
    it knows (`proofbase tokens`, --client-ca).
    """
    from proofbase.service.access.security import Security
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

    security = Security(certificate, key, client_ca, certificate_role, authenticate, insecure)

    http: list[str] = []

    def started(address: str) -> None:
        checked, exposed = security.checks_clients(address), security.is_open_to_others(address)
        if json:
            clients = "known" if checked else "anybody"
            fields: dict[str, object] = {"http": http[0]} if http else {}
            fields |= {"tls": security.tls, "clients": clients, "insecure": exposed}
            documents.print_document({"address": address, "store": shown_url(url), **fields})
            return
        how = f"{' over TLS' if security.tls else ''}{' for clients that it knows' if checked else ''}"
        screen.say(f"serving {shown_url(url)} on {address}{how}{' (INSECURE)' if exposed else ''}")
        for place in http:
            checked, exposed = security.checks_clients(place), security.is_open_to_others(place)
            known = " for clients that it knows" if checked else ""
            screen.say(
                f"over HTTP: {'https' if security.tls else 'http'}://{place}/{known}{' (INSECURE)' if exposed else ''}"
            )

    run_server(
        url,
        listen,
        http_listen=http_listen,
        http_origins=http_origin or (),
        security=security,
        limits=limits,
        read_only=read_only,
        tables=tables,
        on_ready=started,
        on_http_ready=http.append,
    )
    _leave_hanging_threads()
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


def _leave_hanging_threads() -> None:
    """Ends the process at once if a thread does not end: a user's game may hang, and Python would wait for it."""
    deadline = time.monotonic() + THREAD_SECONDS
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    waited_for = [thread for thread in others if not thread.daemon or thread.name.startswith("job ")]
    for thread in waited_for:
        thread.join(max(0.0, deadline - time.monotonic()))
    hanging = [thread.name for thread in waited_for if thread.is_alive()]
    if hanging:
        logging.getLogger(__name__).warning("the server ends, though work has not: %s", ", ".join(hanging))
        logging.shutdown()
        sys.stdout.flush()
        os._exit(Exit.POSITIVE)


def _limit(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not number.strip().lstrip("-").isdigit():
        raise UsageError(f"--limit {text}: a limit is written NAME=NUMBER")
    return name.strip(), int(number)
