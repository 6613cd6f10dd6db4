"""Answers for agents. Each says *proved* or *unknown*, and is never a guess."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from proofbase.engine.checking.checker import XZ
from proofbase.engine.checking.parallel_check import check_with_processes
from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.engine.rules import is_built_in
from proofbase.engine.rules.guarded import GuardedGame
from proofbase.service.answers import MoveAnswer, PositionAnswer, Value
from proofbase.service.client.contract import Service
from proofbase.service.errors import RoleLackingError
from proofbase.service.jobs.budget import Budget
from proofbase.service.scores.regrets import regrets
from proofbase.service.words.evidence import evidence_text
from proofbase.service.words.game_words import GameWords
from proofbase.storage import StoreReadOnlyError

__all__ = ["Oracle"]

Answer = dict[str, Any]
MOST_SECONDS = 600.0
MOST_CHECKED_BYTES = 8 << 20
"""Of a certificate: the rules in Python check so much in about two minutes."""
MOST_SHOWN = 200


class Oracle:
    """The questions that agents ask. A position is a text in any form of the game; none is the initial position.

    Args:
        client: of a store, a package or a server.
        tables: of values, which certificates may rest on.
    """

    def __init__(self, client: Service, tables: Path | None = None) -> None:
        self._client = client
        self._tables = tables

    def questions(self) -> list[Callable[..., Answer]]:
        """The tools. Their docstrings are what an agent reads of them."""
        return [self.lookup, self.solve, self.why, self.regret, self.check]

    def lookup(self, game: str, position: str = "-") -> Answer:
        """What is proved of a position and of its moves, best first. Nothing is searched.

        `status` is `proved` where the exact value is known, else `unknown`; `at_least` and `at_most` are proved bounds.
        Values are for the side to move: 1 win, 0 draw, -1 loss, or a difference of points.
        """
        return _known(self._client.lookup(game, position, distances=True))

    def solve(self, game: str, position: str = "-", seconds: float = 10.0, nodes: int | None = None) -> Answer:
        """Searches for the exact value of a position within a budget. A search that ends too early leaves it `unknown`.

        The proof is `stored` where the store can be written, so that `why` and `check` have it.
        """
        budget = Budget(nodes=nodes, seconds=min(seconds, MOST_SECONDS))
        try:
            self._client.wait(self._client.start_solve(game, position, budget=budget).id)
        except (StoreReadOnlyError, RoleLackingError):
            limits = self._client.limits()
            most, longest = min(nodes or limits.search_nodes, limits.search_nodes), min(seconds, limits.search_seconds)
            answer = self._client.lookup(game, position, distances=True, search=most, search_seconds=longest)
        else:
            answer = self._client.lookup(game, position, distances=True)
        return _known(answer) | {"stored": answer.stored}

    def why(self, game: str, position: str = "-", depth: int = 2) -> Answer:
        """The stored proof of a position's value: each claim with the claims after its moves that it rests on.

        A node names its parent. `lower` is "at least", `upper` "at most", for the side to move at that node.
        """
        answer = self._client.lookup(game, position)
        if not answer.claims:
            return _known(answer) | {"proof": []}
        proof = self._client.proof(game, position, max_depth=max(1, depth), max_nodes=MOST_SHOWN)
        nodes = [
            {
                "node": node.number,
                "parent": None if node.number == node.parent else node.parent,
                "move": node.move,
                "position": node.position,
                "claim": f"{node.claim.side} {node.claim.bound}",
                "by": node.claim.witness,
                "because": evidence_text(node.claim) if node.kind in ("inner", "leaf") else node.kind,
            }
            for node in proof.nodes
        ]
        return _known(answer) | {"proof": nodes, "cut": None if proof.cut is None else proof.cut.message}

    def regret(self, game: str, position: str, move: str) -> Answer:
        """What a move gives away: the value of the position less that of the move. 0 is a best move."""
        [given_away] = regrets(self._client, game, [position], [move], numbered=False)
        return {"status": "unknown" if given_away is None else "proved", "move": move, "regret": given_away}

    def check(self, game: str, position: str = "-") -> Answer:
        """Checks the stored proof of a position here, by the rules alone, without our search and storage code."""
        rules, data = open_game(game, "python"), bytearray()
        with self._client.export(game, position, form="certificate") as chunks:
            for chunk in chunks:
                data += chunk
                if len(data) > MOST_CHECKED_BYTES:
                    reason = f"the proof has more than {MOST_CHECKED_BYTES >> 20} MiB: `proofbase check` takes it"
                    return {"status": "unknown", "checked": False, "reason": reason}
        if data.startswith(XZ):
            return {"status": "unknown", "checked": False, "reason": "the proof that was sent is compressed by xz"}
        own = None if is_built_in(rules.name) else GuardedGame(rules)
        result = check_with_processes(bytes(data), own, self._tables)
        lower, upper = result.header.get("lower"), result.header.get("upper")
        question = rules.name, rules.key(read_position(rules, position)).hex()
        if result.valid and (result.header["game"], result.header["root_key"]) != question:
            reason = f"the proof that was sent is of another position: {result.header['game']} {result.header['root']}"
            return {"status": "unknown", "checked": True, "valid": False, "reason": reason}
        return {
            "status": "proved" if result.valid and lower is not None and lower == upper else "unknown",
            "checked": True,
            "valid": result.valid,
            "at_least": lower if result.valid else None,
            "at_most": upper if result.valid else None,
            "records": result.records,
            "findings": [": ".join(part for part in finding if part) for finding in result.findings[:20]],
        }


def _known(answer: PositionAnswer) -> Answer:
    words = GameWords.of(answer.game)
    known = [move for move in answer.moves if move.value.anything_known]
    return {
        **_value(answer.value),
        "words": words.of_position(answer),
        "game": answer.game,
        "position": answer.position,
        "to_move": words.side(answer.side),
        "game_over": answer.terminal,
        "best_move": answer.witness if answer.known else None,
        "moves": [_move(words, move) for move in known[:MOST_SHOWN]],
        "moves_unknown": [move.move for move in answer.moves if not move.value.anything_known][:MOST_SHOWN],
    }


def _move(words: GameWords, move: MoveAnswer) -> Answer:
    return {"move": move.move, **_value(move.value), "words": words.of_move(move)}


def _value(value: Value) -> Answer:
    return {
        "status": "proved" if value.exact else "unknown",
        "value": value.lower if value.exact else None,
        "at_least": value.lower if value.exact or value.lower_known else None,
        "at_most": value.upper if value.exact or value.upper_known else None,
    }
