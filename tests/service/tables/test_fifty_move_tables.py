"""Tables of chess:fifty beside a store: the counter decides, claims by them are checked, and they say no plies."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofbase.engine._core import TableWork, open_game
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.rules import open_rules
from proofbase.service.application import Application, open_application
from proofbase.service.client.local import LocalClient
from proofbase.service.commands.solutions.get_line import get_line
from proofbase.service.commands.solutions.lookup import lookup

NAME = "chess:fifty"
ROOK = "8/8/8/8/8/2k5/1R6/K7 w - - {} 90"
"""Mate in 16: 31 plies."""
TAKES_A_KNIGHT = "5k2/8/8/8/n6R/8/8/K7 w - - 98 120"

MATES = "7k/p7/5KQ1/8/8/8/8/8 w - - 98 1"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("store")
    with open_application(str(directory)) as app:
        assert TableWork(open_game(NAME), str(directory / "tables"), 3).build()
        assert solved(app, TAKES_A_KNIGHT) == 1  # a reset within the counter
    return directory


def solved(app: Application, fen: str) -> int | None:
    return LocalClient(app, "").solve(NAME, fen, at_least=1).result.value.lower


@pytest.mark.parametrize("rules", ["native", "python"])
def test_the_counter_decides(store: Path, rules: str) -> None:
    with open_application(str(store), read_only=True, rules=rules) as app:  # type: ignore[arg-type]
        for counter, value in ((0, 1), (69, 1), (70, 0), (99, 0)):
            answer = lookup(app.resources, NAME, ROOK.format(counter))
            assert (answer.value.lower, answer.value.upper, answer.rank) == (value, value, None)
        line = get_line(app.resources, NAME, ROOK.format(69))
        assert (len(line.steps), line.stop) == (31, "end_of_game")


def test_a_claim_above_a_table_says_no_plies(store: Path) -> None:
    with open_application(str(store)) as app:
        answer = lookup(app.resources, NAME, TAKES_A_KNIGHT)
        assert (answer.value.lower, answer.rank) == (1, None)
        assert [move.rank for move in answer.moves if move.move == "Rxa4"] == [None]
        assert solved(app, MATES) == 1
        assert lookup(app.resources, NAME, MATES).rank == 1  # the move ends the game
        assert LocalClient(app, "").solve(NAME, MATES, shortest=True).plies == 1


def test_a_certificate_rests_on_the_tables(store: Path) -> None:
    with open_application(str(store), read_only=True) as app:
        data = b"".join(LocalClient(app, "").export(NAME, TAKES_A_KNIGHT))
    assert check_certificate(data, open_rules(NAME), store / "tables").findings == []
    assert check_certificate(data, open_rules(NAME)).findings != []
