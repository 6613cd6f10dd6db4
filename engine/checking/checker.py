"""Checks a certificate by the rules of its game, and by nothing else of proofbase.

    python -m proofbase.engine.checker FILE [--rules MODULE:CLASS] [--tables DIRECTORY] [--zones] [--json]

Reads the format itself (docs/certificate.md), compressed by xz or not, and makes the local check of every claim itself
(docs/fact-model.md). It imports the games in plain Python and the standard library. When it finds nothing, every bound
is true, whatever program wrote it. (With --tables: if they are right; with --zones: by the theorem of docs/zones.md.)

Exit status: 0 valid, 1 not valid, 2 usage, 3 the file or the rules could not be read.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import runpy
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from proofbase.engine.rules import Game, open_rules
from proofbase.engine.rules.squares import SquareRules
from proofbase.engine.rules.tables.table_values import TableValues
from proofbase.engine.rules.threats import ThreatRules

__all__ = ["Finding", "Result", "check_certificate", "check_record", "main", "read_certificate", "uncompressed"]

FIRST_LINE, XZ = b"proofbase certificate 1\n", b"\xfd7zXZ\0"
MOST_COMPRESSED, DECODER = 1 << 28, 80 << 20  # bytes that a compressed certificate holds; of the decoder's memory
FIELDS = {"game": str, "rules_version": int, "root": str, "root_key": str, "records": int, "lower": int, "upper": int}
EVIDENCE = ("children", "table", "line", "search", "threats", "strategy", "search to limits", "pairing")
SEARCHES = ("search", "search to limits")
MOST_NODES, LONGEST_KEY = 10_000, 255  # of a small search, positions of a strategy; bytes
LONGEST_RECORD = LONGEST_HEADER = 65_536  # bytes; of the header with its line feed
DEEPEST = 200  # moves of the attacker in a threat tree, one below the other
Rules = Game[Any]
Records = dict[bytes, list["Claim"]]
Squares = int  # a set with a bit for each square


class Finding(NamedTuple):
    """One thing that is wrong: where (empty for the file as a whole), with which claim, and which rule it breaks."""

    key: str
    position: str
    claim: str
    rule: str


class Tree(Protocol):
    """A threat tree: the attacker's move, None where the position ends, and by reply, ascending, what follows."""

    @property
    def move(self) -> int | None: ...
    @property
    def replies(self) -> Sequence[tuple[int, Tree]]: ...


class Node(NamedTuple):
    move: int | None
    replies: list[tuple[int, Node]]
    plies: int  # until the attacker has won, at the latest


ENDS = Node(None, [], 3)


class Threats(NamedTuple):
    """The payload of a claim by threats."""

    named: list[int]
    trees: dict[int, Node]  # by the reply that they answer; -1: against a pass, or the tree of a lower claim


class Strategy(NamedTuple):
    """The payload of a claim by a strategy."""

    named: list[int]
    marks: dict[int, int]  # by square


class Claim(NamedTuple):
    side: str
    bound: int
    rank: int
    witness: int | None
    evidence: str
    nodes: int
    table: str = ""
    lines: tuple[tuple[int, ...], ...] = ()
    threats: Threats | None = None
    strategy: Strategy | None = None
    pairs: tuple[tuple[int, int], ...] = ()  # of squares, of a pairing

    def __str__(self) -> str:
        return f"{self.side} {self.bound} rank {self.rank} witness {self.witness} by {self.evidence}"


class Result(NamedTuple):
    """What a check found. `header` is empty when it could not be read."""

    header: dict[str, Any]
    records: int
    claims: int
    findings: list[Finding]
    no_win_within: int = 0
    """In `within:N:GAME` the most plies, fewer than at the root, within which the records say that there is no win."""
    tables: tuple[str, ...] = ()
    """Names of those that claims rest on."""

    @property
    def valid(self) -> bool:
        return not self.findings


def check_certificate(data: bytes, game: Any = None, tables: Path | None = None, zones: bool = False) -> Result:
    """Checks the bytes of a whole certificate by the given rules, or by those of the built-in game that it names.

    They may be compressed by xz.
    """
    result, game, records = read_certificate(data, game)
    values = TableValues(game, tables) if game and tables else None
    for key, claims in records.items():
        result.findings.extend(check_record(game, key, claims, records, values, zones))
    return result


