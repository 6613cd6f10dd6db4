"""The conformance suite of stores, read over the wire.

What is stored behind a server has to come back through it record by record. The service takes only sound records, and
the suite's are not, so they are put into the store directly; all reading goes over gRPC.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import ClassVar, NoReturn

import pytest
from services import serving

from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.service.answers import Claim as ClaimAnswer
from proofbase.service.application import Application
from proofbase.service.client import Client, connect
from proofbase.storage import (
    Audit,
    Capability,
    Claim,
    Evidence,
    GameEntry,
    Job,
    MalformedRecordError,
    PutResult,
    Record,
    Side,
    SolutionStore,
    Source,
    StoreClosedError,
    UnsupportedOperationError,
    encode_record,
    line_payload,
    open_store,
    search_payload,
    table_payload,
)
from proofbase.storage.testing import StoreConformance

GAME = "connect-four"


class WireStore(SolutionStore):
    """Reads through a client."""

    capabilities: ClassVar[frozenset[Capability]] = frozenset(
        {Capability.PUT, Capability.SCAN, Capability.GENERATION, Capability.FINGERPRINT, Capability.SOURCES}
    )
    read_only = False

    def __init__(self, client: Client, behind: SolutionStore) -> None:
        self.url = client.target
        self._client: Client | None = client
        self._behind = behind

    @property
    def client(self) -> Client:
        if self._client is None:
            raise StoreClosedError("closed")
        return self._client

    def games(self) -> list[GameEntry]:
        return [GameEntry(e.name, e.rules_version, e.records) for e in self.client.games() if e.records]

    def get_many(
        self, game: str, keys: Iterable[bytes], faults: list[MalformedRecordError] | None = None
    ) -> list[bytes | None]:
        rules = open_game(game)

        def read(key: bytes) -> bytes | None:
            position = rules.position(key)
            claims = self.client.lookup(game, key).claims

            def stored(claim: ClaimAnswer) -> Claim:
                evidence = Evidence[claim.evidence.upper()]
                payload = {
                    Evidence.CHILDREN: lambda: b"",
                    Evidence.TABLE: lambda: table_payload(claim.table or ""),
                    Evidence.LINE: lambda: line_payload(claim.line),
                    Evidence.SEARCH: lambda: search_payload(claim.search_nodes),
                    Evidence.SEARCH_TO_LIMITS: lambda: search_payload(claim.search_nodes),
                }[evidence]()
                witness = None if claim.witness is None else rules.parse_move(position, claim.witness)
                [source] = claim.sources
                return Claim(Side[claim.side.upper()], claim.bound, claim.rank, evidence, witness, payload, source)

            return encode_record(Record(tuple(map(stored, claims)))) if claims else None

        return [read(key) for key in keys]

    def put_many(
        self,
        game: str,
        items: Iterable[tuple[bytes, bytes]],
        *,
        source: str,
        rules_version: int,
        whole: bool = False,
        instead_of: Mapping[bytes, Collection[Claim]] | None = None,
        removals: int | None = None,
    ) -> PutResult:
        assert self.client
        return self._behind.put_many(
            game,
            items,
            source=source,
            rules_version=rules_version,
            whole=whole,
            instead_of=instead_of,
            removals=removals,
        )

    def scan(
        self,
        game: str,
        *,
        after: bytes | None = None,
        limit: int | None = None,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        client, count = self.client, 0
        if limit is not None and limit < 0:
            raise ValueError(f"a limit of {limit}")
        text = b"".join(client.export(game, form="csv")).decode()
        for key in dict.fromkeys(bytes.fromhex(row["key"]) for row in csv.DictReader(io.StringIO(text))):
            if (after is None or key > after) and (limit is None or count < limit):
                count += 1
                data = self.get_many(game, [key])[0]
                assert data is not None
                yield key, data

    def count(self, game: str) -> int:
        return next((entry.records for entry in self.games() if entry.name == game), 0)

    def generation(self, game: str) -> int:
        return next((entry.generation for entry in self.client.statistics().games if entry.game == game), 0)

    def sources(self, first: int = 1) -> list[Source]:
        found = [Source(entry.number, entry.text, entry.created) for entry in self.client.statistics().sources]
        return found[first - 1 :]

    def close(self) -> None:
        self._client = None

    def _lacking(self) -> NoReturn:
        raise UnsupportedOperationError("not over the wire")

    def removals(self, game: str) -> int:
        self._lacking()

    def quarantine(self, game: str, keys: Iterable[bytes], reason: str) -> int:
        self._lacking()

    def quarantined(self, game: str) -> Iterator[tuple[bytes, bytes, str]]:
        self._lacking()

    def scan_below(
        self,
        game: str,
        roots: Iterable[bytes],
        children: Callable[[list[bytes]], Iterable[bytes]],
        *,
        faults: list[MalformedRecordError] | None = None,
    ) -> Iterator[tuple[bytes, bytes]]:
        self._lacking()

    def fingerprint(self, game: str) -> int | None:
        texts = [entry.fingerprint for entry in self.client.statistics().games if entry.game == game]
        return None if None in texts else int("".join(text for text in texts if text) or "0", 16)

    def audit(self, game: str, progress: Callable[[int], object] | None = None) -> Audit:
        self._lacking()

    def recount(self, game: str, audit: Audit) -> bool:
        self._lacking()

    def put_job(self, job: Job) -> None:
        self._lacking()

    def replace_job(self, job: Job, updated: float) -> bool:
        self._lacking()

    def get_job(self, job_id: str) -> Job | None:
        self._lacking()

    def list_jobs(
        self,
        states: Collection[str] | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        before: str | tuple[float, str] | None = None,
    ) -> list[Job]:
        self._lacking()

    def prune_jobs(self, states: Collection[str], *, updated_before: float, keep: int) -> int:
        self._lacking()

    def append_checkpoint(self, job_id: str, chunk: bytes) -> None:
        self._lacking()

    def checkpoint(self, job_id: str) -> Iterator[bytes]:
        self._lacking()

    def drop_checkpoint(self, job_id: str) -> None:
        self._lacking()


class TestWireStore(StoreConformance):
    games: ClassVar[tuple[str, str]] = (GAME, "connect-four:5x4")
    highest_value: ClassVar[int] = 1
    _keys: ClassVar[list[bytes]] = []

    @pytest.fixture
    def store(self) -> Iterator[SolutionStore]:
        with Application(open_store("memory:")) as app, serving(app) as address, connect(address) as client:
            yield WireStore(client, app.resources.store)

    def key(self, number: int) -> bytes:
        """Canonical keys of positions in which every column is open, ascending."""
        if not self._keys:
            game = open_game(GAME)
            texts = [a + b + c + d for a in "1234567" for b in "1234567" for c in "1234567" for d in "1234567"]
            self._keys[:] = sorted({game.key(read_position(game, text)) for text in texts})
        return self._keys[number]
