"""What tables that were just built say of the first position of their game."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from proofbase.service.cli.output.position_answer import summary
from proofbase.service.cli.session import opened, tables_directory_of
from proofbase.service.client.connect import open_service

if TYPE_CHECKING:
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service

__all__ = ["first_position", "first_position_text"]


def first_position(game: str, server: str | None, store: str | None, tables: Path | None) -> PositionAnswer | None:
    """The answer to the first position by tables; None where it is in none of them.

    Args:
        game: the game of the tables.
        server: that has built them, None for this process.
        store, tables: as for `tables_directory_of`.
    """
    service: AbstractContextManager[Service]
    if server is not None:
        service = opened(None, server, None, read_only=True)
    else:  # the records of the store have nothing to do with it
        service = open_service("memory:", tables=tables_directory_of(store, tables))
    with service as client:
        answer = client.lookup(game, distances=True)
    return answer if any(claim.table for claim in answer.claims) else None


def first_position_text(game: str, answer: PositionAnswer | None) -> str:
    """The same in a line."""
    if answer is None:
        return f"the first position of {game} is in none of them"
    return f"first position {answer.position}: {summary(answer)}"
