"""Questions of games of lines that a pairing answers without a search (docs/strategies.md)."""

from __future__ import annotations

from proofbase.service.answers import Value
from proofbase.service.jobs.solve.context import SolveContext
from proofbase.service.resources.native import new_record_table

__all__ = ["store_pairings"]

LEAST_MOVES = 13
"""Moves of a position in which pairings are looked for. Fewer are searched in no time, and what is stored answers
lookups after each move as well."""


def store_pairings(context: SolveContext, value: Value) -> int:
    """Stores claims by a pairing that answer open questions of a solve whose algorithm nobody has chosen.

    Args:
        context: the solve.
        value: what is known of the position's value.

    Returns:
        How many records were added or improved.
    """
    game, spec, changed = context.game, context.spec, 0
    if spec.algorithm != "auto" or value.exact or len(game.moves(context.position)) < LEAST_MOVES:
        return 0
    table, key = new_record_table(game), game.key(context.position)
    for at_least in (1, 0) if spec.at_least is None else (spec.at_least,):
        record = table.by_pairing(key, at_least) if value.lower < at_least <= value.upper else None
        if record is not None:
            claim = new_record_table(game)
            claim.put(key, record)
            checked = context.resources.writer.check(game, claim)
            source = f"solve pairing at_least={at_least}{context.control.job.origin}"
            stored = context.resources.writer.put([checked], source=source)
            changed += stored.added + stored.improved
    return changed
