"""How large a game is, and how far it is solved: the measures of Allis (1994), chapter 6 and section 1.5."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofbase.engine.complexity import (
    count_states,
    estimate_states,
    published_size,
    sample_games,
    sample_lines,
    solution_tree,
    supersets_of,
)
from proofbase.engine.errors import EngineError
from proofbase.engine.formats.played_games import read_played_games
from proofbase.engine.games import open_game
from proofbase.engine.players import good_games
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.given_texts import read_given_file
from proofbase.service.cli.options import GameName, Json, Plugins, Server, Store, Tables, positive_count
from proofbase.service.cli.output.position_answer import print_package
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.session import opened
from proofbase.service.scores.scoring import Reading

if TYPE_CHECKING:
    from proofbase.engine.complexity import CountedStates, EstimatedStates, GameSample, SolutionTree, Superset
    from proofbase.engine.rules import Game
    from proofbase.service.answers import Value
    from proofbase.service.client.contract import Service

__all__ = ["measure"]


def measure(
    game: GameName,
    positions: Annotated[
        int,
        typer.Option(
            metavar="N", parser=positive_count, help="Count the positions where there are at most N, else estimate."
        ),
    ] = 200_000,
    samples: Annotated[
        int, typer.Option(metavar="N", parser=positive_count, help="Draw N members of a superset for the estimate.")
    ] = 20_000,
    games: Annotated[int, typer.Option(metavar="N", parser=positive_count, help="Play N games of each kind.")] = 1_000,
    play: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=positive_count, help="Play N games of a player against itself.", show_default=False
        ),
    ] = None,
    games_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Measure the games of a file, such as PGN or lists.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the random numbers.")] = 1,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Measure how large a game is, and how far the store solves it.

    Its state space, game tree and convergence, beside what is printed by Allis (1994). In games of best play each side
    takes one of the moves that the store knows to be best. --play and --games-file measure games that are played well.
    """
    with opened(store, server, plugin, read_only=True, missing="memory:", tables=tables) as client:
        games_of_file = None if games_file is None else _games_of(game, games_file)
        rules = open_game(game, "python")
        known = client.lookup(rules.name)
        with showing_progress("measure") as show:
            supersets = supersets_of(rules)
            counted = estimated = best = None
            if not supersets or supersets[-1].size <= 10 * positions:
                counted = count_states(rules, positions, lambda done: show("positions", done / positions, 1.0))
            if counted is None and supersets:
                superset = supersets[-1]
                estimated = estimate_states(
                    rules, superset, samples, seed, lambda done: show("samples", done / samples, 1.0)
                )
            random = sample_games(rules, games, seed, progress=lambda done: show("random games", done / games, 1.0))
            if known.value.exact:
                moves = _best_moves(client, rules)
                best = sample_games(rules, games, seed, moves, lambda done: show("best play", done / games, 1.0))
            played = None
            if play is not None:
                played = good_games(rules.name, play, seed, lambda done: show("good play", done / play, 1.0))
            tree = solution_tree(rules, _VISITS) if counted else None
            solved = "strongly" if counted and _knows_all(client, rules.name, counted) else "weakly" if best else "not"
    by_play = {"random play": random, "best play": best, "good play": played, "games of the file": games_of_file}
    measures = _Measures(rules.name, supersets, counted, estimated, by_play, tree, known.value, solved, known.package)
    if json:
        documents.print_document(measures.document())
    else:
        measures.print()
    return ExitStatus.POSITIVE


_VISITS = 200_000
"""Positions looked at to count the tree that solves a game; that takes some seconds."""


def _games_of(game: str, file: Path) -> GameSample:
    """The games of a file, from the first position on.

    Raises:
        UsageError: one of them cannot be read, or begins elsewhere, or there is none.
    """
    reading, lines = Reading.of(game), list[Sequence[int]]()
    for played in read_played_games(reading.game.name, read_given_file(file)):
        try:
            reading.walk(played)
            start, moves = reading.moves_of(played)
        except (EngineError, ValueError) as error:
            raise UsageError(f"{file}, the game from line {played.line}: {error}") from None
        if start != reading.game.initial():
            raise UsageError(f"{file}, the game from line {played.line}: it does not begin with the first position")
        lines.append(moves)
    if not lines:
        raise UsageError(f"{file} has no game")
    return sample_lines(reading.game, lines)


def _best_moves(client: Service, rules: Game[Any]) -> Callable[[Any, Sequence[int]], Sequence[int]]:
    """The moves that the store knows to be best, of a position whose value it knows."""

    @cache
    def best(position: Any) -> tuple[int, ...]:
        answer = client.lookup(rules.name, rules.text(position))
        return tuple(
            move.number for move in answer.moves if move.value.lower_known and move.value.lower == answer.value.lower
        )

    # A value that is known is reached by a move whose claim is stored; where it is the game's lowest, by every move.
    return lambda position, moves: best(position) or moves


def _knows_all(client: Service, game: str, counted: CountedStates) -> bool:
    """Whether the store knows the value of every position."""
    keys = sorted(counted.keys)
    for first in range(0, len(keys), _KEYS_AT_ONCE):
        answers = client.batch_lookup_keys(game, keys[first : first + _KEYS_AT_ONCE])
        if any(lower != upper for lower, upper in answers.bounds()):
            return False
    return True


