"""Trees of moves that are claimed to win: strategies in JSON, lines of a proof, games with variations."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError, quoted
from proofbase.engine.formats.foreign.claim import ForeignClaim, ForeignFile, refused, sampled
from proofbase.engine.formats.movetext import Movetext, read_movetext
from proofbase.engine.formats.pgn_reading import check_variant, is_pgn, split_games
from proofbase.engine.formats.position_lists import split_positions
from proofbase.engine.formats.reading import inner_name, read_any_move, read_text
from proofbase.engine.formats.sgf import read_sgf_branches
from proofbase.engine.rules import Game

__all__ = ["read_lines_of_proof", "read_pgn_trees", "read_sgf_trees", "read_strategy_json"]

P = TypeVar("P")
Moves = dict[int, "Moves"]
"""A tree: for each move what follows it, the main line first."""
PLACE_CHARACTERS = 120


class _Claims:
    """Claims of trees, each position once, with the number of moves before it."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._found: dict[str, tuple[int, ForeignClaim]] = {}
        self.passed_over = 0
        """Variations that are other moves of the winner."""

    def add(
        self, position: Any, depth: int, winner: int | None, place: str, line: int | None, plies: int | None = None
    ) -> None:
        """The claim that `winner` wins a position; None: that it is a draw."""
        text = self._game.text(position)
        known = self._found.get(text)
        if known is not None and (known[1].plies is not None or plies is None):
            return
        lower, upper = 0, 0
        if winner is not None:
            wins = self._game.side(position) == winner
            lower, upper = (1, None) if wins else (None, -1)  # type: ignore[assignment]
        self._found[text] = (depth, ForeignClaim(text, lower, upper, place[:PLACE_CHARACTERS], line, plies))

    def add_tree(self, start: Any, moves: Moves, winner: int | None, place: str, line: int) -> None:
        """The claims that `winner` wins the start of a tree, and after each move of his.

        Where he has several moves, the first is the claim: the others are what he might have done. In a drawn tree
        every position is claimed.
        """
        game = self._game
        self.add(start, 0, winner, place.rstrip(":"), line)
        branches: list[tuple[Any, Moves, int, str]] = [(start, moves, 0, place)]
        while branches:
            position, following, depth, path = branches.pop()
            is_winners = winner is not None and game.side(position) == winner
            for number, (move, below) in enumerate(following.items()):
                if is_winners and number:
                    self.passed_over += 1
                    continue
                after = game.play(position, move)
                where = f"{path} {game.move_text(position, move)}"
                if is_winners or winner is None:
                    self.add(after, depth + 1, winner, where, line)
                branches.append((after, below, depth + 1, where))

    def file(self, sample: int | None, seed: int, remarks: tuple[str, ...] = ()) -> ForeignFile:
        """All of them, from the ends to the root."""
        claims = [claim for _, claim in sorted(self._found.values(), key=lambda entry: -entry[0])]
        chosen = [claims[number] for number in sampled(len(claims), sample, seed)]
        if self.passed_over:
            what = "variation is another move" if self.passed_over == 1 else "variations are other moves"
            remarks = (*remarks, f"{self.passed_over:,} {what} of the winner: nothing is claimed there")
        return ForeignFile(self._game.name, len(chosen), chosen, remarks)


def _play(game: Game[P], position: P, word: str, place: str) -> int:
    """The move that a word stands for.

    Raises:
        InvalidPositionError: it is none; the message names the place.
    """
    if game.terminal(position) is not None:
        raise refused(place, f"the game is over before {quoted(word, 20)}")
    try:
        return read_any_move(game, position, word)
    except InvalidMoveError as error:
        raise refused(place, error) from None


