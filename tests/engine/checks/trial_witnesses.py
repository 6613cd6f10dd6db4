"""Changed witnesses of every kind of evidence, against brute force.

    python tests/engine/checks/trial_witnesses.py [--mutants 20000] [--seed 1]

Takes lower claims that pass and puts every other move in the place of the witness: in the claim alone, and also where
the payload repeats it (the first move of a line, the move of a threat tree). Of whatever the checks accept the witness
must guarantee the bound, by brute force: the position after it is worth little enough. By threats it must also force
the win within the rank. All checks must agree. Any deviation raises AssertionError.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

from awari_positions.endgames import endgames
from reference_records import exact_claims
from threat_claims import PlainLines, find_tree, game_of, squares_of
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, Tables, TableWork, python_game
from proofbase.engine.checking import checker
from proofbase.engine.checking.checker import line_reaches, small_search_visits
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.papers.reference.graph import explore, values
from proofbase.engine.records import (
    ENDS,
    Claim,
    Evidence,
    Record,
    Side,
    ThreatNode,
    ThreatTrees,
    encode_record,
    line_payload,
    search_payload,
    table_payload,
    threats_payload,
)
from proofbase.engine.rules import Awari, Game
from proofbase.engine.rules.gomoku import Gomoku
from proofbase.engine.rules.tables.table_values import TableValues
from proofbase.engine.tables import PythonTables


@dataclass
class Mutant:
    """A claim with another witness.

    Attributes:
        game, position: the rules in Python, and the canonical position.
        claim: the changed claim.
        guarantees: whether the witness guarantees the bound, by brute force; asked of legal witnesses only.
        records: of other positions, which the claim may rest on.
        tables: their directory.
    """

    game: Game[Any]
    position: Any
    claim: Claim
    guarantees: Callable[[], bool]
    records: dict[bytes, bytes] = field(default_factory=dict)
    tables: Path | None = None

    def accepted(self) -> bool:
        """What the checks say, with zones and without; they must agree."""
        game, key = self.game, self.game.key(self.position)
        records = {**self.records, key: encode_record(Record.of([self.claim]))}
        native = RecordTable(native_of(game))
        native.load(records.items())
        if self.tables is not None:
            native.attach(Tables(native_of(game), str(self.tables)))
        tables = None if self.tables is None else PythonTables(game, self.tables)
        decoded = {k: checker.read_record(record) for k, record in records.items()}
        answers = set()
        for zones in (False, True) if self.claim.evidence == Evidence.THREATS else (False,):
            check = LocalCheck(game, tables, zones=zones)
            by_checker = checker.check_record(game, key, decoded[key], decoded, TableValues(game, self.tables), zones)
            answers.add(not native.check([key], zones=zones).failed)
            answers.add(not [*check.findings([(key, records[key])], lambda keys: [*map(records.get, keys)])])
            answers.add(not [*by_checker])
        (answer,) = answers
        return answer


@cache
def native_of(game: Game[Any]) -> Any:
    return python_game(game) if game.name == "explicit" else open_game(game.name)


# --- Brute force ------------------------------------------------------------------------------------------------------
class Plays:
    """Values of an acyclic game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self._values: dict[bytes, int] = {}

    def value(self, position: Any) -> int:
        over = self.game.terminal(position)
        if over is not None:
            return over
        key = self.game.key(position)
        if key not in self._values:
            self._values[key] = max(self.by_move(position, move) for move in self.game.moves(position))
        return self._values[key]

    def by_move(self, position: Any, move: int) -> int:
        return self.game.reward(position, move) - self.value(self.game.play(position, move))

    def guarantees(self, position: Any, move: int, bound: int) -> bool:
        return self.by_move(position, move) >= bound


class Rows:
    """Forced wins of go-moku on a small board, by its rules, with all moves of both sides."""

    def __init__(self, game: Gomoku) -> None:
        self._lines = PlainLines(game)
        self._known: dict[tuple[int, int, int], bool] = {}

    def wins_by(self, move: int, own: int, other: int, plies: int) -> bool:
        """Whether the side to move forces a win within so many plies that begins with this square."""
        if plies < 1:
            return False
        if self._lines.attacker_wins(own, other) & move:
            return True
        return self._lost(other, own | move, plies - 1)

    def _wins(self, own: int, other: int, plies: int) -> bool:
        if plies < 1:
            return False
        if self._lines.attacker_wins(own, other):
            return True
        if plies < 3:
            return False
        place = own, other, plies
        if place not in self._known:
            moves = squares_of(self._lines.board & ~(own | other))
            self._known[place] = any(self._lost(other, own | move, plies - 1) for move in moves)
        return self._known[place]

    def _lost(self, own: int, other: int, plies: int) -> bool:
        """Whether the side to move loses within so many plies, whatever it plays. A full board is drawn."""
        if self._lines.attacker_wins(own, other):
            return False
        moves = squares_of(self._lines.board & ~(own | other))
        return bool(moves) and all(self._wins(other, own | move, plies - 1) for move in moves)


