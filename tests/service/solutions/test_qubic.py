"""Qubic through the whole service: keys of 16 bytes, 64 moves, 192 automorphisms."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Literal

import pytest
from services import MakeService

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.rules.qubic import AUTOMORPHISMS, layers
from proofbase.service.client import SolveResult, VerificationResult

WON = "x.../..o./.x../.x..//x..o/..../..../o.o.//..x./..../..../xo..//..../..o./..../...."
DRAWN = "...x/ox.o/...x/xo..//x.oo/xoox/ox.x/ooox//...o/oxxx/...o/.xx.//oxoo/oxoo/.oxx/xoxx"


@pytest.mark.parametrize(("text", "value"), [(WON, 1), (DRAWN, 0)])
def test_a_position_is_solved_stored_verified_exported_and_checked(
    make_service: MakeService, directory: Path, text: str, value: int
) -> None:
    service, other = make_service(str(directory)), make_service()
    result = service.client.solve("qubic", text, algorithm="pn-dag+effort").result
    assert isinstance(result, SolveResult)
    assert (result.status, result.value.lower, result.value.upper) == ("exact", value, value)
    both: tuple[Literal["native", "python"], ...] = ("native", "python")
    for rules in both:
        verified = service.client.verify("qubic", text, rules=rules).result
        assert isinstance(verified, VerificationResult)
        assert verified.failed == 0 and verified.checked == service.store.count("qubic") > 100

    certificate = b"".join(service.client.export("qubic", text))
    checked = check_certificate(certificate)
    assert checked.valid and 0 < checked.records <= service.store.count("qubic")  # what the position needs
    damaged = bytearray(certificate)
    damaged[len(damaged) // 2] ^= 1
    assert not check_certificate(bytes(damaged)).valid
    assert other.client.import_([certificate]).added == checked.records

    # Any image of the position has the same answer, and a move that keeps the value in its own orientation.
    game = open_rules("qubic")
    board = text.replace("/", "")
    for automorphism in Random(text).sample(AUTOMORPHISMS, 6):
        moved = dict(zip(automorphism, board, strict=True))
        image = game.parse(layers("".join(moved[cube] for cube in range(64))))
        answer = other.client.lookup("qubic", game.text(image))
        assert (answer.value.lower, answer.value.upper) == (value, value)
        best = answer.moves[0]
        after = other.client.lookup("qubic", game.text(game.play(image, game.parse_move(image, best.move))))
        assert -after.value.upper == value
    line = other.client.line("qubic", text)
    assert line.stop == "end_of_game"
    if value:
        assert len(line.steps) % 2 == 1
    else:
        assert len(line.steps) == text.count(".")
