"""Records that rest on strategies: served, told in words and as a picture, exported and imported."""

from __future__ import annotations

import pytest
from services import Service

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.records import Claim, Evidence, Mark, Record, Side, Strategy, encode_record, strategy_payload
from proofbase.service.errors import InvalidRequestError
from proofbase.service.pictures.position import claims_table
from proofbase.service.pictures.reasons import evidence_sentence
from proofbase.service.words.evidence import evidence_text

NAME = "connect-four:4x4"
EMPTY = "..../..../..../...."
MARKS = (*((square, Mark.URGENT) for square in (1, 3, 5, 7, 10, 11, 13, 16)), (18, Mark.PAIR))


@pytest.fixture
def stored(service: Service) -> Service:
    """x has a draw at least."""
    claim = Claim(Side.LOWER, 0, 16, Evidence.STRATEGY, 0, strategy_payload(Strategy((), MARKS), lower=True))
    game = open_rules(NAME)
    item = game.key(game.initial()), encode_record(Record.of([claim]))
    service.store.put_many(NAME, [item], source="a test", rules_version=1)
    return service


def test_a_lookup_tells_the_diagram(stored: Service) -> None:
    (claim,) = stored.client.lookup(NAME, EMPTY).claims
    assert claim.evidence == "strategy" and claim.strategy is not None
    assert claim.strategy.diagram == "!^!&/=!==/!^!!/=!!="
    words = "it plays 1-2 1-4 2-1 2-3 3-1 3-2 3-4 4-2 as soon as it can"
    assert words in (evidence_sentence(claim) or "")
    assert evidence_text(claim).startswith(f"strategy {claim.strategy.diagram}: plays ")
    picture = claims_table((claim,), (), 1)
    assert words in picture and "= ! = =\n" in picture


def test_a_diagram_is_turned_with_the_board(service: Service) -> None:
    """The record is about the mirror image of one of the two positions."""
    game = open_rules(NAME)
    texts = ["..../..../..../x...", "..../..../..../...x"]
    (canonical,) = {game.key(game.parse(text)) for text in texts}
    turned = [text for text in texts if game.parse(text) != game.position(canonical)]
    marks = ((1, Mark.URGENT),) if game.text(game.position(canonical)) == texts[0] else ((16, Mark.URGENT),)
    claim = Claim(Side.LOWER, 0, 15, Evidence.STRATEGY, 0, strategy_payload(Strategy((), tuple(marks)), lower=True))
    service.store.put_many(NAME, [(canonical, encode_record(Record.of([claim])))], source="a test", rules_version=1)
    shown = {text: service.client.lookup(NAME, text).claims[0].strategy for text in texts}
    first, second = (shown[text] for text in texts)
    assert len(turned) == 1 and first is not None and second is not None
    assert first.diagram == "^^^^/====/!^^^/x===" and second.diagram == "^^^^/====/^^^!/===x"


@pytest.mark.parametrize("rules", ["native", "python"])
def test_verification_accepts_the_records(stored: Service, rules: str) -> None:
    verified = stored.client.verify(NAME, rules=rules).result  # type: ignore[arg-type]
    assert verified is not None and (verified.checked, verified.failed) == (1, 0)


@pytest.mark.parametrize("form", ["certificate", "jsonl"])
def test_exports_are_imported_again(stored: Service, form: str) -> None:
    data = b"".join(stored.client.export(NAME, EMPTY, form=form))  # type: ignore[arg-type]
    if form == "certificate":
        result = check_certificate(data)
        assert result.valid and result.header["lower"] == 0
    before = dict(stored.store.scan(NAME))
    assert stored.client.import_([data], form=form).unchanged == 1  # type: ignore[arg-type]
    assert dict(stored.store.scan(NAME)) == before


def test_a_certificate_with_strategies_is_smaller(service: Service) -> None:
    service.client.solve(NAME, EMPTY)
    plain = b"".join(service.client.export(NAME, EMPTY))
    small = b"".join(service.client.export(NAME, EMPTY, strategy_seconds=20))
    results = [check_certificate(data) for data in (plain, small)]
    assert all(result.valid for result in results)
    assert results[0].header["lower"] == results[1].header["lower"] == results[1].header["upper"] == 0
    assert len(small) < len(plain)


def test_any_game_has_a_smallest_certificate(service: Service) -> None:
    """Without strategies it is trimmed again, and is no larger."""
    service.client.solve("tic-tac-toe", ".../.x./...")
    plain = b"".join(service.client.export("tic-tac-toe", ".../.x./..."))
    small = b"".join(service.client.export("tic-tac-toe", ".../.x./...", strategy_seconds=1))
    assert check_certificate(small).valid and len(small) <= len(plain)


@pytest.mark.parametrize(("seconds", "form"), [(-1.0, "certificate"), (3601.0, "certificate"), (1.0, "jsonl")])
def test_seconds_that_make_no_sense_are_refused(stored: Service, seconds: float, form: str) -> None:
    with pytest.raises(InvalidRequestError, match="strategies"):
        b"".join(stored.client.export(NAME, EMPTY, form=form, strategy_seconds=seconds))  # type: ignore[arg-type]