def read_certificate(data: bytes, game: Rules | None = None) -> tuple[Result, Any, Records]:
    """Reads a certificate and checks its header: it is valid if `check_record` finds nothing in its records either."""
    header, findings = dict[str, Any](), list[Finding]()
    try:
        data = uncompressed(data)
    except ValueError as error:
        return Result(header, 0, 0, [Finding("", "", "", str(error))]), None, {}
    try:
        header, start = read_header(data)
        game = game or open_rules(header["game"])
        if (header["game"], header["rules_version"]) != (game.name, game.rules_version):
            raise ValueError(f"these rules are {game.name!r}, version {game.rules_version}; it needs others")
        root = game.parse(header["root"])
        if (game.text(root), game.key(root).hex()) != (header["root"], header["root_key"]):
            raise ValueError(f"the root is not as the rules write it, or its key is not {game.key(root).hex()}")
        records = read_body(data[start:-32], header["records"])
        claimed, value = records.get(game.key(root), []), game.terminal(root)
    except Exception as error:  # a malformed file, an unknown game, or whatever a user's rules raise
        return Result(header, 0, 0, [Finding("", "", "", str(error) or type(error).__name__)]), None, {}
    for side in ("lower", "upper"):
        bound = next((claim.bound for claim in claimed if claim.side == side), value)
        if header[side] != bound:
            findings.append(Finding("", header["root"], f"{side} {header[side]}", f"header: the records say {bound}"))
    refuted = plies_without_win(game, game.key(root), records)
    tables = sorted({claim.table for claims in records.values() for claim in claims if claim.table})
    counts = len(records), sum(map(len, records.values()))
    return Result(header, *counts, findings, refuted, tuple(tables)), game, records


def uncompressed(data: bytes) -> bytes:
    """A certificate as it is, of one that xz may have compressed: in one stream, with nothing behind it."""
    if not data.startswith(XZ):
        return data
    try:
        lzma = importlib.import_module("lzma")
    except ImportError:  # some builds of Python leave it out
        raise ModuleNotFoundError("this Python has no module lzma: decompress the file by xz -d") from None
    decoder, parts, size, packed = lzma.LZMADecompressor(lzma.FORMAT_XZ, DECODER), list[bytes](), 0, data
    while not decoder.eof:
        try:
            parts.append(decoder.decompress(packed, 1 << 20))
        except lzma.LZMAError as error:
            raise ValueError(f"its compression by xz is damaged, or of another kind: {error}") from None
        packed, size = b"", size + len(parts[-1])
        if decoder.needs_input:
            raise ValueError("truncated: its compression by xz does not end")
        if size > MOST_COMPRESSED:
            raise ValueError(f"compressed by xz, it holds more than {MOST_COMPRESSED:,} bytes")
        if not parts[0].startswith(FIRST_LINE[: len(parts[0])]):
            break  # no certificate, however long it is
    if parts[0].startswith(XZ):
        raise ValueError("compressed twice: one layer of xz is read")
    if decoder.unused_data:
        raise ValueError("bytes after its compression by xz, which is one stream")
    return b"".join(parts)


def plies_without_win(game: Rules, root: bytes, records: Records) -> int:
    """See `Result.no_win_within`; 0 where nothing is said, and for games with rewards."""
    if not game.name.startswith("within:") or game.has_rewards():
        return 0
    for plies in range(int.from_bytes(root[-2:], "big") - 1, 0, -1):  # the plies that are left end the key
        claims = records.get(root[:-2] + plies.to_bytes(2, "big"), [])
        if any(claim.side == "upper" and claim.bound <= 0 for claim in claims):
            return plies
    return 0


def read_header(data: bytes) -> tuple[dict[str, Any], int]:
    """The JSON object of line 2, and where the body starts. The seal is checked before anything else is read."""
    if not data.startswith(FIRST_LINE):
        raise ValueError("not a proofbase certificate of version 1: the first line is another")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ValueError("the SHA-256 at the end is not that of the bytes before it: changed or truncated")
    end = data.find(b"\n", len(FIRST_LINE), min(len(data) - 32, len(FIRST_LINE) + LONGEST_HEADER))
    try:
        header = json.loads(data[len(FIRST_LINE) : end].decode("ascii"))
        fields = FIELDS | {name: str for name in ("fingerprint", "sources") if name in header}  # no claim rests on them
        line = json.dumps({name: header[name] for name in fields}, sort_keys=True, separators=(",", ":"))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"the header cannot be read: {type(error).__name__}: {error}") from None
    for name, kind in fields.items():
        if type(header[name]) is not kind and (header[name] is not None or name not in ("lower", "upper")):
            raise ValueError(f"the header's {name} is no {kind.__name__}")
    if not all(" " <= sign <= "~" and sign not in '"\\' for sign in header.get("sources", "")):
        raise ValueError("the header's sources hold signs other than printable ASCII without quotes and backslashes")
    if data[len(FIRST_LINE) : end + 1] != line.encode() + b"\n":
        raise ValueError("the header is not a line of JSON with exactly the fields of version 1, sorted, no spaces")
    return header, end + 1


def read_body(body: bytes, count: int) -> Records:
    """The records, in strictly ascending order of their keys."""
    records, stream = Records(), BytesIO(body)
    while stream.tell() < len(body):
        try:
            key, record = take(stream, varint(stream, LONGEST_KEY)), take(stream, varint(stream))
            if records and key <= next(reversed(records)):
                raise ValueError(f"key {key.hex()} does not come after the one before it")
            records[key] = read_record(record)
        except ValueError as error:
            raise ValueError(f"record {len(records) + 1}, before byte {stream.tell()} of the body: {error}") from None
    if len(records) != count:
        raise ValueError(f"the header says {count} records, the body has {len(records)}")
    return records


