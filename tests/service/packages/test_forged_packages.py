"""Packages whose checksums are right and which are false all the same: no check calls one of them valid."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli_runs import GAME, Run, cli, store
from table_files import rewrite

from proofbase.engine import open_rules
from proofbase.engine.checking.certificate import certificate_chunks
from proofbase.engine.records import Claim, Evidence, Record, Side, decode_record, encode_record, search_payload
from proofbase.engine.records import table_payload as of_table
from proofbase.engine.tables import PythonTables
from proofbase.service.cli import run
from proofbase.service.commands.packages import described, progress_file
from proofbase.service.commands.packages.check import check_package
from proofbase.service.commands.packages.overview import overview_page
from proofbase.service.commands.packages.solution_check import PackageQuestion
from proofbase.service.limits import Limits
from proofbase.storage import open_store
from proofbase.storage.package.folders import CHECKSUMS
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.package.writing import checksums_text, write_solution
from proofbase.storage.progress import ignore_progress

__all__ = ["cli", "store"]

LICENCE = ("--licence", "CC0-1.0")
OWARE, AWARI = "awari:oware", "awari"
Forge = Callable[[dict[str, Any], Path], object]


def forged(package: Path, target: Path, forge: Forge) -> Path:
    """A copy of a package that is changed, with right checksums."""
    shutil.copytree(package, target)
    document = json.loads((target / "manifest.json").read_text())
    forge(document, target)
    for file in sorted(document["files"], key=lambda file: file["name"] == CHECKSUMS):  # that of the others is last
        if file["name"] == CHECKSUMS:
            (target / CHECKSUMS).write_bytes(checksums_text(document["files"]))
        data = (target / file["name"]).read_bytes()
        file["bytes"], file["sha256"] = len(data), sha256(data).hexdigest()
    (target / "manifest.json").write_bytes(Manifest(document).write())
    return target


@pytest.fixture(scope="module")
def package(store: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A true package of two games; `GAME` has the certificate of its initial position, which is drawn."""
    directory = tmp_path_factory.mktemp("true") / "package"
    for game in ("tic-tac-toe", GAME):
        assert run(["publish", game, str(directory), "--store", store, *LICENCE]) == 0
    return directory


