"""Certificates of several games with every kind of evidence, and changed ones that were sealed again.

What a mutant is follows from a seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from certificates import certificate, cyclic_game, ending_certificate, sealed
from reference_records import exact_records

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import broken_evidence, line_reaches, read_record
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import (
    Claim,
    Evidence,
    Mark,
    Record,
    Side,
    Strategy,
    decode_record,
    encode_record,
    line_payload,
    pairing_payload,
    strategy_payload,
)
from proofbase.engine.records.varint import encode_varint
from proofbase.engine.rules import Game

__all__ = ["SUBJECTS", "Subject", "is_true", "items_of", "mutants", "record_changed"]

Items = list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Subject:
    """A certificate to be changed.

    Attributes:
        game: its rules in plain Python.
        data: the valid certificate.
        keys: of all positions below its root, the finished ones too.
        known: true values by key, as far as they were asked for.
    """

    game: Game[Any]
    data: bytes
    keys: tuple[bytes, ...]
    known: dict[bytes, int]

    def worth(self, key: bytes) -> int:
        """The true value of a position, by brute force."""
        if key not in self.known:
            graph = explore(self.game, self.game.position(key))
            self.known.update(zip(graph.keys, values(graph), strict=True))
        return self.known[key]


def _subject(game: Game[Any], root: Any, data: bytes) -> Subject:
    graph = explore(game, root)
    return Subject(game, data, tuple(graph.keys), dict(zip(graph.keys, values(graph), strict=True)))


@cache
def tic_tac_toe() -> Subject:
    """Evidence by children and by small searches."""
    game = open_rules("tic-tac-toe")
    return _subject(game, game.parse("xo./.x./..o"), ending_certificate(game))


@cache
def forcing_lines() -> Subject:
    """Tic-tac-toe with evidence by lines for wins in three plies, and for losses in four."""
    game = open_rules("tic-tac-toe")
    root = game.parse("xo./.x./...")
    records = exact_records(game, root)
    changed = {key: encode_record(Record.of(_by_lines(game, key, record))) for key, record in records.items()}
    return _subject(game, root, certificate(game, root, changed))


def _by_lines(game: Game[Any], key: bytes, record: bytes) -> Iterator[Claim]:
    position = game.position(key)
    for claim in decode_record(record).claims:
        if claim.witness is not None and claim.bound == 1 and claim.rank in (1, 3):
            line = next(_lines(game, position, claim.rank, claim.witness), None)
            if line is not None:
                claim = replace(claim, evidence=Evidence.LINE, payload=line_payload(line))
        elif claim.witness is None and claim.bound == -1 and claim.rank == 4:
            children = [game.play(position, move) for move in game.moves(position)]
            found = [next(_lines(game, child, 3, None), None) for child in children if game.terminal(child) is None]
            numbers = [number for line in {line for line in found if line} for number in (len(line), *line)]
            claim = replace(claim, evidence=Evidence.LINE, payload=line_payload(numbers))
        yield claim


def _lines(game: Game[Any], position: Any, plies: int, first: int | None) -> Iterator[tuple[int, ...]]:
    """Lines of so many plies that win."""
    for move in game.moves(position) if first is None else [first]:
        if plies == 1:
            tails: list[tuple[int, ...]] = [()]
        else:
            after = game.play(position, move)
            tails = [(reply, last) for reply in game.moves(after) for last in range(9) if last not in (move, reply)]
        for tail in tails:
            if line_reaches(game, position, 1, (move, *tail)):
                yield (move, *tail)


@cache
def connect_four() -> Subject:
    game = open_rules("connect-four:4x3")
    root = game.parse("x.o./o.x./xoxo")
    return _subject(game, root, certificate(game, root, exact_records(game, root)))


@cache
def strategies() -> Subject:
    """Connect-four with evidence by a strategy wherever the usual marks are enough, or a mark more."""
    return _with_strategies("connect-four:4x3", "..../o.x./xoxo")


@cache
def strategies_on_nine_cells() -> Subject:
    return _with_strategies("tic-tac-toe", "xo./.x./..o")


def _with_strategies(name: str, text: str) -> Subject:
    game = open_rules(name)
    root = game.parse(text)
    records = exact_records(game, root)
    changed = {key: encode_record(Record.of(_by_strategies(game, key, record))) for key, record in records.items()}
    return _subject(game, root, certificate(game, root, changed))


def _by_strategies(game: Game[Any], key: bytes, record: bytes) -> Iterator[Claim]:
    for claim in decode_record(record).claims:
        lower = claim.side == Side.LOWER
        marks = [(), *(((square, mark),) for square in range(15) for mark in (Mark.URGENT, Mark.LOW))]
        others = [
            replace(claim, evidence=Evidence.STRATEGY, payload=strategy_payload(Strategy((), marked), lower=lower))
            for marked in marks
        ]
        yield next((other for other in others if _holds(game, key, other)), claim)


def _holds(game: Game[Any], key: bytes, claim: Claim) -> bool:
    """Whether the evidence of a claim holds, whatever the children's claims are."""
    [read] = read_record(encode_record(Record.of([claim])))
    return not broken_evidence(game, game.position(key), read, None, False)


