"""Solutions published, served by a server of files, read from there and checked, as a user does it."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import jsonschema
import pytest
import yaml
from cli_runs import GAME, Run, cli, store
from range_server import Ranges, serving

from proofbase.engine import open_rules
from proofbase.service.client import connect
from proofbase.service.commands.packages import game_parts, publish
from proofbase.service.commands.packages.mirror import copy_package
from proofbase.service.package_page import page_files
from proofbase.storage.package import PackageStore, files, folders, open_folder
from proofbase.storage.package.manifest import Manifest

__all__ = ["cli", "store"]

LICENCE = ("--licence", "CC0-1.0")
AWARI = "awari"


@pytest.fixture(scope="module")
def filled(store: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with two solutions and the tables of awari to four stones."""
    from proofbase.service.cli import run

    assert run(["tables", "build", AWARI, "--stones", "4", "--store", store]) == 0
    return store


@pytest.fixture(scope="module")
def package(filled: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with all of it."""
    from proofbase.service.cli import run

    directory = tmp_path_factory.mktemp("published") / "oracle"
    for game in (["tic-tac-toe"], [GAME, "-"], [AWARI]):
        assert run(["publish", *game, str(directory), "--store", filled, *LICENCE, "--author", "Ada, Ben"]) == 0
    return directory


def test_the_manifest_follows_its_schema_and_the_citation_is_yaml(package: Path, repository: Path) -> None:
    manifest = json.loads((package / "manifest.json").read_text())
    jsonschema.validate(manifest, json.loads((repository / "docs/package-manifest.schema.json").read_text()))
    assert [entry["game"] for entry in manifest["solutions"]] == [AWARI, GAME, "tic-tac-toe"]
    assert [entry["root"] is None for entry in manifest["solutions"]] == [True, False, True]
    assert manifest["solutions"][2]["value"] == {"lower": 0, "upper": 0}
    names = {path.name for path in package.iterdir()} - {"manifest.json"}
    assert {entry["name"] for entry in manifest["files"]} == names and len(names) == 9 + len(page_files())
    page = (package / "index.html").read_text()
    assert page.count("<tr><td>") == 3 and ".../.../..." not in page and "By Ada, Ben." in page
    cited = yaml.safe_load((package / "CITATION.cff").read_text())
    assert cited["license"] == "CC0-1.0" and cited["authors"] == [{"name": "Ada, Ben"}] and cited["type"] == "dataset"


def test_the_data_card_and_the_checksums_fit_the_package(cli: Run, package: Path, filled: str, tmp_path: Path) -> None:
    _, head, body = (package / "README.md").read_text().split("---\n", 2)
    about = yaml.safe_load(head)
    assert about["license"] == "cc0-1.0" and about["size_categories"] == ["1K<n<10K"]
    assert about["tags"] == ["game-solving", "proofbase", "awari", "connect-four", "tic-tac-toe"]
    assert f"\nproofbase lookup {AWARI} --store https://host/folder\n" in body and body.count("\n| ") == 4
    assert "<https://host" not in body, "nobody knows the address: it is not cited"
    lines = [line.split("  ") for line in (package / "SHA256SUMS").read_text().splitlines()]
    assert [name for _, name in lines] == sorted(
        {path.name for path in package.iterdir()} - {"manifest.json", "SHA256SUMS"}
    )
    assert all(sha256((package / name).read_bytes()).hexdigest() == digest for digest, name in lines)

    words = ("--title", "a | b <c>", "--url", "https://x/'y", "--released", "2026-11-29", "--author", "A_B_")
    options = ("--licence", "LicenseRef-Mine", "--mirror", "https://z/1", "--mirror", "http://z/2", *words)
    assert cli("publish", "tic-tac-toe", tmp_path / "other", "--store", filled, *options).status == 0
    _, head, body = (tmp_path / "other" / "README.md").read_text().split("---\n", 2)
    about = yaml.safe_load(head)
    assert (about["license"], about["license_name"], about["pretty_name"]) == ("other", "LicenseRef-Mine", "a | b <c>")
    assert "# a &#124; b &#60;c&#62;\n" in body and "A&#95;B&#95; (2026)" in body and "--store 'https://x/'" in body
    assert "*. <https://x/'y>\n" in body
    assert "Also at <https://z/1>, <http://z/2>." in body
    manifest = json.loads((tmp_path / "other" / "manifest.json").read_text())
    assert manifest["mirrors"] == ["https://z/1", "http://z/2"]
    for mirror in ("file:///etc", "http://[x", "http://:80/", "http://host:99999/"):
        refused = cli("publish", "tic-tac-toe", tmp_path / "third", "--store", filled, *LICENCE, "--mirror", mirror)
        assert refused.status == 2 and f"{mirror!r} is no address: mirrors are" in " ".join(refused.err.split())


def test_single_tables_are_published(cli: Run, filled: str, tmp_path: Path) -> None:
    names = ("--table", "awari-1", "--table", "awari-0")
    assert "2 tables" in cli("publish", AWARI, tmp_path / "some", "--store", filled, *LICENCE, *names).out
    assert cli("check-package", tmp_path / "some").status == 0
    with connect(str(tmp_path / "some"), read_only=True) as client:
        assert {entry.name for entry in client.statistics().tables} == {"awari-0", "awari-1"}
    again = cli("publish", AWARI, tmp_path / "again", "--store", tmp_path / "some", *LICENCE, "--table", "awari-1")
    assert "1 table " in again.out
    cli("publish", AWARI, tmp_path / "alone", "--store", filled, *LICENCE, "--table", "awari-4")
    assert cli("check-package", tmp_path / "alone").status == 1, "its positions lead to tables that are left out"
    missing = cli("publish", AWARI, tmp_path / "none", "--store", filled, *LICENCE, "--table", "awari-5")
    assert missing.status == 2 and "there is no table awari-5 of awari; there are: awari-0, " in missing.err
    assert not (tmp_path / "none" / "manifest.json").exists()


def test_large_files_go_on_in_others(
    cli: Run, package: Path, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a directory and from a server; published anew without the need, it is one file again."""
    split = tmp_path / "split"
    monkeypatch.setattr(files, "LARGEST_FILE", 500)
    for game in ("tic-tac-toe", AWARI):
        assert cli("publish", game, split, "--store", filled, *LICENCE).status == 0
    document = json.loads((split / "manifest.json").read_text())
    assert [len(entry["more_files"]) > 0 for entry in document["solutions"]] == [True, True]
    whole = {name: (package / name).read_bytes() for name in ("tic-tac-toe.blocks", "awari.blocks")}
    for name, data in whole.items():
        parts = sorted(split.glob(f"{name}*"))
        assert len(parts) > 1 and b"".join(part.read_bytes() for part in parts) == data
    assert cli("check-package", split).out.startswith("valid: ")
    rules = open_rules(AWARI)
    keys = [rules.key(rules.table_position("awari-4", number)) for number in range(0, 1365, 50)]
    last = rules.text(rules.table_position("awari-4", 1364))
    both: list[Ranges] = ["several", "one"]
    for ranges in both:
        with serving(split, ranges) as server, connect(server.url) as there, connect(filled, read_only=True) as here:
            for game, position in (("tic-tac-toe", "-"), (AWARI, last)):
                assert replace(there.lookup(game, position), package=None) == here.lookup(game, position)
            packed = replace(there.batch_lookup_keys(AWARI, keys), package=None)
            assert packed == here.batch_lookup_keys(AWARI, keys)
    with serving(split) as server:
        assert cli("check-package", server.url, "--keep", tmp_path / "copy").out.startswith("valid: ")
    (tmp_path / "copy" / "awari.blocks.1").write_bytes(b"x" * (split / "awari.blocks.1").stat().st_size)
    assert "awari.blocks.1" in cli("check-package", tmp_path / "copy").out
    monkeypatch.undo()
    assert cli("publish", AWARI, split, "--store", filled, *LICENCE).status == 0
    assert sorted(path.name for path in split.glob("*.blocks*")) == [
        "awari.blocks",
        "tic-tac-toe.blocks",
        "tic-tac-toe.blocks.1",
    ]
    assert cli("check-package", split).out.startswith("valid: ")


def test_what_hosts_do_not_take_is_refused(
    cli: Run, package: Path, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "MOST_FILES", 9)
    found = cli("publish", "tic-tac-toe", tmp_path / "many", "--store", filled, *LICENCE)
    assert found.status == 2 and "more than 9 files" in found.err
    assert not (tmp_path / "many" / "manifest.json").exists()
    monkeypatch.setattr(game_parts, "LARGEST_FILE", 100)
    found = cli("publish", "tic-tac-toe", tmp_path / "large", "--store", filled, *LICENCE)
    assert found.status == 2 and "--no-certificate" in found.err


def test_the_same_store_gives_the_same_bytes(cli: Run, package: Path, filled: str, tmp_path: Path) -> None:
    again = tmp_path / "again"
    for game in ([AWARI], ["tic-tac-toe"], [GAME, "-"], [AWARI]):
        assert cli("publish", *game, again, "--store", filled, *LICENCE, "--author", "Ada, Ben").status == 0
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in package.iterdir()
    }
    # A package is published from a package.
    third = tmp_path / "third"
    for game in ("tic-tac-toe", AWARI):
        assert cli("publish", game, third, "--store", package, *LICENCE).status == 0
    for name in ("tic-tac-toe.blocks", "awari.blocks"):
        assert (third / name).read_bytes() == (package / name).read_bytes()


