"""Problems: keys and lengths as brute force by python-chess finds them, and what composers say of known ones."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from direct_mates import keys_of_mate, mates, shortest_mate, wins

from proofbase.engine._core import Tables, TableWork
from proofbase.engine._core import open_game as open_core_game
from proofbase.engine.checking.certificate import write_certificate
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.engine.problems.problem import examine
from proofbase.engine.problems.questions import Questions
from proofbase.engine.problems.reading import Problem
from proofbase.engine.problems.report import ProblemReport, Reply

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TWO_KEYS = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
REINFELD_1 = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"


def short_mates(most: int) -> list[str]:
    if not DATA.is_dir():
        pytest.skip(f"no shared test data at {DATA}")
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
        report = examine(Problem("chess", board.fen(en_passant="legal"), None)).report
        length = shortest_mate(board, most)
        assert length is not None, fen
        keys = keys_of_mate(board, length)
        assert (report.moves, set(report.keys)) == (length, keys), fen
        assert report.verdict == ("sound" if len(keys) == 1 else "cooked") and report.complete
        for attempt in report.tries:
            after = board.copy()
            after.push_san(attempt.move)
            refutations = [after.san(reply) for reply in after.legal_moves if not _still_wins(after, reply, length - 1)]
            assert refutations == [attempt.refutation], (fen, attempt)
        for dual in report.duals:
            line = board.copy()
            for move in dual.after:
                line.push_san(move)
            left = length - len(dual.after) // 2
            assert set(dual.continuations) == {line.san(m) for m in line.legal_moves if mates(line, m, left)}, fen
        compared += 1
    assert compared >= 5


def _still_wins(board: chess.Board, reply: chess.Move, moves: int) -> bool:
    board.push(reply)
    won = wins(board, moves)
    board.pop()
    return won


def certified(problem: Problem) -> ProblemReport:
    """The report. Its certificate is valid by the rules alone, and has a claim for each first move."""
    examined = examine(problem)
    questions, file = examined.questions, io.BytesIO()
    items = sorted(item for chunk in questions.table.chunks() for item in chunk)
    write_certificate(file, questions.game, examined.root, items)
    assert check_certificate(file.getvalue()).valid
    keys = {key for key, _ in items}
    for move in questions.game.moves(examined.root):
        after = questions.game.play(examined.root, move)
        assert questions.game.terminal(after) is not None or questions.game.key(after) in keys
    return examined.report


def test_a_problem_in_the_words_of_composers() -> None:
    report = certified(Problem("chess", REINFELD_1, 2, ("Qg6",)))
    assert (report.verdict, report.moves, report.keys, report.cooks) == ("sound", 2, ("Qg6",), ())
    assert report.solutions[0].threats == ("Qh7#",)
    assert {(one.move, one.refutation) for one in report.tries} == {
        ("Ng6+", "fxg6"),
        ("Nxf7+", "Bxf7"),
        ("Qxg7+", "Kxg7"),
    }
    replies = {reply.move: [one.move for one in reply.continuations] for reply in report.solutions[0].replies}
    assert replies["fxg6"] == ["Nxg6#"] and len(replies) == len(report.solutions[0].replies) > 20
    assert {reply.move for reply in report.set_play} == {"Bd7", "Bf5", "Bg4", "Bh3"}
    assert {dual.after[-1] for dual in report.duals} == {"Bd7", "Bg4", "Bh3", "h5"}
    assert all(dual.with_threat for dual in report.duals)


def test_cooks_short_solutions_and_no_solution() -> None:
    cooked = certified(Problem("chess", TWO_KEYS, 2, ("Kg6",)))
    assert (cooked.verdict, cooked.keys, cooked.cooks) == ("cooked", ("Kg6", "Kf7"), ("Kf7",))
    short = certified(Problem("chess", TWO_KEYS, 3))
    assert (short.verdict, short.moves, short.keys) == ("short", 2, ("Kg6", "Kf7"))
    unsolvable = examine(Problem("chess", TWO_KEYS, 1)).report
    assert (unsolvable.verdict, unsolvable.moves, unsolvable.keys) == ("unsolvable", None, ())
    longer = certified(Problem("chess", "8/8/8/4k3/8/8/8/R3K3 w Q - 0 1", 2))
    assert longer.verdict == "unsolvable" and len(longer.attempts) == 16
    assert all(attempt.refutation for attempt in longer.attempts) and not longer.tries
    hard = examine(Problem("chess", "8/8/8/4k3/8/8/8/R3K3 w Q - 0 1", None, (), 0.05)).report
    assert (hard.verdict, hard.complete) == ("open", False)
    with pytest.raises(InvalidPositionError, match="the game is over"):
        examine(Problem("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 2))


def test_the_tree_ends_with_the_time_though_all_of_it_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Questions("chess", 5, None)

    def answer_at_any_time(questions: Questions, position: Any, bound: int) -> bool:
        return late._at_least(late.game.parse(questions.game.text(position)), bound)

    def examined(seconds: float) -> ProblemReport:
        with monkeypatch.context() as patched:
            patched.setattr(Questions, "is_won", lambda self, position: answer_at_any_time(self, position, 1))
            patched.setattr(Questions, "is_lost", lambda self, position: not answer_at_any_time(self, position, 0))
            return examine(Problem("chess", TWO_KEYS, 2, (), seconds)).report

    whole, late_tree = examined(1000), examined(-1000)
    assert len(whole.solutions) == 2 and whole.complete
    assert (late_tree.verdict, late_tree.keys, late_tree.solutions) == ("cooked", whole.keys, ())
    assert not late_tree.complete


LESSON_IN_CASTLING = "r3k2r/4p1p1/2P1P3/3N2N1/4B3/4BP2/PQ5P/R3K2R w KQkq - 0 1"
"""Loyd, Missouri Democrat 1859 (https://pdb.dieschwalbe.de/P0001946): with both castlings 1.Rg1! mates in three, which
1.Nh7 cooks. With one of them only, which is how it was meant, 1.Qb7 or 1.Qxg7 mates in two."""


def test_a_known_cook_of_a_published_problem() -> None:
    report = examine(Problem("chess", LESSON_IN_CASTLING, 3, ("Rg1",))).report
    assert (report.verdict, report.moves, set(report.keys)) == ("cooked", 3, {"Rg1", "Nh7", "Nc7+"})
    assert set(report.cooks) == {"Nh7", "Nc7+"}  # the second one is no news to brute force and Popeye


def test_each_key_of_its_two_move_forms_fails_to_one_castling() -> None:
    report = examine(Problem("chess", LESSON_IN_CASTLING, 2)).report
    assert report.verdict == "unsolvable"
    assert {("Qb7", "O-O"), ("Qxg7", "O-O-O")} <= {(attempt.move, attempt.refutation) for attempt in report.tries}


# Loyd's two-movers as MESON has them, https://www.bstephen.me.uk/meson/pidsearch.pl?pid=...: keys, set play, tries
# with play, threats, variations.
PUBLISHED = {
    60314: (
        "3nrn2/1pp1pPpP/1RP1kPBP/3pBp2/3P1P2/3R1P2/3NQK2/8 w - - 0 1",
        "Ne4",
        "exf6 Bxc7# fxe8=Q# fxe8=R#; gxf6 Bxc7#",
        "Bd6+ Kxf6; Qe4 Nxg6; fxe8=Q Nxg6; fxe8=R Nxg6",
        "Nc5# Ng5#",
        """Nxc6 Nc5#; Nxf7 Nc5#; Nxg6 Ng5#; Nxh7 Nc5#; dxe4 Qa2# d5#; fxe4 f5#; bxc6 Nc5#; cxb6 Ng5#;
        exf6 fxe8=Q# fxe8=R#; gxf6 Nc5#; gxh6 Nc5#; Nd7 Ng5#""",
    ),
    1946: (
        "4br1n/8/4p2Q/3p1k2/4p1N1/1B4K1/8/8 w - - 0 1",
        "Ba2",
        """Rf6 Qxf6#; Rf7 Qh5#; Rg8 Qf6#; Ba4 Qh5#; Bb5 Qh5#; Bh5 Qxh5#; Bc6 Qh5#; Bg6 Qf4#; Bd7 Qh5#; Bf7 Qf6#;
        Ng6 Qh5#; Nf7 Qf6#; e3 Bc2#; d4 Bxe6#; e5 Ne3#""",
        "Kh4 Ng6+; Bd1 d4; Bc2 d4",
        "",
        None,
    ),
}


