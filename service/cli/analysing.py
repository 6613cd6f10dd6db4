"""Analyse a game that was played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from proofbase.engine.formats.game_lines import game_lines
from proofbase.engine.formats.ggf import is_ggf, split_ggf
from proofbase.engine.formats.pgn_reading import is_pgn, split_games
from proofbase.engine.formats.plotting import Curve, Plot
from proofbase.engine.games import open_game
from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.given_texts import given_game, note_remarks
from proofbase.service.cli.options import GameName, Json, Plugins, Server, Store, Tables, positive_count
from proofbase.service.cli.output.hints import hint, own_files
from proofbase.service.cli.output.position_answer import print_package
from proofbase.service.cli.output.watching import run_job
from proofbase.service.cli.session import opened, opened_for_reading
from proofbase.service.jobs.budget import Budget
from proofbase.service.words.amounts import amount
from proofbase.service.words.game_words import GameWords
from proofbase.service.words.values import OUTCOMES, highest_value, value_text

if TYPE_CHECKING:
    from proofbase.service.answers import AnalysedMove, Analysis, Value
    from proofbase.service.client.contract import Service

__all__ = ["analyse"]


def analyse(
    game: GameName,
    moves: Annotated[
        str,
        typer.Argument(
            metavar="MOVES",
            help="The moves of the game as people write them, or a game as a text or a file (PGN, SGF, GGF, ...).",
        ),
    ],
    start: Annotated[
        str, typer.Option("--from", metavar="POSITION", help="Where the game started.", show_default="the initial one")
    ] = "-",
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=positive_count, help="Search the positions that are not known, each with so many nodes."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Search the positions that are not known, each so long.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Search for exact values, not only for win, draw or loss of the game.")
    ] = False,
    algorithm: Annotated[str, typer.Option(metavar="A", help="The algorithm of these searches.")] = "auto",
    variations: Annotated[
        bool, typer.Option("--variations", help="Also the variations of the game, each by itself.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the values over the game, as SVG.", show_default=False)
    ] = None,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show what each move of a game gave away, where it was decided, and the refutations.

    From the store and its tables; --nodes or --seconds search the rest. Exit status 1: some outcome is unknown.
    """
    text = given_game(moves, game)
    searches = nodes is not None or seconds is not None
    with (
        opened(store, server, plugin, tables=tables) if searches else opened_for_reading(store, server, plugin, tables)
    ) as client:
        lines = _lines(game, text, start, variations=variations)
        if plot is not None and len(lines) > 1:
            raise UsageError(f"--plot draws one game: this text has {len(lines)} lines")
        analyses: list[Analysis] = []
        for line in lines:
            analysis = client.analyse_game(game, line.moves, line.start)
            if searches:
                _search(client, analysis, Budget(nodes, seconds, None), exact, algorithm)
                analysis = client.analyse_game(game, line.moves, line.start)
            analyses.append(analysis)
        known = all(move.outcome in ("win", "draw", "loss") for analysis in analyses for move in analysis.moves)
        next_command = None if known or searches else _search_command(client, game, moves, start, variations)
    if plot is not None:
        plot.write_bytes(_plot(analyses[0]))
    several = variations or len(lines) > 1
    if json and several:
        pairs = zip(lines, analyses, strict=True)
        parts = [{"title": line.title, "ply": line.ply, **documents.document(of_line)} for line, of_line in pairs]
        documents.print_document({"game": analyses[0].game, "lines": parts})
    elif json:
        documents.print_document(documents.document(analyses[0]))
    else:
        for number, (line, analysis) in enumerate(zip(lines, analyses, strict=True)):
            if several:
                screen.say(f"{chr(10) if number else ''}{line.title}\n")
            _print(analysis, first_ply=line.ply)
        print_package(analyses[0].package)
        if next_command and analyses[0].package is None:
            screen.say(f"\n{next_command}")
    return ExitStatus.POSITIVE if known else ExitStatus.NEGATIVE


def _search_command(client: Service, game: str, moves: str, start: str, variations: bool) -> str:
    """The same command, with a search for the outcomes that are not known."""
    options = (*(("--from", start) if start != "-" else ()), *(("--variations",) if variations else ()))
    command = hint(client, "analyse", game, moves, *options, "--seconds", "10", *own_files(client))
    return f"{command} searches for the outcomes that are not known"


class _Line(NamedTuple):
    """Moves to be analysed, and where they begin."""

    title: str
    start: str
    ply: int
    moves: str


def _lines(game: str, text: str, start: str, *, variations: bool) -> list[_Line]:
    """The lines of a text. One game is read by the service, several games and variations here.

    Raises:
        UsageError: a beginning for games in PGN.
    """
    games = split_games(text) if is_pgn(text) else []
    if games and start != "-":
        raise UsageError("a game in PGN says itself where it begins: leave out --from")
    several = len(games) > 1 or (is_ggf(text) and len(split_ggf(text)) > 1)
    if not variations and not several:
        text = games[0].compact if games else text
        if start == "-":
            note_remarks(game, text)
        return [_Line("main line", start, 1, text.removeprefix("moves:"))]
    lines = game_lines(open_game(game, "python"), text, start=start, variations=variations)
    return [_Line(line.title, line.start, line.ply, " ".join(line.moves)) for line in lines]


