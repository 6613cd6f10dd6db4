"""Files that xz compresses, on the command line: export, check, import."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from cli_runs import Run, cli, store

__all__ = ["cli", "store"]


def test_a_certificate_goes_out_compressed_is_checked_and_goes_in(cli: Run, store: str, tmp_path: Path) -> None:
    file, plain = tmp_path / "solution.proof.xz", tmp_path / "plain.proof"
    said = cli("export", "tic-tac-toe", "-", "-o", file, "--store", store).err
    assert f" B uncompressed) written to {file}, fingerprint " in said
    written = cli("export", "tic-tac-toe", "-", "-o", file, "--store", store, "--json").json
    assert written["bytes"] == file.stat().st_size
    plain.write_bytes(lzma.decompress(file.read_bytes()))
    for name in (file, plain):
        outcome = cli("check", name)
        assert outcome.status == 0 and "valid: " in outcome.out
        document = cli("check", name, "--json").json
        assert document["valid"] and document["header"]["fingerprint"] == written["fingerprint"]
        assert document["records"] == written["records"]
    taken = cli("import", file, "--store", tmp_path / "other", "--json").json
    assert (taken["format"], taken["added"]) == ("certificate", written["records"])
    # What the name says does not matter.
    file.rename(tmp_path / "packed")
    plain.rename(tmp_path / "plain.xz")
    assert cli("check", tmp_path / "packed").status == cli("check", tmp_path / "plain.xz").status == 0
    assert "0 added" in cli("import", tmp_path / "packed", "--store", tmp_path / "other").out
    assert "0 added" in cli("import", tmp_path / "plain.xz", "--store", tmp_path / "other").out


def test_the_smallest_one_and_that_of_a_shortest_win_as_well(cli: Run, store: str, tmp_path: Path) -> None:
    for name in ("file", "file.xz"):
        options = ("--smallest", "--seconds", 0.05, "-o", tmp_path / name, "--store", store)
        assert cli("export", "connect-four:4x4", "-", *options).status == 0
        assert cli("check", tmp_path / name).status == 0
    position = "xo./.../..."
    assert cli("solve", "tic-tac-toe", position, "--shortest", "--store", tmp_path / "won").status == 0
    both = ("--shortest", "--smallest", "--seconds", 1, "-o", tmp_path / "won.xz", "--store", tmp_path / "won")
    assert cli("export", "tic-tac-toe", position, *both).status == 0
    said = f"tic-tac-toe {position}: win in 5 plies (proved shortest)\n"
    assert said in cli("check", tmp_path / "won.xz").out
    assert said in cli("import", tmp_path / "won.xz", "--store", tmp_path / "other").out


def test_json_lines_out_and_in(cli: Run, store: str, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl.xz"
    written = cli("export", "tic-tac-toe", "--format", "jsonl", "-o", file, "--store", store, "--json").json
    read = cli("import", file, "--store", tmp_path / "other", "--json")
    assert (read.status, read.json["format"], read.json["added"]) == (0, "jsonl", written["records"])


@pytest.mark.parametrize("form", ["parquet", "coq"])
def test_some_formats_are_not_compressed(cli: Run, store: str, tmp_path: Path, form: str) -> None:
    refused = cli("export", "tic-tac-toe", "-", "--format", form, "-o", tmp_path / "file.xz", "--store", store)
    assert refused.status == 2 and "are not compressed by xz" in refused.err
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_not_valid_and_not_imported(cli: Run, store: str, tmp_path: Path) -> None:
    file = tmp_path / "solution.xz"
    cli("export", "tic-tac-toe", "-", "-o", file, "--store", store)
    data = file.read_bytes()
    for wrong, said in (
        (data[:-1], "truncated: its compression by xz does not end"),
        (data[:8], "truncated: its compression by xz does not end"),
        (data + data, "bytes after its compression by xz, which is one stream"),
        (data[:90] + bytes([data[90] ^ 8]) + data[91:], "its compression by xz is damaged"),
        (lzma.compress(data), "compressed twice: one layer of xz is read"),
        (lzma.compress(b"a text"), "not a proofbase certificate"),
    ):
        file.write_bytes(wrong)
        outcome = cli("check", file)
        assert outcome.status == 1
        assert outcome.out.startswith(said) and outcome.out.count("\n") == 2
        refused = cli("import", file, "--store", tmp_path / "other")
        assert (refused.status, refused.out) == (3, "")
        assert refused.err.startswith("proofbase: ") and refused.err.count("\n") == 1
    assert "JSON" in refused.err
