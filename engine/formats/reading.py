"""Texts of positions and games as people write them. This is the one place before the strict `parse` of the rules.

A game's own text is tried first. What it refuses is read here as what it looks like: SGF, PGN, PDN, GGF, EPD, a drawn
board, or a list of moves with numbers and remarks. Every position that comes out was accepted by the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.characters import plain_characters
from proofbase.engine.formats.drawn_boards import is_drawn_board, read_drawn_board
from proofbase.engine.formats.epd import Epd, Operation, is_epd, read_epd
from proofbase.engine.formats.ggf import is_ggf, split_ggf
from proofbase.engine.formats.movetext import read_movetext
from proofbase.engine.formats.othello_boards import plain_othello
from proofbase.engine.formats.pdn import checkers_spellings, joined_moves, plain_fen
from proofbase.engine.formats.pgn_reading import check_variant, is_pgn, split_games
from proofbase.engine.formats.posted_boards import fen_of_checkers_board, fen_of_chess_board
from proofbase.engine.formats.problems import REMARK, fen_of_problem, is_problem
from proofbase.engine.formats.psq import is_psq, sgf_of_psq
from proofbase.engine.formats.san import chess_spellings
from proofbase.engine.formats.sanmill import plain_sanmill
from proofbase.engine.formats.sgf import FAMILIES, SgfLine, is_sgf, read_sgf
from proofbase.engine.rules import Game, is_built_in
from proofbase.engine.rules.set_up import is_unreachable, split_mark

__all__ = [
    "STONE_BOARDS",
    "ReadText",
    "inner_name",
    "is_game_record",
    "read_any_move",
    "read_line_of_moves",
    "read_text",
]

P = TypeVar("P")
MOVES_PREFIX = "moves:"
CHESS = ("chess", "giveaway")
STONE_BOARDS = ("tic-tac-toe", "connect-four", "gomoku", "renju")
"""Families whose positions may be boards as people draw them."""
UNREACHABLE = "the position is set up: it cannot be reached from the start"
_LABEL = re.compile(
    r"\s*(?:fen\s*[:=]\s*|https?://(?:www\.)?lichess\.org/(?:analysis|editor)/(?:(?:standard|fromPosition|antichess)/)?)"
    r"(?=\S*/|[BbWw]:)",
    re.IGNORECASE,
)
"""What people paste before a FEN."""
_SIDE_OF_PICTURE = re.compile(r"\n\s*(first|second) player to move(?:, but the game is over)?\s*$")
_PLIES = re.compile(r"(?<!\s)\s+plies=[0-9]+$")


@dataclass(frozen=True, slots=True)
class ReadText(Generic[P]):
    """What a text says.

    Attributes:
        start: the position that its moves begin with.
        moves: their numbers.
        position: the position after them.
        operations: of an EPD; of an OBF moves with their values.
        remarks: what was assumed or passed over and may matter, in words.
    """

    start: P
    moves: list[int]
    position: P
    operations: tuple[Operation, ...] = ()
    remarks: tuple[str, ...] = ()


def inner_name(name: str) -> str:
    """The name of the game whose positions and moves a game has: GAME of `within:N:GAME`, else the name itself."""
    return name.split(":", 2)[2] if name.startswith("within:") else name


def is_game_record(game: Game[P], text: str) -> bool:
    """Whether a text is a game in PGN, SGF, GGF or of Piskvork, which says itself where it begins."""
    family = _family(game)
    return is_built_in(game.name) and (
        is_pgn(text)
        or (family in FAMILIES and (is_sgf(text) or is_psq(text)))
        or (family == "othello" and is_ggf(text))
    )


def _family(game: Game[P]) -> str:
    return inner_name(game.name).partition(":")[0]


def read_text(game: Game[P], text: str) -> ReadText[P]:
    """The moves and the position of a text, in any of the forms that `read_position` lists.

    Raises:
        InvalidPositionError: it is none of them; the message says what is wrong with the one that it looks like.
    """
    text = _plain(game, text).strip()
    initial = game.initial()
    if text in ("", "-"):
        return ReadText(initial, [], initial)
    if text.startswith(MOVES_PREFIX):
        return _played(game, initial, text[len(MOVES_PREFIX) :])
    try:
        position = game.parse(text)
    except InvalidPositionError as error:
        strict = error
    else:
        unreachable = is_unreachable(game.name, game.text(position))
        return ReadText(position, [], position, remarks=(UNREACHABLE,) if unreachable else ())
    name = inner_name(game.name)
    if is_pgn(text) and is_built_in(game.name):
        return _pgn(game, name, text)
    if is_game_record(game, text) and is_ggf(text):
        return _ggf(game, text)
    if is_game_record(game, text):
        line = _sgf(name, text)
        start = game.parse(line.start)
        played = _played(game, start, " ".join(line.moves))
        unreachable = is_unreachable(name, game.text(start))
        return ReadText(
            start, played.moves, played.position, remarks=(*line.remarks, *((UNREACHABLE,) if unreachable else ()))
        )
    return _lenient(game, name, text, strict)


def _plain(game: Game[Any], text: str) -> str:
    """With plain characters, and without what is pasted before a FEN; users' own games have texts of any kind."""
    if not is_built_in(game.name):
        return text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    plain = plain_characters(text)
    label = _LABEL.match(plain)
    return re.sub(r"[?#]\S*$", "", plain[label.end() :].replace("%20", " ")) if label else plain


