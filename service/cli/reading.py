"""Commands that only read: games, rules, line, tree, stats; `lookups.py` has those about one position."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from proofbase.engine.games import open_game
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import (
    GameName,
    Json,
    OptionalGame,
    OptionalPosition,
    Plugins,
    Position,
    Server,
    Store,
    Tables,
    positive_count,
)
from proofbase.service.cli.output.by_ply import print_by_ply
from proofbase.service.cli.output.game_files import chosen_format, line_in_format, tree_in_format
from proofbase.service.cli.output.game_rows import print_games
from proofbase.service.cli.output.hints import search_for
from proofbase.service.cli.output.position_answer import print_board, print_package
from proofbase.service.cli.output.proof_tree import print_tree, read_tree
from proofbase.service.cli.plugins import load_plugins
from proofbase.service.cli.session import opened, opened_for_reading
from proofbase.service.words.amounts import amount, bytes_text
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import value_text

if TYPE_CHECKING:
    from proofbase.service.answers import TableInfo

__all__ = ["games", "line", "rules", "stats", "tree"]

Claimed = Annotated[
    Literal["lower", "upper"] | None, typer.Option(help="Only the proof of this bound.", show_default=False)
]
Sgf = Annotated[bool, typer.Option("--sgf", help="Print the moves as SGF, and nothing else (go-moku, renju).")]
Pgn = Annotated[bool, typer.Option("--pgn", help="Print the moves as PGN, and nothing else (chess).")]
Pdn = Annotated[bool, typer.Option("--pdn", help="Print the moves as PDN, and nothing else (checkers).")]


def games(store: Store = None, server: Server = None, plugin: Plugins = None, json: Json = False) -> int:
    """List the games with their numbers of records."""
    with opened(store, server, plugin, read_only=True, missing="memory:") as client:
        infos = client.games()
    if json:
        documents.print_document({"games": infos})
    else:
        print_games(infos)
    return ExitStatus.POSITIVE


def rules(game: GameName, plugin: Plugins = None, json: Json = False) -> int:
    """Show the rules of a game.

    Also shows how its positions and moves are written.
    """
    load_plugins(plugin)
    opened_game = open_game(game, "python")
    kind = type(opened_game)
    module = inspect.getmodule(kind)
    text = inspect.cleandoc(opened_game.rules_text or (module and module.__doc__) or kind.__doc__ or "")
    initial = opened_game.initial()
    first = [opened_game.move_text(initial, move) for move in opened_game.moves(initial)]
    facts = {
        "game": opened_game.name,
        "rules": text,
        "rules_version": opened_game.rules_version,
        "highest_value": opened_game.highest_value,
        "acyclic": opened_game.acyclic,
        "key_size": len(opened_game.key(initial)),
        "initial": opened_game.text(initial),
        "moves": first,
    }
    if json:
        documents.print_document(facts)
        return ExitStatus.POSITIVE
    screen.say(f"{opened_game.name} (rules version {opened_game.rules_version})\n")
    screen.say(text + "\n", lines=True)
    screen.say(opened_game.draw(initial) + "\n", lines=True)
    screen.say(f"initial position  {facts['initial']}")
    screen.say(f"first moves       {' '.join(first)}")
    screen.say(f"values            -{opened_game.highest_value} to {opened_game.highest_value}")
    return ExitStatus.POSITIVE


def line(
    game: GameName,
    position: Position = "-",
    plies: Annotated[
        int | None,
        typer.Option(metavar="N", parser=positive_count, help="Stop after this many moves.", show_default=False),
    ] = None,
    sgf: Sgf = False,
    pgn: Pgn = False,
    pdn: Pdn = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show the line of best play, and why it stops.

    Exit status 1: the value of the position is not known.
    """
    form = chosen_format(game, json=json, sgf=sgf, pgn=pgn, pdn=pdn)
    with opened_for_reading(store, server, plugin, tables) as client:
        best_line = client.line(game, position, max_plies=plies)
        first = last = None
        if not json:
            first = client.lookup(game, position, distances=True)
        if first is not None and form is None:
            last = client.lookup(game, best_line.last_position, board=True)
            next_command = search_for(client, position, first)
    if json:
        documents.print_document(best_line)
    elif form is not None:
        assert first is not None
        screen.say(line_in_format(form, best_line, position, first), lines=True)
        print_package(best_line.package, beside=True)
    else:
        assert first is not None and last is not None
        words = GameWords.of(best_line.game)
        moves = [step.move for step in best_line.steps]
        screen.say(
            f"value  {words.of_position(first) if words.players else value_text(best_line.value, words.highest)}"
        )
        screen.say(f"line   {words.line(moves, first.side) or 'none'}")
        screen.say(f"stops  {best_line.stop_message}\n")
        print_board(last)
        print_package(best_line.package)
        if next_command:
            screen.say(f"\n{next_command}")
    return ExitStatus.POSITIVE if best_line.value.exact else ExitStatus.NEGATIVE


