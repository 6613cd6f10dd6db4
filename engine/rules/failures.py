"""What a user's rules raise, turned into one short error that shows the user's own lines.

Rules may raise anything: exceptions that would end a thread or the process (SystemExit, KeyboardInterrupt), with texts
of any length that no message can hold, or whose text cannot be had at all.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, TracebackType

from proofbase.engine.errors import (
    BrokenGameError,
    EngineError,
    GameFailedError,
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
)

__all__ = ["ALLOWED", "failure_of", "is_interrupt", "lines_of", "printable"]

MOST_TEXT = 300
MOST_FRAMES = 4
NOT_SHOWN = (str(Path(__file__).parents[2]), str(Path(importlib.__file__).parent), threading.__file__, "<frozen")
"""Where lines are not the user's: this package, and what imports modules and runs threads."""
ALLOWED: dict[str, type[EngineError]] = {
    "parse": InvalidPositionError,
    "position": InvalidKeyError,
    "parse_move": InvalidMoveError,
    "play": InvalidMoveError,
    "reward": InvalidMoveError,
    "move_text": InvalidMoveError,
    "__init__": InvalidParametersError,
}
"""The errors that the methods of a game raise on purpose."""


def failure_of(game: str, method: str, error: BaseException, traceback: TracebackType | None = None) -> BaseException:
    """The exception that callers of a user's game see instead of the one that its rules raised.

    Args:
        game: the name of the game.
        method: the method that was called.
        error: what it raised.
        traceback: where, if not in `error.__traceback__`.

    Returns:
        `error` itself where it is an interrupt, or an error that the method may raise (its text made printable);
        otherwise a GameFailedError, whose cause is the exception where that is an ordinary one.
    """
    if is_interrupt(error) or isinstance(error, GameFailedError | BrokenGameError):
        return error
    text, exact = _text_of(error)
    allowed = ALLOWED.get(method)
    if allowed is not None and isinstance(error, allowed):
        return error if exact else allowed(text)
    frames = tuple(_own_lines(_frames_of(traceback or error.__traceback__)))
    kind = printable(type(error).__name__, 80)
    where = f" ({'; '.join(frames)})" if frames else ""
    failure = GameFailedError(f"{game}: {method}() raised {kind}{': ' if text else ''}{text}{where}")
    failure.method, failure.exception, failure.frames = method, kind, frames
    if isinstance(error, Exception) and exact:
        failure.__cause__ = error
    return failure


def is_interrupt(error: BaseException) -> bool:
    """Whether an exception is Ctrl-C: Python raises it in the main thread, in whatever code runs there."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def printable(text: str, limit: int = MOST_TEXT) -> str:
    """`text` without characters that no message can hold, and cut after `limit` characters."""
    visible = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text[:limit]
    )
    return visible if len(text) <= limit else f"{visible}... ({len(text)} characters)"


def _text_of(error: BaseException) -> tuple[str, bool]:
    """The text of an exception as a message can hold it, and whether that is the whole text as it was."""
    try:
        text = str(error)
        visible = printable(text)
        return visible, visible == text
    except BaseException as second:  # a text that cannot be had must not hide the error itself
        if is_interrupt(second):
            raise
        return f"(its text cannot be had: {printable(type(second).__name__, 80)})", False


def lines_of(frame: FrameType | None) -> list[str]:
    """The user's own lines that a thread stands in, outermost first: `chomp.py, line 31, in play`."""
    frames = []
    while frame is not None:
        frames.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    return list(_own_lines(reversed(frames)))


def _frames_of(traceback: TracebackType | None) -> Iterator[tuple[CodeType, int]]:
    while traceback is not None:
        yield traceback.tb_frame.f_code, traceback.tb_lineno
        traceback = traceback.tb_next


def _own_lines(frames: Iterable[tuple[CodeType, int]]) -> Iterator[str]:
    """The last lines of the user's own code, the number of lines left out before them."""
    own_frames = [(code, line) for code, line in frames if not code.co_filename.startswith(NOT_SHOWN)]
    if len(own_frames) > MOST_FRAMES:
        yield f"{len(own_frames) - MOST_FRAMES} calls more"
    for code, line in own_frames[-MOST_FRAMES:]:
        yield printable(f"{Path(code.co_filename).name}, line {line}, in {code.co_name}", 120)
