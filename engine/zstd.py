"""The functions of zstd for the native core: those of the library that the package `zstandard` brings."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["FUNCTIONS", "addresses"]

FUNCTIONS = (
    "ZSTD_createCCtx",
    "ZSTD_freeCCtx",
    "ZSTD_compressCCtx",
    "ZSTD_compressBound",
    "ZSTD_createDCtx",
    "ZSTD_freeDCtx",
    "ZSTD_decompressDCtx",
    "ZSTD_isError",
)
"""What the core calls (engine/native/tables/files/zstd.hpp)."""


def addresses() -> dict[str, int]:
    """Where the functions are in this process, by name."""
    backend: Any = import_module("zstandard.backend_cffi")
    functions = {name: backend.ffi.addressof(backend.lib, name) for name in FUNCTIONS}
    return {name: int(backend.ffi.cast("uintptr_t", function)) for name, function in functions.items()}