def tic_tac_toe(document: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = document["solutions"][1]
    assert entry["game"] == "tic-tac-toe"
    return entry


def false_value(document: dict[str, Any], directory: Path) -> None:
    """The page and the citation say what the manifest says."""
    tic_tac_toe(document)["value"] = {"lower": 1, "upper": 1}
    (directory / "index.html").write_text(overview_page(document, document["solutions"]))


def weaker_value(document: dict[str, Any], directory: Path) -> None:
    tic_tac_toe(document)["value"] = {"lower": None, "upper": 0}
    (directory / "index.html").write_text(overview_page(document, document["solutions"]))


def false_counts(document: dict[str, Any], directory: Path) -> None:
    tic_tac_toe(document)["records"]["claims"] = 5478


def false_root(document: dict[str, Any], directory: Path) -> None:
    tic_tac_toe(document)["root"] = "xx./oo./..x"
    for name, content in described.described_files(document, document["solutions"]).items():
        (directory / name).write_bytes(content)


def false_page(document: dict[str, Any], directory: Path) -> None:
    page = directory / "index.html"
    page.write_text(page.read_text().replace("<td>draw</td>", "<td>win</td>"))


def false_citation(document: dict[str, Any], directory: Path) -> None:
    citation = directory / "CITATION.cff"
    citation.write_text(citation.read_text().replace("139 records", "5478 records"))


def false_card(document: dict[str, Any], directory: Path) -> None:
    card = directory / "README.md"
    card.write_text(card.read_text().replace("license: cc0-1.0", "license: mit"))


def changed_script(document: dict[str, Any], directory: Path) -> None:
    script = directory / "page.js"
    script.write_text(script.read_text().replace('"does NOT hold"', '"holds"'))


def false_certificate(document: dict[str, Any], directory: Path) -> None:
    """Its seal fits; that the initial position is drawn is true, and this is no proof of it."""
    game = open_rules("tic-tac-toe")
    payload = search_payload(9)
    claims = [
        Claim(Side.LOWER, 0, 9, Evidence.SEARCH, 4, payload),
        Claim(Side.UPPER, 0, 9, Evidence.SEARCH, None, payload),
    ]
    items = [(game.key(game.initial()), encode_record(Record.of(claims)))]
    (directory / "tic-tac-toe.certificate").write_bytes(b"".join(certificate_chunks(game, game.initial(), items)))


def certificate_of_another_game(document: dict[str, Any], directory: Path) -> None:
    shutil.copy(directory / f"{GAME.replace(':', '_')}.certificate", directory / "tic-tac-toe.certificate")


def certificate_of_another_position(document: dict[str, Any], directory: Path) -> None:
    """A true one, of a position that is drawn as well."""
    game = open_rules("tic-tac-toe")
    root = game.parse("x../.o./...")
    with open_store(str(directory), read_only=True) as records:
        items = [
            (key, encode_record(Record.of([claim.with_source(None) for claim in decode_record(data).claims])))
            for key, data in records.scan("tic-tac-toe")
        ]
    assert game.key(root) in dict(items)
    (directory / "tic-tac-toe.certificate").write_bytes(b"".join(certificate_chunks(game, root, items)))


def check_of_other_records(document: dict[str, Any], directory: Path) -> None:
    block = {"by": "The Institute", "when": "2026-11-28T10:00:00Z", "program": "proofbase 9", "rules": "python"}
    counts = {"rules_version": 1, "records": 9_999, "sample": None, "table_entries": 0, "failed": 0}
    entry = tic_tac_toe(document)
    entry["checks"] = [{**block, **counts, "fingerprint": entry["records"]["fingerprint"]}]


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (
            false_value,
            "values of tic-tac-toe: the manifest states the bounds 1 and 1, the records and tables have 0 and 0",
        ),
        (weaker_value, "values of tic-tac-toe: the manifest states the bounds None and 0"),
        (false_counts, "records of tic-tac-toe: the manifest says 139 records with 5,478 claims and the fingerprint"),
        (false_root, "values of tic-tac-toe: "),
        (false_page, "files of index.html: it is not what proofbase"),
        (false_citation, "files of CITATION.cff: it is not what proofbase"),
        (false_card, "files of README.md: it is not what proofbase"),
        (changed_script, "files of page.js: it is not what proofbase"),
        (false_certificate, "certificates of tic-tac-toe: .../.../...: lower = 0, rank 9"),
        (certificate_of_another_game, "certificates of tic-tac-toe.certificate: it is of another game or position"),
        (certificate_of_another_position, "certificates of tic-tac-toe.certificate: it is of another game or position"),
        (check_of_other_records, "checks of tic-tac-toe: the manifest names a check of other records"),
    ],
)
def test_what_is_forged_is_not_valid(cli: Run, package: Path, tmp_path: Path, forge: Forge, words: str) -> None:
    false = forged(package, tmp_path / "false", forge)
    before = (false / "manifest.json").read_bytes()
    found = cli("check-package", false, "--add")
    assert found.status == 1 and words in found.out and "\nNOT valid, " in found.out, found.out
    assert (false / "manifest.json").read_bytes() == before, "nothing is added to it"
    assert cli("check-package", false, "--json").json["valid"] is False


def test_checksums_of_other_files_are_not_valid(cli: Run, package: Path, tmp_path: Path) -> None:
    """The manifest fits the file of checksums, which fits no other file."""
    false = shutil.copytree(package, tmp_path / "false")
    document = json.loads((false / "manifest.json").read_text())
    (false / CHECKSUMS).write_bytes((false / CHECKSUMS).read_bytes().replace(b"page.js", b"pagf.js"))
    [file] = [file for file in document["files"] if file["name"] == CHECKSUMS]
    file["sha256"] = sha256((false / CHECKSUMS).read_bytes()).hexdigest()
    (false / "manifest.json").write_bytes(Manifest(document).write())
    found = cli("check-package", false)
    assert found.status == 1 and "files of SHA256SUMS: it is not what proofbase" in found.out, found.out


