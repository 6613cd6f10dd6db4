"""The settings of a command from a TOML file and from environment variables; what nobody knows is refused."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from proofbase.service.cli.commands import SERVE_VARIABLES
from proofbase.service.cli.exit_status import UsageError
from proofbase.service.limits import Limits

__all__ = ["NOT_IN_FILES", "read_config", "refuse_unknown_variables", "take_config"]

LIMITS = "limits"
"""The table of the file with the limits; as flags they are `--limit NAME=NUMBER`."""
NOT_IN_FILES = ("config", "check", "json", "help")


def take_config(ctx: typer.Context, value: Path | None) -> Path | None:
    """The callback of `--config`: what the file has becomes what counts where neither flag nor environment does.

    Raises:
        UsageError: the file cannot be read, or has something that is no setting.
    """
    if not ctx.resilient_parsing:
        refuse_unknown_variables(_settings_of(ctx))
        if value is not None:
            ctx.default_map = read_config(value, ctx)
    return value


def read_config(path: Path, ctx: typer.Context) -> dict[str, Any]:
    """The settings of a file, by the names of the command's parameters.

    Args:
        path: a TOML file.
        ctx: of the command.

    Raises:
        UsageError: it cannot be read, has an unknown key, or a value of the wrong kind.
    """
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"--config {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--config {path}: {error}") from None
    settings = _settings_of(ctx)
    known = (*(name for name in settings if name != "limit"), LIMITS)
    result: dict[str, Any] = {}
    for name, value in document.items():
        if name not in known:
            raise UsageError(f"--config {path}: there is no setting {name!r}{_nearest(name, known)}")
        if name == LIMITS:
            result["limit"] = _limits(path, value)
        else:
            _check_kind(path, name, value, settings[name])
            result[name] = value
    return result


def _settings_of(ctx: typer.Context) -> dict[str, Any]:
    return {entry.name: entry for entry in ctx.command.params if entry.name and entry.name not in NOT_IN_FILES}


def _limits(path: Path, value: Any) -> list[str]:
    names = [field.name for field in fields(Limits)]
    if not isinstance(value, dict):
        raise UsageError(f"--config {path}: [{LIMITS}] is a table, such as batch_size = 1000")
    for name, number in value.items():
        if name not in names:
            raise UsageError(f"--config {path}: there is no limit {name!r}{_nearest(name, names)}")
        if type(number) is not int:
            raise UsageError(f"--config {path}: the limit {name} is {number!r}: a whole number is needed")
    return [f"{name}={number}" for name, number in value.items()]


def _check_kind(path: Path, name: str, value: Any, parameter: Any) -> None:
    if getattr(parameter, "is_flag", False):
        right, kind = isinstance(value, bool), "true or false"
    elif parameter.multiple:
        right, kind = isinstance(value, list) and all(isinstance(part, str) for part in value), "a list of texts"
    elif type(parameter.default) is int:
        right, kind = type(value) is int, "a whole number"
    elif type(parameter.default) is float:
        right, kind = type(value) in (int, float), "a number"
    else:
        right, kind = isinstance(value, str), "a text"
    if not right:
        raise UsageError(f"--config {path}: {name} is {value!r}: {kind} is needed")


def refuse_unknown_variables(settings: Iterable[str]) -> None:
    """Refuses environment variables that look like settings of the server and are none.

    Raises:
        UsageError: there is one.
    """
    known = [f"{SERVE_VARIABLES}_{name.upper()}" for name in settings]
    for name in sorted(os.environ):
        if name.startswith(f"{SERVE_VARIABLES}_") and name not in known:
            raise UsageError(f"the environment has {name}, which is no setting{_nearest(name, known)}")


def _nearest(name: str, known: Iterable[str]) -> str:
    names = difflib.get_close_matches(name, list(known), 1, 0.5)
    return f"; did you mean {names[0]}?" if names else ""
