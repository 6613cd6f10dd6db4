"""The native core where this folder has no extension module `_core`, which Python would import in place of this file.

A wheel that travels (scripts/wheel) has the core several times, each compiled for other processors: the best one for
this processor is imported. An installation without the core has none: then the import says how to get the core.
"""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from proofbase.engine.errors import NativeCoreMissingError
from proofbase.engine.system import processor_flags

__all__ = ["LEVELS", "level_of"]

# Names are those of Linux in /proc/cpuinfo. `abm` is LZCNT; Linux names AVX only where the system saves its registers.
LEVELS = {"x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe", "x86-64-v2": ""}
"""What a processor needs for each level, the best level first."""


def level_of(flags: str) -> str:
    """The best level that a processor has.

    Args:
        flags: its line in /proc/cpuinfo.
    """
    return next(level for level, needed in LEVELS.items() if set(needed.split()) <= set(flags.split()))


def _load() -> None:
    """Puts the extension module in the place of this one."""
    # Measurements and tests ask for a level below that of the processor.
    level = os.environ.get("PROOFBASE_LEVEL") or level_of(processor_flags())
    path = Path(__file__).with_name(f"_core.{level}.so")
    if not path.exists():
        raise NativeCoreMissingError(
            "this needs the native core, which this installation of proofbase leaves out; "
            "`pip install .` in a clone of proofbase builds the core"
        )
    spec = spec_from_file_location(__name__, path)
    assert spec is not None and spec.loader is not None
    sys.modules[__name__] = module = module_from_spec(spec)
    spec.loader.exec_module(module)


if __name__ == "proofbase.engine._core":
    _load()
