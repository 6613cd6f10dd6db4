"""The public name of `papers/reference/`."""

from __future__ import annotations

from proofbase.engine.papers.reference import *  # noqa: F403
from proofbase.engine.papers.reference import __all__ as __all__  # noqa: PLC0414
