"""Dense tables of values. No game of this release has any; the commands say so."""

from __future__ import annotations

from typing import Annotated

import typer

from proofbase.service.cli.exits import Exit
from proofbase.service.cli.options import GameName, Json, Plugins, Server, Store

__all__ = ["program"]

program = typer.Typer(help="Dense tables of the values of a whole class of positions.", no_args_is_help=True)


@program.command("list")
def list_tables(store: Store = None, server: Server = None, json: Json = False) -> int:
    """List the tables of a store."""
    from proofbase.service.cli import documents, screen
    from proofbase.service.cli.session import opened

    with opened(store, server, None, read_only=True):
        pass
    # The records of this release's games rest on no table, so a store that opens has none.
    if json:
        documents.print_document({"tables": []})
    else:
        screen.say("no tables: no game of this release has any")
    return Exit.POSITIVE


@program.command("build")
def build(
    game: GameName,
    arguments: Annotated[list[str] | None, typer.Argument(help="What to build, in the game's own terms.")] = None,
    plugin: Plugins = None,
) -> int:
    """Build a table by retrograde analysis, for games that have tables."""
    from proofbase.engine.games import open_game
    from proofbase.service.cli import screen
    from proofbase.service.cli.plugins import load_plugins

    load_plugins(plugin)
    screen.note(f"proofbase: {open_game(game, 'python').name} has no tables: no game of this release has any")
    return Exit.FAILED
