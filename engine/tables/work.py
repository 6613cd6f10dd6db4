"""Work on the tables of a user's own game by the native core: building, verifying, compressing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from proofbase.engine.rules.game import Game
from proofbase.engine.tables.numbered import NumberedGame

if TYPE_CHECKING:
    from proofbase.engine._core import TableWork

__all__ = ["own_table_work"]


def own_table_work(game: Game[Any], directory: str | Path, size: int, threads: int = 0) -> TableWork:
    """Work on the tables of a size.

    The rules run in one thread, which lists the moves of a class before the work on it.

    Args:
        game: the rules in Python.
        directory: of the tables.
        size: what the game means by it.
        threads: for what comes after the moves are listed; 0 for one a processor.

    Raises:
        NoTablesError: the game has none.
        BrokenGameError: it breaks what `Game` says of tables.
    """
    from proofbase.engine._core import users_table_work

    return users_table_work(NumberedGame(game, size), str(directory), threads)