def test_a_false_value_is_found_in_a_sample(cli: Run, package: Path, tmp_path: Path) -> None:
    found = cli("check-package", forged(package, tmp_path / "false", false_value), "--sample", "5")
    assert found.status == 1 and "values of tic-tac-toe" in found.out


def false_record(document: dict[str, Any], directory: Path) -> None:
    """All of the package says that the initial position is won: only the rules tell otherwise."""
    game, entry = open_rules("tic-tac-toe"), tic_tac_toe(document)
    won = Record.of([Claim(Side.LOWER, 1, 9, Evidence.CHILDREN, 4)])
    with open_store(str(directory), read_only=True) as records:
        items = {**dict(records.scan("tic-tac-toe")), game.key(game.initial()): encode_record(won)}
    entry["records"], _ = write_solution(directory / entry["file"], "tic-tac-toe", sorted(items.items()), [])
    entry |= {"value": {"lower": 1, "upper": 1}, "certificate": None}
    (directory / "tic-tac-toe.certificate").unlink()
    document["files"] = [file for file in document["files"] if file["name"] != "tic-tac-toe.certificate"]
    for name, content in described.described_files(document, document["solutions"]).items():
        (directory / name).write_bytes(content)


def test_the_record_of_the_value_is_in_every_sample(cli: Run, package: Path, tmp_path: Path) -> None:
    false = forged(package, tmp_path / "false", false_record)
    for seed in range(3):
        found = cli("check-package", false, "--sample", "1", "--seed", seed)
        assert found.status == 1 and "records of tic-tac-toe: .../.../...: lower = 1, rank 9" in found.out, found.out


def test_records_of_another_game_end_a_pull_with_a_sentence(cli: Run, package: Path, tmp_path: Path) -> None:
    def swapped(document: dict[str, Any], directory: Path) -> None:
        one, two = document["solutions"]
        one["records"], two["records"], one["file"], two["file"] = (
            two["records"],
            one["records"],
            two["file"],
            one["file"],
        )

    false = forged(package, tmp_path / "false", swapped)
    found = cli("pull", false, "--store", tmp_path / "mine")
    assert found.status == 3 and found.err.count("\n") == 1, found
    assert f"{false.as_uri()} holds what is no record of {GAME}: a {GAME} key has 3 bytes, not 2" in found.err
    assert cli("check-package", false).status == 1


def test_the_page_of_another_release_is_not_counted(cli: Run, package: Path, tmp_path: Path) -> None:
    def forge(document: dict[str, Any], directory: Path) -> None:
        document["program"] = "proofbase 0.0.9"
        changed_script(document, directory)

    found = cli("check-package", forged(package, tmp_path / "other", forge))
    assert found.status == 0 and found.out.startswith(
        "not checked: README.md, SHA256SUMS, CITATION.cff, index.html, page.js, "
    )
    assert "valid, but for what was not checked: " in found.out


def test_other_files_and_other_games_are_not_counted(cli: Run, package: Path, tmp_path: Path) -> None:
    def more(document: dict[str, Any], directory: Path) -> None:
        (directory / "more.html").write_text("all games are won")
        document["files"].append({"name": "more.html"})

    found = cli("check-package", forged(package, tmp_path / "more", more))
    assert found.out.startswith("not checked: 'more.html', which is no file of a package\nvalid, but for what was not")

    def unknown(document: dict[str, Any], directory: Path) -> None:
        tic_tac_toe(document)["game"] = "tic-tac-two"
        for name, content in described.described_files(document, document["solutions"]).items():
            (directory / name).write_bytes(content)

    found = cli("check-package", forged(package, tmp_path / "unknown", unknown), "--json")
    assert found.status == 1 and found.json["valid"] is None and not found.json["whole"]
    assert [block["game"] for block in found.json["checks"]] == [GAME]