@cache
def pairings() -> Subject:
    """Go-moku with rows of exactly three, with evidence by a pairing wherever two neighbouring pairs are enough."""
    game = open_rules("gomoku:5x4-3,standard")
    root = game.parse(".ox.x/oo.oo/.xx.x/xoxo.")
    records = exact_records(game, root)
    changed = {key: encode_record(Record.of(_by_pairings(game, key, record))) for key, record in records.items()}
    return _subject(game, root, certificate(game, root, changed))


def _by_pairings(game: Game[Any], key: bytes, record: bytes) -> Iterator[Claim]:
    position = game.position(key)
    pairs = list(combinations(game.moves(position), 2))
    chosen = [
        (),
        *((pair,) for pair in pairs),
        *(two for two in combinations(pairs, 2) if len({*two[0], *two[1]}) == 4),
    ]
    for claim in decode_record(record).claims:
        others = [
            replace(claim, evidence=Evidence.PAIRING, rank=len(game.moves(position)), payload=pairing_payload(some))
            for some in chosen
        ]
        yield next((other for other in others if _holds(game, key, other)), claim)


@cache
def connect_four_with_scores() -> Subject:
    """The values below the root are -3 to 3."""
    game = open_rules("connect-four:5x3,score")
    root = game.parse(".x.../.xxx./oooxo")
    return _subject(game, root, certificate(game, root, exact_records(game, root)))


@cache
def gomoku() -> Subject:
    """Rows of three and no more: overlines are on the board, and come about below the root."""
    game = open_rules("gomoku:5x4-3,standard")
    root = game.parse("xo.xo/x..x./oooo./xxxxo")
    return _subject(game, root, certificate(game, root, exact_records(game, root)))


@cache
def awari() -> Subject:
    """An endgame of three stones: captures and repetition."""
    game = open_rules("awari")
    root = game.parse("0,0,0,0,0,0/1,0,0,0,0,2/S")
    return _subject(game, root, certificate(game, root, exact_records(game, root)))


@cache
def graph_with_cycles() -> Subject:
    """Cycles, rewards, many values; safety and progress claims."""
    game = open_rules("random-graph:nodes=60,ends=15,values=3,rewards=2,group=10,repetition=1,seed=5")
    return _subject(game, game.initial(), certificate(game, game.initial(), exact_records(game)))


@cache
def users_game() -> Subject:
    """A game that is not built in: a graph with cycles and rewards."""
    game = cyclic_game()
    return _subject(game, 0, certificate(game, 0, exact_records(game)))


SUBJECTS: dict[str, Callable[[], Subject]] = {
    "tic-tac-toe": tic_tac_toe,
    "forcing lines": forcing_lines,
    "connect-four": connect_four,
    "connect-four with scores": connect_four_with_scores,
    "strategies": strategies,
    "strategies on nine cells": strategies_on_nine_cells,
    "pairings": pairings,
    "gomoku": gomoku,
    "awari": awari,
    "graph with cycles": graph_with_cycles,
    "user's game": users_game,
}


def is_true(subject: Subject, data: bytes) -> bool:
    """Whether the header and every claim of a certificate are true, by brute force."""
    header = json.loads(data.split(b"\n", 2)[1])
    items = items_of(data)
    root = subject.game.parse(header["root"])
    claims = [(subject.worth(key), claim) for key, record in items for claim in decode_record(record).claims]
    claims += [
        (subject.worth(subject.game.key(root)), Claim(side, bound, 0, witness=0 if side == Side.LOWER else None))
        for side, bound in ((Side.LOWER, header["lower"]), (Side.UPPER, header["upper"]))
        if bound is not None
    ]
    return all(claim.bound <= worth if claim.side == Side.LOWER else claim.bound >= worth for worth, claim in claims)


# --- Mutants ---------------------------------------------------------------------------------------------------------
def mutants(subject: Subject, seed: object, number: int) -> Iterator[bytes]:
    """Changed certificates, sealed again."""
    random = Random(f"mutants {seed}")
    kinds = (_bytes_changed, _header_changed, _header_changed, _records_changed, _records_changed, _records_changed)
    for _ in range(number):
        data = random.choice(kinds)(subject, random)
        while random.random() < 0.15:
            data = _records_changed(replace(subject, data=data), random)
        yield data


