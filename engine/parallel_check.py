"""The public name of `checking/parallel_check.py`."""

from __future__ import annotations

from proofbase.engine.checking.parallel_check import *  # noqa: F403
from proofbase.engine.checking.parallel_check import __all__ as __all__  # noqa: PLC0414
