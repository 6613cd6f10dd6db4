"""What EPD and OBF claim of their positions, compared with what is known.

EPD claims mates (`dm 4`, `bm #4`) and moves (`bm`, `am`). OBF has a value for each move (`A8:+64; B1:+62;`): the
largest is the claimed value of the position, and its moves are the best ones.
"""

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
from proofbase.service.words.amounts import amount

if TYPE_CHECKING:
    from proofbase.service.answers import PositionAnswer
    from proofbase.service.client.contract import Service

__all__ = [
    "CLAIM_COLUMNS",
    "ClaimSummary",
    "Verdict",
    "WrittenClaims",
    "ask_values",
    "claims_of",
    "print_written_claims",
    "verdict_of_all",
]

Verdict = Literal["agrees", "shorter", "open", "differs"]
CLAIM_COLUMNS = ("claim", "verdict")
"""Columns of CSV, where a file has claims."""
VERDICTS: tuple[Verdict, ...] = ("agrees", "shorter", "open", "differs")
"""From the best to the worst. `shorter`: a shorter mate than the claimed one is proved. `open`: not known so far."""
SENTENCES: dict[Verdict, str] = {
    "agrees": "agrees with what is known",
    "shorter": "a shorter mate is proved",
    "open": "open, what is known does not settle it",
    "differs": "differs from what is known",
}
_CLAIMING = {"chess": r"\b[abd]m\b", "giveaway": r"\b[abd]m\b", "othello": r"[;\s][a-hA-H][1-8]:"}
"""What a text with claims has, by families."""
ValueOfMove = Callable[[str], "Value | None"]
"""The value of a move by its text, for the side that makes it; None where nothing is known."""


@dataclass(frozen=True, slots=True)
class WrittenClaims:
    """The claims of one position.

    Attributes:
        mates: operations with the claimed moves to the end of the game; negative where the side to move loses.
        values: operations with the claimed value of the position.
        best, avoided: operations with the moves that they name, as the game writes them.
        after: of these moves, texts of the positions after them.
    """

    mates: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]
    best: tuple[tuple[str, tuple[str, ...]], ...]
    avoided: tuple[tuple[str, tuple[str, ...]], ...]
    after: dict[str, str]

    @property
    def text(self) -> str:
        """The operations in one text."""
        return "; ".join(operation for operation, _ in (*self.mates, *self.values, *self.best, *self.avoided))

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
        of_operations += [(operation, _value(claimed, value)) for operation, claimed in self.values]
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


def _value(claimed: int, value: Value) -> Verdict:
    """Whether the position is worth so much."""
    if not value.lower <= claimed <= value.upper:
        return "differs"
    return "agrees" if value.exact else "open"


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
    opposite: dict[Verdict, Verdict] = {"agrees": "differs", "differs": "agrees", "open": "open"}
    return opposite[_best(moves, value, value_of_move)]


def claims_of(game: str, text: str) -> WrittenClaims | None:
    """The claims of a text; None where it has none, or is no position of a game for which they are read."""
    family = game.partition(":")[0]
    if family not in _CLAIMING or not re.search(_CLAIMING[family], text):
        return None
    rules: Any = open_rules(game)
    try:
        read = read_text(rules, text)
    except InvalidPositionError:
        return None
    after: dict[str, str] = {}

    def moves_of(words: Sequence[str]) -> tuple[str, ...]:
        """The moves as the game writes them; one that is illegal, and so of no value, as it stands."""
        moves = list[str]()
        for word in words:
            try:
                move = read_any_move(rules, read.position, word)
            except InvalidMoveError:
                moves.append(word)
                continue
            moves.append(rules.move_text(read.position, move))
            after[moves[-1]] = rules.text(rules.play(read.position, move))
        return tuple(moves)

    if family == "othello":
        scores = [(operation.code, int(operation.operands[0])) for operation in read.operations]
        if not scores:
            return None
        most = max(score for _, score in scores)
        best = moves_of([move for move, score in scores if score == most])
        return WrittenClaims((), ((f"{most:+}", most),), ((f"best {' '.join(best)}", best),), (), after)
    mates = list[tuple[str, int]]()
    named: dict[str, list[tuple[str, tuple[str, ...]]]] = {"bm": [], "am": []}
    for operation in read.operations:
        mate = re.fullmatch("(dm|bm) ([#+]?)(-?[0-9]{1,3})", str(operation))
        if mate and (mate[1] == "dm" or mate[2]):
            mates += [(str(operation), int(mate[3]))] if int(mate[3]) else []
        elif operation.code in named and operation.operands:
            moves = moves_of([word.rstrip(",") for word in operation.operands])
            named[operation.code].append((str(operation), moves))
    if not (mates or named["bm"] or named["am"]):
        return None
    return WrittenClaims(tuple(mates), (), tuple(named["bm"]), tuple(named["am"]), after)


def ask_values(
    client: Service, game: str, claims: WrittenClaims, search: int | None = None, seconds: float | None = None
) -> ValueOfMove:
    """Values of the moves that claims name, from the service; they are asked for at the first question."""
    known: dict[str, Value | None] = {}

    def value_of(move: str) -> Value | None:
        if not known and claims.after:
            items = client.batch_lookup(game, list(claims.after.values()), search=search, search_seconds=seconds)
            for name, item in zip(claims.after, items, strict=True):
                after = item.value
                known[name] = after and Value(-after.upper, -after.lower, after.upper_known, after.lower_known)
        return known.get(move)

    return value_of


def verdict_of_all(verdicts: Sequence[tuple[str, Verdict]]) -> Verdict:
    """The worst of them."""
    return max((verdict for _, verdict in verdicts), key=VERDICTS.index)


class ClaimSummary:
    """Counts how many positions agree with what is claimed of them."""

    def __init__(self) -> None:
        self._counts: Counter[Verdict] = Counter()

    def row(self, claims: WrittenClaims, verdicts: Sequence[tuple[str, Verdict]], *, json: bool) -> dict[str, Any]:
        """Counts a position; what its row says of the claims."""
        worst = verdict_of_all(verdicts)
        self._counts[worst] += 1
        if not json:
            return {"claim": claims.text, "verdict": worst}
        return {"claims": [{"operation": operation, "verdict": verdict} for operation, verdict in verdicts]}

    @property
    def differs(self) -> bool:
        """Whether a claim is refuted."""
        return self._counts["differs"] > 0

    def say(self) -> None:
        """Says on standard error `2 positions with claims: 1 agrees, 1 differs`, if there are any."""
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
        screen.note(f"proofbase: {amount(total, 'position')} with claims: {counts}")


def print_written_claims(answer: PositionAnswer, text: str) -> None:
    """A line for each claim of the text that a position was given by."""
    claims = claims_of(answer.game, text)
    if claims is None:
        return
    values = {move.move: move.value for move in answer.moves if move.known}
    verdicts = claims.verdicts(
        answer.value,
        answer.rank,
        answer.witness,
        values.get,
        no_win_within=answer.no_win_within,
        no_loss_within=answer.no_loss_within,
    )
    label = "OBF" if claims.values else "EPD"
    for operation, verdict in verdicts:
        screen.say(f"{label}    {operation}: {SENTENCES[verdict]}")
