"""The check of users' games: no requirement of a correct game is reported, and every broken one is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import broken_games
import pytest
from broken_games import MUTATIONS, ByProcess, mutant
from heap_game import Heap
from ring_game import Ring

from proofbase.engine import open_rules
from proofbase.engine.conformance import REQUIREMENTS, answers, check_game, load_game, refuse_broken_game
from proofbase.engine.conformance.examination import Examination
from proofbase.engine.errors import BrokenGameError, GameFailedError, UnknownGameError
from proofbase.engine.rules import FAMILIES
from proofbase.engine.rules.game import Game

SOURCE = Path(broken_games.__file__)
RING = SOURCE.with_name("ring_game.py")


def test_a_correct_game_passes_whole() -> None:
    report = check_game(Ring(), where=f"{RING}:Ring", factory=Ring)
    assert report.passed and report.complete and report.left_out is None, report
    assert report.positions > 50
    refuse_broken_game(Ring())


class OneByOne(Heap):
    """A heap from which each move takes one stone: its size tells who is to move."""

    def moves(self, position: int) -> list[int]:
        return [1] if position else []


class OneByOneWithSide(OneByOne):
    def side(self, position: int) -> int:
        return (self.size - position) % 2


def test_a_class_without_side_is_advised_to_have_one() -> None:
    advice = check_game(OneByOne()).advice
    assert advice is not None and "define side(position)" in advice
    assert check_game(OneByOneWithSide()).advice is None
    assert check_game(Heap()).advice is None  # its positions do not tell


def test_there_are_many_mutations() -> None:
    assert len(MUTATIONS) >= 50
    assert {name for _, names in MUTATIONS.values() for name in names} <= set(REQUIREMENTS)


@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_is_found_and_named(name: str) -> None:
    report = check_game(mutant(name), seconds=10, positions=300)
    assert {violation.requirement for violation in report.violations} & MUTATIONS[name][1], report
    for violation in report.violations:
        assert violation.message.isprintable() and len(violation.message) < 1200
    needed = MUTATIONS[name][1]
    if not needed & {"attributes", "position", "parse"} and "comparison" not in name:
        assert any(entry.position for entry in report.violations if entry.requirement in needed), report


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_short_form_refuses_in_a_fraction_of_a_second(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofbase.engine.conformance.report.SHORT_SECONDS", 4.0)  # by the clock: others may run
    began = time.process_time()
    with pytest.raises((BrokenGameError, GameFailedError), match=r"breaks a requirement of Game|raised"):
        refuse_broken_game(mutant(name))
    assert time.process_time() - began < 2  # 0.4 on a quiet machine


def test_answers_that_depend_on_the_process_are_found() -> None:
    assert check_game(ByProcess()).passed
    report = check_game(ByProcess(), where=f"{SOURCE}:ByProcess")
    assert [entry.requirement for entry in report.violations] == ["determinism"]
    assert "another process" in report.violations[0].detail and report.violations[0].position is not None


def test_another_process_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "ANSWER_SECONDS", 0.001)
    report = check_game(Ring(), where=f"{RING}:Ring")
    assert [entry.requirement for entry in report.violations] == ["determinism"]
    assert "another process has not answered within 0.001 s" in report.violations[0].detail


SMALL = [
    "random-graph:nodes=300,ends=20,values=5,rewards=2",
    "random-graph:nodes=60,group=6,repetition=3,seed=4",
    "random-graph:nodes=200,ends=20,values=5,rewards=2,group=8,seed=7",
]


FIRST = {family.examples[0] for family in FAMILIES}
"""One game of each family is looked at longer, and another process is asked about it: the others are the same code."""


@pytest.mark.slow("mens-morris:9")
@pytest.mark.parametrize("name", [*(example for family in FAMILIES for example in family.examples), *SMALL])
def test_the_games_of_proofbase_pass(name: str, thorough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Time of the processor, so that as much is looked at on a machine with other work to do. A new process takes long
    # there; the time that users give it is tested below.
    game, started = open_rules(name), time.process_time()
    monkeypatch.setattr(Examination, "share_used", lambda exam: (time.process_time() - started) / exam.seconds)
    monkeypatch.setattr(answers, "ANSWER_SECONDS", 300.0)
    monkeypatch.setattr(answers, "ASKED_ELSEWHERE", 60)
    seconds = 60 if "random-graph" in name else 1.5 if thorough and name in FIRST else 0.3  # small ones: completely
    positions = 800 if thorough or "random-graph" in name else 200
    where = name if name in FIRST else None
    report = check_game(game, seconds=seconds, positions=positions, where=where, factory=lambda: open_rules(name))
    assert report.passed, report.violations
    assert report.complete == ("random-graph" in name)
    assert report.positions > 10


def test_the_moves_that_lead_to_the_offending_position_are_named() -> None:
    report = check_game(mutant("no moves in the middle of the game"))
    found = next(entry for entry in report.violations if entry.requirement == "moves")
    game: Any = Ring()
    position = game.initial()
    for move in found.moves:
        position = game.play(position, game.parse_move(position, move))
    assert game.text(position) == found.position and position[2] == 1
    cycle = check_game(mutant("acyclic left at True, and no repetition")).violations[0]
    assert "lead back to it" in cycle.detail and cycle.position is not None


def test_games_are_loaded_by_their_class(tmp_path: Path) -> None:
    assert load_game(f"{RING}:Ring:8").name == "ring:8"
    assert load_game("ring_game:Ring").name == "ring"
    assert load_game("tic-tac-toe").name == "tic-tac-toe"
    plugin = tmp_path / "one.py"
    plugin.write_text("from ring_game import Ring\nclass One(Ring):\n    name = 'one'\n")
    assert isinstance(load_game(str(plugin)), Ring)
    for wrong in ("no_such_module", "trials", f"{SOURCE}:NoClass", f"{SOURCE}:Box", f"{tmp_path}/no.py:A"):
        with pytest.raises(UnknownGameError):
            load_game(wrong)


def test_budgets_are_kept() -> None:
    class Slow(Ring):
        def moves(self, position: Any) -> Any:
            time.sleep(0.02)
            return super().moves(position)

    slow: Game[Any] = Slow("200")
    report = check_game(slow, seconds=1, positions=10_000)
    assert (
        report.passed and not report.complete and report.seconds < 3 and "for lack of time" in (report.left_out or "")
    )
    with pytest.raises(ValueError, match="positive"):
        check_game(Ring(), seconds=0)
