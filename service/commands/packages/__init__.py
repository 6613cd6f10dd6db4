"""Packages: solutions as static folders (docs/packages.md)."""