def test_what_cannot_be_published_is_refused(cli: Run, package: Path, filled: str, tmp_path: Path) -> None:
    def refused(*arguments: object, status: int = 2) -> str:
        found = cli("publish", *arguments, "--store", filled)
        assert found.status == status and found.err.count("\n") <= 4, found.err
        return found.err

    before = {path.name: path.read_bytes() for path in package.iterdir()}
    assert "--licence" in refused("tic-tac-toe", tmp_path / "new")
    assert "SPDX identifier" in refused("tic-tac-toe", tmp_path / "new", "--licence", "as you like")
    title = ("--title", "<b>", "--url", 'https://x/"&')
    assert cli("publish", "tic-tac-toe", tmp_path / "marks", "--store", filled, *LICENCE, *title).status == 0
    page = (tmp_path / "marks" / "index.html").read_text()
    assert "<b>" not in page and "&lt;b&gt;" in page and "https://x/&quot;&amp;" in page
    assert "no date" in refused("tic-tac-toe", tmp_path / "new", *LICENCE, "--released", "1.2.2026")
    assert "nothing to publish" in refused("qubic", tmp_path / "new", *LICENCE)
    assert "nothing to publish" in refused(GAME, "moves:1111", tmp_path / "new", *LICENCE)
    assert "has the licence CC0-1.0, not MIT" in refused("tic-tac-toe", package, "--licence", "MIT")
    assert "a directory of its own" in refused(GAME, package, *LICENCE)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("mine")
    assert "holds something else" in refused("tic-tac-toe", tmp_path / "other", *LICENCE, status=3)
    assert "more arguments" in refused(GAME, "-", "-", tmp_path / "x", *LICENCE)
    assert {path.name: path.read_bytes() for path in package.iterdir()} == before


