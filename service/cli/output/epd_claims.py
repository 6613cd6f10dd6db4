"""What EPDs claim of their positions, compared with what is known: mates (`dm 4`, `bm #4`), and moves (`bm`, `am`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from proofbase.engine.errors import InvalidMoveError, InvalidPositionError
from proofbase.engine.formats.reading import read_any_move, read_text
from proofbase.engine.rules import open_rules
from proofbase.service.answers import Value
from proofbase.service.cli import screen

if TYPE_CHECKING:
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service

__all__ = [
    "EPD_COLUMNS",
    "ClaimedEpd",
    "EpdSummary",
    "Verdict",
    "ask_values",
    "epd_of",
    "print_epd_claims",
    "verdict_of_all",
]

Verdict = Literal["agrees", "shorter", "open", "differs"]
EPD_COLUMNS = ("epd", "verdict")
"""Columns of CSV, where a file has claims."""
VERDICTS: tuple[Verdict, ...] = ("agrees", "shorter", "open", "differs")
"""From the best to the worst. `shorter`: a shorter mate than the claimed one is proved. `open`: not known so far."""
SENTENCES: dict[Verdict, str] = {
    "agrees": "agrees with what is known",
    "shorter": "a shorter mate is proved",
    "open": "open, what is known does not settle it",
    "differs": "differs from what is known",
}
ValueOfMove = Callable[[str], "Value | None"]
"""The value of a move by its text, for the side that makes it; None where nothing is known."""


@dataclass(frozen=True, slots=True)
class ClaimedEpd:
    """The claims of one EPD.

    Attributes:
        mates: operations with the claimed moves to the end of the game; negative where the side to move loses.
        best, avoided: operations with the moves that they name, as the game writes them.
        after: of these moves, texts of the positions after them.
    """

    mates: tuple[tuple[str, int], ...]
    best: tuple[tuple[str, tuple[str, ...]], ...]
    avoided: tuple[tuple[str, tuple[str, ...]], ...]
    after: dict[str, str]

    @property
    def text(self) -> str:
        """The operations in one text."""
        return "; ".join(operation for operation, _ in (*self.mates, *self.best, *self.avoided))

    def verdicts(
        self,
        value: Value,
        rank: int | None,
        best_move: str | None,
        value_of_move: ValueOfMove,
        *,
        no_win_within: int = 0,
        no_loss_within: int = 0,
    ) -> list[tuple[str, Verdict]]:
        """Each operation with what is known of it.

        Args:
            value: of the position.
            rank: plies within which it is realised; None where nobody knows.
            best_move: that guarantees the lower limit of the value.
            value_of_move: asked for the moves that the operations name.
            no_win_within, no_loss_within: within so many plies the side to move is proved not to win, not to lose.
        """
        of_operations = [
            (operation, _mate(moves, value, rank, no_win_within if moves > 0 else no_loss_within))
            for operation, moves in self.mates
        ]
        for operation, moves in self.best:
            known = best_move in moves and value.exact
            of_operations.append((operation, "agrees" if known else _best(moves, value, value_of_move)))
        for operation, moves in self.avoided:
            of_operations.append((operation, _avoided(moves, value, value_of_move)))
        return of_operations


def _mate(claimed: int, value: Value, rank: int | None, none_within: int) -> Verdict:
    """Whether the side to move mates in so many moves, or is mated where the number is negative.

    Within `none_within` plies that is proved not to be so.
    """
    won = claimed > 0
    if none_within >= 2 * abs(claimed) - int(won) or ((value.upper < 1) if won else (value.lower > -1)):
        return "differs"
    if not rank or ((value.lower < 1) if won else (value.upper > -1)):
        return "open"
    moves = (rank + 1) // 2
    return "agrees" if moves == abs(claimed) else "shorter" if moves < abs(claimed) else "open"


def _best(moves: Sequence[str], value: Value, value_of_move: ValueOfMove) -> Verdict:
    """Whether one of the moves is worth what the position is worth."""
    if not value.exact:
        return "open"
    values = [value_of_move(move) for move in moves]
    if any(of_move is not None and of_move.lower >= value.lower for of_move in values):
        return "agrees"
    return "differs" if all(of_move is not None and of_move.upper < value.lower for of_move in values) else "open"


def _avoided(moves: Sequence[str], value: Value, value_of_move: ValueOfMove) -> Verdict:
    """Whether all of the moves are worth less than the position."""
    if not value.exact:
        return "open"
    values = [value_of_move(move) for move in moves]
    if any(of_move is not None and of_move.lower >= value.lower for of_move in values):
        return "differs"
    return "agrees" if all(of_move is not None and of_move.upper < value.lower for of_move in values) else "open"


def epd_of(game: str, text: str) -> ClaimedEpd | None:
    """The claims of a text; None where it has none, or is no EPD of a game of chess."""
    if not re.search(r"\b[abd]m\b", text) or game.partition(":")[0] not in ("chess", "giveaway"):
        return None
    rules: Any = open_rules(game)
    try:
        read = read_text(rules, text)
    except InvalidPositionError:
        return None
    mates = list[tuple[str, int]]()
    named: dict[str, list[tuple[str, tuple[str, ...]]]] = {"bm": [], "am": []}
    after: dict[str, str] = {}
    for operation in read.operations:
        mate = re.fullmatch("(dm|bm) ([#+]?)(-?[0-9]{1,3})", str(operation))
        if mate and (mate[1] == "dm" or mate[2]):
            mates += [(str(operation), int(mate[3]))] if int(mate[3]) else []
        elif operation.code in named and operation.operands:
            moves = list[str]()
            for word in operation.operands:
                try:
                    move = read_any_move(rules, read.position, word.rstrip(","))
                except InvalidMoveError:
                    moves.append(word)  # of no value: what names it differs or stays open
                    continue
                moves.append(rules.move_text(read.position, move))
                after[moves[-1]] = rules.text(rules.play(read.position, move))
            named[operation.code].append((str(operation), tuple(moves)))
    if not (mates or named["bm"] or named["am"]):
        return None
    return ClaimedEpd(tuple(mates), tuple(named["bm"]), tuple(named["am"]), after)


def ask_values(
    client: Service, game: str, epd: ClaimedEpd, search: int | None = None, seconds: float | None = None
) -> ValueOfMove:
    """Values of the moves that an EPD names, from the service; they are asked for at the first question."""
    known: dict[str, Value | None] = {}

    def value_of(move: str) -> Value | None:
        if not known and epd.after:
            items = client.batch_lookup(game, list(epd.after.values()), search=search, search_seconds=seconds)
            for name, item in zip(epd.after, items, strict=True):
                after = item.value
                known[name] = after and Value(-after.upper, -after.lower, after.upper_known, after.lower_known)
        return known.get(move)

    return value_of


def verdict_of_all(verdicts: Sequence[tuple[str, Verdict]]) -> Verdict:
    """The worst of them."""
    return max((verdict for _, verdict in verdicts), key=VERDICTS.index)


class EpdSummary:
    """Counts how many positions agree with what their EPDs claim."""

    def __init__(self) -> None:
        self._counts: Counter[Verdict] = Counter()

    def row(self, epd: ClaimedEpd, verdicts: Sequence[tuple[str, Verdict]], *, json: bool) -> dict[str, Any]:
        """Counts a position; what its row says of the claims."""
        worst = verdict_of_all(verdicts)
        self._counts[worst] += 1
        if not json:
            return {"epd": epd.text, "verdict": worst}
        return {"epd": [{"operation": operation, "verdict": verdict} for operation, verdict in verdicts]}

    @property
    def differs(self) -> bool:
        """Whether a claim is refuted."""
        return self._counts["differs"] > 0

    def say(self) -> None:
        """Says on standard error `2 positions claim something in EPD: 1 agrees, 1 differs`, if any do."""
        total = self._counts.total()
        if not total:
            return
        words = {
            "agrees": "agrees" if self._counts["agrees"] == 1 else "agree",
            "shorter": "has a shorter mate" if self._counts["shorter"] == 1 else "have shorter mates",
            "open": "is open" if self._counts["open"] == 1 else "are open",
            "differs": "differs" if self._counts["differs"] == 1 else "differ",
        }
        counts = ", ".join(f"{self._counts[name]:,} {words[name]}" for name in VERDICTS if self._counts[name])
        claim = "position claims" if total == 1 else "positions claim"
        screen.note(f"proofbase: {total:,} {claim} something in EPD: {counts}")


def print_epd_claims(answer: PositionAnswer, text: str) -> None:
    """A line for each claim of the EPD that a position was given by."""
    epd = epd_of(answer.game, text)
    if epd is None:
        return
    values = {move.move: move.value for move in answer.moves if move.known}
    verdicts = epd.verdicts(
        answer.value,
        answer.rank,
        answer.witness,
        values.get,
        no_win_within=answer.no_win_within,
        no_loss_within=answer.no_loss_within,
    )
    for operation, verdict in verdicts:
        screen.say(f"EPD    {operation}: {SENTENCES[verdict]}")
