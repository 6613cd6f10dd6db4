"""What moves give away: of each move alone, for programs that train or evaluate players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from proofbase.engine.errors import EngineError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.notation import read_move
from proofbase.service.positions import Where, find_position
from proofbase.service.scores.scoring import AsksKeys, Node, Reading, known_bounds, without_collector

__all__ = ["regrets"]

Move = str | int


def regrets(
    client: AsksKeys,
    game_name: str,
    positions: Iterable[Where],
    moves: Iterable[Move],
    *,
    batch_size: int = 10_000,
    numbered: bool = True,
) -> list[int | None]:
    """What each move gives away: the value of its position less that of the move, 0 for a best move.

    Args:
        client: is asked for the values.
        game_name: any name of the game.
        positions: as texts, as keys, or None for the initial one.
        moves: one for each position, as texts or by their numbers.
        batch_size: keys that are asked for in one call.
        numbered: whether messages name an item by its index.

    Returns:
        None where it is not proved.

    Raises:
        InvalidPositionError, InvalidMoveError: an item is none.
        ValueError: there are more of the ones than of the others.
        UnknownGameError: no such game.
    """
    with without_collector():
        reading = Reading.of(game_name)
        nodes: dict[Where, tuple[Any, Node]] = {}
        steps = list[tuple[int, int]]()
        for number, (where, move) in enumerate(zip(positions, moves, strict=True)):
            try:
                steps.append(_step(reading, nodes, where, move))
            except EngineError as error:
                kind = InvalidMoveError if isinstance(error, InvalidMoveError) else InvalidPositionError
                raise kind(f"item {number}: {error}" if numbered else str(error)) from None
        lower, upper, _, _ = known_bounds(client, reading.game.name, list(reading.keys), batch_size)
        scored = reading.scored(lower, upper)
    return [
        entry.lower - entry.low[index] if entry.lower == entry.upper and entry.low[index] == entry.high[index] else None
        for entry, index in ((scored[node], index) for node, index in steps)
    ]


def _step(reading: Reading, nodes: dict[Where, tuple[Any, Node]], where: Where, move: Move) -> tuple[int, int]:
    """Number of the position's node, and index of the move."""
    game = reading.game
    entry = nodes.get(where)
    if entry is None:
        position = find_position(game, where)
        nodes[where] = entry = position, reading.nodes.get(position) or reading.expand(position)
    position, node = entry
    number = move if isinstance(move, int) else read_move(game, position, move)
    try:
        return node.number, node.moves.index(number)
    except ValueError:
        over = "the game is over" if not node.moves else f"{move} is no legal move"
        raise InvalidMoveError(f"{over} in {quoted(game.text(position), 100)}") from None
