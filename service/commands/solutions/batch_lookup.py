"""Look up many positions at once: by text, each with its own outcome, or by key, answered in columns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from sys import byteorder
from typing import Any

from proofbase.engine.errors import InvalidKeyError
from proofbase.engine.rules import Game
from proofbase.service.answers import Cut
from proofbase.service.answers.batches import (
    DAMAGED,
    INVALID,
    LOWER_KNOWN,
    SEARCHED,
    STORED,
    TABLED,
    TERMINAL,
    UPPER_KNOWN,
    BatchItem,
    PackedAnswers,
)
from proofbase.service.answers.bounds import cut_text
from proofbase.service.commands.solutions.batch_search import BatchSearch
from proofbase.service.commands.solutions.lookup_budget import LookupBudget
from proofbase.service.errors import InvalidRequestError, LimitExceededError, ServiceError, error_mapping
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.positions import find_position
from proofbase.service.positions.probe import Probe, move_name, probe_each
from proofbase.service.resources import Resources
from proofbase.service.resources.native import key_size
from proofbase.storage import MalformedRecordError

__all__ = ["batch_lookup", "batch_lookup_keys", "batch_lookup_packed", "page_of_batch"]

ITEM_BYTES = 60
"""The size of the answer to one text, besides its own texts, at most."""
SEARCHED_BYTES = 200
"""The size of what is said of its search, at most."""
SEARCHED_PAGE = 2_000
"""So many texts with searches are answered in one message."""


def batch_lookup(
    resources: Resources, game_name: str, texts: Sequence[str], *, search: LookupBudget | None = None
) -> list[BatchItem]:
    """What is known of the position of every text, in order; with `search`, also what the searches of a lookup prove.

    A text that is no position, or whose record is damaged, gets the status `invalid`, with the reason of the error that
    a single lookup would raise.

    Raises:
        UnknownGameError: no such game.
        InvalidRequestError, LimitExceededError: more texts, nodes or seconds than a batch may have.
    """
    game = resources.games.open(game_name)
    _check_size(resources, len(texts))
    searches = None if search is None else BatchSearch(resources, game, search)
    items: list[BatchItem | None] = [None] * len(texts)
    positions: list[Any] = []
    indices: list[int] = []
    for index, text in enumerate(texts):
        try:
            positions.append(find_position(game, text))
            indices.append(index)
        except (ValueError, ServiceError) as error:
            reason = error_mapping(error).reason
            items[index] = BatchItem("invalid", reason=reason, message=cut_text(str(error)), package=resources.package)
    probes = probe_each(game, positions, resources.store, resources.tables.of(game))
    for index, position, probe in zip(indices, positions, probes, strict=True):
        if isinstance(probe, MalformedRecordError):
            reason = error_mapping(probe).reason
            key, message = game.key(position), str(probe)
            items[index] = BatchItem("invalid", key=key, reason=reason, message=message, package=resources.package)
            continue
        known = probe.record is not None or probe.terminal or probe.table is not None
        searched = None
        if searches is not None:
            probe, searched = searches.search(position, probe)
        items[index] = BatchItem(
            status="stored" if known else "unknown",
            key=probe.key,
            value=probe.value,
            rank=probe.rank,
            witness=None if probe.witness is None else cut_text(move_name(game, position, probe.witness)),
            searched=searched,
            package=resources.package,
        )
    return [item for item in items if item is not None]


def page_of_batch(
    resources: Resources, game_name: str, texts: Sequence[str], *, search: LookupBudget | None = None
) -> tuple[list[BatchItem], Cut | None]:
    """As `batch_lookup`, as many answers as one message holds; the texts beyond them have to be sent again."""
    _check_size(resources, len(texts))
    # No search is made whose answer would not fit.
    page = texts if search is None else texts[:SEARCHED_PAGE]
    items = batch_lookup(resources, game_name, page, search=search)
    room = PAGE_BYTES
    for count, item in enumerate(items):
        # An item of short texts takes some 20 bytes, so that the answer to a usual batch is one page.
        room -= (
            ITEM_BYTES
            + (SEARCHED_BYTES if item.searched else 0)
            + len(item.key)
            + 4 * (len(item.message or "") + len(item.witness or "") + len(item.package or ""))
        )
        if room < 0:
            return items[:count], _cut(count, len(texts))
    return items, None if len(items) == len(texts) else _cut(len(items), len(texts))


def _cut(count: int, of: int) -> Cut:
    return Cut("bytes", f"{count} of {of} texts are answered: send the others again")


def batch_lookup_packed(
    resources: Resources, game_name: str, packed: bytes, size: int = 0, *, search: LookupBudget | None = None
) -> PackedAnswers:
    """What is known of the positions of keys that stand one after the other in `packed`.

    Answered by the copy of the game's records in memory where there is one, else by the store: the answers are the
    same. With `search`, also what the searches of a lookup prove.

    Args:
        resources: the store and what belongs to it.
        game_name: any name of the game.
        packed: the keys.
        size: bytes of a key; must be the game's (0 stands for it).

    Raises:
        InvalidRequestError: the game's keys vary in length, `size` is not theirs, or `packed` is not a whole number of
            keys; also a budget that is none.
        LimitExceededError: more keys, nodes or seconds than a batch may have.
    """
    game = resources.games.open(game_name)
    key_bytes = key_size(game)
    if key_bytes == 0:
        raise InvalidRequestError(
            f"keys of {game.name} vary in length: send them one by one (`keys`)", field="packed_keys"
        )
    if size not in (0, key_bytes):
        raise InvalidRequestError(
            f"keys of {game.name} have {key_bytes} bytes, not {size}", field="packed_keys.key_size"
        )
    if len(packed) % key_bytes:
        raise InvalidRequestError(
            f"{len(packed)} bytes are not a whole number of keys of {key_bytes} bytes", field="packed_keys.keys"
        )
    count = len(packed) // key_bytes
    _check_size(resources, count)
    columns = None if search is not None else resources.cache.answers(game.name, packed)
    if columns is not None:
        return PackedAnswers(count, *columns, package=resources.package)
    keys = [packed[start : start + key_bytes] for start in range(0, len(packed), key_bytes)]
    return _answers_from_store(resources, game, keys, search)


def batch_lookup_keys(
    resources: Resources, game_name: str, keys: Sequence[bytes], *, search: LookupBudget | None = None
) -> PackedAnswers:
    """What is known of the positions of keys of any length; with `search`, also what the searches of a lookup prove."""
    game = resources.games.open(game_name)
    _check_size(resources, len(keys))
    key_bytes = key_size(game)
    if key_bytes and all(len(key) == key_bytes for key in keys):
        return batch_lookup_packed(resources, game_name, b"".join(keys), search=search)
    return _answers_from_store(resources, game, keys, search)


def _answers_from_store(
    resources: Resources, game: Game[Any], keys: Sequence[bytes], search: LookupBudget | None
) -> PackedAnswers:
    searches = None if search is None else BatchSearch(resources, game, search)
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
            searched = None
            if searches is not None:
                probe, searched = searches.search(positions[index], probe)
            states.append(_state_of(probe) | (SEARCHED if searched is not None else 0))
            numbers = (probe.value.lower, probe.value.upper, probe.lower_rank, probe.upper_rank)
        else:
            states.append(INVALID if probe is None else DAMAGED)
            numbers = (-game.highest_value, game.highest_value, 0, 0)
        for column, number in zip(columns, numbers, strict=True):
            column.append(number)
    if byteorder == "big":
        for column in columns:
            column.byteswap()
    lowers, uppers, lower_ranks, upper_ranks = (column.tobytes() for column in columns)
    return PackedAnswers(len(keys), bytes(states), lowers, uppers, lower_ranks, upper_ranks, package=resources.package)


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
