"""A proof in sentences."""

from __future__ import annotations

from proofbase.service.answers import Claim, Proof, ProofNode
from proofbase.service.pictures.reasons import claim_sentence, reasons


def root(number: int, claim: Claim, kind: str = "leaf") -> ProofNode:
    return ProofNode(number, number, 0, kind, None, "8/8/8/4k3/8/8/3Q4/3K4 w - - 0 1", b"k", claim)  # type: ignore[arg-type]


def told(*claims: Claim) -> str:
    proof = Proof("chess", "", tuple(root(number, claim) for number, claim in enumerate(claims)))
    return reasons(proof, 0, 1, lambda moves, side: f"/{'-'.join(moves)}?{side}", "/words")


def test_a_claim_that_holds_everywhere_is_not_told() -> None:
    lower = Claim("lower", 1, 13, "table", "Qd7", "chess-kq-k")
    assert told(lower, Claim("upper", 1, 13, "table", None, "chess-kq-k")) == told(lower)
    assert told(Claim("lower", -1, 2, "children"), Claim("upper", 1, 2, "children")) == ""
    assert told(lower) == (
        '<h3>White wins.</h3><p>The <a href="/words#table">table</a> chess-kq-k says so. The move is '
        '<a href="/Qd7?lower" class="move">Qd7</a>.</p>'
    )


def test_the_kinds_of_evidence_are_named() -> None:
    assert 'A <a href="/words#small-search">small search</a> of at most 412 positions settles it.' in told(
        Claim("upper", -1, 4, "search", search_nodes=412)
    )
    assert "forcing line</a> of 3 moves decides it." in told(Claim("lower", 1, 3, "line", "Qd7", line=(1, 2, 3)))


def test_claims_are_said_for_the_side_to_move() -> None:
    assert claim_sentence(Claim("upper", 0, 2, "children"), "connect-four", 1, 1) == "Yellow cannot win"
    assert claim_sentence(Claim("lower", 0, 2, "children"), "awari", 0, 48) == "South gets at least 0 from here"
    assert claim_sentence(Claim("upper", -1, 2, "children"), "gomoku", 0, 1) == "Black loses"
