"""Certificates: writing, reading, and the independent checker."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofbase.engine import checker, open_game, open_rules
from proofbase.engine.certificate import (
    CertificateHeader,
    CertificateReader,
    certificate_chunks,
    check_seal,
    write_certificate,
)
from proofbase.engine.checker import check_certificate
from proofbase.engine.errors import MalformedCertificateError, MalformedRecordError
from proofbase.engine.evidence import small_search_visits
from proofbase.engine.local_check import LocalCheck
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    decode_record,
    encode_record,
    line_payload,
    search_payload,
    table_payload,
)
from proofbase.engine.reference import ExplicitGame, exact_records, explore, random_graph, values
from proofbase.engine.rules import Game

Records = dict[bytes, bytes]


def certificate(game: Game[Any], root: Any, records: Records) -> bytes:
    return b"".join(certificate_chunks(game, root, sorted(records.items())))


def sealed(data: bytes) -> bytes:
    """The bytes with their last 32 replaced by the SHA-256 of the others."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def with_header(data: bytes, **changes: Any) -> bytes:
    first, line, body = data.split(b"\n", 2)
    header = {**json.loads(line), **changes}
    new = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    return sealed(first + b"\n" + new + b"\n" + body)


def trimmed(game: Game[str], records: Records) -> Records:
    """The records with at least three empty cells; those with three are settled by small searches."""
    result = {}
    for key, record in records.items():
        position = game.position(key)
        empty = position.count(".")
        claims = decode_record(record).claims
        if empty == 3:
            searched = []
            for claim in claims:
                start, bound, depth = position, claim.bound, claim.rank
                if claim.witness is not None:
                    start, bound, depth = game.play(position, claim.witness), -claim.bound, claim.rank - 1
                nodes = small_search_visits(game, start, bound, depth, 10_000)
                assert nodes is not None
                searched.append(replace(claim, evidence=Evidence.SEARCH, payload=search_payload(nodes)))
            claims = tuple(searched)
        if empty >= 3:
            result[key] = encode_record(Record(claims))
    return result


@pytest.fixture(scope="module")
def game() -> Game[str]:
    return open_rules("tic-tac-toe")


@pytest.fixture(scope="module")
def ending(game: Game[str]) -> bytes:
    """A certificate of a position with five empty cells, with evidence by children and by search."""
    root = game.parse("xo./.x./..o")
    return certificate(game, root, trimmed(game, exact_records(game, root)))


def cyclic_game() -> ExplicitGame:
    """A graph with a cycle, rewards, and safety as well as progress claims in its records."""
    for number in range(1000):
        graph = random_graph(Random(number), 12, rewards=2, rho=1, highest_terminal=2)
        game = ExplicitGame(graph, max(1, *map(abs, values(graph))))
        claims = [claim for record in exact_records(game).values() for claim in decode_record(record).claims]
        if len(claims) >= 14 and sum(claim.rank == 0 for claim in claims) >= 4 and sum(c.rank > 1 for c in claims) >= 4:
            return game
    raise AssertionError("no such graph")


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:3x3", "connect-four:1x1", "connect-four:2x5"])
def test_certificate_roundtrip(name: str, tmp_path: Path) -> None:
    game = open_rules(name)
    records = exact_records(game)
    file = tmp_path / "c.pbc"
    with file.open("wb") as out:
        size = write_certificate(out, game, game.initial(), records.items())
    data = file.read_bytes()
    assert len(data) == size
    result = check_certificate(data)
    assert result.valid
    assert result.records == len(records)
    assert result.claims == 2 * len(records)
    for source in (io.BytesIO(data), [data], [data[i : i + 7] for i in range(0, len(data), 7)]):
        reader = CertificateReader(source)
        assert reader.header == CertificateHeader(
            name, 1, game.text(game.initial()), game.key(game.initial()).hex(), len(records), 0, 0
        )
        assert dict(reader) == records
    check_seal(io.BytesIO(data))


def test_certificates_of_every_kind_of_game_are_valid(game: Game[str], ending: bytes) -> None:
    assert check_certificate(ending).valid
    assert any(
        claim.evidence == Evidence.SEARCH
        for _, record in CertificateReader([ending])
        for claim in decode_record(record).claims
    )
    cyclic = cyclic_game()
    assert check_certificate(certificate(cyclic, 0, exact_records(cyclic)), cyclic).valid