def test_a_package_answers_as_its_store_in_few_requests(package: Path, filled: str) -> None:
    with serving(package) as server, connect(filled, read_only=True) as at_home:
        chance = random.Random(7)
        for game in ("tic-tac-toe", GAME, AWARI):
            rules = open_rules(game)
            for _ in range(12):
                position = rules.table_position("awari-4", chance.randrange(1365)) if game == AWARI else rules.initial()
                for _ in range(chance.randrange(5)):
                    if rules.terminal(position) is None:
                        position = rules.play(position, chance.choice(list(rules.moves(position))))
                server.requests()
                with connect(server.url) as client:
                    there, here = client.lookup(game, rules.text(position)), at_home.lookup(game, rules.text(position))
                    assert replace(there, package=None) == here
                requests, size = server.requests()
                assert requests <= (3 if rules.terminal(position) is None else 1), (game, rules.text(position))
                assert size < 100_000
        with connect(server.url) as client:
            line = client.line("tic-tac-toe", "-")
            assert replace(line, package=None) == at_home.line("tic-tac-toe", "-") and len(line.steps) == 9
            rules = open_rules(AWARI)
            keys = [rules.key(rules.table_position("awari-4", number)) for number in range(0, 1365, 50)]
            packed = replace(client.batch_lookup_keys(AWARI, keys), package=None)
            assert packed == at_home.batch_lookup_keys(AWARI, keys)
            assert {entry.name for entry in client.statistics().tables} == {f"awari-{n}" for n in range(5)}


