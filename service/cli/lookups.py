"""Commands about one position: lookup and moves."""

from __future__ import annotations

from typing import Annotated

import typer

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.options import (
    GameName,
    Json,
    Plugins,
    Position,
    Server,
    Store,
    Tables,
    positive_count,
)
from proofbase.service.cli.output.hints import search_for
from proofbase.service.cli.output.lookup_rows import lookup_file
from proofbase.service.cli.output.position_answer import (
    move_table,
    print_board,
    print_claims,
    print_package,
    print_searched,
    summary,
)
from proofbase.service.cli.output.position_files import PositionFile, check_alone
from proofbase.service.cli.output.written_claims import print_written_claims
from proofbase.service.cli.session import opened_for_reading
from proofbase.service.words.estimates import estimate_text
from proofbase.service.words.fifty_moves import fifty_moves_text
from proofbase.service.words.values import highest_value, result_text

__all__ = ["lookup", "moves"]

Search = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=positive_count,
        help="Where the value is not known, search for it with at most N nodes; nothing is stored.",
        show_default=False,
    ),
]
SearchSeconds = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        metavar="S",
        help="With --search: end the search of a position after S seconds.",
        show_default=False,
    ),
]


def lookup(
    game: GameName,
    position: Position = "-",
    search: Search = None,
    seconds: SearchSeconds = None,
    file: PositionFile = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show what is known of a position.

    Its value, its moves best first, and the claims with their sources. Exit status 1: the value is not known.
    """
    check_alone(file, {"POSITION": position != "-"})
    with opened_for_reading(store, server, plugin, tables) as client:
        if file is not None:
            return lookup_file(client, game, file, search, seconds, json=json)
        answer = client.lookup(game, position, board=True, distances=True, search=search, search_seconds=seconds)
        next_command = search_for(client, position, answer)
    if json:
        fields = documents.lookup_document(answer)
        counter = fifty_moves_text(answer, position)
        documents.print_document({**fields, "fifty_moves": counter} if counter else fields)
    else:
        print_board(answer)
        screen.say(f"\nvalue  {summary(answer)}")
        if counter := fifty_moves_text(answer, position):
            screen.say(f"       {counter}")
        for estimate in answer.estimates:
            screen.say(f"       {estimate_text(estimate)}")
        print_searched(answer)
        print_written_claims(answer, position)
        if highest_value(answer.game) > 1 and (answer.score or answer.value.lower_known):
            screen.say(f"game   {result_text(answer.value, answer)}")
        if answer.moves:
            screen.say()
            move_table(answer)
        print_claims(answer)
        if next_command:
            screen.say(f"\n{next_command}")
    return ExitStatus.POSITIVE if answer.known else ExitStatus.NEGATIVE


def moves(
    game: GameName,
    position: Position = "-",
    search: Search = None,
    seconds: SearchSeconds = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """List the moves of a position, best first.

    Values are for the side that moves; moves of unknown value are last. Exit status 1: the value is not known.
    """
    with opened_for_reading(store, server, plugin, tables) as client:
        answer = client.lookup(game, position, distances=True, search=search, search_seconds=seconds)
        next_command = search_for(client, position, answer)
    if json:
        document = documents.lookup_document(answer)
        names = ("game", "position", "known", "value", "moves", "searched", "package")
        documents.print_document({name: document[name] for name in names})
    elif answer.moves:
        move_table(answer)
        print_searched(answer)
        print_package(answer.package)
        if next_command:
            screen.say(f"\n{next_command}")
    else:
        screen.say("the game is over here: there are no moves")
    return ExitStatus.POSITIVE if answer.known else ExitStatus.NEGATIVE
