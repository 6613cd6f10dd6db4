"""Bad input to the native core: every message is whole and names its cause, and nothing is lost or leaks out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest

from proofbase.engine._core import RecordTable, Search, open_game, python_game
from proofbase.engine.checking.local_check import LocalCheck
from proofbase.engine.errors import (
    InvalidMoveError,
    InvalidPositionError,
    MalformedRecordError,
    UnknownAlgorithmError,
    UnknownGameError,
)
from proofbase.engine.formats.notation import read_position
from proofbase.engine.papers.reference.explicit_game import ExplicitGame
from proofbase.engine.papers.reference.graph import Edge, Graph
from proofbase.engine.records import Claim, Evidence, Record, Side, encode_record, search_payload
from proofbase.engine.rules import Game

WEIRD = ["é" * 200, "x" + "é" * 200, "xx" + "\U0001f600" * 99, "a\0b", "\ud800", "4\udcff", "\x7f\x1b[31m"]


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
@pytest.mark.parametrize("text", WEIRD)
def test_any_text_is_refused_with_a_printable_message(name: str, text: str) -> None:
    game = open_game(name)
    with pytest.raises(InvalidPositionError) as position:
        game.parse(text)
    with pytest.raises(InvalidMoveError) as move:
        game.parse_move(game.initial(), text)
    with pytest.raises(UnknownGameError) as unknown:
        open_game(text)
    with pytest.raises(UnknownGameError) as parameters:
        open_game("connect-four:" + text)
    with pytest.raises(UnknownAlgorithmError) as algorithm:
        Search(game, game.initial(), 1, algorithm=text)
    for failure in (position, move, unknown, parameters, algorithm):
        message = str(failure.value)
        assert message.isprintable() and 20 < len(message) < 300
        assert text != "a\0b" or "a\\x00b" in message
    with pytest.raises(InvalidPositionError):
        read_position(cast("Game[Any]", game), text)


def test_what_came_before_a_bad_item_stays_merged() -> None:
    game = open_game("connect-four")
    key, record = game.key(game.initial()), bytes.fromhex("11010102")

    def stopping() -> Iterator[tuple[bytes, bytes]]:
        yield key, record
        raise KeyError("the source ends here")

    for items, error in (([(key, record), (key, b"")], MalformedRecordError), (stopping(), KeyError)):
        table = RecordTable(game)
        with pytest.raises(error):
            table.load(items)
        assert table.get(key) == record


def test_answers_of_users_games_may_be_any_objects() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "\ud800" + "é" * 100

    class Wrong(ExplicitGame):
        def key(self, position: int) -> bytes:
            return Odd()  # type: ignore[return-value]

    game = python_game(Wrong(Graph([[]], [0], [None], [b"0"])))
    with pytest.raises(TypeError, match=r"key\(\) gave \\ud800\\xe9"):
        game.key(0)


def test_long_lines_of_high_rewards_do_not_wrap_around() -> None:
    reward = 2**30 - 2
    for plies in range(1, 12):
        edges = [[Edge(0, node + 1, (-reward, reward)[node % 2])] for node in range(plies)] + [[]]
        keys = [node.to_bytes(4, "big") for node in range(plies + 1)]
        rules = ExplicitGame(Graph(edges, [None] * plies + [0], [None] * (plies + 1), keys), 2**29 - 1)
        record = encode_record(
            Record.of([Claim(Side.LOWER, 0, plies, witness=0, evidence=Evidence.SEARCH, payload=search_payload(100))])
        )  # false: the first player loses every reward
        table = RecordTable(python_game(rules))
        table.put(keys[0], record)
        assert [finding.rule for finding in table.check().findings] == ["search"]
        assert list(LocalCheck(rules).findings([(keys[0], record)], lambda keys: [None] * len(keys)))


def test_nothing_is_said_about_leaks_at_the_end() -> None:
    held = """
import threading
from proofbase.engine._core import RecordTable, Search, open_game, python_game
from proofbase.engine.rules import TicTacToe
rules = TicTacToe()
rules.native = python_game(rules)  # a cycle that no collector sees through
search = Search(rules.native, rules.initial(), 1)
table = RecordTable(open_game("connect-four"))
threading.Thread(target=threading.Event().wait, daemon=True).start()
raise SystemExit(0)
"""
    run = subprocess.run([sys.executable, "-c", held], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_arguments_of_the_wrong_types_are_named() -> None:
    game: Any = open_game("tic-tac-toe")
    search: Any = Search
    table: Any = RecordTable
    position = game.initial()
    for call, message in (
        (lambda: search("tic-tac-toe", position, 1), "Search: game is a game of open_game"),
        (lambda: search(game, position, "1"), r"Search: at_least is a whole number \(int\), not str"),
        (lambda: search(game, position, 1.5), "Search: at_least is a whole number"),
        (lambda: search(game, position, True), "Search: at_least is a whole number"),
        (lambda: search(game, position, 1, algorithm=3), r"Search: algorithm is a text \(str\), not int"),
        (
            lambda: search(game, position, 1).run(nodes="many"),
            r"run\(\): nodes is a whole number \(int\) or None, not str",
        ),
        (lambda: search(game, position, 1).run(seconds="1"), r"run\(\): seconds is a number or None, not str"),
        (lambda: search(game, position, 1).run(nodes=10**30), "not a number of that size"),
        (lambda: game.play(position, "1"), r"play\(\): move is a whole number \(int\), not str"),
        (lambda: game.move_text(position, 0.5), r"move_text\(\): move is a whole number \(int\), not float"),
        (lambda: game.position("text"), r"position\(\): key is bytes, not str"),
        (lambda: game.parse(b"..."), r"parse\(\): text is a text \(str\), not bytes"),
        (lambda: game.play(5, 1), "a position of tic-tac-toe is bytes, not int"),
        (lambda: open_game(5), r"open_game\(\): name is a text \(str\), not int"),
        (lambda: table("tic-tac-toe"), "RecordTable: game is a game of open_game"),
        (lambda: table(game).get("k"), r"get\(\): key is bytes, not str"),
        (lambda: table(game).put(b"k", 5), r"put\(\): record is bytes, not int"),
    ):
        with pytest.raises(TypeError, match=message):
            call()
