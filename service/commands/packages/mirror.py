"""Copies a package to a directory, file by file, each held against its checksum; a copy that was stopped goes on."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from proofbase.storage import NotAStoreError, OnProgress, StoreDamagedError, StoreError, StoreFullError
from proofbase.storage.package import PackageStore
from proofbase.storage.package.files import new_file
from proofbase.storage.package.folders import MANIFEST, Folder
from proofbase.storage.package.manifest import PackedFile

__all__ = ["copy_package", "file_fault"]

PART = 1 << 20


def copy_package(source: PackageStore, directory: Path, on_progress: OnProgress) -> None:
    """Copies the files of a package, the manifest last.

    Args:
        source: the package.
        directory: a new or empty one, or one with a part of this package; what is there is read and not asked for.
        on_progress: told how far it is.

    Raises:
        NotAStoreError: the directory holds something else.
        StoreDamagedError: a file is not what the manifest says; it is not kept.
        StoreError: a file cannot be read.
    """
    directory.mkdir(parents=True, exist_ok=True)
    files = source.manifest.files
    allowed = {MANIFEST, f"{MANIFEST}.new", *files, *(f"{name}.part" for name in files)}
    foreign = [path.name for path in directory.iterdir() if path.name not in allowed]
    if foreign:
        raise NotAStoreError(f"{directory} holds something else, such as {foreign[0]}: name a new or empty directory")
    total, before = sum(file.size for file in files.values()), 0
    for file in files.values():
        if file_fault(directory, file) is not None:
            _copy_from_one(source, directory, file, before, total, on_progress)
        before += file.size
    with new_file(directory / MANIFEST) as stream:
        stream.write(source.manifest.data)


def _copy_from_one(
    source: PackageStore, directory: Path, file: PackedFile, before: int, total: int, on_progress: OnProgress
) -> None:
    """Copies a file from the first place of the package that has it as it was written."""
    failures = list[StoreError]()
    for place in source.folder.places:
        try:
            _copy_file(place, directory, file, before, total, on_progress)
            return
        except StoreFullError:
            raise
        except StoreError as error:
            failures.append(error)
    raise failures[0]


def _copy_file(
    place: Folder, directory: Path, file: PackedFile, before: int, total: int, on_progress: OnProgress
) -> None:
    part = directory / f"{file.name}.part"
    begun = _append_rest(place, part, file, before, total, on_progress)
    fault = file_fault(directory, PackedFile(part.name, file.size, file.sha256))
    if fault is not None and begun:  # what was there may be wrong, and this place right
        part.unlink()
        _append_rest(place, part, file, before, total, on_progress)
        fault = file_fault(directory, PackedFile(part.name, file.size, file.sha256))
    if fault is not None:
        part.unlink()
        raise StoreDamagedError(f"{file.name} of the package {place.url} is damaged: {fault}")
    part.replace(directory / file.name)


def _append_rest(place: Folder, part: Path, file: PackedFile, before: int, total: int, on_progress: OnProgress) -> int:
    """Copies what a part of a file lacks; how many bytes it had."""
    with part.open("ab") as stream:
        if stream.tell() > file.size:
            stream.truncate(0)
        begun = stream.tell()
        for data in place.parts(file.name, file.size, begun):
            stream.write(data)
            on_progress("copy", before + stream.tell(), total, "bytes")
        stream.flush()
        os.fsync(stream.fileno())
    return begun


def file_fault(directory: Path, file: PackedFile, on_progress: OnProgress | None = None) -> str | None:
    """What is wrong with a file of a package in a directory; None where it is what the manifest says."""
    path = directory / file.name
    try:
        size = path.stat().st_size
        if size != file.size:
            return f"it has {size:,} bytes, and its manifest says {file.size:,}"
        digest, done = sha256(), 0
        with path.open("rb") as stream:
            while data := stream.read(PART):
                digest.update(data)
                done += len(data)
                if on_progress is not None:
                    on_progress(f"checksum of {file.name}", done, size, "bytes")
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return None if digest.hexdigest() == file.sha256 else "its SHA-256 is another than its manifest says"
