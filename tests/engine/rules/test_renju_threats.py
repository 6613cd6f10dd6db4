"""Threats of renju: wins by fours against the rules alone, `threats` against all moves, and their records."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, cast

import pytest
from renju_fours import win_by_fours
from renju_positions import crowded, squares, text_of

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import UnknownAlgorithmError
from proofbase.engine.records import Evidence, Side, decode_record
from proofbase.engine.rules.renju import Renju


def records_of(search: Any) -> dict[bytes, bytes]:
    return {key: record for chunk in search.solution().chunks(1000) for key, record in chunk}


def faults(name: str, records: dict[bytes, bytes]) -> list[Any]:
    """What is wrong with closed records, by the native rules, and with one of them by those in Python."""
    table = RecordTable(cast("Any", open_game(name)))
    table.load(records.items())
    found: list[Any] = list(table.check().findings)
    check = LocalCheck(open_rules(name))
    return found + list(check.findings(list(records.items())[:1], lambda keys: [records.get(key) for key in keys]))


def test_wins_by_fours_are_those_of_the_rules(thorough: bool) -> None:
    random, lengths = Random(43), Counter[tuple[int, int]]()
    for number in range(100 if thorough else 30):
        name = ("renju:7x7", "renju:8x6")[number % 2]
        rules, game = cast("Renju", open_rules(name)), cast("Any", open_game(name))
        position = crowded(random, name, 26)
        line = win_by_fours(rules, position)
        search = Search(game, game.parse(rules.text(position)), 1, algorithm="pn-dag+threats")
        if search.run(nodes=1).status != "proved":
            assert line is None, rules.text(position)
            continue
        assert line is not None, rules.text(position)
        records = records_of(search)
        claim = decode_record(records[rules.key(position)]).lower
        assert claim is not None and claim.rank == len(line)
        assert claim.evidence == (Evidence.LINE if len(line) > 1 else Evidence.CHILDREN)
        assert not faults(name, records)
        lengths[rules.side(position), min(len(line), 5)] += 1
    assert all(lengths[side, length] for side in (0, 1) for length in (1, 3))


def test_a_four_that_black_may_not_stop_wins() -> None:
    """After i9 White's four is stopped on h8 only, where Black would make a double three."""

    game: Any = open_game("renju")
    text = text_of(15, 15, squares("g8 i8 h7 h9 d4"), squares("e5 f6 g7 o1"))
    search = Search(game, game.parse(text), 1, algorithm="threats")
    assert search.run(nodes=1).status == "proved"
    records = records_of(search)
    (record,) = records.values()
    claim = decode_record(record).lower
    assert claim is not None and claim.line is not None and len(claim.line) == 3
    canonical = game.position(next(iter(records)))
    assert game.key(game.play(canonical, claim.line[0])) == game.key(
        game.play(game.parse(text), place(game, text, "i9"))
    )
    assert not faults("renju", records)
    free = text_of(15, 15, squares("g8 i8 h7 k9 d4"), squares("e5 f6 g7 o1"))  # h8 is allowed
    assert Search(game, game.parse(free), 1, algorithm="pn-dag+threats").run(nodes=1).status == "unknown"


def place(game: Any, text: str, square: str) -> int:
    return int(game.parse_move(game.parse(text), square))


def test_white_wins_by_a_double_three() -> None:
    """No four wins before i7; after it every reply of Black's is answered."""
    game: Any = open_game("renju")
    text = text_of(15, 15, squares("a1 o1 a15 o15 h1"), squares("g7 h7 i8 i9"))
    position = game.parse(text)
    assert Search(game, position, 1, algorithm="pn-dag+threats").run(nodes=1).status == "unknown"
    after = game.play(position, place(game, text, "i7"))
    for asked, least, status in ((position, 1, "proved"), (after, 0, "disproved")):
        search = Search(game, asked, least, algorithm="threats")
        assert search.run(nodes=2_000).status == status
        records = records_of(search)
        assert not faults("renju", records)
        claims = [claim for record in records.values() for claim in decode_record(record).claims]
        assert any(claim.evidence == Evidence.LINE and claim.side == Side.UPPER for claim in claims)


def test_what_threats_prove_is_won(thorough: bool) -> None:
    random, name = Random(3), "renju:7x7"
    rules, game = open_rules(name), cast("Any", open_game(name))
    for number in range(100 if thorough else 10):
        position, least = game.parse(rules.text(crowded(random, name, 18))), number % 2
        search = Search(game, position, least, algorithm="threats")
        outcome = search.run(nodes=100)
        records = records_of(search)
        if outcome.status == "unknown":
            assert outcome.reason in ("nodes", "exhausted") and not records
            continue
        assert outcome.status == ("proved" if least else "disproved")
        assert not faults(name, records)
        other = Search(game, position, least, algorithm="pn-dag+effort").run(nodes=5_000).status
        assert other in (outcome.status, "unknown")


def test_threats_of_renju_go_on_from_checkpoints_and_have_one_thread() -> None:
    game: Any = open_game("renju")
    position = game.initial()
    for text in ["h8", "h9", "g7", "i9"]:
        position = game.play(position, game.parse_move(position, text))
    first = Search(game, position, 1, algorithm="threats")
    assert first.algorithm == "threats" and first.run(nodes=200).status == "unknown"
    second = Search(game, position, 1, algorithm="threats")
    second.restore(first.checkpoint())
    assert second.progress().nodes == first.progress().nodes
    assert first.run(nodes=400).reason == second.run(nodes=400).reason == "nodes"
    assert second.progress().nodes == first.progress().nodes
    with pytest.raises(UnknownAlgorithmError, match="one thread"):
        Search(game, position, 1, algorithm="threats+threads-2")
