"""What `tables mine` finds in tables: every position that is asked for, and no other, each with its solution."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Run, cli

from proofbase.engine._core import Tables, TableWork, open_game
from proofbase.engine.problems.problem import examine
from proofbase.engine.problems.reading import Problem
from proofbase.engine.rules import open_rules
from proofbase.engine.tables import PythonTables

__all__ = ["cli"]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = str(tmp_path_factory.mktemp("mined"))
    for game, size in (("checkers", 3), ("chess", 3), ("giveaway", 2), ("mens-morris:3", 6)):
        TableWork(open_game(game), directory, size, plies=game.startswith("mens")).build(60)
    return directory


def ends_in(game: Any, tables: PythonTables, position: Any) -> tuple[int, int]:
    """Value and plies, by the rules in Python and what the tables hold."""
    value = game.terminal(position)
    if value is not None:
        return value, 0
    value, plies = tables.value(position), tables.plies(position)
    assert value is not None and plies is not None
    return value, plies


def winning(game: Any, tables: PythonTables, position: Any, plies: int) -> list[Any]:
    """The positions after the moves that win in so many plies."""
    children = [game.play(position, move) for move in game.moves(position)]
    return [child for child in children if ends_in(game, tables, child) == (-1, plies - 1)]


def is_dual_free(game: Any, tables: PythonTables, position: Any, plies: int) -> bool:
    """Whether one move alone wins in so many plies, here and after each reply that lasts longest."""
    after = winning(game, tables, position, plies)
    if len(after) != 1:
        return False
    if plies == 1:
        return True
    replies = [game.play(after[0], move) for move in game.moves(after[0])]
    longest = [reply for reply in replies if plies > 2 and ends_in(game, tables, reply) == (1, plies - 2)]
    return all(is_dual_free(game, tables, reply, plies - 2) for reply in longest)


KINDS: dict[tuple[str, ...], Callable[..., bool]] = {
    (): lambda *_: True,
    ("--unique-key",): lambda *place: len(winning(*place)) == 1,
    ("--no-duals",): is_dual_free,
}


@pytest.mark.slow("chess-kr-k", "checkers-kk-k")
@pytest.mark.parametrize(
    ("name", "table", "moves", "least"),
    [
        ("chess", "chess-kr-k", 3, 20),
        ("checkers", "checkers-kk-k", 4, 20),
        ("checkers", "checkers-k-m", 4, 15),
        ("giveaway", "giveaway-n-p", 3, 20),
    ],
)
def test_all_that_is_asked_for(cli: Run, tables: str, name: str, table: str, moves: int, least: int) -> None:
    game, native = open_rules(name), Tables(open_game(name), tables)
    by_rules = PythonTables(game, tables)
    (entry,) = (entry for entry in native.entries() if entry.name == table)
    plies = 2 * moves - (name != "giveaway")
    positions = [game.table_position(table, number) for number in range(entry.entries)]
    won = [
        position
        for position in positions
        if position is not None and game.terminal(position) is None and ends_in(game, by_rules, position) == (1, plies)
    ]
    counts = []
    for options, holds in KINDS.items():
        expected = {game.key(position) for position in won if holds(game, by_rules, position, plies)}
        outcome = cli(
            "tables", "mine", name, "--win-in", moves, "--table", table, "--tables", tables, *options, "--json"
        )
        mined = outcome.json["positions"]
        assert {game.key(game.parse(one["position"])) for one in mined} == expected
        assert len(mined) == len(expected) == outcome.json["found"] and outcome.status == (not expected)
        counts.append(len(expected))
        for one in mined[:: max(1, len(mined) // 20)]:
            position = game.parse(one["position"])
            for left, move in enumerate(one["line"]):
                position = game.play(position, game.parse_move(position, move))
                assert ends_in(game, by_rules, position) == ((-1) ** (left + 1), plies - left - 1)
            assert game.terminal(position) is not None
    assert counts[0] > counts[1] > counts[2] and counts[1] >= least


def test_what_is_mined_is_read_as_problems_and_they_are_sound(cli: Run, tables: str, tmp_path: Path) -> None:
    command = ("tables", "mine", "chess", "--mate-in", 2, "--unique-key", "--tables", tables)
    mined = cli(*command, "--sample", 12)
    assert mined.out.count("\n") == 12 and "in 410,382 entries of 6 tables" in mined.err
    assert cli(*command, "--sample", 12).out == mined.out != cli(*command, "--sample", 12, "--seed", 1).out
    (file := tmp_path / "mined.epd").write_text(mined.out)
    judged = cli("problem", file)
    assert judged.status == 0 and "12 sound" in judged.err, judged.out
    report = cli("tables", "mine", "mens-morris:3", "--win-in", 2, "--unique-key", "--tables", tables, "--sample", 1)
    position, _, solution = report.out.partition("  # 2: ")
    proved = examine(Problem("mens-morris:3", position, 2)).report
    assert proved.verdict == "sound" and proved.keys == (solution.split()[0],)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("chess", "--table", "chess-kx-k"), "no table chess-kx-k with plies in"),
        (("connect-four",), "connect-four has no tables that can be mined"),
        (("awari",), "tables of awari hold no plies to the end; those of chess do"),
    ],
)
def test_what_cannot_be_mined(cli: Run, tables: str, given: tuple[str, ...], message: str) -> None:
    outcome = cli("tables", "mine", *given, "--win-in", 2, "--tables", tables)
    assert outcome.status == 2 and message in outcome.err
    assert cli("tables", "mine", "chess", "--win-in", 60, "--tables", tables).status == 1, "nothing is won so late"


@pytest.mark.parametrize(
    ("given", "options"), [(("chess",), "--men 3"), (("mens-morris:3", "--men", 6), "--men 6 --distances")]
)
def test_the_proposed_command_builds_what_can_be_mined(
    cli: Run, tmp_path: Path, given: tuple[str, ...], options: str
) -> None:
    mine = ("tables", "mine", *given, "--win-in", 2, "--tables", tmp_path)
    words = shlex.split(cli(*mine).err.split("`")[1])
    assert words[3:] == [given[0], *options.split(), "--tables", str(tmp_path)]
    assert cli(*words[1:]).status == 0 and cli(*mine).status == 0


def test_a_missing_table_that_a_move_leads_to_is_named(cli: Run, tables: str, tmp_path: Path) -> None:
    (tmp_path / "chess-kp-k.table").write_bytes((Path(tables) / "chess-kp-k.table").read_bytes())
    command = ("tables", "mine", "chess", "--win-in", 12, "--tables", tmp_path)
    for options in ((), ("--unique-key",)):
        outcome = cli(*command, *options)
        assert (outcome.status == 2 and "missing" in outcome.err) or "there is no table chess-k" in outcome.err
        assert "`proofbase tables build` makes it" in outcome.err