def test_a_certificate_of_before_is_removed(cli: Run, package: Path, tmp_path: Path, filled: str) -> None:
    shutil.copytree(package, tmp_path / "copy")
    options = ["--licence", "CC0-1.0", "--store", filled]
    again = cli("publish", "tic-tac-toe", tmp_path / "copy", "--no-certificate", *options)
    assert again.status == 0 and "a certificate" not in again.out
    left = {path.name for path in package.glob("*.certificate")} - {"tic-tac-toe.certificate"}
    assert {path.name for path in (tmp_path / "copy").glob("*.certificate")} == left
    found = cli("check-package", tmp_path / "copy")
    assert found.status == 0 and found.out.startswith("valid: "), found.out


def test_commands_read_a_package_and_write_none(cli: Run, package: Path) -> None:
    assert "draw" in cli("lookup", "tic-tac-toe", "-", "--store", package.as_uri()).out
    assert "read-only" in cli("stats", "--store", package).out
    refused = cli("solve", "tic-tac-toe", "--store", package)
    assert refused.status == 3 and "is open read-only" in refused.err
    for command, message in (
        (["store", "copy", package, "x"], "--keep DIRECTORY` copies it"),
        (["store", "compact", "--store", package], "it can only be read"),
    ):
        refused = cli(*command)
        assert refused.status in (2, 3) and message in refused.err, refused.err


def test_a_sound_package_is_valid_from_any_place(cli: Run, package: Path, tmp_path: Path) -> None:
    with serving(package) as server:
        found = cli("check-package", package, "--json")
        assert found.status == 0 and found.json["valid"]
        assert found.json["found"]["checked"] == {
            "files": 9 + len(page_files()),
            "tables": 5,
            "entries of tables": 1820,
            "records": 183,
            "certificates": 2,
        }
        assert [check["records"] for check in found.json["checks"]] == [0, 44, 139]
        mirror = tmp_path / "mirror"
        assert cli("check-package", server.url, "--keep", mirror).status == 0
        assert {path.name for path in mirror.iterdir()} == {path.name for path in package.iterdir()}
        server.requests()
        assert cli("check-package", server.url, "--keep", mirror).status == 0
        assert server.requests()[0] == 1, "what is there is not copied again"
        sampled = cli("check-package", server.url, "--sample", "9")
        assert sampled.status == 0 and "\nnothing wrong found, and not all was checked: " in sampled.out
        assert cli("check-package", mirror, "--sample", "9", "--json").json["checks"][1]["sample"] == {
            "records": 9,
            "seed": 0,
        }