def with_two_sources(record: bytes) -> bytes:
    lower, upper = decode_record(record).claims
    return encode_record(Record((lower.with_source(3), upper.with_source(300))))


def test_source_numbers_are_dropped(game: Game[str]) -> None:
    records = exact_records(game, "xo.ox....")
    with_sources = {key: with_two_sources(record) for key, record in records.items()}
    assert certificate(game, "xo.ox....", with_sources) == certificate(game, "xo.ox....", records)


def test_the_writer_refuses_unsorted_and_malformed_records(game: Game[str]) -> None:
    items = sorted(exact_records(game, "xo.ox....").items())
    for wrong in (items[::-1], [items[0], items[0]]):
        with pytest.raises(ValueError, match="keys must ascend"):
            list(certificate_chunks(game, "xo.ox....", wrong))
    with pytest.raises(MalformedRecordError):
        list(certificate_chunks(game, "xo.ox....", [(items[0][0], b"\x11")]))


def test_a_finished_root_needs_no_records(game: Game[str]) -> None:
    data = certificate(game, game.parse("xxx/oo./..."), {})
    assert b'"lower":-1,"records":0' in data
    assert check_certificate(data).valid
    assert not check_certificate(with_header(data, lower=0)).valid


def test_a_root_without_claims_is_said_to_be_unknown(game: Game[str]) -> None:
    data = certificate(game, game.initial(), {})
    assert b'"lower":null' in data
    assert check_certificate(data).valid
    assert [f.rule for f in check_certificate(with_header(data, lower=0)).findings] == ["header: the records say None"]


# --- Changes ---------------------------------------------------------------------------------------------------------


def is_harmless(data: bytes, game: Game[Any], worth: dict[bytes, int]) -> bool:
    """Whether everything that a certificate claims is true, by brute force."""
    reader = CertificateReader([data])
    header = reader.header
    claims = [(key, claim) for key, record in reader for claim in decode_record(record).claims]
    root = game.parse(header.root)
    value = worth[game.key(root)]
    return (
        header.root_key == game.key(root).hex()
        and (header.lower is None or header.lower <= value)
        and (header.upper is None or header.upper >= value)
        and all(c.bound <= worth[key] if c.side == Side.LOWER else c.bound >= worth[key] for key, c in claims)
    )


@pytest.mark.parametrize(("kind", "changes"), [("ending", 6000), ("cyclic", 4000)])
def test_every_changed_byte_is_rejected_or_harmless(kind: str, changes: int, game: Game[str], ending: bytes) -> None:
    rules: Game[Any] = game if kind == "ending" else cyclic_game()
    data = ending if kind == "ending" else certificate(rules, 0, exact_records(rules))
    graph = explore(rules)
    worth = dict(zip(graph.keys, values(graph), strict=True))
    random = Random(f"changes {kind}")
    rejected = harmless = 0
    for _ in range(changes):
        place = random.randrange(len(data))
        changed = bytearray(data)
        changed[place] ^= random.randrange(1, 256)
        assert not check_certificate(bytes(changed), rules).valid  # as it is: the seal is broken
        resealed = sealed(bytes(changed))
        if check_certificate(resealed, rules).valid:
            harmless += 1
            assert is_harmless(resealed, rules, worth), (place, changed[place])
        else:
            rejected += 1
    assert rejected + harmless == changes
    assert harmless < changes // 5  # changes of the seal itself, which sealing again undoes, and a few others


def test_false_bounds_cannot_be_sealed_into_validity(game: Game[str]) -> None:
    """Every single changed bound of every claim, sealed again, is rejected."""
    root = game.parse("xo./.x./..o")
    records = exact_records(game, root)
    for key, record in records.items():
        for index, claim in enumerate(claims := decode_record(record).claims):
            for bound in {-1, 0, 1} - {claim.bound}:
                changed = list(claims)
                changed[index] = Claim(claim.side, bound, claim.rank, witness=claim.witness)
                weaker = bound < claim.bound if claim.side == Side.LOWER else bound > claim.bound
                result = check_certificate(
                    certificate(game, root, {**records, key: encode_record(Record(tuple(changed)))})
                )
                assert weaker or not result.valid


