"""Long reads of a mapped file, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

BLOCK = 256


def in_blocks(look: Callable[[], None], rows: Iterator[T], size: int = BLOCK) -> Iterator[T]:
    """The same rows, read from the map some at a time, each time after a look at the file.

    So a scan whose consumer takes its time does not touch the map of a file that was cut short meanwhile.
    """
    while True:
        look()
        block: list[T] = []
        failure: Exception | None = None
        try:
            block.extend(islice(rows, size))
        except Exception as error:  # raised where it came up: behind the rows before it
            failure = error
        yield from block
        if failure is not None:
            raise failure
        if len(block) < size:
            look()  # the last rows as well end with an error where the store was closed meanwhile
            return
