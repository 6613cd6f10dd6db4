"""Certificates for the tests of their reader, their writer and their checker."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from random import Random
from typing import Any

from drawn_graphs import random_graph
from reference_records import exact_records

from proofbase.engine.checking.certificate import (
    certificate_chunks,
)
from proofbase.engine.checking.checker import small_search_visits
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import values
from proofbase.engine.records import (
    Evidence,
    Record,
    decode_record,
    encode_record,
    search_payload,
)
from proofbase.engine.records.varint import encode_varint
from proofbase.engine.rules import Game

__all__ = ["Records", "certificate", "cyclic_game", "ending_certificate", "sealed", "with_header", "with_records"]

Records = dict[bytes, bytes]


def certificate(game: Game[Any], root: Any, records: Records) -> bytes:
    return b"".join(certificate_chunks(game, root, sorted(records.items())))


def sealed(data: bytes) -> bytes:
    """The bytes with their last 32 replaced by the SHA-256 of the others."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def with_header(data: bytes, **changes: Any) -> bytes:
    first, line, body = data.split(b"\n", 2)
    header = {**json.loads(line), **changes}
    new = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    return sealed(first + b"\n" + new + b"\n" + body)


def with_records(data: bytes, records: Records) -> bytes:
    """The certificate with this body, whether it is one or not; its header keeps its bounds."""
    first, line, _ = data.split(b"\n", 2)
    items = (part for item in sorted(records.items()) for part in item)
    body = b"".join(encode_varint(len(part)) + part for part in items)
    return with_header(first + b"\n" + line + b"\n" + body + bytes(32), records=len(records))


def trimmed(game: Game[str], records: Records) -> Records:
    """The records with at least three empty cells; those with three are settled by small searches."""
    result = {}
    for key, record in records.items():
        position = game.position(key)
        empty = position.count(".")
        claims = decode_record(record).claims
        if empty == 3:
            searched = []
            for claim in claims:
                start, bound, depth = position, claim.bound, claim.rank
                if claim.witness is not None:
                    start, bound, depth = game.play(position, claim.witness), -claim.bound, claim.rank - 1
                nodes = small_search_visits(game, start, bound, depth, 10_000)
                assert nodes is not None
                searched.append(replace(claim, evidence=Evidence.SEARCH, payload=search_payload(nodes)))
            claims = tuple(searched)
        if empty >= 3:
            result[key] = encode_record(Record(claims))
    return result


def ending_certificate(game: Game[str]) -> bytes:
    """A certificate of a position of tic-tac-toe with five empty cells, with evidence by children and by search."""
    root = game.parse("xo./.x./..o")
    return certificate(game, root, trimmed(game, exact_records(game, root)))


def cyclic_game() -> ExplicitGame:
    """A graph with a cycle, rewards, and safety as well as progress claims in its records."""
    for number in range(1000):
        graph = random_graph(Random(number), 12, rewards=2, rho=1, highest_terminal=2)
        game = ExplicitGame(graph, max(1, *map(abs, values(graph))))
        claims = [claim for record in exact_records(game).values() for claim in decode_record(record).claims]
        if len(claims) >= 14 and sum(claim.rank == 0 for claim in claims) >= 4 and sum(c.rank > 1 for c in claims) >= 4:
            return game
    raise AssertionError("no such graph")
