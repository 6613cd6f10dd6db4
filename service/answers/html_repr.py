"""Answers that a notebook shows as pictures.

The answers know nothing of pictures: the module `PICTURES` registers one for each kind of answer, and is imported when
the first picture is asked for.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module

__all__ = ["HtmlRepr", "picture_of"]

PICTURES = "proofbase.service.pictures.notebook"


@singledispatch
def picture_of(answer: object) -> str | None:
    """The answer as HTML; None for kinds of answers without a picture."""
    return None


class HtmlRepr:
    """Has its picture shown by Jupyter and by other notebooks that ask for `_repr_html_`."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        import_module(PICTURES)
        return picture_of(self)
