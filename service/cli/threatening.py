"""Show wins by threats in a position, and what stops them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from proofbase.service.cli import documents, screen
from proofbase.service.cli.exit_status import ExitStatus
from proofbase.service.cli.options import GameName, Json, Plugins, Position, Server, Store, positive_count
from proofbase.service.cli.session import opened
from proofbase.service.words.amounts import amount
from proofbase.service.words.game_words import GameWords

if TYPE_CHECKING:
    from proofbase.service.answers import ThreatAnswer, ThreatWin

__all__ = ["threats"]


def threats(
    game: GameName,
    position: Position = "-",
    nodes: Annotated[int, typer.Option(metavar="N", parser=positive_count, help="Nodes of one search.")] = 20_000,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="End all searches after S seconds (10).", show_default=False)
    ] = None,
    tree: Annotated[bool, typer.Option("--tree", help="Show the whole win, not only its longest line.")] = False,
    store: Store = None,
    server: Server = None,
    plugin: Plugins = None,
    json: Json = False,
) -> int:
    """Show wins by threats in a position, and the moves that stop them (go-moku, renju, qubic).

    Of the side to move; else what the other side threatens. Exit status 1: neither wins by threats, as far as is known.
    """
    with opened(store, server, plugin, read_only=True, missing="memory:") as client:
        answer = client.threats(game, position, search=nodes, search_seconds=seconds)
    if json:
        documents.print_document(answer)
    else:
        screen.say(answer.board, lines=True)
        _print_wins(answer, tree=tree)
    won = "won" in (answer.own.outcome, answer.implicit and answer.implicit.outcome)
    return ExitStatus.POSITIVE if won else ExitStatus.NEGATIVE


def _print_wins(answer: ThreatAnswer, *, tree: bool) -> None:
    words = GameWords.of(answer.game)
    mover, other = words.player(answer.side), words.player(1 - answer.side)
    screen.say(f"{words.side(answer.side)} to move\n")
    if answer.implicit is None:
        screen.say(f"{mover} wins by threats: {_line(answer.own)}")
        _print_size(answer.own, tree=tree)
        return
    screen.say(f"{_nothing_found(answer.own)} for {mover}")
    if answer.implicit.outcome != "won":
        screen.say(f"{_nothing_found(answer.implicit)} for {other}, if {mover} passes")
        return
    screen.say(f"{other} threatens to win: {_line(answer.implicit)}")
    _print_size(answer.implicit, tree=tree)
    if not answer.related:
        screen.say(f"\nno move stops it: {mover} loses")
        return
    several = len(answer.related) > 1
    screen.say(f"\n{_moves(answer.related)} {'stop' if several else 'stops'} it, every other move loses")
    if answer.remaining:
        screen.say(f"no other win by threats was found after {_moves(answer.remaining)}")
    else:
        screen.say(f"another win by threats answers {'each of them' if several else 'it'}: {mover} loses")
    if answer.cut is not None:
        screen.say(f"cut: {answer.cut.message}")


def _line(win: ThreatWin) -> str:
    return " ".join(f"{number}.{move}" for number, move in enumerate(win.line, 1))


def _moves(moves: Sequence[str]) -> str:
    return f"{amount(len(moves), 'move')} ({' '.join(moves)})"


def _nothing_found(win: ThreatWin) -> str:
    """No more than that: a win by threats that the search does not know may be there."""
    return "no win by threats was found" + (f" within {win.nodes:,} nodes" if win.outcome == "cut" else "")


def _print_size(win: ThreatWin, *, tree: bool) -> None:
    screen.say(f"{amount(win.size, 'move')} of the attacker in all, found with {amount(win.nodes, 'node')}")
    if not tree:
        return
    for step in win.steps:
        after = f"{step.reply} " if step.reply else ""
        screen.say(f"{'  ' * step.depth}{after}{step.move}{'!' if step.last else ''}")
    if len(win.steps) < win.size:
        screen.say(f"... the other {win.size - len(win.steps):,} moves are not shown")
