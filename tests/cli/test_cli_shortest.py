"""`proofbase solve --shortest`: the shortest win with both proofs, which the checker confirms by the Python rules."""

from __future__ import annotations

import json
from csv import DictReader
from functools import cache
from pathlib import Path
from random import Random

import chess
import pytest
from cli_runs import Run, cli
from heap_game import heap_plugin
from values_by_definition import minimax

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.rules import Within

__all__ = ["cli", "heap_plugin"]

KNOWN_MATES = [
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),  # the scholar's mate
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),  # Morphy: 1. Ra6
    ("8/8/8/8/8/1k6/8/K2r4 w - - 0 1", None),  # mated already
    ("7r/8/8/8/8/1k6/8/1K6 b - - 0 1", 1),
]


@cache
def mate_within(fen: str, plies: int) -> bool:
    """Whether the side to move mates within so many plies, by another program's rules and brute force."""
    board = chess.Board(fen)
    for move in board.legal_moves:
        board.push(move)
        mated = board.is_checkmate() or (
            plies >= 3
            and not board.is_stalemate()
            and all(mate_within(after(board, reply), plies - 2) for reply in board.legal_moves)
        )
        board.pop()
        if mated:
            return True
    return False


def after(board: chess.Board, move: chess.Move) -> str:
    child = board.copy(stack=False)
    child.push(move)
    return child.fen(en_passant="legal")


@pytest.mark.parametrize(
    ("game", "position", "words"),
    [
        ("tic-tac-toe", "-", "no win: the value is draw within 9 plies"),
        ("chess", "8/8/8/8/8/1k6/8/K2r4 w - - 0 1", "no win: the game is over"),
        ("connect-four:4x4", "..../..../ooo./xxxx", "no win: the game is over"),
    ],
)
def test_why_there_is_no_win(cli: Run, game: str, position: str, words: str) -> None:
    outcome = cli("solve", game, position, "--shortest", "--store", "memory:")
    assert outcome.status == 1 and f"shortest     {words}\n" in outcome.out


@pytest.mark.parametrize(
    ("game", "position", "plies"),
    [
        ("connect-four:5x4", "...../...../...../.xxx. o", 2),
        ("gomoku:5x5", "xxxx./...../...../...../..... x", 1),
        ("gomoku:7x7", "......./......./..xxx../......./......./......./....... x", 3),
        ("qubic", f"xx../..../..../x...{'//..../..../..../....' * 3} x", 5),
    ],
)
def test_positions_with_any_stones_have_a_shortest_win(
    cli: Run, tmp_path: Path, game: str, position: str, plies: int
) -> None:
    store = tmp_path / "store"
    solved = cli("solve", game, position, "--shortest", "--store", store)
    assert solved.status == 0 and f"{plies} pl" in solved.out.partition("shortest")[2], solved.out
    assert "all pass" in cli("verify", f"within:{plies}:{game}", "--rules", "python", "--store", store).out


@pytest.mark.parametrize(("fen", "moves"), KNOWN_MATES)
def test_known_mates(cli: Run, tmp_path: Path, fen: str, moves: int | None) -> None:
    url = str(tmp_path / "store")
    outcome = cli("solve", "chess", fen, "--shortest", "--store", url)
    if moves is None:
        assert outcome.status == 1
        assert "the game is over" in outcome.out
        return
    assert outcome.status == 0
    refuted = f"; no mate in {moves - 1}, proved" if moves > 1 else ""
    assert f"shortest     mate in {moves}, proved{refuted}\n" in outcome.out
    assert mate_within(fen, 2 * moves - 1) and not (moves > 1 and mate_within(fen, 2 * moves - 3))
    [line] = [line for line in outcome.out.splitlines() if line.startswith("main line")]
    board = chess.Board(fen)
    for word in line.split()[2:]:
        if not word.endswith("."):  # the number of a move
            board.push_san(word)
    assert board.is_checkmate() and len(board.move_stack) == 2 * moves - 1


