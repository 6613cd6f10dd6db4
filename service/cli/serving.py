"""Commands for operators of a service: serve and migrate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from proofbase.engine.system import usable_cores
from proofbase.service.access.roles import Role
from proofbase.service.access.security import Security
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Json, Plugins, Store, Tables
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.session import check_tables, store_url
from proofbase.service.cli.settings.clusters import Cluster, ClusterReads, given_cluster
from proofbase.service.cli.settings.config_file import take_config
from proofbase.service.cli.settings.effective import effective_settings
from proofbase.service.limits import Limits
from proofbase.service.operations.settings import Operation
from proofbase.service.rpc.tls import CertificateFiles
from proofbase.service.server import serve as run_server
from proofbase.service.server.processes import ReadServers, serve_with_processes
from proofbase.service.telemetry.logs import set_up_logs
from proofbase.storage import shown_url

if TYPE_CHECKING:
    from proofbase.service.server import Addresses

__all__ = ["serve"]


def serve(
    ctx: typer.Context,
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
    contact: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where visitors of the page write to about a position, whose text the link carries: "
            "https://host/new?body={position}, or mailto:me@host.",
            show_default=False,
        ),
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
    log_format: Annotated[
        Literal["text", "json"], typer.Option(help="Lines for people, or a JSON object a line.")
    ] = "text",
    metrics_listen: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT", help="Metrics for Prometheus, /livez and /readyz there, over HTTP.", show_default=False
        ),
    ] = None,
    drain_seconds: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0, max=3600, help="Still answer so long when told to stop, not ready."),
    ] = 0.0,
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="So many processes serve the store, read-only.")
    ] = 1,
    cluster: Cluster = None,
    cluster_reads: ClusterReads = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Settings from a TOML file; flags and PROOFBASE_SERVE_... variables come before it.",
            envvar="PROOFBASE_CONFIG",
            is_eager=True,
            callback=take_config,
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Print what counts and where it comes from, and do not start.")
    ] = False,
    store: Store = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Serve a store over gRPC until interrupted.

    Unfinished jobs of the store go on. On any other address than a loopback one it needs a certificate and clients that
    it knows (`proofbase tokens`, --client-ca). Every option is also a variable (PROOFBASE_SERVE_LISTEN) and a key of
    the --config file (listen).
    """
    set_up_logs(log_level, log_format)
    check_tables(tables)
    values = dict(_limit(text) for text in limit or ())
    try:
        limits = Limits.of({"job_threads": usable_cores(), **values})
    except ValueError as error:
        raise UsageError(str(error)) from None
    if contact is not None and not contact.lower().startswith(("https://", "http://", "mailto:")):
        raise UsageError(f"--contact {contact}: write https://host/path or mailto:somebody@host")
    setting = given_cluster(cluster, cluster_reads)
    security = Security(certificate, key, client_ca, certificate_role, authenticate, insecure)
    if check:
        return _show_settings(ctx, security, limits, list(values), json=json)
    load_plugins(plugin)
    url = store_url(store)
    operation = Operation(metrics_listen, drain_seconds, contact=contact)

    def started(addresses: Addresses) -> None:
        if json:
            documents.print_document(_readiness_document(addresses, url, security, processes))
        else:
            _say_ready(addresses, url, security, processes)

    if processes > 1:
        servers = ReadServers(
            url,
            listen,
            http_listen=http_listen,
            http_origins=tuple(http_origin or ()),
            security=security,
            limits=limits,
            tables=tables,
            operation=operation,
            load_plugins=load_plugins,
            plugins=tuple(plugin or ()),
            log_level=log_level,
            log_format=log_format,
        )
        serve_with_processes(servers, processes, started)
        return ExitStatus.POSITIVE
    run_server(
        url,
        listen,
        http_listen=http_listen,
        http_origins=http_origin or (),
        security=security,
        limits=limits,
        read_only=read_only,
        tables=tables,
        cluster=setting,
        operation=operation,
        on_ready=started,
    )
    return ExitStatus.POSITIVE


def _show_settings(ctx: typer.Context, security: Security, limits: Limits, given: list[str], *, json: bool) -> int:
    """Prints what counts, and looks at the files of TLS."""
    security.check_files()
    if security.tls:
        CertificateFiles(security)
    settings = effective_settings(ctx, limits, given)
    if json:
        documents.print_document({name: {"value": value, "from": origin} for name, value, origin in settings})
    else:
        rows = [(name, _setting_text(value), origin) for name, value, origin in settings]
        screen.print_table(("setting", "value", "from"), rows)
    return ExitStatus.POSITIVE


def _setting_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "-" if value is None else ", ".join(value) if isinstance(value, list) else str(value)


def _readiness_document(addresses: Addresses, url: str, security: Security, processes: int) -> dict[str, object]:
    fields: dict[str, object] = {"address": addresses.grpc, "store": shown_url(url)}
    fields |= {name: place for name, place in (("http", addresses.http), ("metrics", addresses.metrics)) if place}
    if processes > 1:
        fields["processes"] = processes
    checked, exposed = security.checks_clients(addresses.grpc), security.is_open_to_others(addresses.grpc)
    return fields | {"tls": security.tls, "clients": "known" if checked else "anybody", "insecure": exposed}


def _say_ready(addresses: Addresses, url: str, security: Security, processes: int) -> None:
    def manner(place: str) -> str:
        known = " for clients that it knows" if security.checks_clients(place) else ""
        return f"{known}{' (INSECURE)' if security.is_open_to_others(place) else ''}"

    many = f", {processes} processes that only read" if processes > 1 else ""
    over = " over TLS" if security.tls else ""
    screen.say(f"serving {shown_url(url)} on {addresses.grpc}{over}{manner(addresses.grpc)}{many}")
    if addresses.http:
        scheme = "https" if security.tls else "http"
        screen.say(f"over HTTP: {scheme}://{addresses.http}/{manner(addresses.http)}")
    if addresses.metrics:
        screen.say(f"metrics: http://{addresses.metrics}/metrics, with /livez and /readyz")


def _limit(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not number.strip().lstrip("-").isdigit():
        raise UsageError(f"--limit {text}: a limit is written NAME=NUMBER")
    return name.strip(), int(number)
