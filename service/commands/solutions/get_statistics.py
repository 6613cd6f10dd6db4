"""Counts of what a store holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from proofbase.engine.errors import InvalidKeyError
from proofbase.engine.records import decode_stored
from proofbase.engine.rules import Game
from proofbase.service.answers import Census, Cut, GameStatistics, Statistics, TableCount, TableInfo
from proofbase.service.answers.bounds import first_page
from proofbase.service.errors import InvalidRequestError
from proofbase.service.limits import PAGE_BYTES
from proofbase.service.resources import Resources
from proofbase.service.resources.table_counts import Counts
from proofbase.service.resources.verifications import game_verification
from proofbase.storage import GameEntry

__all__ = ["get_statistics"]

MOST_VALUES = 10_000
"""Different values that one census counts."""


def get_statistics(
    resources: Resources,
    game_name: str | None = None,
    *,
    census: bool = False,
    continuation: str | None = None,
    histograms: bool = False,
) -> Statistics:
    """Counts of records, tables, sources and jobs.

    Args:
        resources: the store and what belongs to it.
        game_name: only this game; None for all.
        census: also count the game's claims by kind, reading its records up to the service's limit.
        continuation: from the cut of the census before.
        histograms: also count the positions of the game's tables by value and plies.

    Raises:
        InvalidRequestError: a census or histograms without a game, or a continuation without a census.
        UnknownGameError: no such game.
    """
    if census and game_name is None:
        raise InvalidRequestError("a census needs a game", field="game")
    if histograms and game_name is None:
        raise InvalidRequestError("histograms need a game", field="game")
    if continuation and not census:
        raise InvalidRequestError("only a census can be continued", field="continuation")
    store = resources.store
    entries = store.games()
    if game_name is not None:
        # A user's game may be stored that is not registered here: its counts need no rules.
        known = {entry.name: entry for entry in entries}
        name = game_name if game_name in known else resources.games.open(game_name).name
        entries = [known.get(name) or GameEntry(name, 0, 0, fingerprint=0)]
    sources = resources.sources.all()
    listed, more_games = first_page((_of_game(resources, entry) for entry in entries), room=PAGE_BYTES // 4)
    if game_name is not None:
        listed = [replace(game, verification=game_verification(store, game.game)) for game in listed]
    newest, more_sources = first_page(reversed(sources), room=PAGE_BYTES // 4)
    cut = None
    if more_games or more_sources:
        cut = Cut(
            "bytes",
            f"{len(listed)} of {len(entries)} games and the newest {len(newest)} of {len(sources)} sources are listed; "
            "ask for other games one by one",
        )
    return Statistics(
        games=tuple(listed),
        sources=tuple(reversed(newest)),
        jobs=store.count_jobs(),
        store=store.url,
        read_only=store.read_only,
        census=_census(resources, entries[0].name, continuation) if census else None,
        cut=cut,
        package=resources.package,
        tables=_tables(resources, None if game_name is None else entries[0].name, histograms=histograms),
    )


def _tables(resources: Resources, game: str | None, *, histograms: bool) -> tuple[TableInfo, ...]:
    files = [
        (file, damage)
        for file, damage in resources.tables.files(resources.games)
        if game is None or file.game in (None, game)
    ]
    counts: dict[str, Counts] = {}
    if histograms and game is not None:
        of_game = [file for file, damage in files if file.game == game and damage is None]
        counts = resources.table_counts.of(resources.games.open_python(game), of_game) if of_game else {}
    return tuple(
        TableInfo(file.name, file.game, file.entries, file.size, damage, _histogram(counts.get(file.name, {})))
        for file, damage in files
    )


def _histogram(counts: Counts) -> tuple[TableCount, ...]:
    by_value = sorted(counts.items(), key=lambda entry: (entry[0][0], entry[0][1] or 0))
    return tuple(TableCount(value, entries, plies) for (value, plies), entries in by_value)


def _of_game(resources: Resources, entry: GameEntry) -> GameStatistics:
    return GameStatistics(
        game=entry.name,
        records=entry.records,
        quarantined=entry.quarantined,
        generation=entry.generation,
        cached=resources.cache.cached(entry.name),
        fingerprint=None if entry.fingerprint is None else f"{entry.fingerprint:016x}",
    )


def _census(resources: Resources, name: str, continuation: str | None) -> Census:
    game = resources.games.open(name)
    exact: Counter[int] = Counter()
    evidence: Counter[str] = Counter()
    records = claims = still_open = highest_rank = size = 0
    limit = resources.limits.census_records
    request = f"census {name}"
    last = after = resources.continuations.read(request, continuation) if continuation else None
    for key, data in resources.store.scan(name, after=after, limit=limit):
        record = decode_stored(name, key, data)
        records, size, last = records + 1, size + len(key) + len(data), key
        claims += len(record.claims)
        value = record.value(game.highest_value)
        if value is None:
            value = record.value(_limit(game, key))
        if value is None:
            still_open += 1
        else:
            exact[value] += 1
        for claim in record.claims:
            evidence[claim.evidence.name.lower()] += 1
            highest_rank = max(highest_rank, claim.rank)
        if len(exact) == MOST_VALUES:
            break
    cut = None
    if (
        (records == limit or len(exact) == MOST_VALUES)
        and last is not None
        and any(True for _ in resources.store.scan(name, after=last, limit=1))
    ):
        token = resources.continuations.write(request, last)
        cut = Cut("count", f"the census stops after {records} records: go on with the continuation, and add up", token)
    return Census(records, claims, dict(exact), still_open, dict(evidence), highest_rank, size, cut)


def _limit(game: Game[Any], key: bytes) -> int:
    """The limit of the value of a key's position. A key without a position is a matter for the verification."""
    try:
        return game.limit(game.position(key))
    except InvalidKeyError:
        return game.highest_value
