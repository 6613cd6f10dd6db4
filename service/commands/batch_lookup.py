"""Look up many positions at once: by text, each with its own outcome, or by key, answered in columns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from sys import byteorder
from typing import Any

from proofbase.engine.errors import InvalidKeyError
from proofbase.engine.rules import Game
from proofbase.service.answers import (
    INVALID,
    LOWER_KNOWN,
    STORED,
    TERMINAL,
    UPPER_KNOWN,
    BatchItem,
    PackedAnswers,
)
from proofbase.service.application import Application
from proofbase.service.commands.list_games import key_size
from proofbase.service.errors import InvalidRequestError, LimitExceededError, ServiceError, entry_for
from proofbase.service.positions import find_position
from proofbase.service.standing import stand, stand_many

__all__ = ["batch_lookup", "batch_lookup_keys", "batch_lookup_packed"]


def batch_lookup(app: Application, game_name: str, texts: Sequence[str]) -> list[BatchItem]:
    """The standing of every text, in order.

    A text that is no position gets the status `invalid` with the reason that its own lookup would fail with.

    Raises:
        UnknownGameError: no such game.
        LimitExceededError: more texts than a batch may have.
    """
    game = app.games.open(game_name)
    _check_size(app, len(texts))
    items: list[BatchItem | None] = [None] * len(texts)
    positions: list[Any] = []
    places: list[int] = []
    for place, text in enumerate(texts):
        try:
            positions.append(find_position(game, text))
            places.append(place)
        except (ValueError, ServiceError) as error:
            items[place] = BatchItem("invalid", reason=entry_for(error).reason, message=str(error))
    found = stand_many(game, positions, app.store, app.tables.of(game))
    for place, position, here in zip(places, positions, found, strict=True):
        known = here.record is not None or here.terminal or here.table is not None
        items[place] = BatchItem(
            status="stored" if known else "unknown",
            key=here.key,
            value=here.value,
            rank=here.rank,
            witness=None if here.witness is None else game.move_text(position, here.witness),
        )
    return [item for item in items if item is not None]


def batch_lookup_packed(app: Application, game_name: str, packed: bytes, size: int = 0) -> PackedAnswers:
    """The standings of keys that stand one after the other in `packed`.

    Args:
        app: the service.
        game_name: any name of the game.
        packed: the keys.
        size: bytes of a key; must be the game's (0 stands for it).

    Raises:
        InvalidRequestError: the game's keys vary in length, `size` is not theirs, or `packed` is not a whole number of
            keys.
    """
    game = app.games.open(game_name)
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
    _check_size(app, count)
    columns = app.cache.answers(game.name, packed)
    if columns is not None:
        return PackedAnswers(count, *columns)
    return _from_store(app, game, [packed[at : at + own] for at in range(0, len(packed), own)])


def batch_lookup_keys(app: Application, game_name: str, keys: Sequence[bytes]) -> PackedAnswers:
    """The standings of keys of any length."""
    game = app.games.open(game_name)
    _check_size(app, len(keys))
    own = key_size(game)
    if own and all(len(key) == own for key in keys):
        return batch_lookup_packed(app, game_name, b"".join(keys))
    return _from_store(app, game, keys)


def _from_store(app: Application, game: Game[Any], keys: Sequence[bytes]) -> PackedAnswers:
    states = bytearray()
    columns = [array("i"), array("i"), array("i"), array("i")]
    tables = app.tables.of(game)
    acceptable = [key or b"\0" for key in keys]  # a store refuses to look for nothing at all
    for key, data in zip(keys, app.store.get_many(game.name, acceptable), strict=True):
        try:
            here = stand(game, game.position(key), data, tables)
        except InvalidKeyError:
            states.append(INVALID)
            numbers = (-game.highest_value, game.highest_value, 0, 0)
        else:
            states.append(
                (LOWER_KNOWN if here.value.lower_known else 0)
                | (UPPER_KNOWN if here.value.upper_known else 0)
                | (STORED if here.record is not None else 0)
                | (TERMINAL if here.terminal else 0)
            )
            numbers = (here.value.lower, here.value.upper, here.lower_rank, here.upper_rank)
        for column, number in zip(columns, numbers, strict=True):
            column.append(number)
    if byteorder == "big":
        for column in columns:
            column.byteswap()
    return PackedAnswers(len(keys), bytes(states), *(column.tobytes() for column in columns))


def _check_size(app: Application, count: int) -> None:
    largest = app.limits.batch_size
    if count > largest:
        raise LimitExceededError(
            f"a batch of {count} positions: at most {largest} are accepted; send several batches or a stream",
            limit="batch_size",
            largest=largest,
            field="positions",
        )
