"""Packages with right checksums and false contents: nothing of them is served as a value, or not without its mark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Run, cli

from proofbase.engine import open_rules
from proofbase.engine.records import (
    Claim,
    Evidence,
    Record,
    Side,
    encode_record,
    line_payload,
    pairing_payload,
    search_payload,
    table_payload,
)
from proofbase.engine.rules import Game
from proofbase.service.answers import Value
from proofbase.service.answers.batches import DAMAGED, LOWER_KNOWN
from proofbase.service.client import Client, connect
from proofbase.storage import MalformedRecordError, open_store
from proofbase.storage.package.writing import write_manifest, write_solution
from proofbase.storage.table_blocks import TableDescription

__all__ = ["cli"]

GAME = "tic-tac-toe"
RULES: Game[Any] = open_rules(GAME)
ROOT = RULES.key(RULES.initial())
AFTER_ONE = RULES.key(RULES.play(RULES.initial(), 0))
"""Of the first move into a corner."""
Records = dict[bytes, bytes]


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The records of tic-tac-toe, a draw, all of which pass."""
    url = str(tmp_path_factory.mktemp("solved") / "store")
    with connect(url) as client:
        client.solve(GAME)
    with open_store(url, read_only=True) as store:
        return dict(store.scan(GAME))


def publish(
    directory: Path,
    records: Records,
    game: str = GAME,
    tables: list[tuple[TableDescription, list[bytes]]] | None = None,
    checks: list[dict[str, Any]] | None = None,
) -> str:
    """Writes a package with right checksums."""
    about, of_tables = write_solution(directory / "game.blocks", game, sorted(records.items()), tables or [])
    entry = {
        "game": game,
        "rules_version": open_rules(game).rules_version,
        "root": None,
        "file": "game.blocks",
        "value": {"lower": 1, "upper": 1},
        "records": about,
        "tables": of_tables,
        "certificate": None,
        "checks": [{**check, "fingerprint": about["fingerprint"], "records": len(records)} for check in checks or []],
    }
    write_manifest(directory, {"licence": "CC0-1.0"}, [entry], [], ["game.blocks"])
    return directory.as_uri()


def claims(evidence: Evidence, payload: bytes = b"", rank: int = 9, witness: int = 0) -> bytes:
    """A record that says the side to move wins."""
    won = Claim(Side.LOWER, 1, rank, evidence, witness, payload)
    return encode_record(Record.of([won, Claim(Side.UPPER, 1, 9, Evidence.CHILDREN)]))