def test_who_has_checked_is_the_word_of_the_package(cli: Run, package: Path, tmp_path: Path) -> None:
    """A true block does not make false records true, and no check says that it stands for others."""

    def forge(document: dict[str, Any], directory: Path) -> None:
        check_of_other_records(document, directory)
        tic_tac_toe(document)["checks"][0]["records"] = 139

    found = cli("check-package", forged(package, tmp_path / "checked", forge))
    assert found.out.startswith(
        "not checked: who has checked tic-tac-toe before: the package says so (1 check)\nvalid, but"
    )
    bad, false = str(tmp_path / "bad"), tmp_path / "false"
    game = open_rules("tic-tac-toe")
    claim = Claim(Side.LOWER, 1, 9, Evidence.SEARCH, 4, search_payload(9))
    with open_store(bad) as target:
        key = game.key(game.initial())
        target.put_many("tic-tac-toe", [(key, encode_record(Record.of([claim])))], source="eve", rules_version=1)
    assert cli("publish", "tic-tac-toe", false, "--store", bad, "--no-certificate", *LICENCE).status == 0

    def bless(document: dict[str, Any], directory: Path) -> None:
        document["solutions"].insert(0, {})
        forge(document, directory)
        document["solutions"].pop(0)
        document["solutions"][0]["checks"][0]["records"] = 1

    found = cli("check-package", forged(false, tmp_path / "blessed", bless))
    assert found.status == 1 and "NOT valid, 1 finding: " in found.out


def circular_wins(directory: Path) -> list[int]:
    """Values of all positions with two stones that are the best of their moves everywhere, and false.

    Positions that are worth 0 are won for who has more stones and lost for the other: these wins go round in circles.
    """
    game = open_rules(OWARE)
    tables, name = PythonTables(game, directory), "awari_oware-2"
    positions = {number: game.table_position(name, number) for number in range(78)}
    values = [tables.entry(name, number) or 0 for number in positions]
    going = {number: position for number, position in positions.items() if game.terminal(position) is None}
    for number, position in going.items():
        values[number] = values[number] or (1 if sum(position.own) >= sum(position.other) else -1)

    def worth(position: Any, move: int) -> int:
        child = game.play(position, move)
        after, place = game.terminal(child), game.table_entry(child)
        if after is None and place is not None and place[0] == name:
            after = values[place[1]]
        return game.reward(position, move) - (after if after is not None else tables.value(child) or 0)

    for _ in range(100):
        before = list(values)
        for number, position in going.items():
            values[number] = max(worth(position, move) for move in game.moves(position))
        if values == before:
            return values
    raise AssertionError("the values do not settle")


