"""Look up many positions at once: by text, each with its own outcome, or by key, answered in columns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from sys import byteorder
from typing import Any

from proofbase.engine.errors import InvalidKeyError
from proofbase.engine.rules import Game
from proofbase.service.answers import (
    DAMAGED,
    INVALID,
    LOWER_KNOWN,
    STORED,
    TABLED,
    TERMINAL,
    UPPER_KNOWN,
    BatchItem,
    Cut,
    PackedAnswers,
)
from proofbase.service.bounds import cut_text
from proofbase.service.errors import InvalidRequestError, LimitExceededError, ServiceError, error_mapping
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.positions import find_position
from proofbase.service.probe import Probe, move_name, probe_each
from proofbase.service.resources import Resources
from proofbase.service.resources.native import key_size
from proofbase.storage import MalformedRecordError

__all__ = ["batch_lookup", "batch_lookup_keys", "batch_lookup_packed", "page_of_batch"]

ITEM_BYTES = 60
"""Of the answer to one text, besides its own texts, at the most."""


def batch_lookup(resources: Resources, game_name: str, texts: Sequence[str]) -> list[BatchItem]:
    """What is known of the position of every text, in order.

    A text that is no position, or whose record is damaged, gets the status `invalid`, with the reason of the error that
    a single lookup would raise.

    Raises:
        UnknownGameError: no such game.
        LimitExceededError: more texts than a batch may have.
    """
    game = resources.games.open(game_name)
    _check_size(resources, len(texts))
    items: list[BatchItem | None] = [None] * len(texts)
    positions: list[Any] = []
    indices: list[int] = []
    for index, text in enumerate(texts):
        try:
            positions.append(find_position(game, text))
            indices.append(index)
        except (ValueError, ServiceError) as error:
            items[index] = BatchItem("invalid", reason=error_mapping(error).reason, message=cut_text(str(error)))
    probes = probe_each(game, positions, resources.store, resources.tables.of(game))
    for index, position, probe in zip(indices, positions, probes, strict=True):
        if isinstance(probe, MalformedRecordError):
            reason = error_mapping(probe).reason
            items[index] = BatchItem("invalid", key=game.key(position), reason=reason, message=str(probe))
            continue
        known = probe.record is not None or probe.terminal or probe.table is not None
        items[index] = BatchItem(
            status="stored" if known else "unknown",
            key=probe.key,
            value=probe.value,
            rank=probe.rank,
            witness=None if probe.witness is None else cut_text(move_name(game, position, probe.witness)),
        )
    return [item for item in items if item is not None]


def page_of_batch(items: list[BatchItem]) -> tuple[list[BatchItem], Cut | None]:
    """The answers to a batch of texts that one message holds; the texts beyond them have to be sent again."""
    room = PAGE_BYTES
    for count, item in enumerate(items):
        # An item of short texts takes some 20 bytes, so that the answer to a usual batch is one page.
        room -= ITEM_BYTES + len(item.key) + 4 * (len(item.message or "") + len(item.witness or ""))
        if room < 0:
            message = f"{count} of {len(items)} texts are answered: send the others again"
            return items[:count], Cut("bytes", message)
    return items, None


def batch_lookup_packed(resources: Resources, game_name: str, packed: bytes, size: int = 0) -> PackedAnswers:
    """What is known of the positions of keys that stand one after the other in `packed`.

    Answered by the copy of the game's records in memory where there is one, else by the store: the answers are the
    same.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        packed: the keys.
        size: bytes of a key; must be the game's (0 stands for it).

    Raises:
        InvalidRequestError: the game's keys vary in length, `size` is not theirs, or `packed` is not a whole number of
            keys.
    """
    game = resources.games.open(game_name)
    own = key_size(game)
    if own == 0:
        raise InvalidRequestError(
            f"keys of {game.name} vary in length: send them one by one (`keys`)", field="packed_keys"
        )
    if size not in (0, own):
        raise InvalidRequestError(f"keys of {game.name} have {own} bytes, not {size}", field="packed_keys.key_size")
    if len(packed) % own:
        raise InvalidRequestError(
            f"{len(packed)} bytes are not a whole number of keys of {own} bytes", field="packed_keys.keys"
        )
    count = len(packed) // own
    _check_size(resources, count)
    columns = resources.cache.answers(game.name, packed)
    if columns is not None:
        return PackedAnswers(count, *columns)
    return _answers_from_store(resources, game, [packed[start : start + own] for start in range(0, len(packed), own)])


def batch_lookup_keys(resources: Resources, game_name: str, keys: Sequence[bytes]) -> PackedAnswers:
    """What is known of the positions of keys of any length."""
    game = resources.games.open(game_name)
    _check_size(resources, len(keys))
    own = key_size(game)
    if own and all(len(key) == own for key in keys):
        return batch_lookup_packed(resources, game_name, b"".join(keys))
    return _answers_from_store(resources, game, keys)


def _answers_from_store(resources: Resources, game: Game[Any], keys: Sequence[bytes]) -> PackedAnswers:
    states = bytearray()
    columns = [array("i"), array("i"), array("i"), array("i")]
    positions = {}
    for index, key in enumerate(keys):
        with suppress(InvalidKeyError):
            positions[index] = game.position(key)
    probes = dict(
        zip(
            positions,
            probe_each(game, list(positions.values()), resources.store, resources.tables.of(game)),
            strict=True,
        )
    )
    for index in range(len(keys)):
        probe = probes.get(index)
        if isinstance(probe, Probe):
            states.append(_state_of(probe))
            numbers = (probe.value.lower, probe.value.upper, probe.lower_rank, probe.upper_rank)
        else:
            states.append(INVALID if probe is None else DAMAGED)
            numbers = (-game.highest_value, game.highest_value, 0, 0)
        for column, number in zip(columns, numbers, strict=True):
            column.append(number)
    if byteorder == "big":
        for column in columns:
            column.byteswap()
    return PackedAnswers(len(keys), bytes(states), *(column.tobytes() for column in columns))


def _state_of(probe: Probe) -> int:
    """The bits of one entry of `PackedAnswers.states`."""
    return (
        (LOWER_KNOWN if probe.value.lower_known else 0)
        | (UPPER_KNOWN if probe.value.upper_known else 0)
        | (STORED if probe.record is not None else 0)
        | (TERMINAL if probe.terminal else 0)
        | (TABLED if probe.table is not None else 0)
    )


def _check_size(resources: Resources, count: int) -> None:
    largest = resources.limits.batch_size
    if count > largest:
        raise LimitExceededError(
            f"a batch of {count} positions: at most {largest} are accepted; send several batches or a stream",
            limit="batch_size",
            largest=largest,
            field="positions",
        )
