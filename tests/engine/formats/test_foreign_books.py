"""Opening books of connect-four, read as their programs read them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bitbully.bitbully_core as core
import pytest
from bitbully_databases import BitBullyDatabases

from proofbase.engine import open_rules
from proofbase.engine.errors import InvalidPositionError
from proofbase.engine.formats.foreign.claim import ForeignClaim
from proofbase.engine.formats.foreign.connect_four_books import read_bitbully_book, read_pons_book


# --- BitBully --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "game", "count"),
    [
        ("8-ply", "connect-four", 34_515),
        ("12-ply", "connect-four", 1_735_945),
        ("12-ply-dist", "connect-four:7x6,score", 4_200_899),
    ],
)
def test_a_book_of_bitbully_says_what_bitbully_reads_in_it(name: str, game: str, count: int) -> None:
    file = Path(BitBullyDatabases.get_database_path(name))  # type: ignore[arg-type]
    read = read_bitbully_book(file, sample=300, seed=1)
    assert read.game == game and read.total == 300
    assert read_bitbully_book(file).total == count
    book = core.OpeningBookCore(file, name == "8-ply", name == "12-ply-dist")
    for claim in read.claims:
        rows = claim.position.split("/")
        board = core.BoardCore()
        assert board.setBoard([[" XO".index(" XO"[".xo".index(cell)]) for cell in row] for row in rows])
        value = book.getBoardValue(board)
        assert (claim.lower, claim.upper) == (value, value), claim
        assert book.isInBook(board) or book.isInBook(board.mirror())


def test_a_damaged_book_of_bitbully_is_named(tmp_path: Path) -> None:
    data = bytearray(Path(BitBullyDatabases.get_database_path("8-ply")).read_bytes())
    file = tmp_path / "book.dat"
    data[3 * 1_000] = 0xFF
    file.write_bytes(data)
    with pytest.raises(InvalidPositionError, match="entry 1000: no position of 8 stones"):
        list(read_bitbully_book(file).claims)
    file.write_bytes(b"no book")
    with pytest.raises(InvalidPositionError, match="entry 0: no book of BitBully"):
        read_bitbully_book(file)


# --- Pons ------------------------------------------------------------------------------------------------------------
def positions(game: Any, most: int) -> Iterator[Any]:
    """One position of each mirrored pair, with at most so many stones and the game not over."""
    seen, left = set[bytes](), [game.initial()]
    while left:
        position = left.pop()
        if game.key(position) in seen or game.terminal(position) is not None:
            continue
        seen.add(game.key(position))
        yield position
        if sum(map(len, position)) < most:
            left += [game.play(position, move) for move in game.moves(position)]


def key3(game: Any, position: Any) -> int:
    """The key of `Position::key3`."""
    own = "xo"[game.side(position)]
    digits = ["".join("1" if stone == own else "2" for stone in column) + "0" for column in position]
    return min(int("".join(digits), 3), int("".join(reversed(digits)), 3)) // 3


def next_prime(number: int) -> int:
    while any(number % factor == 0 for factor in range(2, number)):
        number += 1
    return number


def write_book(file: Path, game: Any, depth: int, key_bytes: int, log_size: int, scores: dict[int, int]) -> None:
    """As `OpeningBook::save` writes it, an entry taking the place of an earlier one."""
    size = next_prime(1 << log_size)
    keys, values = bytearray(size * key_bytes), bytearray(size)
    for key, score in scores.items():
        place = key % size
        low = (key % (1 << 8 * key_bytes)).to_bytes(key_bytes, "little")
        keys[place * key_bytes : (place + 1) * key_bytes] = low
        values[place] = score + game.width * game.height // 2 - 2
    file.write_bytes(bytes([game.width, game.height, depth, key_bytes, 1, log_size]) + keys + values)


@pytest.mark.parametrize("size", ["4x4", "6x3"])
def test_a_book_of_pons_is_read_as_it_was_written(tmp_path: Path, size: str) -> None:
    game: Any = open_rules(f"connect-four:{size},score")
    listed = list(positions(game, 5))
    scores = {key3(game, position): key3(game, position) % 9 - 4 for position in listed}
    file = tmp_path / "some.book"
    write_book(file, game, 5, 2, 10, scores)
    read = read_pons_book(file)
    claims = {claim.position: claim for claim in read.claims}
    assert read.game == game.name and read.total == len(claims)
    written = {game.key(position): scores[key3(game, position)] for position in listed}
    found = {game.key(game.parse(text)): claim.lower for text, claim in claims.items()}
    size_of_book = next_prime(1 << 10)
    last = {key3(game, position) % size_of_book: game.key(position) for position in listed}
    assert found == {key: written[key] for key in last.values()}
    assert len(found) > 0.4 * len(written) > 100


def test_an_entry_stands_for_all_positions_that_the_book_takes_for_the_same(tmp_path: Path) -> None:
    """With one byte of a key and few places the key is not known: `OpeningBook::get` answers for each of them."""
    game: Any = open_rules("connect-four:4x4,score")
    file = tmp_path / "small.book"
    listed = {key3(game, position): position for position in positions(game, 4)}
    size = next_prime(4)
    wanted = next(key for key in listed if key + 256 * size in listed)
    write_book(file, game, 4, 1, 2, {wanted: 1})
    claims: list[ForeignClaim] = list(read_pons_book(file).claims)
    same = {game.key(listed[key]) for key in (wanted, wanted + 256 * size)}
    assert {game.key(game.parse(claim.position)) for claim in claims} == same
    assert {(claim.lower, claim.upper) for claim in claims} == {(1, 1)}


def test_damaged_books_of_pons_are_named(tmp_path: Path) -> None:
    game: Any = open_rules("connect-four:4x4,score")
    file = tmp_path / "4x4.book"
    write_book(file, game, 2, 4, 4, {key3(game, game.initial()): 0})
    data = file.read_bytes()
    for damaged, said in (
        (data[:4], "byte 1: a book begins with six bytes"),
        (b"\x00" + data[1:], "byte 1: no board of 0 x 4"),
        (data[:4] + b"\x02" + data[5:], "byte 4: keys of 4 bytes, values of 2"),
        (data[:-1], f"the end: a book of 17 places has {len(data)} bytes, and this file {len(data) - 1}"),
        (data[:9] + b"\x7f" + data[10:], "entry 0: the key is that of no position"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(InvalidPositionError, match=said):
            list(read_pons_book(file).claims)


def test_samples_are_drawn_by_their_seed() -> None:
    file = Path(BitBullyDatabases.get_database_path("8-ply"))
    drawn = [[claim.place for claim in read_bitbully_book(file, 20, seed).claims] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and len(set(drawn[0])) == 20