def test_truncated_certificates_are_rejected(game: Game[str], ending: bytes) -> None:
    for size in range(len(ending)):
        assert not check_certificate(ending[:size]).valid
        with pytest.raises(MalformedCertificateError):
            list(CertificateReader([ending[:size]]))
        if size > 24:
            assert not check_certificate(sealed(ending[:size])).valid


def test_bytes_behind_the_seal_are_rejected(ending: bytes) -> None:
    for extra in (b"\0", b"\n", ending):
        assert not check_certificate(ending + extra).valid
        with pytest.raises(MalformedCertificateError):
            list(CertificateReader([ending + extra]))
    with pytest.raises(MalformedCertificateError, match="SHA-256"):
        check_seal(io.BytesIO(ending + b"\0"))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_refused_or_read(data: bytes, prefixed: bool) -> None:
    if prefixed:
        data = sealed(b"proofbase certificate 1\n" + data + bytes(32))
    result = check_certificate(data)
    assert not result.valid
    assert len(result.findings[0].rule) < 500
    with pytest.raises(MalformedCertificateError):
        list(CertificateReader([data]))


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "connect-four:7x6"}, "these rules are 'connect-four'"),
        ({"game": "connect-four"}, "is not 6 rows of 7 cells"),
        ({"game": 5}, "the header's game is no str"),
        ({"rules_version": 2}, "version 1; it needs others"),
        ({"rules_version": True}, "the header's rules_version is no int"),
        ({"rules_version": 1.0}, "the header's rules_version is no int"),
        ({"records": 5}, "the header says 5 records"),
        ({"records": -1}, "the header says -1 records"),
        ({"root": "xo./.x./..."}, "or its key is not"),
        ({"root": "xo./.x./..o "}, "is not 3 rows of 3 cells"),
        ({"root_key": "0000"}, "or its key is not"),
        ({"root_key": "zz"}, "or its key is not"),
        ({"lower": None}, "header: the records say 1"),
        ({"lower": -1}, "header: the records say 1"),
        ({"upper": 2}, "header: the records say 1"),
        ({"upper": "1"}, "the header's upper is no int"),
        ({"author": "me"}, "exactly the fields of version 1"),
        ({"root": "\x1b[2J"}, "is not 3 rows of 3 cells"),
    ],
)
def test_wrong_headers_are_named(ending: bytes, changes: dict[str, Any], cause: str) -> None:
    assert json.loads(ending.split(b"\n")[1])["lower"] == 1
    result = check_certificate(with_header(ending, **changes))
    assert not result.valid
    assert cause in result.findings[0].rule
    assert "\x1b" not in str(result.findings)


def test_headers_in_other_forms_are_rejected(ending: bytes) -> None:
    first, line, body = ending.split(b"\n", 2)
    header = json.loads(line)
    for other in (
        json.dumps(header).encode(),
        line.replace(b'"game"', b'"g\\u0061me"'),
        line + b" ",
        b" " + line,
        line[:-1] + b',"upper":1}',
        b"[" * 5000,
        b"1" * 5000,
        b"null",
        b"\xff",
        b"",
    ):
        data = sealed(first + b"\n" + other + b"\n" + body)
        assert not check_certificate(data).valid
        with pytest.raises(MalformedCertificateError):
            list(CertificateReader([data]))


def test_findings_name_key_position_claim_and_rule(game: Game[str]) -> None:
    root = game.parse("xo./.x./..o")
    records = exact_records(game, root)
    key = game.key(root)
    lower, upper = decode_record(records[key]).claims
    wrong = next(move for move in game.moves(game.position(key)) if move != lower.witness)
    records[key] = encode_record(Record.of([Claim(Side.LOWER, lower.bound, 1, witness=wrong), upper]))
    finding = check_certificate(certificate(game, root, records)).findings[0]
    assert finding.key == key.hex()
    assert finding.position == game.text(game.position(key))
    assert finding.claim == f"lower 1 rank 1 witness {wrong} by children"
    assert finding.rule == f"child: after move {wrong + 1} nothing says upper <= -1 with a rank below 1"


