"""Score games of players: what each move gave away, by what is proved."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.engine.formats.played_games import read_played_games
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.given_texts import read_given_file
from proofbase.service.cli.options import GameName, Json, Plugins, Server, Store, Tables, positive_count
from proofbase.service.cli.output.hints import hint, own_files
from proofbase.service.cli.output.position_answer import print_package
from proofbase.service.cli.output.progress import showing_progress
from proofbase.service.cli.session import opened
from proofbase.service.client.game_scores import score_games
from proofbase.service.words.amounts import amount

if TYPE_CHECKING:
    from proofbase.service.scores import GameScores, ThrownGame

__all__ = ["score"]

THROWN_SHOWN = 10


def score(
    game: GameName,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Games that were played: PGN, SGF, GGF, WThor, .psq, JSON lines, states of OpenSpiel, or a list of "
            "moves a line.",
            show_default=False,
        ),
    ],
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=positive_count, help="Search the positions that are not known, each with so many nodes."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0.001, help="Search them, all of them within so long.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the scored moves: .parquet or .csv.", show_default=False
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the average regret of each player, as SVG.", show_default=False),
    ] = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show how well players moved: the share of moves that keep the value, what was given away, games thrown away.

    From the store and its tables; --nodes or --seconds search the rest in memory. Exit status 1: some value is unknown.
    """
    if output is not None and output.suffix not in (".parquet", ".csv"):
        raise UsageError(f"--output writes .parquet or .csv, and {output.name} is neither")
    text = read_given_file(file)
    with (
        opened(store, server, plugin, read_only=True, tables=tables, missing="memory:") as client,
        showing_progress("score") as show,
    ):
        scores = score_games(
            client,
            game,
            read_played_games(game, text),
            nodes=nodes,
            seconds=seconds,
            on_progress=lambda moves: show(amount(moves, "move"), moves, None),
        )
        searching = hint(client, "score", game, str(file), "--seconds", "60", *own_files(client))
    if output is not None:
        scores.write_parquet(output) if output.suffix == ".parquet" else _write_csv(scores, output)
    if plot is not None:
        plot.write_bytes(scores.svg())
    players, thrown = scores.players(), scores.thrown()
    complete = sum(entry.known for entry in players) == len(scores)
    if json:
        documents.print_document(
            {
                "game": scores.game,
                "moves": len(scores),
                "fingerprint": scores.fingerprint,
                "package": scores.package,
                "players": [
                    {
                        "player": entry.player,
                        "moves": entry.moves,
                        "known": entry.known,
                        "kept": entry.kept,
                        "share_kept": entry.share_kept,
                        "average_regret": entry.average_regret,
                        "thrown": entry.thrown,
                    }
                    for entry in players
                ],
                "thrown": [{**entry.move._asdict(), "before": entry.before, "after": entry.after} for entry in thrown],
            }
        )
    else:
        _print(scores)
        if not complete and nodes is None and seconds is None and scores.package is None:
            screen.say(f"\n{searching} searches for the values that are not known")
    return ExitStatus.POSITIVE if complete else ExitStatus.NEGATIVE


def _print(scores: GameScores) -> None:
    rows = [
        (
            entry.player,
            f"{entry.moves:,}",
            f"{entry.known:,}",
            "" if entry.share_kept is None else f"{100 * entry.share_kept:.1f} %",
            "" if entry.average_regret is None else f"{entry.average_regret:.3f}",
            f"{entry.thrown:,}",
        )
        for entry in scores.players()
    ]
    headings = ("player", "moves", "known", "keep the value", "average regret", "games thrown away")
    screen.print_table(headings, rows, right=headings[1:])
    if scores.damaged:
        screen.say(f"\n{amount(scores.damaged, 'record')} damaged: `proofbase verify` names them")
    thrown = scores.thrown()
    if thrown:
        screen.say()
    for entry in thrown[:THROWN_SHOWN]:
        screen.say(_told(entry))
    if len(thrown) > THROWN_SHOWN:
        screen.say(f"... and {amount(len(thrown) - THROWN_SHOWN, 'game')} more (--json has all)")
    print_package(scores.package)


def _told(thrown: ThrownGame) -> str:
    names = {1: "a win", 0: "a draw", -1: "a loss"}
    move = thrown.move
    better = f"; better {', '.join(move.best_moves)}" if move.best_moves else ""
    what = f"{names[thrown.before]} became {names[thrown.after]}"
    return f"game {move.game}, ply {move.ply}: {move.player} played {move.move}, {what}{better}"


def _write_csv(scores: GameScores, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for number, move in enumerate(scores):
            if number == 0:
                writer.writerow(move._fields)
            best = "" if move.best_moves is None else " ".join(move.best_moves)
            writer.writerow([*move[:-1], best])
