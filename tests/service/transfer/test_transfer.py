"""Exports and imports."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from services import MakeService, Service, fill_tic_tac_toe

from proofbase.engine.checking.checker import check_certificate
from proofbase.engine.errors import MalformedCertificateError, MalformedRecordError
from proofbase.engine.games import open_game
from proofbase.engine.records import decode_record
from proofbase.service.client import InvalidRequestError, LimitExceededError, Limits, UnsoundRecordsError, connect
from proofbase.storage import (
    Claim,
    ContradictionError,
    Record,
    Side,
    SolutionStore,
    encode_record,
    without_sources,
)

GAME = "tic-tac-toe"


def plain(store: SolutionStore, game: str = GAME) -> dict[bytes, bytes]:
    return {key: without_sources(data) for key, data in store.scan(game)}


def test_a_certificate_is_exported_and_imported(make_service: MakeService, tmp_path: Path) -> None:
    first, second = make_service(), make_service()
    fill_tic_tac_toe(first.store)
    path = tmp_path / "solution.cert"
    summary = first.client.export_to(path, GAME, "-")
    assert summary.bytes == path.stat().st_size and summary.cut is None
    checked = check_certificate(path.read_bytes())
    assert checked.valid, checked
    result = second.client.import_(path)
    assert (result.game, result.added, result.improved, result.unchanged) == (GAME, summary.records, 0, 0)
    assert result.root == ".../.../..."
    assert [source.text for source in second.client.statistics().sources] == ["solution.cert"]
    again = second.client.import_(path)
    assert (again.added, again.improved, again.unchanged) == (0, 0, summary.records)
    # What the root needs, in part by small searches, and nothing that the first store does not say.
    stored = {key: decode_record(data).claims for key, data in plain(first.store).items()}
    for key, data in plain(second.store).items():
        for claim in decode_record(data).claims:
            assert (claim.side, claim.bound, claim.rank) in {(c.side, c.bound, c.rank) for c in stored[key]}
    assert second.store.count(GAME) < first.store.count(GAME)
    assert second.client.lookup(GAME).value.exact


def test_json_lines_are_exported_and_imported(make_service: MakeService) -> None:
    first, second = make_service(), make_service()
    fill_tic_tac_toe(first.store)
    data = b"".join(first.client.export(GAME, form="jsonl"))
    assert second.client.import_([data], form="jsonl", source="elsewhere").added == 627
    assert plain(second.store) == plain(first.store)
    entry = json.loads(data.splitlines()[0])
    assert entry["game"] == GAME and entry["value"] == {"lower": 0, "upper": 0}
    assert entry["position"] == ".../.../..."


def test_csv_has_a_line_for_every_claim(solved: Service) -> None:
    rows = list(csv.DictReader(io.StringIO(b"".join(solved.client.export(GAME, form="csv")).decode())))
    census = solved.client.statistics(GAME, census=True).census
    assert census is not None and len(rows) == census.claims
    for row in rows[::50]:
        answer = solved.client.lookup(GAME, bytes.fromhex(row["key"]))
        assert row["position"] == answer.position
        assert any(
            (claim.side, str(claim.bound), str(claim.rank), claim.witness or "")
            == (row["side"], row["bound"], row["rank"], row["witness"])
            for claim in answer.claims
        )


def test_a_drawing_shows_what_the_claims_rest_on(solved: Service) -> None:
    chunks = solved.client.export(GAME, "12", form="dot")
    text = b"".join(chunks).decode()
    assert chunks.summary is not None and chunks.summary.cut is None
    assert text.startswith("digraph") and text.endswith("}\n") and text.count("->") > 10
    small = solved.client.export(GAME, "12", form="dot", max_nodes=3)
    drawn = b"".join(small).decode()
    assert small.summary is not None and small.summary.cut is not None
    assert drawn.count('style="filled,dashed"') > 0


@pytest.mark.usefixtures("whole_solutions")
def test_an_export_comes_in_small_chunks(service: Service) -> None:
    service.client.solve("connect-four:5x4")
    chunks = list(service.client.export("connect-four:5x4", form="jsonl"))
    assert len(chunks) > 1 and max(map(len, chunks)) < 1 << 20


def test_below_a_position_only_its_solution_is_exported(solved: Service) -> None:
    game = open_game(GAME)
    lines = b"".join(solved.client.export(GAME, "12", form="jsonl")).splitlines()
    keys = {bytes.fromhex(json.loads(line)["key"]) for line in lines}
    assert game.key(game.play(game.play(game.initial(), 0), 1)) in keys
    assert len(keys) == len(lines) < 200


@pytest.mark.parametrize("form", ["certificate", "dot"])
def test_some_formats_need_a_position(solved: Service, form: str) -> None:
    with pytest.raises(InvalidRequestError, match="needs a position"):
        list(solved.client.export(GAME, form=form))  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match="knows nothing"):
        list(solved.client.export("connect-four", "44", form=form))  # type: ignore[arg-type]


def test_a_contradiction_names_both_sources_and_changes_nothing(solved: Service) -> None:
    game = open_game(GAME)
    data = b"".join(solved.client.export(GAME, "-"))
    key = game.key(game.initial())
    other = encode_record(Record.of([Claim(Side.UPPER, -1, 9)]))
    solved.store.quarantine(GAME, [key], "made room")
    solved.store.put_many(GAME, [(key, other)], source="a liar", rules_version=1)
    before = plain(solved.store)
    with pytest.raises(ContradictionError, match="a liar") as caught:
        solved.client.import_([data], source="an honest file")
    assert "an honest file" in str(caught.value)
    assert caught.value.key == key and caught.value.game == GAME
    assert {caught.value.lower_source, caught.value.upper_source} == {"a liar", "an honest file"}
    assert caught.value.upper.bound == -1
    assert plain(solved.store) == before


def damage(data: bytes, number: int) -> bytes:
    """One record's bound or rank is changed, and the line count left as it is."""
    lines = data.splitlines()
    entry = json.loads(lines[number])
    entry["claims"][0]["rank"] += -1 if entry["claims"][0]["rank"] else 1
    lines[number] = json.dumps(entry).encode()
    return b"\n".join(lines) + b"\n"


