"""Which game an SGF is of: its kind (GM), the size of the board (SZ), and the rules (RU)."""

from __future__ import annotations

import re

from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.rules import Gomoku, ProfessionalRenju, Renju

__all__ = ["check_game", "rule_text"]

_NEUTRAL_WORDS = re.compile("gomoku|go|moku|gobang|rules?|game|of|in|a|row|without|with|swap2?|pro|long|opening")
"""Words that say nothing of what wins."""
_FREESTYLE = re.compile("freestyle|free|style|overlines?|allowed|or|more|unrestricted")
_STANDARD = re.compile("standard|exactly|exact")
_RENJU = re.compile("renju|rif|professional")
_NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6}


def rule_text(rules: Gomoku | ProfessionalRenju) -> str:
    """The rules of a game as RU has them."""
    if not isinstance(rules, Gomoku) or isinstance(rules, Renju):
        return "renju"
    rule = "standard" if rules.standard else "freestyle"
    return rule if rules.length == 5 else f"{rule}, {rules.length} in a row"


def check_game(rules: Gomoku | ProfessionalRenju, root: dict[str, list[str]]) -> None:
    """Refuses the root of an SGF of another game.

    Raises:
        InvalidPositionError: the message names the game, where proofbase has it.
    """
    kind = root.get("GM", ["4"])[0].strip()
    if kind != "4":
        raise InvalidPositionError(f"GM[{kind[:20]}] is another game: go-moku and renju are GM[4]")
    size = root.get("SZ", [""])[0].strip()
    fields = re.fullmatch("([0-9]{1,3})(?::([0-9]{1,3}))?", size)
    width, height = (int(fields[1]), int(fields[2] or fields[1])) if fields else (0, 0)
    if size and (width, height) != (rules.width, rules.height):
        message = f"SZ[{size[:20]}] is not the board of {rules.name}, {rules.width}x{rules.height}"
        raise InvalidPositionError(message + _read_as(rules, width, height))
    text = root.get("RU", [""])[0]
    words = [word for word in re.findall(r"\w+", text.lower()) if not _NEUTRAL_WORDS.fullmatch(word)]
    renju = rule_text(rules) == "renju"
    of_other_game = any(not _RENJU.fullmatch(word) for word in words) if renju else "renju" in words
    if of_other_game:
        other = "gomoku" if renju else "renju"
        raise InvalidPositionError(f"RU[{text.strip()[:30]}] is another game than {rules.name}: read it as {other}")
    if isinstance(rules, Gomoku) and not renju:
        _check_rule_words(rules, text, words)


def _read_as(rules: Gomoku | ProfessionalRenju, width: int, height: int) -> str:
    """What the same rules are called on another board."""
    if isinstance(rules, Renju):
        is_renju = 5 <= min(width, height) <= max(width, height) <= 19
        return f": read it as {Renju(width, height).name}" if is_renju else ""
    if not isinstance(rules, Gomoku) or not (5 <= max(width, height) <= 19 and min(width, height) >= 3):
        return ""
    return f": read it as {Gomoku(width, height, standard=rules.standard).name}"


def _check_rule_words(rules: Gomoku, text: str, words: list[str]) -> None:
    """Refuses the rules of another kind of go-moku: RU says what wins."""
    lengths = {
        _NUMBERS.get(word) or int(word) for word in words if word in _NUMBERS or re.fullmatch("[0-9]{1,2}", word)
    }
    kinds = [word for word in words if word not in _NUMBERS and not re.fullmatch("[0-9]{1,2}", word)]
    freestyle = [word for word in kinds if _FREESTYLE.fullmatch(word)]
    standard = [word for word in kinds if _STANDARD.fullmatch(word)]
    rule_set = f"RU[{text.strip()[:30]}]"
    if len(freestyle) + len(standard) < len(kinds) or len(lengths) > 1 or (freestyle and standard):
        raise InvalidPositionError(
            f"{rule_set} is not a rule set of proofbase, which has freestyle (gomoku), standard (gomoku:standard) and "
            "renju: take RU out to have it read by one of them"
        )
    length = lengths.pop() if lengths else 5 if kinds else rules.length
    if (kinds and bool(standard) != rules.standard) or length != rules.length:
        message = f"{rule_set} is another game than {rules.name}"
        if 3 <= length <= max(rules.width, rules.height):
            matching = Gomoku(rules.width, rules.height, length, bool(standard) if kinds else rules.standard)
            message += f": read it as {matching.name}"
        raise InvalidPositionError(message)
