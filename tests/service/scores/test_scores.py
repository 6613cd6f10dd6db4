"""Scored games: regrets against plain minimax, files that games are read from, columns, summaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet
import pytest

from proofbase.engine import open_game, open_rules, solve_positions
from proofbase.engine._core import Search
from proofbase.engine.errors import EngineError, InvalidMoveError, InvalidPositionError
from proofbase.engine.formats.played_games import PLAYERS, PlayedGame, read_played_games
from proofbase.service.client import Budget, Client, claim_tables, connect


@pytest.fixture
def client() -> Iterator[Client]:
    with connect("memory:") as opened:
        yield opened


def random_game(game: Any, random: Random, start: Any = None, most: int = 200) -> list[int]:
    position, moves = game.initial() if start is None else start, list[int]()
    while game.terminal(position) is None and len(moves) < most:
        moves.append(random.choice(game.moves(position)))
        position = game.play(position, moves[-1])
    return moves


def written(game: Any, moves: list[int]) -> str:
    position, texts = game.initial(), list[str]()
    for move in moves:
        texts.append(game.move_text(position, move))
        position = game.play(position, move)
    return " ".join(texts)


def minimax(game: Any, position: Any) -> int:
    ended = game.terminal(position)
    return (
        ended if ended is not None else max(-minimax(game, game.play(position, move)) for move in game.moves(position))
    )


def test_regrets_are_those_of_minimax(client: Client) -> None:
    game, random = open_rules("tic-tac-toe"), Random(1)
    games = [random_game(game, random) for _ in range(15)]
    scores = client.score_games("tic-tac-toe", games, nodes=100_000)
    rows = iter(scores)
    for number, moves in enumerate(games, 1):
        position = game.initial()
        for ply, move in enumerate(moves, 1):
            row = next(rows)
            assert (row.game, row.ply, row.player) == (number, ply, PLAYERS[(ply - 1) % 2])
            assert (row.position, row.move) == (game.text(position), game.move_text(position, move))
            if ply > 2:
                values = {m: -minimax(game, game.play(position, m)) for m in game.moves(position)}
                best = max(values.values())
                assert (row.value, row.value_of_move, row.regret) == (best, values[move], best - values[move])
                keep = [game.move_text(position, m) for m, value in values.items() if value == best]
                assert list(row.best_moves or ()) == keep
            position = game.play(position, move)
    assert next(rows, None) is None and len(scores) == sum(map(len, games))


def test_rewards_count(client: Client) -> None:
    name, random = "random-graph:nodes=40,ends=8,values=3,rewards=2,seed=7", Random(2)
    game, rewards = open_game(name), set[int]()
    games = [written(game, random_game(game, random, most=12)) for _ in range(10)]
    for row in client.score_games(name, games, nodes=100_000):
        position = game.parse(row.position)
        moves = game.moves(position)
        solved = solve_positions(game, [game.key(game.play(position, move)) for move in moves])
        values = [game.reward(position, move) - value for move, value in zip(moves, solved.lower, strict=True)]
        number = [game.move_text(position, move) for move in moves].index(row.move)
        assert (row.value, row.value_of_move) == (max(values), values[number])
        rewards |= {game.reward(position, move) for move in moves}
    assert len(rewards) > 1


def test_games_with_cycles_are_searched(client: Client) -> None:
    game, start = open_game("awari"), "0,0,1,1,0,1/1,1,0,0,0,0/S"
    moves = random_game(game, Random(3), game.parse(start), most=4)
    rows = list(client.score_games("awari", [PlayedGame(moves, start=start)], nodes=1_000_000))
    assert len(rows) == len(moves)
    for row in rows:
        assert row.value is not None and row.regret is not None
        position = game.parse(row.position)
        for at_least, answer in ((row.value, "proved"), (row.value + 1, "disproved")):
            search = Search(game, position, at_least, algorithm="df-pn")
            assert search.run().status == answer


def test_what_is_not_known_is_none_and_the_store_is_asked(client: Client) -> None:
    games = ["5 1 3", "5 2 1 9"]
    unknown = client.score_games("tic-tac-toe", games)
    assert all((row.value, row.regret, row.best_moves) == (None, None, None) for row in unknown)
    assert [(entry.known, entry.share_kept, entry.average_regret) for entry in unknown.players()] == [
        (0, None, None)
    ] * 2
    client.solve_all_moves("tic-tac-toe", "moves:5", budget=Budget(seconds=30))
    known = [row for row in client.score_games("tic-tac-toe", games) if row.ply == 2]
    assert [(row.value, row.value_of_move, row.regret) for row in known] == [(0, 0, 0), (0, -1, 1)]
    assert known[0].best_moves == ("1", "3", "7", "9")


def test_games_of_openspiel_have_no_row_for_waiting(client: Client) -> None:
    name = "openspiel:dots_and_boxes(num_rows=1)"
    actions = [0, 2, 4, 5, 1, 3, 6]
    scores = client.score_games(name, [PlayedGame(actions, ("a", "b"))], nodes=100_000)
    rows = list(scores)
    assert len(rows) == 7 and all(row.move != "wait" and row.regret is not None for row in rows)
    state = open_game(name, "python").rules.game.new_initial_state()  # type: ignore[attr-defined]
    for row, action in zip(rows, actions, strict=True):
        assert row.player == "ab"[state.current_player()]
        state.apply_action(action)


PGN = """[White "Ann"]
[Black "Ben"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Ben"]
[Black "?"]
[FEN "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"]

1. Qg7# 1-0
"""
OPENSPIEL = """# Automatically generated by OpenSpiel SerializeGameAndState
[Meta]
Version: 1

[Game]
tic_tac_toe()
[State]
4
0
8
"""


def test_pgn_is_read_with_its_players(client: Client) -> None:
    rows = list(client.score_games("chess", read_played_games("chess", PGN)))
    assert [row.player for row in rows] == ["Ann", "Ben", "Ann", "Ben", "Ben"]
    assert (rows[3].value, rows[3].value_of_move, rows[3].regret) == (1, 1, 0) == (rows[4].value, 1, rows[4].regret)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tic-tac-toe", "5 1 9\n"),
        ("tic-tac-toe", "# games\n\nmoves:519 # the first\n"),
        ("tic-tac-toe", '{"moves": "5 1 9"}\n\n'),
        ("tic-tac-toe", '{"moves": ["5", "1", "9"], "players": ["a", "b"]}\n'),
        ("tic-tac-toe", '{"actions": [4, 0, 8], "start": "-"}'),
        ("tic-tac-toe", OPENSPIEL),
        ("openspiel:tic_tac_toe", OPENSPIEL),
        ("openspiel:tic_tac_toe", "4 0 8"),
        ("gomoku:3x3-3", "(;GM[4]SZ[3]PB[a]PW[b];B[bb];W[aa];B[cc])"),
        ("gomoku:3x3-3", '{"actions": [4, 0, 8]}'),
        ("connect-four", '{"actions": [4, 0, 6]}'),
    ],
)
def test_one_game_in_many_forms(client: Client, game: str, text: str) -> None:
    (played,) = read_played_games(game, text)
    assert len(client.score_games(game, [played])) == 3
    assert played.players in (PLAYERS, ("a", "b"))


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("tic-tac-toe", "5 1 9\n5 5\n", "game 2, from line 2: .*the cell is taken"),
        ("tic-tac-toe", '{"actions": [4, 4]}', "game 1, from line 1: move 2: 4 is no legal move"),
        ("tic-tac-toe", '{"actions": [0, 3, 1, 4, 2, 5]}', "move 6: the game is over"),
        ("tic-tac-toe", '{"actions": "4"}', 'line 1: "actions" is no list of numbers'),
        ("tic-tac-toe", '{"actions": [true]}', "no list of numbers"),
        ("tic-tac-toe", '{"moves": 4}', "neither a text nor a list of texts"),
        ("tic-tac-toe", '{"moves": "4", "players": ["a"]}', "are no two names"),
        ("tic-tac-toe", '{"moves": "4", "start": 3}', "is no text of a position"),
        ("tic-tac-toe", '{"move": "4"}', 'no object with "moves" or "actions"'),
        ("tic-tac-toe", '{"moves": "4"}\n{', "line 2: '{' is no JSON"),
        ("tic-tac-toe", OPENSPIEL.replace("8", "FEN x"), "that is no list of actions"),
        ("chess", '{"actions": [89]}', "OpenSpiel's actions cannot be read in chess: write its moves"),
        ("gomoku:3x3-3", '{"actions": [9]}', "9 is no square of gomoku:3x3-3"),
        ("mens-morris:9", '{"actions": [0, 3, 1, 4, 2]}', "no man is taken yet"),
        ("mens-morris:9", '{"actions": [0, 0]}', "action 0 is not legal"),
        ("chess", '[Variant "Atomic"]\n\n1. e4', "from line 1"),
    ],
)
def test_what_cannot_be_read_is_named(client: Client, game: str, text: str, message: str) -> None:
    with pytest.raises(EngineError, match=message) as failed:
        client.score_games(game, read_played_games(game, text))
    assert isinstance(failed.value, InvalidMoveError | InvalidPositionError)


def test_columns_and_summaries(client: Client, tmp_path: Path) -> None:
    client.solve_all_moves("tic-tac-toe", "moves:5", budget=Budget(seconds=30))
    games = [PlayedGame("5 2 1 9 4 6 7", ("Ann", "Ben")), PlayedGame("5 1 9", ("Ben", "Ann"))]
    scores = client.score_games("tic-tac-toe", games, nodes=100_000)
    table = scores.to_arrow()
    assert table.num_rows == 10 and table.column("regret").to_pylist() == [row.regret for row in scores]
    assert table.column("best_moves").to_pylist()[1] == ["1", "3", "7", "9"]
    scores.write_parquet(tmp_path / "scores.parquet")
    again = pyarrow.parquet.read_table(tmp_path / "scores.parquet")
    fingerprint = client.statistics("tic-tac-toe").games[0].fingerprint
    assert again.equals(table) and again.schema.metadata[b"proofbase.fingerprint"].decode() == fingerprint
    assert again.schema.metadata[b"proofbase.game"] == b"tic-tac-toe"
    ann, ben = scores.players()
    assert (ann.player, ann.moves, ann.known, ben.moves) == ("Ann", 5, 5, 5)
    assert ben.kept == 5 - sum(row.regret != 0 for row in scores if row.player == "Ben")
    assert ben.regret == sum(row.regret or 0 for row in scores if row.player == "Ben")
    (thrown,) = scores.thrown()
    last = [row for row in scores if row.game == 1 and row.regret][-1]
    assert thrown.move == last and (thrown.before, thrown.after) == (last.value, last.value_of_move)
    assert ben.thrown + ann.thrown == 1
    assert b"average regret" in scores.svg()
    empty = client.score_games("tic-tac-toe", [])
    assert empty.to_arrow().num_rows == 0 and empty.players() == []


def test_the_regret_of_a_move_is_that_of_the_scored_game(client: Client) -> None:
    """By texts and by numbers, many at once and one alone; what is not stored is None."""
    client.solve_all_moves("tic-tac-toe")
    client.solve_all_moves("tic-tac-toe", "5")
    game, random = open_rules("tic-tac-toe"), Random(3)
    rows = list(client.score_games("tic-tac-toe", [random_game(game, random) for _ in range(50)]))
    positions, moves = [row.position for row in rows], [row.move for row in rows]
    regrets = client.regrets("tic-tac-toe", positions, moves)
    assert regrets == [row.regret for row in rows]
    assert len({*regrets}) > 2 and None in regrets
    numbers = [
        next(number for number in game.moves(at) if game.move_text(at, number) == move)
        for at, move in zip(map(game.parse, positions), moves, strict=True)
    ]
    assert client.regrets("tic-tac-toe", positions, numbers) == regrets
    assert client.regret("tic-tac-toe", None, "5") == 0 and client.regret("tic-tac-toe", "moves:5", "2") == 1
    key = game.key(game.parse(".../.x./..."))
    assert client.regrets("tic-tac-toe", [key, key], ["1", "2"]) == [0, 1]
    assert client.regrets("tic-tac-toe", [], []) == []


def test_an_item_that_is_no_move_is_named(client: Client) -> None:
    with pytest.raises(InvalidMoveError, match="item 1: "):
        client.regrets("tic-tac-toe", ["-", "5"], ["1", "5"])
    with pytest.raises(InvalidMoveError, match="item 0: the game is over"):
        client.regrets("tic-tac-toe", ["xxx/oo./..."], [5])
    with pytest.raises(InvalidPositionError, match="item 0: "):
        client.regrets("tic-tac-toe", ["nonsense"], ["1"])
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        client.regrets("tic-tac-toe", ["-", "5"], ["1"])
    with pytest.raises(InvalidMoveError, match=r"^the game is over"):
        client.regret("tic-tac-toe", "xxx/oo./...", 5)


def test_positions_as_a_data_set(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for each stored position, batches included, with values as lookups give them."""
    client.solve_all_moves("tic-tac-toe")
    monkeypatch.setattr(claim_tables, "BATCH", 7)
    summary = client.export_to(tmp_path / "set.parquet", "tic-tac-toe", form="positions")
    rows = pyarrow.parquet.read_table(tmp_path / "set.parquet").to_pylist()
    assert len(rows) == len({row["position"] for row in rows}) == summary.records > 100
    [counted] = client.statistics("tic-tac-toe").games
    assert {row["fingerprint"] for row in rows} == {counted.fingerprint}
    known = 0
    for row in rows[::5]:
        answer = client.lookup("tic-tac-toe", row["position"])
        moves = {move.move: move.value.lower if move.known else None for move in answer.moves}
        assert dict(zip(row["moves"], row["values"], strict=True)) == moves
        value = answer.value.lower if answer.known else None
        if row["best"] is not None:
            known += 1
            assert row["best"] == [move for move in row["moves"] if moves[move] == row["value"]]
        assert value in (row["value"], None)
    assert known and rows[0]["position"] == ".../.../..." and len(rows[0]["best"]) == 9


def test_the_fingerprint_of_a_data_set_is_that_of_its_export(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a part, and of a store that is written to after it was counted and while values are looked up."""

    def stamps(position: str | None) -> set[str]:
        client.export_to(tmp_path / "set.parquet", "tic-tac-toe", position, form="positions")
        return {*pyarrow.parquet.read_table(tmp_path / "set.parquet").column("fingerprint").to_pylist()}

    def exported(position: str | None) -> str | None:
        return client.export_to(tmp_path / "set.csv", "tic-tac-toe", position, form="csv").fingerprint

    def known_bounds(*arguments: Any) -> Any:
        client.solve("tic-tac-toe", "1")
        return looked_up(*arguments)

    client.solve("tic-tac-toe", "5")
    client.solve("tic-tac-toe", "52")
    part, whole = exported("52"), exported(None)
    assert part != whole and stamps("52") == {part} and stamps(None) == {whole}
    looked_up = claim_tables.known_bounds
    monkeypatch.setattr(claim_tables, "known_bounds", known_bounds)
    assert stamps(None) == {whole} and exported(None) != whole
    limits = client.limits

    def limits_later() -> Any:
        client.solve("tic-tac-toe", "2")
        return limits()

    monkeypatch.setattr(client, "limits", limits_later)
    assert stamps(None) != {whole}
