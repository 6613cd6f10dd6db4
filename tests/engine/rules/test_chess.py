"""Chess: what is illegal, how moves are written and read, ends of the game, keys."""

from __future__ import annotations

from typing import Any

import pytest
from trials import load_trial

from proofbase.engine import open_game, open_rules
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError

GAMES = [open_game("chess"), open_rules("chess")]
BOTH = pytest.mark.parametrize("game", GAMES, ids=["native", "python"])
EN_PASSANT = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"


@pytest.mark.parametrize("name", ["chess", "giveaway:antichess"])
def test_random_games_are_those_of_python_chess(name: str) -> None:
    """A short piece of the trial, which compares 100,000 positions."""
    trial = load_trial("rules/trial_chess_positions")
    counts = trial.compare_games(name, 1200, 7)
    assert counts["positions"] == 1200 and counts["moves"] > 5_000 and counts["en passant"] > 0


ILLEGAL = {
    "8/8/8/8/8/8/8/K7 w - -": "Black has no king",
    "k7/8/8/8/8/8/8/8 w - -": "White has no king",
    "8/8/8/8/8/8/8/8 w - -": "White has no king",
    "k7/8/8/8/8/8/8/KK6 w - -": "White has 2 kings",
    "k7/8/8/8/8/8/8/K6r b - -": "White, not to move, is in check",
    "k6R/8/8/8/8/8/8/K7 w - -": "Black, not to move, is in check",
    "8/8/8/8/8/1k6/8/K1k5 w - -": "Black has 2 kings",
    "8/8/8/8/8/8/1k6/K7 w - -": "Black, not to move, is in check",
    "k6P/8/8/8/8/8/8/K7 w - -": "a pawn stands on the first or last rank",
    "k7/8/8/8/8/8/8/K6p w - -": "a pawn stands on the first or last rank",
    "k7/8/8/8/8/8/8/4K3 w K -": "a right to castle",
    "4k3/8/8/8/8/8/8/4K2R w KQ -": "a right to castle",
    "4k2r/8/8/8/8/8/8/4K3 w q -": "a right to castle",
    "4k3/8/8/8/8/8/8/4KB1B w K -": "a right to castle",
    "k7/8/8/8/8/8/8/K7 w - e6": "no pawn has just passed e6",
    "k7/8/8/4p3/8/8/8/K7 w - e3": "no pawn has just passed e3",
    "k7/8/4n3/4p3/8/8/8/K7 w - e6": "no pawn has just passed e6",
    "k7/4n3/8/4p3/8/8/8/K7 w - e6": "no pawn has just passed e6",
    "k7/8/8/8/4P3/8/4N3/K7 b - e3": "no pawn has just passed e3",
    "k7/8/8/8/P7/PPPPPPPP/8/K7 w - -": "White has 9 pawns",
    "kqqqqqqq/qqqqqqqq/q7/8/8/8/8/7K w - -": "Black has 17 men: there are 16",
    "": "a FEN has the men",
    "k7/8/8/8/8/8/8/K7": "a FEN has the men",
    "k7/8/8/8/8/8/8/K7 w - - 0 1 2": "a FEN has the men",
    "k7/8/8/8/8/8/8/K7 x - -": "the side to move is w or b",
    "k7/8/8/8/8/8/8/K7 w kK -": "the rights to castle are",
    "k7/8/8/8/8/8/8/K7 w KK -": "the rights to castle are",
    "k7/8/8/8/8/8/8/K7 w - e4": "the square of an en-passant capture",
    "k7/8/8/8/8/8/8/K7 w - - x 1": "the counters of moves are numbers",
    "k7/8/8/8/8/8/8/K7 w - - -1 1": "the counters of moves are numbers",
    "k7/8/8/8/8/8/8/K6 w - -": "a board has 8 ranks",
    "k7/8/8/8/8/8/8/K71 w - -": "a board has 8 ranks",
    "k7/8/8/8/8/8/8/8/K7 w - -": "a board has 8 ranks",
    "k7/8/8/8/8/8/K7 w - -": "a board has 8 ranks",
    "k7/8/8/8/8/8/8/K9 w - -": "men are",
    "k7/8/8/8/8/8/8/KX6 w - -": "men are",
}


