"""Coq accepts the proofs of engine/formal, and the checker that they prove right agrees with ours (docs/formal.md).

One file: the proofs are built once for all of its tests.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from certificates import certificate, with_records
from threat_claims import changed_threats, game_of, random_example, upper_claim
from unoffered_evidence import VERIFIED_GAMES, plain_and_unoffered

from proofbase.engine import open_rules
from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import InvalidParametersError
from proofbase.engine.formats.coq_theorem import coq_theorem
from proofbase.engine.records import (
    Claim,
    Evidence,
    Mark,
    Record,
    Side,
    Strategy,
    encode_record,
    strategy_payload,
)
from proofbase.engine.records.varint import encode_varint
from proofbase.engine.rules.set_up import is_unreachable

sys.path.insert(0, str(Path(__file__).parents[1] / "checks"))
subjects: Any = import_module("certificate_mutants")
searches: Any = import_module("trial_searches_to_limits")

DATA = Path(__file__).parents[1] / "data"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


class Built(NamedTuple):
    """What `scripts/formal` has built, and what it printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="module")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    if shutil.which("coqc") is None:
        pytest.skip("coqc is not installed")
    folder = tmp_path_factory.mktemp("formal")
    done = subprocess.run(
        ["sh", str(repository / "scripts" / "formal"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Built(folder, done.stdout)


@pytest.fixture(scope="module")
def program(built: Built) -> Path:
    """`proofbase-check-verified`."""
    if shutil.which("ocamlfind") is None:
        pytest.skip("ocamlfind is not installed")
    return built.folder / "proofbase-check-verified"


def test_the_theorems_rest_on_no_axiom(built: Built) -> None:
    asked = (built.folder / "Theorems.v").read_text(encoding="utf-8").count("Print Assumptions")
    assert asked >= 19
    assert built.printed.count("Closed under the global context") == asked
    assert "Axioms:" not in built.printed
    assert "tic_tac_toe_draw\n     : has_value (rules tic_tac_toe) tic_tac_toe_start 0\n" in built.printed


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)


def proofbase(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "proofbase", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        *(("tic-tac-toe", 9), ("connect-four", 5), ("connect-four:5x4", 7), ("awari", 6), ("awari:oware", 6)),
        *(("gomoku", 1), ("gomoku:4x4-3", 3), ("gomoku:3x5-3,standard", 4)),
    ],
)
def test_the_rules_are_those_in_python(program: Path, game: str, plies: int) -> None:
    """The counts of our data files, which tests compare with the Python rules."""
    family = game.partition(":")[0].replace("-", "_")
    expected = dict[str, list[str]]()
    for line in (DATA / f"{family}.perft").read_text(encoding="utf-8").splitlines():
        name, _, rest = line.partition(";")
        if name == game:
            quantity, _, counts = rest.partition(";")
            expected[quantity.strip()] = counts.split()
    printed = run(program, "--counts", game, str(plies)).stdout.splitlines()
    for ply, line in enumerate(printed):
        paths, games, keys = (expected[quantity][ply] for quantity in ("paths", "games", "keys"))
        assert line == f"ply {ply}: paths {paths}, games {games}, keys {keys}"
    assert len(printed) == plies + 1


RANDOM = ["tic-tac-toe", "connect-four", "connect-four:6x3", "gomoku:5x4-3,standard", "awari", "awari:oware"]


@pytest.mark.parametrize("name", RANDOM)
def test_the_rules_are_those_in_python_in_the_middle_of_games(program: Path, name: str) -> None:
    """Three plies below positions of random games; in awari mostly late ones, where stones are captured."""
    game, random = open_rules(name), Random(f"verified rules {name}")
    for _ in range(12):
        position = game.initial()
        for _ in range(random.randrange(60 if "awari" in name else 12)):
            moves = game.moves(position)
            if game.terminal(position) is not None:
                break
            position = game.play(position, random.choice(moves))
        expected, level = "", Counter({position: 1})
        for ply in range(4):
            ended = sum(ways for position, ways in level.items() if game.terminal(position) is not None)
            keys = {game.key(position) for position in level}
            expected += f"ply {ply}: paths {sum(level.values())}, games {ended}, keys {len(keys)}\n"
            children = Counter[Any]()
            for parent, ways in level.items():
                for move in game.moves(parent) if game.terminal(parent) is None else ():
                    children[game.play(parent, move)] += ways
            level = children
        assert run(program, "--counts", name, "3", game.text(position)).stdout == expected, game.text(position)


CHANGED = ["tic-tac-toe", "forcing lines", "connect-four", "strategies", "strategies on nine cells", "gomoku", "awari"]


@pytest.mark.parametrize("name", CHANGED)
def test_it_agrees_on_changed_certificates(program: Path, tmp_path: Path, name: str) -> None:
    subject = subjects.SUBJECTS[name]()
    certificates = [subject.data, *subjects.mutants(subject, "verified", 400)]
    files = []
    for number, data in enumerate(certificates):
        files.append(str(tmp_path / f"{number}.pbc"))
        Path(files[-1]).write_bytes(data)
    lines = run(program, *files).stdout.splitlines()
    accepted = [line.startswith("proved: ") for line in lines if line.startswith(("proved: ", "not valid: "))]
    game = subject.game
    assert accepted == [check_certificate(data).valid and _arises_in_play(game, data) for data in certificates]
    assert accepted[0] and 1 < sum(accepted) < 200


def _arises_in_play(game: Any, data: bytes) -> bool:
    """Whether no position of a valid certificate has numbers of stones that it can have only where it is set up."""
    return not any(is_unreachable(game.name, game.text(game.position(key))) for key, _ in subjects.items_of(data))


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "gomoku", "awari"])
def test_it_agrees_on_searches_to_limits(program: Path, tmp_path: Path, name: str) -> None:
    """Claims that pass, and changed ones: other bounds, ranks, witnesses, numbers of nodes, plain searches."""
    subject, random = subjects.SUBJECTS[name](), Random(f"verified searches {name}")
    game = subject.game
    example = searches.Example(game, {key: subject.worth(key) for key in subject.keys}, {})
    claims = list(islice(searches.true_claims(example, random, 2_000), 60))
    claims += [(key, searches.changed(example, key, claim, random)) for key, claim in claims for _ in range(2)]
    accepted, files = [], []
    for number, (key, claim) in enumerate(claims):
        data = certificate(game, game.position(key), {key: encode_record(Record.of([claim]))})
        files.append(str(tmp_path / f"{number}.pbc"))
        Path(files[-1]).write_bytes(data)
        accepted.append(check_certificate(data).valid)
    lines = run(program, *files).stdout.splitlines()
    assert [line.startswith("proved") for line in lines if line.startswith(("proved", "not valid"))] == accepted
    assert len(claims) / 3 <= sum(accepted) < len(claims) - 9


