"""What the moves of some games gave away: rows, columns, summaries of players, and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.rules import Game
from proofbase.service.answers.tabular import Tabular, pyarrow

__all__ = ["GameScores", "PlayerSummary", "ScoredMove", "ScoredPosition", "ThrownGame"]

LONGEST_PICTURE = 400
"""Moves of a game that a picture has."""


class ScoredPosition(NamedTuple):
    """What is known of a position and of its moves, seen by the side to move."""

    position: Any
    moves: Sequence[int]
    low: Sequence[int]
    """What each move is worth at least."""
    high: Sequence[int]
    lower: int
    upper: int

    def best_of(self, texts: Sequence[str]) -> tuple[str, ...] | None:
        """The texts of the moves that keep the value; None where they are not all known."""
        known = all(low == high or high < self.lower for low, high in zip(self.low, self.high, strict=True))
        if self.lower != self.upper or not known:
            return None
        return tuple(text for text, low in zip(texts, self.low, strict=True) if low == self.lower)


class ScoredMove(NamedTuple):
    """One move of a game. Values are seen by the side that makes it; None is not known."""

    game: int
    """Counted from 1, like plies."""
    ply: int
    player: str
    side: int
    position: str
    move: str
    value: int | None
    """The value of the position, before the move."""
    value_of_move: int | None
    regret: int | None
    """What the move gave away: 0 where it keeps the value."""
    best_moves: tuple[str, ...] | None
    """All moves that keep the value."""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """How a player moved.

    Attributes:
        player: the name.
        moves: that the player made.
        known: of these, where the value before and after is known.
        kept: of these, with regret 0.
        regret: the sum of what the others gave away.
        thrown: games in which the player made the last move that changed the outcome.
    """

    player: str
    moves: int
    known: int
    kept: int
    regret: int
    thrown: int

    @property
    def share_kept(self) -> float | None:
        """The part of the known moves that kept the value."""
        return self.kept / self.known if self.known else None

    @property
    def average_regret(self) -> float | None:
        """The average regret of the known moves."""
        return self.regret / self.known if self.known else None


class ThrownGame(NamedTuple):
    """The last move of a game that changed its outcome. Outcomes are signs of results, seen by the one who moved."""

    move: ScoredMove
    before: int
    after: int


class GameScores(Tabular):
    """The scored moves of some games, in their order.

    Attributes:
        game: name of the game.
        fingerprint: of the store's records of the game; None where it is not known.
        damaged: keys that the store could not answer because their records are damaged.
        package: URL of the package that the values are from; None for a store.
    """

    __slots__ = ("__dict__", "_game", "_players", "_positions", "_rows", "damaged", "fingerprint", "game", "package")

    def __init__(
        self,
        game: Game[Any],
        players: Sequence[tuple[str, str]],
        rows: Sequence[tuple[int, int, int]],
        positions: Sequence[ScoredPosition],
        fingerprint: str | None,
        damaged: int,
        package: str | None,
    ) -> None:
        self._game = game
        self._players = players
        self._rows = rows
        self._positions = positions
        self.game = game.name
        self.fingerprint = fingerprint
        self.damaged = damaged
        self.package = package

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<{len(self)} scored moves of {len(self._players)} games of {self.game}>"

    def __iter__(self) -> Iterator[ScoredMove]:
        ply, last = 0, -1
        for number, node, index in self._rows:
            ply = ply + 1 if number == last else 1
            last = number
            position = self._told[node]
            entry = self._positions[node]
            value = entry.lower if entry.lower == entry.upper else None
            of_move = entry.low[index] if entry.low[index] == entry.high[index] else None
            regret = None if value is None or of_move is None else value - of_move
            player = self._players[number][position.side]
            yield ScoredMove(
                number + 1,
                ply,
                player,
                position.side,
                position.text,
                position.moves[index],
                value,
                of_move,
                regret,
                position.best,
            )

    @cached_property
    def _told(self) -> list[_Told]:
        game = self._game
        texts_of_positions = list[_Told]()
        for entry in self._positions:
            texts = [game.move_text(entry.position, move) for move in entry.moves]
            position = entry.position
            texts_of_positions.append(
                _Told(game.text(position), texts, entry.best_of(texts), game.side(position), game.score(position))
            )
        return texts_of_positions

    def players(self) -> list[PlayerSummary]:
        """A summary for each player, by name."""
        counts: dict[str, list[int]] = {}
        for move in self:
            entry = counts.setdefault(move.player, [0, 0, 0, 0, 0])
            entry[0] += 1
            if move.regret is not None:
                entry[1] += 1
                entry[2] += move.regret == 0
                entry[3] += move.regret
        for thrown in self.thrown():
            counts[thrown.move.player][4] += 1
        return [PlayerSummary(name, *counts[name]) for name in sorted(counts)]

    def thrown(self) -> list[ThrownGame]:
        """For each game that had one, the last move that turned a win into no win, or a draw into a loss."""
        last: dict[int, ThrownGame] = {}
        for row, move in zip(self._rows, self, strict=True):
            if move.value is None or move.value_of_move is None or not move.regret:
                continue
            score = self._told[row[1]].score
            before, after = _sign(score + move.value), _sign(score + move.value_of_move)
            if before != after:
                last[move.game] = ThrownGame(move, before, after)
        return [last[number] for number in sorted(last)]

    def to_arrow(self) -> Any:
        """A row for each move, with the fields of `ScoredMove` as columns. What is not known is null.

        The metadata of the schema have the `game`, the `fingerprint` of the store and the `package`.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """
        arrow = pyarrow()
        kinds = {"game": arrow.int32(), "ply": arrow.int32(), "side": arrow.int8()}
        kinds |= dict.fromkeys(("value", "value_of_move", "regret"), arrow.int32())
        kinds["best_moves"] = arrow.list_(arrow.string())
        columns = zip(*self, strict=True) if self._rows else ((),) * len(ScoredMove._fields)
        arrays = {
            name: arrow.array(list(column), kinds.get(name, arrow.string()))
            for name, column in zip(ScoredMove._fields, columns, strict=True)
        }
        about = {
            "game": self.game,
            "rules_version": str(self._game.rules_version),
            "fingerprint": self.fingerprint or "",
            "package": self.package or "",
        }
        return arrow.table(arrays).replace_schema_metadata({f"proofbase.{name}": text for name, text in about.items()})

    def write_parquet(self, path: Path) -> None:
        """Writes the table of `to_arrow` into a Parquet file.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.
        """
        pyarrow("pyarrow.parquet").write_table(self.to_arrow(), path, compression="zstd")

    def svg(self) -> bytes:
        """A picture: what each player has given away on the average by the moves of a game so far.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
        """
        sums: dict[str, dict[int, list[int]]] = {}
        for move in self:
            if move.regret is not None and move.ply <= LONGEST_PICTURE:
                entry = sums.setdefault(move.player, {}).setdefault(move.ply, [0, 0])
                entry[0] += move.regret
                entry[1] += 1
        curves = []
        for player, plies in sorted(sums.items()):
            order = sorted(plies)
            curves.append(Curve(player, order, [plies[ply][0] / plies[ply][1] for ply in order]))
        title = f"{self.game}: {len(self._players):,} games, {len(self):,} moves"
        return Plot(title, "ply", "average regret of a move", curves, whole_x=True).svg()


class _Told(NamedTuple):
    """Texts of a position."""

    text: str
    moves: list[str]
    best: tuple[str, ...] | None
    side: int
    score: int


def _sign(result: int) -> int:
    return (result > 0) - (result < 0)
