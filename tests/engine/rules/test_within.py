"""within:N:GAME: names, texts and keys, values against brute force, and what its records say about the plain game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from game_files import perft_rows
from ring_game import Ring
from values_by_definition import minimax

from proofbase.engine import games, open_rules
from proofbase.engine._core import RecordTable, Search
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.checking.plain_records import plain_game, plain_records
from proofbase.engine.conformance import refuse_broken_game
from proofbase.engine.errors import (
    InvalidKeyError,
    InvalidMoveError,
    InvalidParametersError,
    InvalidPositionError,
    UnknownGameError,
)
from proofbase.engine.games import open_game
from proofbase.engine.rules import FAMILIES, Game, Within, is_built_in

GRAPH = "random-graph:nodes=60,degree=3,span=12,ends=20,group=6"
REPETITION_WINS = "random-graph:nodes=60,degree=3,span=12,ends=20,group=6,repetition=1"
REWARDS = "random-graph:nodes=60,degree=3,span=12,ends=20,values=2,rewards=2,group=4"
SEARCHES = (
    "pn-tree",
    "pn-dag",
    "pss",
    "df-pn",
    "alpha-beta+table-1",
    "pn-cyclic",
    "pn-base-twin",
    "pn2",
    "null-window",
)


@pytest.fixture
def ring() -> Iterator[None]:
    games.register("ring", Ring)
    yield
    games._registered.pop("ring")


@pytest.mark.parametrize("rules", ["native", "python"])
def test_texts_of_positions_end_with_the_plies_left(rules: Any) -> None:
    game = open_game("within:7:chess", rules)
    fen = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"
    assert game.text(game.parse(fen + " plies=3")) == fen + " plies=3"
    assert game.parse(fen) == game.parse(fen + " plies=7")
    assert game.text(game.parse("plies=2")) == game.text(game.initial()).replace("plies=7", "plies=2")
    for wrong in ("plies=8", "plies=", "plies=-1", "plies=03", "plies=x", "plies=99999999999999999999"):
        with pytest.raises(InvalidPositionError, match="of within:7:chess 0 to 7 plies can be left"):
            game.parse(f"{fen} {wrong}")
    for wrong in ("", "8/8 plies=3", "no plies=3"):
        with pytest.raises(InvalidPositionError):
            game.parse(wrong)


@pytest.mark.parametrize("rules", ["native", "python"])
def test_each_move_takes_a_ply_and_without_plies_the_game_is_over(rules: Any) -> None:
    game = open_game("within:2:tic-tac-toe", rules)
    position = game.initial()
    for move, left in (("5", 1), ("1", 0)):
        position = game.play(position, game.parse_move(position, move))
        assert game.text(position).endswith(f" plies={left}")
        assert game.draw(position).endswith(f"\nplies left: {left}")
    assert game.terminal(position) == 0
    assert list(game.moves(position)) == []
    with pytest.raises(InvalidMoveError, match="no plies are left"):
        game.parse_move(position, "2")
    with pytest.raises(InvalidMoveError):
        game.play(position, 3)
    won = game.parse("xxx/oo./... plies=1")
    assert game.terminal(won) == -1
    key = game.key(won)
    assert key == open_game("tic-tac-toe", rules).key(open_game("tic-tac-toe", rules).parse("xxx/oo./...")) + b"\0\1"
    for wrong in (key[:-1] + b"\3", key[:-2], key + b"\0", b"", b"\1"):
        with pytest.raises(InvalidKeyError):
            game.position(wrong)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("within", InvalidParametersError),
        ("within:", InvalidParametersError),
        ("within:5", InvalidParametersError),
        ("within:5:", InvalidParametersError),
        ("within:0:chess", InvalidParametersError),
        ("within:05:chess", InvalidParametersError),
        ("within:10000:chess", InvalidParametersError),
        ("within:chess", InvalidParametersError),
        ("within:5:within:3:chess", InvalidParametersError),
        ("within:5:chess:x", InvalidParametersError),
        ("within:5:no-such-game", UnknownGameError),
    ],
)
def test_names_that_are_none_are_refused(name: str, error: type[Exception]) -> None:
    for rules in ("native", "python"):
        with pytest.raises(error):
            open_game(name, rules)  # type: ignore[arg-type]


def test_names_are_canonical() -> None:
    assert open_game("within:5:connect-four:7x6").name == open_rules("within:5:connect-four:7x6").name
    assert open_rules("within:5:connect-four:7x6").name == "within:5:connect-four"
    assert is_built_in("within:5:chess") and is_built_in("within") and not is_built_in("within:5:ring")


def test_values_are_those_of_a_search_to_the_depth() -> None:
    """v_n by its definition, without the class: an independent recursion over the plain game."""

    def value(game: Game[Any], position: Any, plies: int) -> int:
        ended = game.terminal(position)
        if ended is not None or plies == 0:
            return ended or 0
        return max(
            game.reward(position, move) - value(game, game.play(position, move), plies - 1)
            for move in game.moves(position)
        )

    for inner in (GRAPH, REWARDS, REPETITION_WINS, "tic-tac-toe", "connect-four:4x3"):
        plain = open_rules(inner)
        for plies in (1, 2, 5):
            game = Within(plies, plain)
            found = minimax(game, game.initial())
            assert found == value(plain, plain.initial(), plies)
            assert abs(found) <= game.limit(game.initial()) <= game.highest_value


@pytest.mark.parametrize("inner", [GRAPH, REWARDS, REPETITION_WINS, "tic-tac-toe", "connect-four:4x4", "chess"])
def test_every_search_answers_as_brute_force_does_with_a_solution_that_the_python_rules_confirm(inner: str) -> None:
    random = Random(inner)
    for plies in (1, 2) if inner == "chess" else (1, 4, 7):
        name = f"within:{plies}:{inner}"
        game, rules = open_game(name), open_rules(name)
        position = game.initial()
        if inner == "chess":
            position = game.parse("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
        elif inner == "tic-tac-toe":
            position = game.parse(f"x.o/.../..x plies={plies}")
        elif inner.startswith("random"):
            position = game.parse(f"n{random.randrange(20)} plies={plies}")
        value = minimax(rules, rules.parse(game.text(position)))
        for algorithm in SEARCHES:
            for threshold in (0, 1):
                search = Search(game, position, threshold, algorithm=algorithm)
                search.run()
                assert search.status == ("proved" if value >= threshold else "disproved"), (name, algorithm)
                solution = search.solution()
                records = dict(item for chunk in solution.chunks(1000, well_founded=True) for item in chunk)
                assert not broken(rules, records)


def broken(rules: Game[Any], records: dict[bytes, bytes]) -> list[Any]:
    """What the local check by the Python rules finds wrong in a closed set of records."""
    return list(LocalCheck(rules).findings(list(records.items()), lambda keys: [records.get(key) for key in keys]))


def test_a_users_game_is_wrapped_too(ring: None) -> None:
    rules = open_game("within:6:ring:4", "python")
    refuse_broken_game(rules, 30)
    game = open_game("within:6:ring:4")
    assert game.name == rules.name == "within:6:ring:4"
    assert game.acyclic and rules.highest_value == 2 * Ring("4").highest_value  # it has rewards
    value = minimax(rules, rules.initial())
    for threshold in range(-2, 4):
        search = Search(game, game.initial(), threshold, algorithm="pn-dag")
        search.run()
        assert search.status == ("proved" if value >= threshold else "disproved")
    with pytest.raises(UnknownGameError):
        open_game("within:6:rings")


def test_inner_games_with_long_keys_run_by_their_python_rules() -> None:
    game = open_game("within:3:gomoku:19x19")
    assert game.name == "within:3:gomoku:19x19"
    assert open_game("within:3:gomoku").key_size == 47


def test_who_wins_or_loses_has_moved_last_where_a_game_says_so() -> None:
    for family in FAMILIES:
        for example in family.examples:
            game: Game[Any] = open_game(example)
            rules = open_rules(example)
            if not (rules.wins_by_own_move or rules.loses_by_own_move):
                continue
            assert not (rules.wins_by_own_move and rules.loses_by_own_move)
            sign = 1 if rules.wins_by_own_move else -1
            random = Random(example)
            for _ in range(20):
                position = game.initial()
                for _ in range(150):
                    ended = game.terminal(position)
                    assert ended is None or sign * ended <= 0
                    if ended is not None:
                        break
                    position = game.play(position, random.choice(list(game.moves(position))))


def test_rewards_are_told_of() -> None:
    assert not open_rules("chess").has_rewards() and open_rules("awari").has_rewards()
    assert open_rules(REWARDS).has_rewards() and not open_rules(GRAPH).has_rewards()
    for name in perft_rows("within"):
        assert open_game(name).highest_value == open_rules(name).highest_value


@pytest.mark.parametrize(
    ("inner", "plies"),
    [(GRAPH, (0, 5)), (REPETITION_WINS, (0, 5)), ("tic-tac-toe", (3, 7)), ("connect-four:4x4", (6, 12))],
)
def test_wins_within_n_plies_are_claims_of_the_plain_game_that_pass_its_local_check(
    inner: str, plies: tuple[int, int]
) -> None:
    """Wins and losses, by children's claims and by small searches, of positions after some random moves."""
    plain = plain_game(f"within:7:{inner}")
    assert plain is not None
    wins = 0
    for seed in range(30):
        where = inner + (f",seed={seed}" if inner.startswith("random") else "")
        plain = open_rules(where)
        game = open_game(f"within:{3 + seed % 5}:{where}")
        random = Random(seed)
        position = open_game(where).initial()
        for _ in range(random.randrange(*plies)):
            if not open_game(where).moves(position):
                break
            position = open_game(where).play(position, random.choice(list(open_game(where).moves(position))))
        position = game.parse(open_game(where).text(position))
        if game.terminal(position) is not None:
            continue
        for threshold, nodes in ((1, 0), (0, 0), (1, 10_000)):
            search = Search(game, position, threshold, algorithm="pn-dag")
            search.run()
            solution: RecordTable = search.solution(small_search_nodes=nodes)
            given = [item for chunk in solution.chunks(100, well_founded=True) for item in chunk]
            table = RecordTable(open_game(where))
            derived = list(plain_records(plain, given))
            table.load(derived)
            merged = dict(item for chunk in table.chunks(1000, well_founded=True) for item in chunk)
            assert not broken(plain, merged)
            wins += len(merged)
    assert wins > 5


def test_nothing_follows_where_rewards_are_or_without_a_limit() -> None:
    assert plain_game("within:5:awari") is None
    assert plain_game(f"within:5:{REWARDS}") is None
    assert plain_game("chess") is None
    [draw] = [
        data
        for key, data in solved_records("within:1:tic-tac-toe")
        if key == open_game("within:1:tic-tac-toe").key(open_game("within:1:tic-tac-toe").initial())
    ]
    assert list(plain_records(open_rules("tic-tac-toe"), [(b"\0\0\0\1", draw)])) == []


def solved_records(name: str) -> list[tuple[bytes, bytes]]:
    game = open_game(name)
    search = Search(game, game.initial(), 1, algorithm="pn-dag")
    search.run()
    return [item for chunk in search.solution().chunks(100, well_founded=True) for item in chunk]
