"""The command `proofbase play`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import GameName, Plugins, Position, Server, Store, Tables, count
from proofbase.service.cli.output.position_answer import print_package
from proofbase.service.cli.play.adviser import Adviser, SearchBudget
from proofbase.service.cli.play.conversation import Conversation, Seats, read_line_of_input
from proofbase.service.cli.play.played_game import start_game
from proofbase.service.cli.play.protocols import PROTOCOLS
from proofbase.service.cli.session import opened

if TYPE_CHECKING:
    from proofbase.engine.rules import Game

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
    protocol: Annotated[
        Literal["uci", "gomocup", "gtp"] | None,
        typer.Option(help="Talk to a board or a referee: uci for chess, gomocup for go-moku, gtp.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Vary the choice among moves that seem to be equal.")
    ] = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="Search while the other side thinks.")] = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
) -> int:
    """Play a game against what is stored, tables and searches.

    The program plays the best move that is known, and says whether the value of the position is proved, was found by a
    search just now, or is unknown. Type `help` for the commands: undo, hint, why, moves, save ...
    """
    if search < 0:
        raise UsageError(f"--search {search}: 0 or more nodes are needed")
    with opened(store, server, plugin, read_only=True, missing="memory:", tables=tables) as client:
        played = start_game(game, position)
        budget = SearchBudget(search, seconds if search else None)
        if protocol is not None:
            _talk(protocol, game, position, lambda rules: Adviser(client, rules, budget, seed), seconds, ponder)
            return ExitStatus.POSITIVE
        adviser = Adviser(client, played.rules, budget, seed)
        # Options and addresses that make no sense end the command here.
        print_package(adviser.look(played.position).package)
        Conversation(played, adviser, Seats.of(side), read_line_of_input, ponder=ponder).run()
    return ExitStatus.POSITIVE


def _talk(
    protocol: str, game: str, position: str, adviser_of: Callable[[Game[Any]], Adviser], seconds: float, ponder: bool
) -> None:
    """Plays by a protocol until it ends."""
    kind = PROTOCOLS[protocol]
    if kind.families and game.partition(":")[0] not in kind.families:
        raise UsageError(f"--protocol {protocol} is for {' and '.join(kind.families)}: gtp is for all games")
    if position != "-":
        raise UsageError("--protocol: the board says which position it is")
    kind(game, lambda played: adviser_of(played.rules), seconds, ponder, lambda: read_line_of_input("")).run()
