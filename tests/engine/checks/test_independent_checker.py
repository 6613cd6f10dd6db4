"""The pages for writers of other checkers are complete: a checker written from them agrees with ours."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from certificates import with_header, with_records

from proofbase.engine import open_game
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.checking.checker import check_certificate

sys.path.insert(0, str(Path(__file__).parent))
subjects: Any = import_module("certificate_mutants")
independent: Any = import_module("independent_checker")

GAMES = (
    *("tic-tac-toe", "forcing lines", "connect-four", "connect-four with scores", "strategies", "gomoku", "awari"),
    "strategies on nine cells",
    "pairings",
)


def accepts(data: bytes) -> bool:
    try:
        independent.check(data)
    except independent.Wrong:
        return False
    return True


def test_it_imports_nothing_of_proofbase() -> None:
    for name in ("independent_checker", "independent_games"):
        lines = Path(__file__).with_name(f"{name}.py").read_text().splitlines()
        assert not [line for line in lines if "import" in line.split("#")[0] and "proofbase" in line]


@pytest.mark.parametrize("name", GAMES)
def test_it_agrees_on_changed_certificates(name: str, thorough: bool) -> None:
    subject = subjects.SUBJECTS[name]()
    assert accepts(subject.data)
    accepted, count = 0, 250 if thorough else 50
    for data in subjects.mutants(subject, "independent", count):
        result = check_certificate(data)
        assert accepts(data) == result.valid, (data, result.findings[:1])
        accepted += result.valid
    assert 0 < accepted < count


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_it_agrees_on_every_key_and_root(name: str) -> None:
    """Positions below the root and the bytes beside their keys: which are legal, canonical, finished."""
    subject = subjects.SUBJECTS[name]()
    game = subject.game
    for key in subject.keys[:: max(1, len(subject.keys) // 60)]:
        for other in (key, key[::-1], bytes([key[0] ^ 4]) + key[1:], key[:-1] + bytes([key[-1] ^ 1])):
            data = _with_record(subject.data, other)
            assert accepts(data) == check_certificate(data).valid, other.hex()
        text = game.text(game.position(key))
        for lower, upper in ((None, None), (-1, -1), (0, 0)):
            data = with_header(subject.data, root=text, root_key=key.hex(), lower=lower, upper=upper)
            assert accepts(data) == check_certificate(data).valid, (text, lower)


@pytest.mark.parametrize("sources", ["solve pn-dag, 4x3", "", "a\\b", 'a"b', "\x7f", 5, None])
def test_it_agrees_on_sources(sources: object) -> None:
    data = with_header(subjects.SUBJECTS["tic-tac-toe"]().data, sources=sources)
    assert accepts(data) == check_certificate(data).valid == (sources in ("solve pn-dag, 4x3", ""))


def _with_record(data: bytes, key: bytes) -> bytes:
    """A certificate that says nothing of its root, with one record: an upper bound that every position has."""
    record = b"\x11\x01\x60\x00" if len(key) == 8 else b"\x11\x01\x02\x01"
    return with_records(with_header(data, lower=None, upper=None), {key: record})


def test_it_agrees_on_a_solution_that_a_search_made(tmp_path: Path) -> None:
    core: Any = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
    game = open_game("connect-four:4x3")
    search = core.Search(game, game.initial(), 0)
    assert search.run().status == "proved"
    items = [item for chunk in search.solution().chunks(100) for item in chunk]
    file = tmp_path / "solution.pbc"
    file.write_bytes(b"".join(certificate_chunks(game, game.initial(), items)))
    command = [sys.executable, str(Path(__file__).with_name("independent_checker.py")), str(file)]
    assert subprocess.run(command, capture_output=True, check=False).stdout == b"valid\n"
    file.write_bytes(with_header(file.read_bytes(), lower=1))
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
