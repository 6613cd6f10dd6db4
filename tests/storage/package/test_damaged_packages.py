"""Every changed byte of a package is noticed by whoever reads it, and nothing of it is served."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_packages import make_package

from proofbase.engine.records import MalformedRecordError
from proofbase.storage import StoreError, open_store
from proofbase.storage.package import writing
from proofbase.storage.package.folders import MANIFEST
from proofbase.storage.package.manifest import Manifest
from proofbase.storage.table_blocks import TableDescription
from proofbase.storage.testing import encoded, lower, upper

GAME, TABLE = "a game", "a table"
RECORDS = 500
ABOUT = TableDescription(TABLE, 2_500, 4, -7, plies=False, rules_fingerprint=5, block_entries=1024)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with several blocks of each kind."""
    directory = tmp_path_factory.mktemp("package")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "BLOCK_BYTES", 500)
        write_package(directory)
    return directory


def write_package(directory: Path) -> None:
    """Writes it."""
    chance = random.Random(5)
    items = [
        (number.to_bytes(4, "big"), encoded(lower(0, number % 40), upper(1, number % 9))) for number in range(RECORDS)
    ]
    table = bytes(chance.randrange(15) for _ in range(ABOUT.entries))
    blocks = (table[start : start + ABOUT.block_entries] for start in range(0, len(table), ABOUT.block_entries))
    make_package(directory, GAME, items, [(ABOUT, blocks)])


def pieces(directory: Path) -> Iterator[object]:
    """Everything that can be read of a package, piece by piece; an error in the place of what is damaged."""
    try:
        store = open_store(directory.as_uri())
    except StoreError:
        yield None
        return
    with store:
        for number in range(0, RECORDS, 25):
            try:
                yield store.get(GAME, number.to_bytes(4, "big"))
            except (StoreError, MalformedRecordError) as error:
                yield error
        tables = store.packed_tables(GAME)
        for block in range(3):
            try:
                yield None if tables is None or TABLE not in tables.tables else tables.block(TABLE, block)
            except StoreError as error:
                yield error


@pytest.mark.slow("10000")
@pytest.mark.parametrize("count", [1000, 10_000])
def test_every_changed_byte_is_noticed_and_none_is_served(package: Path, tmp_path: Path, count: int) -> None:
    """Single bytes, each changed in one bit or more."""
    sound = list(pieces(package))
    assert len(sound) == 23 and not any(isinstance(piece, Exception) for piece in sound)
    files = {path.name: path.read_bytes() for path in package.iterdir()}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    chance = random.Random(37)
    noticed = 0
    for step in range(count):
        name = MANIFEST if step % 4 == 0 else "game.blocks"
        data = files[name]
        place = chance.randrange(len(data))
        with (tmp_path / name).open("r+b") as file:
            file.seek(place)
            file.write(bytes([data[place] ^ chance.randrange(1, 256)]))
            file.flush()
            found = list(pieces(tmp_path))
            file.seek(place)
            file.write(data[place : place + 1])
        damaged = [piece for piece in found if piece is None or isinstance(piece, Exception)]
        assert damaged, f"byte {place} of {name}"
        noticed += 1
        if found != [None]:
            assert [piece for piece in found if not isinstance(piece, Exception)] == [
                piece for piece, other in zip(sound, found, strict=True) if not isinstance(other, Exception)
            ]
    assert noticed == count


def test_a_manifest_by_a_stranger_does_no_harm(package: Path, tmp_path: Path) -> None:
    """Values of every kind in every place of a manifest with its checksum: errors on purpose, or sound answers."""
    for path in package.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (package / MANIFEST).read_text()
    sound = list(pieces(package))
    opened = 0
    values = (None, -1, 0, 3, 1 << 70, 1.5, "", "x", "AAAA", [], {}, [7], True, "0" * 16)
    for path in places_of(json.loads(text), ()):
        for value in values:
            document = json.loads(text)
            part = document
            for step in path[:-1]:
                part = part[step]
            part[path[-1]] = value
            manifest = Manifest(json.loads(text))
            manifest.document = document
            (tmp_path / MANIFEST).write_bytes(manifest.write())
            found = list(pieces(tmp_path))
            opened += found != [None]
            for piece, other in zip(found, sound, strict=False):
                assert piece is None or isinstance(piece, Exception) or piece == other or path[-1] in FREE, (
                    path,
                    value,
                )
    assert opened > 50


FREE = ("block_entries", "lowest", "bits")
"""What a table's blocks mean, so that others are answered."""


def places_of(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The places of all values in a JSON document."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, entry in entries:
        if name != "checksum":
            yield (*path, name)
            yield from places_of(entry, (*path, name))


def test_a_damaged_block_is_one_sentence_and_its_keys_are_named(package: Path, tmp_path: Path) -> None:
    for path in package.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    blocks = bytearray((package / "game.blocks").read_bytes())
    blocks[20] ^= 1
    (tmp_path / "game.blocks").write_bytes(blocks)
    with open_store(tmp_path.as_uri()) as store:
        keys = [bytes(4), (RECORDS - 1).to_bytes(4, "big")]
        faults: list[MalformedRecordError] = []
        assert [data is None for data in store.get_many(GAME, keys, faults)] == [True, False]
        assert [(fault.game, fault.key) for fault in faults] == [(GAME, keys[0])]
        assert str(faults[0]) == (
            f"block at byte 0 of game.blocks of the package {tmp_path.as_uri()} is damaged, or was published anew "
            "meanwhile: it is not what the manifest says"
        )
        with pytest.raises(MalformedRecordError, match="block at byte 0"):
            store.get(GAME, keys[0])
        scanned: list[MalformedRecordError] = []
        left = [key for key, _ in store.scan(GAME, faults=scanned)]
        assert left[-1] == keys[1] and len(scanned) == 1 and len(left) < RECORDS
        assert not store.audit(GAME).complete
    (tmp_path / "game.blocks").write_bytes(bytes(blocks[:50]))
    with open_store(tmp_path.as_uri()) as store, pytest.raises(StoreError, match=r"game\.blocks is shorter"):
        store.get(GAME, keys[1])
    (tmp_path / "game.blocks").unlink()
    with open_store(tmp_path.as_uri()) as store, pytest.raises(StoreError, match=r"lacks its file game\.blocks"):
        store.get(GAME, keys[1])