def test_the_certificates_of_both_proofs_are_accepted_by_the_python_rules(cli: Run, tmp_path: Path) -> None:
    fen, url = KNOWN_MATES[1][0], str(tmp_path / "store")
    found = cli("solve", "chess", fen, "--shortest", "--store", url, "--json").json
    assert (found["plies"], found["no_win_within"], found["no_win_at_all"], found["reason"]) == (3, 1, False, None)
    assert found["line"][0] == "Ra6" and len(found["jobs"]) == 2
    for plies in (3, 1):
        file = tmp_path / f"{plies}.cert"
        position = f"{fen} plies={plies}"
        asked = ("export", f"within:{plies}:chess", position, "--format", "certificate", "-o", file, "--store", url)
        assert cli(*asked).status == 0
        assert cli("check", file).status == 0
    verified = cli("verify", "--rules", "python", "--store", url)
    assert verified.status == 0 and "all pass" in verified.out


def test_the_plain_game_knows_the_win(cli: Run, tmp_path: Path) -> None:
    fen, url = KNOWN_MATES[1][0], str(tmp_path / "store")
    assert cli("solve", "chess", fen, "--shortest", "--store", url).status == 0
    known = cli("lookup", "chess", fen, "--store", url, "--json").json
    assert known["value"] == {"lower": 1, "upper": 1} and known["rank"] == 3 and known["best_move"] == "Ra6"
    assert known["sources"][0]["text"].startswith("within:3:chess: solve ")
    file = tmp_path / "plain.cert"
    assert cli("export", "chess", fen, "--format", "certificate", "-o", file, "--store", url).status == 0
    assert cli("check", file).status == 0


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("8/8/8/8/8/k7/7q/K7 w - - 0 1", 1),
        ("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", 1),  # Morphy, after 1. Ra6
        ("8/8/8/8/8/2k5/7r/1K6 w - - 0 1", 2),
    ],
)
def test_of_a_lost_position_the_longest_defence_is_proved(cli: Run, tmp_path: Path, fen: str, moves: int) -> None:
    url = str(tmp_path / "store")
    board = chess.Board(fen)
    replies = [after(board, reply) for reply in board.legal_moves]
    assert all(mate_within(reply, 2 * moves - 1) for reply in replies)
    assert moves == 1 or not all(mate_within(reply, 2 * moves - 3) for reply in replies)
    outcome = cli("solve", "chess", fen, "--shortest", "--store", url)
    assert outcome.status == 0 and f"shortest     mated in {moves}, proved" in outcome.out
    found = cli("solve", "chess", fen, "--shortest", "--store", url, "--json").json
    assert (found["plies"], found["loss_plies"], found["no_win_at_all"]) == (None, 2 * moves, True)
    assert len(found["line"]) == 2 * moves
    verified = cli("verify", "--rules", "python", "--store", url)
    assert verified.status == 0 and "all pass" in verified.out


def test_the_claims_of_a_file_are_settled(cli: Run, tmp_path: Path) -> None:
    morphy, lost = KNOWN_MATES[1][0].removesuffix(" 0 1"), "8/8/8/8/8/2k5/7r/1K6 w - -"
    claims = {
        f"{morphy} bm #2;": "agrees",
        f"{morphy} dm 3;": "shorter",
        f"{morphy} bm #1;": "differs",
        f"{lost} bm #-2;": "agrees",
        f"{lost} dm -3;": "shorter",
        f"{lost} dm -1;": "differs",
        f"{lost} bm #2;": "differs",
    }
    file, store = tmp_path / "mates.epd", tmp_path / "store"
    file.write_text("\n".join(claims))
    outcome = cli("solve", "chess", "--file", file, "--shortest", "--store", store)
    rows = list(DictReader(outcome.out.splitlines()))
    assert outcome.status == 1 and {row["position"]: row["verdict"] for row in rows} == claims
    assert [(row["plies"], row["loss_plies"]) for row in rows] == [("3", "")] * 3 + [("", "4")] * 4
    file.write_text(f"{morphy} bm #2;\n{lost}\n")
    [first, second] = cli("solve", "chess", "--file", file, "--shortest", "--store", store, "--json").out.splitlines()
    assert json.loads(first)["claims"] == [{"operation": "bm #2", "verdict": "agrees"}]
    document = json.loads(second)
    assert (document["line"], document["loss_plies"], len(document["main_line"])) == (2, 4, 4)
    file.write_text(f"{morphy}\nno position\n")
    refused = cli("solve", "chess", "--file", file, "--shortest", "--store", store)
    assert refused.status == 2 and "line 2" in refused.err and not refused.out


