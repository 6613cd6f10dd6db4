"""What moves are worth is kept by the records that it follows from: it is the same as worked out anew."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from proofbase.engine.games import open_game
from proofbase.service.positions import probe
from proofbase.service.positions.probe import probe_with_moves
from proofbase.storage import Claim, Evidence, MalformedRecordError, Record, Side, encode_record


class SomeRecords:
    """Records of some positions, with bounds by chance: true or not, and now and then none that is a record."""

    def __init__(self, game: Any, seed: int) -> None:
        self._game = game
        self._seed = seed

    def get_many(self, game: str, keys: Iterable[bytes]) -> list[bytes | None]:
        return [self._record(key) for key in keys]

    def _record(self, key: bytes) -> bytes | None:
        chance = Random(self._seed * 1_000_003 + int.from_bytes(key, "big"))
        moves = self._game.moves(self._game.position(key))
        if not moves or chance.random() < 0.3:
            return None
        if chance.random() < 0.02:
            return b"\xff"
        most = self._game.highest_value
        low, high = sorted(chance.randint(-most - 1 if chance.random() < 0.02 else -most, most) for _ in range(2))
        claims = [
            Claim(Side.LOWER, low, chance.randrange(4), Evidence.CHILDREN, chance.choice(list(moves))),
            Claim(Side.UPPER, high, chance.randrange(4), Evidence.CHILDREN),
        ]
        return encode_record(Record.of(claims[: 1 + chance.randrange(2)] if chance.random() < 0.9 else claims[1:]))


@pytest.mark.parametrize("name", ["tic-tac-toe", "awari", "connect-four:4x4"])
def test_kept_worths_are_those_worked_out_anew(name: str, monkeypatch: pytest.MonkeyPatch, thorough: bool) -> None:
    game, chance = open_game(name), Random(1)
    compared = damaged = 0
    games = 60 if thorough else 25

    def answer(position: Any, records: SomeRecords) -> Any:
        try:
            return probe_with_moves(game, position, records)
        except MalformedRecordError as error:
            return str(error), error.game, error.key

    for seed in range(games):
        position, records = game.initial(), SomeRecords(game, seed)
        while game.terminal(position) is None and compared < 100 * (seed + 1):
            found = answer(position, records)
            with monkeypatch.context() as anew:
                anew.setattr(probe, "_LARGEST_KEPT", -1)
                assert answer(position, records) == found, (name, seed, game.text(position))
            compared += 1
            damaged += isinstance(found[0], str)
            position = game.play(position, chance.choice(list(game.moves(position))))
    assert compared > 5 * games and 0 < damaged < compared / 2
