"""A checker of certificates written from the pages in docs/ alone (docs/other-checkers.md). It imports nothing of ours.

    python tests/engine/checks/independent_checker.py FILE

Knows tic-tac-toe, connect-four and awari; no tables, no threats. Prints `valid`, or the first thing that is wrong.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

from independent_games import Wrong, need, open_game


# --- Files: docs/certificate.md and docs/record-encoding.md -----------------------------------------------------------
class Bytes:
    def __init__(self, data):
        self.data, self.place = data, 0

    def left(self):
        return len(self.data) - self.place

    def take(self, size):
        need(size <= self.left(), "cut off")
        self.place += size
        return self.data[self.place - size : self.place]

    def number(self, largest=2**31 - 1):
        number = 0
        for shift in range(0, 35, 7):
            byte = self.take(1)[0]
            number += (byte & 127) << shift
            if byte < 128:
                need(byte or not shift, "a number in its shortest form")
                need(number <= largest, "a number that is too large")
                return number
        raise Wrong("a number of more than five bytes")


def read_claims(record):
    need(len(record) <= 65_536, "a record of at most 65,536 bytes")
    stream = Bytes(record)
    head = stream.take(1)[0]
    need(head >> 4 in (1, 3, 4, 5) and head & 15, "version 1, 3, 4 or 5, at least one claim")
    claims = []
    for _ in range(head & 15):
        kind = stream.take(1)[0]
        need(kind < 8 or kind >> 1 in (5, 6, 7), "a known kind of claim")
        zigzag = stream.number()
        claim = {"upper": kind & 1, "by": kind >> 1, "bound": zigzag // 2 if zigzag % 2 == 0 else -(zigzag + 1) // 2}
        claim["rank"] = stream.number()
        claim["witness"] = None if claim["upper"] else stream.number()
        if claim["by"] == 1:
            try:
                stream.take(stream.number()).decode()
            except UnicodeDecodeError:
                raise Wrong("a name in UTF-8") from None
        elif claim["by"] == 2:
            claim["lines"] = read_lines(Bytes(stream.take(stream.number())), claim["upper"])
        elif claim["by"] in (3, 6):
            claim["nodes"] = stream.number(10_000)
            need(claim["nodes"], "at least one node")
        elif claim["by"] == 5:
            claim["named"], claim["marks"] = read_strategy(Bytes(stream.take(stream.number())), claim["upper"])
        elif claim["by"] == 7:
            claim["pairs"] = read_pairing(Bytes(stream.take(stream.number())))
        if claims:
            last = claims[-1]
            need(last["upper"] <= claim["upper"], "lower claims first")
            if last["upper"] == claim["upper"]:
                weaker = claim["bound"] > last["bound"] if claim["upper"] else claim["bound"] < last["bound"]
                need(weaker and claim["rank"] < last["rank"], "bounds weaken and ranks fall")
        claims.append(claim)
    need(not stream.left(), "nothing after the claims")
    last = max(claim["by"] for claim in claims)
    need(head >> 4 == {5: 3, 6: 4, 7: 5}.get(last, 1), "3 for strategies, 4 for searches to limits, 5 for pairings")
    return claims


def read_strategy(stream, upper):
    named, marks, square = [], {}, -1
    for index in range(stream.number() if upper else 0):
        more = stream.number()
        need(not index or more, "named replies ascend")
        named.append(more + (named[-1] if index else 0))
    while stream.left():
        number = stream.number()
        square += number // 6 + 1
        marks[square] = number % 6
    need(max([*named, square]) < 2**31, "numbers below 2^31")
    return named, marks


def read_pairing(stream):
    pairs, square = [], -1
    while stream.left():
        square += stream.number() + 1
        pairs.append((square, square + stream.number() + 1))
    squares = [square for pair in pairs for square in pair]
    need(len(squares) == len(set(squares)), "a square is in one pair")
    need(max(squares, default=0) < 2**31, "numbers below 2^31")
    return pairs


def read_lines(stream, upper):
    lines = []
    while stream.left() or (not upper and not lines):
        size = stream.number() if upper else None
        line = []
        while len(line) != size if upper else stream.left():
            line.append(stream.number())
        need(line, "a line has moves")
        lines.append(line)
    return lines


def read_file(data):
    first = b"proofbase certificate 1\n"
    need(data.startswith(first) and len(data) >= len(first) + 32, "the first line")
    need(hashlib.sha256(data[:-32]).digest() == data[-32:], "the seal")
    end = data[:-32].find(b"\n", len(first))
    need(0 <= end - len(first) < 65_536, "a header of at most 65,536 bytes")
    line = data[len(first) : end]
    try:
        header = json.loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        raise Wrong("a header in JSON") from None
    kinds = {"game": str, "root": str, "root_key": str, "rules_version": int, "records": int}
    optional = {"fingerprint", "sources"}
    need(type(header) is dict and {*header} - optional == {*kinds, "lower", "upper"}, "exactly these fields")
    sources = header.get("sources", "")
    need(type(sources) is str and re.fullmatch(r"[ !#-\[\]-~]*", sources), "sources in printable ASCII")
    fingerprint = header.get("fingerprint", "0" * 16)
    need(type(fingerprint) is str and re.fullmatch("[0-9a-f]{16}", fingerprint), "16 hexadecimal digits")
    need(all(type(header[name]) is kind for name, kind in kinds.items()), "types of fields")
    need(all(header[side] is None or type(header[side]) is int for side in ("lower", "upper")), "types of bounds")
    need(json.dumps(header, sort_keys=True, separators=(",", ":")).encode() == line, "sorted keys, no spaces")
    stream, records, last = Bytes(data[end + 1 : -32]), {}, None
    while stream.left():
        key = stream.take(stream.number(255))
        need(last is None or key > last, "ascending keys")
        records[key], last = read_claims(stream.take(stream.number(65_536))), key
    need(len(records) == header["records"], "the number of records")
    return header, records


# --- The local check: docs/other-checkers.md and docs/fact-model.md ---------------------------------------------------
def known_rank(game, child, records, bound, at_most):
    """The smallest rank by which a child is known to be at most, or at least, a bound; None when it is not."""
    value = game.terminal(child)
    if value is not None:
        return 0 if (value <= bound if at_most else value >= bound) else None
    if game.limit(child) <= bound if at_most else -game.limit(child) >= bound:
        return 0
    claims = [claim for claim in records.get(game.key(child), []) if claim["upper"] == at_most]
    return min((c["rank"] for c in claims if (c["bound"] <= bound if at_most else c["bound"] >= bound)), default=None)


def reaches(game, position, bound, line):
    """A line m1, r1, m2, ... of the side to move reaches a bound."""
    if not line or line[0] not in game.moves(position):
        return False
    upper, child = game.reward(position, line[0]) - bound, game.play(position, line[0])
    value = game.terminal(child)
    if len(line) == 1:
        return value is not None and value <= upper
    if value is not None or line[1] not in game.moves(child):
        return False
    for reply in game.moves(child):
        if reply != line[1]:
            after, needed = game.play(child, reply), game.reward(child, reply) - upper
            value = game.terminal(after)
            if value < needed if value is not None else not punished(game, after, needed):
                return False
    after = game.play(child, line[1])
    return game.terminal(after) is None and reaches(game, after, game.reward(child, line[1]) - upper, line[2:])


def punished(game, position, needed):
    for move in game.moves(position):
        value = game.terminal(game.play(position, move))
        if value is not None and game.reward(position, move) - value >= needed:
            return True
    return False


def searched(game, position, bound, depth, nodes, to_limits):
    """holds(position, bound, depth), entering at most so many positions, ending at limits or not."""
    left = nodes

    def answer(position, bound, depth, holds):
        nonlocal left
        left -= 1
        need(left >= 0, "a search of more nodes")
        value = game.terminal(position)
        if value is not None:
            return value <= bound if holds else value >= bound
        if to_limits:
            limit = game.limit(position)
            if limit <= bound if holds else -limit >= bound:
                return True
            if -limit > bound if holds else limit < bound:
                return False
        if depth == 0:
            return False
        moves = game.moves(position)
        if to_limits:
            last = [move for move in moves if game.terminal(game.play(position, move)) is not None]
            moves = last + [move for move in moves if move not in last]
        for move in moves:
            if answer(game.play(position, move), game.reward(position, move) - bound, depth - 1, not holds) != holds:
                return not holds
        return holds

    return answer(position, bound, depth, True)


def diagram_move(game, position, marks):
    """The move of a diagram (docs/strategies.md); None where every move loses."""
    children = {move: game.play(position, move) for move in game.moves(position)}
    ends = {move: game.terminal(child) for move, child in children.items() if game.terminal(child) is not None}
    if ends:
        return min(ends, key=ends.get)
    squares = {move: game.square(position, move) for move in children}
    mark = {move: marks.get(square, game.usual_mark(square)) for move, square in squares.items()}
    pairs = [move for move in mark if mark[move] == 1]
    if len(pairs) > 1:
        mark.update(dict.fromkeys(pairs, 6))
    good = [move for move, child in children.items() if not wins_at_once(game, child)]
    return min(good, key=lambda move: (mark[move], squares[move]), default=None)


def wins_at_once(game, position):
    values = [game.terminal(game.play(position, move)) for move in game.moves(position)]
    return any(value is not None and value < 0 for value in values)


def strategy_holds(game, position, claim):
    """Raises Wrong unless the diagram answers every move, but the named ones at first."""
    upper, moves, met = claim["upper"], game.moves(position), set()
    need(hasattr(game, "square"), "a game on squares")
    bound = max(0, -claim["bound"] if upper else claim["bound"])
    need(set(claim["named"]) <= set(moves), "named replies are legal")

    def replied(position, plies, replies):
        for reply in replies:
            child = game.play(position, reply)
            value = game.terminal(child)
            if value is not None:
                need(plies >= 1 and value >= bound, "the other side ends the game")
                continue
            move = diagram_move(game, child, claim["marks"])
            need(move is not None, "no move holds")
            moved(game.play(child, move), plies - 2)

    def moved(position, plies):
        need(plies >= 0, "too many plies")
        value = game.terminal(position)
        if value is not None:
            return need(-value >= bound, "the diagram ends the game with less")
        if position not in met:
            met.add(position)
            need(len(met) <= 10_000, "too many positions")
            replied(position, plies, game.moves(position))
        return None

    if not upper:
        moved(game.play(position, claim["witness"]), claim["rank"] - 1)
    elif claim["named"]:
        replied(position, claim["rank"], [move for move in moves if move not in claim["named"]])
    else:
        moved(position, claim["rank"])


def pairing_holds(game, position, claim):
    """Raises Wrong unless the side to move can fill no line without both squares of a pair."""
    need(hasattr(game, "lines_of_mover"), "a game of lines")
    need(claim["bound"] >= 0 if claim["upper"] else claim["bound"] <= 0, "no win")
    need(claim["rank"] >= len(game.moves(position)), "as many plies as empty squares")
    if not claim["upper"]:
        position = game.play(position, claim["witness"])
    empty = game.moves(position)
    need(game.terminal(position) is None, "the game goes on")
    need(all(square in empty for pair in claim["pairs"] for square in pair), "squares are empty")
    for line in game.lines_of_mover(position):
        need(any(set(pair) <= set(line) for pair in claim["pairs"]), f"the line {line} holds a pair")


def check_claim(game, position, claim, records):
    upper, bound, rank, witness = claim["upper"], claim["bound"], claim["rank"], claim["witness"]
    safety = game.rho is not None and (bound >= game.rho if upper else bound <= game.rho)
    need(not safety or rank == 0, "a safety claim has rank 0")
    moves = game.moves(position)
    need(upper or witness in moves, "the witness is a legal move")
    need(claim["by"] != 1, "there are no tables here")
    if claim["by"] in (3, 6):
        need(rank >= 1, "a search has a depth")
        start, limit, depth = position, bound, rank
        if not upper:
            start, limit, depth = game.play(position, witness), game.reward(position, witness) - bound, rank - 1
        settled = searched(game, start, limit, depth, claim["nodes"], claim["by"] == 6)
        return need(settled, "the search settles the bound")
    if claim["by"] == 2 and not upper:
        (line,) = claim["lines"]
        return need(line[0] == witness and len(line) == rank and reaches(game, position, bound, line), "the line")
    if claim["by"] == 7:
        return pairing_holds(game, position, claim)
    if claim["by"] == 5:
        strategy_holds(game, position, claim)
        moves = claim["named"]
        if not upper:
            return None
    for move in moves if upper else [witness]:
        child, limit = game.play(position, move), game.reward(position, move) - bound
        lines = [line for line in claim.get("lines", ()) if len(line) < rank]
        if game.terminal(child) is None and any(reaches(game, child, limit, line) for line in lines):
            continue
        found = known_rank(game, child, records, limit, not upper)
        need(found is not None and (safety or found < rank), f"move {move} of {position}")
    return None


def check(data):
    """Raises Wrong unless the certificate is valid."""
    sys.setrecursionlimit(11_000)  # as the checker: hypothesis refuses tests in which the limit changes
    header, records = read_file(data)
    game = open_game(header["game"])
    need(header["rules_version"] == 1, "version 1 of the rules")
    root = game.parse(header["root"])
    key = game.key(root)
    need(key.hex() == header["root_key"], "the key of the root")
    bounds = {side: next((c["bound"] for c in records.get(key, []) if c["upper"] == side), None) for side in (0, 1)}
    if game.terminal(root) is not None:
        bounds = {0: game.terminal(root), 1: game.terminal(root)}
    need((header["lower"], header["upper"]) == (bounds[0], bounds[1]), "the bounds of the root")
    for key, claims in records.items():
        position = game.position(key)
        need(game.key(position) == key, "a canonical key")
        need(game.terminal(position) is None, "a position that is not finished")
        for claim in claims:
            check_claim(game, position, claim, records)


if __name__ == "__main__":
    try:
        check(Path(sys.argv[1]).read_bytes())
    except Wrong as wrong:
        sys.exit(f"not valid: {wrong}")
    print("valid")
