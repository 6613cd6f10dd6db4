"""Arguments of a client's methods: what has the wrong type is refused in the words of the interface.

Without this, the message would be that of whatever first stumbles: a comparison deep inside, or a message of the wire.
"""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints, is_typeddict

from proofbase.engine.errors import quoted
from proofbase.service.client import options as options_module
from proofbase.service.client.options import DEFAULTS
from proofbase.service.jobs.budget import Budget

__all__ = ["ChecksArguments", "argument_types"]

NAMES: dict[Any, str] = {
    str: "a text (str)",
    bytes: "bytes",
    int: "a whole number (int)",
    bool: "True or False",
    float: "a number",
    Path: "a path",
    Budget: "a Budget",
    types.NoneType: "None",
}
COLLECTIONS = (Sequence, Collection, Iterable)


class Accepted(NamedTuple):
    """What one argument may be."""

    accepts: Callable[[Any], bool]
    text: str


class ChecksArguments:
    """An interface whose implementations refuse arguments of the wrong types before anything else.

    The types are those of the public methods of the class that names this one as its base.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        [interface] = [entry for entry in cls.__mro__ if ChecksArguments in entry.__bases__]
        if interface is cls:
            return
        for name, declared in vars(interface).items():
            if inspect.isfunction(declared) and not name.startswith("_"):
                setattr(cls, name, _checked(getattr(cls, name), declared))


_hints = functools.cache(get_type_hints)  # it takes most of the time of this module, and is asked several times


@functools.cache
def argument_types(declared: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a method with their types; those that `**options: Unpack[Options]` stands for are among them."""
    hints, found = _hints(declared), dict[str, Any]()
    for entry in list(inspect.signature(declared).parameters.values())[1:]:
        hint = hints[entry.name]
        found |= _hints(get_args(hint)[0]) if entry.kind is entry.VAR_KEYWORD else {entry.name: hint}
    return found


def _checked(method: Callable[..., Any], declared: Callable[..., Any]) -> Callable[..., Any]:
    """`method`, refusing arguments that are not of the types that `declared` has.

    Raises (the returned function):
        TypeError: names the method, the argument and what it may be.
    """
    parameters = list(inspect.signature(declared).parameters.values())[1:]
    accepted = {name: _accepted(hint) for name, hint in argument_types(declared).items()}
    positional = [entry.name for entry in parameters if entry.kind is entry.POSITIONAL_OR_KEYWORD]
    required = [
        entry.name for entry in parameters if entry.default is entry.empty and entry.kind is not entry.VAR_KEYWORD
    ]
    name = declared.__name__
    by_position = [(entry, accepted[entry]) for entry in positional]

    @functools.wraps(method)
    def checked(self: Any, *arguments: Any, **named: Any) -> Any:
        if len(arguments) > len(positional):
            raise TypeError(f"{name}() takes {', '.join(positional) or 'no arguments'}, not {len(arguments)} arguments")
        for (parameter, may_be), value in zip(by_position, arguments, strict=False):
            if may_be is not None and not may_be.accepts(value):
                raise _refusal(name, parameter, may_be, value)
        for parameter, value in named.items():
            if parameter in positional[: len(arguments)]:
                raise TypeError(f"{name}() has got {parameter} twice")
            if parameter not in accepted:
                raise TypeError(f"{name}() has no argument {quoted(parameter)}; it has {', '.join(accepted)}")
            other = accepted[parameter]
            if other is not None and not other.accepts(value):
                raise _refusal(name, parameter, other, value)
        for parameter in required[len(arguments) :]:
            if parameter not in named:
                raise TypeError(f"{name}() needs {parameter}")
        return method(self, *arguments, **named)

    checked.__signature__ = _shown_signature(declared)  # type: ignore[attr-defined]
    checked.__doc__ = _shown_text(declared)
    return checked


def _options_of(declared: Callable[..., Any]) -> Any:
    """The options that `**options: Unpack[Options]` of a method stands for; None where it has none."""
    hints = _hints(declared)
    entries = inspect.signature(declared).parameters.values()
    return next((get_args(hints[entry.name])[0] for entry in entries if entry.kind is entry.VAR_KEYWORD), None)


def _shown_signature(declared: Callable[..., Any]) -> inspect.Signature:
    """What `help()` shows of the arguments of a method: each option by its name, with its type and its default."""
    signature, options = inspect.signature(declared), _options_of(declared)
    shown = [entry for entry in signature.parameters.values() if entry.kind is not entry.VAR_KEYWORD]
    names = {} if options is None else _hints(options)
    for name, hint in names.items():
        default = DEFAULTS.get(name)
        shown.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint))
    return signature.replace(parameters=shown)


def _shown_text(declared: Callable[..., Any]) -> str | None:
    """The description of a method, with what its options mean."""
    text, options = inspect.getdoc(declared), _options_of(declared)
    if options is None:
        return text
    texts = _texts_of_options()
    return f"{text}\n\nOptions:\n" + "".join(texts[name] for name in _hints(options))


@functools.cache
def _texts_of_options() -> dict[str, str]:
    """What `options` says of each option: its lines."""
    found = dict[str, str]()
    for kind in vars(options_module).values():
        if is_typeddict(kind):
            _, _, attributes = (inspect.getdoc(kind) or "").partition("Attributes:\n")
            entries = re.findall(r"^    \w.*\n?(?: {8}.*\n?)*", attributes, re.MULTILINE)
            found |= {text.split(":")[0].strip(): text for text in entries}
    return {name: text.rstrip("\n") + "\n" for name, text in found.items()}


def _refusal(method: str, parameter: str, accepted: Accepted, value: object) -> TypeError:
    return TypeError(f"{method}(): {parameter} is {accepted.text}, not {_shown(value)}")


def _shown(value: object) -> str:
    if isinstance(value, str | int | float | bytes | None):
        return quoted(value) if isinstance(value, str) else ascii(value)[:60]
    if isinstance(value, list | tuple):
        kinds = sorted({type(entry).__name__ for entry in value})
        return f"a {type(value).__name__} of {' and '.join(kinds)}"
    return f"an object of type {type(value).__name__}"


def _accepted(hint: Any) -> Accepted | None:
    """None for types that are not checked: callables and files."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        parts = [_accepted(part) for part in inner]
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        return Accepted(lambda value: any(part.accepts(value) for part in known), " or ".join(p.text for p in known))
    if origin is Literal:
        choices = " or ".join(map(repr, inner))
        # A text that is none of them is refused by the method itself, which knows what it names.
        return Accepted(lambda value: isinstance(value, str), f"a text: {choices}")
    if hint is int:
        return Accepted(lambda value: hasattr(value, "__index__") and not isinstance(value, bool), NAMES[int])
    if hint is float:
        return Accepted(lambda value: isinstance(value, int | float) and not isinstance(value, bool), NAMES[float])
    if hint is Path:
        return Accepted(lambda value: isinstance(value, str | Path), NAMES[Path])
    if hint in NAMES:
        return Accepted(lambda value: isinstance(value, hint), NAMES[hint])
    if origin in COLLECTIONS and inner[0] in (str, bytes):
        return _collection(origin, inner[0])
    return None


def _collection(origin: Any, entry: type) -> Accepted:
    def accepts(values: Any) -> bool:
        if isinstance(values, str | bytes | bytearray) or not isinstance(values, origin):
            return False
        if origin is Iterable:
            return True  # to look at its entries would use them up
        return set(map(type, values)) <= {entry} or all(isinstance(value, entry) for value in values)

    many = "texts (str)" if entry is str else "bytes"
    return Accepted(accepts, f"a list of {many}")
