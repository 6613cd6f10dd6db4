"""GTP, version 2, for all other games (Gunnar Farnebäck, "Specification of the Go Text Protocol", 2002).

The first player is `black`, the second `white`. Vertices are moves as the game writes them, but columns have the
letters of GTP, which has no `i`: h8, then j8.
"""

from __future__ import annotations

import re

from proofbase import __version__
from proofbase.engine.rules.set_up import split_mark
from proofbase.service.cli.play.protocols.engine import Engine, ProtocolError

__all__ = ["Gtp"]

COLOURS = {"b": 0, "black": 0, "first": 0, "w": 1, "white": 1, "second": 1}
MOVES_TO_GO = 30
COMMANDS = (
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
)


class Gtp(Engine):
    """Answers every command with `=` and a text, or with `?` and what is wrong."""

    def take(self, words: list[str]) -> bool:
        number = words.pop(0) if words[0].isdecimal() else ""
        self._number = number
        if not words:
            raise ProtocolError("a command is missing")
        name, rest = words[0], words[1:]
        if name not in COMMANDS:
            raise ProtocolError("unknown command")
        answer = "" if name == "quit" else self._answer(name, rest)
        self.say(f"={number} {answer}".rstrip() + "\n")
        if name == "genmove":
            self.start_pondering()
        return name != "quit"

    def refuse(self, words: list[str], message: str) -> None:
        self.say(f"?{self._number} {message}\n")

    _number = ""

    def _answer(self, name: str, rest: list[str]) -> str:
        game = self.game
        if name in ("genmove", "reg_genmove"):
            self._check_turn(rest)
            if (ending := game.ending()) is not None:  # a front end that does not know the rules asks on
                return "resign" if ending.result < 0 else "pass"
            move, _ = self.choose()
            text = game.rules.move_text(game.position, move)
            if name == "genmove":
                game.play(move)
            return _vertex(text)
        if name == "play":
            if len(rest) != 2:
                raise ProtocolError("play needs a colour and a move")
            if game.ending() is None:
                self._check_turn(rest)
                game.play(game.rules.parse_move(game.position, _move_text(rest[1])))
            elif rest[1].lower() != "pass":
                raise ProtocolError("illegal move: the game is over")
        elif name == "undo":
            if not game.moves:
                raise ProtocolError("cannot undo")
            game.take_back()
        elif name == "clear_board":
            self.begin(game.rules.name)
        elif name == "boardsize":
            self._check_size(rest)
        elif name in ("time_settings", "time_left"):
            self._set_time(name, rest)
        elif name == "final_score":
            return self._score()
        return self._words(name, rest)

    def _words(self, name: str, rest: list[str]) -> str:
        if name == "showboard":
            return "\n" + self.game.rules.draw(self.game.position)
        if name == "known_command":
            return "true" if rest and rest[0] in COMMANDS else "false"
        if name == "list_commands":
            return "\n".join(COMMANDS)
        return {"name": "proofbase", "version": __version__, "protocol_version": "2"}.get(name, "")

    def _score(self) -> str:
        if (ending := self.game.ending()) is None:
            raise ProtocolError("cannot score: the game goes on")
        winner = "BW"[self.game.player if ending.result > 0 else 1 - self.game.player]
        return f"{winner}+{abs(ending.result)}" if ending.result else "0"

    def _check_turn(self, rest: list[str]) -> None:
        player = COLOURS.get(rest[0].lower()) if rest else None
        if player is None:
            raise ProtocolError("invalid color: black is the first player, white the second")
        if player != self.game.player:
            raise ProtocolError(f"it is the turn of {('black', 'white')[self.game.player]}")

    def _check_size(self, rest: list[str]) -> None:
        rows = split_mark(self.game.rules.text(self.game.position))[0].split("/")
        if not rest or not rest[0].isdecimal():
            raise ProtocolError("boardsize not an integer")
        if int(rest[0]) not in (len(rows), len(rows[0])):
            raise ProtocolError(f"unacceptable size: this is {self.game.rules.name}")

    def _set_time(self, name: str, rest: list[str]) -> None:
        try:
            if name == "time_left":
                seconds, stones = float(rest[1]), int(rest[2])
            else:
                main, extra, stones = float(rest[0]), float(rest[1]), int(rest[2])
                seconds, stones = (extra, stones) if stones and not main else (main, 0)
        except (IndexError, ValueError):
            raise ProtocolError(f"{name}: numbers are missing") from None
        if seconds:
            self.seconds = seconds / (stones or MOVES_TO_GO)


def _vertex(text: str) -> str:
    """A move as front ends write it."""
    return re.sub(r"^[i-y](?=\d+$)", lambda column: chr(ord(column[0]) + 1), text)


def _move_text(vertex: str) -> str:
    """The move that a front end has written."""
    if re.fullmatch(r"[Ii]\d+", vertex):
        raise ProtocolError("invalid vertex: no column has the letter i")
    return re.sub(r"^[j-zJ-Z](?=\d+$)", lambda column: chr(ord(column[0].lower()) - 1), vertex)
