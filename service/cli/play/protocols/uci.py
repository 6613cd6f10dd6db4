"""UCI, the protocol of chess boards (S. Meyer-Kahlen, "Description of the universal chess interface", 2006).

Giveaway plays by it as other giveaway engines do; a promotion to a king ends in `k`.
"""

from __future__ import annotations

from itertools import pairwise

from proofbase import __version__
from proofbase.engine.games import open_game
from proofbase.engine.rules.chessboard.notation import uci
from proofbase.service.cli.play.protocols.engine import Engine, ProtocolError

__all__ = ["Uci"]

MOVES_TO_GO = 30
"""Moves that the remaining time is shared among, where nobody says it."""


class Uci(Engine):
    """Answers `go` with `bestmove`. While it thinks it reads nothing: it keeps the time, so `stop` is not needed."""

    families = ("chess", "giveaway")

    _unknown_position: str | None = None
    """Why the position that was given last was refused: a move of an older one would be none of it."""

    def take(self, words: list[str]) -> bool:
        command, *rest = words
        if command == "quit":
            return False
        if command == "uci":
            self.say(f"id name proofbase {__version__}")
            self.say("id author the proofbase contributors")
            self.say("uciok")
        elif command == "isready":
            self.say("readyok")
        elif command == "ucinewgame":
            self._unknown_position = None
            self.begin(self.game.rules.name)
        elif command == "position":
            self._set_position(rest)
        elif command == "go":
            self._go(rest)
        # Other commands, such as `setoption` and `stop`, need no answer.
        return True

    def refuse(self, words: list[str], message: str) -> None:
        self.say(f"info string {message}")
        if words[0] == "go":
            self.say("bestmove 0000")
        elif words[0] == "position":
            self._unknown_position = message

    def _set_position(self, words: list[str]) -> None:
        kind, *rest = words or [""]
        cut = rest.index("moves") if "moves" in rest else len(rest)
        if kind not in ("startpos", "fen") or (kind == "fen") != (cut > 0):
            raise ProtocolError("position startpos|fen FEN [moves ...]")
        self.begin(self.game.rules.name, " ".join(rest[:cut]) or "-")
        for text in rest[cut + 1 :]:
            self.game.play(self.game.rules.parse_move(self.game.position, text))
        self._unknown_position = None

    def _go(self, words: list[str]) -> None:
        seconds = self._seconds_of(words)
        if self._unknown_position is not None:
            raise ProtocolError(self._unknown_position)
        move, reason = self.choose(seconds)
        self.say(f"info string {reason}")
        rules = open_game(self.game.rules.name, "python")
        text = uci(rules.parse(self.game.rules.text(self.game.position)), move)
        self.game.play(move)
        self.say(f"bestmove {text}")
        self.start_pondering()

    def _seconds_of(self, words: list[str]) -> float | None:
        numbers = dict[str, int]()
        for name, value in pairwise(words):
            if name in ("movetime", "wtime", "btime", "winc", "binc", "movestogo"):
                try:
                    numbers[name] = int(value)
                except ValueError:
                    raise ProtocolError(f"go {name}: {value} is no number of milliseconds") from None
        if "movetime" in numbers:
            return numbers["movetime"] / 1_000
        colour = "wb"[self.game.player]
        if f"{colour}time" not in numbers:
            return None
        milliseconds = numbers[f"{colour}time"] / max(1, numbers.get("movestogo", MOVES_TO_GO)) + numbers.get(
            f"{colour}inc", 0
        )
        return min(milliseconds, numbers[f"{colour}time"] / 2) / 1_000