@BOTH
@pytest.mark.parametrize("fen", ILLEGAL)
def test_illegal_positions_are_refused_with_the_reason(game: Any, fen: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        game.parse(fen)
    message = str(caught.value)
    assert message.startswith("chess: position ") and ILLEGAL[fen] in message and len(message) < 250


@BOTH
def test_counters_are_read_and_left_out(game: Any) -> None:
    start = game.initial()
    for rest in ("w KQkq", "w KQkq -", "w KQkq - 0 1", "w KQkq - 99 999", "  w  KQkq - 3"):
        assert game.parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR " + rest) == start
    assert game.text(start) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@BOTH
def test_the_square_of_en_passant_stays_only_where_a_capture_is_legal(game: Any) -> None:
    taken = game.parse(EN_PASSANT)
    assert " e3 " in game.text(taken) and "dxe3" in {game.move_text(taken, move) for move in game.moves(taken)}
    without = game.parse(EN_PASSANT.replace("e3", "-"))
    assert game.key(taken) != game.key(without) and game.parse(game.text(taken)) == taken
    nobody = game.parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert " - 0 1" in game.text(nobody)
    # The capture would open the rank between rook and king.
    assert " - 0 1" in game.text(game.parse("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"))


@BOTH
def test_a_capture_in_passing_may_answer_a_check(game: Any) -> None:
    position = game.parse("8/8/8/4k3/3Pp3/8/8/4K3 b - d3 0 1")
    after = game.play(position, game.parse_move(position, "exd3"))
    assert game.text(after) == "8/8/8/4k3/8/3p4/8/4K3 w - - 0 1"


@BOTH
def test_moves_are_read_in_every_usual_form(game: Any) -> None:
    start = game.initial()
    forms = ("Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "Nf3!?")
    assert len({game.parse_move(start, text) for text in forms}) == 1
    assert game.parse_move(start, "e4") == game.parse_move(start, "e2e4") == game.parse_move(start, "e2-e4")
    castling = game.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -")
    for texts in (("O-O", "0-0", "e1g1"), ("O-O-O", "0-0-0", "e1c1", "O-O-O!")):
        assert len({game.parse_move(castling, text) for text in texts}) == 1
    black = game.parse("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -")
    assert game.text(game.play(black, game.parse_move(black, "e8c8"))) == "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    promoting = game.parse("3n3k/4P3/8/8/8/8/8/K7 w - -")
    for texts in (("e8=Q+", "e8=Q", "e8Q", "e8=q", "e7e8q"), ("exd8=N", "exd8N", "e7d8n", "e7xd8=N")):
        assert len({game.parse_move(promoting, text) for text in texts}) == 1


@BOTH
def test_a_rook_that_is_taken_on_its_first_square_has_no_right_to_castle_any_more(game: Any) -> None:
    """The rook that takes it has left its own first square, too."""
    for side, left in (("w", {"Rxa8": "Kk", "Rxh8": "Qq"}), ("b", {"Rxa1": "Kk", "Rxh1": "Qq"})):
        position = game.parse(f"r3k2r/8/8/8/8/8/8/R3K2R {side} KQkq -")
        after = {text: game.play(position, game.parse_move(position, text)) for text in left}
        assert {text: game.text(child).split()[2] for text, child in after.items()} == left


@BOTH
@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        ("k7/8/8/8/8/8/8/K6R w - -", "Rg2", "it is not legal"),
        ("k7/8/8/8/8/8/8/K6R w - -", "Rh9", "a move is written like"),
        ("k7/8/8/8/8/8/8/K6R w - -", "", "a move is written like"),
        ("k7/8/8/8/8/8/8/K6R w - -", "O-O", "castling is not legal"),
        ("3k4/8/8/8/8/8/8/R3K2R w - -", "O-O", "castling is not legal"),
        ("3k4/8/8/8/8/8/8/R3K2R w KQ -", "Kg1", "it is not legal"),
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ -", "O-O", "castling is not legal"),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ -", "O-O", "castling is not legal"),
        ("k7/8/8/8/8/2N3N1/8/K7 w - -", "Ne4", "several men can make it"),
        ("7k/4P3/8/8/8/8/8/K7 w - -", "e8", "name what the pawn becomes"),
        ("7k/4P3/8/8/8/8/8/K7 w - -", "e8=K", "it is not legal"),
        ("7k/4P3/8/8/8/8/8/K7 w - -", "e8=P", "a move is written like"),
        ("7k/8/8/8/8/8/8/K6R b - -", "Kh7", "it is not legal"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", "Kg8", "the game is over"),
    ],
)
def test_moves_that_are_none_are_refused_with_the_reason(game: Any, fen: str, text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why):
        game.parse_move(game.parse(fen), text)