# --- The kinds of evidence: mutants without end -----------------------------------------------------------------------
def by_children(random: Random) -> Iterator[Mutant]:
    """Random graphs with cycles, rewards and repetition values; records with the claims of their exact values."""
    facts = load_trial("checks/trial_fact_model")
    while True:
        game, worth, _ = facts.draw_graph(random)
        graph = game.graph
        game.highest_value = max(game.highest_value, *(abs(rho or 0) for rho in graph.rho))
        claims = exact_claims(graph)
        records = {game.key(node): encode_record(Record(of_node)) for node, of_node in claims.items()}
        for node, of_node in claims.items():
            others = {key: record for key, record in records.items() if key != game.key(node)}
            for claim in of_node:
                for edge in graph.edges[node] if claim.side == Side.LOWER else ():
                    rank = claim.rank + random.choice((0, 0, 1, 5)) if claim.rank else 0
                    for bound in {claim.bound, claim.bound - 1}:
                        rho = graph.rho[node]
                        safe = rho is not None and bound <= rho
                        changed = replace(claim, witness=edge.move, bound=bound, rank=0 if safe else max(rank, 1))
                        reached = edge.reward - worth[edge.child]
                        yield Mutant(game, node, changed, partial(int.__ge__, reached, bound), others)


SMALL = ("tic-tac-toe", "connect-four:4x4", "connect-four:3x4,score", "connect-four:5x3", "gomoku:4x3-3")


