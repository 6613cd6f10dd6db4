"""`proofbase play --protocol`: whole conversations with boards and referees."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cli_runs import Run, cli

from proofbase.engine.games import open_game
from proofbase.service.cli import run

__all__ = ["cli"]

Talk = Callable[..., list[str]]


@pytest.fixture
def talk(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Sends lines to `proofbase play GAME --protocol P`; gives its lines."""

    def call(game: str, protocol: str, *lines: str, options: tuple[str, ...] = ()) -> list[str]:
        class Input:
            buffer = io.BytesIO("".join(f"{line}\n" for line in lines).encode())

            def isatty(self) -> bool:
                return False

        monkeypatch.setattr(sys, "stdin", Input())
        capfd.readouterr()
        status = run(["play", game, "--protocol", protocol, "--store", "memory:", "--seconds", "0.2", *options])
        printed = capfd.readouterr()
        assert (status, printed.err) == (0, "")
        return printed.out.splitlines()

    return call


def test_uci_mates_in_one_and_says_what_is_wrong(talk: Talk) -> None:
    said = talk(
        "chess",
        "uci",
        *("uci", "isready", "ucinewgame", "setoption name Hash value 1"),
        *("position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6", "go wtime 1000 btime 1000 winc 0"),
        *("go", "position startpos moves e2e5", "position somewhere", "go movetime soon", "quit", "isready"),
    )
    assert said[0].startswith("id name proofbase ") and said[2:4] == ["uciok", "readyok"]
    assert "bestmove h5f7" in said
    assert said[-5:-3] == ["info string the game is over", "bestmove 0000"] or "bestmove 0000" in said
    assert any("e2e5" in line for line in said) and "info string position startpos|fen FEN [moves ...]" in said
    assert "info string go movetime: soon is no number of milliseconds" in said
    assert said.count("readyok") == 1


def test_uci_makes_no_move_in_a_position_that_it_refused(talk: Talk) -> None:
    said = talk("chess", "uci", "position fen 8/8/8/4k3/8/8/1Q6/4K3 w - - 0 1", "go movetime 100", "quit")
    assert len(said) == 3 and all("in check" in line for line in said[:2]) and said[2] == "bestmove 0000"
    anew = talk("chess", "uci", "position fen 8/8/8/4k3/8/8/1Q6/4K3 w - - 0 1", "ucinewgame", "go movetime 100", "quit")
    assert anew[-1].startswith("bestmove ") and anew[-1] != "bestmove 0000"


def test_uci_writes_castling_and_promotion(talk: Talk) -> None:
    said = talk("chess", "uci", "position fen 7k/P7/6K1/8/8/8/8/8 w - - 0 1", "go movetime 100", "quit")
    assert said[-1] == "bestmove a7a8q" or said[-1] == "bestmove a7a8r"
    game: Any = open_game("chess", "python")
    from proofbase.engine.rules.chessboard.notation import uci

    position = game.parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    written = {game.move_text(position, move): uci(position, move) for move in game.moves(position)}
    assert (written["O-O"], written["O-O-O"]) == ("e1g1", "e1c1")
    assert all(game.parse_move(position, text) == game.parse_move(position, name) for name, text in written.items())


def test_gomocup_plays_stops_a_four_and_refuses(talk: Talk) -> None:
    said = talk(
        "gomoku",
        "gomocup",
        *("ABOUT", "START 15", "INFO timeout_turn 2000", "INFO game_type 1", "BOARD"),
        *("0,0,1", "7,7,2", "2,2,1", "8,7,2", "0,14,1", "9,7,2", "6,7,1", "10,7,2", "DONE"),
        *("TURN 11,7", "TURN a", "TAKEBACK 0,0", "BOARD", "1,1,1", "DONE", "BOARD", "x", "FLY", "START 2"),
        *("START 9", "BEGIN", "RESTART", "END", "ABOUT"),
    )
    moves = [line for line in said if not line.startswith(("MESSAGE", "ERROR", "UNKNOWN", "OK", "name="))]
    assert moves == ["11,7", "4,4"]
    assert said[0].startswith('name="proofbase"') and said[1] == "OK"
    errors = [line for line in said if line.startswith("ERROR")]
    assert [error[:26] for error in errors] == [
        "ERROR gomoku: move 'l8': t",
        "ERROR a is not x,y",
        "ERROR the last move was no",
        "ERROR BOARD: 1 stones of m",
        "ERROR BOARD: x is not x,y,",
        "ERROR gomoku:2x2: the side",
    ]
    assert "UNKNOWN FLY" in said


