"""Packages: solutions as static folders, to be published, mirrored, cited and read from any file server."""

from __future__ import annotations

from proofbase.storage.package.store import PackageStore, open_folder

__all__ = ["PackageStore", "open_folder"]
