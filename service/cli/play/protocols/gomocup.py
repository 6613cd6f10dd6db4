"""The protocol of Gomocup, for go-moku (https://plastovicka.github.io/protocl2en.htm): squares are x,y from 0."""

from __future__ import annotations

from collections.abc import Sequence

from proofbase import __version__
from proofbase.service.cli.play.protocols.engine import Engine, ProtocolError

__all__ = ["Gomocup"]

FULL_SHARE = 0.8
"""The part of the time for a turn that is used."""
TURNS_TO_GO = 20
"""Turns that the remaining time of a match is shared among."""
VARIANTS = ("standard", "professional")
RULES = {0: ("gomoku",), 1: ("gomoku", "standard"), 4: ("renju",)}
"""The family and the variants of the numbers of `INFO rule`."""
CONTINUOUS = 2
"""Added to such a number where one game follows the other, which changes no rule."""


class Gomocup(Engine):
    """Answers BEGIN, TURN and BOARD with a square."""

    families = ("gomoku", "renju")

    _turn_ms: int | None = None
    _left_ms: int | None = None

    def take(self, words: list[str]) -> bool:
        command, rest = words[0].upper(), words[1:]
        if command == "END":
            return False
        if command == "START":
            self._start(rest)
        elif command == "RECTSTART":
            width, height = self._square(rest)
            self._start_board(width, height)
        elif command == "RESTART":
            self.begin(self.game.rules.name)
            self.say("OK")
        elif command == "BEGIN":
            self._move()
        elif command == "TURN":
            self._play(*self._square(rest))
            self._move()
        elif command == "BOARD":
            self._board()
        elif command == "TAKEBACK":
            self._take_back(*self._square(rest))
        elif command == "INFO":
            self._info(rest)
        elif command == "ABOUT":
            self.say(f'name="proofbase", version="{__version__}"')
        else:
            self.say(f"UNKNOWN {words[0]}")
        return True

    def refuse(self, words: list[str], message: str) -> None:
        self.say(f"ERROR {message}")

    def _start(self, words: list[str]) -> None:
        if len(words) != 1 or not words[0].isdecimal():
            raise ProtocolError("START needs the size of the board")
        self._start_board(int(words[0]), int(words[0]))

    def _start_board(self, width: int, height: int) -> None:
        family, _, parameters = self.game.rules.name.partition(":")
        self.begin(_name(family, [rule for rule in VARIANTS if rule in parameters], width, height))
        self.say("OK")

    def _set_rule(self, rule: int) -> None:
        """The rule of the games that begin from now on; it is told before the first move."""
        if rule & ~CONTINUOUS not in RULES:
            raise ProtocolError(f"rule {rule} is not played here: 0 is five or more, 1 exactly five, 4 renju")
        family, *variants = RULES[rule & ~CONTINUOUS]
        if "professional" in self.game.rules.name and family == "gomoku":
            variants.append("professional")
        width = self.game.rules.text(self.game.position).index("/")
        name = _name(family, variants, width, self._height())
        if name != self.game.rules.name:
            if self.game.moves:
                raise ProtocolError("the rule comes before the first move")
            self.begin(name)

    def _move(self) -> None:
        move, reason = self.choose(self._seconds_of_turn())
        text = self.game.rules.move_text(self.game.position, move)
        self.game.play(move)
        self.say(f"MESSAGE {reason}")
        self.say(f"{ord(text[0]) - ord('a')},{self._height() - int(text[1:])}")
        self.start_pondering()

    def _play(self, column: int, row: int) -> None:
        text = f"{chr(ord('a') + column)}{self._height() - row}"
        self.game.play(self.game.rules.parse_move(self.game.position, text))

    def _board(self) -> None:
        """The lines up to DONE: `x,y,1` for our stones, `x,y,2` for those of the other side."""
        mine, theirs = list[tuple[int, int]](), list[tuple[int, int]]()
        while (line := self._read()) is not None and line.strip().upper() != "DONE":
            try:
                column, row, whose = map(int, line.split(","))
            except ValueError:
                raise ProtocolError(f"BOARD: {line.strip()} is not x,y,field") from None
            {1: mine, 2: theirs}.get(whose, []).append((column, row))
        name = self.game.rules.name
        if len(mine) not in (len(theirs), len(theirs) - 1):
            raise ProtocolError(f"BOARD: {len(mine)} stones of mine and {len(theirs)} of theirs: it is not my turn")
        self.begin(name)
        first, second = (mine, theirs) if len(mine) == len(theirs) else (theirs, mine)
        for number in range(len(first) + len(second)):
            self._play(*(first, second)[number % 2][number // 2])
        self._move()

    def _take_back(self, column: int, row: int) -> None:
        text = f"{chr(ord('a') + column)}{self._height() - row}"
        if not self.game.moves or self.game.move_texts()[-1] != text:
            raise ProtocolError(f"the last move was not {column},{row}")
        self.game.take_back()
        self.say("OK")

    def _info(self, words: list[str]) -> None:
        name, value = (words[0].lower(), words[1]) if len(words) == 2 else ("", "")
        if name == "rule" and value.isdecimal():
            self._set_rule(int(value))
        elif name in ("timeout_turn", "time_left") and value.lstrip("-").isdecimal():
            if name == "timeout_turn":
                self._turn_ms = int(value)
            else:
                self._left_ms = int(value)

    def _seconds_of_turn(self) -> float | None:
        times = list[float]()
        if self._turn_ms is not None:
            times.append(self._turn_ms)
        if self._left_ms is not None:
            times.append(self._left_ms / TURNS_TO_GO)
        return FULL_SHARE * min(times) / 1_000 if times else None

    def _square(self, words: list[str]) -> tuple[int, int]:
        parts = ",".join(words).split(",")
        if len(parts) != 2 or not all(part.isdecimal() for part in parts):
            raise ProtocolError(f"{' '.join(words) or 'nothing'} is not x,y")
        return int(parts[0]), int(parts[1])

    def _height(self) -> int:
        return self.game.rules.text(self.game.position).count("/") + 1


def _name(family: str, variants: Sequence[str], width: int, height: int) -> str:
    size = f"{width}x{height}" if (width, height) != (15, 15) else ""
    parameters = ",".join(part for part in (size, *variants) if part)
    return f"{family}:{parameters}" if parameters else family
