"""Log lines for people, or as JSON for programs. Lines that belong to a call have its id."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Literal

from proofbase.service.telemetry.call_ids import CALL_ID
from proofbase.service.words.visible import visible
from proofbase.service.words.visible_json import visible_json

__all__ = ["JsonLines", "LogFormat", "PlainLines", "set_up_logs"]

LogFormat = Literal["text", "json"]


class PlainLines(logging.Formatter):
    """A line for people: time, level, logger, message, id of the call."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - a method of the base class
        line = visible(super().formatMessage(record))
        call = CALL_ID.get()
        return line if call is None else f"{line} [call {call}]"

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record), lines=True)  # the traceback behind the line


class JsonLines(logging.Formatter):
    """An object a line: `time` (UTC, ISO 8601), `level`, `logger`, `message`, and where there is one `call`, `error`.

    What a call of the logger gives as `extra={"fields": {...}}` is added.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        call = CALL_ID.get()
        if call is not None:
            entry["call"] = call
        entry.update(getattr(record, "fields", {}))
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return visible_json(json.dumps(entry, ensure_ascii=False, default=str))


def set_up_logs(level: str, form: LogFormat = "text") -> None:
    """Sends all logs of the process to standard error, unless they go somewhere already.

    Args:
        level: the least level that is logged.
        form: of the lines.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    logging.basicConfig(level=level.upper(), handlers=[handler])
