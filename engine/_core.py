"""Stands in for the native core where an installation leaves it out: its import says how to get the core.

Where the core is built, Python imports the extension module `_core` of this folder and never reads this file.
"""

from __future__ import annotations

from proofbase.engine.errors import NativeCoreMissingError

raise NativeCoreMissingError(
    "this needs the native core, which this installation of proofbase leaves out; "
    "`pip install .` in a clone of proofbase builds the core"
)
