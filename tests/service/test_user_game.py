"""A user's own game in Python, through the whole service."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from services import MakeService

from proofbase.engine import games
from proofbase.engine.errors import InvalidKeyError, InvalidPositionError
from proofbase.engine.rules import Game
from proofbase.service.client import SolveResult, VerificationResult


class Nim(Game[tuple[int, ...]]):
    """Take from one heap; who takes the last one wins. Keys vary in length: empty heaps are not written."""

    name = "nim"

    def initial(self) -> tuple[int, ...]:
        return (3, 4, 5)

    def terminal(self, position: tuple[int, ...]) -> int | None:
        return None if position else -1

    def moves(self, position: tuple[int, ...]) -> Sequence[int]:
        return [16 * heap + count for heap, size in enumerate(position) for count in range(1, size + 1)]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        heap, count = divmod(move, 16)
        sizes = [size - count if number == heap else size for number, size in enumerate(position)]
        return tuple(sorted(size for size in sizes if size))

    def key(self, position: tuple[int, ...]) -> bytes:
        return bytes(position) or b"\0"

    def position(self, key: bytes) -> tuple[int, ...]:
        if key == b"\0":
            return ()
        if not 1 <= len(key) <= 3 or list(key) != sorted(key) or not all(1 <= size <= 9 for size in key):
            raise InvalidKeyError(f"{key.hex()} is no key of nim")
        return tuple(key)

    def parse(self, text: str) -> tuple[int, ...]:
        try:
            return self.position(bytes(int(part) for part in text.split("+") if part) or b"\0")
        except ValueError:
            raise InvalidPositionError(f"{text!r} is no position of nim") from None

    def text(self, position: tuple[int, ...]) -> str:
        return "+".join(map(str, position)) or "+"


@pytest.fixture
def nim() -> Iterator[None]:
    games.register("nim", Nim)
    yield
    games._registered.pop("nim")


def best(position: Sequence[int]) -> int:
    """Bouton's theorem."""
    total = 0
    for size in position:
        total ^= size
    return 1 if total else -1


@pytest.mark.usefixtures("nim")
def test_a_users_game_is_solved_stored_verified_exported_and_imported(make_service: MakeService) -> None:
    service, other = make_service(), make_service()
    result = service.client.solve("nim").result
    assert isinstance(result, SolveResult)
    assert result.status == "exact" and result.value.lower == best((3, 4, 5)) == 1
    lost = service.client.solve("nim", "1+2+3").result
    assert isinstance(lost, SolveResult) and lost.value.upper == best((1, 2, 3)) == -1
    for rules in ("native", "python"):
        verified = service.client.verify("nim", rules=rules).result  # type: ignore[arg-type]
        assert isinstance(verified, VerificationResult)
        assert verified.failed == 0 and verified.checked > 5
    game = Nim()
    for key, _ in service.store.scan("nim"):
        answer = service.client.lookup("nim", key)
        assert answer.value.lower <= best(game.position(key)) <= answer.value.upper
    packed = service.client.batch_lookup_keys("nim", [bytes([1, 2, 3]), bytes([3, 4, 5]), b"zzzz"])
    assert packed.value(0).upper == -1 and packed.value(1).lower == 1 and packed.invalid(2)
    line = service.client.line("nim")
    assert line.stop == "end_of_game" and len(line.steps) % 2 == 1
    assert service.client.proof("nim").nodes[0].kind == "inner"
    assert other.client.import_(service.client.export("nim", "-")).added > 0
    assert "nim" in {entry.name for entry in service.client.games() if entry.available}
