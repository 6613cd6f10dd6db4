"""`proofbase play`: random persons play against it, and it neither loses what is won nor claims what is not proved."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli_runs import GAME, Run, cli, default_interruptions, store
from heap_game import Heap

from proofbase.engine import games, read_position
from proofbase.service.answers import Value
from proofbase.service.cli import run
from proofbase.service.cli.play.adviser import Adviser, SearchBudget
from proofbase.service.client.connect import connect
from proofbase.service.words.values import value_text

__all__ = ["cli", "store"]

CLAIM = re.compile(r"^(proved|searched|unknown): (.*)$", re.MULTILINE)


@pytest.fixture
def heap() -> Iterator[None]:
    games.register("heap", Heap)
    yield
    games._registered.pop("heap")


class Terminal:
    """Standard input whose lines are made when they are read, from what has been printed so far."""

    def __init__(self, printed: Callable[[], str], answer: Callable[[str], str | None]) -> None:
        self.buffer = self
        self.shown = ""
        self._printed = printed
        self._answer = answer

    def isatty(self) -> bool:
        return False

    def readline(self, size: int = -1) -> bytes:
        new = self._printed()
        self.shown += new
        line = self._answer(new)
        return b"" if line is None else f"{line}\n".encode()


Play = Callable[..., str]


@pytest.fixture
def play(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs `proofbase play` against answers, a list of lines or a function of what was printed; gives the output."""

    def call(*arguments: object, answers: Sequence[str] | Callable[[str], str | None] = ()) -> str:
        lines = iter(answers) if not callable(answers) else None
        answer = answers if callable(answers) else lambda _: next(lines, None) if lines is not None else None
        capfd.readouterr()
        terminal = Terminal(lambda: capfd.readouterr().out, answer)
        monkeypatch.setattr(sys, "stdin", terminal)
        status = run(["play", *map(str, arguments)])
        printed = capfd.readouterr()
        assert (status, printed.err) == (0, "")
        return terminal.shown + printed.out

    return call


def check_against_random_person(play: Play, game: str, start: str, side: int, seed: int, *options: str) -> None:
    """A random person plays a game: what the program claims is true, and it reaches what it could have from the start.

    The value of every position is found by brute force.
    """
    rules: Any = games.open_game(game, "python")
    position = read_position(rules, start)
    player = rules.side(position)
    person = random.Random(seed)

    @cache
    def value(place: Any) -> int:
        over = rules.terminal(place)
        if over is not None:
            return int(over)
        return max(rules.reward(place, move) - value(rules.play(place, move)) for move in rules.moves(place))

    due = value(position) if player != side else -value(position)  # for the program
    scored = 0  # by the program, from the start on

    def make(text: str) -> None:
        nonlocal position, player, scored
        move = rules.parse_move(position, text)
        scored += rules.reward(position, move) * (1 if player != side else -1)
        position, player = rules.play(position, move), 1 - player

    def check_claim(kind: str, text: str) -> None:
        exact = value(position)
        if kind == "unknown":
            return
        if rules.highest_value > 1:
            assert re.search(rf"value {re.escape(value_text(Value.of(exact), 2))} for", text), (
                kind,
                text,
                exact,
            )
        elif exact:
            winner = player if exact > 0 else 1 - player
            assert f"{('first', 'second')[winner]} player" in text and "wins" in text, (kind, text, exact)
        else:
            assert text.startswith("a draw")

    def follow(printed: str) -> None:
        for line in printed.splitlines():
            claim, moved = CLAIM.match(line), re.match(r"the \w+ player \(the program\) plays (\S+): ", line)
            if claim:
                check_claim(claim[1], claim[2])
            elif moved:
                make(moved[1])

    def answer(printed: str) -> str | None:
        follow(printed)
        if rules.terminal(position) is not None:
            return "quit"
        text = rules.move_text(position, person.choice(rules.moves(position)))
        make(text)
        return str(text)

    shown = play(game, start, "--side", ("first", "second")[side], *options, answers=answer)
    assert rules.terminal(position) is not None and "the game is over" in shown
    result = scored + rules.terminal(position) * (1 if player != side else -1)
    assert result >= due, (shown, due)


@pytest.mark.parametrize("side", [0, 1])
def test_a_random_person_never_beats_it_at_tic_tac_toe(play: Play, store: str, side: int, thorough: bool) -> None:
    for seed in range(8 if thorough else 3):
        check_against_random_person(play, "tic-tac-toe", "-", side, seed, "--store", store)
    check_against_random_person(play, "tic-tac-toe", "moves:5 2", side, 1, "--store", "memory:")


