"""What counts in the end, setting by setting, and where it came from (`proofbase serve --check`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from proofbase.service.cli.commands import SERVE_VARIABLES
from proofbase.service.cli.session import DEFAULT_STORE
from proofbase.service.cli.settings.config_file import NOT_IN_FILES
from proofbase.storage import shown_url

if TYPE_CHECKING:
    import typer

    from proofbase.service.limits import Limits

__all__ = ["Setting", "effective_settings"]

Setting = tuple[str, Any, str]
"""Name, value, and where it came from: `flag`, the name of a variable, `file`, or `default`."""


def effective_settings(ctx: typer.Context, limits: Limits, given_limits: Sequence[str]) -> list[Setting]:
    """All settings of the command. Passwords in URLs are left out.

    Args:
        ctx: of the command.
        limits: those that count.
        given_limits: names of the limits that flag, environment or file give.
    """
    settings: list[Setting] = []
    for parameter in ctx.command.params:
        name = parameter.name
        if name is None or name in (*NOT_IN_FILES, "limit"):
            continue
        value = ctx.params.get(name)
        if name == "store":
            value = shown_url(value or DEFAULT_STORE)
        elif name == "cluster_reads" and value is not None:
            value = shown_url(value)
        if isinstance(value, tuple | list):
            value = [str(part) for part in value]
        elif value is not None and not isinstance(value, bool | int | float | str):
            value = str(value)
        settings.append((name, value, _origin(ctx, parameter)))
    origin = next((_origin(ctx, entry) for entry in ctx.command.params if entry.name == "limit"), "default")
    for name, number in asdict(limits).items():
        settings.append((f"limits.{name}", number, origin if name in given_limits else "default"))
    return settings


def _origin(ctx: typer.Context, parameter: Any) -> str:
    source = ctx.get_parameter_source(parameter.name)
    kind = "DEFAULT" if source is None else source.name
    if kind == "ENVIRONMENT":
        variable = parameter.envvar
        return variable if isinstance(variable, str) else f"{SERVE_VARIABLES}_{parameter.name.upper()}"
    return {"COMMANDLINE": "flag", "DEFAULT_MAP": "file"}.get(kind, "default")