FORGERIES: dict[str, Callable[[Records], bytes]] = {
    "children that do not say so": lambda _: claims(Evidence.CHILDREN),
    "a rank that does not fall": lambda _: claims(Evidence.CHILDREN, rank=1),
    "no legal witness": lambda _: claims(Evidence.CHILDREN, witness=40),
    "a search that does not settle it": lambda _: claims(Evidence.SEARCH, search_payload(10_000)),
    "a search to limits": lambda _: claims(Evidence.SEARCH_TO_LIMITS, search_payload(10_000)),
    "a line that does not win": lambda _: claims(Evidence.LINE, line_payload([0])),
    "a table that nobody has": lambda _: claims(Evidence.TABLE, table_payload("tic-tac-toe-9"), rank=0),
    "a pairing": lambda _: claims(Evidence.PAIRING, pairing_payload([(1, 2)])),
    "the record of another position": lambda records: records[AFTER_ONE],
    "a bound above the other": lambda _: encode_record(
        Record((Claim(Side.LOWER, 1, 9, Evidence.CHILDREN, 0), Claim(Side.UPPER, 0, 9, Evidence.CHILDREN)))
    ),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_no_reader_serves_a_record_that_fails_its_check(solution: Records, tmp_path: Path, cli: Run, kind: str) -> None:
    url = publish(tmp_path, {**solution, ROOT: FORGERIES[kind](solution)})
    served: list[tuple[str, Callable[[Client], object]]] = [
        ("lookup", lambda client: client.lookup(GAME)),
        ("search", lambda client: client.lookup(GAME, search=100)),
        ("line", lambda client: client.line(GAME)),
        ("proof", lambda client: client.proof(GAME)),
        ("analysis", lambda client: client.analyse_game(GAME, "1 5")),
        ("certificate", lambda client: b"".join(client.export(GAME, ""))),
        ("all records", lambda client: b"".join(client.export(GAME, form="jsonl"))),
    ]
    with connect(url) as client:
        for reader, read in served:
            with pytest.raises(MalformedRecordError) as caught:
                read(client)
            assert url in str(caught.value) and "fails its check and is not served" in str(caught.value), reader
        [item] = client.batch_lookup(GAME, ["-"])
        assert item.status == "invalid" and "is not served" in (item.message or "")
        for _ in range(2):
            packed = client.batch_lookup_keys(GAME, [ROOT, AFTER_ONE])
            assert packed.states[0] == DAMAGED and packed.states[1] & LOWER_KNOWN
        assert client.lookup(GAME, "x../.../...").value == Value.of(0), "the others are served"
    for command in ("lookup", "moves", "line", "tree"):
        found = cli(command, GAME, "--store", url)
        assert found.status == 3 and found.err.count("\n") == 1 and "is not served" in found.err, found


def test_what_a_position_shows_of_its_moves_is_checked(solution: Records, tmp_path: Path) -> None:
    """A false record one ply on, by which the record before it would pass."""
    lost = encode_record(Record.of([Claim(Side.UPPER, -1, 8, Evidence.CHILDREN)]))
    url = publish(tmp_path, {**solution, ROOT: claims(Evidence.CHILDREN), AFTER_ONE: lost})
    with connect(url) as client:
        for position in ("-", "x../.../..."):
            with pytest.raises(MalformedRecordError, match=r"a record of \.\.\./\.\.\./\.\.x that fails its check"):
                client.lookup(GAME, position)


def test_a_record_without_those_that_it_rests_on_is_not_served(solution: Records, tmp_path: Path) -> None:
    url = publish(tmp_path, {ROOT: solution[ROOT]})
    with (
        connect(url) as client,
        pytest.raises(MalformedRecordError, match=r"record of \.\.\./\.\.\./\.\.\. that fails"),
    ):
        client.lookup(GAME)


def test_a_falsehood_far_below_is_marked_and_found_where_it_is(solution: Records, tmp_path: Path, cli: Run) -> None:
    """An answer says how far it was checked; what does not hold is named when it is read."""
    late = (key for key in solution if RULES.text(RULES.position(key)).count(".") == 3)
    lost = next(key for key in late if RULES.terminal(RULES.position(key)) is None)
    url = publish(tmp_path, {**solution, lost: claims(Evidence.CHILDREN, rank=3)})
    with connect(url) as client:
        answer = client.lookup(GAME)
        assert answer.package == url and answer.value == Value.of(0)
        with pytest.raises(MalformedRecordError, match="is not served"):
            client.lookup(GAME, RULES.text(RULES.position(lost)))
    found = cli("lookup", GAME, "--store", url)
    assert f"package  {url}: each record was checked here by those after its moves; what these rest on" in found.out


def test_the_checks_of_a_manifest_are_what_the_package_says(solution: Records, tmp_path: Path, cli: Run) -> None:
    invented = {
        "by": "The Independent Institute",
        "when": "2026-01-01T00:00:00Z",
        "program": "proofbase 9",
        "failed": 0,
        "rules": "python",
        "rules_version": 1,
        "sample": None,
        "table_entries": 0,
    }
    url = publish(tmp_path, solution, checks=[invented])
    found = cli("lookup", GAME, "--store", url)
    assert "verified  the package says: 2026-01-01 00:00 UTC by proofbase 9, python rules version 1, asked for by" in (
        found.out
    )
    assert cli("lookup", GAME, "--store", url, "--json").json["verification"]["package"] == url
    with connect(url) as client:
        verification = client.lookup(GAME).verification
        assert verification is not None and verification.package == url
        assert "the package says: 2026" in client.lookup(GAME)._repr_html_()


def test_values_of_false_tables_have_their_mark(tmp_path: Path, cli: Run) -> None:
    """Tables are not checked when they are read, neither alone nor as the evidence of a record."""
    home, true = str(tmp_path / "store"), tmp_path / "true"
    assert cli("tables", "build", "awari", "--stones", "2", "--store", home).status == 0
    assert cli("publish", "awari", true, "--licence", "CC0-1.0", "--store", home).status == 0
    tables = []
    with open_store(str(true)) as store:
        blocks = store.packed_tables("awari")
        assert blocks is not None
        for name, about in blocks.tables.items():
            tables.append((about, [bytes(len(blocks.block(name, 0)))]))
    rules = open_rules("awari")
    position = rules.parse("0,0,0,0,0,1/1,0,0,0,0,0/S")
    text, lowest = rules.text(position), next(about.lowest for about, _ in tables if about.name == "awari-2")
    by_table = Claim(Side.UPPER, lowest, 0, Evidence.TABLE, None, table_payload("awari-2"))
    for number, records in enumerate(({}, {rules.key(position): encode_record(Record.of([by_table]))})):
        directory = tmp_path / str(number)
        directory.mkdir()
        url = publish(directory, records, "awari", tables)
        with connect(url) as client:
            answer = client.lookup("awari", text)
            assert answer.value.upper == lowest and answer.claims[0].table == "awari-2" and answer.package == url
        assert "and tables, were not" in cli("lookup", "awari", text, "--store", url).out