def read_play(text: str) -> dict[str, set[str]]:
    return {words[0]: set(words[1:]) for words in map(str.split, text.split(";"))}


def play_of(replies: Sequence[Reply]) -> dict[str, set[str]]:
    return {reply.move: {after.move for after in reply.continuations} for reply in replies}


@pytest.mark.parametrize("number", PUBLISHED)
def test_set_play_tries_and_variations_are_those_of_a_collection(number: int) -> None:
    fen, key, set_play, tries, threats, variations = PUBLISHED[number]
    report = examine(Problem("chess", fen, 2)).report
    assert (report.verdict, report.keys) == ("sound", (key,))
    assert {one.move: {after.move for after in one.continuations} for one in report.set_play} == read_play(set_play)
    ours = {attempt.move: {attempt.refutation} for attempt in report.tries}
    assert ours == {**ours, **read_play(tries)}  # it leaves out those that have no play
    assert set(report.solutions[0].threats) == set(threats.split())
    if variations is not None:
        assert play_of(report.solutions[0].replies) == read_play(variations)


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
    report = certified(Problem(game, opened.text(root), moves))
    plies = 2 * moves - 1
    right = [opened.move_text(root, move) for move in opened.moves(root) if wins_by(opened, root, move, plies)]
    assert list(report.keys) == right
    assert keys is None or len(report.keys) == keys
    assert report.verdict == ("unsolvable" if not report.keys else "cooked" if len(report.keys) > 1 else "sound")