@pytest.fixture(scope="module")
def circular(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with a false table, one record that rests on it, and one that rests on a true table."""
    home = tmp_path_factory.mktemp("circular")
    assert run(["tables", "build", OWARE, "--stones", "2", "--store", str(home / "store")]) == 0
    tables, game = home / "store" / "tables", open_rules(OWARE)
    values = circular_wins(tables)
    true = PythonTables(game, tables)
    false = next(entry for entry, value in enumerate(values) if value != true.entry("awari_oware-2", entry))
    going = next(entry for entry in range(12) if game.terminal(game.table_position("awari_oware-1", entry)) is None)
    rewrite(tables / "awari_oware-2.table", values)
    items = []
    for name, entry in (("awari_oware-2", false), ("awari_oware-1", going)):
        value = PythonTables(game, tables).entry(name, entry)
        claim = Claim(Side.UPPER, value or 0, 0, Evidence.TABLE, None, of_table(name))
        items.append((game.key(game.table_position(name, entry)), encode_record(Record.of([claim]))))
    with open_store(str(home / "store")) as target:
        target.put_many(OWARE, items, source="eve", rules_version=game.rules_version)
    assert run(["publish", OWARE, str(home / "package"), "--store", str(home / "store"), *LICENCE]) == 0
    return home / "package"


def test_wins_that_go_round_in_circles_are_found(cli: Run, circular: Path) -> None:
    """All of the table's entries are the best of their moves: looking at each of them finds nothing."""
    found = cli("check-package", circular, "--json")
    assert found.status == 1 and found.json["valid"] is False
    tables, records = found.json["found"]["findings"]
    assert (tables["part"], tables["where"]) == ("tables", "awari_oware-2") and "entries fail, such as" in tables[
        "detail"
    ]
    assert "(progress: no line of play brings this value about" in tables["detail"]
    # The record rests on the false table; the other one on a true one.
    assert records["part"] == "records" and "by table awari_oware-2: evidence" in records["detail"]
    assert found.json["checks"][0]["table_entries"] == 1 + 12


def test_a_sample_says_that_it_verifies_no_table(cli: Run, circular: Path) -> None:
    found = cli("check-package", circular, "--sample", "100", "--json")
    assert found.status == 0 and found.json["valid"] is None
    assert found.json["found"]["checked"] == {"entries of tables": 100, "records": 0}
    tables, records, rest = found.json["found"]["passed_over"]
    assert tables.startswith(
        "3 tables of awari:oware with 91 entries, 100 of which were compared with their moves (only a"
    )
    assert records.startswith("2 records of awari:oware resting on tables that were not verified, such as ")
    assert rest.startswith("all but a sample")
    assert "nothing wrong found, and not all was checked: " in cli("check-package", circular, "--sample", "100").out


def test_what_rests_on_unverified_tables_is_named_and_not_counted(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A true package with tables, checked with too little memory to verify them."""
    home, oracle = str(tmp_path / "store"), tmp_path / "oracle"
    assert cli("tables", "build", AWARI, "--stones", "4", "--store", home).status == 0
    position = "0,0,0,0,1,2/1,0,0,0,1,1/S"
    assert cli("solve", AWARI, position, "--store", home).status == 0
    assert cli("publish", AWARI, position, oracle, "--store", home, *LICENCE).status == 0
    whole = check_package(str(oracle), PackageQuestion(), Limits(), ignore_progress)
    assert whole.sound and whole.whole and not whole.found.passed_over
    records = whole.found.checked["records"]
    assert whole.found.checked == {
        "files": 9,
        "tables": 5,
        "entries of tables": 1820,
        "records": records,
        "certificates": 1,
    }
    small = check_package(str(oracle), PackageQuestion(), Limits(job_memory_bytes=1), ignore_progress)
    assert small.sound and not small.whole
    [tables, resting, certificate] = small.found.passed_over
    assert tables.startswith("5 tables of awari with 1,820 entries, 1,000 of which were compared with their moves")
    assert "bytes of memory at least to be verified" in tables
    left = int(resting.partition(" record")[0])
    assert 0 < left <= records and "of awari resting on tables that were not verified, such as " in resting
    assert "awari-" in certificate and "job_memory_bytes" in certificate
    assert small.found.checked["records"] == records - left and "certificates" not in small.found.checked
    assert (small.checks[0]["records"], small.checks[0]["table_entries"]) == (records - left, 0)
    # What an earlier run has left out counts after a stop.
    checksum = json.loads((oracle / "manifest.json").read_text())["checksum"]
    monkeypatch.setattr(progress_file, "SAVE_SECONDS", 0.0)
    done = progress_file.RecordsDone(b"\0", 5, 0, 7)
    progress_file.ProgressFile(tmp_path / "kept", checksum, None, 0).save(AWARI, done)
    monkeypatch.setattr(progress_file.ProgressFile, "finish", lambda self, seconds: seconds)
    question = PackageQuestion(progress=tmp_path / "kept")
    for _ in range(2):  # the second one finds all of it done
        again = check_package(str(oracle), question, Limits(job_memory_bytes=1), ignore_progress)
        assert again.found.passed_over[1].startswith(f"{left + 7} records of awari resting")
        assert again.checks[0]["records"] == records - left + 5