def _bytes_changed(subject: Subject, random: Random) -> bytes:
    data = bytearray(subject.data)
    place = random.randrange(24 if random.random() < 0.9 else 0, len(data) - 32)
    match random.randrange(5):
        case 0:
            data[place] ^= 1 << random.randrange(8)
        case 1:
            data[place] = random.randrange(256)
        case 2:
            data.insert(place, random.randrange(256))
        case 3:
            del data[place : place + random.randrange(1, 9)]
        case 4:
            data[place:place] = data[place : place + random.randrange(1, 40)]
    return sealed(bytes(data))


def _header_changed(subject: Subject, random: Random) -> bytes:
    first, line, body = subject.data.split(b"\n", 2)
    try:
        header = json.loads(line)
    except ValueError:
        return subject.data
    key = random.choice(subject.keys)
    try:
        position = subject.game.position(key)
        other = {"root": subject.game.text(position), "root_key": key.hex()}
    except ValueError:  # a finished position may have a key that the game reads, too
        other = {"root": header["root"], "root_key": key.hex()}
    terminal = subject.game.terminal(subject.game.parse(other["root"]))
    numbers = [None, 0, 1, -1, 2, 2**31, True, "1", 1.0]
    changes = random.choice(
        [
            {random.choice(("lower", "upper")): random.choice(numbers)},
            {"lower": random.choice(numbers), "upper": random.choice(numbers)},
            other,
            {**other, "lower": None, "upper": None},
            {**other, "lower": terminal, "upper": terminal},
            {**other, "lower": random.choice((-1, 0, 1)), "upper": random.choice((-1, 0, 1))},
            {"root": header["root"][::-1] if isinstance(header["root"], str) else ""},
            {"root": str(header["root"]) + random.choice((" ", "\n", "x", "\ud800", "é"))},
            {"root_key": str(header["root_key"]).upper()},
            {"root_key": f" {header['root_key']}"},
            {"game": f"{header['game']}:"},
            {"game": str(header["game"]).upper()},
            {"game": {"connect-four:4x3": "connect-four:04x3"}.get(header["game"], f"{header['game']} ")},
            {"game": f"{header['game']},degree=4"},
            {"rules_version": random.choice([0, 2, -1, True, None])},
            {"records": random.choice([0, -1, header["records"] + 1 if isinstance(header["records"], int) else 0])},
            {"author": "somebody"},
        ]
    )
    changed = json.dumps({**header, **changes}, sort_keys=True, separators=(",", ":")).encode()
    if random.random() < 0.05:
        changed = random.choice(
            [changed.replace(b",", b", ", 1), changed + b" ", changed.replace(b'"game"', b'"g\\u0061me"')]
        )
    return sealed(first + b"\n" + changed + b"\n" + body)


def items_of(data: bytes) -> Items:
    """The items of a certificate whose body can be read; as far as it can."""
    items: Items = []
    body = data.split(b"\n", 2)[2][:-32] if data.count(b"\n") >= 2 else b""
    offset = 0
    while offset < len(body):
        pair = []
        for _ in range(2):
            size = shift = 0
            while offset < len(body):
                byte, offset = body[offset], offset + 1
                size |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            pair.append(body[offset : offset + size])
            offset += size
        items.append((pair[0], pair[1]))
    return items


def _records_changed(subject: Subject, random: Random) -> bytes:
    """Some records changed; header and counts mostly follow them."""
    items = dict(items_of(subject.data))
    if not items:
        return subject.data
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        key = random.choice(list(items) or [b""])
        if items and random.random() < 0.3:  # a record with lines, if there is one
            key = max(random.sample(list(items), min(20, len(items))), key=lambda key: len(items[key]))
        match random.randrange(8):
            case 0:
                items.pop(key, None)
            case 1:
                items[random.choice(subject.keys)] = items.get(key, b"")
            case 2:
                items[
                    random.choice((key[::-1], key + b"\0", key[:-1], bytes([key[0] ^ 1]) + key[1:] if key else b""))
                ] = items.get(key, b"")
            case 3:
                record = bytearray(items.get(key, b"") or b"\x11")
                record[random.randrange(len(record))] ^= 1 << random.randrange(8)
                items[key] = bytes(record)
            case _:
                items[key] = record_changed(items.get(key, b""), random)
    ordered = sorted(items.items())
    if random.random() < 0.03:
        random.shuffle(ordered)
    body = b"".join(encode_varint(len(k)) + k + encode_varint(len(r)) + r for k, r in ordered)
    first, line, _ = subject.data.split(b"\n", 2)
    try:
        header = json.loads(line)
        if random.random() < 0.95:
            header["records"] = len(ordered)
        if random.random() < 0.8:
            header["lower"], header["upper"] = _bounds(items.get(bytes.fromhex(header["root_key"]), b""))
        line = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    except (ValueError, TypeError, KeyError):
        pass
    return sealed(first + b"\n" + line + b"\n" + body + bytes(32))


