"""Lists of moves with all that players write between them: numbers, comments, marks, variations, results.

This is the movetext of PGN (the standard's section 8.2), which players write for other games as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from proofbase.engine.errors import InvalidMoveError, quoted

__all__ = ["Movetext", "read_movetext"]

_TOKEN = re.compile(
    r"""
      (?P<comment> \{[^}]*\} | (?<!\S);[^\n]* | (?<![^\n])%[^\n]* )
    | (?P<bracket> [()] )
    | (?P<space>   [\s,]+ )
    | (?P<number>  \d+\.+ )
    | (?P<word>    (?: [^\s,;(){}] | \([NBRQKnbrqk]\) )+ )
    | (?P<other>   . )
    """,
    re.VERBOSE,
)
_PASSED_OVER = re.compile(
    r"\$\d+|[!?]+|e\.?p\.?|[+\-=/]*[+\-=~\u00b1\u2213\u2a72\u2a71\u221e\u25a1]|\u00bd|N|ch\.?|mate\.?"
)
"""Marks and evaluations that stand alone."""
_RESULTS = ("1-0", "0-1", "1/2-1/2", "1/2", "*", "\u00bd-\u00bd", "2-0", "0-2", "1-1", "BW", "WW")
"""The results of PDN as well: two points for a win, `BW` where Black wins."""
_NO_MOVES = ("--", "Z0", "0000", "@@@@")


@dataclass(slots=True)
class Movetext:
    """A line of moves as they are written, and the variations from it.

    Attributes:
        moves: the words that are moves.
        variations: of the line, each with the number of moves of this line that are played before it.
    """

    moves: list[str] = field(default_factory=list)
    variations: list[tuple[int, Movetext]] = field(default_factory=list)


def read_movetext(text: str) -> Movetext:
    """The main line of a text, with its variations. Numbers that stand alone without a dot are words, as moves may be.

    Raises:
        InvalidMoveError: a bracket without its other half, a move of nobody, or moves behind the result.
    """
    main = Movetext()
    lines = [main]
    ended = ""  # the result that ended the main line
    for kind, word in _tokens(text):
        line = lines[-1]
        if word == "(":
            if not line.moves:
                raise InvalidMoveError("a variation '(' stands before the first move that it could vary")
            lines.append(Movetext())
            line.variations.append((len(line.moves) - 1, lines[-1]))
        elif word == ")":
            if len(lines) == 1:
                raise InvalidMoveError("a ')' ends no variation")
            lines.pop()
        elif kind == "word":
            if word in _RESULTS:
                ended = ended or word if len(lines) == 1 else ended
                continue
            if word in _NO_MOVES:
                raise InvalidMoveError(f"{quoted(word)} is a move of nobody: a game has none, leave out what follows")
            if ended:
                raise InvalidMoveError(f"{quoted(word, 20)} stands behind the result {ended}: give one game at a time")
            line.moves.append(word)
    if len(lines) > 1:
        raise InvalidMoveError("a variation '(' has no ')'")
    return main


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Kind (`bracket` or `word`) and text of all that may be a move or a variation."""
    for token in _TOKEN.finditer(text):
        kind, word = str(token.lastgroup), token[0]
        if kind == "other":
            unclosed = "the comment that begins with '{' has no '}'"
            raise InvalidMoveError(unclosed if word == "{" else f"{quoted(word)} is no part of a move")
        if kind == "bracket" or (kind == "word" and (word in _NO_MOVES or not _PASSED_OVER.fullmatch(word))):
            yield kind, word
