"""Libraries of RenLib, the collections of lines of renju and go-moku (`.lib`), as SGF and as positions.

A header of 20 bytes begins with FF `RenLib` FF; files of old releases have none. Then come the nodes of a tree on the
board of 15x15, each before its children: a byte with the square (16 * (row from the top - 1) + column, 0 for none)
and one with flags. A node may have a comment behind it, which is passed over
(https://github.com/gomoku/RenLib).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from proofbase.engine.errors import InvalidPositionError

__all__ = ["LibraryNode", "positions_of_library", "read_library", "sgf_of_library", "trunk_of_library"]

_MAGIC = b"\xffRenLib\xff"
_HEADER_BYTES = 20
_NEWEST = (3, 4)
_HAS_SIBLING, _IS_LAST, _OLD_COMMENT, _COMMENT, _NO_MOVE, _EXTENDED = 0x80, 0x40, 0x20, 0x08, 0x02, 0x01
_BOARD_TEXT = 0x01
"""In the second byte of an extension."""
BOARD_SIZE = 15


@dataclass(slots=True)
class LibraryNode:
    """A move, and the moves that follow it; the root has none."""

    square: str = ""
    children: list[LibraryNode] = field(default_factory=list)


class _Bytes:
    """The bytes of a file, two at a time as RenLib writes them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0

    def has_more(self) -> bool:
        return self.place < len(self._data)

    def pair(self) -> tuple[int, int]:
        if self.place + 2 > len(self._data):
            raise InvalidPositionError(f"RenLib: the file ends within the node at byte {self.place}: it is cut short")
        self.place += 2
        return self._data[self.place - 2], self._data[self.place - 1]

    def skip_text(self, *, old: bool) -> None:
        """A text ends with a byte 0; in old files with a byte of 128 or more."""
        while True:
            pair = self.pair()
            if (max(pair) >= 0x80) if old else (0 in pair):
                return


def read_library(data: bytes) -> LibraryNode:
    """The root of the tree of a file.

    Raises:
        InvalidPositionError: it is no such file; the message names the byte.
    """
    data_left = _Bytes(data)
    if data.startswith(_MAGIC):
        if len(data) < _HEADER_BYTES or (data[8], data[9]) > _NEWEST:
            version = f"{data[8]}.{data[9]}" if len(data) >= 10 else "?"
            raise InvalidPositionError(f"RenLib: the file is of version {version}, and those up to 3.4 are read")
        data_left.place = _HEADER_BYTES
    elif data[:1] != b"\x78":  # old files begin with the centre
        raise InvalidPositionError("RenLib: the file begins with neither the header of RenLib nor the centre")
    root = LibraryNode()
    path = [root]
    waiting = list[int]()
    """Lengths of the path before the nodes that have siblings to come."""
    first = True
    while data_left.has_more():
        place = data_left.place
        square, flags = data_left.pair()
        extension = data_left.pair()[1] if flags & _EXTENDED else 0
        if flags & (_OLD_COMMENT | _COMMENT):
            data_left.skip_text(old=bool(flags & _OLD_COMMENT))
        if extension & _BOARD_TEXT:
            data_left.skip_text(old=False)
        if square or not first:
            node = LibraryNode(_square(square, flags, place))
            path[-1].children.append(node)
            if flags & _HAS_SIBLING:
                waiting.append(len(path))
            path.append(node)
        first = False
        if flags & _IS_LAST:
            if not waiting:
                break
            del path[waiting.pop() :]
    else:
        raise InvalidPositionError("RenLib: the file ends before the last variation: it is cut short")
    if data_left.has_more():
        raise InvalidPositionError(f"RenLib: the tree is over at byte {data_left.place}, and the file goes on")
    return root


def _square(byte: int, flags: int, place: int) -> str:
    row, column = byte // 16 + 1, byte % 16
    if flags & _NO_MOVE or not byte:
        raise InvalidPositionError(f"RenLib: the node at byte {place} is a pass or no move: it cannot be played here")
    if not (1 <= column <= BOARD_SIZE and 1 <= row <= BOARD_SIZE):
        raise InvalidPositionError(f"RenLib: the node at byte {place} is not on the board of 15x15: {byte:#04x}")
    return f"{chr(96 + column)}{BOARD_SIZE + 1 - row}"


def sgf_of_library(root: LibraryNode) -> str:
    """The tree as an SGF with variations."""
    parts = [f"(;GM[4]SZ[{BOARD_SIZE}]"]
    entries: list[tuple[LibraryNode, int] | str] = [")", *_siblings(root, 0)]
    while entries:
        entry = entries.pop()
        if isinstance(entry, str):
            parts.append(entry)
            continue
        node, depth = entry
        row = chr(96 + BOARD_SIZE + 1 - int(node.square[1:]))
        parts.append(f";{'BW'[depth % 2]}[{node.square[0]}{row}]")
        entries += _siblings(node, depth + 1)
    return "".join(parts)


def _siblings(node: LibraryNode, depth: int) -> list[tuple[LibraryNode, int] | str]:
    """What follows a node, the last part first."""
    if len(node.children) < 2:
        return [(child, depth) for child in node.children]
    return [part for child in reversed(node.children) for part in (")", (child, depth), "(")]


def trunk_of_library(root: LibraryNode) -> tuple[list[str], list[str]]:
    """The moves before the tree branches, and the moves of the tree there."""
    moves, node = list[str](), root
    while len(node.children) == 1:
        node = node.children[0]
        moves.append(node.square)
    return moves, [child.square for child in node.children]


def positions_of_library(root: LibraryNode) -> list[str]:
    """The moves to every position of the tree, as texts; each before its children."""
    positions = list[str]()
    nodes = [(child, child.square) for child in reversed(root.children)]
    while nodes:
        node, moves = nodes.pop()
        positions.append(f"moves:{moves}")
        nodes += [(child, f"{moves} {child.square}") for child in reversed(node.children)]
    return positions