@pytest.mark.slow
def test_a_longer_defence_is_proved_both_ways(cli: Run, tmp_path: Path) -> None:
    fen, url = "rr5k/RR6/7K/8/8/8/8/8 b - - 0 1", str(tmp_path / "store")
    outcome = cli("solve", "chess", fen, "--shortest", "--store", url)
    assert "shortest     mated in 6, proved; not sooner with best defence, proved\n" in outcome.out
    answer = cli("lookup", "chess", fen, "--store", url)
    assert "mated in 6 (proved)" in answer.out
    for nodes, said in ((10_000, "no win: the value is at most draw"), (30_000, "lost; not mated within 5, proved")):
        stopped = cli("solve", "chess", fen, "--shortest", "--nodes", nodes, "--store", tmp_path / f"{nodes}")
        assert stopped.status == 1 and f"shortest     {said} (stopped by: nodes)\n" in stopped.out


def test_mates_of_random_endings_are_those_of_brute_force_by_another_program(cli: Run, tmp_path: Path) -> None:
    random, url, compared = Random(14), str(tmp_path / "store"), {0: 0, 1: 0, 2: 0}
    while min(compared.values()) < 3:
        squares = random.sample(range(64), 4)
        board = chess.Board(None)
        for square, man in zip(squares, "KkRQ", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        if not board.is_valid() or board.is_game_over():
            continue
        fen = board.fen()
        moves = next((number for number in (1, 2) if mate_within(fen, 2 * number - 1)), 0)
        if compared[moves] == 3:
            continue
        compared[moves] += 1
        found = cli("solve", "chess", fen, "--shortest", "--most-plies", 3, "--store", url, "--json").json
        if moves:
            assert (found["plies"], found["no_win_within"]) == (2 * moves - 1, max(0, 2 * moves - 3))
        else:
            assert (found["plies"], found["no_win_within"], found["reason"]) == (None, 3, "plies")


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("tic-tac-toe", "x.o/.../..x"),
        ("tic-tac-toe", "x../.o./..."),
        ("tic-tac-toe", "xx./o../..."),
        ("tic-tac-toe", "x.x/.../o.."),
        ("connect-four:4x4", "moves:1 1 2 2 3 3"),
        ("connect-four:4x4", "moves:1 2 1 2"),
        ("connect-four:5x4", "moves:3 1 3"),
        ("random-graph:nodes=60,degree=3,span=12,ends=20,group=6,seed=3", "n0"),
        ("random-graph:nodes=60,degree=3,span=12,ends=20,group=6,seed=5", "n0"),
        ("random-graph:nodes=60,degree=3,span=12,ends=20,seed=8", "n0"),
    ],
)
def test_distances_are_those_of_brute_force(cli: Run, tmp_path: Path, game: str, position: str) -> None:
    plain = open_rules(game)
    found = cli("solve", game, position, "--shortest", "--most-plies", 9, "--store", tmp_path / "store", "--json").json
    start = plain.parse(found["position"])
    distance = next(
        (n for n in range(1, 10) if minimax(within := Within(n, plain), within.parse(found["position"])) > 0), None
    )
    assert found["plies"] == distance
    defence = next(
        (n for n in range(1, 10) if minimax(within := Within(n, plain), within.parse(found["position"])) < 0), None
    )
    if defence is not None:
        assert (found["loss_plies"], found["no_win_at_all"]) == (defence, True)
        assert found["no_loss_within"] == max(0, defence - (2 if plain.wins_by_own_move else 1))
    if distance is not None:
        step = 2 if plain.wins_by_own_move else 1
        assert found["no_win_within"] == max(0, distance - step)
        assert plain.terminal(start) is None
    verified = cli("verify", "--rules", "python", "--store", tmp_path / "store")
    assert verified.status == 0


def test_a_game_without_a_win_is_noticed(cli: Run, tmp_path: Path) -> None:
    """Once more plies change nothing, the plain game is asked."""
    url = tmp_path / "store"
    found = cli("solve", "tic-tac-toe", "--shortest", "--store", url, "--json").json
    assert found["no_win_at_all"] and found["plies"] is None and found["reason"] is None
    assert len(found["jobs"]) < 12
    again = cli("solve", "tic-tac-toe", "--shortest", "--store", url)
    assert again.status == 1 and "no win: " in again.out and ", 0 questions" in again.out


