"""Keys of both games: 25 bytes, a big-endian number of three fields.

* 8 bytes: the occupied squares, bit 0 for a1 to bit 63 for h8, as the side to move sees the board;
* 16 bytes: a digit of 4 bits for each man in the order of squares, the first man's at the low end: 0 pawn, 1 knight, 2
  bishop, 3 rook, 4 queen, 5 king of the side to move; 8 to 13 those of the other side; 14 a pawn of the other side that
  may be captured in passing;
* 1 byte: rights to castle (1, 2: king's, queen's side of the side to move; 4, 8: of the other side). A key has no side.

Without rights to castle the key is the smaller one of the position's and its mirror image's.
"""

from __future__ import annotations

from proofbase.engine.errors import InvalidKeyError
from proofbase.engine.rules.chessboard.position import ChessPosition, mirrored

__all__ = ["KEY_BYTES", "key_of", "men_of_key"]

KEY_BYTES = 25
DIGITS = "PNBRQK..pnbrqke"
"""By digit; `e` is a pawn that may be captured in passing."""
RIGHTS = "KQkq"


def key_of(position: ChessPosition) -> bytes:
    """The key of a position."""
    if position.castling:
        return _encoded(position)
    return min(_encoded(position), _encoded(mirrored(position)))


def _encoded(position: ChessPosition) -> bytes:
    men = position.men
    occupied = [square for square in range(64) if men[square] != "."]
    number = sum([1 << square for square in occupied])
    digits = "".join([f"{DIGITS.index(_letter(position, square)):x}" for square in reversed(occupied)])
    rights = sum([1 << RIGHTS.index(right) for right in position.castling])
    return number.to_bytes(8, "big") + int(digits or "0", 16).to_bytes(16, "big") + bytes([rights])


def _letter(position: ChessPosition, square: int) -> str:
    return "e" if square == position.en_passant - 8 else position.men[square]


def men_of_key(key: bytes) -> ChessPosition:
    """The position of an encoding, legal or not.

    Raises:
        InvalidKeyError: no men are written like this.
    """
    if len(key) != KEY_BYTES:
        raise InvalidKeyError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    occupied = int.from_bytes(key[:8], "big")
    digits = int.from_bytes(key[8:24], "big")
    men, passed = [], []
    if occupied.bit_count() > 32 or digits >> 4 * occupied.bit_count() or key[24] >= 16:
        raise InvalidKeyError(f"{key.hex()} is no key")
    for square in range(64):
        if not occupied >> square & 1:
            men.append(".")
            continue
        digit, digits = digits % 16, digits // 16
        if digit in (6, 7, 15):
            raise InvalidKeyError(f"{key.hex()} is no key: no man has the digit {digit}")
        men.append(DIGITS[digit].replace("e", "p"))
        if digit == 14:
            passed.append(square + 8)
    if len(passed) > 1:
        raise InvalidKeyError(f"{key.hex()} is no key: two pawns may be captured in passing")
    castling = "".join([right for place, right in enumerate(RIGHTS) if key[24] >> place & 1])
    return ChessPosition("".join(men), castling, passed[0] if passed else 0)