@pytest.mark.parametrize("side", [0, 1])
def test_a_random_person_never_beats_it_at_connect_four(play: Play, store: str, side: int, thorough: bool) -> None:
    for seed in range(4 if thorough else 2):
        check_against_random_person(play, GAME, "moves:1 2 3", side, seed, "--store", store, "--search", "20k")


@pytest.mark.parametrize("side", [0, 1])
def test_a_random_person_never_wins_a_won_game_of_a_user(
    play: Play, heap: None, tmp_path: Path, side: int, thorough: bool
) -> None:
    url = tmp_path / "solved"
    assert run(["solve", "heap:13", "--store", str(url)]) == 0
    for seed in range(4 if thorough else 2):
        check_against_random_person(play, "heap:13", "-", side, seed, "--store", str(url))
        check_against_random_person(play, "heap:13", "-", side, seed, "--store", "memory:")


def test_scores_are_reached_in_a_game_with_rewards(play: Play) -> None:
    for seed in range(4):
        game = "random-graph:nodes=200,ends=20,values=3,rewards=2,seed=3"
        check_against_random_person(play, game, "-", seed % 2, seed, "--store", "memory:")


def test_a_random_person_cannot_make_awari_tables_lie(play: Play, tmp_path: Path) -> None:
    url = str(tmp_path / "awari")
    assert run(["tables", "build", "awari", "--stones", "4", "--store", url]) == 0
    person = random.Random(5)
    shown = play(
        "awari",
        "0,0,0,1,0,1/0,0,1,0,0,1/S",
        "--store",
        url,
        answers=lambda printed: (
            "quit" if "has won" in printed or "a draw" in printed[-90:] else _any_of(person, printed)
        ),
    )
    assert "(table awari-4)" in shown and "unknown" not in shown


def _any_of(person: random.Random, printed: str) -> str:
    """One of the moves that a message names; a word that is no move, to be told them, where there is no message."""
    found = re.findall(r"Moves are (.*?)(?:, \.\.\.)?; `help`", printed)
    return person.choice(found[-1].split(", ")) if found else "?!"


