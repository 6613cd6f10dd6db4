"""The game tree of a game, estimated from sampled games (Allis 1994, section 6.2.4).

The estimate is the number of leaves of a tree that is as deep as games are long on average, and whose nodes have as
many children at each ply as the sampled positions of that ply have moves.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log10, sqrt
from typing import Any, NamedTuple

from proofbase.engine.rules import Game

__all__ = ["PLIES", "GameSample", "PlyOfGames", "sample_games", "sample_lines"]

PLIES = 1_000
"""A sampled game that goes on for longer is left there, and counted as so long."""


class PlyOfGames(NamedTuple):
    """A ply of the sampled games: how many had a move to make there, and the mean number of legal moves."""

    games: int
    moves: float


@dataclass(frozen=True, slots=True)
class GameSample:
    """Sampled games.

    Attributes:
        lengths: how many games had so many plies.
        plies: for each ply from the first on, what the games had there.
        unfinished: games that were left before their end: after `PLIES` plies, or where the given moves end.
        won: games with a winner.
    """

    lengths: dict[int, int]
    plies: Sequence[PlyOfGames]
    unfinished: int
    won: int

    @property
    def games(self) -> int:
        """How many games were sampled."""
        return sum(self.lengths.values())

    @property
    def length(self) -> float:
        """The mean number of plies."""
        return sum(length * times for length, times in self.lengths.items()) / self.games

    @property
    def length_error(self) -> float:
        """The standard error of the mean number of plies."""
        mean = self.length
        squares = sum(times * (length - mean) ** 2 for length, times in self.lengths.items())
        return sqrt(squares / max(1, self.games - 1) / self.games)

    @property
    def branching(self) -> float:
        """The mean number of legal moves, over all positions of the games in which there was one to make."""
        games = sum(ply.games for ply in self.plies)
        return sum(ply.games * ply.moves for ply in self.plies) / games if games else 0.0

    @property
    def log10_leaves(self) -> float:
        """log10 of the leaves of the tree: the mean numbers of moves multiplied, for as many plies as games last.

        Of the ply in which the mean length lies the share that it has of that ply is taken.
        """
        whole, part = int(self.length), self.length % 1
        logs = [log10(ply.moves) for ply in self.plies]
        return sum(logs[:whole]) + (part * logs[whole] if part else 0.0)

    def length_at(self, share: float) -> int:
        """The length that this share of the games does not exceed.

        Args:
            share: above 0 and at most 1; 0.5 gives the median.
        """
        lengths = sorted(self.lengths)
        counts = accumulate(self.lengths[length] for length in lengths)
        return next(length for length, count in zip(lengths, counts, strict=True) if count >= share * self.games)


def sample_games(
    game: Game[Any],
    games: int,
    seed: int = 1,
    choices: Callable[[Any, Sequence[int]], Sequence[int]] = lambda _, moves: moves,
    progress: Callable[[int], None] = lambda _: None,
    *,
    to_the_end: bool = True,
) -> GameSample:
    """Plays games in which every move is drawn from those that are allowed.

    Args:
        game: by any rules.
        games: how many to play, at least 1.
        seed: of the random numbers; the same one gives the same games.
        choices: the moves to draw from, at least one, from a position and its legal moves: all of them for random
            play, the best ones for best play.
        progress: told how many games were played, now and then.
        to_the_end: whether games go on where the rewards so far have settled who wins, or where a position comes again:
            people end them there.
    """
    source = random.Random(seed)

    def drawn(position: Any, moves: Sequence[int], ply: int) -> int:
        return source.choice(choices(position, moves))

    return _sample(game, (drawn for _ in range(games)), progress, to_the_end=to_the_end)


def sample_lines(game: Game[Any], lines: Iterable[Sequence[int]]) -> GameSample:
    """The complexity of games that were played: at least one, legal moves from the initial position."""

    def next_move(line: Sequence[int]) -> _Next:
        return lambda position, moves, ply: line[ply] if ply < len(line) else None

    return _sample(game, map(next_move, lines), lambda _: None)


_Next = Callable[[Any, Sequence[int], int], int | None]
"""The move of a game from a position, its legal moves and the ply; None: the game is left there."""


def _sample(
    game: Game[Any], players: Iterable[_Next], progress: Callable[[int], None], *, to_the_end: bool = True
) -> GameSample:
    lengths, games_at, moves_here = Counter[int](), Counter[int](), Counter[int]()
    unfinished = won = 0
    for number, player in enumerate(players):
        if number % 100 == 0 or not to_the_end:
            progress(number)
        position, ply, result, sign = game.initial(), 0, 0, 1
        seen = set[bytes]()
        while (over := game.terminal(position)) is None and ply < PLIES:
            if not to_the_end:
                if abs(result) > game.limit(position) or game.key(position) in seen:
                    over = 0
                    break
                seen.add(game.key(position))
            moves = game.moves(position)
            move = player(position, moves, ply)
            if move is None:
                break
            games_at[ply] += 1
            moves_here[ply] += len(moves)
            result += sign * game.reward(position, move)
            position, sign, ply = game.play(position, move), -sign, ply + 1
        lengths[ply] += 1
        unfinished += over is None
        won += over is not None and result + sign * over != 0
    plies = [PlyOfGames(games_at[ply], moves_here[ply] / games_at[ply]) for ply in sorted(games_at)]
    return GameSample(dict(sorted(lengths.items())), plies, unfinished, won)
