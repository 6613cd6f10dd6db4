"""Claims by threats for tests: a plain search for threat trees, and their meaning by plain definitions."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import zone_of_tree
from proofbase.engine.records import (
    ENDS,
    Claim,
    Evidence,
    Record,
    Side,
    ThreatNode,
    ThreatTrees,
    encode_record,
    threats_payload,
)
from proofbase.engine.rules.gomoku import Gomoku

VARIANTS = ("gomoku:7x7-4", "gomoku:6x6-4,standard", "gomoku:8x8", "gomoku:8x7,standard")


def game_of(name: str) -> Gomoku:
    rules = open_rules(name)
    assert isinstance(rules, Gomoku)
    return rules


class PlainLines:
    """Wins of go-moku by a list of all lines. Squares are moves, sets of them numbers with a bit for each.

    As in docs/zones.md, rows of the defender that are too long for the rules win as well.
    """

    def __init__(self, game: Gomoku) -> None:
        self.count = game.width * game.height
        self.board = (1 << self.count) - 1
        self._ended: dict[tuple[int, int], bool] = {}
        start = game.initial()
        number = {game.move_text(start, move): move for move in range(self.count)}

        def at(column: int, row: int) -> int | None:
            return number.get(f"{chr(ord('a') + column)}{row + 1}") if column >= 0 else None

        self.lines: list[tuple[int, int]] = []  # squares, and those beside both ends
        for column in range(game.width):
            for row in range(game.height):
                for step in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    places = [at(column + k * step[0], row + k * step[1]) for k in range(-1, game.length + 1)]
                    inner = [1 << place for place in places[1:-1] if place is not None]
                    beside = [1 << place for place in (places[0], places[-1]) if place is not None]
                    if len(inner) == game.length:
                        self.lines.append((sum(inner), sum(beside) if game.standard else 0))

    def stones(self, game: Gomoku, position: Any) -> tuple[int, int]:
        """Those of the side that is not to move, the attacker, and of the side to move, the defender."""
        rules = game.threat_rules()
        mover, other = (
            sum(1 << move for move, square in enumerate(rules.squares) if square & side)
            for side in rules.stones(position)
        )
        return other, mover

    def attacker_wins(self, attacker: int, defender: int) -> int:
        wins = 0
        for line, beside in self.lines:
            missing = line & ~attacker
            if not missing & (missing - 1) and not missing & defender and not beside & attacker:
                wins |= missing
        return wins

    def defender_wins(self, attacker: int, defender: int) -> int:
        wins = 0
        for line, _ in self.lines:
            missing = line & ~defender
            if not missing & (missing - 1) and not missing & attacker:
                wins |= missing
        return wins

    def ends(self, attacker: int, defender: int) -> bool:
        """Remembered: changed trees come to the same positions."""
        if (attacker, defender) not in self._ended:
            self._ended[attacker, defender] = self._ends(attacker, defender)
        return self._ended[attacker, defender]

    def _ends(self, attacker: int, defender: int) -> bool:
        if self.attacker_wins(attacker, defender):
            return True
        if self.defender_wins(attacker, defender):
            return False
        for square in squares_of(self.board & ~(attacker | defender)):
            wins = self.attacker_wins(attacker | square, defender)
            if wins & (wins - 1):
                return True
        return False

    def wins(self, node: ThreatNode, attacker: int, defender: int) -> bool:
        """Whether the attacker, to move, wins by the tree: the definition in docs/zones.md, reply by reply."""
        if self.ends(attacker, defender):
            return True
        if node.move is None or node.move >= self.count or (attacker | defender) >> node.move & 1:
            return False
        attacker |= 1 << node.move
        if self.defender_wins(attacker, defender) or not self.ends(attacker, defender):
            return False
        listed = dict(node.replies)
        return all(
            self.wins(listed.get(reply, ENDS), attacker, defender | 1 << reply)
            for reply in range(self.count)
            if not (attacker | defender) >> reply & 1
        )


def find_tree(game: Gomoku, attacker: int, defender: int, depth: int) -> ThreatNode | None:
    """A tree of threats, at most so many moves deep, by which the attacker, to move, wins."""
    rules = game.threat_rules()
    attack, must_block = rules.attack(attacker, defender), rules.defence(attacker, defender).one
    if attack.wins or (attack.double_threats and not must_block):
        return ENDS
    if depth == 0 or must_block & (must_block - 1):
        return None
    moves = {square: move for move, square in enumerate(rules.squares)}
    for move in squares_of(must_block or rules.board & ~(attacker | defender)):
        after = attacker | move
        attack, defence = rules.attack(after, defender), rules.defence(after, defender)
        if defence.one or not (attack.wins or attack.double_threats):
            continue
        replies = attack.wins
        if not attack.wins:
            met = rules.board & ~(after | defender)
            for square, wins in attack.double_threats:
                met &= square if wins.bit_count() > 2 else square | wins
            replies = met | defence.two
        elif attack.wins & (attack.wins - 1):
            replies = 0
        listed: list[tuple[int, ThreatNode]] = []
        for reply in squares_of(replies):
            below = find_tree(game, after, defender | reply, depth - 1)
            if below is None:
                break
            listed.append((moves[reply], below))
        else:
            return ThreatNode(moves[move], tuple(sorted(listed)))
    return None


def squares_of(squares: int) -> list[int]:
    found = []
    while squares:
        found.append(squares & -squares)
        squares &= squares - 1
    return found


class Example(NamedTuple):
    """A position in which the side to move loses by threats."""

    game: Gomoku
    position: Any
    threats: ThreatTrees
    children: dict[bytes, bytes]
    """Records of the positions after named replies."""

    @property
    def claim(self) -> Claim:
        return upper_claim(self.game, self.position, self.threats)


def upper_claim(game: Gomoku, position: Any, threats: ThreatTrees) -> Claim:
    empty = len(game.moves(position))
    return Claim(Side.UPPER, -1, empty, Evidence.THREATS, payload=threats_payload(threats))


def lower_claim(game: Gomoku, position: Any, tree: ThreatNode) -> Claim:
    payload = threats_payload(ThreatTrees(passed=tree))
    return Claim(Side.LOWER, 1, len(game.moves(position)), Evidence.THREATS, tree.move, payload)


def random_position(game: Gomoku, random: Random) -> Any:
    """A canonical position in which nobody has won, with stones near each other."""
    while True:
        position = game.initial()
        for _ in range(random.randint(4, game.width * game.height // 3)):
            moves = game.moves(position)
            position = game.play(position, moves[min(int(random.expovariate(0.08)), len(moves) - 1)])
            if game.terminal(position) is not None:
                break
        else:
            return game.position(game.key(position))


def random_example(game: Gomoku, random: Random, depth: int = 2) -> Example:
    """A random position that is lost by threats, with the trees that show it."""
    while True:
        position = random_position(game, random)
        found = example_of(game, position, random, depth)
        if found is not None:
            return found


def example_of(game: Gomoku, position: Any, random: Random, depth: int) -> Example | None:
    rules = game.threat_rules()
    defender, attacker = rules.stones(position)
    if rules.defence(attacker, defender).one:
        return None
    passed = find_tree(game, attacker, defender, depth)
    if passed is None:
        return None
    named: list[int] = []
    trees: list[tuple[int, ThreatNode]] = []
    children: dict[bytes, bytes] = {}
    for move in sorted(game.moves(position)):
        if zone_of_tree(rules, passed, attacker, defender | rules.squares[move]) is not None:
            continue
        tree = find_tree(game, attacker, defender | rules.squares[move], depth)
        if tree is None:
            return None
        child = game.position(game.key(game.play(position, move)))
        below = find_tree(game, *rules.stones(child), depth) if random.random() < 0.3 else None
        if below is None or below.move is None:
            trees.append((move, tree))
        else:
            named.append(move)
            children[game.key(child)] = encode_record(Record.of([lower_claim(game, child, below)]))
    return Example(game, position, ThreatTrees(tuple(named), passed, tuple(trees)), children)


def changed_tree(node: ThreatNode, random: Random, squares: int) -> ThreatNode:
    """The tree with one thing changed: a move, a reply, a branch cut off, left out or put elsewhere."""
    nodes: list[ThreatNode] = []
    pending = [node]
    while pending:
        nodes.append(pending.pop())
        pending += [child for _, child in nodes[-1].replies]
    old, donor = random.choice(nodes), random.choice(nodes)
    replies = dict(old.replies)
    match random.randrange(6):
        case 0:
            new = ThreatNode(random.randrange(squares), old.replies)
        case 1:
            new = ENDS
        case 2 if replies:
            del replies[random.choice(sorted(replies))]
            new = ThreatNode(old.move, tuple(sorted(replies.items())))
        case 3 if replies:
            child = replies.pop(random.choice(sorted(replies)))
            new = ThreatNode(old.move, tuple(sorted({**replies, random.randrange(squares): child}.items())))
        case 4 if replies:
            new = random.choice(list(replies.values()))
        case _:
            new = donor
    return _replaced(node, old, new)


def _replaced(node: ThreatNode, old: ThreatNode, new: ThreatNode) -> ThreatNode:
    if node is old:
        return new
    return ThreatNode(node.move, tuple((reply, _replaced(child, old, new)) for reply, child in node.replies))


def changed_threats(example: Example, random: Random) -> ThreatTrees:
    """The trees of an example with one to three changes."""
    threats, squares = example.threats, example.game.width * example.game.height
    passed, named, trees = threats.passed, set(threats.named), dict(threats.trees)
    for _ in range(random.randint(1, 3)):
        match random.randrange(8):
            case 0 if named:
                named.remove(random.choice(sorted(named)))
            case 1:
                named.add(random.randrange(squares))
            case 2 if trees:
                del trees[random.choice(sorted(trees))]
            case 3 if trees:
                tree = trees.pop(random.choice(sorted(trees)))
                trees[random.randrange(squares)] = tree
            case 4:
                passed = None
            case _:
                chosen = random.choice([None, *sorted(trees)])
                tree = passed if chosen is None else trees[chosen]
                if tree is None:
                    continue
                tree = changed_tree(tree, random, squares)
                passed, trees = (tree, trees) if chosen is None else (passed, {**trees, chosen: tree})
    return ThreatTrees(tuple(sorted(named)), passed, tuple(sorted(trees.items())))


def is_proved(example: Example, claim: Claim, lines: PlainLines | None = None) -> bool:
    """Whether an upper claim with these children's records is right, by plain definitions."""
    game, threats, lines = example.game, claim.threats, lines or PlainLines(example.game)
    assert threats is not None
    attacker, defender = lines.stones(game, example.position)
    legal = game.moves(example.position)
    trees = [tree for _, tree in threats.trees] + ([] if threats.passed is None else [threats.passed])
    if any(reply not in legal for reply in (*threats.named, *dict(threats.trees))):
        return False
    for move in legal:
        child = game.play(example.position, move)
        if move in threats.named:
            if game.key(child) not in example.children:
                return False
        elif game.terminal(child) is not None or not any(
            lines.wins(tree, attacker, defender | 1 << move) for tree in trees
        ):
            return False
    return True
