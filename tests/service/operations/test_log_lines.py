"""Log lines: for people, and as JSON."""

from __future__ import annotations

import json
import logging

from proofbase.service.telemetry.call_ids import CALL_ID
from proofbase.service.telemetry.logs import JsonLines, PlainLines


def record(message: str, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("proofbase.x", logging.WARNING, __file__, 1, message, (), None)
    made.__dict__.update(extra)
    return made


def test_a_line_of_json_is_one_object_whatever_the_message_is() -> None:
    token = CALL_ID.set("abc")
    try:
        line = JsonLines().format(record('a\n"quoted" ä', fields={"method": "Solutions/Lookup", "other": object}))
    finally:
        CALL_ID.reset(token)
    assert "\n" not in line
    entry = json.loads(line)
    assert entry["message"] == 'a\n"quoted" ä' and entry["level"] == "warning" and entry["call"] == "abc"
    assert entry["method"] == "Solutions/Lookup" and entry["time"].endswith("+00:00")
    assert "call" not in json.loads(JsonLines().format(record("outside of calls")))


def test_an_error_has_its_traceback() -> None:
    try:
        raise ValueError("wrong")
    except ValueError as error:
        failed = record("it failed", exc_info=(type(error), error, error.__traceback__))
    assert "ValueError: wrong" in json.loads(JsonLines().format(failed))["error"]


def test_a_line_for_people_names_the_call() -> None:
    assert PlainLines().format(record("said")).endswith("WARNING proofbase.x: said")
    token = CALL_ID.set("abc")
    try:
        assert PlainLines().format(record("said")).endswith("proofbase.x: said [call abc]")
    finally:
        CALL_ID.reset(token)


def test_texts_of_others_are_escaped_in_both_forms() -> None:
    name = "a\x1b[2J\x9b\u202e\nWARNING proofbase.x: by admin"
    try:
        raise ValueError(name)
    except ValueError as error:
        failed = record(name, exc_info=(type(error), error, error.__traceback__))
    lines = PlainLines().format(failed).splitlines()
    assert lines[0].endswith("proofbase.x: a\\x1b[2J\\x9b\\u202e\\nWARNING proofbase.x: by admin")
    assert "Traceback" in lines[1] and "ValueError: a\\x1b[2J\\x9b\\u202e" in "".join(lines[2:])
    line = JsonLines().format(record(name))
    assert line.isprintable() and json.loads(line)["message"] == name
