"""The conversation of `proofbase play`: what a person types, move by move, and what the program answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from proofbase.engine.errors import InvalidMoveError, quoted
from proofbase.engine.formats.notation import read_move
from proofbase.service.answers import PositionAnswer
from proofbase.service.cli import screen
from proofbase.service.cli.output.hints import hint, own_files
from proofbase.service.cli.output.position_answer import move_table, print_claims
from proofbase.service.cli.output.proof_tree import print_tree, read_tree
from proofbase.service.cli.output.wording import error_text
from proofbase.service.cli.play.adviser import Adviser
from proofbase.service.cli.play.played_game import PlayedGame
from proofbase.service.cli.play.pondering import Pondering
from proofbase.service.cli.play.wording import ending_text, knowledge_text, move_value_text
from proofbase.service.cli.plugins import plugin_options
from proofbase.service.cli.session import tables_options
from proofbase.service.errors import error_mapping
from proofbase.service.words.amounts import amount

__all__ = ["Conversation", "Seats", "read_line_of_input"]

HELP = """\
a move        as the table of `moves` writes it
undo [N]      take back your last N moves, with the answers to them
hint          the best move that is known for you
why           what the value of this position rests on
moves         every move with its value, best first; of many moves only those of known value
go            let the program make this move for you
board         show the position again
save [FILE]   write the moves into a file (.sgf: go-moku, renju; .pgn: chess; .pdn: checkers), or show them
quit          end (so do Ctrl-C and the end of the input)
A colon before a word makes it a command even where a move is written like it."""
TREE_DEPTH, TREE_NODES = 2, 40
"""The size of the proof that `why` shows."""
LISTED_MOVES = 30
"""Where there are more moves, those of unknown value are only counted."""


class Finished(Exception):
    """The person has ended the conversation."""


class Seats(NamedTuple):
    """Which players are persons, and what the players are called."""

    persons: frozenset[int]
    names: tuple[str, str]

    @classmethod
    def of(cls, side: str) -> Seats:
        """The seats for `first`, `second`, `both` or `none`."""
        persons = frozenset({"first": (0,), "second": (1,), "both": (0, 1), "none": ()}[side])
        if len(persons) != 1:
            return cls(persons, ("the first player", "the second player"))
        roles = ["the first player (the program)", "the second player (the program)"]
        for number in persons:
            roles[number] = roles[number].replace("the program", "you")
        return cls(persons, (roles[0], roles[1]))


class Conversation:
    """A game between a person and the program, until it is ended.

    Args:
        game: as it stands.
        adviser: who knows positions.
        seats: who plays which side.
        ask: gives the next line that the person typed; None at the end of the input.
        ponder: whether to search while the person thinks.
    """

    def __init__(
        self,
        game: PlayedGame,
        adviser: Adviser,
        seats: Seats,
        ask: Callable[[str], str | None],
        *,
        ponder: bool = False,
    ) -> None:
        self._pondering = Pondering(adviser) if ponder else None
        self._game = game
        self._adviser = adviser
        self._seats = seats
        self._ask = ask
        self._saved: set[Path] = set()
        self._failed = False  # the program could not make its move: it waits for `go`

    def run(self) -> None:
        """Plays until the person ends it; where the program plays both sides, until the game is over."""
        try:
            while True:
                self._show_position()
                over = self._game.ending() is not None
                if not over and self._game.player not in self._seats.persons and not self._failed:
                    self._make_program_move()
                elif over and not self._seats.persons:
                    break
                else:
                    self._converse()
        except Finished:
            screen.say()
        except KeyboardInterrupt:
            screen.say("\ninterrupted")
        self._say_goodbye()

    def _show_position(self) -> None:
        game, names = self._game, self._seats.names
        screen.say(f"\n{game.rules.draw(game.position)}", lines=True)
        ending = game.ending()
        if ending is not None:
            screen.say(ending_text(ending, game.rules, game.position, game.player, names))
            return
        screen.say(f"{names[game.player]} to move")
        if game.times() > 1:
            screen.say("this position was on the board before: the third time ends the game")
        if not self._failed:
            self._trying(self._show_knowledge)

    def _show_knowledge(self) -> None:
        answer = self._adviser.look(self._game.position)
        nodes = self._adviser.budget.nodes
        screen.say(knowledge_text(answer, self._game.rules, self._game.player, self._seats.names, nodes=nodes))

    def _make_program_move(self) -> None:
        self._failed = not self._trying(self._play_best)

    def _play_best(self) -> None:
        choice = self._adviser.choose(self._game.position, self._game.lead())
        mover = self._seats.names[self._game.player]
        screen.say(f"\n{mover} plays {choice.move.move}: {choice.reason}")
        self._game.play(choice.move.number)

    def _trying(self, action: Callable[[], None]) -> bool:
        """Whether it worked; where it did not, the message is shown, and the game stays as it is."""
        try:
            action()
        except Exception as error:
            if error_mapping(error).type is Exception and not isinstance(error, OSError):
                raise  # a mistake in the program
            screen.say(f"that failed: {error_text(error)}")
            return False
        return True

    # What the person says

    def _converse(self) -> None:
        """Takes input until the position has changed."""
        if self._failed:
            screen.say("the program could not move: `go` lets it try again")
        before = list(self._game.moves)
        while self._game.moves == before:
            if self._pondering is not None and self._game.ending() is None:
                self._pondering.start(self._game)
            try:
                line = self._ask(f"{'over' if self._game.ending() else 'your move'}> ")
            finally:
                if self._pondering is not None:
                    self._pondering.end()
            if line is None:
                raise Finished
            self._trying(partial(self._take, line.strip()))

    def _take(self, line: str) -> None:
        if not line:
            return
        if not line.startswith(":") and self._play_typed(line):
            return
        name, _, argument = line.removeprefix(":").strip().partition(" ")
        command = self._commands().get(name.lower())
        if command is None:
            screen.say(self._not_understood(line))
        else:
            command(argument.strip())

    def _play_typed(self, text: str) -> bool:
        """Makes the move that a text stands for; False if it is none."""
        game = self._game
        if game.ending() is not None:
            return False
        for written in dict.fromkeys((text, text.lower())):
            try:
                move = read_move(game.rules, game.position, written)
            except InvalidMoveError:
                continue
            if game.player not in self._seats.persons:
                screen.say("it is the program's move: `go` lets it try again, `undo` takes yours back")
                return True
            game.play(move)
            return True
        return False

    def _not_understood(self, line: str) -> str:
        game = self._game
        if game.ending() is not None:
            return f"{quoted(line, 40)} is no command, and the game is over: `undo`, `save`, `why`, `quit`, `help`"
        try:
            read_move(game.rules, game.position, line)
        except InvalidMoveError as error:
            reason = str(error)
        else:
            reason = f"{quoted(line, 40)} is no command"
        some = [game.rules.move_text(game.position, move) for move in game.rules.moves(game.position)[:10]]
        more = ", ..." if len(game.rules.moves(game.position)) > len(some) else ""
        return f"{reason}. Moves are {', '.join(some)}{more}; `help` lists the commands"

    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "undo": self._undo,
            "hint": self._hint,
            "why": self._why,
            "moves": self._moves,
            "go": self._go,
            "board": lambda _: self._show_position(),
            "save": self._save,
            "help": lambda _: screen.say(HELP, lines=True),
            "?": lambda _: screen.say(HELP, lines=True),
            "quit": self._quit,
            "exit": self._quit,
        }

    def _quit(self, _: str) -> None:
        raise Finished

    def _undo(self, argument: str) -> None:
        if not re.fullmatch("([1-9][0-9]{0,8})?", argument):
            screen.say(f"undo {quoted(argument, 20)}: a number of moves is needed, such as `undo 2`")
            return
        wanted, game = int(argument or 1), self._game
        plies_of_persons = [ply for ply in range(len(game.moves)) if game.player_at(ply) in self._seats.persons]
        if wanted > len(plies_of_persons):
            screen.say(f"there {_are(len(plies_of_persons))} of yours to take back")
            return
        while len(game.moves) > plies_of_persons[-wanted]:
            game.take_back()
        self._failed = False

    def _hint(self, _: str) -> None:
        if self._is_over():
            return
        choice = self._adviser.choose(self._game.position, self._game.lead())
        screen.say(f"{choice.move.move}: {move_value_text(choice.move, self._game.rules)} ({choice.reason})")

    def _go(self, _: str) -> None:
        if self._is_over():
            return
        self._failed = False
        self._play_best()

    def _moves(self, _: str) -> None:
        if self._is_over():
            return
        answer = self._adviser.with_all_moves(self._game.position)
        listed = answer.moves
        if len(listed) > LISTED_MOVES:
            listed = tuple(move for move in listed if move.value.anything_known)
        if listed:
            move_table(answer, listed)
        if len(listed) < len(answer.moves):
            screen.say(f"{amount(len(answer.moves) - len(listed), 'move')} of unknown value")

    def _why(self, _: str) -> None:
        answer = self._adviser.look(self._game.position)
        if answer.terminal or self._game.ending() is not None:
            screen.say("by the rules: the game is over here")
            return
        if answer.claims:
            print_claims(answer)
            proof = read_tree(
                self._adviser.client,
                answer.game,
                answer.position,
                side=None,
                max_depth=TREE_DEPTH,
                max_nodes=TREE_NODES,
            )
            print_tree(proof)
        if answer.searched is not None:
            self._explain_search(answer)
        elif not answer.claims:
            screen.say(
                "nothing is stored of this position" if not answer.known else "by the rules and the tables alone"
            )

    def _explain_search(self, answer: PositionAnswer) -> None:
        searched = answer.searched
        assert searched is not None
        nodes = amount(searched.nodes, "node")
        if not answer.known:
            screen.say(f"a search of {nodes} ({searched.algorithm}) ended without the value: nothing is claimed")
            return
        screen.say(f"a search of {nodes} ({searched.algorithm}) has proved it just now; nothing of it is stored")
        if self._adviser.client.is_temporary:
            return
        client = self._adviser.client
        command = hint(client, "solve", answer.game, self._game.where(), *own_files(client))
        screen.say(f"{command} stores a proof that can be checked")

    def _save(self, argument: str) -> None:
        game = self._game
        if not argument:
            screen.say(game.written().rstrip(), lines=True)
            return
        path = Path(argument).expanduser()
        try:
            text = game.written_as(path.suffix.lower().removeprefix("."))
        except ValueError as error:
            screen.say(str(error))
            return
        with path.open("w" if path in self._saved else "x", encoding="utf-8") as file:
            file.write(text)
        self._saved.add(path)
        screen.say(f"{amount(len(game.moves), 'move')} in {path}")

    def _is_over(self) -> bool:
        over = self._game.ending() is not None
        if over:
            screen.say("the game is over: there is no move to make")
        return over

    def _say_goodbye(self) -> None:
        """How to come back to the position."""
        if not self._game.moves or self._game.ending() is not None:
            return
        side = {frozenset({0}): "first", frozenset({1}): "second", frozenset({0, 1}): "both", frozenset[int](): "none"}
        words = ("play", self._game.rules.name, self._game.where(), "--side", side[self._seats.persons])
        command = hint(self._adviser.client, *words, *plugin_options(), *tables_options())
        screen.say(f"{command} goes on with this game")


def _are(number: int) -> str:
    return {0: "is no move", 1: "is only 1 move"}.get(number, f"are only {number} moves")


def read_line_of_input(prompt: str) -> str | None:
    """The next line of standard input, None at its end. The prompt is shown on a terminal only."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  keys for editing and repeating lines, where Python has them
        try:
            return input(prompt)
        except EOFError:
            return None
    line = sys.stdin.buffer.readline(1 << 16)
    return line.decode("utf-8", "replace") if line else None
