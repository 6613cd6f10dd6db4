"""Qubic: lines and automorphisms, both sets of rules against each other and open_spiel, keys, texts, and the effort."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_combinations import settled_by_effort

from proofbase.engine import open_rules
from proofbase.engine._core import Search, open_game
from proofbase.engine.errors import InvalidKeyError, InvalidMoveError, InvalidPositionError
from proofbase.engine.rules.qubic import AUTOMORPHISMS, LINES, Qubic, QubicPosition, layers

# Allis 1994, ch. 4, and Patashnik 1980; also in the shared ground truth.
PER_PLY = [1, 2, 35, 757, 20851]


def cubes(board: str, stone: str) -> list[int]:
    return [cube for cube in range(64) if board[cube] == stone]


def position_of(board: str) -> QubicPosition:
    return Qubic().parse(layers(board))


def image(position: QubicPosition, automorphism: tuple[int, ...]) -> QubicPosition:
    moved = sorted(zip(automorphism, Qubic().text(position).replace("/", ""), strict=True))
    return position_of("".join(stone for _, stone in moved))


def placed(first: list[int], second: list[int]) -> QubicPosition:
    return position_of("".join("x" if cube in first else "o" if cube in second else "." for cube in range(64)))


def random_positions(seed: str, games: int) -> Iterator[QubicPosition]:
    """All positions of games that random players make, the last ones included."""
    rules, random = Qubic(), Random(seed)
    for _ in range(games):
        position = rules.initial()
        yield position
        while moves := rules.moves(position):
            position = rules.play(position, random.choice(moves))
            yield position


def full_boards(seed: str, number: int) -> Iterator[str]:
    """Full boards without a line, made from a random one by exchanging stones that lie in lines."""
    random = Random(seed)
    for _ in range(number):
        stones = ["x", "o"] * 32
        random.shuffle(stones)
        while lines := [line for line in LINES if len({stones[cube] for cube in line}) == 1]:
            here = random.choice(random.choice(lines))
            there = random.choice([cube for cube in range(64) if stones[cube] != stones[here]])
            stones[here], stones[there] = stones[there], stones[here]
        yield "".join(stones)


def per_ply(game: Any, plies: int) -> list[int]:
    """Positions up to automorphisms, per ply."""
    level = [game.initial()]
    counts = [1]
    for _ in range(plies):
        keys = {game.key(game.play(position, move)) for position in level for move in game.moves(position)}
        level = [game.position(key) for key in keys]
        counts.append(len(level))
    return counts


def test_there_are_76_lines_as_the_rules_say() -> None:
    assert len(LINES) == 76
    dimensions = Counter(sum(len({cube // size % 4 for cube in line}) > 1 for size in (1, 4, 16)) for line in LINES)
    assert dimensions == {1: 48, 2: 24, 3: 4}
    through = Counter(cube for line in LINES for cube in line)
    assert Counter(through.values()) == {7: 16, 4: 48}
    corners_and_centre = {x + 4 * y + 16 * z for plane in ((0, 3), (1, 2)) for x in plane for y in plane for z in plane}
    assert {cube for cube, lines in through.items() if lines == 7} == corners_and_centre


def test_the_192_automorphisms_are_all_permutations_that_map_lines_to_lines() -> None:
    """A search for all such permutations, cube by cube, that knows nothing of the generators."""
    assert len(AUTOMORPHISMS) == len(set(AUTOMORPHISMS)) == 192
    line_of = {(a, b): line for line in LINES for a in line for b in line if a != b}
    lines = set(LINES)
    found: set[tuple[int, ...]] = set()
    order = [0]  # every cube of the order lies in a line with an earlier one, where possible with two earlier ones
    while len(order) < 64:
        order.append(max(set(range(64)) - set(order), key=lambda c: sum((c, earlier) in line_of for earlier in order)))

    def extend(images: dict[int, int]) -> None:
        if len(images) == 64:
            found.add(tuple(images[cube] for cube in range(64)))
            return
        cube = order[len(images)]
        for candidate in set(range(64)) - set(images.values()):
            for earlier, moved in images.items():
                line = line_of.get((cube, earlier))
                target = line_of.get((candidate, moved))
                if (line is None) != (target is None):
                    break
                if line and target and any((c in line) != (images[c] in target) for c in images):
                    break
            else:
                extend({**images, cube: candidate})

    extend({})
    assert found == set(AUTOMORPHISMS)
    for automorphism in AUTOMORPHISMS:
        assert {tuple(sorted(automorphism[cube] for cube in line)) for line in lines} == lines


def test_positions_per_ply_are_the_known_ones() -> None:
    assert per_ply(Qubic(), 3) == PER_PLY[:4]
    assert per_ply(open_game("qubic"), 4) == PER_PLY


def test_counts_agree_with_the_shared_ground_truth(shared_data: Path) -> None:
    truth = json.loads((shared_data / "ground_truth.json").read_text())["qubic"]
    assert (truth["lines"], truth["automorphisms"]) == (len(LINES), len(AUTOMORPHISMS))
    assert truth["positions_per_ply_upto_symmetry"] == PER_PLY
    game = Qubic()
    after_corner = {game.key(placed([0], [cube])) for cube in range(1, 64)}
    assert len(after_corner) == truth["two_ply_after_corner"]


def test_the_sets_of_the_thesis_are_orbits(shared_data: Path) -> None:
    """The 7 three-ply and the 195 four-ply positions of 4.5.1, as data made by another program has them."""
    data = json.loads((shared_data / "qubic_195_fourply.json").read_text())
    native, rules = open_game("qubic"), Qubic()
    keys: dict[str, set[bytes]] = {}
    for name, number in (("three_ply", 7), ("four_ply", 195)):
        for entry in data[name]:
            sets = [entry["white"], entry["black"]]
            orbit = [[sorted(image[cube] for cube in stones) for stones in sets] for image in AUTOMORPHISMS]
            # The seven stand there as the thesis has them, the others as the smallest of their orbits.
            assert sets in orbit if name == "three_ply" else sets == min(orbit)
            position = placed(*sets)
            key = native.key(native.parse(rules.text(position)))
            assert key == rules.key(position)
            keys.setdefault(name, set()).add(key)
        assert len(keys[name]) == len(data[name]) == number
    three = [native.position(key) for key in keys["three_ply"]]
    assert {native.key(native.play(p, m)) for p in three for m in native.moves(p)} == keys["four_ply"]
    for cube in range(1, 64):  # White has a reply into the seven to every move of Black after a corner
        reply = native.parse(rules.text(placed([0], [cube])))
        assert keys["three_ply"] & {native.key(native.play(reply, move)) for move in native.moves(reply)}


def test_open_spiel_plays_the_same_rules() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    other = pyspiel.load_game("gomoku(size=4,connect=4,dims=3)")
    rules, native, random = Qubic(), open_game("qubic"), Random(4)
    # Random players fill a board without a line once in a thousand games: full boards are played to on purpose.
    plans: list[list[int] | None] = [None] * 150
    for board in full_boards("open_spiel", 10):
        first, second = (random.sample(cubes(board, stone), 32) for stone in "xo")
        plans.append([cube for pair in zip(first, second, strict=True) for cube in pair])
    ended: Counter[int] = Counter()
    for plan in plans:
        position, oriented, state = rules.initial(), native.initial(), other.new_initial_state()
        while True:
            value = rules.terminal(position)
            assert (value is not None) == state.is_terminal(), rules.text(position)
            assert native.terminal(oriented) == value
            if value is not None:
                assert value == state.returns()[rules.side(position)]
                ended[value] += 1
                break
            assert rules.side(position) == native.side(oriented) == state.current_player()
            assert list(rules.moves(position)) == native.moves(oriented) == sorted(state.legal_actions())
            move = plan[64 - len(rules.moves(position))] if plan else random.choice(rules.moves(position))
            position, oriented = rules.play(position, move), native.play(oriented, move)
            state.apply_action(move)
    assert ended[-1] >= 100
    assert ended[0] >= 10


def test_perft_of_late_positions_is_the_same_in_both() -> None:
    def perft(game: Any, position: Any, depth: int) -> Counter[int | None]:
        """Lines of play by how they end; None for those that go on."""
        value = game.terminal(position)
        if value is not None or depth == 0:
            return Counter([value])
        total: Counter[int | None] = Counter()
        for move in game.moves(position):
            total += perft(game, game.play(position, move), depth - 1)
        return total

    rules, native, random = Qubic(), open_game("qubic"), Random(8)
    ends: Counter[int | None] = Counter()
    for board in full_boards("perft", 12):
        emptied = random.sample(cubes(board, "x"), 3) + random.sample(cubes(board, "o"), 3)
        position = position_of("".join("." if cube in emptied else stone for cube, stone in enumerate(board)))
        expected = perft(rules, position, 6)
        assert perft(native, native.parse(rules.text(position)), 6) == expected
        ends += expected
    assert None not in ends
    assert ends[0] > 100 and ends[-1] > 100


def test_keys_are_the_smallest_image_and_the_same_for_all() -> None:
    rules, native = Qubic(), open_game("qubic")
    assert native.key_size == 16
    for position in list(random_positions("keys", 12))[::7]:
        images = [image(position, automorphism) for automorphism in AUTOMORPHISMS]
        encoded = [native.parse(rules.text(moved)) for moved in images]
        assert (key := rules.key(position)) == min(encoded)  # a native position is its encoding as it stands
        assert {native.key(moved) for moved in encoded} == {key}
        assert all(rules.key(moved) == key for moved in images[::37])
        assert native.position(key) == key and rules.key(rules.position(key)) == key
        assert native.text(native.position(key)) == rules.text(rules.position(key))
        assert rules.parse(rules.text(position)) == position
        assert {rules.terminal(moved) for moved in images} == {native.terminal(key)}
        assert native.draw(encoded[0]) == rules.draw(position)


def test_the_key_layout_is_the_documented_one() -> None:
    game = Qubic()
    assert game.key(game.initial()) == bytes(16)
    assert game.key(placed([63], [])).hex() == "0000000000000001" + "0" * 16
    # The corners are one orbit, so x goes to 0; of the cubes that o can then have, the smallest.
    assert game.key(placed([63], [62])).hex() == "0000000000000001" + "0000000000000002"
    assert open_game("qubic").parse(game.text(placed([0, 10], [63]))).hex() == "0000000000000401" + "8000000000000000"


def test_the_drawing_is_four_layers_with_the_numbers_of_the_cubes() -> None:
    game = Qubic()
    assert game.draw(placed([0, 39], [21])).splitlines() == [
        "    0         16        32        48",
        " 0  x . . .   . . . .   . . . .   . . . .",
        " 4  . . . .   . o . .   . . . x   . . . .",
        " 8  . . . .   . . . .   . . . .   . . . .",
        "12  . . . .   . . . .   . . . .   . . . .",
        "    0 1 2 3   0 1 2 3   0 1 2 3   0 1 2 3",
    ]


EMPTY = "..../..../..../...."


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "4 layers"),
        ("x", "4 layers"),
        ("//".join([EMPTY] * 3), "4 layers"),
        ("/".join([EMPTY] * 4), "4 layers"),
        ("//".join([EMPTY] * 4) + "/", "4 layers"),
        ("." * 64, "4 layers"),
        ("//".join([EMPTY] * 3 + ["..../..../..../...#"]), "'.', 'x'"),
        ("//".join(["o.../..../..../....", *[EMPTY] * 3]), "x"),
        ("//".join(["xx../..../..../....", *[EMPTY] * 3]), "x"),
        ("//".join(["xxxx/oooo/..../....", *[EMPTY] * 3]), "both sides have four in a line"),
        ("//".join(["xxxx/ooo./o.../....", *[EMPTY] * 3]), "has four in a line"),
        ("//".join(["xxxx/xxxx/ooo./ooo.", EMPTY, EMPTY, "..../..../..../...o"]), "no last move"),
    ],
)
def test_wrong_texts_are_refused_with_the_cause(text: str, cause: str) -> None:
    for game in (Qubic(), open_game("qubic")):
        with pytest.raises(InvalidPositionError, match=cause):
            game.parse(text)


def test_two_lines_by_one_stone_are_legal() -> None:
    text = "//".join(["xxxx/xooo/xoo./x.o.", *[EMPTY] * 3])
    for game in (Qubic(), open_game("qubic")):
        assert game.terminal(game.parse(text)) == -1


def attempt(ask: Callable[..., Any], *arguments: Any) -> Any:
    """The answer, or None where it is refused, with a short message however long the input."""
    try:
        return ask(*arguments)
    except (InvalidPositionError, InvalidMoveError, InvalidKeyError) as error:
        message = str(error)
    assert len(message) < 400
    return None


@settings(max_examples=3 * settings().max_examples)
@given(st.integers(0, 2**32), st.data())
def test_both_refuse_the_same_texts_keys_and_moves(seed: int, data: st.DataObject) -> None:
    native, rules = open_game("qubic"), Qubic()
    random = Random(seed)
    board = random.choices(".xo", weights=(random.randrange(1, 90), 10, 10), k=64)
    if random.random() < 0.7:  # as many x as o, or one more: then lines decide
        for cube in random.sample(range(64), 64):
            lead = board.count("x") - board.count("o")
            if lead not in (0, 1) and board[cube] == ("x" if lead > 0 else "o"):
                board[cube] = "."
    text = layers("".join(board))
    if random.random() < 0.3:
        place = random.randrange(len(text))
        text = text[:place] + data.draw(st.text("./xo X\x00é", max_size=2)) + text[place + random.randrange(2) :]
    outcomes = [attempt(lambda game: game.key(game.parse(text)), game) for game in (native, rules)]
    assert outcomes[0] == outcomes[1], text
    sets = [
        sum(1 << cube for cube in range(64) if board[cube] in stones) for stones in ("x", "xo" if seed % 5 else "o")
    ]
    key = b"".join(
        (set_ & ~(sets[0] if i else 0) if seed % 7 else set_).to_bytes(8, "big") for i, set_ in enumerate(sets)
    )
    for changed in (key, outcomes[1] or key, key[:15], key + b"\0", bytes(random.randbytes(16))):
        found = [attempt(lambda game, k: game.text(game.position(k)), game, changed) for game in (native, rules)]
        assert found[0] == found[1], changed.hex()
    position = outcomes[1] or bytes(16)
    for word in (data.draw(st.text("0123456789 +-xé", max_size=3)), str(random.randrange(-2, 70)), "9" * 30):
        asked = attempt(native.parse_move, native.position(position), word)
        assert asked == attempt(rules.parse_move, rules.position(position), word), word


def settled(native: Any, position: bytes) -> bool:
    """The estimate alone answers whether the side to move wins."""
    return bool(Search(native, position, 1, algorithm="pn-dag+effort").status != "unknown")


def quiet_positions(seed: str, games: int) -> Iterator[bytes]:
    """Positions of games in which no side lets the other win at once while it can (random play soon leads to wins
    everywhere), and some of those that were passed by."""
    native, random = open_game("qubic"), Random(seed)
    for _ in range(games):
        position = native.initial()
        while True:
            children = [native.play(position, move) for move in native.moves(position)]
            open_children = [child for child in children if native.terminal(child) is None]
            quiet = [child for child in open_children if not settled(native, child)]
            if not open_children:
                break
            position = random.choice(quiet or open_children)
            yield position
            yield from random.sample(open_children, min(4, len(open_children)))


@pytest.mark.slow
def test_the_effort_settles_exactly_what_a_small_search_does() -> None:
    """By the rules alone: wins within 3 plies, and losses within 2."""
    native = open_game("qubic")

    def reaches(position: bytes, depth: int) -> bool:
        """The side to move wins within `depth` plies."""
        if (value := native.terminal(position)) is not None:
            return value > 0
        return depth > 0 and any(loses(native.play(position, move), depth - 1) for move in native.moves(position))

    def loses(position: bytes, depth: int) -> bool:
        if (value := native.terminal(position)) is not None:
            return value < 0
        return depth > 0 and all(reaches(native.play(position, move), depth - 1) for move in native.moves(position))

    seen: Counter[tuple[int, int] | None] = Counter()
    positions = list(quiet_positions("effort", 6))[::2]
    positions += [native.parse(open_rules("qubic").text(p)) for p in random_positions("effort", 4)][::3]
    for position in positions:
        empty = 64 - sum(byte.bit_count() for byte in position)
        if native.terminal(position) is not None or empty > 44:
            continue
        settled = settled_by_effort(native, position)
        seen[settled] += 1
        if reaches(position, 1):
            assert settled == (1, 1)
        elif loses(position, 2):
            assert settled == (-1, 2)
        elif reaches(position, 3):
            assert settled == (1, 3)
        else:
            assert settled is None
    assert all(seen[kind] >= 5 for kind in [(1, 1), (-1, 2), (1, 3), None]), seen
