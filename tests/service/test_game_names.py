"""Other names of games in requests, in stores and in files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from proofbase.engine.errors import RulesNotLoadedError
from proofbase.service.client import connect
from proofbase.service.commands.transfer.import_formats import open_json_lines
from proofbase.service.resources.games import GameCache


def test_a_request_may_have_an_alias_and_the_answer_has_the_name(tmp_path: Path) -> None:
    with connect(str(tmp_path / "store")) as client:
        assert client.lookup("Connect4:4x4").game == "connect-four:4x4"
        assert client.solve("tictactoe", at_least=0).spec.game == "tic-tac-toe"
        assert [entry.game for entry in client.statistics().games] == ["tic-tac-toe"]
        with pytest.raises(ValueError, match=r"did you mean connect-four\?"):
            client.lookup("conect-four")


def test_records_of_a_game_of_ones_own_are_not_taken_for_those_of_an_alias() -> None:
    cache = GameCache("python", stored=lambda name: name == "oware")
    with pytest.raises(RulesNotLoadedError, match="the store has records of 'oware'"):
        cache.open("oware")
    assert cache.open("connect4").name == "connect-four"
    assert not cache.is_users_own("connect4") and not cache.is_users_own("chess")


def test_a_file_of_another_game_is_not_taken_for_one_of_an_alias() -> None:
    line = json.dumps({"game": "oware", "key": "00", "claims": []}).encode()
    with pytest.raises(RulesNotLoadedError, match="the file is of an unknown game 'oware'"):
        open_json_lines(io.BytesIO(line), GameCache("python"))
