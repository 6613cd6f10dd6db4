"""The public name of `checking/certificate.py`."""

from __future__ import annotations

from proofbase.engine.checking.certificate import *  # noqa: F403
from proofbase.engine.checking.certificate import __all__ as __all__  # noqa: PLC0414