def _lenient(game: Game[P], name: str, text: str, strict: InvalidPositionError) -> ReadText[P]:
    """A text that is not the game's own."""
    family = name.partition(":")[0]
    plies = _PLIES.search(text) if game.name != name else None
    body, rest = (text[: plies.start()], plies[0]) if plies else (text, "")
    operations: tuple[Operation, ...] = ()
    remark = ""
    if is_built_in(game.name) and (said := _SIDE_OF_PICTURE.search(text)):
        return _picture(game, family, text[: said.start()], int(said[1] == "second"))
    if is_built_in(game.name) and (moves := _moves_behind(family, text)):
        start = read_text(game, moves[0])
        played = _played(game, start.position, moves[1])
        return ReadText(played.start, played.moves, played.position, remarks=start.remarks)
    try:
        plain = _of_a_program(game, family, body)
    except ValueError as error:
        raise InvalidPositionError(f"{game.name}: position {quoted(text, 100)}: {error}") from None
    if plain is not None:
        body, operations, remark = plain
    elif (widths := _widths(game, family)) and is_drawn_board(body):
        try:
            board = read_drawn_board(body, widths, names_side=family == "tic-tac-toe")
        except ValueError as error:
            if (
                family != "tic-tac-toe" and split_mark(body)[1] is not None
            ):  # the mark of a position that is set up is no square
                raise strict from None
            # Moves may stand on several lines as well.
            what = InvalidPositionError(f"{game.name}: {quoted(text)}: {error}")
            return _moves_or(game, text, what)
        body, remark = "/".join(board.rows), board.remark
    elif family == "tic-tac-toe" and re.fullmatch("[-._xXoO]{9}", body):
        body = "/".join(read_drawn_board("\n".join(body[row : row + 3] for row in (0, 3, 6)), (3, 3, 3)).rows)
    else:
        return _moves_or(game, text, strict)
    position = game.parse(body + rest)
    return ReadText(position, [], position, operations, (remark,) if remark else ())


def _picture(game: Game[P], family: str, board: str, side: int) -> ReadText[P]:
    """One of our own pictures, with the side to move that it says."""
    read = read_text(game, f"{board}\n{'XO'[side]}" if family == "othello" else board)
    if game.side(read.position) != side:
        raise InvalidPositionError(
            f"{game.name}: the {('first', 'second')[side]} player is said to be to move, by the stones it is the other"
        )
    return ReadText(read.position, [], read.position)


