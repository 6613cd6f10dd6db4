"""The command `proofbase play`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import GameName, Plugins, Position, Server, Store, Tables, count
from proofbase.service.cli.session import opened

__all__ = ["play"]

NODES, SECONDS = 200_000, 2.0
"""What the search of a position may take where no option says it."""


def play(
    game: GameName,
    position: Position = "-",
    side: Annotated[
        Literal["first", "second", "both", "none"],
        typer.Option(help="Which side you play. none: the program plays both."),
    ] = "first",
    search: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=count,
            help="Search positions that nobody knows, with at most N nodes each; 0: never.",
            show_default="200k",
        ),
    ] = NODES,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="End the search of a position after S seconds.", show_default="2")
    ] = SECONDS,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
) -> int:
    """Play a game against what is stored, tables and searches.

    The program plays the best move that is known, and says whether the value of the position is proved, was found by a
    search just now, or is unknown. Type `help` for the commands: undo, hint, why, moves, save ...
    """
    from proofbase.service.cli.play.adviser import Adviser, SearchBudget
    from proofbase.service.cli.play.conversation import Conversation, Seats, read_line_of_input
    from proofbase.service.cli.play.played_game import start_game

    if search < 0:
        raise UsageError(f"--search {search}: 0 or more nodes are needed")
    with opened(store, server, plugin, read_only=True, missing="memory:", tables=tables) as client:
        played = start_game(game, position)
        adviser = Adviser(client, played.rules, SearchBudget(search, seconds if search else None))
        adviser.look(played.position)  # options and addresses that make no sense end the command here
        Conversation(played, adviser, Seats.of(side), read_line_of_input).run()
    return ExitStatus.POSITIVE