_KEYS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class _Measures:
    """What was measured of a game."""

    game: str
    supersets: Sequence[Superset]
    counted: CountedStates | None
    estimated: EstimatedStates | None
    samples: dict[str, GameSample | None]
    """By the kind of play."""
    tree: SolutionTree | None
    value: Value
    solved: str
    """How far the store solves the game (Allis, 1.5): `strongly`, `weakly` or `not`."""
    package: str | None

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        counted, estimated = self.counted, self.estimated
        return {
            "game": self.game,
            "supersets": [{"members": superset.description, "size": superset.size} for superset in self.supersets],
            "counted": counted
            and {
                "positions": counted.positions,
                "keys": len(counted.keys),
                "finished": counted.finished,
                "by_men": counted.by_men,
            },
            "estimated": estimated
            and {
                "positions": estimated.positions,
                "error": estimated.error,
                "samples": estimated.samples,
                "legal": estimated.legal,
                "upper_bound": not estimated.superset.exact,
                "by_men": estimated.by_men,
            },
            "convergence": self._convergence,
            **{name.replace(" ", "_"): sample and _sample_document(sample) for name, sample in self.samples.items()},
            "solution_tree": self.tree and self.tree._asdict(),
            "value": self.value,
            "solved": self.solved,
            "package": self.package,
        }

    @property
    def _convergence(self) -> str | None:
        states = self.counted or self.estimated
        return states.convergence.value if states and states.convergence else None

    def print(self) -> None:
        """For a reader: our figures beside those of Allis's Figure 6.1, where the game is in it."""
        printed = published_size(self.game)
        rows = [("state space", _power(self._positions), printed and f"10^{printed.state_space}")]
        for name, sample in self.samples.items():
            if sample:
                rows.append(
                    (f"game tree, {name}", f"10^{sample.log10_leaves:.1f}", printed and f"10^{printed.game_tree}")
                )
        rows.append(("convergence", self._convergence or "?", printed and printed.convergence.value))
        if printed:
            rows.append(("end of the game", "", "sudden death" if printed.sudden_death else "fixed termination"))
        headings = ("", self.game, "Allis (1994)" if printed else "")
        screen.print_table(headings, [tuple(cell or "" for cell in row) for row in rows])
        screen.say()
        for superset in self.supersets:
            screen.say(f"at most {_count(superset.size)}: {superset.description}")
        if (counted := self.counted) is not None:
            screen.say(f"{counted.positions:,} positions, counted; {len(counted.keys):,} but for symmetries")
            screen.say(f"{counted.finished:,} of them are ends of the game")
        elif (estimated := self.estimated) is not None:
            share = estimated.legal / estimated.samples
            number, error = _count(estimated.positions), _count(estimated.error)
            bound = "" if estimated.superset.exact else " or fewer"
            screen.say(f"{number} ± {error} positions{bound}: {share:.2%} of {estimated.samples:,} samples can arise")
        else:
            screen.say("The positions are too many to be counted, and no superset of known size is stated.")
        for name, sample in self.samples.items():
            if sample:
                of = "" if name.startswith("games") else "games of "
                screen.say(f"{sample.games:,} {of}{name}: {_games_text(sample)}")
        if self.tree:
            plies = "1 ply" if self.tree.depth == 1 else f"{self.tree.depth} plies"
            screen.say(f"solved by a search of {plies} of all moves: {self.tree.leaves:,} leaves")
        screen.say(f"solved: {_SOLVED[self.solved]}")
        print_package(self.package)

    @property
    def _positions(self) -> float | None:
        if self.counted:
            return self.counted.positions
        return self.estimated.positions if self.estimated else None


_SOLVED = {
    "strongly": "strongly; the store knows the value of every position",
    "weakly": "weakly; the store holds a strategy for each side from the first position on",
    "not": "not in this store",
}


def _sample_document(sample: GameSample) -> dict[str, Any]:
    return {
        "games": sample.games,
        "won": sample.won,
        "unfinished": sample.unfinished,
        "length": sample.length,
        "length_error": sample.length_error,
        "lengths": sample.lengths,
        "branching": sample.branching,
        "branching_by_ply": [ply.moves for ply in sample.plies],
        "log10_leaves": sample.log10_leaves,
    }


def _games_text(sample: GameSample) -> str:
    shortest, longest = min(sample.lengths), max(sample.lengths)
    text = (
        f"{sample.length:.1f} ± {sample.length_error:.1f} plies ({shortest} to {longest}, median "
        f"{sample.length_at(0.5)}), {sample.branching:.1f} moves a position, {sample.won / sample.games:.0%} won"
    )
    return text + (f"; {sample.unfinished:,} were left unfinished" if sample.unfinished else "")


def _power(number: float | None) -> str:
    return f"10^{log10(number):.1f}" if number else "?"


def _count(number: float) -> str:
    """Whole where it can be read, else as a power of ten."""
    return f"{number:,.0f}" if number < 1e15 else f"{number:.3g}" if number < 1e300 else f"10^{log10(number):.1f}"