def read_record(record: bytes) -> list[Claim]:
    """The claims: lower ones first; within a side bounds get weaker while ranks get smaller."""
    if len(record) > LONGEST_RECORD:
        raise ValueError(f"claims of {len(record)} bytes; a record holds at most {LONGEST_RECORD}")
    stream, claims = BytesIO(record), list[Claim]()
    head = take(stream, 1)[0]
    if head >> 4 not in (1, 2, 3, 4, 5) or not head & 15:
        raise ValueError("a record starts with version 1 to 5 and 1 to 15 claims")
    for _ in range(head & 15):
        kind = take(stream, 1)[0]
        if kind > 5 + 2 * (head >> 4):
            raise ValueError("a claim of an unknown kind")
        side, evidence = ("lower", "upper")[kind & 1], EVIDENCE[kind >> 1]
        zigzag, rank = varint(stream), varint(stream)
        witness = varint(stream) if side == "lower" else None
        nodes = varint(stream, MOST_NODES, smallest=1) if evidence in SEARCHES else 0
        payload = take(stream, varint(stream)) if evidence not in ("children", *SEARCHES) else b""
        table = payload.decode() if evidence == "table" else ""
        numbers = list(read_varints(payload)) if evidence in ("line", "threats", "strategy", "pairing") else []
        lines = read_lines(numbers, side) if evidence == "line" else ()
        threats = read_threats(iter(numbers), side) if evidence == "threats" else None
        strategy = read_strategy(iter(numbers), side) if evidence == "strategy" else None
        pairs = read_pairing(numbers) if evidence == "pairing" else ()
        bound = -(zigzag + 1) // 2 if zigzag % 2 else zigzag // 2
        claim = Claim(side, bound, rank, witness, evidence, nodes, table, lines, threats, strategy, pairs)
        if claims and not follows(claims[-1], claim):
            raise ValueError(f"claims out of order, or one dominates the other: {claims[-1]}; {claim}")
        claims.append(claim)
    version = max(1, max(EVIDENCE.index(claim.evidence) for claim in claims) - 2)
    if stream.read(1) or head >> 4 != version:
        raise ValueError("bytes after the claims of a record, or the version is not that of its claims")
    return claims


def read_lines(numbers: list[int], side: str) -> tuple[tuple[int, ...], ...]:
    """The line of a lower claim; the lines of an upper claim, each of which stands behind the number of its moves."""
    lines, upper = list[tuple[int, ...]](), side == "upper"
    while numbers or not (upper or lines):
        size = numbers[0] if upper else len(numbers)
        line, numbers = numbers[upper : size + upper], numbers[size + upper :]
        if not line or len(line) < size:
            raise ValueError("a line is cut off" if size else "a line without moves")
        lines.append(tuple(line))
    return tuple(lines)


def read_threats(numbers: Iterator[int], side: str) -> Threats:
    """All numbers of a payload, in their order."""
    try:
        named, trees = list[int](), dict[int, Node]()
        for index in range(next(numbers)):
            named.append(next(numbers) + (named[-1] if index else 0))
        if named != sorted(set(named)) or (named and named[-1] >= 2**31):
            raise ValueError("named replies do not ascend")
        if passes := next(numbers):
            trees[-1] = read_node(numbers, 0)
        for _ in range(next(numbers)):
            if (reply := next(numbers)) <= max(trees, default=-1):
                raise ValueError("trees do not ascend")
            trees[reply] = read_node(numbers, 0)
    except StopIteration:
        raise ValueError("threat trees are cut off") from None
    if passes > 1 or next(numbers, None) is not None:
        raise ValueError("two trees against a pass, or numbers behind the trees")
    if side == "lower" and (named or list(trees) != [-1] or trees[-1] is ENDS):
        raise ValueError("a lower claim by threats has one tree, which begins with a move")
    return Threats(named, trees)


def read_node(numbers: Iterator[int], depth: int) -> Node:
    move, replies, plies = next(numbers) - 1, list[tuple[int, Node]](), 3
    if move < 0:
        return ENDS
    if depth == DEEPEST:
        raise ValueError(f"a threat tree of more than {DEEPEST} moves")
    for _ in range(next(numbers)):
        if (reply := next(numbers)) <= (replies[-1][0] if replies else -1):
            raise ValueError("replies do not ascend")
        replies.append((reply, read_node(numbers, depth + 1)))
        plies = max(plies, replies[-1][1].plies)
    return Node(move, replies, plies + 2)


def read_strategy(numbers: Iterator[int], side: str) -> Strategy:
    """An upper claim's named replies, then the marks of squares: each as the squares between, times 6, and the mark."""
    named, marks, last = list[int](), dict[int, int](), -1
    try:
        for index in range(next(numbers) if side == "upper" else 0):
            named.append(next(numbers) + (named[-1] if index else 0))
    except StopIteration:
        raise ValueError("a strategy is cut off") from None
    for number in numbers:
        last += number // 6 + 1
        marks[last] = number % 6
    if named != sorted(set(named)) or max([*named, last]) >= 2**31:
        raise ValueError("named replies of a strategy do not ascend, or a number is too large")
    return Strategy(named, marks)