def test_it_agrees_on_strategies_that_play_many_positions(program: Path, tmp_path: Path) -> None:
    """On this board the limit of 10,000 positions lies between the diagrams with few and with many marks."""
    game, file, broken = open_rules("connect-four:3x11"), tmp_path / "file.pbc", []
    for number in range(6):
        strategy = Strategy((), tuple((2 * row + 1, Mark.LOW) for row in range(number)))
        claim = Claim(Side.UPPER, 0, 33, Evidence.STRATEGY, payload=strategy_payload(strategy, lower=False))
        data = certificate(game, game.initial(), {game.key(game.initial()): encode_record(Record.of([claim]))})
        file.write_bytes(data)
        broken.append([finding.rule for finding in check_certificate(data).findings])
        assert run(program, str(file)).returncode == len(broken[-1])
    assert broken[0] == [] and broken[-1] == ["strategy: more than 10000 positions come about"]


def test_it_agrees_on_threat_trees(program: Path, tmp_path: Path) -> None:
    """Trees that were found on a board with overlines, and changed ones; named replies have records by trees."""
    game, random = game_of("gomoku:6x6-4,standard"), Random("verified threats")
    accepted, files = [], []
    for _ in range(3):
        example = random_example(game, random)
        for number in range(12):
            claim = example.claim
            if number:
                claim = upper_claim(game, example.position, changed_threats(example, random))
                claim = replace(claim, rank=random.choice((claim.rank, claim.rank, 0, 4, 7)))
            records = {**example.children, game.key(example.position): encode_record(Record.of([claim]))}
            data = certificate(game, example.position, records)
            files.append(str(tmp_path / f"{len(files)}.pbc"))
            Path(files[-1]).write_bytes(data)
            accepted.append(check_certificate(data).valid)
    lines = run(program, *files).stdout.splitlines()
    assert [line.startswith("proved") for line in lines if line.startswith(("proved", "not valid"))] == accepted
    assert 3 <= sum(accepted) < len(accepted) - 3