def _search(client: Service, analysis: Analysis, budget: Budget, exact: bool, algorithm: str) -> None:
    """Searches what is not known, from the last position to the first: earlier ones use what later ones proved."""
    last, highest = len(analysis.moves), highest_value(analysis.game)
    half = Budget(budget.nodes and (budget.nodes + 1) // 2, budget.seconds and budget.seconds / 2, budget.memory_bytes)
    positions = [move.position for move in analysis.moves] + [analysis.last_position]
    for number in range(last, -1, -1):
        answer = client.lookup(analysis.game, positions[number])
        if answer.terminal or answer.value.exact:
            continue
        if exact or highest == 1:  # both ends of the value in turn
            job = client.start_solve(analysis.game, answer.position, algorithm=algorithm, budget=budget)
            run_job(client, job)
            continue
        for least in (1, 0):  # a win? if not: at least a draw?
            answer = client.lookup(analysis.game, positions[number])
            if answer.value.lower + answer.score >= least:
                break
            if answer.value.upper + answer.score < least:
                continue
            job = client.start_solve(
                analysis.game, answer.position, result_at_least=least, algorithm=algorithm, budget=half
            )
            run_job(client, job)


def _print(analysis: Analysis, *, first_ply: int) -> None:
    words = GameWords.of(analysis.game)
    highest = words.highest
    rows = list[tuple[object, ...]]()
    for number, move in enumerate(analysis.moves, first_ply):
        values = value_text(move.value, highest), value_text(move.value_of_move, highest)
        scored = (f"{move.score:+d}", *values) if highest > 1 else values
        change = f"{OUTCOMES[move.outcome]} becomes {OUTCOMES[move.outcome_of_move]}" if move.changes_outcome else ""
        rows.append((number, words.side(move.side).removesuffix(" player"), move.move, *scored, _remark(move, change)))
    headings = ["ply", "player", "move", *(["score"] if highest > 1 else []), "value", "of the move", ""]
    screen.print_table(headings, rows, right=("ply", "score", "value", "of the move"))
    if not analysis.decided_by:
        screen.say("\nno move is known to have changed the outcome")
        return
    deciding = analysis.moves[analysis.decided_by - 1]
    player = words.player(deciding.side)
    better = f"; better: {', '.join(deciding.better_moves)}" if deciding.better_moves else ""
    screen.say(
        f"\ndecided by ply {analysis.decided_by + first_ply - 1}, {deciding.move} of {player}: "
        f"{OUTCOMES[deciding.outcome]} became {OUTCOMES[deciding.outcome_of_move]}{better}"
    )


def _remark(move: AnalysedMove, change: str) -> str:
    parts = [change] if change else []
    if move.gives_away and not change:
        parts.append(f"gives away {move.gives_away}")
    if move.better_moves:
        parts.append(f"better {', '.join(move.better_moves)}")
    if move.refutation:
        parts.append(f"refuted by {' '.join(move.refutation)}")
    return "; ".join(parts)


def _plot(analysis: Analysis) -> bytes:
    """The result of the game after each move, as far as it is known, for the player who made the first move."""
    first = analysis.moves[0].side if analysis.moves else 0
    lows, highs = list[float | None](), list[float | None]()
    for move in analysis.moves:
        _add_limits(move.value, move.score, move.side == first, lows, highs)
    if analysis.moves:  # the position after the last move has the value of that move
        last = analysis.moves[-1]
        _add_limits(last.value_of_move, last.score, last.side == first, lows, highs)
    marks = [
        (number, f"{number}. {move.move}") for number, move in enumerate(analysis.moves, 1) if move.changes_outcome
    ]
    played = list(range(len(lows)))
    curves = [Curve("at least", played, lows, "^-"), Curve("at most", played, highs, "v--")]
    words = highest_value(analysis.game) == 1
    return Plot(
        f"{analysis.game}: {amount(len(analysis.moves), 'move')}",
        "moves played",
        f"{'result' if words else 'score'} for the player of the first move",
        curves,
        marks=marks,
        levels={1: "win", 0: "draw", -1: "loss"} if words else {},
        whole_x=True,
    ).svg()


def _add_limits(value: Value, score: int, own: bool, lows: list[float | None], highs: list[float | None]) -> None:
    """Appends the limits of a result: of a value for the side to move that has scored so much so far.

    Args:
        value, score: for the side to move.
        own: whether that side made the first move of the game.
        lows, highs: for the player who made the first move.
    """
    low, high = _limits(value, score)
    if not own:
        low, high = (None if high is None else -high), (None if low is None else -low)
    lows.append(low)
    highs.append(high)


def _limits(value: Value, score: int) -> tuple[float | None, float | None]:
    low = value.lower + score if value.lower_known else None
    high = value.upper + score if value.upper_known else None
    return low, high
