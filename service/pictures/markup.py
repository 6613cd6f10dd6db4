"""HTML and SVG as text: what is text is escaped, what is markup stays."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TypeAlias

__all__ = ["VOID", "Content", "Markup", "joined", "pictures_style", "tag"]

VOID = frozenset(
    ["br", "circle", "hr", "img", "input", "line", "link", "meta", "path", "polygon", "polyline", "rect", "use"]
)
"""Elements without content: of HTML, and those of SVG that we use so."""


class Markup(str):
    """A piece of HTML or SVG, which is not escaped again."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


Content: TypeAlias = str | int | float | None
"""What an element holds: markup, or a text or number, which is escaped. None: nothing."""


def tag(name: str, /, *content: Content, **attributes: Content | bool) -> Markup:
    """An element.

    Args:
        name: of the element.
        content: in its order.
        attributes: `class_` for `class`, `aria_label` for `aria-label`, `viewBox` as it is; None and False are left
            out, True is an attribute without a value.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        parts.append(key if value is True else f'{key}="{escape(_text(value))}"')
    start = " ".join(parts)
    if name in VOID and not content:
        return Markup(f"<{start}/>")
    return Markup(f"<{start}>{joined(*content)}</{name}>")


@cache
def pictures_style() -> Markup:
    """The style of all pictures, for markup that stands for itself; it is for what is in an element `proofbase`."""
    return Markup(f"<style>{files('proofbase.service.pictures').joinpath('pictures.css').read_text('utf-8')}</style>")


def joined(*content: Content) -> Markup:
    """Several pieces one after the other."""
    return Markup("".join(part if isinstance(part, Markup) else escape(_text(part)) for part in content))


def _text(value: Content | bool) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
