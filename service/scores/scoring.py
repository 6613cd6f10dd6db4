"""Scoring of many games at once: every position is looked at once, and the values are looked up in large batches."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import add
from typing import Any, NamedTuple, Protocol

from proofbase.engine.errors import EngineError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.notation import read_line
from proofbase.engine.formats.played_games import PlayedGame
from proofbase.engine.formats.reading import is_game_record, read_line_of_moves, read_text
from proofbase.engine.games import canonical_alias, default_rules, open_game
from proofbase.engine.many_positions import solve_positions
from proofbase.engine.openspiel.translation import move_reader
from proofbase.engine.openspiel.turns import TurnGame
from proofbase.engine.rules import Game, is_built_in
from proofbase.service.answers.batches import DAMAGED, INVALID, PackedAnswers
from proofbase.service.scores.game_scores import GameScores, ScoredPosition

__all__ = ["AsksKeys", "Node", "Reading", "known_bounds", "score_games", "without_collector"]

Games = Iterable[PlayedGame | str | Sequence[int]]


class AsksKeys(Protocol):
    """What scoring needs of a client."""

    def batch_lookup_keys(self, game: str, keys: Sequence[bytes]) -> PackedAnswers:
        """What is known of many keys."""


class Node(NamedTuple):
    """A position, with what follows it."""

    number: int
    moves: Sequence[int]
    children: Sequence[Any]


def score_games(
    client: AsksKeys,
    game_name: str,
    games: Games,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    batch_size: int = 10_000,
    fingerprint: str | None = None,
    on_progress: Callable[[int], None] = lambda moves: None,
) -> GameScores:
    """What every move of some games gave away, as far as it is known.

    The value of a move is its reward minus the value of the position after it; a position is worth its best move. Known
    are the values of the store and its tables, and of finished games; with `nodes` or `seconds` other positions are
    searched here, in memory.

    Args:
        client: is asked for the values.
        game_name: any name of the game.
        games: played games; a text stands for its moves, a list for the numbers of OpenSpiel's actions.
        nodes: of the search of each position.
        seconds: of all searches together.
        batch_size: keys that are asked for in one call.
        fingerprint: of the store's records of the game; it goes into files.
        on_progress: is called with the number of moves that were read, now and then.

    Raises:
        InvalidMoveError, InvalidPositionError: a game cannot be read; the message has its number and line.
        UnknownGameError: no such game.
        Exception: what the client raises.
    """
    with without_collector():
        return _scored(
            client,
            game_name,
            games,
            nodes=nodes,
            seconds=seconds,
            batch_size=batch_size,
            fingerprint=fingerprint,
            on_progress=on_progress,
        )


@contextmanager
def without_collector() -> Iterator[None]:
    """Stops Python's collector of cycles: there are none here, and it would look at all positions again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _scored(
    client: AsksKeys,
    game_name: str,
    games: Games,
    *,
    nodes: int | None,
    seconds: float | None,
    batch_size: int,
    fingerprint: str | None,
    on_progress: Callable[[int], None],
) -> GameScores:
    reading = Reading.of(game_name)
    players, rows = list[tuple[str, str]](), list[tuple[int, int, int]]()
    for number, entry in enumerate(games):
        played = entry if isinstance(entry, PlayedGame) else PlayedGame(entry)
        players.append(played.players)
        try:
            rows += [(number, node, move) for node, move in reading.walk(played)]
        except (EngineError, ValueError) as error:
            kind = InvalidPositionError if isinstance(error, InvalidPositionError) else InvalidMoveError
            raise kind(f"game {number + 1}, from line {played.line}: {error}") from None
        on_progress(len(rows))
    lower, upper, damaged, package = known_bounds(client, reading.game.name, list(reading.keys), batch_size)
    if nodes is not None or seconds is not None:
        _search(reading, lower, upper, nodes, seconds)
    return GameScores(reading.game, players, rows, reading.scored(lower, upper), fingerprint, damaged, package)


