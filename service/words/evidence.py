"""What a claim rests on, in words."""

from __future__ import annotations

from proofbase.service.answers import Claim, Pairing, Strategy, Threats

__all__ = ["evidence_text", "pairing_words", "strategy_words"]

MOST_NAMED = 12
"""Replies that are told by name."""


def evidence_text(claim: Claim) -> str:
    """The evidence of a claim, as lookups and trees show it."""
    if claim.table:
        return f"table {claim.table}"
    if claim.strategy is not None:
        return _strategy_text(claim.strategy)
    if claim.pairing is not None:
        return f"pairing {claim.pairing.diagram}: {pairing_words(claim.pairing)}"
    return claim.evidence.replace("_", " ") if claim.threats is None else _threats_text(claim.threats)


def strategy_words(strategy: Strategy) -> str:
    """What a strategy does, in words, such as: answers above each stone of the other side.

    Only for games in which the signs of the diagram's rows are the columns of the board.
    """
    rows = strategy.diagram.split("/")
    squares: dict[str, list[str]] = {sign: [] for sign in "!&^"}
    for column, signs in enumerate(zip(*reversed(rows), strict=True), 1):
        for row, sign in enumerate(signs, 1):
            if sign in squares:
                squares[sign].append(f"{column}-{row}")
    parts = []
    if squares["!"]:
        parts.append(f"plays {_listed(squares['!'])} as soon as it can")
    if squares["&"]:
        several = len(squares["&"]) > 1
        parts.append(f"{'plays the last open one of' if several else 'then'} {_listed(squares['&'])}")
    if squares["^"]:
        above = all(int(square.split("-")[1]) % 2 == 0 for square in squares["^"])
        parts.append("answers above the other side's stones" if above else f"answers on {_listed(squares['^'])}")
    return ", ".join(parts) or "plays where the diagram puts it first"


def pairing_words(pairing: Pairing) -> str:
    """How a pairing keeps the other side from winning, in words that follow the name of its side or "it"."""
    if not pairing.pairs:
        return "has a stone on every line of the other side"
    return f"takes one square of a pair when the other side takes the other: {_listed(list(pairing.pairs))}"


def _listed(squares: list[str]) -> str:
    return " ".join(squares[:MOST_NAMED]) + (
        f" and {len(squares) - MOST_NAMED} more" if len(squares) > MOST_NAMED else ""
    )


def _strategy_text(strategy: Strategy) -> str:
    text = f"strategy {strategy.diagram}: {strategy_words(strategy)}"
    return f"{text}; replies with records: {' '.join(strategy.named)}" if strategy.named else text


def _threats_text(threats: Threats) -> str:
    parts = [f"{_count(threats.trees, 'threat tree')} of {_count(threats.nodes, 'node')}"]
    if threats.against_pass:
        parts.append("one against a pass")
    if threats.first_moves:
        parts.append(f"first threats {' '.join(threats.first_moves)}")
    if threats.named:
        more = len(threats.named) - MOST_NAMED
        names = " ".join(threats.named[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        parts.append(f"replies with records: {names}")
    return "; ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
