"""The lines of games in a text: the main line of each game, and its variations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError
from proofbase.engine.formats.ggf import is_ggf, split_ggf
from proofbase.engine.formats.movetext import Movetext, read_movetext
from proofbase.engine.formats.pgn_reading import check_variant, is_pgn, split_games
from proofbase.engine.formats.psq import is_psq, sgf_of_psq
from proofbase.engine.formats.reading import inner_name, is_game_record, read_line_of_moves, read_text
from proofbase.engine.formats.sgf import read_sgf_branches
from proofbase.engine.rules import Game

__all__ = ["GameLine", "game_lines"]

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class GameLine:
    """Moves that follow one another.

    Attributes:
        title: which line it is, for people: `main line`, `variation from ply 3`; with the players of the game.
        start: text of the position where it begins.
        ply: of the first move, counted from 1 at the beginning of the game.
        moves: as the game writes them.
    """

    title: str
    start: str
    ply: int
    moves: tuple[str, ...]


def game_lines(game: Game[P], text: str, *, start: str = "-", variations: bool = False) -> list[GameLine]:
    """The lines of a text: a list of moves, or games in PGN, SGF or GGF, or of Piskvork.

    Args:
        game: by whose rules it is read.
        text: of the moves.
        start: where a list of moves begins; games say it themselves.
        variations: also those, each after the line that it varies; without it only main lines.

    Raises:
        InvalidPositionError, InvalidMoveError: it is none of them; the message names the game and the move.
    """
    if not is_pgn(text):
        if is_game_record(game, text):
            if is_ggf(text):
                return _ggf_lines(game, text)
            return _sgf_lines(game, text, variations)
        return _lines_of(game, "", read_text(game, start).position, text, variations)
    lines = list[GameLine]()
    games = split_games(text)
    for number, played in enumerate(games, 1):
        name = f"game {number}" + (f" ({played.title})" if played.title else "") if len(games) > 1 else ""
        try:
            check_variant(inner_name(game.name), played.tags)
            begins = read_text(game, played.start).position
            lines += _lines_of(game, name, begins, played.movetext, variations)
        except (InvalidPositionError, InvalidMoveError, ValueError) as error:
            where = f"game {number}, from line {played.line}: " if len(games) > 1 else ""
            raise InvalidPositionError(f"PGN: {where}{error}") from None
    return lines


def _ggf_lines(game: Game[P], text: str) -> list[GameLine]:
    lines, games = list[GameLine](), split_ggf(text)
    for number, played in enumerate(games, 1):
        played_line = read_text(game, played.text)
        title = f"game {number} ({' - '.join(name or '?' for name in played.players)})"
        lines.append(_line(game, title if len(games) > 1 else "main line", played_line.start, 1, played_line.moves))
    return lines


def _sgf_lines(game: Game[P], text: str, variations: bool) -> list[GameLine]:
    """The main line of each game; each variation from the move by which it differs from the branch before it."""
    lines = list[GameLine]()
    games = read_sgf_branches(inner_name(game.name), sgf_of_psq(text) if is_psq(text) else text)
    for number, played in enumerate(games, 1):
        name = f"game {number}" if len(games) > 1 else ""
        before: tuple[str, ...] | None = None
        for branch in played.branches if variations else played.branches[:1]:
            position, shared = game.parse(branch.start), 0
            if before is not None:
                pairs = zip(before, branch.moves, strict=False)
                shared = next((ply for ply, (one, other) in enumerate(pairs) if one != other), 0)
            title = "main line" if before is None else f"variation at ply {shared + 1}"
            title = ", ".join(part for part in (name, title) if part) if variations or not name else name
            moves = list[int]()
            begins = position
            for ply, word in enumerate(branch.moves, 1):
                moves.append(game.parse_move(position, word))
                position = game.play(position, moves[-1])
                begins = position if ply == shared else begins
            lines.append(_line(game, title, begins, shared + 1, moves[shared:]))
            before = branch.moves
    return lines


def _lines_of(game: Game[P], name: str, start: P, text: str, variations: bool) -> list[GameLine]:
    walked = _walk(game, start, text)
    if not variations:
        _, begins, ply, moves = next(walked)
        return [_line(game, name or "main line", begins, ply, moves)]
    prefix = f"{name}, " if name else ""
    return [_line(game, prefix + title, begins, ply, moves) for title, begins, ply, moves in walked]


def _walk(game: Game[P], start: P, text: str) -> Iterator[tuple[str, P, int, list[int]]]:
    """Title, beginning, ply and moves of every line, the main line first."""
    variations_left: list[tuple[str, P, int, Movetext]] = [("main line", start, 1, read_movetext(text))]
    while variations_left:
        title, begins, ply, line = variations_left.pop()
        moves, _ = read_line_of_moves(game, begins, " ".join(line.moves))
        if line.variations and len(moves) != len(line.moves):
            raise InvalidMoveError("in a text with variations each move is a word of its own, and numbers have a dot")
        yield title, begins, ply, moves
        positions = [begins]
        for move in moves:
            positions.append(game.play(positions[-1], move))
        for before, variation in reversed(line.variations):
            at = ply + before
            variations_left.append((f"variation at ply {at}", positions[before], at, variation))


def _line(game: Game[P], title: str, start: P, ply: int, moves: list[int]) -> GameLine:
    texts, position = list[str](), start
    for move in moves:
        texts.append(game.move_text(position, move))
        position = game.play(position, move)
    return GameLine(title, game.text(start), ply, tuple(texts))