class Reading:
    """Positions with their moves and what follows them, each looked at once."""

    @classmethod
    def of(cls, game_name: str) -> Reading:
        """None yet, of a game by any of its names.

        Raises:
            UnknownGameError: no such game.
        """
        is_users = not is_built_in(canonical_alias(game_name))
        return cls(open_game(game_name, "python" if is_users else default_rules()))

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.keys = defaultdict[bytes, int]()
        """Numbers in the order in which keys come up."""
        self.keys.default_factory = self.keys.__len__
        self.nodes: dict[Any, Node] = {}
        self.key_numbers = list[Sequence[int]]()
        """For each node that of its own key, then those of its children."""
        self._rewards = open_game(game.name, "python").has_rewards()
        self._read_actions = move_reader(game)
        self._wait = game.wait if isinstance(game, TurnGame) else None
        """Waiting is no move of a player."""

    def walk(self, played: PlayedGame) -> list[tuple[int, int]]:
        """Node and index of the move, for each move of a game."""
        game, nodes = self.game, self.nodes
        start, numbers = self.moves_of(played)
        position, steps = start, list[tuple[int, int]]()
        for move in numbers:
            node = nodes.get(position) or self.expand(position)
            try:
                index = node.moves.index(move)
            except ValueError:
                over = "the game is over" if not node.moves else f"{move} is no legal move"
                raise InvalidMoveError(f"move {len(steps) + 1}: {over} in {quoted(game.text(position), 100)}") from None
            if move != self._wait:
                steps.append((node.number, index))
            position = node.children[index]
        return steps

    def moves_of(self, played: PlayedGame) -> tuple[Any, Sequence[int]]:
        """The position where a game begins, and its moves, which `walk` finds to be legal."""
        game = self.game
        if isinstance(played.moves, str):
            if is_game_record(game, played.moves):
                start, moves, _ = read_line(game, played.moves)
                return start, moves
            start = read_text(game, played.start).position
            return start, read_line_of_moves(game, start, played.moves)[0]
        start = game.initial() if played.start == "-" else read_text(game, played.start).position
        return start, played.moves if self._read_actions is None else self._read_actions(start, played.moves)

    def expand(self, position: Any) -> Node:
        """The node of a position that has none."""
        game, key, play = self.game, self.game.key, self.game.play
        moves = game.moves(position) if game.terminal(position) is None else ()
        children = [play(position, move) for move in moves]
        number = self.keys.__getitem__
        node = Node(len(self.key_numbers), moves, children)
        self.nodes[position] = node
        self.key_numbers.append([number(key(position)), *map(number, map(key, children))])
        return node

    def scored(self, lower: Sequence[int], upper: Sequence[int]) -> list[ScoredPosition]:
        """What is known of every node: by its own record, and by its moves."""
        game, rewards = self.game, self._rewards
        lowest, highest = [-bound for bound in upper], [-bound for bound in lower]  # of moves, by the key after them
        positions = list[ScoredPosition]()
        for position, (node, moves, _) in self.nodes.items():
            key_number, *children = self.key_numbers[node]
            least, most = lower[key_number], upper[key_number]
            low, high = [lowest[child] for child in children], [highest[child] for child in children]
            if rewards:
                gained = [game.reward(position, move) for move in moves]
                low = list(map(add, low, gained))
                high = list(map(add, high, gained))
            if moves:
                least, most = max(least, *low), min(most, max(high))
            positions.append(ScoredPosition(position, moves, low, high, least, most))
        return positions


def known_bounds(
    client: AsksKeys, game: str, keys: Sequence[bytes], batch_size: int = 10_000
) -> tuple[list[int], list[int], int, str | None]:
    """Lower and upper bounds of all keys, the number of damaged records, and the package that the answers are from."""
    lower, upper, damaged, package = list[int](), list[int](), 0, None
    for start in range(0, len(keys), batch_size):
        answers = client.batch_lookup_keys(game, keys[start : start + batch_size])
        lower += memoryview(answers.lowers).cast("i")
        upper += memoryview(answers.uppers).cast("i")
        damaged += sum(1 for state in answers.states if state & (DAMAGED | INVALID))
        package = answers.package
    return lower, upper, damaged, package


def _search(reading: Reading, lower: list[int], upper: list[int], nodes: int | None, seconds: float | None) -> None:
    """Searches the positions after the moves that are not known, the last ones of the games first."""
    after = {child for numbers in reading.key_numbers for child in numbers[1:]}
    open_keys = [number for number in sorted(after, reverse=True) if lower[number] < upper[number]]
    if not open_keys:
        return
    keys = list(reading.keys)
    solved = solve_positions(reading.game, [keys[number] for number in open_keys], nodes=nodes, total_seconds=seconds)
    for number, least, most in zip(open_keys, solved.lower, solved.upper, strict=True):
        lower[number] = max(lower[number], int(least))
        upper[number] = min(upper[number], int(most))