def test_commands(play: Play, store: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    shown = play(
        GAME,
        "--store",
        store,
        answers=[
            "1",
            "hint",
            "why",
            "moves",
            "2",
            "undo 2",
            f"save {file}",
            "3",
            f"save {file}",
            "save",
            "help",
            "quit",
        ],
    )
    assert re.search(r"^\d: draw", shown, re.MULTILINE) and "claim  " in shown and "rank" in shown
    assert "move  value" in shown and "undo [N]" in shown
    assert file.read_text() == shown[shown.index(f"# {GAME}, from -") : shown.index("a move        as")]
    assert file.read_text().splitlines()[1].startswith("# moves 3 ")
    assert run(["lookup", GAME, "--file", str(file), "--store", store, "--search", "10k"]) == 0
    go_on = re.search(r"`proofbase play .*` goes on", shown)
    assert go_on and "'moves:3 " in go_on[0] and f"--store {store}" in go_on[0]


def test_take_back_goes_into_the_moves_of_the_start_and_behind_the_end(play: Play, store: str) -> None:
    shown = play("tic-tac-toe", "moves:5 1", "--side", "both", "--store", store, answers=["undo 2", "undo", "save"])
    assert "there is no move of yours to take back" in shown and "# moves none" in shown
    shown = play("tic-tac-toe", "moves:1 4 2 5", "--side", "both", "--store", store, answers=["3", "4", "undo", "save"])
    assert "the first player has won" in shown and "the game is over" in shown
    assert shown.count("is no command, and the game is over") == 1 and "# moves 1 4 2 5\n" in shown


def test_bad_input_is_one_message_and_asks_again(play: Play, store: str, tmp_path: Path) -> None:
    existing = tmp_path / "kept.txt"
    existing.write_text("mine")
    cases = {
        "44": "connect-four:4x4: move '44'",
        "undo x": "undo 'x': a number of moves is needed",
        "undo 0": "undo '0': a number of moves is needed",
        "undo 7": "there is no move of yours to take back",
        f"save {existing}": "File exists",
        f"save {tmp_path}/no/where": "No such file or directory",
        f"save {tmp_path}/a.sgf": "is not written as SGF",
        ":1": "Moves are 1, 2, 3, 4; `help` lists the commands",
        "\x00\x1b[2J": "is a column from 1 to 4",
        "x" * 5000: "is a column from 1 to 4",
    }
    shown = play(GAME, "--store", store, answers=[*cases, "  ", "why", "quit"])
    before = shown.index("to move\n")
    for message in cases.values():
        assert message in shown[before:], message
    assert existing.read_text() == "mine" and "\x1b" not in shown and max(map(len, shown.splitlines())) < 300


def test_the_program_plays_both_sides_to_the_end(play: Play, store: str) -> None:
    shown = play(GAME, "--side", "none", "--store", store)
    assert "the game is over: a draw" in shown and shown.count(" plays ") == 16


def test_a_game_that_goes_round_ends(play: Play) -> None:
    shown = play("awari", "1,0,0,0,0,0/0,0,0,0,0,1/S", "--side", "none", "--store", "memory:", "--search", "0")
    assert "the game is over" in shown or "for the third time" in shown


def test_unknown_is_said_and_nothing_is_claimed(play: Play, tmp_path: Path) -> None:
    options = ("--search", "300", "--store", "memory:")
    shown = play("connect-four", *options, answers=["4", "why", "hint", "moves"])
    assert "unknown: a search of" in shown and "nothing is claimed" in shown and "a guess, by" in shown
    assert "proved" not in shown
    shown = play("connect-four", "--search", "0", "--store", "memory:", answers=["why"])
    assert "unknown: not stored, and nothing is searched" in shown and "nothing is stored of this position" in shown


def test_gomoku_is_saved_as_sgf(play: Play, cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    start = "h8 a1 i8 a15 j8 o1"
    shown = play("gomoku", start, "--store", "memory:", answers=["H7", "undo", "hint", "go", f"save {file}"])
    assert "searched: the first player (you) wins within 3 plies" in shown
    assert "win within 3 plies (no move is better)" in shown
    assert file.read_text().startswith("(;FF[4]GM[4]") and ";B[hh];W[ao]" in file.read_text()
    assert cli("lookup", "gomoku", file.read_text(), "--store", "memory:", "--search", "20k").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess960",), "unknown game 'chess960'"),
        ((GAME, "moves:99"), "move 1 of '99'"),
        ((GAME, "--search", "-1"), "--search -1: 0 or more"),
        ((GAME, "--search", "1G"), "at most 1000000"),
        ((GAME, "--seconds", "0"), "more than 0"),
        ((GAME, "--side", "third"), "third"),
    ],
)
def test_usage(cli: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = cli("play", *arguments, "--store", "memory:")
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err and outcome.err.count("\n") == 1


@pytest.fixture
def server(store: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server process on that store, and its address."""
    command = [sys.executable, "-m", "proofbase", "serve", "--listen", "127.0.0.1:0", "--store", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1], process
        process.kill()


def test_a_server_plays_like_its_store_and_its_end_loses_no_game(
    play: Play, store: str, server: tuple[str, subprocess.Popen[str]]
) -> None:
    address, process = server
    answers = ["1", "2", "why", "moves", "quit"]
    here = play(GAME, "--store", store, answers=answers)
    there = play(GAME, "--server", address, answers=answers)
    assert there.replace(f"--server {address}", f"--store {store}") == here

    lines = iter(["1", "KILL", "2", "go", "undo", "save", "quit"])

    def killed(_: str) -> str:
        line = next(lines)
        if line == "KILL":
            process.kill()
            process.wait()
            return "board"
        return line

    shown = play(GAME, "--server", address, answers=killed)
    assert "that failed: " in shown and "the program could not move: `go` lets it try again" in shown
    assert re.search(r"# moves 1 \d$", shown, re.MULTILINE) and "goes on with this game" in shown


def test_pipes_and_interruption_of_a_process(store: str) -> None:
    command = [sys.executable, "-m", "proofbase", "play", GAME, "--store", store]
    done = subprocess.run(command, input=b"1\n\xff\xfe\nhint", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"") and b"goes on with this game" in done.stdout
    slow = [*command[:4], "gomoku:7x7", "--store", "memory:", "--search", "1M", "--seconds", "9", "--side", "second"]
    with default_interruptions():
        process = subprocess.Popen(slow, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        line = b""
        while b"to move" not in line:
            line = process.stdout.readline()
            assert line, "it ended at once"
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
        assert (process.returncode, error) == (0, b"") and b"interrupted" in out
        assert time.monotonic() - asked < 8


def test_the_searches_behind_all_moves_share_the_seconds_of_one_move(monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[tuple[int, float]]()
    with connect("memory:") as client:
        answer = client.batch_lookup

        def batch_lookup(game: str, positions: list[str], **options: Any) -> Any:
            given.append((len(positions), options["search_seconds"]))
            return answer(game, positions, **options)

        monkeypatch.setattr(client, "batch_lookup", batch_lookup)
        rules = games.open_game("renju")
        for seconds in (0.02, 0.2, 4.0):
            adviser = Adviser(client, rules, SearchBudget(20_000, None))
            adviser.set_seconds(seconds)
            adviser.with_all_moves(read_position(rules, "moves:h8 i9 g9 j10"))
    assert [moves for moves, _ in given] == [1, 10, 64]
    assert [moves * each for moves, each in given] == pytest.approx([0.005, 0.05, 1.0])
