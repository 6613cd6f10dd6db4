"""A package as a service reads it: a record is handed out when it has passed its local check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from proofbase.engine.checking.local_check import Finding, LocalCheck
from proofbase.engine.rules import Game
from proofbase.service.resources.games import GameCache
from proofbase.service.resources.native import is_native, new_record_table
from proofbase.service.resources.tables import OpenTables
from proofbase.storage import MalformedRecordError, SolutionStore
from proofbase.storage.package import PackageStore

__all__ = ["CheckedPackage"]

CHUNK = 2_000
"""Records of a scan that are checked together."""


class CheckedPackage(PackageStore):
    """A package, whose records are the word of a stranger: each one is checked with the records after its moves.

    These are read for it, and not checked in turn; `proofbase check-package` checks all records. One that fails is
    treated as a damaged one is: it is never handed out.

    Args:
        package: is read; closing this closes it.
        games: opens the games by name.
        tables: what claims may rest on beside the records.
    """

    def __init__(self, package: SolutionStore, games: GameCache, tables: OpenTables) -> None:
        assert isinstance(package, PackageStore)
        vars(self).update(vars(package))
        self._games = games
        self._tables = tables

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        wanted = list(keys)
        records = super().get_many(game, wanted, faults)
        failing = self._failing(
            game, {key: data for key, data in zip(wanted, records, strict=True) if data is not None}
        )
        if failing and faults is None:
            raise next(iter(failing.values()))
        (faults if faults is not None else []).extend(failing.values())
        return [None if key in failing else data for key, data in zip(wanted, records, strict=True)]

    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        items = super().scan(game, after=after, limit=limit, faults=faults)
        while chunk := dict(islice(items, CHUNK)):
            failing = self._failing(game, chunk)
            if failing and faults is None:
                raise next(iter(failing.values()))
            (faults if faults is not None else []).extend(failing.values())
            yield from (item for item in chunk.items() if item[0] not in failing)

    def _failing(self, name: str, records: dict[bytes, bytes]) -> dict[bytes, MalformedRecordError]:
        """What is wrong with records, by key."""
        if not records:
            return {}
        game = self._games.open(name)
        failing = dict[bytes, MalformedRecordError]()
        for finding in self._findings(game, records):
            claim = "" if finding.claim is None else f"{finding.claim}: "
            failing.setdefault(
                finding.key,
                MalformedRecordError(
                    f"the package {self.url} holds a record of {_text(game, finding.key)} that fails its check and is "
                    f"not served: {claim}{finding.rule}: {finding.detail}",
                    game=name,
                    key=finding.key,
                ),
            )
        return failing

    def _findings(self, game: Game[Any], records: dict[bytes, bytes]) -> list[Finding]:
        def stored(keys: list[bytes]) -> list[bytes | None]:
            return PackageStore.get_many(self, game.name, keys, [])

        if not is_native(game) or self.packed_tables(game.name) is not None:
            rules = self._games.open_python(game.name)  # the tables of a package are read by these
            return list(LocalCheck(rules, self._tables.of(rules)).findings(list(records.items()), stored))
        table = new_record_table(game, self._tables.of(game))
        faults: list[Finding] = []
        table.load(records.items(), faults)
        malformed = {finding.key for finding in faults}
        keys = [key for key in records if key not in malformed]
        children, after = table.missing(keys), new_record_table(game)
        present = zip(children, stored(children), strict=True)
        after.load([(key, data) for key, data in present if data is not None], [])
        return faults + table.check_with(after, keys).findings


def _text(game: Game[Any], key: bytes) -> str:
    try:
        return game.text(game.position(key))
    except ValueError:
        return f"the key {key.hex()}"