def _of_a_program(game: Game[P], family: str, text: str) -> Epd | None:
    """A position in a form of other programs, with the game's own text in place of a FEN; None for another text.

    Raises:
        ValueError: what is wrong, in words.
    """
    if family in CHESS and is_epd(text):
        return read_epd(text, castling=family == "chess")
    if family in CHESS and (board := fen_of_chess_board(text)):
        return Epd(board[0], (), board[1])
    if family == "chess" and is_problem(text):
        return Epd(fen_of_problem(text), (), REMARK)
    if family == "othello":
        othello = plain_othello(text, len(game.text(game.initial()).split()[0]))
        return None if othello is None else Epd(*othello)
    if family == "checkers" and (fen := plain_fen(text) or fen_of_checkers_board(text)):
        return Epd(fen, ())
    if family == "awari" and re.search(r"/\s*[NSns]?\s*$", text):
        return Epd(re.sub(r"\s", "", text).upper(), ())
    if family == "awari" and len(re.findall("[0-9]+", text)) >= 12 and not re.search("[A-Za-z/]", text):
        raise ValueError("write a / between North's pits, f to a, and South's, A to F, such as 4,4,4,4,4,4/4,4,4,4,4,4")
    if family == "mens-morris" and (sanmill := plain_sanmill(text)):
        return Epd(sanmill[0], (), sanmill[1])
    if family == "mens-morris" and "/" in text:
        return Epd(re.sub(r"\s", "", text.lower()), ())
    return None


def _moves_or(game: Game[P], text: str, strict: InvalidPositionError) -> ReadText[P]:
    """A text of words, or one that begins with a legal move, is meant as moves: the error names the bad move."""
    try:
        return _played(game, game.initial(), text)
    except InvalidPositionError as error:
        words = _words(game, text)
        numbered = re.match(r"[0-9]+\.", text) is not None
        moves = _family(game) in CHESS and "/" not in text
        square = re.match("[A-Za-z][0-9]+|", words[0])[0]  # type: ignore[index]
        first = words[0] if _family(game) in CHESS else square or words[0]
        if moves or numbered or all(word.isalnum() for word in words) or _is_move(game, first):
            raise error from None
    raise strict


def _widths(game: Game[P], family: str) -> Sequence[int]:
    """The widths of the rows of a board of stones; none for another game."""
    if family not in STONE_BOARDS:
        return ()
    rows = _PLIES.sub("", game.text(game.initial())).split("/")
    return [len(row) for row in rows]


def _sgf(name: str, text: str) -> SgfLine:
    """The main line of an SGF, or of a file of Piskvork."""
    if not is_psq(text):
        return read_sgf(name, text)
    try:
        return read_sgf(name, sgf_of_psq(text))
    except InvalidPositionError as error:
        raise InvalidPositionError(f"psq: {str(error).removeprefix('psq: ').removeprefix('SGF: ')}") from None


def _moves_behind(family: str, text: str) -> tuple[str, str] | None:
    """A position and the moves that are written behind it; None where there are none.

    The word `moves` stands between them, as in the command `position` of UCI; behind a FEN it may be left out.
    """
    head, between, moves = text.partition(" moves ")
    if between or head.partition(" ")[0] in ("position", "startpos", "fen"):
        start = head.removeprefix("position").lstrip().removeprefix("startpos").removeprefix("fen").strip() or "-"
        return None if start.startswith(("position", "fen", "startpos")) or '"' in text else (start, moves)
    if family in CHESS and is_epd(text) and ";" not in text:
        fields = text.split(maxsplit=6)
        number = 6 if len(fields) == 7 and fields[4].isdecimal() and fields[5].isdecimal() else 4
        rest = text.split(maxsplit=number)[number:]
        if rest and re.match(r"[a-h][1-8]|[0O]-|[NBRQK][a-hx1-8]|1\.", rest[0]):
            return " ".join(fields[:number]), rest[0]
    return None


def _ggf(game: Game[P], text: str) -> ReadText[P]:
    games = split_ggf(text)
    if len(games) > 1:
        raise InvalidPositionError(
            f"{game.name}: the text has {len(games)} games in GGF: give one of them, or all as a file with --file"
        )
    game_read = games[0]
    initial = game.initial()
    squares = len(game.text(initial).split()[0])
    if game_read.side**2 != squares:
        size = f"{game_read.side}x{game_read.side}"
        raise InvalidPositionError(f"GGF: the board is {size}, and this is {game.name}: read it as othello:{size}")
    start, moves = initial, list[int]()
    try:
        if game_read.start:
            plain = plain_othello(game_read.start, squares)
            if plain is None:
                raise InvalidPositionError(
                    f"BO[{game_read.side} {game_read.start[:70]}] is no board with the side to move"
                )
            start = game.parse(plain[0] + (_PLIES.search(game.text(initial)) or [""])[0])
        position = start
        for number, (sign, word) in enumerate(game_read.moves, 1):
            if game.terminal(position) is not None:
                raise InvalidMoveError(f"the game is over after move {number - 1}: leave out what follows")
            if sign != "BW"[game.side(position)]:
                raise InvalidMoveError(
                    f"move {number} is one of {'Black' if sign == 'B' else 'White'}, who is not to move"
                )
            try:
                moves.append(game.parse_move(position, word))
            except InvalidMoveError as error:
                raise InvalidMoveError(f"move {number}: {error}; {_were_read(number - 1)}") from None
            position = game.play(position, moves[-1])
    except (InvalidPositionError, InvalidMoveError) as error:
        raise InvalidPositionError(f"GGF: {error}") from None
    return ReadText(start, moves, position)


