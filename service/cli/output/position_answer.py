"""What is known of a position, on the screen: its value in a sentence, its moves in tables, its claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from proofbase.service.cli import screen
from proofbase.service.words.amounts import amount
from proofbase.service.words.evidence import evidence_text
from proofbase.service.words.game_words import GameWords, grouped_moves
from proofbase.service.words.values import value_text
from proofbase.service.words.verifications import package_text, verification_text

if TYPE_CHECKING:
    from proofbase.service.answers import Claim, MoveAnswer, PositionAnswer

__all__ = ["move_table", "print_board", "print_claims", "print_package", "print_searched", "summary"]

_SHORT_TEXT = 100
"""Characters of a position in a table."""
LISTED_MOVES = 12
"""Moves of which nothing is known that have rows of their own; more are listed."""


def print_board(answer: PositionAnswer) -> None:
    """The board, and below it which player is to move: the value is the value for that player."""
    if answer.board:
        screen.say(answer.board, lines=True)
    side = GameWords.of(answer.game).side(answer.side)
    screen.say(f"{side} to move{', but the game is over' if answer.terminal else ''}")


def summary(answer: PositionAnswer) -> str:
    """The value of a position in a sentence."""
    text = GameWords.of(answer.game).of_position(answer)
    if answer.terminal:
        return f"{text} (the game is over)"
    best = f", best move {answer.witness}" if answer.witness else ""
    if answer.rank is None and answer.value.anything_known:
        table = _table_of(answer)
        return f"{text}{f' by table{table}' if table else ', plies unknown'}{best}"
    if not answer.stored and not (answer.searched is not None and answer.known):
        return f"{text}{best} ({_without_record(answer)})"
    return f"{text}{best}"


def _without_record(answer: PositionAnswer) -> str:
    """Where that is from which is known of a position that has no record."""
    table = _table_of(answer)
    if table:
        return f"by the table{table}; nothing is stored"
    if answer.no_win_within or answer.no_loss_within:
        return f"by records of within:N:{answer.game}; {answer.game} itself has none of this position"
    return "the store has no record of this position"


def print_claims(answer: PositionAnswer) -> None:
    """Prints what is stored of a position: each claim with what it rests on, where it came from, what was checked."""
    for claim in answer.claims:
        plies = f" rank {claim.rank}" if claim.above_tables else f" within {claim.rank} plies"
        screen.say(f"claim  {claim.side} {claim.bound}{plies if claim.rank else ''}: {_reason(answer, claim)}")
    if answer.verification is not None:
        screen.say(f"verified  {verification_text(answer.verification)}")
    print_package(answer.package)


def print_package(package: str | None, *, beside: bool = False) -> None:
    """Says of an answer from a package what was checked; on standard error where a file or rows are the answer."""
    if package is not None:
        (screen.note if beside else screen.say)(f"package  {package_text(package)}")


def move_table(answer: PositionAnswer, moves: Sequence[MoveAnswer] | None = None) -> None:
    """Prints the moves with their values, best first, and the positions after them, where their texts are short.

    Many moves of which nothing is known are one list behind the table. Where the game's players have words of their
    own, the moves are in groups: winning, drawing, losing, not known.

    Args:
        answer: what is known of the position.
        moves: those of its moves that are shown; None for all.
    """
    words = GameWords.of(answer.game)
    chosen = answer.moves if moves is None else moves
    if words.players is not None and words.highest == 1:
        _print_groups(chosen, words)
        return
    singly, listed = _told_and_listed(chosen)
    short = all(len(move.position) <= _SHORT_TEXT for move in chosen)
    rows = [
        (move.move, value_text(move.value, words.highest), _plies(move), *([move.position] if short else []))
        for move in singly
    ]
    if rows:
        screen.print_table(("move", "value", "plies", *(["then"] if short else [])), rows, right=("plies",))
    if listed:
        if rows:
            screen.say()
        screen.say(f"unknown ({len(listed)})")
        screen.say(" ".join(listed))


def _told_and_listed(moves: Sequence[MoveAnswer]) -> tuple[list[MoveAnswer], list[str]]:
    """The moves that have rows of their own, and the names of the other ones: many of which nothing is known."""
    unknown = [move for move in moves if not move.value.anything_known]
    if len(unknown) <= LISTED_MOVES:
        return list(moves), []
    names = {move.move for move in unknown}
    return [move for move in moves if move.move not in names], [move.move for move in unknown]


def _print_groups(moves: Sequence[MoveAnswer], words: GameWords) -> None:
    """Prints a table for each group of moves; many moves of which nothing is known are one list."""
    for number, (group, of_group) in enumerate(grouped_moves(moves)):
        singly, listed = _told_and_listed(of_group)
        if number:
            screen.say()
        screen.print_table((f"{group} ({len(of_group)})", ""), [(move.move, words.of_move(move)) for move in singly])
        if listed:
            screen.say(" ".join(listed))


def _plies(move: MoveAnswer) -> str:
    """Within how many plies the value of a move is realised; nothing where it is not known, or rests on a table."""
    return str(move.rank) if move.known and move.rank is not None else ""


def print_searched(answer: PositionAnswer) -> None:
    """Prints what was searched for the answer, and whether the value is still open."""
    searched = answer.searched
    if searched is not None:
        used_up = searched.unknown_reason in ("nodes", "seconds", "memory")
        why = f"its {searched.unknown_reason} are used up" if used_up else str(searched.unknown_reason)
        reason = f"; the value is open: {why}" if searched.unknown_reason else ""
        screen.say(f"search {amount(searched.nodes, 'node')}, {searched.algorithm}, nothing stored{reason}")


def _table_of(answer: PositionAnswer) -> str:
    """The table that the value rests on, after a space; nothing where only a search that was not stored names it."""
    return next((f" {claim.table}" for claim in answer.claims if claim.table), "")


def _reason(answer: PositionAnswer, claim: Claim) -> str:
    """What a claim rests on, and where it came from."""
    evidence = evidence_text(claim)
    sources = [source.text for source in answer.sources if source.number in claim.sources]
    if not sources and claim.table:
        return evidence
    return f"{evidence}, from {', '.join(sources) or 'an unnamed source'}"
