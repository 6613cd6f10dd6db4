"""Certificates as theorems: data for Coq and the statement that it proves (docs/formal.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from proofbase.engine.checking.certificate import CertificateReader
from proofbase.engine.errors import InvalidParametersError
from proofbase.engine.games import open_game
from proofbase.engine.records import Claim, Evidence, Side, ThreatNode, decode_record

__all__ = ["coq_theorem"]

RECORDS_OF_A_LIST = 500
"""Coq reads no list of any length."""
EVIDENCE = (
    Evidence.CHILDREN,
    Evidence.LINE,
    Evidence.SEARCH,
    Evidence.SEARCH_TO_LIMITS,
    Evidence.THREATS,
    Evidence.STRATEGY,
)
"""The kinds that engine/formal has."""


def coq_theorem(certificate: IO[bytes]) -> Iterator[str]:
    """Parts of a file for Coq that proves what a certificate claims of its root.

    Args:
        certificate: the open file.

    Raises:
        InvalidParametersError: the game or the evidence of a claim is not in engine/formal, or the root has no claims.
        MalformedCertificateError: the file is no certificate.
    """
    reader = CertificateReader(certificate)
    header = reader.header
    game = open_game(header.game, "python")
    ruleset, position_of, start, rules, before = _in_coq(header.game)
    yield f"(* {header.game}, {header.root}: written by proofbase export --format coq *)\n"
    yield f"From Proofbase Require Import Data.\nOpen Scope N_scope.\n{before}"
    lists = 0
    for index, (key, record) in enumerate(reader):
        if index % RECORDS_OF_A_LIST == 0:
            yield f"{'].' if lists else ''}\nDefinition part_{lists} : list N := [\n"
            lists += 1
        else:
            yield ";\n"
        claims = decode_record(record).claims
        yield "; ".join(map(str, [int.from_bytes(key, "big"), len(claims), *(n for c in claims for n in _numbers(c))]))
    appended = "".join(f"part_{number} ++ (" for number in range(lists))
    yield f"{'].' if lists else ''}\nDefinition numbers : list N := {appended}[]{')' * lists}.\n"
    initial = header.root == game.text(game.initial())
    root = start if initial else f"({position_of} {int(header.root_key, 16)})"
    lower, upper = header.lower, header.upper
    if lower is None and upper is None:
        raise InvalidParametersError("the certificate says nothing of its root")
    other = ""
    if lower is not None and lower == upper:
        lemma, says = "proved_value", f"has_value {rules} {root} ({lower})%Z"
    elif lower is not None:
        lemma, says, other = "proved_at_least", f"at_least {rules} {root} ({lower})%Z", f" ({_bound(upper)})"
    else:
        lemma, says, other = "proved_at_most", f"at_most {rules} {root} ({upper})%Z", f" ({_bound(lower)})"
    name = _theorem_name(header.game, lower, upper) if initial else f"{_plain(header.game)}_bounds"
    yield (
        f"\nTheorem {name} : {says}.\nProof.\n  eapply ({lemma} {ruleset} (read {position_of} numbers) _ _{other}).\n"
        f"  vm_cast_no_check (eq_refl (Some ({_bound(lower)}, {_bound(upper)}))).\nQed.\n"
        f"Check {name}.\nPrint Assumptions {name}.\n"
    )


class _InCoq(NamedTuple):
    """How engine/formal names a game.

    Attributes:
        ruleset: the rules with what the check needs.
        position_of: the function from keys to positions.
        start: the initial position.
        rules: the rules alone.
        before: definitions that the others need.
    """

    ruleset: str
    position_of: str
    start: str
    rules: str
    before: str = ""


def _in_coq(game: str) -> _InCoq:
    if game == "tic-tac-toe":
        return _InCoq("tic_tac_toe", "tic_tac_toe_of_key", "tic_tac_toe_start", "(rules tic_tac_toe)")
    if game in ("awari", "awari:oware"):
        variant = f"(awari {str(game != 'awari').lower()})"
        return _InCoq(variant, "awari_of_key", "(repeat 4 12)", f"(rules {variant})")
    if board := re.fullmatch(r"connect-four(?::(\d+)x(\d+))?", game):
        width, height = board[1] or "7", board[2] or "6"
        rules = f"(connect_four {height})"
        return _InCoq(
            rules, f"(connect_four_of_key {width}%nat {height})", f"(empty_board {width})", f"(rules {rules})"
        )
    if board := re.fullmatch(r"gomoku(?::(?:(\d+)x(\d+)(?:-(\d+))?)?,?(standard)?)?", game):
        width, height, length = board[1] or "15", board[2] or "15", board[3] or "5"
        size = f"{width} {height} {length} {'true' if board[4] else 'false'}"
        before = (
            f"Lemma keeps_rows : board_ok (gomoku_board {size}) = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
        )
        ruleset = f"(lines_game (gomoku_board {size}) keeps_rows)"
        return _InCoq(
            ruleset, f"(gomoku_of_key {width} {height})", f"(gomoku_start {size})", f"(gomoku_rules {size})", before
        )
    raise InvalidParametersError(f"{game} is not in engine/formal: tic-tac-toe, connect-four, gomoku and awari are")


def _numbers(claim: Claim) -> Iterator[int]:
    """A claim as `read_claims` of Data.v reads it."""
    if claim.evidence not in EVIDENCE:
        raise InvalidParametersError(f"claims by {claim.evidence.name.lower()} are not in engine/formal")
    yield 2 * claim.evidence + (claim.side == Side.UPPER)
    yield 2 * claim.bound if claim.bound >= 0 else -2 * claim.bound - 1
    yield claim.rank
    if claim.witness is not None:
        yield claim.witness
    if claim.nodes is not None:
        yield claim.nodes
    elif claim.evidence == Evidence.LINE:
        yield len(claim.lines)
        for line in claim.lines:
            yield from (len(line), *line)
    elif claim.threats is not None:
        named, passed, trees = claim.threats
        against = [*([(0, passed)] if passed else []), *((reply + 1, tree) for reply, tree in trees)]
        yield from (len(named), *named, len(against))
        for reply, tree in against:
            yield from (reply, *_tree(tree))
    elif claim.strategy is not None:
        named, marks = claim.strategy
        yield from (len(named), *named, len(marks), *(6 * square + mark for square, mark in marks))


def _tree(tree: ThreatNode) -> Iterator[int]:
    if tree.move is None:
        yield 0
    else:
        yield from (tree.move + 1, len(tree.replies))
        for reply, below in tree.replies:
            yield from (reply, *_tree(below))


def _bound(bound: int | None) -> str:
    return "@None Z" if bound is None else f"Some ({bound})%Z"


def _plain(game: str) -> str:
    return {"connect-four": "connect_four_7x6"}.get(game, re.sub("[-:,]", "_", game))


def _theorem_name(game: str, lower: int | None, upper: int | None) -> str:
    outcome = "bounds"
    if lower == 1:
        outcome = "first_player_wins"
    elif upper == -1:
        outcome = "second_player_wins"
    elif (lower, upper) == (0, 0):
        outcome = "draw"
    return f"{_plain(game)}_{outcome}"
