"""Answers that a notebook shows as pictures.

The answers know nothing of pictures: `service/pictures/notebook.py` registers one for each kind of answer.
"""

from __future__ import annotations

from functools import singledispatch

__all__ = ["HtmlRepr", "picture_of"]


@singledispatch
def picture_of(answer: object) -> str | None:
    """The answer as HTML; None for kinds of answers without a picture."""
    return None


class HtmlRepr:
    """Has its picture shown by Jupyter and by other notebooks that ask for `_repr_html_`."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return picture_of(self)