@pytest.mark.parametrize("name", VERIFIED_GAMES)
def test_evidence_that_the_game_does_not_offer_is_refused(program: Path, tmp_path: Path, name: str) -> None:
    """As by the other readers (test_unoffered_evidence.py), also where the claim is true."""
    game, files = open_rules(name), list[str]()
    plain, unoffered = plain_and_unoffered(game, Random(name))
    for position, record in plain + unoffered:
        files.append(str(tmp_path / f"{len(files)}.pbc"))
        Path(files[-1]).write_bytes(certificate(game, position, {game.key(position): record}))
    lines = run(program, *files).stdout.splitlines()
    accepted = [line.startswith("proved") for line in lines if line.startswith(("proved", "not valid"))]
    assert accepted == [True] * len(plain) + [False] * len(unoffered)


def test_connect_four_6x4_is_won_by_the_second_player_by_a_theorem(built: Built, repository: Path) -> None:
    """From 124 records, most of them strategies, that `export --smallest` has made."""
    assert theorem(built, repository, DATA / "connect_four_6x4.pbc") == (
        "connect_four_6x4_second_player_wins\n     : at_most (rules (connect_four 4)) (empty_board 6) (-1)"
    )


def test_connect_four_5x4_is_a_draw_by_a_theorem(built: Built, program: Path, repository: Path, tmp_path: Path) -> None:
    """From our search to a theorem of Coq: solve, export, check, prove."""
    store, file, written = str(tmp_path / "store"), tmp_path / "5x4.pbc", tmp_path / "5x4.v"
    proofbase("solve", "connect-four:5x4", "--store", store)
    proofbase("export", "connect-four:5x4", "-", "--format", "certificate", "-o", str(file), "--store", store)
    proofbase("export", "connect-four:5x4", "-", "--format", "coq", "-o", str(written), "--store", store)
    checked = run(program, str(file))
    assert checked.returncode == 0
    assert checked.stdout.startswith("connect-four:5x4 ...../...../...../.....: lower 0, upper 0\nproved: ")
    assert theorem(built, repository, written) == (
        "connect_four_5x4_draw\n     : has_value (rules (connect_four 4)) (empty_board 5) 0"
    )


def test_an_ending_of_awari_is_a_theorem(built: Built, repository: Path, tmp_path: Path) -> None:
    """With captures and repetition: South has a stone in A and two in F, North takes all three."""
    file = tmp_path / "awari.pbc"
    file.write_bytes(subjects.SUBJECTS["awari"]().data)
    assert theorem(built, repository, file) == (
        "awari_bounds\n     : has_value (rules (awari false)) (awari_of_key 193) (-3)"
    )


