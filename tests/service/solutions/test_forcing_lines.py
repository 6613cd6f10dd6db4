"""Lines of best play below records that rest on forcing lines: played to the end, the defence as long as it can be."""

from __future__ import annotations

from random import Random

import pytest
from services import Service

from proofbase.engine import open_rules
from proofbase.engine.rules.qubic import AUTOMORPHISMS, layers

RULES = open_rules("qubic")
CUBES = dict.fromkeys((0, 12), "x") | dict.fromkeys((1, 2), "o")
BOARD = "".join(CUBES.get(cube, ".") for cube in range(64))
START = layers(BOARD)


@pytest.fixture
def solved(service: Service) -> Service:
    """A service that knows White's win after four plies, as records that rest on lines at their leaves."""
    service.client.solve("qubic", START, at_least=1)
    return service


def images(board: str, count: int) -> list[str]:
    """Texts of the position in other orientations."""
    found = []
    for automorphism in Random(board).sample(AUTOMORPHISMS, count):
        moved = dict(zip(automorphism, board, strict=True))
        found.append(layers("".join(moved[cube] for cube in range(64))))
    return found


def test_the_toughest_defence_is_played_to_the_end(solved: Service) -> None:
    lengths = set()
    for start in [START, *images(BOARD, 4)]:
        line = solved.client.line("qubic", start)
        assert line.stop == "end_of_game"
        position = RULES.parse(start)
        for number, step in enumerate(line.steps):
            assert step.number in RULES.moves(position)
            position = RULES.play(position, step.number)
            assert (step.value.lower, step.value.upper) == ((-1, -1) if number % 2 == 0 else (1, 1))
            assert step.position == RULES.text(position)
        assert RULES.terminal(position) == -1 and RULES.side(position) == 1, "White has won"
        ranks = [step.rank for step in line.steps]
        assert ranks == sorted(set(ranks), reverse=True) and ranks[-1] == 0
        lengths.add(len(line.steps))
    assert max(lengths) >= 15


def test_a_line_starts_wherever_the_solution_holds(solved: Service) -> None:
    """From records of both sides, whatever their evidence."""
    kinds = set()
    records = list(solved.store.scan("qubic"))
    for key, _ in Random(5).sample(records, min(25, len(records))):
        answer = solved.client.lookup("qubic", key)
        kinds |= {(claim.side, claim.evidence) for claim in answer.claims}
        line = solved.client.line("qubic", key)
        assert line.stop == "end_of_game", line.stop_message
        assert len(line.steps) <= answer.rank
        assert (len(line.steps) % 2 == 1) == (answer.value.lower == 1), "White makes the last move"
    assert ("upper", "line") in kinds and len(kinds) >= 2
