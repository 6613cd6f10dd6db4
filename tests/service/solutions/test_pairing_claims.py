"""Records that rest on pairings: found by solves, served, told in words and as a picture, exported and imported."""

from __future__ import annotations

import pytest
from services import Service

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, pairing_payload
from proofbase.service.jobs.budget import Budget
from proofbase.service.pictures.position import claims_table
from proofbase.service.pictures.reasons import evidence_sentence
from proofbase.service.words.evidence import evidence_text

NAME = "gomoku:5x5"
EMPTY = "/".join(["....."] * 5)


@pytest.fixture
def solved(service: Service) -> Service:
    """The empty board, a draw."""
    result = service.client.solve(NAME, EMPTY).result
    assert result is not None and (result.algorithm, result.nodes) == ("pairing", 0)
    assert (result.value.lower, result.value.upper) == (0, 0)
    return service


def test_a_solve_stores_the_pairings_of_both_sides_in_one_record(solved: Service) -> None:
    assert [(data[0], key) for key, data in solved.store.scan(NAME)] == [(0x52, bytes(5))]
    lower, upper = solved.client.lookup(NAME, EMPTY).claims
    assert (lower.evidence, lower.witness, lower.rank) == ("pairing", "c3", 25)
    assert (upper.evidence, upper.witness, upper.bound) == ("pairing", None, 0)


def test_the_algorithm_that_was_asked_for_searches(service: Service) -> None:
    result = service.client.solve(NAME, EMPTY, algorithm="pn-dag+effort", at_least=1, budget=Budget(nodes=50)).result
    assert result is not None and result.nodes > 0 and not result.value.upper_known


def test_a_lookup_tells_the_pairs(solved: Service) -> None:
    lower, upper = solved.client.lookup(NAME, EMPTY).claims
    assert upper.pairing is not None and len(upper.pairing.pairs) == 12
    letters = upper.pairing.diagram.replace("/", "").replace(".", "")
    assert all(letters.count(letter) == 2 for letter in letters) and len(letters) == 24
    assert lower.pairing is not None and lower.pairing.diagram.split("/")[2][2] == "!"
    words = f"takes one square of a pair when the other side takes the other: {upper.pairing.pairs[0]} "
    assert words in (evidence_sentence(upper) or "")
    assert evidence_text(upper).startswith(f"pairing {upper.pairing.diagram}: {words}")
    picture = claims_table((lower, upper), (), 1)
    assert "the move c3, then it takes one square" in picture and 'class="diagram"' in picture


@pytest.mark.parametrize(("name", "text", "pairs"), [("tic-tac-toe", "xox/.../...", 3), ("qubic", None, 2)])
def test_pairs_are_turned_with_the_board(service: Service, name: str, text: str | None, pairs: int) -> None:
    """The same squares in all positions of a key, by their letters and by their names."""
    game = open_rules(name)
    position = game.play(game.play(game.initial(), 5), 10) if text is None else game.parse(text)
    key = game.key(position)
    empty = list(game.moves(game.position(key)))
    chosen = [(empty[2 * i], empty[2 * i + 1]) for i in range(pairs)]
    claim = Claim(Side.UPPER, 0, 64, Evidence.PAIRING, payload=pairing_payload(chosen))
    service.store.put_many(name, [(key, encode_record(Record.of([claim])))], source="a test", rules_version=1)
    (shown,) = service.client.lookup(name, game.text(position)).claims
    rules = game.line_rules()
    assert shown.pairing is not None and rules is not None
    for letter, pair in zip("abc", shown.pairing.pairs, strict=False):
        squares = [game.parse_move(position, square) for square in pair.split("-")]
        assert all(shown.pairing.diagram[rules.place(square)] == letter for square in squares)
    turned = rules.oriented(position, game.position(key))
    assert {tuple(sorted(turned[s] for s in pair)) for pair in chosen} == {
        tuple(sorted(game.parse_move(position, s) for s in pair.split("-"))) for pair in shown.pairing.pairs
    }


@pytest.mark.parametrize("rules", ["native", "python"])
def test_verification_accepts_the_record(solved: Service, rules: str) -> None:
    verified = solved.client.verify(NAME, rules=rules).result  # type: ignore[arg-type]
    assert verified is not None and (verified.checked, verified.failed) == (1, 0)


@pytest.mark.parametrize("form", ["certificate", "jsonl"])
def test_exports_are_imported_again(solved: Service, form: str) -> None:
    data = b"".join(solved.client.export(NAME, EMPTY, form=form))  # type: ignore[arg-type]
    if form == "certificate":
        result = check_certificate(data)
        assert result.valid and result.header["lower"] == result.header["upper"] == 0
    before = dict(solved.store.scan(NAME))
    assert solved.client.import_([data], form=form).unchanged == 1  # type: ignore[arg-type]
    assert dict(solved.store.scan(NAME)) == before
