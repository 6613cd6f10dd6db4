"""Stored claims as answers: what they say, in the orientation of the position that was asked for."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from proofbase.engine.records import Mark
from proofbase.engine.rules import Game, open_rules
from proofbase.engine.tables import TableValue, ValueTables
from proofbase.service.answers import Claim, EvidenceName, Pairing, Strategy, Threats
from proofbase.service.positions import oriented_move
from proofbase.service.positions.probe import Probe, has_no_plies, is_above_tables, move_name, probe_position
from proofbase.storage import Claim as StoredClaim
from proofbase.storage import Evidence, Record, Side, table_payload

__all__ = ["claim_answer", "claim_answers", "record_by_table"]


def claim_answers(game: Game[Any], position: Any, probe: Probe, tables: ValueTables | None = None) -> tuple[Claim, ...]:
    """The claims that a value rests on: those of the table that it is from, or else those of the record.

    `tables` are those of the game.
    """
    if probe.table is not None:
        value, witness = probe.value.lower, probe.witness
        named = None if witness is None else move_name(game, position, witness)
        return (
            Claim("lower", value, probe.table_plies, "table", witness=named, table=probe.table),
            Claim("upper", value, probe.table_plies, "table", table=probe.table),
        )
    if probe.record is None:
        return ()
    return tuple(claim_answer(game, position, probe.key, claim, tables) for claim in probe.record.claims)


def record_by_table(game: Game[Any], key: bytes, data: bytes | None, tables: ValueTables | None) -> Record | None:
    """The record that a table supports of a position; None where a record gives its value, or no table has it.

    Its claims have the ranks of the fact model: the plies to the end where the position's own table holds them and a
    side wins, else 0. Plies of a table beside one of values are none.

    Args:
        game: the game.
        key: of the position.
        data: the stored record.
        tables: the tables of the game.
    """
    position = game.position(key)
    if probe_position(game, position, data).value.exact:
        return None
    probe = probe_position(game, position, data, tables)
    if tables is None or probe.table is None:
        return None
    entry, payload = TableValue(probe.value.lower, tables.own_plies(position)), table_payload(probe.table)
    upper, lower = (entry.rank(side, entry.value) for side in (Side.UPPER, Side.LOWER))
    claims = [StoredClaim(Side.UPPER, entry.value, upper, Evidence.TABLE, payload=payload)]
    if probe.witness is not None:
        claims.append(StoredClaim(Side.LOWER, entry.value, lower, Evidence.TABLE, probe.witness, payload))
    return Record.of(claims)


def claim_answer(
    game: Game[Any], position: Any, key: bytes, claim: StoredClaim, tables: ValueTables | None = None
) -> Claim:
    """One stored claim as an answer. A table of values has no distances: a claim by it has no rank in answers.

    `tables` are those of the game: ranks above tables of values count the plies to such a table.
    """
    witness = None if claim.witness is None else oriented_move(game, position, key, claim.witness)
    return Claim(
        side="lower" if claim.side == Side.LOWER else "upper",
        bound=claim.bound,
        rank=None if has_no_plies(claim) else claim.rank,
        evidence=_EVIDENCE[claim.evidence],
        witness=None if witness is None else move_name(game, position, witness),
        table=claim.table,
        line=claim.line or (),
        search_nodes=claim.nodes or 0,
        threats=_threats_answer(game, position, key, claim),
        strategy=_strategy_answer(game, position, key, claim),
        pairing=_pairing_answer(game, position, key, claim),
        sources=() if claim.source is None else (claim.source,),
        above_tables=is_above_tables(game, position, claim, witness, tables),
    )


def _threats_answer(game: Game[Any], position: Any, key: bytes, claim: StoredClaim) -> Threats | None:
    """The trees of a claim, in short. In games of threats a square is the same move for both sides."""
    threats = claim.threats
    if threats is None:
        return None
    passed = [] if threats.passed is None else [threats.passed]
    trees = [*passed, *(tree for _, tree in threats.trees)]
    starts = dict.fromkeys(tree.move for tree in trees if tree.move is not None)
    name = _name_of_moves(game, position, key)
    return Threats(
        trees=len(trees),
        against_pass=claim.side == Side.UPPER and bool(passed),
        nodes=threats.nodes,
        named=tuple(map(name, threats.named)),
        first_moves=tuple(map(name, list(starts)[:_FIRST_MOVES])),
    )


def _strategy_answer(game: Game[Any], position: Any, key: bytes, claim: StoredClaim) -> Strategy | None:
    """The diagram of a claim, on the board of the position."""
    strategy = claim.strategy
    if strategy is None:
        return None
    python = open_rules(game.name)
    rules, text = python.square_rules(), game.text(position)
    diagram = ""
    if rules is not None:
        turned = rules.oriented(python.parse(text), python.parse(game.text(game.position(key))))
        marks = {square: Mark.ANSWER if rules.answers >> square & 1 else Mark.MIDDLE for square in range(len(turned))}
        marks.update(strategy.marks)
        signs = {
            rules.place(turned[square]): _SIGNS[mark] for square, mark in marks.items() if rules.board >> square & 1
        }
        diagram = "".join(signs.get(place, sign) if sign == "." else sign for place, sign in enumerate(text))
    return Strategy(diagram, tuple(map(_name_of_moves(game, position, key), strategy.named)))


def _pairing_answer(game: Game[Any], position: Any, key: bytes, claim: StoredClaim) -> Pairing | None:
    """The pairs of a claim, on the board of the position."""
    pairing = claim.pairing
    if pairing is None:
        return None
    python, text = open_rules(game.name), game.text(position)
    rules = python.line_rules()
    if rules is None:
        return Pairing(text)
    turned = rules.oriented(python.parse(text), python.parse(game.text(game.position(key))))
    signs = {} if claim.witness is None else {rules.place(turned[claim.witness]): "!"}
    names = []
    for number, pair in enumerate(pairing):
        squares = sorted(turned[square] for square in pair if square < len(turned))
        signs |= {rules.place(square): _PAIRS[number] if number < len(_PAIRS) else "*" for square in squares}
        names.append("-".join(move_name(game, position, square) for square in squares))
    diagram = "".join(signs.get(place, sign) for place, sign in enumerate(text))
    return Pairing(diagram, tuple(names))


_PAIRS = [letter for letter in string.ascii_letters if letter not in "xoXO"]
_SIGNS = dict(zip(Mark, "!&^+=-", strict=True))


def _name_of_moves(game: Game[Any], position: Any, key: bytes) -> Callable[[int], str]:
    """Gives names, in the position that was asked for, to moves of the canonical position."""
    # Equal boards have equal moves; otherwise a move is found by the key of the position after it.
    moved: dict[bytes, int] = {}
    canonical = game.position(key)
    if canonical != position:
        moved = {game.key(game.play(position, move)): move for move in game.moves(position)}

    def name(move: int) -> str:
        legal = move in game.moves(canonical)
        return move_name(game, position, moved.get(game.key(game.play(canonical, move)), move) if legal else move)

    return name


_FIRST_MOVES = 8
"""So many are told: one for each of a hundred replies would be too much to read."""

_EVIDENCE: dict[Evidence, EvidenceName] = {
    Evidence.CHILDREN: "children",
    Evidence.TABLE: "table",
    Evidence.LINE: "line",
    Evidence.SEARCH: "search",
    Evidence.THREATS: "threats",
    Evidence.STRATEGY: "strategy",
    Evidence.SEARCH_TO_LIMITS: "search_to_limits",
    Evidence.PAIRING: "pairing",
}