@BOTH
def test_origins_are_named_as_far_as_needed(game: Any) -> None:
    position = game.parse("6k1/8/8/Q7/8/8/8/Q1Q4K w - -")
    texts = {game.move_text(position, move) for move in game.moves(position)}
    assert {text for text in texts if text.endswith("c3")} == {"Q5c3", "Qa1c3", "Qcc3"}
    assert len(texts) == len(game.moves(position))


@BOTH
def test_mate_loses_and_stalemate_draws(game: Any) -> None:
    assert game.terminal(game.parse("R5k1/5ppp/8/8/8/8/8/K7 b - -")) == -1
    assert game.terminal(game.parse("7k/5Q2/6K1/8/8/8/8/8 b - -")) == 0
    bare = game.parse("k7/8/8/8/8/8/8/K7 w - -")
    assert game.terminal(bare) is None and game.repetition(bare) == 0 and game.moves(bare)


@BOTH
def test_a_drawing_shows_what_belongs_to_the_position(game: Any) -> None:
    assert game.draw(game.parse(EN_PASSANT)).splitlines() == [
        "8 r n b q k b n r", "7 p p p . p p p p", "6 . . . . . . . .", "5 . . . . . . . .", "4 . . . p P . . .",
        "3 . . . . . . . .", "2 P P P P . P P P", "1 R N B Q K B N R", "  a b c d e f g h", "castling KQkq",
        "en passant e3",
    ]  # fmt: skip


@BOTH
def test_keys_have_no_colour_and_without_castling_no_side_of_the_board(game: Any) -> None:
    keys = {
        game.key(game.parse(fen))
        for fen in (
            "4k3/8/8/8/8/8/4P3/R3K3 w - -", "3k4/8/8/8/8/8/3P4/3K3R w - -", "r3k3/4p3/8/8/8/8/8/4K3 b - -",
            "3k3r/3p4/8/8/8/8/8/3K4 b - -",
        )
    }  # fmt: skip
    assert len(keys) == 1
    castling = {
        game.key(game.parse(f"r3k2r/8/8/8/8/8/8/R3K2R {rest} -"))
        for rest in ("w KQkq", "w KQ", "w kq", "w K", "w Q", "w k", "w q", "w -", "b KQ", "b KQkq", "b K")
    }
    assert len(castling) == 8  # `b KQ` is `w kq`, `b KQkq` is `w KQkq`, `b K` is `w k`


@BOTH
def test_the_canonical_position_of_a_key_is_the_same_for_all_of_its_positions(game: Any) -> None:
    one, other = game.parse("r3k3/4p3/8/8/8/8/8/4K3 b - -"), game.parse("3k4/8/8/8/8/8/3P4/3K3R w - -")
    canonical = game.position(game.key(one))
    assert canonical == game.position(game.key(other)) and game.side(canonical) == 0
    assert game.key(canonical) == game.key(one)


def test_the_same_keys_are_refused() -> None:
    """Every byte of some keys changed to every value: both rules accept the same, and nothing but canonical keys."""
    native, rules = GAMES
    accepted = 0
    for fen in (EN_PASSANT, "r3k2r/8/8/8/8/8/8/R3K2R w Kq -", "8/4p3/8/2k5/8/3Q4/8/4K3 b - -"):
        key = native.key(native.parse(fen))
        for at in range(len(key)):
            for byte in range(0, 256, 5):
                changed = bytes([*key[:at], byte, *key[at + 1 :]])
                texts = []
                for game in (native, rules):
                    try:
                        texts.append(game.text(game.position(changed)))
                    except InvalidKeyError:
                        texts.append(None)
                assert texts[0] == texts[1], changed.hex()
                accepted += texts[0] is not None
    assert accepted > 100
    for size in (0, 24, 26):
        for game in GAMES:
            with pytest.raises(InvalidKeyError, match="25 bytes"):
                game.position(bytes(size))
