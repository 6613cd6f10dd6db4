"""A console for what is drawn: bars of progress, and trees."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from proofbase.service.cli.screen import WIDTH_OF_FILES
from proofbase.service.words.visible import visible

__all__ = ["console"]


class _Console(Console):
    """Shows what comes from elsewhere visibly. Codes of its own, such as colours, are no text of segments."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text, lines=True))


def console(*, stderr: bool = False) -> Console:
    """A console for the current stream; not cut to 80 columns when it is a file or a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH_OF_FILES
    return _Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)