def test_one_certificate_has_both_proofs(cli: Run, tmp_path: Path) -> None:
    """It is checked by the rules alone, and says the same after it was imported."""
    url, other, file = tmp_path / "store", tmp_path / "other", tmp_path / "both.proof"
    position = "xo./.../..."
    assert cli("solve", "tic-tac-toe", position, "--shortest", "--store", url).status == 0
    before = cli("export", "tic-tac-toe", "-", "--shortest", "-o", file, "--store", url)
    assert before.status == 2 and "solve it with --shortest first" in before.err and not file.exists()
    assert cli("export", "tic-tac-toe", position, "--shortest", "-o", file, "--store", url).status == 0
    said = f"tic-tac-toe {position}: win in 5 plies (proved shortest)\n"
    assert said in cli("check", file).out
    document = cli("check", file, "--json").json
    assert document["valid"] and document["no_win_within"] == 3 and document["header"]["lower"] == 1
    assert said in cli("import", file, "--store", other).out
    assert "win in 5 plies (proved shortest)" in cli("lookup", "tic-tac-toe", position, "--store", other).out
    alone = check_certificate(file.read_bytes())
    assert alone.valid and alone.no_win_within == 3
    refused = cli("export", "tic-tac-toe", position, "--shortest", "--format", "jsonl", "--store", url)
    assert refused.status == 2 and "--shortest is for certificates" in refused.err


def test_without_the_second_proof_a_certificate_says_so(cli: Run, tmp_path: Path) -> None:
    url, file = tmp_path / "store", tmp_path / "win.proof"
    game, position = "within:7:tic-tac-toe", "xo./.../... plies=7"
    assert cli("solve", game, position, "--at-least", 1, "--store", url).status == 0
    assert cli("export", game, position, "-o", file, "--store", url).status == 0
    assert cli("check", file, "--json").json["no_win_within"] == 0
    assert "tic-tac-toe xo./.../...: win within 7 plies\n" in cli("check", file).out


def test_threats_give_an_upper_bound_at_once(cli: Run, tmp_path: Path) -> None:
    url, moves = tmp_path / "store", "moves:0 21 3 22 12 26"
    stopped = cli("solve", "qubic", moves, "--shortest", "--nodes", 500, "--store", url)
    assert stopped.status == 1
    assert "win within 11 plies, proved; no win in 3 plies, proved (stopped by: nodes)\n" in stopped.out
    found = cli("solve", "qubic", moves, "--shortest", "--nodes", 500, "--store", url, "--json").json
    assert (found["plies"], found["win_within"], found["reason"]) == (None, 11, "nodes")


def test_budgets_end_it_and_other_questions_are_refused(cli: Run, tmp_path: Path) -> None:
    url = tmp_path / "store"
    stopped = cli("solve", "chess", "--shortest", "--nodes", 2000, "--store", url)
    assert stopped.status == 1
    assert "no mate in " in stopped.out and "(stopped by: nodes)" in stopped.out
    for others in (["--win"], ["--at-least", 1], ["--all-moves"], ["--workers", 2], ["--exact"]):
        refused = cli("solve", "chess", "--shortest", *others, "--store", url)
        assert refused.status == 2 and f"leave out {others[0]}" in refused.err
    assert cli("solve", "within:3:chess", "--shortest", "--store", url).status == 2
    assert cli("solve", "chess", "--most-plies", 3, "--store", url).status == 2
    assert cli("solve", "chess", "no position", "--shortest", "--store", url).status == 2


def test_a_game_of_ones_own_whose_positions_are_numbers_has_no_small_tables(
    cli: Run, tmp_path: Path, heap_plugin: Path
) -> None:
    command = ("solve", "heap:202", "--shortest", "--store", tmp_path / "store", "--plugin", heap_plugin, "--json")
    outcome = cli(*command, "--nodes", "3k").json
    assert outcome["nodes"] > 1_000 and outcome["no_win_within"] > 5
