"""The public name of `checking/checker.py`, and its command: `python -m proofbase.engine.checker FILE`."""

from __future__ import annotations

import sys

from proofbase.engine.checking.checker import *  # noqa: F403
from proofbase.engine.checking.checker import __all__ as __all__  # noqa: PLC0414
from proofbase.engine.checking.checker import main

if __name__ == "__main__":
    sys.exit(main())
