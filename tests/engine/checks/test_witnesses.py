"""Witnesses of every kind of evidence: what the checks accept guarantees the bound. trial_witnesses.py is long."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from threat_claims import game_of
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine._core import RecordTable, TableWork
from proofbase.engine.checking.checker import zone_of_tree
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    ThreatNode,
    ThreatTrees,
    encode_record,
    table_payload,
    threats_payload,
)
from proofbase.engine.rules.gomoku import Gomoku
from proofbase.engine.tables import PythonTables

OPEN_FOURS = "xxxx...../........./oooo....." + 6 * "/........."
OPEN_THREES = "........./........./...xxx..." + 3 * "/........." + "/...ooo..." + 2 * "/........."


def test_an_accepted_witness_guarantees_its_bound() -> None:
    found = load_trial("checks/trial_witnesses").run(mutants=300, seed=3)
    for name, counts in found.items():
        assert counts["mutants"] == 60, name
        assert counts["accepted"] >= 5 and counts["wrong"] >= 10, name


def test_the_trial_fails_where_the_trees_move_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = load_trial("checks/trial_witnesses")

    def accepted(mutant: Any) -> bool:
        rules, tree = mutant.game.threat_rules(), mutant.claim.threats.passed
        fits = tree.move == mutant.claim.witness and tree.plies <= mutant.claim.rank
        return fits and zone_of_tree(rules, tree, *rules.stones(mutant.position)) is not None

    monkeypatch.setattr(trial.Mutant, "accepted", accepted)
    mutants = trial.by_threats(Random("old"))
    assert any(mutant.accepted() and not mutant.guarantees() for mutant, _ in zip(mutants, range(300), strict=False))


def by_threats(game: Gomoku, position: Any, square: str, tree: ThreatNode | None = None) -> list[str]:
    """What the checks in Python and in native code say of a win by a witness and its tree, in their words."""
    move = game.parse_move(position, square)
    payload = threats_payload(ThreatTrees(passed=tree or ThreatNode(move)))
    key, claim = game.key(position), Claim(Side.LOWER, 1, 5, Evidence.THREATS, move, payload)
    records = {key: encode_record(Record.of([claim]))}
    native = RecordTable(open_game(game.name))
    native.load(records.items())
    found = [finding.detail for finding in native.check([key]).findings]
    assert [finding.detail for finding in LocalCheck(game).findings([*records.items()], lambda keys: [])] == found
    return found


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        (OPEN_FOURS, ["e9"], ["i1", "a1", "e7", "f9"]),  # a winning square, though the other side has one as well
        (OPEN_THREES, ["c7", "g7"], ["a1", "c3", "e5"]),  # a double threat
    ],
)
def test_where_the_position_ends_the_witness_wins_by_itself(text: str, good: list[str], bad: list[str]) -> None:
    game = game_of("gomoku:9x9")
    position = game.parse(text)
    assert game.key(position) == game.key(game.position(game.key(position)))
    canonical = game.position(game.key(position))
    names = {game.key(game.play(position, game.parse_move(position, name))): name for name in [*good, *bad]}
    for move in game.moves(canonical):
        name = names.get(game.key(game.play(canonical, move)))
        if name is None:
            continue
        found = by_threats(game, canonical, game.move_text(canonical, move))
        assert found == ([] if name in good else ["the side to move wins, not by the witness"]), name


def test_a_move_that_leaves_two_winning_squares_is_a_witness() -> None:
    """x can win at once by an open four; any other move wins two plies later. Not where o threatens to win as well."""
    for others, passes in (("o.o.o.o..", True), ("oooo.....", False)):
        game = game_of("gomoku:9x9")
        position = game.parse(f"..xxxx.../........./{others}" + 6 * "/.........")
        position = game.position(game.key(position))
        own, other = game.threat_rules().stones(position)
        wins = game.threat_rules().attack(own, other).wins
        assert wins.bit_count() == 2
        accepted = 0
        for move in game.moves(position):
            found = by_threats(game, position, game.move_text(position, move))
            accepted += not found
            if game.threat_rules().squares[move] & wins:
                assert found == []
        assert accepted == (len(game.moves(position)) if passes else 3), "the two, and the one that meets o's threat"


def test_a_bound_by_a_table_is_realised_within_the_rank(tmp_path: Path) -> None:
    """Giveaway's tables hold plies: a slow winning move takes those after it and one more, by whatever evidence."""
    mutant_of, game, random = load_trial("checks/trial_witnesses").Mutant, open_rules("giveaway"), Random("plies")
    work = TableWork(open_game("giveaway"), str(tmp_path), 2)
    assert work.build()
    tables, checked = PythonTables(game, tmp_path), 0
    names = [entry.name for entry in work.plan() if entry.entries > 1000]
    while checked < 12:
        position = game.table_position(random.choice(names), random.randrange(1000))
        if position is None or tables.value(position) != 1:
            continue
        position = game.position(game.key(position))
        place, own_plies = game.table_entry(position), tables.plies(position)
        assert place is not None and own_plies is not None
        after = [(move, game.play(position, move)) for move in game.moves(position)]
        lost = {move: p for move, p in after if game.terminal(p) is None and tables.value(p) == -1}
        plies = {move: tables.plies(p) or 0 for move, p in lost.items()}
        slow = [move for move in plies if plies[move] >= own_plies]
        for move in slow[:1]:
            for rank in (plies[move], plies[move] + 1):
                for evidence, payload in ((Evidence.TABLE, table_payload(place[0])), (Evidence.CHILDREN, b"")):
                    claim = Claim(Side.LOWER, 1, rank, evidence, move, payload)
                    mutant = mutant_of(game, position, claim, lambda: True, tables=tmp_path)
                    assert mutant.accepted() is (rank > plies[move]), claim
                    checked += 1
