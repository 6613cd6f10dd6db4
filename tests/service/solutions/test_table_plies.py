"""Tables of plies beside a store: lookups say the shortest mate, lines end with it, searches take them as leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import Run, cli

from proofbase.engine._core import TableWork, open_game
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.rules import Chess
from proofbase.service.application import Application, open_application
from proofbase.service.client.local import LocalClient
from proofbase.service.commands.solutions.batch_lookup import batch_lookup, batch_lookup_packed
from proofbase.service.commands.solutions.get_line import get_line
from proofbase.service.commands.solutions.lookup import lookup
from proofbase.service.words.game_words import GameWords

__all__ = ["cli"]

LONGEST_ROOK = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
PAWN_DRAW = "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"
TAKES_A_KNIGHT = "5k2/8/8/8/n6R/8/8/K7 w - - 0 1"
"""Four men: with tables of three, taking the knight leads into one."""
LOST = "8/8/8/8/8/1K6/7R/k7 b - - 0 1"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("store")
    with open_application(str(directory)) as app:
        assert TableWork(open_game("chess"), str(directory / "tables"), 3).build()
        job = LocalClient(app, "").solve("chess", TAKES_A_KNIGHT, at_least=1)
        assert job.result.value.lower == 1
        assert job.result.nodes < 100
    return directory


@pytest.fixture(params=["native", "python"])
def app(request: pytest.FixtureRequest, store: Path) -> Iterator[Application]:
    with open_application(str(store), read_only=True, rules=request.param) as opened:
        yield opened


@pytest.mark.parametrize("fen", [LONGEST_ROOK, LOST])
def test_a_line_is_as_long_as_the_lookup_says(app: Application, fen: str) -> None:
    answer, words = lookup(app.resources, "chess", fen), GameWords.of("chess")
    line = get_line(app.resources, "chess", fen)
    assert answer.rank == len(line.steps) == line.steps[0].rank + 1
    assert (line.stop, line.steps[-1].rank) == ("end_of_game", 0)
    assert [step.rank for step in line.steps] == list(range(len(line.steps) - 1, -1, -1))
    moves = (answer.rank + 1) // 2
    said = f"mate in {moves} (proved shortest)" if answer.value.lower > 0 else f"mated in {moves} (proved)"
    assert words.of_position(answer) == said
    assert answer.no_win_within + answer.no_loss_within == answer.rank - 1
    assert {claim.rank for claim in answer.claims} == {answer.rank}
    assert answer.witness == answer.moves[0].move == line.steps[0].move
    won = [move for move in answer.moves if move.value.lower == 1]
    assert [move.rank for move in won] == sorted(move.rank for move in won)
    assert all(words.of_move(move).startswith("mate in ") for move in won)


def test_a_draw_has_no_distance(app: Application) -> None:
    answer = lookup(app.resources, "chess", PAWN_DRAW)
    assert (answer.value.lower, answer.value.upper, answer.rank) == (0, 0, 0)
    assert (answer.no_win_within, answer.no_loss_within) == (0, 0)
    assert GameWords.of("chess").of_position(answer) == "draw"


def test_batches_have_the_values(app: Application) -> None:
    start = open_game("chess").text(open_game("chess").initial())
    items = batch_lookup(app.resources, "chess", [LONGEST_ROOK, PAWN_DRAW, LOST, start])
    assert [item.value.lower == item.value.upper for item in items if item.value] == [True, True, True, False]
    assert [item.rank for item in items[:2]] == [31, 0]


def test_packed_batches_have_the_values(store: Path) -> None:
    game = open_game("chess")
    keys = b"".join(game.key(game.parse(fen)) for fen in (LONGEST_ROOK, PAWN_DRAW, LOST))
    with open_application(str(store), read_only=True) as app:
        assert list(batch_lookup_packed(app.resources, "chess", keys).bounds()) == [(1, 1), (0, 0), (-1, -1)]


def test_a_solution_rests_on_a_table_and_is_checked_by_the_python_rules(store: Path) -> None:
    with open_application(str(store), read_only=True) as app:
        client = LocalClient(app, "")
        census = client.statistics("chess", census=True).census
        assert census is not None
        assert census.evidence["table"] >= 1
        data = b"".join(client.export("chess", TAKES_A_KNIGHT))
    assert check_certificate(data, Chess(), store / "tables").findings == []
    assert check_certificate(data, Chess()).findings != []


def test_the_command_builds_verifies_and_looks_up(cli: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "store")
    assert cli("tables", "build", "giveaway", "--men", "2", "--store", url).out.startswith("built 21 tables with ")
    assert cli("tables", "verify", "giveaway", "--men", "2", "--store", url).out.endswith("valid\n")
    shown = cli("lookup", "giveaway", "8/8/8/8/8/8/8/2K2b2 b - - 0 1", "--store", url).out
    assert "value  win in 2 moves (proved shortest)" in shown
    rows = cli("tables", "stats", "giveaway", "--store", url, "--json").json["tables"]
    assert len(rows) == 21
    assert all(row["win"] + row["draw"] + row["loss"] <= row["entries"] for row in rows)
