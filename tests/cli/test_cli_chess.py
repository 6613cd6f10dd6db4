"""Chess and giveaway on the command line: values as chess players say them, grouped moves, PGN of lines and proofs."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import chess.pgn
import pytest
from cli_runs import Run, cli

from proofbase.service.cli import run

__all__ = ["cli"]

MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
MATE_IN_3 = "5b2/pp2r1pk/2pp1pRp/4rP1N/2P1P3/1P4QP/P3q1P1/5R1K w - - 0 1"  # Reinfeld (1958), 143


@pytest.fixture(scope="module")
def mates(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with two shortest mates and a lost opening of giveaway chess."""
    url = str(tmp_path_factory.mktemp("chess") / "store")
    for fen in (MORPHY, MATE_IN_3):
        assert run(["solve", "chess", fen, "--shortest", "--store", url]) == 0
    assert run(["solve", "giveaway", "moves:d4", "--win", "--store", url]) == 0
    return url


def test_a_lookup_says_the_mate_and_groups_the_moves(cli: Run, mates: str) -> None:
    shown = cli("lookup", "chess", MATE_IN_3, "--store", mates).out
    assert "White to move\n" in shown
    assert "value  mate in 3 (proved shortest), best move Rxh6+\n" in shown
    assert "\nwinning (1)\n" in shown and "\nnot known (" in shown
    [row] = [line for line in shown.splitlines() if line.startswith("Rxh6+ ")]
    assert row.split(maxsplit=1)[1].strip() == "mate in 3"
    answer = cli("lookup", "chess", MATE_IN_3, "--store", mates, "--json").json
    assert (answer["rank"], answer["no_win_within"]) == (5, 3)


def test_a_solve_says_the_mate_and_not_more_than_is_proved(cli: Run, tmp_path: Path) -> None:
    shown = cli("solve", "chess", MATE_IN_3, "--win", "--store", tmp_path / "store").out
    assert "value        mate within " in shown and "best move    Rxh6+\n" in shown
    assert "shortest" not in shown
    lost = cli("lookup", "chess", "moves:f3 e5 g4 Qh4", "--store", tmp_path / "store").out
    assert "White to move, but the game is over" in lost and "value  loss (the game is over)" in lost


def test_a_draw_has_no_distance(cli: Run, tmp_path: Path) -> None:
    fen = "7k/8/8/8/8/8/8/K7 w - - 0 1"
    assert cli("solve", "chess", fen, "--store", tmp_path / "store").status == 0
    shown = cli("lookup", "chess", fen, "--store", tmp_path / "store").out
    assert "value  draw" in shown and "drawing (" in shown and "plies\n" not in shown.split("claim")[0]


def test_giveaway_counts_moves(cli: Run, mates: str) -> None:
    shown = cli("lookup", "giveaway", "moves:d4", "--store", mates).out
    assert "Black to move\n" in shown and "value  win within " in shown and " moves, best move " in shown
    line = cli("line", "giveaway", "moves:d4", "--store", mates).out
    assert "\nline   1... " in line and " 2. " in line
    text = cli("line", "giveaway", "moves:d4", "--store", mates, "--pgn").out
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and game.errors == [] and game.headers["Variant"] == "Giveaway"
    assert "\n\n1. d4 {Black to move: win within " in text


def test_shortest_wins_of_giveaway_are_asked_for_at_even_plies(cli: Run, tmp_path: Path) -> None:
    """By `giveaway_endings_bruteforce.txt` it is a win in 4 plies."""
    fen = "8/8/8/8/8/8/8/2K2b2 b - - 0 1"
    shown = cli("solve", "giveaway", fen, "--shortest", "--store", tmp_path / "store").out
    assert "shortest     win in 2 moves, proved; no win in 1 move, proved\n" in shown and ", 2 questions" in shown
    assert (
        "value  win in 2 moves (proved shortest)" in cli("lookup", "giveaway", fen, "--store", tmp_path / "store").out
    )