def test_gomoku_on_a_small_board_is_a_theorem(built: Built, repository: Path, tmp_path: Path) -> None:
    """The first player wins by three in a row on 4x4, by a small search; and a position is won by threats."""
    game, file = open_rules("gomoku:4x4-3"), tmp_path / "4x4.pbc"
    claim = Claim(Side.LOWER, 1, 5, Evidence.SEARCH, payload=encode_varint(1440), witness=0)
    file.write_bytes(certificate(game, game.initial(), {game.key(game.initial()): encode_record(Record.of([claim]))}))
    assert theorem(built, repository, file) == (
        "gomoku_4x4_3_first_player_wins\n     : at_least (gomoku_rules 4 4 3 false) (gomoku_start 4 4 3 false) 1"
    )
    example = random_example(game_of("gomoku:6x6-4,standard"), Random("threats in Coq"))
    key = example.game.key(example.position)
    records = {**example.children, key: encode_record(Record.of([example.claim]))}
    file.write_bytes(certificate(example.game, example.position, records))
    assert (
        theorem(built, repository, file).split()
        == (
            "gomoku_6x6_4_standard_bounds : at_most (gomoku_rules 6 6 4 true) "
            f"(gomoku_of_key 6 6 {int.from_bytes(key, 'big')}) (-1)"
        ).split()
    )


def test_a_false_certificate_gives_no_theorem(built: Built, repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "false.v"
    text = "".join(coq_theorem(BytesIO(subjects.SUBJECTS["awari"]().data)))
    file.write_text(text.replace("(-3)", "(-2)"), encoding="ascii")
    proved = coq(built, repository, file)
    assert proved.returncode != 0 and "has_value" not in proved.stdout


def test_what_coq_does_not_have_becomes_no_theorem() -> None:
    data = subjects.SUBJECTS["connect-four with scores"]().data
    with pytest.raises(InvalidParametersError, match="connect-four:5x3,score is not in engine/formal"):
        list(coq_theorem(BytesIO(data)))
    tic_tac_toe = with_records(subjects.SUBJECTS["tic-tac-toe"]().data, {b"\0\0": bytes.fromhex("1103000000")})
    with pytest.raises(InvalidParametersError, match="claims by table are not in engine/formal"):
        list(coq_theorem(BytesIO(tic_tac_toe)))


def theorem(built: Built, repository: Path, certificate: Path) -> str:
    """What Coq proves from a certificate, without any axiom."""
    file = certificate if certificate.suffix == ".v" else built.folder / "theorem.v"
    if file != certificate:
        with certificate.open("rb") as data:
            file.write_text("".join(coq_theorem(data)), encoding="ascii")
    proved = coq(built, repository, file)
    assert proved.returncode == 0, proved.stderr
    statement, _, assumptions = proved.stdout.partition("proofbase-check-verified\n")[2].partition("\nClosed")
    assert assumptions == " under the global context\n"
    return statement


def coq(built: Built, repository: Path, file: Path) -> subprocess.CompletedProcess[str]:
    script = ["sh", str(repository / "scripts" / "formal"), str(built.folder), str(file)]
    return subprocess.run(script, capture_output=True, text=True, check=False)


def test_bad_files_get_one_message(program: Path, tmp_path: Path) -> None:
    missing = run(program, str(tmp_path / "missing.pbc"))
    assert (missing.returncode, missing.stdout) == (3, "") and missing.stderr.startswith("error: ")
    empty = tmp_path / "empty.pbc"
    empty.write_bytes(b"")
    refused = run(program, str(empty))
    assert (refused.returncode, refused.stdout) == (1, "not valid: not a proofbase certificate of version 1\n")
    assert run(program).returncode == 2
    unknown = tmp_path / "unknown.pbc"
    subject = subjects.SUBJECTS["tic-tac-toe"]()
    for record, message in (
        ("5101000000", "a record of a version that this checker does not know"),
        ("110e0205", "a claim of a kind that this checker does not know"),
    ):
        key = subjects.items_of(subject.data)[0][0]
        unknown.write_bytes(with_records(subject.data, {key: bytes.fromhex(record)}))
        assert run(program, str(unknown)).stdout == f"not valid: {message}\n"
    large = run(program, "--counts", "connect-four:9x9", "1")
    assert large.returncode == 2 and "(height + 1) * width <= 61" in large.stderr