def late_position(game: Game[Any], random: Random) -> Any:
    """A canonical position in the second half of a random game, which is not over."""
    while True:
        line = [game.initial()]
        while game.terminal(line[-1]) is None:
            line.append(game.play(line[-1], random.choice(game.moves(line[-1]))))
        if len(line) > 2:
            return game.position(game.key(random.choice(line[len(line) // 2 : -1])))


def by_search(random: Random) -> Iterator[Mutant]:
    plays = {name: Plays(open_rules(name)) for name in SMALL}
    while True:
        oracle = plays[random.choice(SMALL)]
        game = oracle.game
        position = late_position(game, random)
        bound, depth = oracle.value(position), random.randint(1, 9)
        for move in game.moves(position):
            limit, child = game.reward(position, move) - bound, game.play(position, move)
            nodes = small_search_visits(game, child, limit, depth - 1, 10_000)
            if nodes is None:
                continue
            for other in game.moves(position):
                claim = Claim(Side.LOWER, bound, depth, Evidence.SEARCH, other, search_payload(nodes))
                yield Mutant(game, position, claim, partial(oracle.guarantees, position, other, bound))
            break


def by_line(random: Random) -> Iterator[Mutant]:
    names = ("tic-tac-toe", "connect-four:4x4", "connect-four:5x3", "gomoku:4x3-3")
    plays = {name: Plays(open_rules(name)) for name in names}
    while True:
        oracle = plays[random.choice(names)]
        game = oracle.game
        position = late_position(game, random)
        line = forcing_line(game, position, random)
        if line is None:
            continue
        for move in game.moves(position):
            for changed in {line, (move, *line[1:])}:
                claim = Claim(Side.LOWER, 1, len(line), Evidence.LINE, move, line_payload(changed))
                yield Mutant(game, position, claim, partial(oracle.guarantees, position, move, 1))


def forcing_line(game: Game[Any], position: Any, random: Random) -> tuple[int, ...] | None:
    """A line of one or three moves by which the side to move wins."""
    moves = list(game.moves(position))
    random.shuffle(moves)
    for move in moves:
        child = game.play(position, move)
        if game.terminal(child) == -1:
            return (move,)
        for reply in game.moves(child) if game.terminal(child) is None else ():
            after = game.play(child, reply)
            for last in game.moves(after) if game.terminal(after) is None else ():
                if line_reaches(game, position, 1, (move, reply, last)):
                    return (move, reply, last)
    return None


BOARDS = (
    "gomoku:5x4-4",
    "gomoku:5x5-4",
    "gomoku:5x4-4,standard",
    "gomoku:4x4-3",
    "gomoku:4x4-3,standard",
    "gomoku:6x4-4",
)
MOST_EMPTY = 9


def by_threats(random: Random) -> Iterator[Mutant]:
    """Late positions of small boards, with trees that win and with none below every move."""
    while True:
        game = game_of(random.choice(BOARDS))
        rules, rows, position = game.threat_rules(), Rows(game), late_position(game, random)
        empty = game.moves(position)
        if len(empty) > MOST_EMPTY:
            continue
        own, other = rules.stones(position)
        tree = find_tree(game, own, other, 2)
        if tree is None:
            continue
        of_other, of_own = PlainLines(game).stones(game, position)

        for move in empty:
            nodes = [ThreatNode(move, tree.replies), ThreatNode(move)]
            for node in nodes if tree is ENDS else [*nodes, tree]:
                for rank in {min(node.plies, len(empty)), random.randint(1, len(empty))}:
                    payload = threats_payload(ThreatTrees(passed=node))
                    claim = Claim(Side.LOWER, 1, rank, Evidence.THREATS, move, payload)
                    yield Mutant(game, position, claim, partial(rows.wins_by, 1 << move, of_own, of_other, rank))


def by_table(random: Random, directory: Path) -> Iterator[Mutant]:
    """Tables of values with cycles and rewards, and tables of plies."""
    stones, giveaway = 4, open_rules("giveaway")
    for name, size in (("awari", stones), ("giveaway", 2)):
        assert TableWork(open_game(name), str(directory / name), size).build()
    graph, positions = endgames(stones)
    worth = {graph.keys[node]: value for node, value in enumerate(values(graph))}
    drawn = [(awari, p, worth) for awari in [Awari()] for p in positions.values() if awari.terminal(p) is None]
    for root in ("8/8/8/2k5/8/8/8/N7 w - - 0 1", "8/8/8/2r5/8/8/8/K7 w - - 0 1"):
        graph = explore(giveaway, giveaway.parse(root))
        worth = {graph.keys[node]: value for node, value in enumerate(values(graph))}
        alive = [giveaway.position(key) for key, over in zip(graph.keys, graph.terminal, strict=True) if over is None]
        drawn += [(giveaway, position, worth) for position in random.sample(alive, min(len(alive), len(positions)))]
    readers = {name: PythonTables(open_rules(name), directory / name) for name in ("awari", "giveaway")}
    while True:
        game, position, worth = random.choice(drawn)
        value, plies = worth[game.key(position)], readers[game.name].own_plies(position) or 0
        place = game.table_entry(position)
        assert place is not None
        for move in game.moves(position):
            child = game.play(position, move)
            over = game.terminal(child)
            reached = game.reward(position, move) - (worth[game.key(child)] if over is None else over)
            for rank in {plies if value > 0 else 0, plies + 2 if plies and value > 0 else 0}:
                claim = Claim(Side.LOWER, value, rank, Evidence.TABLE, move, table_payload(place[0]))
                yield Mutant(game, position, claim, lambda r=reached, v=value: r >= v, tables=directory / game.name)


# --- The trial --------------------------------------------------------------------------------------------------------
def run(mutants: int, seed: int) -> dict[str, Counter[str]]:
    """Counts mutants, those that were accepted, and legal witnesses that do not guarantee the bound, by evidence."""
    found: dict[str, Counter[str]] = {}
    with TemporaryDirectory() as directory:
        kinds: dict[str, Callable[[Random], Iterator[Mutant]]] = {
            "children": by_children,
            "search": by_search,
            "line": by_line,
            "threats": by_threats,
            "table": lambda random: by_table(random, Path(directory)),
        }
        for name, kind in kinds.items():
            counts = found[name] = Counter()
            for mutant in kind(Random(f"{name} {seed}")):
                accepted, guarantees = mutant.accepted(), mutant.guarantees()
                assert guarantees or not accepted, (mutant.game.text(mutant.position), mutant)
                counts["mutants"] += 1
                counts["accepted"] += accepted
                counts["wrong"] += not guarantees
                if counts["mutants"] * len(kinds) >= mutants:
                    break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.perf_counter()
    total: Counter[str] = Counter()
    for name, counts in run(options.mutants, options.seed).items():
        total += counts
        print(f"{name:9}{counts['mutants']:7,} mutants{counts['accepted']:7,} accepted{counts['wrong']:7,} wrong")
    print(f"{total['mutants']:,} mutants, 0 accepted whose witness is wrong, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
