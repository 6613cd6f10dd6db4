"""Tables of users' own games: plain Python reads them, the native core builds and verifies them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.engine.games import open_game
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.engine.tables import BlockCache, PythonTables, own_table_work

if TYPE_CHECKING:
    from proofbase.engine._core import TableWork

__all__ = ["LARGEST_SIZE", "new_own_table_work", "open_own_tables"]

LARGEST_SIZE = (1 << 16) - 1


def open_own_tables(name: str, directory: Path, cache: BlockCache | None = None) -> PythonTables | None:
    """The tables of a user's own game; None where the game has none, or is built in.

    Positions are the user's objects, also where the core has wrapped the game.
    """
    if is_built_in(name):
        return None
    game = GuardedGame(open_game(name, "python"))
    return PythonTables(game, directory, tolerant=True, cache=cache) if game.table_names(LARGEST_SIZE) else None


def new_own_table_work(name: str, directory: Path, size: int, threads: int, plies: bool = False) -> TableWork:
    """Work on the tables of a user's own game.

    Raises:
        NoTablesError: it has none.
        ValueError: tables of plies beside those of values were asked for.
        BrokenGameError: it breaks a requirement of `Game`.
    """
    game: Game[Any] = open_game(name, "python")
    if plies:
        raise ValueError(f"tables of {name} hold plies if the game has a table_end_value (docs/your-own-game.md)")
    work = own_table_work(GuardedGame(game), directory, size, threads)
    from proofbase.engine.conformance import refuse_broken_game  # noqa: PLC0415

    refuse_broken_game(game)
    return work