def test_unsound_records_are_refused(make_service: MakeService) -> None:
    first, second = make_service(), make_service()
    fill_tic_tac_toe(first.store)
    data = b"".join(first.client.export(GAME, form="jsonl"))
    with pytest.raises(UnsoundRecordsError, match="fail the local check"):
        second.client.import_([damage(data, 0)], form="jsonl")
    assert second.store.count(GAME) == 0
    open_set = b"".join(data.splitlines(keepends=True)[:5])
    with pytest.raises(UnsoundRecordsError):
        second.client.import_([open_set], form="jsonl")
    assert second.store.count(GAME) == 0
    # The same lines are sound where the store has what they rest on.
    assert first.client.import_([open_set], form="jsonl").unchanged == 5


def not_a_certificate(data: bytes) -> bytes:
    return b"PK\x03\x04" + data


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda data: data[: len(data) // 2], "SHA-256|truncated"),
        (lambda data: data[:-1], "SHA-256|truncated"),
        (lambda data: data + b"x", "SHA-256|after the seal"),
        (lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:], "SHA-256"),
        (not_a_certificate, "not a proofbase certificate"),
        (lambda data: b"", "not a proofbase certificate"),
    ],
)
def test_damaged_certificates_are_refused(
    make_service: MakeService, change: Callable[[bytes], bytes], match: str
) -> None:
    first, second = make_service(), make_service()
    fill_tic_tac_toe(first.store)
    data = b"".join(first.client.export(GAME, "-"))
    with pytest.raises(MalformedCertificateError, match=match):
        second.client.import_([change(data)])
    assert second.store.games() == []


@pytest.mark.parametrize(
    ("line", "match"),
    [
        (b"", "empty"),
        (b"nonsense\n", "not JSON"),
        (b"\xff\xfe\n", "UTF-8"),
        (b"[1]\n", "not a JSON object"),
        (b'{"key": "00"}\n', "names no game"),
        (b'{"game": "tic-tac-toe", "key": "0000"}\n', "claims"),
        (b'{"game": "tic-tac-toe", "key": "0000", "claims": [{}]}\n', "missing"),
        (b'{"game": "tic-tac-toe", "key": "0000", "claims": [], "colour": 1}\n', "unknown field 'colour'"),
        (b'{"game": "tic-tac-toe", "key": "0000", "position": "x../.../...", "claims": []}\n', "another key"),
    ],
)
def test_damaged_lines_are_refused(service: Service, line: bytes, match: str) -> None:
    with pytest.raises(MalformedRecordError, match=match):
        service.client.import_([line], form="jsonl")
    assert service.store.games() == []


def test_a_too_large_import_is_refused(make_service: MakeService) -> None:
    service = make_service(limits=Limits(import_bytes=1000))
    with pytest.raises(LimitExceededError) as caught:
        service.client.import_([b"x" * 999, b"xx"])
    assert caught.value.limit == "import_bytes" and caught.value.largest == 1000


def test_an_error_in_reading_the_file_is_raised(service: Service, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        service.client.import_(tmp_path / "nothing")


@pytest.mark.parametrize("form", ["certificate", "jsonl"])
def test_one_side_of_a_draw_has_what_its_bound_rests_on(
    service: Service, form: Literal["certificate", "jsonl"]
) -> None:
    """Both halves are valid alone, smaller than the whole, and together as good as it."""
    client = service.client
    client.solve("connect-four:4x4")
    whole = b"".join(client.export("connect-four:4x4", "-", form=form))
    with connect("memory:") as other:
        sides: list[Literal["lower", "upper"]] = ["lower", "upper"]
        for side in sides:
            data = b"".join(client.export("connect-four:4x4", "-", form=form, side=side))
            assert len(data) < len(whole)
            if form == "certificate":
                found = check_certificate(data)
                bounds = [found.header[name] for name in sides]
                assert found.valid and bounds == ([0, None] if side == "lower" else [None, 0])
            other.import_([data], form=form)
            value = other.lookup("connect-four:4x4").value
            assert (value.lower_known, value.upper_known) == (True, side == "upper")
        assert other.lookup("connect-four:4x4").value.exact


def test_a_side_of_which_nothing_is_known_is_refused(service: Service) -> None:
    client = service.client
    client.solve("tic-tac-toe", at_least=0)
    assert b"".join(client.export("tic-tac-toe", "-", side="lower"))
    with pytest.raises(InvalidRequestError, match="no upper bound of this position is known"):
        b"".join(client.export("tic-tac-toe", "-", side="upper"))
    with pytest.raises(InvalidRequestError, match="one side is of a position"):
        b"".join(client.export("tic-tac-toe", form="csv", side="upper"))