def test_lengths_of_connect_four_are_those_of_published_scores() -> None:
    """A score of k above 0: the side to move wins with its k-th last stone."""
    if not DATA.is_dir():
        pytest.skip(f"no shared test data at {DATA}")
    game, compared = open_game("connect-four"), 0
    for line in (DATA / "c4_pons_Test_L3_R1.txt").read_text().splitlines()[2::40]:
        moves, score = line.split()
        if int(score) > 0:
            stones = len(moves) // 2  # of the side to move
            report = examine(Problem("connect-four", game.text(read_position(game, f"moves:{moves}")))).report
            assert report.moves == 22 - int(score) - stones, line
            compared += 1
    assert compared >= 3


@pytest.mark.slow("renju")
@pytest.mark.parametrize(
    ("game", "position", "moves", "keys"),
    [
        # https://chessvariants.training, as examples/bratko_kopec/giveaway-puzzles.epd of python-chess has it
        ("giveaway", "2b5/K1p1pk2/6pb/8/8/8/8/8 b - -", 6, {"Bb7"}),
        ("qubic", "moves:1,63,2,62,4,59,8,42", 2, {"0"}),
        ("renju", "moves:h8,a1,i8,b1,j8,c1", 2, {"g8", "k8"}),
    ],
    ids=["giveaway", "qubic", "renju"],
)
def test_keys_of_other_games(game: str, position: str, moves: int, keys: set[str]) -> None:
    opened = open_game(game)
    report = examine(Problem(game, opened.text(read_position(opened, position)), moves)).report
    assert (report.moves, set(report.keys)) == (moves, keys) and report.complete


def random_checkers(chance: random.Random) -> str:
    """Four men: a king each, and a man each."""
    kings_and_men = chance.sample(range(5, 29), 4)
    white, black = kings_and_men[:2], kings_and_men[2:]
    return f"{chance.choice('BW')}:WK{white[0]},{white[1]}:BK{black[0]},{black[1]}"


def test_tables_change_no_report_and_their_certificate_names_them(tmp_path: Path) -> None:
    """Three men of chess, whose first position is in a table, and four men of checkers above tables of three."""
    chance, decided = random.Random(20261130), 0
    for game in ("chess", "checkers"):
        assert TableWork(open_core_game(game), str(tmp_path), 3).build()
    positions = [("chess", TWO_KEYS, 2), *(("checkers", random_checkers(chance), 3) for _ in range(60))]
    for game, position, moves in positions:
        plain = examine(Problem(game, position, moves)).report
        examined = examine(Problem(game, position, moves), lambda within: Tables(within, str(tmp_path)))
        report = examined.report
        same = {"questions": 0, "records": 0, "tables": (), "attempts": ()}  # a move may fail to several replies
        assert replace(report, **same) == replace(plain, **same) and report.tries == plain.tries
        assert [one.move for one in report.attempts] == [one.move for one in plain.attempts]
        decided += bool(report.tables and report.keys)
        items = sorted(item for chunk in examined.questions.table.chunks() for item in chunk)
        file = io.BytesIO()
        write_certificate(file, examined.questions.game, examined.root, items)
        assert check_certificate(file.getvalue(), tables=tmp_path).valid
        assert check_certificate(file.getvalue()).valid == (not report.tables)
    assert decided > 3
