"""What the two games over the chessboard have in common as games."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.rules.chessboard import fen, notation
from proofbase.engine.rules.chessboard.endgames import EndgameTables
from proofbase.engine.rules.chessboard.key import key_of, men_of_key
from proofbase.engine.rules.chessboard.moves import after, target
from proofbase.engine.rules.chessboard.position import ChessPosition
from proofbase.engine.rules.game import Game, TableClass

__all__ = ["ChessboardGame"]


class ChessboardGame(Game[ChessPosition]):
    """Positions are FENs; moves are read in SAN and as UCI protocols write them, and written in SAN."""

    acyclic = False
    table_size_unit: str | None = "men"
    one_king = False
    """Whether each side has exactly one king."""
    in_passing = True
    """Whether pawns capture in passing."""

    def __init__(self) -> None:
        self._legal_of = lru_cache(1 << 12)(lambda position: tuple(self.legal(position)))

    @abstractmethod
    def legal(self, position: ChessPosition) -> Iterator[int]:
        """The legal moves in their order."""

    @abstractmethod
    def defect(self, position: ChessPosition) -> str | None:
        """What makes a position illegal, in words. The right to capture in passing is looked at elsewhere."""

    def mark(self, position: ChessPosition) -> str:
        """What is written behind a move that leads to the position."""
        return ""

    def initial(self) -> ChessPosition:
        return self.parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

    def side(self, position: ChessPosition) -> int:
        return int(position.black)

    def repetition(self, position: ChessPosition) -> int | None:
        return 0

    def moves(self, position: ChessPosition) -> Sequence[int]:
        return self._legal_of(position)

    def play(self, position: ChessPosition, move: int) -> ChessPosition:
        if move not in self.moves(position):
            raise InvalidMoveError(f"move {move} is not legal in {fen.fen(position)}")
        return self.played(position, move)

    def played(self, position: ChessPosition, move: int) -> ChessPosition:
        """The position after a move: after two steps of a pawn with the square that it passed, if that matters."""
        child = after(position, move)
        if position.men[move % 64] == "P" and target(move) == move % 64 + 16:
            return self._with_passed(child, (move % 64 + 8) ^ 56)
        return child

    def _with_passed(self, position: ChessPosition, square: int) -> ChessPosition:
        """With the square of en passant, if a capture there is legal."""
        passed = position._replace(en_passant=square)
        if any(passed.men[at] == "P" for at in _beside(square)):
            for move in self.legal(passed):
                if target(move) == square and passed.men[move % 64] == "P" and move % 64 % 8 != square % 8:
                    return passed
        return position._replace(en_passant=0)

    def key(self, position: ChessPosition) -> bytes:
        return key_of(position)

    def position(self, key: bytes) -> ChessPosition:
        try:
            position = men_of_key(key)
        except InvalidKeyError as error:
            raise InvalidKeyError(f"{self.name}: {error}") from None
        what = self.defect(position)
        if not what and position.en_passant:
            what = fen.defect_of_en_passant(position)
            if not what and not self._with_passed(position, position.en_passant).en_passant:
                what = "no capture in passing is legal"
        if not what and key_of(position) != key:
            what = f"it is not canonical: the key of this position is {key_of(position).hex()}"
        if what:
            raise InvalidKeyError(f"{key.hex()} is no {self.name} key: {what}")
        return position

    @cached_property
    def _tables(self) -> EndgameTables:
        return EndgameTables(one_king=self.one_king, in_passing=self.in_passing)

    @property
    def _table_prefix(self) -> str:
        return f"{self.name.replace(':', '_')}-"

    def table_entry(self, position: ChessPosition) -> tuple[str, int] | None:
        entry = self._tables.entry(position)
        return None if entry is None else (self._table_prefix + entry[0], entry[1])

    def table_class(self, name: str) -> TableClass | None:
        prefix, end = name[: len(self._table_prefix)], name[len(self._table_prefix) :]
        number_and_size = self._tables.table(end) if prefix == self._table_prefix else None
        return None if number_and_size is None else TableClass(number_and_size[0], end, number_and_size[1])

    def table_position(self, name: str, entry: int) -> ChessPosition | None:
        position = self._tables.position(name[len(self._table_prefix) :], entry)
        if position is None or self.defect(position):
            return None
        if not position.en_passant:
            return position
        if fen.defect_of_en_passant(position) or not self._with_passed(position, position.en_passant).en_passant:
            return None
        return position

    def text(self, position: ChessPosition) -> str:
        return fen.fen(position)

    def draw(self, position: ChessPosition) -> str:
        return fen.draw(position)

    def men_on_board(self, position: ChessPosition) -> int:
        return sum(letter.isalpha() for letter in self.text(position).split()[0])

    def parse(self, text: str) -> ChessPosition:
        try:
            position = self.without_foreign_fields(fen.read_fen(text))
        except ValueError as error:
            raise InvalidPositionError(f"{self.name}: position {quoted(text, 100)}: {error}") from None
        what = self.defect(position)
        if not what and position.en_passant:
            what = fen.defect_of_en_passant(position)
        if what:
            raise InvalidPositionError(f"{self.name}: position {quoted(text, 100)}: {what}")
        return self._with_passed(position, position.en_passant) if position.en_passant else position

    def without_foreign_fields(self, position: ChessPosition) -> ChessPosition:
        """The text without what a FEN says and the game does not know: here the counter of the fifty-move rule."""
        return position._replace(counter=0)

    def move_text(self, position: ChessPosition, move: int) -> str:
        legal = self.moves(position)
        return notation.san(position, move, legal) + self.mark(self.played(position, move))

    def parse_move(self, position: ChessPosition, text: str) -> int:
        legal = self.moves(position)
        core = text.rstrip("+#!?")
        if self.one_king and (castling := core.replace("0", "O")) in ("O-O", "O-O-O"):
            for move in legal:
                if notation.castling_text(position, move) == castling:
                    return move
            raise self._no_move(text, "castling is not legal")
        described = notation.described(core)
        if described is None:
            raise self._no_move(text, "a move is written like Nf3, exd5, e8=Q, O-O or g1f3")
        if not legal:
            raise self._no_move(text, "the game is over")
        fitting = list(notation.fitting(position, legal, described))
        exact = [move for move in fitting if bool(move // 4096) == bool(described.becomes)]
        if not exact:
            raise self._no_move(text, "name what the pawn becomes" if fitting else "it is not legal")
        if len(exact) > 1:
            raise self._no_move(text, "several men can make it: name the square it leaves")
        return exact[0]

    def _no_move(self, text: str, what: str) -> InvalidMoveError:
        return InvalidMoveError(f"{self.name}: move {quoted(text, 40)}: {what}")


def _beside(square: int) -> list[int]:
    """Where pawns stand that attack the square from below."""
    return [square - 8 + step for step in (-1, 1) if 0 <= square % 8 + step < 8]