def _bounds(record: bytes) -> tuple[int | None, int | None]:
    try:
        decoded = decode_record(record)
    except ValueError:
        return None, None
    lower, upper = decoded.lower, decoded.upper
    return None if lower is None else lower.bound, None if upper is None else upper.bound


def record_changed(record: bytes, random: Random) -> bytes:
    """Claims changed, dropped or added, written without looking whether they make a record."""
    try:
        claims = [_fields(claim) for claim in decode_record(record).claims]
    except ValueError:
        claims = []
    for _ in range(random.choice((1, 1, 2))):
        match random.randrange(6):
            case 0 if claims:
                claims.pop(random.randrange(len(claims)))
            case 1:
                claims.append((random.randrange(2), 0, random.choice((-1, 0, 1)), random.randrange(6), 0, b""))
            case _ if claims:
                number = random.randrange(len(claims))
                claims[number] = _claim_changed(claims[number], random)
    if random.random() < 0.9:
        claims.sort(key=lambda claim: (claim[0], claim[2] if claim[0] else -claim[2]))
    version = max(1, max((evidence - Evidence.SEARCH + 1 for _, evidence, *_ in claims), default=1))
    out = bytearray([version << 4 | len(claims) & 15])
    for side, evidence, bound, rank, witness, payload in claims:
        out.append(side | evidence << 1)
        out += encode_varint(2 * bound if bound >= 0 else -2 * bound - 1) + encode_varint(rank)
        out += (b"" if side else encode_varint(witness)) + payload
    if random.random() < 0.03:
        out += encode_varint(random.randrange(300)) * random.randrange(1, 4)  # sources, perhaps
    return bytes(out)


_Fields = tuple[int, int, int, int, int, bytes]
"""Side, evidence, bound, rank, witness, payload."""


def _fields(claim: Claim) -> _Fields:
    return claim.side, claim.evidence, claim.bound, claim.rank, claim.witness or 0, claim.payload


def _claim_changed(claim: _Fields, random: Random) -> _Fields:
    side, evidence, bound, rank, witness, payload = claim
    match random.randrange(7):
        case 0:
            bound += random.choice((-2, -1, 1, 2, 100, 2**29, -(2**29)))
        case 1:
            rank = min(max(0, rank + random.choice((-2, -1, 1, 2, 7, 2**20, 2**31))), 2**31 - 1)
        case 2:
            witness = random.choice(
                (min(witness + 1, 2**31 - 1), max(0, witness - 1), random.randrange(12), 255, 256, 2**31 - 1)
            )
        case 3:
            side = 1 - side
        case 4:
            rank, bound = random.randrange(5), random.choice((-1, 0, 1))
        case _:
            evidence, payload = _payload(evidence, payload, random)
    return side, evidence, max(-(2**30), min(bound, 2**30 - 1)), rank, witness, payload


def _payload(evidence: int, payload: bytes, random: Random) -> tuple[int, bytes]:
    if evidence == Evidence.LINE and random.random() < 0.7:
        numbers = list(payload[1:])
        place = random.randrange(len(numbers) + 1)
        match random.randrange(4):
            case 0 if numbers:
                numbers[place % len(numbers)] = random.randrange(10)
            case 1:
                numbers.insert(place, random.randrange(10))
            case 2:
                del numbers[place : place + 1]
            case 3:
                del numbers[place:]
        return evidence, line_payload(numbers)
    match random.randrange(5):
        case 0:
            return Evidence.CHILDREN, b""
        case 1:
            searched = random.choice((Evidence.SEARCH, Evidence.SEARCH_TO_LIMITS))
            return searched, encode_varint(random.choice((0, 1, 2, 5, 20, 100, 9_999, 10_000, 10_001)))
        case 2:
            name = random.choice(
                (b"", b"awari-6", b"\xff", "é".encode(), b"x" * 70_000 if random.random() < 0.1 else b"x")
            )
            return Evidence.TABLE, encode_varint(len(name)) + name
        case 3:
            return Evidence.LINE, line_payload(random.choices(range(9), k=random.randrange(5)))
        case _:
            line = random.choices(range(9), k=random.choice((1, 3)))
            return Evidence.LINE, line_payload([len(line), *line])
