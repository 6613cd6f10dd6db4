"""Questions about the result of a game as a whole: what was scored so far and what is still to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from cli_runs import Run, cli
from services import MakeService

from proofbase.engine import games
from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.rules import Game
from proofbase.service.client import SolveResult
from proofbase.service.errors import InvalidRequestError
from proofbase.service.jobs.solve.model import SolveSpec

__all__ = ["cli"]


class Row(NamedTuple):
    coins: tuple[int, ...]
    score: int = 0


class Coins(Game[Row]):
    """Take the coin at the left or at the right end of a row; the text is score:coins."""

    name = "coins"
    highest_value = 60

    def initial(self) -> Row:
        return Row((3, 9, 1, 2))

    def terminal(self, position: Row) -> int | None:
        return None if position.coins else 0

    def moves(self, position: Row) -> Sequence[int]:
        return (0, 1)

    def reward(self, position: Row, move: int) -> int:
        return position.coins[-move]

    def play(self, position: Row, move: int) -> Row:
        coins = position.coins[:-1] if move else position.coins[1:]
        return Row(coins, -(position.score + self.reward(position, move)))

    def score(self, position: Row) -> int:
        return position.score

    def key(self, position: Row) -> bytes:
        return bytes(position.coins) or b"\0"

    def position(self, key: bytes) -> Row:
        if not key or (key != b"\0" and not all(1 <= coin <= 9 for coin in key)):
            raise InvalidKeyError(f"{key.hex()} is no key of coins")
        return Row(() if key == b"\0" else tuple(key))

    def parse(self, text: str) -> Row:
        score, colon, coins = text.partition(":")
        if not colon or not score.lstrip("-").isdigit() or (coins and not coins.isdigit()) or "0" in coins:
            raise InvalidPositionError(f"{text!r} is no position of coins")
        return Row(tuple(map(int, coins)), int(score))

    def text(self, position: Row) -> str:
        return f"{position.score}:" + "".join(map(str, position.coins))


@cache
def worth(coins: tuple[int, ...]) -> int:
    return max(coins[0] - worth(coins[1:]), coins[-1] - worth(coins[:-1])) if coins else 0


@pytest.fixture(autouse=True)
def coins() -> Iterator[None]:
    games.register("coins", Coins)
    yield
    games._registered.pop("coins")


@pytest.mark.parametrize("score", [-12, -5, -1, 0, 1, 4, 30])
def test_the_score_so_far_and_the_value_make_the_result(make_service: MakeService, score: int) -> None:
    client = make_service().client
    row = (4, 7, 2, 9, 5, 1, 8)
    position = Row(row, score)
    text = Coins().text(position)
    result = score + worth(row)
    for threshold in (1, 0, result, result + 1):
        job = client.solve("coins", text, result_at_least=threshold)
        assert isinstance(job.spec, SolveSpec) and job.spec.at_least == threshold - score
        assert isinstance(job.result, SolveResult)
        assert job.result.status == ("proved" if result >= threshold else "disproved")
    answer = client.lookup("coins", text)
    assert answer.score == score
    assert answer.score + answer.value.lower == result == answer.score + answer.value.upper


def test_results_out_of_reach_and_two_questions_at_once_are_refused(make_service: MakeService) -> None:
    client = make_service().client
    with pytest.raises(InvalidRequestError, match=r"the score so far is \+70"):
        client.start_solve("coins", "70:123", result_at_least=1)
    with pytest.raises(InvalidRequestError, match="two questions"):
        client.start_solve("coins", "0:123", at_least=1, result_at_least=1)


def test_the_command_line_asks_for_wins_and_draws_of_the_whole_game(cli: Run, tmp_path: Path) -> None:
    row = (4, 7, 2, 9, 5, 1, 8)
    assert worth(row) == 2
    store = ("--store", tmp_path / "store")
    for score, option, status in ((-1, "--win", 0), (-2, "--win", 1), (-2, "--draw", 0), (-3, "--draw", 1)):
        text = Coins().text(Row(row, score))
        outcome = cli("solve", "coins", *store, option, "--", text)
        assert outcome.status == status, outcome
    assert cli("solve", "coins", *store, "--win-by", "6", "--", "4:4729518").status == 0
    assert cli("solve", "coins", *store, "--win-by", "7", "--", "4:4729518").status == 1
    shown = cli("lookup", "coins", *store, "--", "-3:4729518")
    assert "value  +2" in shown.out and "game   lost by 1" in shown.out
    refused = cli("solve", "coins", *store, "--win", "--draw", "0:123")
    assert refused.status == 2 and "two different questions" in refused.err