def read_pairing(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    """Pairs in ascending order: of each the squares left out since the first one of the pair before, and between."""
    if len(numbers) % 2:
        raise ValueError("a pairing is cut off")
    pairs, first = list[tuple[int, int]](), -1
    for left_out, between in zip(numbers[::2], numbers[1::2], strict=True):
        first += left_out + 1
        pairs.append((first, first + between + 1))
    squares = [square for pair in pairs for square in pair]
    if len(set(squares)) < len(squares) or max(squares, default=0) >= 2**31:
        raise ValueError("a square is in two pairs of a pairing, or its number is too large")
    return tuple(pairs)


def follows(last: Claim, claim: Claim) -> bool:
    weaker = claim.bound < last.bound if claim.side == "lower" else claim.bound > last.bound
    return last.side < claim.side or (last.side == claim.side and weaker and claim.rank < last.rank)


def take(stream: BytesIO, size: int) -> bytes:
    if len(data := stream.read(size)) < size:
        raise ValueError("cut off")
    return data


def read_varints(payload: bytes) -> Iterator[int]:
    stream = BytesIO(payload)
    while stream.tell() < len(payload):
        yield varint(stream)


def varint(stream: BytesIO, largest: int = 2**31 - 1, smallest: int = 0) -> int:
    """An unsigned LEB128 number in its shortest form, from `smallest` to `largest`."""
    number = shift = 0
    while (byte := take(stream, 1)[0]) > 127 and shift < 35:
        number |= (byte & 127) << shift
        shift += 7
    number |= byte << shift
    if not smallest <= number <= largest or (byte == 0 and shift):
        raise ValueError(f"a number outside {smallest} to {largest}, or not in its shortest form")
    return number


# --- The local check -------------------------------------------------------------------------------------------------
class Tables(Protocol):
    """What tables say of the positions of a game, as `TableValues` does."""

    def of(self, position: Any, bound: int, upper: bool) -> tuple[int, int] | None: ...


def check_record(
    game: Rules, key: bytes, claims: list[Claim], records: Records, values: Tables | None = None, zones: bool = False
) -> Iterator[Finding]:
    """The findings of a record: at most one a claim."""
    text = ""
    try:
        position = game.position(key)
        text = game.text(position)
        if game.key(position) != key or game.terminal(position) is not None:
            yield Finding(key.hex(), text, "", "record: the key is not canonical, or the game is over here")
            return
        for claim in claims:
            moves = moves_rested_on(game, position, claim)
            broken = broken_rule(game, position, claim, moves, records, values, zones)
            if broken:
                yield Finding(key.hex(), text, str(claim), broken)
    except Exception as error:  # InvalidKeyError, or whatever a user's rules raise: not accepted in any case
        yield Finding(key.hex(), text, "", str(error) or type(error).__name__)


def moves_rested_on(game: Rules, position: Any, claim: Claim) -> list[int]:
    """The moves to the children whose claims a claim rests on; a lower claim's witness need not be legal."""
    if rested := claim.threats or claim.strategy:
        return [move for move in game.moves(position) if move in rested.named]
    if claim.evidence == "children":
        return [move for move in game.moves(position) if claim.side == "upper" or move == claim.witness]
    if claim.evidence == "line" and claim.side == "upper":
        return [move for move in game.moves(position) if not line_answers(game, position, move, claim)]
    return []


def line_answers(game: Rules, position: Any, move: int, claim: Claim) -> bool:
    """Whether after the move one of the lines of an upper claim holds the mover to the bound."""
    lines = [line for line in claim.lines if len(line) < claim.rank]
    child = game.play(position, move) if lines else None
    if not lines or game.terminal(child) is not None:
        return False
    lower = game.reward(position, move) - claim.bound
    return any(line_reaches(game, child, lower, line) for line in lines)


def broken_rule(
    game: Rules, position: Any, claim: Claim, moves: list[int], records: Records, values: Tables | None, zones: bool
) -> str:
    """The rule that a claim breaks and why, or nothing when it passes its local check; `moves` are those it rests on.

    Rules: `safety-rank`, `rules` (they end no game without moves), `witness` (no legal move), `child` (no claim of a
    child, or none with a smaller rank, guarantees the bound), `evidence` (this check cannot redo it), and `search`,
    `line`, `table`, `threats`, `strategy`, `pairing`, where these do not hold.
    """
    rho = game.repetition(position)  # None: no line is endless, every claim is a progress claim
    lower = claim.side == "lower"
    safety = rho is not None and (claim.bound <= rho if lower else claim.bound >= rho)
    if safety and claim.rank:
        return f"safety-rank: repetition alone (worth {rho}) gives this bound: its rank is 0, not {claim.rank}"
    if not (legal := game.moves(position)):
        return "rules: no legal move, though the game is not over"
    if lower and claim.witness not in legal:
        return f"witness: move {claim.witness} is not legal"
    if broken := broken_evidence(game, position, claim, values, zones):
        return broken
    for move in moves:
        child = game.play(position, move)
        limit = game.reward(position, move) - claim.bound
        value = game.terminal(child)
        if value is None:  # the limits of a value need no claim
            bounds = [(game.limit(child) if lower else -game.limit(child), 0)]
            claims = records.get(game.key(child), [])
            bounds += [(other.bound, other.rank) for other in claims if other.side != claim.side]
            if values is not None and (entry := values.of(child, limit, lower)) is not None:
                bounds.append(entry)
        else:
            bounds = [(value, 0)]
        ranks = [rank for bound, rank in bounds if (bound <= limit if lower else bound >= limit)]
        if not ranks or (not safety and min(ranks) >= claim.rank):
            needed = f"{'upper <=' if lower else 'lower >='} {limit}"
            below = "" if safety else f" with a rank below {claim.rank}"
            smallest = f" (smallest rank there: {min(ranks)})" if ranks else ""
            after = f"{game.move_text(position, move)} ({move})"
            return f"child: after move {after} no claim {needed}{below}{smallest}"
    return ""


def broken_evidence(game: Rules, position: Any, claim: Claim, values: Tables | None, zones: bool) -> str:
    """What is wrong with what a claim rests on, apart from the claims of children."""
    if claim.evidence in SEARCHES:
        return by_search(game, position, claim)
    if claim.evidence == "table":
        return by_table(game, position, claim, values)
    if claim.evidence == "line":
        return by_line(game, position, claim)
    if claim.evidence == "pairing":
        return by_pairing(game, position, claim)
    if claim.threats:
        return by_threats(game, position, claim, claim.threats, zones)
    return by_strategy(game, position, claim, claim.strategy) if claim.strategy else ""


def by_table(game: Rules, position: Any, claim: Claim, values: Tables | None) -> str:
    """Checks a claim by the table that it names, with its plies; a witness must lead to what guarantees the bound."""
    value = None if values is None else values.of(position, claim.bound, claim.side == "upper")
    if values is None or value is None:
        return f"evidence: table {claim.table!r} is not at hand"
    name, _ = game.table_entry(position) or ("", 0)
    if name != claim.table:
        return f"table: the position is in table {name!r}, not in {claim.table!r}"
    if value[0] > claim.bound if claim.side == "upper" else value[0] < claim.bound:
        return f"table: its value there is {value[0]}"
    if value[1] > claim.rank or (value[1] == 0 and claim.rank > 0):
        return f"table: the rank is {claim.rank}, and by the table it is {value[1]}"
    if claim.witness is None:
        return ""
    child, limit = game.play(position, claim.witness), game.reward(position, claim.witness) - claim.bound
    after = values.of(child, limit, upper=True) if (end := game.terminal(child)) is None else (end, 0)
    if after and after[0] <= limit and not 0 < claim.rank <= after[1]:
        return ""
    return f"table: by the tables, move {game.move_text(position, claim.witness)} does not guarantee the bound"


# --- Lines and small searches, played out by the rules ---------------------------------------------------------------
def by_line(game: Rules, position: Any, claim: Claim) -> str:
    """What is wrong with a lower claim by a line; a move that no line of an upper claim answers rests on its child."""
    if claim.side == "upper":
        return ""
    (line,) = claim.lines
    if len(line) != claim.rank or line[0] != claim.witness:
        return f"line: the line does not have {claim.rank} moves that begin with the witness"
    reaches = line_reaches(game, position, claim.bound, line)
    return "" if reaches else "line: the line does not reach the bound against every reply"


def line_reaches(game: Rules, position: Any, lower: int, line: Sequence[int]) -> bool:
    """Plays a line (own move, reply, ...): other replies must lose at once, or lose to one move that ends the game."""
    for index, move in enumerate(line):
        moves = game.moves(position)
        if move not in moves:
            return False
        for other in moves if index % 2 else ():  # the reply of the line; `lower` is the limit of the replying side
            if other != move:
                child, bound = game.play(position, other), game.reward(position, other) - lower
                value = game.terminal(child)
                if value < bound if value is not None else not ends(game, child, bound, move):
                    return False
        lower, position = game.reward(position, move) - lower, game.play(position, move)
        if (value := game.terminal(position)) is not None:
            return index % 2 == 0 and index == len(line) - 1 and value <= lower
    return False


def ends(game: Rules, position: Any, lower: int, guess: int) -> bool:
    """Whether one move ends the game with at least this; the guess is tried first."""
    moves = game.moves(position)
    for move in chain([guess] if guess in moves else [], moves):
        value = game.terminal(game.play(position, move))
        if value is not None and game.reward(position, move) - value >= lower:
            return True
    return False


def by_search(game: Rules, position: Any, claim: Claim) -> str:
    """Runs the search that a claim names: at most rank plies deep, at most so many positions."""
    to_limits = claim.evidence == "search to limits"
    if to_limits and game.name.startswith("within:"):
        return "search: there are no searches to limits within plies"
    if claim.rank == 0:
        return "search: a search to a depth of 0 settles nothing"
    bound, depth = claim.bound, claim.rank
    if claim.witness is not None:
        bound, depth = game.reward(position, claim.witness) - bound, depth - 1
        position = game.play(position, claim.witness)
    settled = small_search_visits(game, position, bound, depth, claim.nodes, to_limits=to_limits) is not None
    return "" if settled else f"search: not settled within {claim.nodes} nodes and {claim.rank} plies"


def ends_first(game: Rules, position: Any) -> list[int]:
    """The moves, those first that end the game."""
    return sorted(game.moves(position), key=lambda move: game.terminal(game.play(position, move)) is None)


def small_search_visits(
    game: Rules, position: Any, bound: int, depth: int, nodes: int, *, to_limits: bool = False
) -> int | None:
    """The positions that a small search enters to settle "at most bound", depth first; None: it takes more than nodes.

    Moves in the order of the rules; a side stops at its first success; what is open at the deepest ply counts against
    the claim. A search to limits tries moves that end the game first, and settles a position that is not over by the
    limit of its value, where that tells.

    The answer and the visits of a subtree follow from its position, bound and depth. So a subtree that comes again is
    not searched again: its visits are counted as if it were. A line of play may be long: the stack is a list.
    """
    stack = list[tuple[Any, int, Iterator[int], int]]()  # position, bound, moves not yet tried, what was entered before
    seen = dict[tuple[Any, int, int], tuple[bool, int]]()  # by position, bound, plies below the given position
    entered = 0

    def close(answer: bool) -> None:
        position, bound, _, before = stack.pop()
        seen[position, bound, len(stack)] = answer, entered - before

    while True:
        question, at_most = (position, bound, len(stack)), len(stack) % 2 == 0
        answer, visits = seen.get(question, (None, 1))
        entered += visits
        if entered > nodes:
            return None
        if answer is None:
            if (value := game.terminal(position)) is not None:
                extremes = [value]
            else:
                extremes = [-game.limit(position), game.limit(position)] if to_limits else []
            answers = {extreme <= bound if at_most else extreme >= bound for extreme in extremes}
            if len(answers) == 1:  # and so answers every value between
                answer = answers.pop()
            elif len(stack) == depth:
                answer = False
            else:
                moves = iter(ends_first(game, position) if to_limits else game.moves(position))
                stack.append((position, bound, moves, entered - 1))
        while True:
            # A child that fails refutes its parent's "at most" (every move must hold), one that holds proves its
            # parent's "at least" (one move is enough): either way the parent's answer is the child's.
            while stack and answer is not None and answer is not (len(stack) % 2 == 1):
                close(answer)
            if not stack:
                return entered if answer else None
            parent, parent_bound, moves, _ = stack[-1]
            if (move := next(moves, None)) is not None:
                break
            answer = len(stack) % 2 == 1  # no counterexample to "at most", or no example of "at least"
            close(answer)
        position, bound = game.play(parent, move), game.reward(parent, move) - parent_bound


# --- Threat trees, played out by the lines of the game ----------------------------------------------------------------
def by_threats(game: Rules, position: Any, claim: Claim, threats: Threats, zones: bool) -> str:
    """What is wrong with a claim by threats, apart from the claims of the replies that it names.

    docs/zones.md says what a tree proves and why replies outside of its zone need not be played.
    """
    rules = game.threat_rules()
    if rules is None:
        return "evidence: this game has no threats"
    if abs(claim.bound) > game.highest_value:
        return f"threats: a win is worth {game.highest_value}"
    mover, other = rules.stones(position)
    empty = rules.board & ~mover & ~other
    if claim.side == "lower":
        tree = threats.trees[-1]
        if tree.move != claim.witness or min(tree.plies, empty.bit_count()) > claim.rank:
            return f"threats: not a tree of at most {claim.rank} plies that begins with the witness"
        if wins_by_move(rules, tree, mover, other):
            return ""
        ended = wins_at_once(rules, mover, other) is not None  # by another move
        return f"threats: the side to move {'wins, not by the witness' if ended else 'does not win by the tree'}"
    legal = set(game.moves(position))
    if illegal := {*threats.named, *threats.trees} - legal - {-1}:
        return f"threats: reply {min(illegal)} is not legal"
    quick = {r: tree for r, tree in threats.trees.items() if min(tree.plies + 1, empty.bit_count()) <= claim.rank}
    lost = rules.defence(other, mover).one  # squares on which the side to move wins
    settled: Squares = 0
    for reply, tree in quick.items() if zones else ():
        stone = rules.squares[reply] if reply >= 0 else 0
        zone = None if stone & lost else zone_of_tree(rules, tree, other, mover | stone)
        settled |= 0 if zone is None else stone | rules.board & ~zone
    for move in sorted(legal.difference(threats.named)):
        stone = rules.squares[move]
        if stone & settled & ~lost:
            continue
        child = game.play(position, move)
        if (value := game.terminal(child)) is not None:
            if value < game.reward(position, move) - claim.bound:
                return f"threats: after move {game.move_text(position, move)} ({move}) the game is over"
            continue
        own_first = sorted(quick, key=lambda reply: reply != move)
        if all(zone_of_tree(rules, quick[reply], other, mover | stone) is None for reply in own_first):
            return f"threats: after move {game.move_text(position, move)} ({move}) no tree wins"
    return ""


def zone_of_tree(rules: ThreatRules, tree: Tree, attacker: Squares, defender: Squares) -> Squares | None:
    """The zone of a tree by which the attacker, to move, wins; None if he does not.

    On every empty square outside of it, a further stone of the defender leaves the tree a win.
    """
    at_once = wins_at_once(rules, attacker, defender)
    return zone_after_move(rules, tree, attacker, defender) if at_once is None else at_once


def wins_by_move(rules: ThreatRules, tree: Tree, attacker: Squares, defender: Squares) -> bool:
    """Whether the attacker, to move, wins by the move of a tree, though the position may end without it."""
    stone = square_of(rules, tree.move)
    at_once = stone & rules.attack(attacker, defender).wins
    return bool(at_once) or zone_after_move(rules, tree, attacker, defender) is not None


def square_of(rules: ThreatRules, move: int | None) -> Squares:
    """The set of a move's square; empty where there is none."""
    return rules.squares[move] if move is not None and move < len(rules.squares) else 0


def zone_after_move(rules: ThreatRules, tree: Tree, attacker: Squares, defender: Squares) -> Squares | None:
    """The zone if the attacker plays the move of the tree; None if he does not win by it."""
    stone = square_of(rules, tree.move)
    if not stone or stone & (attacker | defender):
        return None
    attacker |= stone
    empty, defence = rules.board & ~attacker & ~defender, rules.defence(attacker, defender)
    fives, double_threats = rules.attack(attacker, defender)
    zone = stone | defence.two
    listed = {square_of(rules, reply): child for reply, child in tree.replies if reply < len(rules.squares)}
    if defence.one:
        return None
    if fives:
        one, more = split(fives)
        if more:
            return zone | one | split(more)[0]
        answers: dict[Squares, Tree] = {one: listed.get(one, ENDS)}  # the attacker wins on it after any other reply
        zone |= one
    else:
        answers = {reply: child for reply, child in listed.items() if reply & empty}
        unlisted = empty & ~sum(answers)
        if unlisted & defence.two or not double_threats:
            return None
        zone |= defence.three
        for number, (square, after) in enumerate(double_threats):
            first, rest = split(after)
            second, rest = split(rest)
            used = square | first | second | split(rest)[0]
            stops = used if not rest else square
            if number == 0 or unlisted & ~stops:  # after some reply it is this double threat that wins
                zone, unlisted = zone | used, unlisted & stops
        if unlisted:
            return None
    for reply, child in answers.items():
        below = zone_of_tree(rules, child, attacker, defender | reply)
        if below is None:
            return None
        zone |= below
    return zone


def wins_at_once(rules: ThreatRules, attacker: Squares, defender: Squares) -> Squares | None:
    """Whether the attacker wins at once, or by a double threat that the defender cannot forestall; then its zone."""
    fives, double_threats = rules.attack(attacker, defender)
    if fives:
        return split(fives)[0]
    if not double_threats:
        return None
    defence = rules.defence(attacker, defender)
    if defence.one:
        return None
    square, after = double_threats[0]
    first, rest = split(after)
    return square | first | split(rest)[0] | defence.two


def split(squares: Squares) -> tuple[Squares, Squares]:
    """The first square of a set, and the others."""
    first = squares & -squares
    return first, squares ^ first


# --- Strategies, played out on the squares of the game ---------------------------------------------------------------
class Diagram(NamedTuple):
    """How a strategy plays (docs/strategies.md), and what every end has to be."""

    rules: SquareRules
    order: list[tuple[bool, Squares]]  # squares that it takes before the next ones; whether only if there is but one
    needed: int  # what an end is worth to its side
    last: int  # the stone, counted from 1, that ends the game at the latest

    def answer(self, squares: Squares, taken: Squares, lost: Squares) -> Squares:
        """The open square with the first mark after which the other side does not win at once (on `lost`)."""
        for alone, marked in self.order:
            candidates = squares & marked
            if alone and candidates.bit_count() > 1:
                continue
            while candidates:
                square = candidates & -candidates
                if not lost or not lost & ~square & self.rules.open_squares(taken | square):
                    return square
                candidates ^= square
        return 0

    def ends_well(self, stones: int, won: bool) -> bool:
        """Whether the end with this stone, a win of its side or a full board, is worth enough and early enough."""
        return (self.rules.win(stones) if won else 0) >= self.needed and stones <= self.last


def by_strategy(game: Rules, position: Any, claim: Claim, strategy: Strategy) -> str:
    """What is wrong with a claim by a strategy, apart from the claims of the replies that it names.

    The other side plays everything. A position that comes about twice is played on once.
    """
    rules = game.square_rules()
    if rules is None:
        return "evidence: this game has no squares that a strategy could be played on"
    if not set(game.moves(position)).issuperset(strategy.named):
        return "strategy: a reply is not legal"
    mark_of = {1 << square: mark for square, mark in strategy.marks.items() if rules.board >> square & 1}
    marked = [sum(square for square, mark in mark_of.items() if mark == number) for number in range(6)]
    marked[2] |= rules.answers & ~sum(mark_of)
    marked[4] |= rules.board & ~rules.answers & ~sum(mark_of)
    mover, other = rules.stones(position)
    needed = max(0, claim.bound if claim.side == "lower" else -claim.bound)
    order = [(number == 1, squares) for number, squares in enumerate(marked) if squares]
    order.append((False, rules.board))  # a pair of which both squares are open comes last
    diagram = Diagram(rules, order, needed, (mover | other).bit_count() + claim.rank)
    if claim.side == "upper":
        return beaten(diagram, other, mover, sum(rules.square(move, mover | other) for move in strategy.named))
    square = rules.square(claim.witness or 0, mover | other)
    taken, won = mover | other | square, bool(square & rules.completing(mover, mover | other))
    if won or taken == rules.board:
        ends_well = diagram.ends_well(taken.bit_count(), won)
        return "" if ends_well else "strategy: the witness ends the game with less, or too late"
    return beaten(diagram, mover | square, other, 0)


def beaten(diagram: Diagram, own: Squares, other: Squares, left_out: Squares) -> str:
    """How the other side, to move, beats a diagram; nothing if it does not. At first it leaves out some replies."""
    rules, open_squares = diagram.rules, diagram.rules.open_squares
    completing = cache(lambda stones: rules.completing(stones, stones))  # most sets of stones come about again
    ends_well = cache(diagram.ends_well)
    pending = [(own, other)]
    met = set() if left_out else {(own, other)}
    while pending:
        own, other = pending.pop()
        taken = own | other
        replies, wins, stones = open_squares(taken) & ~left_out, completing(own) & ~taken, taken.bit_count()
        left_out = 0
        if replies & completing(other):
            return "strategy: the other side wins"
        while replies:
            reply = replies & -replies
            replies ^= reply
            theirs, after = other | reply, taken | reply
            squares = open_squares(after)
            if wins & ~reply & squares:
                well = ends_well(stones + 2, won=True)
            elif after == rules.board:
                well = ends_well(stones + 1, won=False)
            elif not (square := diagram.answer(squares, after, completing(theirs) & ~after)):
                return "strategy: no move holds"
            elif after | square == rules.board:
                well = ends_well(stones + 2, won=False)
            else:
                well = True
                if (position := (own | square, theirs)) not in met:
                    met.add(position)
                    pending.append(position)
            if not well:
                return "strategy: the game ends with less, or too late"
        if len(met) > MOST_NODES:
            return f"strategy: more than {MOST_NODES} positions come about"
    return ""


# --- Pairings --------------------------------------------------------------------------------------------------------
def by_pairing(game: Rules, position: Any, claim: Claim) -> str:
    """What is wrong with a claim by a pairing (docs/strategies.md): a line that could still be filled holds no pair."""
    rules = game.line_rules()
    if rules is None:
        return "evidence: this game has no lines that a pairing could hold"
    if claim.bound * (1 if claim.side == "lower" else -1) > 0 or claim.rank < len(game.moves(position)):
        return "pairing: it proves no win, and the game may take as many plies as there are empty squares"
    if claim.witness is not None:
        position = game.play(position, claim.witness)
        if game.terminal(position) is not None:
            return "pairing: the game is over after the witness"
    mover, other = rules.stones(position)
    partner = {square: 1 << end for pair in claim.pairs for square, end in zip(pair, pair[::-1], strict=True)}
    if not set(game.moves(position)).issuperset(partner):
        return "pairing: a square of a pair is not empty"
    for squares, spoilers in rules.lines:
        if not (squares & other or spoilers & mover or any(squares >> s & 1 and squares & partner[s] for s in partner)):
            return "pairing: a line of the other side holds no pair"
    return ""


# --- The command ------------------------------------------------------------------------------------------------------
def load_rules(spec: str) -> Rules:
    """A user's game: `package.module:Class` or `path/to/file.py:Class`, made without arguments."""
    module, _, name = spec.rpartition(":")
    space = runpy.run_path(module) if module.endswith(".py") else vars(importlib.import_module(module))
    return space[name]()  # type: ignore[no-any-return]


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="proofbase.engine.checker", description="Checks a proofbase certificate.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--rules", metavar="MODULE:CLASS", help="a user's own game (FILE.py also serves as MODULE)")
    parser.add_argument("--tables", type=Path, metavar="DIRECTORY", help="tables that claims may rest on")
    parser.add_argument("--zones", action="store_true", help="skip the replies that the zones of threat trees answer")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    options = parser.parse_args(arguments)
    try:
        game = load_rules(options.rules) if options.rules else None
        result = check_certificate(options.file.read_bytes(), game, options.tables, options.zones)
    except Exception as error:  # an unreadable file, rules that do not import
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        return 3
    if options.json:
        listed = [finding._asdict() for finding in result.findings]
        print(json.dumps(result._asdict() | {"valid": result.valid, "findings": listed}))
    else:
        for finding in result.findings[:20]:
            print(" | ".join(part for part in finding if part))
        if result.header:
            print("{game!r} {root!r}: lower {lower}, upper {upper}".format_map(result.header))
        if result.no_win_within:
            print(f"no win within {result.no_win_within} plies")
        print("valid:" if result.valid else "not valid:", result.records, "records,", result.claims, "claims checked")
    return 0 if result.valid else 1


if __name__ == "__main__":
    sys.exit(main())
