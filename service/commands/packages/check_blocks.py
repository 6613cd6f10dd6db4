"""Adds to the manifest of a package who has checked it, with what, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proofbase.service.errors import InvalidRequestError
from proofbase.storage.package.files import new_file
from proofbase.storage.package.folders import MANIFEST
from proofbase.storage.package.manifest import Manifest

__all__ = ["add_checks"]

TEXTS = ("game", "when", "program", "rules", "fingerprint")
NUMBERS = ("rules_version", "records", "table_entries", "failed")


def add_checks(directory: Path, checks: Sequence[Any]) -> int:
    """Adds the blocks of a check to the manifest of the package in a directory; those that it has stay once.

    Returns:
        How many were new.

    Raises:
        NotAStoreError, StoreVersionError, StoreDamagedError: there is no package that can be read.
        InvalidRequestError: a block is malformed, or of another solution than the package has.
    """
    path = directory / MANIFEST
    manifest = Manifest.read(path.read_bytes(), str(directory))
    entries = {entry["game"]: entry for entry in manifest.document["solutions"]}
    added = 0
    for check in checks:
        entry = _entry_of(check, entries)
        block = {name: value for name, value in check.items() if name != "game"}
        if block not in entry["checks"]:
            entry["checks"].append(block)
            added += 1
    if added:
        with new_file(path) as file:
            file.write(manifest.write())
    return added


def _entry_of(check: Any, entries: dict[str, Any]) -> dict[str, Any]:
    """The solution that a block is about."""
    has_texts = isinstance(check, dict) and all(isinstance(check.get(name), str) for name in TEXTS)
    if not has_texts or not all(isinstance(check.get(name), int) for name in NUMBERS):
        raise InvalidRequestError(
            "that is no block of a check: `proofbase check-package URL -o FILE` writes some", field="data"
        )
    entry = entries.get(check["game"])
    if entry is None or entry["records"]["fingerprint"] != check["fingerprint"]:
        raise InvalidRequestError(
            f"the check is of {check['game']} with the fingerprint {check['fingerprint']}, which the package has not",
            field="data",
        )
    solution: dict[str, Any] = entry
    return solution