# --- JSON ------------------------------------------------------------------------------------------------------------
def read_strategy_json(game: Game[P], text: str, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """A strategy of the first player: an object with moves, each with an object of the replies to it, and so on.

    In place of an object a number may stand: the first player wins within so many plies, less 1 (as in the strategy
    for go-moku of https://github.com/maximrud/rv2). It is claimed that he wins after each of his moves, and at each
    end.

    Raises:
        InvalidPositionError: it is none; the message names the line, or the moves.
    """
    try:
        tree = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise refused(f"line {error.lineno}", f"no JSON: {error.msg} in column {error.colno}") from None
    except RecursionError:
        raise refused("line 1", "the objects are nested too deeply") from None
    if not isinstance(tree, dict):
        raise refused("line 1", "the strategy is no object of moves")
    claims = _Claims(game)
    start = game.initial()
    claims.add(start, 0, 0, "the beginning", None)
    branches: list[tuple[P, dict[str, Any], tuple[str, ...]]] = [(start, tree, ())]
    while branches:
        position, below, path = branches.pop()
        for word, entry in below.items():
            if word == "count":  # the program's own sum of what is below
                continue
            moves = (*path, word)
            place = " ".join(moves)
            after = game.play(position, _play(game, position, word, place))
            plies = None
            if isinstance(entry, dict):
                branches.append((after, entry, moves))
            elif type(entry) is int and entry >= 1:
                plies = entry - 1
            else:
                raise refused(place, "neither an object of moves nor a number of plies follows")
            if plies is not None or not entry or game.side(after) != 0:
                claims.add(after, len(moves), 0, place, None, plies)
    return claims.file(sample, seed)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidPositionError(f"the move {quoted(twice, 20)} stands twice in one object")
    return members


# --- Lines of a proof ------------------------------------------------------------------------------------------------
def read_lines_of_proof(game: Game[P], text: str, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """Lines of a proof that the first player wins, one a line from the initial position; `#` starts a remark.

    This is how lines of M. Watkins's solution of losing chess are passed on, in moves of UCI. It is claimed that the
    first player wins after each of his moves.

    Raises:
        InvalidPositionError: a line cannot be played; the message names it.
    """
    claims = _Claims(game)
    start = game.initial()
    claims.add(start, 0, 0, "the beginning", None)
    known: dict[tuple[str, ...], P] = {(): start}
    for number, line in split_positions("", text):
        words = tuple(line.removeprefix("moves:").split())
        for end in range(len(words)):
            before, moves = words[:end], words[: end + 1]
            if moves in known:
                continue
            position = known[before]
            place = f"line {number}, move {end + 1}"
            after = known[moves] = game.play(position, _play(game, position, words[end], place))
            if game.side(position) == 0:
                claims.add(after, end + 1, 0, place, number)
    if len(known) == 1:
        raise refused("line 1", "the file has no lines of moves")
    return claims.file(sample, seed)


# --- PGN -------------------------------------------------------------------------------------------------------------
_PGN_RESULT = re.compile(r"(1-0|0-1|1/2-1/2|\*)\s*$")
_WINNERS: dict[str, int | None] = {"1-0": 0, "0-1": 1, "1/2-1/2": None}


def read_pgn_trees(game: Game[P], text: str, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """Games in PGN with variations. The result says who wins every position of the tree.

    Raises:
        InvalidPositionError: it is none, or has no result; the message names the line where its game begins.
    """
    if not is_pgn(text):
        raise refused("line 1", 'a game in PGN begins with a tag such as [Result "1-0"]')
    claims = _Claims(game)
    for played in split_games(text):
        where = f"line {played.line}"
        try:
            check_variant(inner_name(game.name), played.tags)
            start = read_text(game, played.start).position
            movetext = read_movetext(played.movetext)
        except (InvalidPositionError, InvalidMoveError, ValueError) as error:
            raise refused(where, error) from None
        moves: Moves = {}
        last = _add_movetext(game, start, movetext, moves, f"{where}:")
        result = _PGN_RESULT.search(played.movetext)
        outcome = played.tags.get("Result") or (result[1] if result else "*")
        claims.add_tree(start, moves, _winner(game, last, _WINNERS, outcome, where), f"{where}:", played.line)
    return claims.file(sample, seed)


def _add_movetext(game: Game[P], start: P, text: Movetext, moves: Moves, place: str) -> P:
    """Adds the moves of a text and its variations to a tree; gives the position after its main line."""
    position, path = start, place
    variations = sorted(text.variations, key=lambda entry: entry[0])
    waiting = list[tuple[P, Movetext, Moves, str]]()
    for number, word in enumerate(text.moves):
        where = f"{path} {word}"
        move = _play(game, position, word, where)
        # The move itself stands before its variations.
        below = moves.setdefault(move, {})
        waiting += [(position, variation, moves, path) for before, variation in variations if before == number]
        position, moves, path = game.play(position, move), below, where
    for begins, variation, into, where in waiting:
        _add_movetext(game, begins, variation, into, where)
    return position


def _winner(game: Game[P], last: P, results: dict[str, int | None], told: str, place: str) -> int | None:
    """The side that wins by the result, or by the end of the main line; None for a draw.

    Raises:
        InvalidPositionError: neither says it.
    """
    if told in results:
        return results[told]
    value = game.terminal(last)
    if value is None:
        raise refused(place, "nobody has won: neither the result nor the end of the main line claims anything")
    side = game.side(last)
    return None if value == 0 else side if value > 0 else 1 - side


# --- SGF -------------------------------------------------------------------------------------------------------------
def read_sgf_trees(game: Game[P], text: str, sample: int | None = None, seed: int = 0) -> ForeignFile:
    """Games in SGF with variations. The result (`RE`) says who wins every position of the tree.

    Raises:
        InvalidPositionError: it is none, or has no result.
    """
    claims = _Claims(game)
    remarks = list[str]()
    for tree in read_sgf_branches(game.name, text):
        trees: dict[str, Moves] = {}
        last: P | None = None
        place = f"line {tree.line}"
        for branch in tree.branches:
            start = position = game.parse(branch.start)
            moves = trees.setdefault(branch.start, {})
            for word in branch.moves:
                move = game.parse_move(position, word)
                moves = moves.setdefault(move, {})
                position = game.play(position, move)
            last = position if last is None else last
        remarks += tree.remarks
        assert last is not None, "a game has a main line"
        results = {"B": 0, "W": 1, "0": None, "D": None}
        winner = _winner(game, last, results, tree.result[:1].upper(), place)
        for begins, moves in trees.items():
            start = game.parse(begins)
            claims.add_tree(start, moves, winner, f"{place}:", tree.line)
    return claims.file(sample, seed, tuple(dict.fromkeys(remarks)))
