"""`/standard` and `/antichess` as clients of the public tablebase service read them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import chess
import chess.variant
import pytest
from asking import ask
from services import serving_both

from proofbase.service.application import open_application
from proofbase.service.client.local import LocalClient

MATE_IN_3 = "5b2/pp2r1pk/2pp1pRp/4rP1N/2P1P3/1P4QP/P3q1P1/5R1K w - - 0 1"  # Reinfeld (1958), 143
FIELDS = {"checkmate", "stalemate", "variant_win", "variant_loss", "insufficient_material", "dtz", "precise_dtz", "dtm"}
FIELDS |= {"dtw", "dtc", "category"}
NEGATED = {"win": "loss", "loss": "win", "draw": "draw", "maybe-win": "maybe-loss", "maybe-loss": "maybe-win"}


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the tables of three men of chess and of two of antichess, and one mate in three."""
    with open_application(str(tmp_path_factory.mktemp("tablebase") / "store")) as app:
        client = LocalClient(app, "")
        for game, men in (("chess", 3), ("giveaway:antichess", 2)):
            assert client.wait(client.start_table(game, men).id).state == "done"
        assert client.solve("chess", MATE_IN_3, at_least=1).result.value.lower == 1
        with serving_both(app) as (_, address):
            yield address


def asked(http: str, fen: str, variant: str = "standard") -> dict[str, Any]:
    answer = ask(http, f"/{variant}?fen={quote(fen)}")
    assert answer.status == 200, answer.body
    found: dict[str, Any] = answer.json
    return found