@pytest.mark.parametrize(("side", "answer"), [("w", "mate in 14"), ("b", "mated in 15")])
def test_a_long_mate_of_few_men_is_found_by_tables_that_are_built(
    cli: Run, tmp_path: Path, side: str, answer: str
) -> None:
    fen, store = f"8/8/8/8/8/2k5/8/K6R {side} - - 0 1", tmp_path / "store"
    shown = cli("solve", "chess", fen, "--shortest", "--store", store, "--seconds", "60").out
    assert f"shortest     {answer}, proved" in shown and "by the table chess-kr-k\n" in shown
    assert "questions" in shown and ", 0 questions" in cli("solve", "chess", fen, "--shortest", "--store", store).out


def test_a_line_as_pgn_is_read_by_another_program(cli: Run, mates: str) -> None:
    text = cli("line", "chess", MATE_IN_3, "--store", mates, "--pgn").out
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and game.errors == []
    assert game.end().board().is_checkmate() and game.end().ply() == 5 and game.headers["Result"] == "1-0"
    assert game.comment == "White to move: mate in 3 (proved shortest)"


def test_a_proof_as_pgn_has_all_replies_and_ends_in_mates(cli: Run, mates: str) -> None:
    """Every line of it is played by another program: where Black is to move all his moves are there."""
    text = cli("tree", "chess", MATE_IN_3, "--store", mates, "--pgn").out
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and game.errors == []
    nodes: list[chess.pgn.GameNode] = [game]
    mates_seen = replies = 0
    while nodes:
        node = nodes.pop()
        board = node.board()
        moves = {child.move for child in node.variations}
        if not moves:
            assert board.is_checkmate() or "goes on as after" in node.comment or "search" in node.comment
            mates_seen += board.is_checkmate()
        elif board.turn == chess.WHITE:
            assert len(moves) == 1
        else:
            assert moves == set(board.legal_moves)
            replies += len(moves)
        nodes += node.variations
    assert mates_seen == 3 and replies == 5
    assert game.end().board().is_checkmate() and game.end().ply() == 5


def test_formats_are_for_their_games(cli: Run, mates: str) -> None:
    refused = cli("line", "tic-tac-toe", "--pgn", "--store", mates)
    assert refused.status == 2 and "--pgn is for chess and giveaway" in refused.err
    both = cli("line", "gomoku", "--sgf", "--pgn", "--store", mates)
    assert both.status == 2 and "--sgf and --pgn exclude each other" in both.err
    assert cli("tree", "chess", MORPHY, "--pgn", "--json", "--store", mates).status == 2
    unknown = cli("tree", "chess", "--pgn", "--store", mates)
    assert unknown.status == 1 and "White to move: unknown" in unknown.out


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 54 90", "; the mate is within it (1 ply, 46 left)"),
        ("7k/8/4K3/8/8/8/8/6Q1 w - - 98 90", "; the mate is not within it (3 plies, 2 left), unless a capture"),
        ("7k/8/4K3/8/8/8/8/6Q1 w - - hmvc 98;", "; the mate is not within it (3 plies, 2 left), unless a capture"),
    ],
)
def test_a_counter_of_fifty_moves_is_said_to_be_left_out(position: str, said: str, cli: Run, tmp_path: Path) -> None:
    for arguments in (("solve", "--shortest"), ("lookup",), ("lookup", "--json")):
        found = cli(*arguments[:1], "chess", position, *arguments[1:], "--store", tmp_path / "store")
        assert "is left out: chess here has no such rule" in found.out and said in found.out


def test_a_counter_of_nothing_is_not_spoken_of(cli: Run) -> None:
    drawn = cli("lookup", "chess", "7k/8/8/8/8/8/8/K7 w - - 10 90", "--search", "1k", "--store", "memory:")
    assert "(10) is left out: chess here has no such rule, chess:fifty has\n" in drawn.out
    for position in ("7k/8/5KQ1/8/8/8/8/8 w - - 0 90", "7k/8/5KQ1/8/8/8/8/8 w - - 54 90 moves Qg5"):
        assert "fifty" not in cli("lookup", "chess", position, "--search", "1k", "--store", "memory:").out
