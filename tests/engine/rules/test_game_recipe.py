"""Every built-in game has what CONTRIBUTING.md asks for under "Adding a game": what is missing fails by its name."""

from __future__ import annotations

import re

import pytest
from game_files import NATIVE_GAMES, PERFT, PYTHON_RULES, ROOT, native_games, perft_rows

from proofbase.engine import open_rules
from proofbase.engine._core import game_families, games_left_out
from proofbase.engine.rules import FAMILIES

PYTHON = {family.name for family in FAMILIES}
FILES = {
    *native_games(),
    *(header.stem for header in NATIVE_GAMES.glob("*.hpp") if "Described<" in header.read_text(encoding="utf-8")),
    *(file.stem for file in PERFT.glob("*.perft")),
}
GAMES = sorted(PYTHON | {file.replace("_", "-") for file in FILES})
"""Every game that has one of the first five parts."""
WITHOUT_BOARD = ("random-graph", "within")
"""Nobody plays the one; the other has the board of the game within."""


def header_of(game: str) -> str:
    return game.replace("-", "_")


@pytest.mark.parametrize("game", GAMES)
def test_the_game_has_python_rules_and_a_line_in_their_list(game: str) -> None:
    assert (PYTHON_RULES / f"{header_of(game)}.py").is_file()
    assert game in PYTHON, f"engine/rules/__init__.py: FAMILIES has no line for {game}"


@pytest.mark.parametrize("game", GAMES)
def test_the_game_has_a_native_header_and_a_folder_of_the_build(game: str) -> None:
    assert (NATIVE_GAMES / f"{header_of(game)}.hpp").is_file()
    assert header_of(game) in native_games(), f"engine/native/compiled/games has no folder for {game}"


@pytest.mark.parametrize("game", GAMES)
def test_the_native_header_ends_with_what_the_game_claims(game: str) -> None:
    header = (NATIVE_GAMES / f"{header_of(game)}.hpp").read_text(encoding="utf-8")
    claims = re.search(r"static_assert\(([^;]*)\);\n\n}  // namespace proofbase\n\Z", header)
    assert claims, "the header ends with a static_assert of the concepts that the game models"
    claimed = re.findall(r"(\w+)<\w+>", claims[1])
    assert {"Game", "Described", "Notated"} <= set(claimed)


@pytest.mark.parametrize("game", GAMES)
def test_the_game_has_perft_counts_with_their_source(game: str) -> None:
    file = PERFT / f"{header_of(game)}.perft"
    assert file.is_file()
    assert file.read_text(encoding="utf-8").startswith("# SOURCE: ")
    rows = perft_rows(header_of(game))
    assert game in {name.partition(":")[0] for name in rows}
    for name, counts in rows.items():
        assert name.partition(":")[0] == game and open_rules(name).name == name
        assert set(counts) == {"paths", "games", "positions", "keys"}, name
        assert len({len(row) for row in counts.values()}) == 1, name


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_of_the_game_have_perft_counts(game: str) -> None:
    """The boards with counts are those on which native and Python rules are compared (test_native_rules.py)."""
    [family] = [family for family in FAMILIES if family.name == game]
    assert set(family.examples) <= set(perft_rows(header_of(game)))
    assert family.examples and all(open_rules(example).name == example for example in family.examples)


@pytest.mark.parametrize("game", GAMES)
def test_the_game_has_its_row_and_its_section_in_the_docs(game: str) -> None:
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{game}`", page, re.MULTILINE), f"docs/games.md: the table has no row for {game}"
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.+)$", page, re.MULTILINE)}
    assert any(heading.startswith(game) for heading in headings), f"docs/games.md has no section on {game}"
    other = (ROOT / "docs" / "other-checkers.md").read_text(encoding="utf-8")
    keys = [
        name.partition(":")[0] for names in re.findall("^### (.+)$", other, re.MULTILINE) for name in names.split(", ")
    ]
    assert game in keys, f"docs/other-checkers.md has no section on the keys of {game}"


@pytest.mark.parametrize("game", [game for game in GAMES if game not in WITHOUT_BOARD])
def test_the_game_has_a_board(game: str) -> None:
    boards = (ROOT / "service" / "pictures" / "boards" / "__init__.py").read_text(encoding="utf-8")
    assert f'\n    "{game}": BoardOfGame(' in boards, f"service/pictures/boards/__init__.py: FAMILIES lacks {game}"


def test_the_build_has_every_game_of_the_list(request: pytest.FixtureRequest) -> None:
    built = {name for name, _, _ in game_families()}
    assert built | set(games_left_out()) == {header.replace("_", "-") for header in native_games()} == PYTHON
    if request.config.getoption("--built-games-only"):
        pytest.skip("a restricted build is tested: --built-games-only")
    assert not games_left_out(), "a restricted build (PROOFBASE_GAMES): test it with --built-games-only"
