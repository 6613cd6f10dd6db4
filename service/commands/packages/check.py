"""Checks a package from end to end: its files, its indexes, and by the rules what it claims."""

from __future__ import annotations

import time

from proofbase.service.commands.packages.described import check_described
from proofbase.service.commands.packages.mirror import copy_package, file_fault
from proofbase.service.commands.packages.progress_file import ProgressFile
from proofbase.service.commands.packages.solution_check import PackageCheck, PackageQuestion, SolutionCheck
from proofbase.service.commands.stores.check_store import StoreCheck
from proofbase.service.limits import Limits
from proofbase.service.resources import Resources
from proofbase.storage import OnProgress, StoreDamagedError
from proofbase.storage.package import PackageStore, open_folder
from proofbase.storage.package.folders import LocalFolder
from proofbase.storage.scratch_directory import ScratchDirectory

__all__ = ["check_package"]


def check_package(url: str, question: PackageQuestion, limits: Limits, on_progress: OnProgress) -> PackageCheck:
    """Checks the package at a URL or in a directory.

    All of it: the size and the SHA-256 of each file, every block, counts and fingerprints, every record and every
    claim of the certificates by the package check, every entry of the tables, the values that the manifest states, and
    the page. With a sample: the index, the values, and by the rules the records and entries that were drawn; only these
    are read.

    Args:
        url: of the package.
        question: what to check.
        limits: of memory.
        on_progress: told how far it is.

    Raises:
        StoreNotFoundError, NotAStoreError, StoreVersionError, StoreUnavailableError: there is no such package.
    """
    folder = open_folder(url)
    check = PackageCheck(folder.url)
    began = time.monotonic()
    try:
        store = PackageStore(folder)
    except StoreDamagedError as error:
        folder.close()
        check.found.add("files", "manifest.json", str(error))
        return check
    with store, ScratchDirectory() as scratch:
        progress = ProgressFile(question.progress, store.manifest.document["checksum"], question.sample, question.seed)
        package = store
        if question.sample is None:
            if folder.remote:
                directory = question.keep or scratch.path / "package"
                try:
                    copy_package(store, directory, on_progress)
                except StoreDamagedError as error:
                    check.found.add("files", "", str(error))
                    return check
                package = PackageStore(LocalFolder(directory))
            else:
                _check_files(package, check.found, on_progress)
        with package, Resources(package, limits) as resources:
            for solution in package.manifest.solutions.values():
                work = SolutionCheck(resources, package, solution, question, check, progress, on_progress, scratch.path)
                work.run()
        if question.sample is None:
            assert isinstance(package.folder, LocalFolder)
            check_described(package.folder.directory, package.manifest, check.found)
        else:
            check.leave_out("all but a sample: other records and entries of tables, the certificates and the page")
        check.seconds = progress.finish(time.monotonic() - began)
    return check


def _check_files(store: PackageStore, findings: StoreCheck, on_progress: OnProgress) -> None:
    assert isinstance(store.folder, LocalFolder)
    for file in store.manifest.files.values():
        fault = file_fault(store.folder.directory, file, on_progress)
        findings.count_checked("files", 1)
        if fault is not None:
            findings.add("files", file.name, fault)
