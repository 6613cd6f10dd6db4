"""Games of OpenSpiel by name: canonical names, what is refused and why, and what other parts make of them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from openspiel_games import SMALL

from proofbase.engine import list_games, open_game
from proofbase.engine.conformance import load_game
from proofbase.engine.errors import InvalidParametersError, UnknownGameError
from proofbase.engine.openspiel.catalogue import KEYS_VERSION, name_of, rules_version


@pytest.mark.parametrize("name", SMALL)
def test_canonical_names_stay(name: str) -> None:
    assert open_game(f"openspiel:{name}", "python").name == f"openspiel:{name}"


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("tic_tac_toe()", "tic_tac_toe"),
        ("connect_four( rows=4, columns=5 )", "connect_four(columns=5,rows=4)"),
        ("connect_four(rows=6,columns=7,x_in_row=4)", "connect_four"),
        ("connect_four(egocentric_obs_tensor=True,rows=4)", "connect_four(rows=4)"),
        ("hex(board_size=3,swap=True)", "hex(board_size=3,swap=true)"),
        ("hex(num_cols=3,board_size=3,num_rows=3)", "hex(board_size=3)"),
        ("hex(board_size=11,num_cols=4)", "hex(num_cols=4)"),
        ("go(board_size=3,komi=7.5)", "go(board_size=3)"),
        ("go(board_size=3,komi=2)", "go(board_size=3,komi=2.0)"),
        ("dots_and_boxes(utility_margin=TRUE,num_cols=1)", "dots_and_boxes(num_cols=1,utility_margin=true)"),
    ],
)
def test_one_game_has_one_name(written: str, canonical: str) -> None:
    game = open_game(f"openspiel:{written}", "python")
    assert game.name == f"openspiel:{canonical}" == name_of(game.rules.game)  # type: ignore[attr-defined]
    assert open_game(game.name, "python").name == game.name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hexx", r"OpenSpiel has no game 'hexx': did you mean hex\?"),
        ("zzz", r"OpenSpiel has no game 'zzz'; it has \d+, such as"),
        ("Tic_Tac_Toe", "is no name of a game of OpenSpiel, such as"),
        ("hex(size=3)", "hex has no parameter 'size'; it has board_size, num_cols,"),
        ("tic_tac_toe(size=3)", "tic_tac_toe has no parameter 'size'; it has none"),
        ("hex(board_size)", "'board_size' is not a list such as rows=4,columns=4"),
        ("hex(board_size=x)", "board_size is a whole number, not 'x'"),
        ("hex(swap=1)", "swap is true or false, not '1'"),
        ("hex(board_size=3,board_size=4)", "board_size is given twice"),
        ("twixt(board_size=2)", "board_size is 5 to 15 here, not 2"),
        ("clobber(columns=1)", "columns is 2 to 26 here, not 1"),
        ("amazons(board_size=7)", r"OpenSpiel refuses 'amazons\(board_size=7\)': "),
        ("pig", "has chance"),
        ("goofspiel", "has moves at the same time"),
        ("phantom_ttt", "hides something from the players"),
        ("morpion_solitaire", "is for 1 player"),
        ("pathfinding", "has moves at the same time"),
        ("start_at", "start_at is not among the games that are opened here"),
        ("misere(game=start_at(game=nim))", "start_at is not among the games that are opened here"),
        ("misere(game=misere(game=nim))", r"game cannot be 'misere\(game=nim\)' here"),
        ("go(komi=nan)", "komi cannot be 'nan' here"),
        ("nim(pile_sizes=2;-3)", "pile_sizes cannot be '2;-3' here"),
        ("coop_box_pushing", "is not zero-sum"),
        ("kuhn_poker", "has chance and hides something"),
        ("chess", "by their moves only.*17,695 moves.*Nearly the same game here is chess"),
        ("oware", "a repetition ends the game.*Nearly the same game here is awari:oware"),
        ("oware(num_houses_per_player=2,num_seeds_per_house=3)", "cannot be played here"),
        ("gomoku(size=15)", "take 241 bytes"),
        ("hex(board_size=19,swap=true)", "by their moves only"),
        ("checkers(rows=7,columns=8)", "with more columns than rows"),
        ("checkers(rows=4,columns=4)", "is over before the first move"),
        ("nim(pile_sizes=1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1)", "is no name for a game here"),
    ],
)
def test_what_is_refused_is_told_with_the_reason(name: str, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidParametersError, match=reason) as refused:
        open_game(f"openspiel:{name}", "python")
    assert str(refused.value).count("\n") == 0


def test_without_a_name() -> None:
    with pytest.raises(InvalidParametersError, match="openspiel:NAME is a game: amazons antichess "):
        open_game("openspiel", "python")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UnknownGameError, match=r"OpenSpiel is not installed: pip install 'proofbase\[openspiel\]'"):
        open_game("openspiel:tic_tac_toe", "python")


def test_it_is_imported_when_a_game_is_opened() -> None:
    program = (
        "import sys; from proofbase.engine import list_games, open_game; list_games(); open_game('chess', 'python');"
        "assert 'pyspiel' not in sys.modules;"
        "open_game('openspiel:tic_tac_toe', 'python'); assert 'pyspiel' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_it_is_listed_and_found_like_other_games() -> None:
    family = next(entry for entry in list_games() if entry.name == "openspiel")
    for example in family.examples:
        assert family.make(example.partition(":")[2]).name == example
        assert load_game(example).name == example
        assert open_game(example).name == example  # wrapped by the native core


def test_the_version_is_part_of_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_game("openspiel:nim", "python").rules_version == rules_version()
    for version, number in [("2.0.2", 2000200), ("1.6.13", 1061300), ("2.1", 2010000), ("2.0.3.dev4", 2000300)]:
        monkeypatch.setattr("proofbase.engine.openspiel.catalogue.version", lambda package, version=version: version)
        assert rules_version() == number + KEYS_VERSION


def test_rules_are_told() -> None:
    tree, keyed = open_game("openspiel:othello", "python"), open_game("openspiel:breakthrough", "python")
    assert tree.rules_text and "positions are lists of moves" in tree.rules_text
    assert keyed.rules_text and "Who reaches the last row" in keyed.rules_text
    assert "lists of moves: start" in tree.draw(tree.initial())