def tree(
    game: GameName,
    position: Position = "-",
    depth: Annotated[
        int | None, typer.Option(metavar="N", parser=positive_count, help="Plies to show.", show_default=False)
    ] = None,
    nodes: Annotated[int, typer.Option(metavar="N", parser=positive_count, help="Nodes to show.")] = 500,
    side: Claimed = None,
    sgf: Sgf = False,
    pgn: Pgn = False,
    pdn: Pdn = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show the proof below a position.

    Every claim with the claims that it rests on. Exit status 1: nothing is known of the position.
    """
    form = chosen_format(game, json=json, sgf=sgf, pgn=pgn, pdn=pdn)
    with opened_for_reading(store, server, plugin, tables) as client:
        proof = read_tree(client, game, position, side=side, max_depth=depth, max_nodes=nodes)
        answer = None if form is None and proof.nodes else client.lookup(game, position, distances=True)
        next_command = None if answer is None else search_for(client, position, answer)
    if json:
        documents.print_document(proof)
    elif answer is not None and form is not None:
        screen.say(tree_in_format(form, proof, position, answer), lines=True)
        print_package(proof.package, beside=True)
    elif proof.nodes:
        print_tree(proof)
        print_package(proof.package)
    else:
        screen.say("nothing is known of this position")
        if next_command:
            screen.say(next_command)
    return ExitStatus.POSITIVE if proof.nodes else ExitStatus.NEGATIVE


_NUMBERS = ("tables", "entries", "size")


def _tables_by_game(tables: Sequence[TableInfo]) -> list[tuple[str, str, str, str]]:
    """A row for each game with tables; `tables list` has one for each table."""
    games: dict[str, list[TableInfo]] = {}
    for entry in tables:
        games.setdefault(entry.game or "(no table)", []).append(entry)
    return [
        (
            game,
            f"{len(of_game):,}",
            f"{sum(entry.entries for entry in of_game):,}",
            bytes_text(sum(entry.bytes for entry in of_game)),
        )
        for game, of_game in games.items()
    ]


def stats(
    game: OptionalGame = None,
    position: OptionalPosition = None,
    by_ply: Annotated[
        bool, typer.Option("--by-ply", help="Count the stored solution of GAME POSITION ply by ply.")
    ] = False,
    census: Annotated[bool, typer.Option("--census", help="Count the game's claims by kind.")] = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show what the store holds: records, tables, sources, jobs.

    Exit status 1: with --by-ply, nothing is stored of the position.
    """
    if by_ply and (game is None or census):
        raise UsageError("--by-ply counts the solution of a position: name GAME and POSITION, without --census")
    if position is not None and not by_ply:
        raise UsageError("a POSITION is for --by-ply: without it, `stats` counts the records of a game")
    if by_ply and game is not None:
        with opened(store, server, plugin, read_only=True, tables=tables) as client:
            return print_by_ply(client, game, position or "-", json=json)
    with opened(store, server, plugin, read_only=True, tables=tables) as client:
        statistics = client.statistics(game, census=census)
    if json:
        documents.print_document(statistics)
        return ExitStatus.POSITIVE
    screen.say(f"store {statistics.store}{' (read-only)' if statistics.read_only else ''}")
    print_package(statistics.package)
    rows = [
        (entry.game, f"{entry.records:,}", f"{entry.quarantined:,}", entry.fingerprint or "-")
        for entry in statistics.games
    ]
    screen.print_table(("game", "records", "in quarantine", "fingerprint"), rows, right=("records", "in quarantine"))
    if statistics.tables:
        screen.say()
        screen.print_table(
            ("tables of", "tables", "entries", "size"), _tables_by_game(statistics.tables), right=_NUMBERS
        )
        for entry in statistics.tables:
            if entry.damage:
                screen.say(f"damaged: {entry.name}: {entry.damage}")
    for source in statistics.sources:
        screen.say(f"source {source.number}: {source.text}")
    if statistics.cut is not None:
        screen.note(f"cut: {statistics.cut.message}")
    if statistics.jobs:
        screen.say("jobs: " + ", ".join(f"{count} {state}" for state, count in sorted(statistics.jobs.items())))
    if statistics.census is not None:
        counts = statistics.census
        screen.say(f"\n{amount(counts.records, 'record')}, {amount(counts.claims, 'claim')}")
        for value, count in sorted(counts.exact.items(), reverse=True):
            screen.say(f"  value {value:+d}: {count:,}")
        screen.say(f"  open: {counts.open:,}")
        screen.say("  evidence: " + ", ".join(f"{name} {count:,}" for name, count in sorted(counts.evidence.items())))
        screen.say(f"  highest rank {counts.highest_rank}, {bytes_text(counts.record_bytes)} of records")
        if counts.cut is not None:
            screen.say(f"  cut: {counts.cut.message}")
    return ExitStatus.POSITIVE