def positions(count: int, variant: str) -> Iterator[chess.Board]:
    """Positions of the tables, some of which are mate or stalemate."""
    seeded = random.Random(54)
    kind = chess.Board if variant == "standard" else chess.variant.AntichessBoard
    while count:
        board = kind(None)
        antichess = (seeded.choice("KQRBNP"), seeded.choice("kqrbnp"))
        men = ("K", "k", seeded.choice("QRBNPqrbnp")) if variant == "standard" else antichess
        for man, square in zip(men, seeded.sample(range(64), len(men)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = seeded.random() < 0.5
        if board.is_valid():
            count -= 1
            yield board


@pytest.mark.parametrize("variant", ["standard", "antichess"])
def test_answers_agree_with_python_chess(http: str, variant: str, thorough: bool) -> None:
    """Moves, names and flags are those of python-chess, and every value follows from the answers after its moves."""
    kinds = set()
    for board in positions(1000 if thorough else 40, variant):
        found = asked(http, board.fen().replace(" ", "_"), variant)
        moves, distance = found.pop("moves"), "dtm" if variant == "standard" else "dtw"
        assert set(found) == FIELDS
        _assert_flags(board, found, variant)
        assert {move["uci"] for move in moves} == {move.uci() for move in board.legal_moves}
        for move in moves:
            played = board.parse_uci(move["uci"])
            if variant == "standard":
                assert move["san"] == board.san(played)
            assert move["zeroing"] == board.is_zeroing(played)
            assert move["conversion"] == (board.is_capture(played) or played.promotion is not None)
            board.push(played)
            _assert_flags(board, move, variant)
            board.pop()
        kinds.add(found["category"])
        if moves:
            assert found["category"] == NEGATED[moves[0]["category"]]
            best = moves[0][distance]
            lengths = [move[distance] or 0 for move in moves if move["category"] == moves[0]["category"]]
            if found["category"] == "draw":
                assert found[distance] in (0, None)
            else:
                won = 1 if found["category"] == "win" else -1
                assert found[distance] == won - (best or 0) and lengths == sorted(lengths, reverse=True)
            board.push_uci(moves[-1]["uci"])
            after = asked(http, board.fen(), variant)
            assert {name: after[name] for name in FIELDS} == {name: moves[-1][name] for name in FIELDS}
    assert kinds >= {"win", "loss", "draw"}


def _assert_flags(board: chess.Board, found: dict[str, Any], variant: str) -> None:
    over = not any(board.legal_moves)
    if variant == "standard":
        assert (found["checkmate"], found["stalemate"]) == (board.is_checkmate(), board.is_stalemate())
        assert found["insufficient_material"] == board.is_insufficient_material()
        assert not found["variant_win"] and found["dtw"] is None
    else:
        assert found["variant_win"] == over and not found["variant_loss"] and found["dtm"] is None
        assert found["stalemate"] == (over and bool(board.occupied_co[board.turn]))


@pytest.mark.slow
def test_distances_are_those_of_published_mates(http: str, shared_data: Path) -> None:
    lines = [line for line in (shared_data / "chess_KRvK1000.epd").read_text().splitlines() if line[0] != "#"]
    assert len(lines) == 1000
    for line in lines:
        fen, _, mate = line.rstrip(";").partition(" bm #")
        moves = int(mate)
        found = asked(http, f"{fen} 0 1")
        assert (found["category"], found["dtm"]) == ("win", 2 * moves - 1) if moves > 0 else ("loss", 2 * moves)
        assert found["moves"][0]["dtm"] == ((2 - 2 * moves or None) if moves > 0 else -2 * moves - 1)


def test_unknown_is_said_and_no_bound_is_given_for_a_distance(http: str) -> None:
    unknown = asked(http, chess.STARTING_FEN)
    assert unknown["category"] == "unknown" and unknown["dtm"] is None and len(unknown["moves"]) == 20
    assert {move["category"] for move in unknown["moves"]} == {"unknown"}
    mate = asked(http, MATE_IN_3)
    assert (mate["category"], mate["moves"][0]["san"], mate["moves"][0]["category"]) == ("win", "Rxh6+", "loss")
    assert mate["dtm"] is None, "a mate within so many plies is no proof that there is no quicker one"
    assert {move["category"] for move in mate["moves"][1:]} <= {"unknown", "draw"}


@pytest.mark.parametrize(
    ("counter", "category", "best"),
    [(0, "win", "loss"), (93, "win", "loss"), (94, "maybe-win", "maybe-loss"), (100, "cursed-win", "blessed-loss")],
)
def test_the_counter_of_the_fifty_move_rule_counts(http: str, counter: int, category: str, best: str) -> None:
    """A mate in 4 (7 plies) by a rook: no move on the way sets the counter back."""
    found = asked(http, f"8/1k1K4/8/8/6R1/8/8/8 w - - {counter} 80")
    assert (found["dtm"], found["category"], found["moves"][0]["category"]) == (7, category, best)


def test_zero_plies_are_a_draw_and_no_mate(http: str) -> None:
    mate, stalemate = asked(http, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), asked(http, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert (mate["checkmate"], mate["category"], mate["dtm"]) == (True, "loss", None)
    assert (stalemate["stalemate"], stalemate["category"], stalemate["dtm"]) == (True, "draw", 0)
    dead = asked(http, "7k/8/4b1K1/8/8/8/B7/8 w - - 0 1")
    assert (dead["insufficient_material"], dead["category"], dead["dtm"]) == (True, "draw", 0)


def test_what_is_no_position_is_refused(http: str) -> None:
    for fen in ("", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "moves:e4"):
        assert ask(http, f"/standard?fen={quote(fen)}").status == 400
    assert ask(http, "/standard").status == 400
    assert ask(http, "/atomic?fen=x").status == 404


def test_a_published_client_works_with_this_address(http: str) -> None:
    berserk = pytest.importorskip("berserk", reason="berserk, a client of that service, is not installed")
    client = berserk.Client(tablebase_url=f"http://{http}")
    found = client.tablebase.standard("8/1k1K4/8/8/6R1/8/8/8 w - - 0 1")
    assert (found["category"], found["dtm"], found["moves"][0]["category"]) == ("win", 7, "loss")
    assert client.tablebase.antichess("8/8/8/8/8/8/8/2K2b2 b - - 0 1")["category"] == "win"