def _pgn(game: Game[P], name: str, text: str) -> ReadText[P]:
    games = split_games(text)
    if len(games) > 1:
        raise InvalidPositionError(
            f"{game.name}: the text has {len(games)} games in PGN: give one of them, or all as a file with --file"
        )
    try:
        check_variant(name, games[0].tags)
    except ValueError as error:
        raise InvalidPositionError(f"PGN: {error}") from None
    start = game.initial()
    if games[0].start:
        start = read_text(game, games[0].start).position
    try:
        return _played(game, start, " ".join(read_movetext(games[0].movetext).moves))
    except (InvalidMoveError, InvalidPositionError) as error:
        raise InvalidPositionError(f"PGN: {error}") from None


def _played(game: Game[P], start: P, text: str) -> ReadText[P]:
    try:
        moves, position = read_line_of_moves(game, start, text)
    except InvalidMoveError as error:
        raise InvalidPositionError(str(error)) from error
    return ReadText(start, moves, position)


def _is_move(game: Game[P], text: str) -> bool:
    try:
        read_any_move(game, game.initial(), text)
    except InvalidMoveError:
        return False
    return True


# --- Moves -----------------------------------------------------------------------------------------------------------
def read_line_of_moves(game: Game[P], position: P, text: str) -> tuple[list[int], P]:
    """Plays the main line of a list of moves.

    Returns:
        The moves, and the position after them.

    Raises:
        InvalidMoveError: with the number of the first illegal move.
    """
    text = _plain(game, text)
    if _family(game) == "checkers":
        text = joined_moves(text)
    words = _words(game, text)
    try:
        return _play_words(game, position, words, text)
    except InvalidMoveError as error:
        strict = error
    try:
        line = read_movetext(text)
    except InvalidMoveError as error:
        if not is_built_in(game.name):
            raise strict from None  # brackets may be parts of its moves
        raise InvalidMoveError(f"{quoted(text.strip())}: {error}") from None
    if line.moves in (words, []):
        raise strict
    try:
        return _play_words(game, position, line.moves, text)
    except InvalidMoveError:
        if is_built_in(game.name):
            raise
        raise strict from None


def _words(game: Game[Any], text: str) -> list[str]:
    """The words of a list of moves; in games that are not ours `x(1, 1)` is one, as OpenSpiel writes a move."""
    return text.replace(",", " ").split() if is_built_in(game.name) else re.findall(r"(?:\([^()]*\)|[^\s,])+", text)


def _play_words(game: Game[P], position: P, words: Iterable[str], text: str) -> tuple[list[int], P]:
    moves: list[int] = []
    start, numbered = position, False  # whether the last word was a number
    words_left = list(reversed(list(words)))
    family = _family(game)
    while words_left:
        word = words_left.pop()
        try:
            move = read_any_move(game, position, word)
        except InvalidMoveError as error:
            if moves and game.terminal(position) is not None:
                raise InvalidMoveError(
                    f"the game is over after move {len(moves)} of {quoted(text.strip())}: leave out what follows"
                ) from None
            number = len(moves) + 1
            if not numbered and _is_number(game, start, position, word, number):
                numbered = True
                continue
            if [game.move_text(position, move) for move in game.moves(position)] == ["pass"] and word.lower() != "pass":
                words_left += [word, "pass"]  # records of Othello leave it out
                continue
            # Moves without spaces between them, and what follows them; x is the sign of a capture.
            if family not in CHESS and (
                packed_moves := re.match("(?:[A-WYZa-wyz][0-9]+){2,}|[A-WYZa-wyz][0-9]+(?=[^\\w\\s])", word)
            ):
                words_left += [word[packed_moves.end() :]] if packed_moves.end() < len(word) else []
                words_left += reversed(re.findall("[A-Za-z][0-9]+", packed_moves[0]))
                continue
            if is_built_in(game.name) and moves and (strange := re.match(r"[^\w\s]{2,}", word)):
                raise InvalidMoveError(
                    f"move {number}: {quoted(strange[0], 20)} is no move; {_were_read(len(moves))}"
                ) from None
            legal = game.moves(position)
            packed = not is_built_in(game.name) or word.isdigit() or word.isalpha()
            if (
                not packed
                or len(word) == 1
                or not legal
                or any(len(game.move_text(position, move)) > 1 for move in legal)
            ):
                hint = _hint(game, start, text)
                raise InvalidMoveError(f"move {number} of {quoted(text.strip())}: {error}{hint}") from None
            # Columns of one digit are never followed by others. Elsewhere the rest may be a move of two characters.
            words_left += reversed(word) if family == "connect-four" and word.isdigit() else [word[1:], word[0]]
            continue
        moves.append(move)
        numbered = False
        position = game.play(position, move)
    return moves, position