def test_a_sound_mirror_copies_what_a_place_with_other_bytes_has_begun(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "tic-tac-toe.blocks"
    first, size = shutil.copytree(package, tmp_path / "first"), (package / name).stat().st_size
    with serving(package) as mirror, serving(first) as server:
        document = json.loads((first / "manifest.json").read_text())
        (first / "manifest.json").write_bytes(Manifest({**document, "mirrors": [mirror.url]}).write())
        (first / name).write_bytes(bytes(size // 2))  # and then it fails: there is no more
        monkeypatch.setattr(folders, "PART", size // 4)
        with PackageStore(open_folder(server.url)) as source:
            copy_package(source, tmp_path / "copy", lambda *_: None)
        assert any(target == f"/{name}" for target, _, _ in server.log)
    assert (tmp_path / "copy" / name).read_bytes() == (package / name).read_bytes()


@pytest.mark.parametrize("name", ["tic-tac-toe.blocks", "awari.blocks", "tic-tac-toe.certificate", "CITATION.cff"])
def test_a_check_names_damage(cli: Run, package: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(package, copy)
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 3] ^= 1
    (copy / name).write_bytes(data)
    found = cli("check-package", copy, "--json")
    assert found.status == 1 and not found.json["valid"]
    assert any(name in finding["where"] for finding in found.json["found"]["findings"])
    with serving(copy) as server:
        far = cli("check-package", server.url)
        assert far.status == 1 and f"{name} of the package" in far.out
    (copy / "manifest.json").unlink()
    assert cli("check-package", copy).status == 3


def test_a_win_has_a_certificate_without_an_upper_bound(cli: Run, tmp_path: Path) -> None:
    """No value is larger, so that the value is known by one bound."""
    store, position = str(tmp_path / "store"), "moves:112233"
    assert cli("solve", GAME, position, "--at-least", "1", "--store", store).status == 0
    assert cli("publish", GAME, position, tmp_path / "package", "--store", store, *LICENCE).status == 0
    manifest = json.loads((tmp_path / "package" / "manifest.json").read_text())
    assert manifest["solutions"][0]["value"] == {"lower": 1, "upper": 1}
    assert cli("check-package", tmp_path / "package").status == 0


def test_a_check_finds_what_is_not_true(cli: Run, filled: str, tmp_path: Path) -> None:
    """False records in a package whose checksums are right."""
    from proofbase.engine.records import decode_record, encode_record
    from proofbase.storage import open_store

    bad, package = str(tmp_path / "bad"), tmp_path / "package"
    with open_store(filled, read_only=True) as sound, open_store(bad) as target:
        items = [(key, data) for key, data in sound.scan("tic-tac-toe")]
        lost = items.pop(70)
        target.put_many(
            "tic-tac-toe",
            [(key, encode_record(decode_record(data).with_source(None))) for key, data in items],
            source="without one",
            rules_version=1,
        )
    assert cli("publish", "tic-tac-toe", package, "--store", bad, "--no-certificate", *LICENCE).status == 0
    found = cli("check-package", package)
    assert found.status == 1 and "NOT valid" in found.out and "records of tic-tac-toe: " in found.out
    assert lost not in items
    assert cli("check-package", package, "--sample", "1000").status == 1
    assert cli("check-package", package, "--add").status == 1
    assert json.loads((package / "manifest.json").read_text())["solutions"][0]["checks"] == []


def test_a_check_goes_on_where_it_was(cli: Run, package: Path, tmp_path: Path) -> None:
    from proofbase.service.commands.packages import progress_file

    checksum = json.loads((package / "manifest.json").read_text())["checksum"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress_file, "SAVE_SECONDS", 0.0)
        kept = progress_file.ProgressFile(tmp_path / "kept", checksum, None, 0)
        rules = open_rules("tic-tac-toe")
        kept.save("tic-tac-toe", progress_file.RecordsDone(rules.key(rules.initial()), 100))
    found = cli("check-package", package, "--progress", tmp_path / "kept", "--json")
    of_tic_tac_toe = [check["records"] for check in found.json["checks"] if check["game"] == "tic-tac-toe"]
    assert found.status == 0 and of_tic_tac_toe != [139]
    assert not (tmp_path / "kept").exists()
    (tmp_path / "kept").write_text("something else")
    assert cli("check-package", package, "--progress", tmp_path / "kept").status == 0


def test_checks_are_signed_off_in_the_manifest(cli: Run, package: Path, tmp_path: Path, repository: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(package, copy)
    with serving(copy) as server:
        assert cli("check-package", server.url, "--by", "Cy", "-o", tmp_path / "checks.json").status == 0
    assert cli("check-package", copy, "--add-from", tmp_path / "checks.json").out == "3 checks added to the manifest\n"
    assert cli("check-package", copy, "--add-from", tmp_path / "checks.json").out == "0 checks added to the manifest\n"
    assert cli("check-package", copy, "--add", "--by", "Di").status == 0
    manifest = json.loads((copy / "manifest.json").read_text())
    jsonschema.validate(manifest, json.loads((repository / "docs/package-manifest.schema.json").read_text()))
    assert [check["by"] for check in manifest["solutions"][2]["checks"]] == ["Cy", "Di"]
    assert cli("check-package", copy).status == 0
    checks = json.loads((tmp_path / "checks.json").read_text())
    for wrong in ([7], [{}], [{**checks[2], "fingerprint": "0" * 16}], [{**checks[2], "game": "qubic"}]):
        (tmp_path / "wrong.json").write_text(json.dumps(wrong))
        assert cli("check-package", copy, "--add-from", tmp_path / "wrong.json").status in (2, 3)
    for arguments in (["http://127.0.0.1:9/", "--add"], [tmp_path / "checks.json", "--sample", "3"]):
        assert cli("check-package", *arguments).status == 2


def test_a_package_says_when_its_records_were_verified(cli: Run, tmp_path: Path) -> None:
    """The publisher's verification goes with the records that it covers; a check that is added counts too."""
    home, oracle = str(tmp_path / "store"), tmp_path / "oracle"
    assert cli("solve", "tic-tac-toe", "--store", home).status == 0
    publish = ("publish", "tic-tac-toe", str(oracle), "--store", home, *LICENCE)
    assert cli(*publish).status == 0
    with connect(str(oracle)) as client:
        assert client.lookup("tic-tac-toe").verification is None
    assert cli("verify", "tic-tac-toe", "--rules", "python", "--store", home).status == 0
    assert cli(*publish).status == 0
    again = (oracle / "manifest.json").read_bytes()
    assert cli(*publish).status == 0 and (oracle / "manifest.json").read_bytes() == again
    with connect(home) as client, connect(str(oracle)) as reader:
        there, here = client.lookup("tic-tac-toe").verification, reader.lookup("tic-tac-toe").verification
        assert there is not None and here is not None
        assert (here.rules, here.program, here.checked) == (there.rules, there.program, there.checked)
        assert reader.lookup("tic-tac-toe").sources == client.lookup("tic-tac-toe").sources
    assert cli("check-package", str(oracle), "--by", "Ben", "--add").status == 0
    with connect(str(oracle)) as reader:
        found = reader.lookup("tic-tac-toe").verification
        assert found is not None and (found.by, found.rules) == ("Ben", "native")
    manifest = json.loads((oracle / "manifest.json").read_text())
    manifest["solutions"][0]["checks"] = [{"by": "Eve"}, {**manifest["solutions"][0]["checks"][0], "failed": 1}]
    from proofbase.storage.package.manifest import Manifest

    (oracle / "manifest.json").write_bytes(Manifest(manifest).write())
    with connect(str(oracle)) as reader:
        assert reader.lookup("tic-tac-toe").verification is None


def test_what_a_package_of_others_says_is_plain_bounded_text(
    cli: Run, package: Path, repository: Path, tmp_path: Path
) -> None:
    from proofbase.storage.package.manifest import Manifest

    copy = shutil.copytree(package, tmp_path / "copy")
    assert cli("check-package", str(copy), "--add").status == 0
    manifest = json.loads((copy / "manifest.json").read_text())
    jsonschema.validate(manifest, json.loads((repository / "docs/package-manifest.schema.json").read_text()))
    [solution] = [entry for entry in manifest["solutions"] if entry["game"] == "tic-tac-toe"]
    solution["checks"][-1] |= {"by": "Eve\x1b]0;", "program": "y" * 5000}
    # Packages that were written before the first release with packages may have notes, which are passed over.
    note = {"id": "x", "key": "", "created": 1, "author": "Eve", "text": "mine"}
    solution |= {"notes": [note], "notes_in_all": 1}
    (copy / "manifest.json").write_bytes(Manifest(manifest).write())
    with connect(str(copy)) as reader:
        found = reader.lookup("tic-tac-toe").verification
    assert found is not None and found.by == "Eve\ufffd]0;"
    assert len(found.program) == 1000 and found.program.endswith("5000 characters in all)")


def test_a_certificate_names_the_sources(cli: Run, package: Path, filled: str) -> None:
    """They change nothing for who checks it, or takes it over."""
    from proofbase import __version__
    from proofbase.engine.checking.certificate import CertificateReader
    from proofbase.engine.checking.checker import check_certificate

    path = package / "tic-tac-toe.certificate"
    with path.open("rb") as file:
        header = CertificateReader(file).header
    assert header.sources is not None and f"proofbase {__version__}: solve pn-dag" in header.sources
    assert check_certificate(path.read_bytes()).valid
    assert cli("check", str(path)).status == 0
    with connect("memory:") as client:
        assert client.import_(path).added > 0