def test_both_checks_find_the_same_records(game: Game[str]) -> None:
    records = exact_records(game, game.parse("xo./.x./..o"))
    random = Random(5)
    for _ in range(60):
        missing = random.sample(sorted(records), random.randint(1, 10))
        left = {key: record for key, record in records.items() if key not in missing}
        found = LocalCheck(game).findings(list(left.items()), lambda keys: [None] * len(keys))
        result = check_certificate(certificate(game, game.parse("xo./.x./..o"), left))
        assert {f.key.hex() for f in found} == {f.key for f in result.findings if f.key}


# --- The command -----------------------------------------------------------------------------------------------------

NIM = """
from proofbase.engine.rules import Game

class Nim(Game[int]):
    name = "one-heap"
    def initial(self): return 5
    def terminal(self, position): return -1 if position == 0 else None
    def moves(self, position): return range(1, min(position, 3) + 1)
    def play(self, position, move): return position - move
    def key(self, position): return bytes([position])
    def position(self, key): return key[0]
    def text(self, position): return f"{position}"
    def parse(self, text): return int(text)
"""


def test_the_command_answers_by_exit_status(ending: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.pbc", tmp_path / "bad.pbc"
    good.write_bytes(ending)
    bad.write_bytes(with_header(ending, upper=0))
    assert checker.main([str(good)]) == 0
    assert "valid: " in capsys.readouterr().out
    assert checker.main([str(bad)]) == 1
    assert "not valid: " in capsys.readouterr().out
    assert checker.main([str(good), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["valid"] is True
    assert document["header"]["root"] == "xo./.x./..o"
    assert document["findings"] == []
    assert checker.main([str(bad), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["findings"][0]["claim"] == "upper 0"
    assert checker.main([str(tmp_path / "none.pbc")]) == 3
    assert "FileNotFoundError" in capsys.readouterr().err
    with pytest.raises(SystemExit) as exit_:
        checker.main([])
    assert exit_.value.code == 2


def test_the_command_checks_users_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nim.py").write_text(NIM)
    game = checker.load_rules(f"{tmp_path / 'nim.py'}:Nim")
    file = tmp_path / "nim.pbc"
    file.write_bytes(certificate(game, 5, exact_records(game)))
    monkeypatch.chdir(tmp_path)
    for arguments, status in (
        (["--rules", "nim.py:Nim"], 0),
        (["--rules", "nim:Nim"], 0),
        ([], 1),
        (["--rules", "proofbase.engine.rules:TicTacToe"], 1),
        (["--rules", "nim.py:Chess"], 3),
        (["--rules", "nothing:Nim"], 3),
    ):
        command = [sys.executable, "-m", "proofbase.engine.checker", "nim.pbc", *arguments]
        assert subprocess.run(command, capture_output=True, check=False).returncode == status, arguments


def test_native_solutions_make_valid_certificates() -> None:
    core = pytest.importorskip("proofbase.engine._core", reason="the native core is not built")
    for name in ("tic-tac-toe", "connect-four:4x4"):
        native = open_game(name)
        search = core.Search(native, native.initial(), 0)
        assert search.run().status == "proved"
        items = [item for chunk in search.solution().chunks(100) for item in chunk]
        data = b"".join(certificate_chunks(native, native.initial(), items))
        result = check_certificate(data)
        assert result.findings == []
        assert result.header["lower"] == 0
        assert result.records == len(items) > 0


def test_claims_by_a_table_or_by_a_line_that_does_not_play_are_not_accepted(game: Game[str]) -> None:
    root = game.parse("xo./.x./..o")
    records = exact_records(game, root)
    lower, upper = decode_record(records[game.key(root)]).claims
    for evidence, payload in ((Evidence.TABLE, table_payload("some table")), (Evidence.LINE, line_payload([1, 2]))):
        claim = Claim(Side.LOWER, lower.bound, lower.rank, witness=lower.witness, evidence=evidence, payload=payload)
        changed = {**records, game.key(root): encode_record(Record.of([claim, upper]))}
        result = check_certificate(certificate(game, root, changed))
        assert [f.rule.split(":")[0] for f in result.findings] == ["evidence" if evidence == 1 else "line"]
    assert upper.side == Side.UPPER