def _were_read(moves: int) -> str:
    return f"{moves} move{'s were' if moves != 1 else ' was'} read"


def _is_number(game: Game[P], start: P, position: P, word: str, ply: int) -> bool:
    """Whether a word is the number of a move, without its dot: of the ply, or of both players' moves together."""
    if not re.fullmatch("[0-9]{1,4}", word) or int(word) not in (ply, (ply + 1 + game.side(start)) // 2):
        return False
    return not any(game.move_text(position, move).isdigit() for move in game.moves(position))


def read_any_move(game: Game[P], position: P, text: str) -> int:
    """The legal move that a text stands for, as the game or as people write it.

    Raises:
        InvalidMoveError: no legal move of the position is written like this; the message is that of the game.
    """
    text = _plain(game, text)
    try:
        return game.parse_move(position, text)
    except InvalidMoveError as error:
        strict = error
    for spelling in _spellings(game, position, text):
        try:
            return game.parse_move(position, spelling)
        except InvalidMoveError as error:
            if "name " in str(error):  # it names what is missing: the piece that a pawn becomes, a square
                strict = error
    raise strict


def _spellings(game: Game[P], position: P, text: str) -> Iterator[str]:
    name = inner_name(game.name)
    family = name.partition(":")[0]
    if len(text) > 40:
        return
    plain = text.rstrip("!?*") if is_built_in(game.name) else text
    if plain != text:  # marks of moves
        yield plain
        text = plain
    if family in CHESS:
        yield from chess_spellings(text, game.side(position))
    elif family == "checkers":
        yield from checkers_spellings(text)
    elif family == "mens-morris":
        word = text.lower()
        yield word
        if _PLIES.sub("", game.text(position)).count(":") == 1:  # no men in hand: a man moves
            yield re.sub("^([a-g][1-7])([a-g][1-7])", r"\1-\2", word)
    elif family == "connect-four" and (square := re.fullmatch("([A-Za-z])([0-9]{0,2})", text)):
        column = ord(square[1].lower()) - ord("a")
        rows = _PLIES.sub("", game.text(position)).split("/")
        if column < len(rows[0]):
            stones = sum(row[column] != "." for row in rows)
            if square[2] not in ("", str(stones + 1)) and stones < len(rows):
                raise InvalidMoveError(
                    f"{quoted(text)}: a stone in column {square[1]} falls to {square[1]}{stones + 1}"
                )
            yield str(column + 1)


def _hint(game: Game[P], start: P, text: str) -> str:
    """What may be meant by a list of numbers that cannot be played: they are counted from 0."""
    if _family(game) not in ("connect-four", "tic-tac-toe"):
        return ""
    words = _words(game, text)
    if not words or len(text) > 400 or not all(word.isascii() and word.isdigit() for word in words):
        return ""
    packed = len(words) == 1
    numbers = [str(int(word) + 1) for word in (words[0] if packed else words)]
    shifted = " ".join(numbers)
    try:
        moves, position = list[int](), start
        for number in numbers:
            moves.append(game.parse_move(position, number))
            position = game.play(position, moves[-1])
    except InvalidMoveError:
        return ""
    return f"; numbers are counted from 1: if yours are counted from 0, write {quoted(shifted)}"
