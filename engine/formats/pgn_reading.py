"""Reading games in PGN, the Portable Game Notation (S. J. Edwards, 1994): tags, then a text of moves."""

from __future__ import annotations

import re
from typing import NamedTuple

from proofbase.engine.errors import InvalidMoveError, quoted
from proofbase.engine.formats.movetext import read_movetext
from proofbase.engine.formats.pgn import CHECKERS_TYPE, VARIANTS

__all__ = ["PgnGame", "check_variant", "is_pgn", "split_games"]

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:\\.|[^"\\]|"(?!\s*\]))*)"\s*\]')
_TAGS = re.compile(rf"\s*(?:{_TAG.pattern}\s*)+")
_CHESS = ("", "chess", "standard", "normal", "from position", "fromposition")


class PgnGame(NamedTuple):
    """One game of a file.

    Attributes:
        tags: by their names.
        movetext: all behind the tags, as it is written.
        line: where the game begins in the text, counted from 1.
    """

    tags: dict[str, str]
    movetext: str
    line: int = 1

    @property
    def start(self) -> str:
        """The FEN that the game begins with; empty for the initial position."""
        return self.tags.get("FEN", "")

    @property
    def title(self) -> str:
        """The players, or the event, for people."""
        players = [self.tags.get(name, "?") for name in ("White", "Black")]
        return " - ".join(players) if any(player.strip("?") for player in players) else self.tags.get("Event", "")

    @property
    def compact(self) -> str:
        """The same game in one line, without comments, variations, and tags that say nothing of its moves."""
        try:
            moves = " ".join(read_movetext(self.movetext).moves)
        except InvalidMoveError:
            moves = " ".join(self.movetext.split())  # whoever reads it says what is wrong
        # A tag whose text has a quotation mark is left out, as one that is absent: one line could not be read again.
        tags = [
            f'[{name} "{self.tags[name]}"]'
            for name in ("Variant", "GameType", "FEN")
            if '"' not in self.tags.get(name, '"')
        ]
        return " ".join([*tags, moves]) if tags else f"moves:{moves}"


def is_pgn(text: str) -> bool:
    """Whether a text begins with a tag of PGN."""
    return _TAG.match(text.lstrip()) is not None


def split_games(text: str) -> list[PgnGame]:
    """The games of a text that begins with a tag: a new one where tags stand behind moves, on a line of their own."""
    starts = [0]
    place, moved, in_comment = _end_of_tags(text, 0), False, False
    for header in re.finditer(r"^[ \t]*(?=\[)", text, re.MULTILINE):
        if header.end() < place:
            continue
        between, place = text[place : header.end()], header.end()
        moved = moved or bool(between.strip())
        in_comment = between.rfind("{") > between.rfind("}") or (in_comment and "}" not in between)
        if moved and not in_comment and _TAG.match(text, place):
            starts.append(place)
            place, moved = _end_of_tags(text, place), False
    games, lines = list[PgnGame](), 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[start:end]
        tags = _TAGS.match(part)
        assert tags is not None
        tag_values = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall(tags[0])}
        blank = len(part) - len(part.lstrip())
        games.append(PgnGame(tag_values, part[tags.end() :], lines + part.count("\n", 0, blank) + 1))
        lines += part.count("\n")
    return games


def _end_of_tags(text: str, place: int) -> int:
    tags = _TAGS.match(text, place)
    return tags.end() if tags else place


def check_variant(game: str, tags: dict[str, str]) -> None:
    """Refuses a game of other rules than those that it is read by.

    Args:
        game: name of the game by whose rules the text is read.
        tags: of the text.

    Raises:
        ValueError: the tag `Variant`, in PDN `GameType`, names other rules; the message names the right game where
            there is one.
    """
    if game == "checkers":
        kind = tags.get("GameType", CHECKERS_TYPE)
        if kind.partition(",")[0].strip() != CHECKERS_TYPE:
            raise ValueError(f"the tag GameType is {quoted(kind, 30)}, and checkers is {CHECKERS_TYPE}")
        return
    variant = tags.get("Variant", "")
    if game.partition(":")[0] not in ("chess", "giveaway"):
        return
    right = "chess" if variant.lower() in _CHESS else None
    right = next((name for name, tag in VARIANTS.items() if tag.lower() == variant.lower()), right)
    if variant and right != game and (right, game) != ("chess", "chess:fifty"):
        what = f"it is a game of {right}: read it as one" if right else "that game is not one of proofbase"
        raise ValueError(f"the tag Variant is {quoted(variant, 30)}, and this is {game}: {what}")
