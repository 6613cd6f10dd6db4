"""Problems: keys and lengths as brute force by python-chess finds them, and what composers say of known ones."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import chess
import pytest

from proofbase.engine.checking.certificate import write_certificate
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.engine.problems import Problem, ProblemReport, examine

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TWO_KEYS = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
REINFELD_1 = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"


def wins(board: chess.Board, moves: int) -> bool:
    """Whether the side to move mates within so many moves, by the moves of python-chess alone."""
    return any(mates(board, move, moves) for move in board.legal_moves)


def mates(board: chess.Board, move: chess.Move, moves: int) -> bool:
    board.push(move)
    try:
        if moves == 1 or not any(board.legal_moves):
            return board.is_checkmate()
        for reply in board.legal_moves:
            board.push(reply)
            won = wins(board, moves - 1)
            board.pop()
            if not won:
                return False
        return True
    finally:
        board.pop()


def short_mates(most: int) -> list[str]:
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not there")
    positions = json.loads((DATA / "chess_reinfeld82.json").read_text())["positions"]
    fens = [f"{one['fen']} 0 1" for one in positions if 0 < (one["dm_engine"] or 99) <= most]
    for name in ("chess_classic280.epd", "chess_matetrack_pv.epd"):
        for line in (DATA / name).read_text().splitlines():
            found = re.match(r"(\S+ [wb] \S+ \S+) bm #(\d+);", line)
            if found and int(found[2]) <= most:
                fens.append(f"{found[1]} 0 1")
    return fens


@pytest.mark.slow("mate-in-3")
@pytest.mark.parametrize(("most", "step"), [(2, 4), (3, 6)], ids=["mate-in-2", "mate-in-3"])
def test_keys_and_lengths_are_those_of_brute_force(most: int, step: int) -> None:
    compared = 0
    for fen in short_mates(most)[::step]:
        board = chess.Board(fen)
        report = examine(Problem("chess", board.fen(en_passant="legal"), None))
        length = next(n for n in range(1, most + 1) if wins(board, n))
        keys = {board.san(move) for move in board.legal_moves if mates(board, move, length)}
        assert (report.moves, set(report.keys)) == (length, keys), fen
        assert report.verdict == ("sound" if len(keys) == 1 else "cooked") and report.complete
        for attempt in report.tries:
            after = board.copy()
            after.push_san(attempt.move)
            refutations = [after.san(reply) for reply in after.legal_moves if not _still_wins(after, reply, length - 1)]
            assert refutations == [attempt.refutation], (fen, attempt)
        for dual in report.duals:
            line = board.copy()
            for move in dual.line:
                line.push_san(move)
            left = length - len(dual.line) // 2
            assert set(dual.continuations) == {line.san(m) for m in line.legal_moves if mates(line, m, left)}, fen
        compared += 1
    assert compared >= 5


def _still_wins(board: chess.Board, reply: chess.Move, moves: int) -> bool:
    board.push(reply)
    won = wins(board, moves)
    board.pop()
    return won


def certified(report: ProblemReport) -> None:
    """The certificate of a report is valid by the rules alone, and has a claim for each first move."""
    assert report.questions is not None
    questions, file = report.questions, io.BytesIO()
    items = sorted(item for chunk in questions.table.chunks() for item in chunk)
    write_certificate(file, questions.game, report.root, items)
    assert check_certificate(file.getvalue()).valid
    keys = {key for key, _ in items}
    for move in questions.game.moves(report.root):
        after = questions.game.play(report.root, move)
        assert questions.game.terminal(after) is not None or questions.game.key(after) in keys


def test_a_problem_in_the_words_of_composers() -> None:
    report = examine(Problem("chess", REINFELD_1, 2, ("Qg6",)))
    assert (report.verdict, report.moves, report.keys, report.cooks) == ("sound", 2, ["Qg6"], [])
    assert report.threats == {"Qg6": ["Qh7#"]}
    assert {(one.move, one.refutation) for one in report.tries} == {
        ("Ng6+", "fxg6"),
        ("Nxf7+", "Bxf7"),
        ("Qxg7+", "Kxg7"),
    }
    replies = {reply.move: [one.move for one in reply.continuations] for reply in report.variations["Qg6"]}
    assert replies["fxg6"] == ["Nxg6#"] and len(replies) == len(report.variations["Qg6"]) > 20
    assert {reply.move for reply in report.set_play or ()} == {"Bd7", "Bf5", "Bg4", "Bh3"}
    assert {dual.line[-1] for dual in report.duals} == {"Bd7", "Bg4", "Bh3", "h5"}
    assert all(dual.with_threat for dual in report.duals)
    certified(report)


def test_cooks_short_solutions_and_no_solution() -> None:
    cooked = examine(Problem("chess", TWO_KEYS, 2, ("Kg6",)))
    assert (cooked.verdict, cooked.keys, cooked.cooks) == ("cooked", ["Kg6", "Kf7"], ["Kf7"])
    certified(cooked)
    short = examine(Problem("chess", TWO_KEYS, 3))
    assert (short.verdict, short.moves, short.keys) == ("short", 2, ["Kg6", "Kf7"])
    certified(short)
    unsolvable = examine(Problem("chess", TWO_KEYS, 1))
    assert (unsolvable.verdict, unsolvable.moves, unsolvable.keys) == ("unsolvable", None, [])
    longer = examine(Problem("chess", "8/8/8/4k3/8/8/8/R3K3 w Q - 0 1", 2))
    assert longer.verdict == "unsolvable" and len(longer.attempts) == 16
    assert all(attempt.refutation for attempt in longer.attempts) and not longer.tries
    certified(longer)
    hard = examine(Problem("chess", "8/8/8/4k3/8/8/8/R3K3 w Q - 0 1", None, (), 0.05))
    assert (hard.verdict, hard.complete) == ("open", False)
    with pytest.raises(InvalidPositionError, match="the game is over"):
        examine(Problem("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 2))


def wins_within(game: Any, position: Any, plies: int) -> bool:
    """By the rules alone."""
    return any(wins_by(game, position, move, plies) for move in game.moves(position))


def wins_by(game: Any, position: Any, move: int, plies: int) -> bool:
    after = game.play(position, move)
    end = game.terminal(after)
    if end is not None or plies == 1:
        return bool(end == -1)
    if plies == 2:
        return False
    return all(
        (end := game.terminal(reply)) == 1 or (end is None and wins_within(game, reply, plies - 2))
        for reply in (game.play(after, move) for move in game.moves(after))
    )


@pytest.mark.parametrize(
    ("game", "position", "moves", "keys"),
    [
        ("connect-four", "......./......./......./xo...../xo...../xo.....", 1, 1),
        ("connect-four:5x4", "...../...../..o../..xx.", 2, None),
        ("tic-tac-toe", "xo./.../...", 3, 3),
        ("gomoku:7x7", "......./......./..xxx../......./......./......./o....oo", 2, 2),
        ("checkers", "B:WK6:BK1", 1, 1),
    ],
)
def test_wins_of_other_games(game: str, position: str, moves: int, keys: int | None) -> None:
    opened = open_game(game)
    root = read_position(opened, position)
    report = examine(Problem(game, opened.text(root), moves))
    plies = 2 * moves - 1
    right = [opened.move_text(root, move) for move in opened.moves(root) if wins_by(opened, root, move, plies)]
    assert report.keys == right
    assert keys is None or len(report.keys) == keys
    assert report.verdict == ("unsolvable" if not report.keys else "cooked" if len(report.keys) > 1 else "sound")
    certified(report)