@pytest.mark.parametrize(("rule", "plays_six"), [(0, True), (1, False)])
def test_gomocup_plays_by_the_rule_that_it_is_told(talk: Talk, rule: int, plays_six: bool) -> None:
    board = (
        "BOARD",
        *(f"{column},0,1" for column in (0, 1, 2, 4, 5)),
        *(f"{column},9,2" for column in (0, 2, 4, 6, 9)),
    )
    said = talk("gomoku", "gomocup", f"INFO rule {rule}", "START 15", *board, "DONE", "INFO rule 4", "INFO rule 8")
    move = next(line for line in said if line[0].isdecimal())
    assert (move == "3,0") == plays_six  # a six
    assert [line for line in said if line.startswith("ERROR")] == [
        "ERROR the rule comes before the first move",
        "ERROR rule 8 is not played here: 0 is five or more, 1 exactly five, 4 renju",
    ]
    assert "ERROR renju:4x4: the sides" in talk("gomoku", "gomocup", "INFO rule 6", "START 4")[0]


def vertices(said: list[str]) -> Iterator[str]:
    return (line.removeprefix("= ") for line in said if line.startswith("= "))


def test_gtp_plays_a_whole_game_and_refuses(talk: Talk) -> None:
    said = talk(
        "tic-tac-toe",
        "gtp",
        *("1 protocol_version", "known_command genmove", "known_command dance", "boardsize 3", "boardsize 19"),
        *("time_settings 10 0 0", "play b 5", "play b 1", "play w 99", "play green 1", "play w 1", "genmove b"),
        *("undo", "reg_genmove b", "komi 6.5", "clear_board", "undo", "play b 5", "dance", "7", "9 quit", "name"),
        options=("--ponder", "--seed", "3"),
    )
    assert said[:2] == ["=1 2", ""]
    assert "= true" in said and "= false" in said
    assert [line for line in said if line.startswith("?")] == [
        "? unacceptable size: this is tic-tac-toe",
        "? it is the turn of white",
        "? tic-tac-toe: move '99': a move is a cell from 1 to 9",
        "? invalid color: black is the first player, white the second",
        "? cannot undo",
        "? unknown command",
        "?7 a command is missing",
    ]
    assert said[-2] == "=9"


def test_gtp_has_no_column_i_and_ends_a_game_that_is_over(talk: Talk) -> None:
    """Front ends of Go know neither the letter nor the end of such a game."""
    said = talk(
        "gomoku",
        "gtp",
        *("play b J8", "play w a1", "play b K8", "play w a2", "play b i8", "play b L8", "play w a3", "play b H8"),
        *("final_score", "genmove w", "genmove b", "play b PASS", "genmove w", "final_score", "showboard", "quit"),
    )
    assert [line for line in said if line.startswith("?")] == [
        "? invalid vertex: no column has the letter i",
        "? cannot score: the game goes on",
    ]
    assert "= g8" in said or "= m8" in said  # a five with the four from h8 to l8, in which there is no i8
    assert [line for line in said if line in ("= resign", "= B+1")] == ["= resign", "= B+1"]


def test_gtp_plays_awari_to_the_end(talk: Talk) -> None:
    rules: Any = open_game("awari")
    said = talk("awari", "gtp", *("genmove b", "genmove w") * 4, "showboard", "quit", options=("--search", "500"))
    position = rules.initial()
    moves = list(vertices(said))[:8]
    for text in moves:
        position = rules.play(position, rules.parse_move(position, text))
    shown = "\n".join(said)
    assert all(line.strip() in shown for line in rules.draw(position).splitlines())


def test_usage(cli: Run) -> None:
    refused = cli("play", "awari", "--protocol", "uci")
    assert refused.status == 2 and "--protocol uci is for chess and giveaway: gtp is for all games" in refused.err
    refused = cli("play", "gomoku", "h8", "--protocol", "gomocup")
    assert refused.status == 2 and "the board says which position it is" in refused.err
