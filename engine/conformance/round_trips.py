"""Keys, texts and moves: written and read back, and what is none of them refused."""

from __future__ import annotations

from typing import Any

from proofbase.engine.conformance.examination import Examination, Sample
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.rules.failures import failure_of, is_interrupt

__all__ = ["check_bad_input", "check_key", "check_moves", "check_text"]

LONGEST_TEXT = 10_000
NO_POSITIONS = ("", " ", "no such position", "\0", "-1", "9" * 50, "é/é")
NO_MOVES = ("", "no such move", "-1", "é")


def check_key(exam: Examination, sample: Sample) -> None:
    """`key(position(k)) == k`."""
    try:
        canonical = exam.game.position(sample.key)
    except InvalidKeyError as error:
        detail = f"position() refuses its key {sample.key.hex()}: {exam.shown(str(error))}"
        raise exam.broken("key", detail, sample=sample) from None
    except BaseException as error:
        raise _unexpected(exam, "position", error, sample) from None
    again = exam.key(canonical)
    if again != sample.key:
        detail = f"its key is {sample.key.hex()}, but the key of position(key) is {again.hex()}"
        raise exam.broken("key", detail, sample=sample)


def check_text(exam: Examination, sample: Sample) -> None:
    """`parse(text(p)) == p`, and one line."""
    text = exam.ask("text", sample.position)
    if not isinstance(text, str) or not text or not text.isprintable() or len(text) > LONGEST_TEXT:
        detail = f"text() gave {exam.shown(text)}, which is not one line of printable text"
        raise exam.broken("text", detail, sample=sample)
    try:
        parsed = exam.game.parse(text)
    except InvalidPositionError as error:
        detail = f"parse() refuses its text {exam.shown(text)}: {exam.shown(str(error))}"
        raise exam.broken("text", detail, sample=sample) from None
    except BaseException as error:
        raise _unexpected(exam, "parse", error, sample) from None
    if parsed != sample.position:
        detail = f"parse() of its text {exam.shown(text)} gives another position, {exam.shown(parsed)}"
        raise exam.broken("text", detail, sample=sample)
    if hash(parsed) != hash(sample.position):
        raise exam.broken("hashing", "an equal position, parse(text(p)), has another hash", sample=sample)
    if not isinstance(exam.ask("draw", sample.position), str):
        raise exam.broken("text", "draw() gave no text", sample=sample)


def check_moves(exam: Examination, sample: Sample) -> None:
    """`parse_move(p, move_text(p, m)) == m`, and words that differ."""
    seen: dict[str, int] = {}
    for move in sample.moves:
        text = exam.ask("move_text", sample.position, move)
        if not isinstance(text, str) or not text or not text.isprintable() or set(text) & set(" ,"):
            detail = f"move_text() of move {move} is {exam.shown(text)}: a move is a word without spaces or commas"
            raise exam.broken("move-text", detail, sample=sample)
        if text in seen:
            detail = f"the moves {seen[text]} and {move} are both written {exam.shown(text)}"
            raise exam.broken("move-text", detail, sample=sample)
        seen[text] = move
        try:
            parsed = exam.game.parse_move(sample.position, text)
        except InvalidMoveError as error:
            detail = f"parse_move() refuses {exam.shown(text)}, the text of move {move}: {exam.shown(str(error))}"
            raise exam.broken("move-text", detail, sample=sample) from None
        except BaseException as error:
            raise _unexpected(exam, "parse_move", error, sample) from None
        if parsed != move:
            detail = f"parse_move() of {exam.shown(text)}, the text of move {move}, is {exam.shown(parsed)}"
            raise exam.broken("move-text", detail, sample=sample)


def check_bad_input(exam: Examination, sample: Sample) -> None:
    """What is no key, no text or no move is refused by the error that `Game` names, or is read as it is written."""
    key = sample.key
    at = exam.random.randrange(len(key))
    changed = bytes([*key[:at], (key[at] + exam.random.randrange(1, 256)) % 256, *key[at + 1 :]])
    noise = exam.random.randbytes(exam.random.randrange(1, 12))
    for wrong in (b"", key[:-1], key + b"\0", key + b"\xff", changed, noise, b"\xff" * len(key), b"\0" * len(key)):
        _refuses_key(exam, wrong)
    for text in NO_POSITIONS:
        _refuses_text(exam, text)
    if sample.moves:
        for text in NO_MOVES:
            _refuses_move(exam, sample, text)


def _refuses_key(exam: Examination, wrong: bytes) -> None:
    try:
        position = exam.game.position(wrong)
    except InvalidKeyError:
        return
    except BaseException as error:
        if is_interrupt(error):
            raise
        failure = failure_of(exam.name, "position", error)
        detail = f"the bytes {wrong.hex() or '(none)'} are no key, but not by InvalidKeyError: {failure}"
        raise exam.broken("position", detail) from None
    try:
        canonical = exam.game.key(position) == wrong
    except Exception as error:
        failure = failure_of(exam.name, "key", error)
        raise exam.broken("position", f"it makes a position of the bytes {wrong.hex()}, and {failure}") from None
    if not canonical:
        detail = f"it makes a position of {wrong.hex() or 'no bytes'}, whose key is {exam.game.key(position).hex()}"
        raise exam.broken("position", detail, position)


def _refuses_text(exam: Examination, text: str) -> None:
    try:
        position = exam.game.parse(text)
    except InvalidPositionError:
        return
    except BaseException as error:
        if is_interrupt(error):
            raise
        failure = failure_of(exam.name, "parse", error)
        raise exam.broken(
            "parse", f"{exam.shown(text)} is refused, but not by InvalidPositionError: {failure}"
        ) from None
    try:
        again = exam.game.parse(exam.game.text(position))
    except Exception as error:
        detail = f"it reads {exam.shown(text)} as a position without a text: {failure_of(exam.name, 'text', error)}"
        raise exam.broken("parse", detail) from None
    if again != position:
        raise exam.broken("parse", f"it reads {exam.shown(text)} as a position that is not that of its text", position)


def _refuses_move(exam: Examination, sample: Sample, text: str) -> None:
    try:
        move = exam.game.parse_move(sample.position, text)
    except InvalidMoveError:
        return
    except BaseException as error:
        if is_interrupt(error):
            raise
        failure = failure_of(exam.name, "parse_move", error)
        detail = f"the move {exam.shown(text)} is refused, but not by InvalidMoveError: {failure}"
        raise exam.broken("move-text", detail, sample=sample) from None
    if move not in sample.moves or exam.ask("move_text", sample.position, move) != text:
        detail = f"parse_move() reads {exam.shown(text)} as {exam.shown(move)}: no legal move is written like this"
        raise exam.broken("move-text", detail, sample=sample)


def _unexpected(exam: Examination, method: str, error: BaseException, sample: Sample) -> Any:
    if is_interrupt(error):
        return error
    return exam.broken("errors", str(failure_of(exam.name, method, error)), sample=sample)
